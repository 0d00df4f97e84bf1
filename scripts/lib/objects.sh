# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh and toolchain.sh by matrix and arch: compiles what the series touches, in a folder beside the
# source. They set source and objects, that folder.
# shellcheck disable=SC2154

kbuild() { "${KMAKE[@]}" -C "$source" "O=$objects" "$@"; }
configured() { grep -qx "CONFIG_$1" "$objects/.config"; }

# lacking OPTION...: those of them, each NAME=value, that the configuration has otherwise
lacking() {
	local option
	for option; do
		case $option in
		*=n) ! grep -q "^CONFIG_${option%=n}=" "$objects/.config" ;;
		*) configured "$option" ;;
		esac || printf ' %s' "$option"
	done
}

# built_of FOLDER NAMES: the objects of its Makefile with such names (a regular expression) that the configuration
# builds
built_of() {
	awk -v dir="$1" -v names="^($2)[.]o$" '
		FILENAME ~ /config$/ { if (sub(/=[ym]$/, "")) on[$0] = 1; next }
		/^obj-/ {
			option = $1
			gsub(/^obj-|[$()]/, "", option)
			if (option == "y" || option in on)
				for (i = 3; i <= NF; i++) if ($i ~ names) print dir "/" $i
		}' "$objects/.config" "$source/$1/Makefile" | sort -u
}

# touched_objects: what is compiled of a configuration. extable.c is always there and includes the touched header; the
# other objects of kernel/module include its own one.
touched_objects() {
	echo kernel/extable.o
	! configured FUNCTION_TRACER=y || echo kernel/trace/ftrace.o
	built_of kernel kallsyms
	! configured MODULES=y || built_of kernel/module '.*'
	[ ! -f "$source/lib/tests/Makefile" ] || built_of lib/tests 'ftrace_lookup_.*'
}

# compiled LOG OBJECT...: compiles them anew with W=1, and prints their warnings and errors without line numbers,
# offsets and the name of the source folder. A line "error: does not compile" if one could not be.
compiled() {
	local log=$1 rc=0
	shift
	(cd "$objects" && rm -f "$@")
	kbuild -k W=1 "$@" >"$log" 2>&1 || rc=$?
	{
		[ $rc -eq 0 ] || echo "error: does not compile"
		grep -E 'warning:|error:' "$log" | sed -E "s,$source/,,g; s/:[0-9]+(:[0-9]+)?:/:/g; s/\+0x[0-9a-f]+//g" || true
	} | sort -u
}

# try_it ARGUMENT...: scripts/matrix/try; its TAP lines go to $dir/tap, the steps are shown
try_it() { "$TOP/scripts/matrix/try" "$@" 2>&1 | tee "$dir/tap" | grep --line-buffered -vE '^(not )?ok '; }

# result FILE KEY VALUE...: what is known of a cell, for scripts/matrix/matrix.py
result() {
	local file=$1
	shift
	printf '%s %s\n' "$@" >"$file"
}
# tap_counts FILE: "passed failed skipped" of its TAP lines
tap_counts() {
	awk '/^ok .*# SKIP/ { s++; next } /^ok / { p++ } /^not ok / { f++ } END { print p + 0, f + 0, s + 0 }' "$1"
}
