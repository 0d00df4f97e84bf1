# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by matrix, arch and try: another compiler, another architecture.
# shellcheck disable=SC2034 # for the scripts that source this file

# Debian 12's own clang is too old for 7.3.
LLVM_SUFFIX=${LLVM_SUFFIX:--19}
PLAIN_KMAKE=("${KMAKE[@]}")

# toolchain COMPILER [MACHINE]: sets KMAKE, CROSS (the names of the tools begin with it) and COMPILED_BY, the compiler's version.
# Without MACHINE it is for this one. Else sets what configs/machines says of it as well: M_LIMIT, M_CONSOLE, M_DEBIAN, M_MACHINE,
# and M_IMAGE and M_EMULATOR, which are empty where it says "-".
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
