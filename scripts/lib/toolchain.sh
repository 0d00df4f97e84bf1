# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by matrix, arch and try: another compiler, another architecture.
# shellcheck disable=SC2034 # for the scripts that source this file

# Debian 12's own clang is too old for 7.3.
LLVM_SUFFIX=${LLVM_SUFFIX:--19}
PLAIN_KMAKE=("${KMAKE[@]}")

# machine NAME: sets what its line in configs/machines says: M_ARCH, M_CROSS (the names of its tools begin with it), M_LIMIT,
# M_IMAGE, M_CONSOLE, M_DEBIAN, M_EMULATOR and M_MACHINE. M_CROSS, M_IMAGE and M_EMULATOR are empty where the line has "-".
machine() {
	local line
	line=$(grep "^$1 " "$TOP/configs/machines") || die "configs/machines has no machine $1"
	read -r _ M_ARCH M_CROSS M_LIMIT M_IMAGE M_CONSOLE M_DEBIAN M_EMULATOR M_MACHINE <<<"$line"
	M_CROSS=${M_CROSS#-} M_IMAGE=${M_IMAGE#-} M_EMULATOR=${M_EMULATOR#-}
}

# toolchain COMPILER [MACHINE]: sets KMAKE, CROSS (the names of the tools begin with it) and COMPILED_BY, the compiler's version.
# Without MACHINE it builds for this one.
toolchain() {
	local compiler ccache=${CACHE_CC%gcc}
	CROSS=
	KMAKE=("${PLAIN_KMAKE[@]}")
	if [ $# -gt 1 ]; then
		machine "$2"
		CROSS=$M_CROSS
		KMAKE+=("ARCH=$M_ARCH" "CROSS_COMPILE=$CROSS")
	fi
	case $1:${2:-} in
	clang:)
		compiler=clang$LLVM_SUFFIX
		KMAKE+=("LLVM=$LLVM_SUFFIX")
		;;
	gcc:*-mcount)
		compiler=$OUT/bin/mcount-${CROSS}gcc ccache=
		mkdir -p "$OUT/bin"
		printf '#!/bin/sh\n# A compiler as before -fpatchable-function-entry\n%s\nexec %sgcc "$@"\n' \
			"case \" \$* \" in *' -fpatchable-function-entry'*) exit 1 ;; esac" "$CROSS" >"$compiler"
		chmod +x "$compiler"
		;;
	gcc:*) compiler=${CROSS}gcc ;;
	*) die "no compiler $1 for ${2:-this machine}" "there are gcc, and clang for this machine's own architecture" ;;
	esac
	command -v "$compiler" >/dev/null || die "no $compiler" "run: scripts/packages build matrix arch"
	KMAKE=("${KMAKE[@]/#CC=*/CC=$ccache$compiler}")
	COMPILED_BY=$("$compiler" --version | head -n 1)
}
