# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by matrix, arch and try: another compiler, another architecture.
# shellcheck disable=SC2034 # for the scripts that source this file

# Debian 12's own clang is too old for 7.3.
LLVM_SUFFIX=${LLVM_SUFFIX:--19}
PLAIN_KMAKE=("${KMAKE[@]}")

# machine_field NAME COLUMN: one field of its line in configs/machines; the eighth is the rest of the line
machine_field() {
	local v
	v=$(awk -v m="$1" -v c="$2" '$1 == m { printf "%s", $c; if (c == 8) for (i = 9; i <= NF; i++) printf " %s", $i }' \
		"$TOP/configs/machines")
	[ -n "$v" ] || die "no machine $1" "configs/machines has: $(machines)"
	[ "$v" = - ] || printf '%s\n' "$v"
}
machines() { awk '!/^#/ && NF { printf "%s%s", s, $1; s = " " }' "$TOP/configs/machines"; }

# toolchain COMPILER MACHINE: sets KMAKE, CROSS (what the names of its tools begin with) and COMPILED_BY, the
# compiler's version. The machine "pc" is this one.
toolchain() {
	local compiler=gcc arch='' ccache=
	[ "$CACHE_CC" = gcc ] || ccache='ccache '
	CROSS=
	KMAKE=("${PLAIN_KMAKE[@]}")
	if [ "$2" != pc ]; then
		arch=$(machine_field "$2" 2)
		CROSS=$(machine_field "$2" 3)
		KMAKE+=("ARCH=$arch" "CROSS_COMPILE=$CROSS")
	fi
	case $1:$2 in
	clang:pc)
		compiler=clang$LLVM_SUFFIX
		KMAKE+=("LLVM=$LLVM_SUFFIX")
		;;
	gcc:*-mcount)
		compiler=$OUT/build/mcount-${CROSS}gcc
		mkdir -p "$OUT/build"
		printf '#!/bin/sh\n# A compiler as before -fpatchable-function-entry\n%s\nexec %sgcc "$@"\n' \
			"case \" \$* \" in *' -fpatchable-function-entry'*) exit 1 ;; esac" "$CROSS" >"$compiler"
		chmod +x "$compiler"
		ccache=
		;;
	gcc:*) compiler=${CROSS}gcc ;;
	*) die "no compiler $1 for $2" "there are gcc, and clang for this machine's own architecture" ;;
	esac
	command -v "$compiler" >/dev/null || die "no $compiler" "run: scripts/packages build matrix arch"
	KMAKE=("${KMAKE[@]/#CC=*/CC=$ccache$compiler}")
	COMPILED_BY=$("$compiler" --version | head -n 1)
}
