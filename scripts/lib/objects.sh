# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh, toolchain.sh and cells.sh by matrix and arch: configures, and compiles what the series touches. They set
# source and objects, the folder beside the source that gets what is built.
# shellcheck disable=SC2154

# kbuild ARGUMENT...: runs the kernel's make
kbuild() { "${KMAKE[@]}" -C "$source" "O=$objects" "$@"; }
# configured NAME=VALUE: true if the configuration has this option
configured() { grep -qx "CONFIG_$1" "$objects/.config"; }

# configure FROM [NAME=VALUE...]: configures from guest (tinyconfig and configs/guest.config), allnoconfig or random:SEED, with
# the options on top
configure() {
	local from=$1
	shift
	mkdir -p "$objects"
	printf '%s\n' "${@/#/CONFIG_}" >"$dir/options"
	case $from in
	guest) kbuild tinyconfig && cat "$TOP/configs/guest.config" "$dir/options" >>"$objects/.config" && kbuild olddefconfig ;;
	allnoconfig) kbuild allnoconfig && cat "$dir/options" >>"$objects/.config" && kbuild olddefconfig ;;
	random:*)
		cat "$TOP/configs/matrix-random.config" "$dir/options" >"$dir/pinned"
		KCONFIG_SEED=${from#random:} KCONFIG_ALLCONFIG=$dir/pinned kbuild randconfig
		;;
	*) echo "there is no way to configure from $from" && return 1 ;;
	esac
}

# lacking OPTION...: prints those options, each NAME=value, that the configuration has otherwise
lacking() {
	local option
	for option; do
		case $option in
		*=n) ! grep -q "^CONFIG_${option%=n}=" "$objects/.config" ;;
		*) configured "$option" ;;
		esac || printf ' %s' "$option"
	done
}

# built_of FOLDER NAMES: prints the objects of its Makefile that have such names (a regular expression) and that the
# configuration builds
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

# touched_objects: prints what is compiled of a configuration. extable.c is always there and includes the touched header; the
# other objects of kernel/module include the touched header of that folder.
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

# compile_touched STATE: compiles what the series touches and leaves config, release, objects, objects.log and warnings in $dir.
# If STATE is not "after", the names end in .STATE. False if an object does not compile.
compile_touched() {
	local list suffix=.$1
	[ "$1" != after ] || suffix=
	kbuild prepare >>"$dir/log" 2>&1 || fail "$1: make prepare fails"
	cp "$objects/.config" "$dir/config$suffix"
	kernel_version "$source" >"$dir/release$suffix"
	mapfile -t list < <(touched_objects)
	printf '%s\n' "${list[@]}" >"$dir/objects$suffix"
	compiled "$dir/objects$suffix.log" "${list[@]}" >"$dir/warnings$suffix"
	! grep -q '^error: does not compile' "$dir/warnings$suffix"
}

# no_new_warning FILE...: fails the cell if one of the files has a warning that is not in $dir/warnings.before
no_new_warning() {
	sort -u "$@" | comm -13 "$dir/warnings.before" - >"$dir/warnings.new"
	[ ! -s "$dir/warnings.new" ] || fail "new: $(head -n 1 "$dir/warnings.new")"
}
