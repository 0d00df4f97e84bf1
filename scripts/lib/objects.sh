# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by cells.sh: configures, and compiles what the series touches. matrix and arch set source, its state and
# objects, the folder beside it that gets what is built.
# shellcheck disable=SC2154

# kbuild ARGUMENT...: runs the kernel's make
kbuild() { "${KMAKE[@]}" -C "$source" "O=$objects" "$@"; }
# configured NAME=VALUE: true if the configuration has this option
configured() { grep -qx "CONFIG_$1" "$objects/.config"; }

# lacking OPTION...: prints those options, each NAME=value, that the configuration has otherwise
lacking() {
	local option
	for option; do
		case $option in
		*=n) ! grep -q "^CONFIG_${option%n}" "$objects/.config" ;;
		*) configured "$option" ;;
		esac || printf ' %s' "$option"
	done
}

# configure FROM [OPTION...]: configures from guest (tinyconfig and configs/guest.config), allnoconfig or random:SEED, with
# the options on top; fails the cell if the configuration lacks one
configure() {
	local from=$1 lacks
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
	*) fail "there is no way to configure from $from" ;;
	esac >>"$dir/log" 2>&1 || fail "cannot be configured"
	lacks=$(lacking "$@")
	[ -z "$lacks" ] || fail "the configuration lacks$lacks"
}

# touched_objects: prints what is compiled of a configuration. extable.c is always there and includes the touched header; the
# other objects of kernel/module include the touched header of that folder.
touched_objects() (
	cd "$source" || exit
	makefiles=(kernel/Makefile)
	echo kernel/extable.o
	! configured FUNCTION_TRACER=y || echo kernel/trace/ftrace.o
	! configured MODULES=y || makefiles+=(kernel/module/Makefile)
	[ ! -f lib/tests/Makefile ] || makefiles+=(lib/tests/Makefile)
	awk 'FILENAME ~ /config$/ { if (sub(/=[ym]$/, "")) on[$0] = 1; next }
		/^obj-/ {
			option = $1
			gsub(/^obj-|[$()]/, "", option)
			if (option == "y" || option in on)
				for (i = 3; i <= NF; i++) print substr(FILENAME, 1, length(FILENAME) - length("Makefile")) $i
		}' "$objects/.config" "${makefiles[@]}" |
		sed -nE '/^(kernel\/kallsyms|kernel\/module\/.*|lib\/tests\/ftrace_lookup_.*)[.]o$/p' | sort -u
)

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

# compile_touched: compiles what the series touches in a state of the source: "before", "core" or, with all patches, "". Leaves
# config, release, objects, objects.log and warnings in $dir, with .STATE after the names. False if an object does not compile.
compile_touched() {
	local list suffix=${state:+.$state}
	kbuild prepare >>"$dir/log" 2>&1 || fail "make prepare fails"
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
