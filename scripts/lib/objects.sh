# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by cells.sh and try: takes a compiler, configures, and compiles what the series touches. The scripts set
# source, its state, and objects, the folder beside it that gets what is built.
# shellcheck disable=SC2034,SC2154 # for the scripts that source this file

# Debian 12's own clang is too old for 7.3.
LLVM_SUFFIX=${LLVM_SUFFIX:--19}
PLAIN_KMAKE=("${KMAKE[@]}")

# toolchain COMPILER [MACHINE]: sets KMAKE, CROSS (the names of the tools begin with it) and COMPILED_BY, the compiler's version.
# With MACHINE also sets what configs/machines says of it: M_LIMIT, M_CONSOLE, M_DEBIAN, M_MACHINE, M_IMAGE and M_EMULATOR. The
# last two are empty where it says "-".
toolchain() {
	local compiler arch line ccache=${CACHE_CC%gcc}
	CROSS='' KMAKE=("${PLAIN_KMAKE[@]}")
	if [ $# -gt 1 ]; then
		line=$(grep "^$2 " "$TOP/configs/machines") || die "configs/machines has no machine $2"
		read -r _ arch CROSS M_LIMIT M_IMAGE M_CONSOLE M_DEBIAN M_EMULATOR M_MACHINE <<<"$line"
		CROSS=${CROSS#-} M_IMAGE=${M_IMAGE#-} M_EMULATOR=${M_EMULATOR#-}
		KMAKE+=("ARCH=$arch" "CROSS_COMPILE=$CROSS")
	fi
	case $1:${2:-} in
	clang:) compiler=clang$LLVM_SUFFIX KMAKE+=("LLVM=$LLVM_SUFFIX") ;;
	gcc:*-mcount)
		# A compiler as before -fpatchable-function-entry
		compiler=$OUT/bin/mcount-${CROSS}gcc ccache=
		mkdir -p "$OUT/bin"
		printf '#!/bin/sh\ncase " $*" in *" -fpatchable-function-entry"*) exit 1 ;; esac\nexec %sgcc "$@"\n' "$CROSS" >"$compiler"
		chmod +x "$compiler"
		;;
	gcc:*) compiler=${CROSS}gcc ;;
	*) die "no compiler $1 for ${2:-this machine}" "there are gcc, and clang for this machine's own architecture" ;;
	esac
	command -v "$compiler" >/dev/null || die "no $compiler" "run: scripts/packages build matrix arch"
	KMAKE=("${KMAKE[@]/#CC=*/CC=$ccache$compiler}")
	COMPILED_BY=$("$compiler" --version | head -n 1)
}

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
# the options on top, or as $dir/config. Fails the cell if the configuration lacks an option.
configure() {
	local from=$1 options lacks
	shift
	mkdir -p "$objects"
	printf -v options '%s\n' "${@/#/CONFIG_}"
	case $from in
	config) cp "$dir/config" "$objects/.config" && kbuild olddefconfig ;;
	guest) kbuild tinyconfig && cat "$TOP/configs/guest.config" - <<<"$options" >>"$objects/.config" && kbuild olddefconfig ;;
	allnoconfig) kbuild allnoconfig && cat <<<"$options" >>"$objects/.config" && kbuild olddefconfig ;;
	random:*)
		cat "$TOP/configs/matrix-random.config" - <<<"$options" >"$dir/pinned"
		KCONFIG_SEED=${from#random:} KCONFIG_ALLCONFIG=$dir/pinned kbuild randconfig
		;;
	*) fail "there is no way to configure from $from" ;;
	esac >>"$dir/log" 2>&1 || fail "cannot be configured"
	lacks=$(lacking "$@")
	[ -z "$lacks" ] || fail "the configuration lacks$lacks"
}

# touched_objects: prints what is compiled of a configuration. extable.c is always there and includes the touched header; the
# other objects of kernel/module include the touched header of that folder.
touched_objects() {
	local folder folders=(kernel lib/tests)
	! configured MODULES=y || folders+=(kernel/module)
	echo kernel/extable.o
	! configured FUNCTION_TRACER=y || echo kernel/trace/ftrace.o
	for folder in "${folders[@]}"; do
		[ ! -f "$source/$folder/Makefile" ] || awk -v folder="$folder" '
			FILENAME ~ /config$/ { if (sub(/=[ym]$/, "")) on[$0] = 1; next }
			/^obj-/ {
				option = $1
				gsub(/^obj-|[$()]/, "", option)
				if (option == "y" || option in on) for (i = 3; i <= NF; i++) print folder "/" $i
			}' "$objects/.config" "$source/$folder/Makefile"
	done | sed -nE '/^(kernel\/kallsyms|kernel\/module\/.*|lib\/tests\/ftrace_lookup_.*)[.]o$/p' | sort -u
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

# compile_touched: compiles what the series touches in a state of the source: "before", "core" or, with all patches, "". Leaves
# config, release, objects, objects.log and warnings in $dir, with .STATE after the names. False if an object does not compile.
compile_touched() {
	local list suffix=${state:+.$state}
	cp "$objects/.config" "$dir/config$suffix"
	kernel_version "$source" >"$dir/release$suffix"
	kbuild prepare >>"$dir/log" 2>&1 || fail "make prepare fails"
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
