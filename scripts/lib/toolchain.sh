# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh: another compiler, another architecture.
# shellcheck disable=SC2034 # for the scripts that source this file

# Debian 12's own clang is too old for 7.3.
LLVM_SUFFIX=${LLVM_SUFFIX:--19}
PLAIN_KMAKE=("${KMAKE[@]}") PLAIN_QEMU=$QEMU

# toolchain COMPILER MACHINE: sets KMAKE, CROSS (what the names of the tools begin with), COMPILED_BY (the compiler's version)
# and what scripts/boot needs. MACHINE is a name in configs/machines, or "pc" for this machine's own architecture.
toolchain() {
	local arch emulator compiler cc
	KMAKE=("${PLAIN_KMAKE[@]}") QEMU=$PLAIN_QEMU CROSS=
	if [ "$2" != pc ]; then
		read -r _ arch CROSS _ _ BOOT_CONSOLE _ emulator BOOT_MACHINE < <(grep "^$2 " "$TOP/configs/machines")
		export BOOT_CONSOLE BOOT_MACHINE
		[ "$emulator" = - ] || QEMU=$emulator
		CROSS=${CROSS#-}
		KMAKE+=("ARCH=$arch" "CROSS_COMPILE=$CROSS")
	fi
	compiler=${CROSS}gcc
	if [ "$1" = clang ]; then compiler=clang$LLVM_SUFFIX && KMAKE+=("LLVM=$LLVM_SUFFIX"); fi
	command -v "$compiler" >/dev/null || die "no $compiler" "run: scripts/packages build matrix arch"
	COMPILED_BY=$("$compiler" --version | head -n 1)
	cc=${CACHE_CC%gcc}$compiler
	if [[ $2 == *-mcount ]]; then
		cc=$OUT/mcount-$compiler
		printf '#!/bin/sh\n# A compiler as before -fpatchable-function-entry\n%s\nexec %s "$@"\n' \
			"case \" \$* \" in *' -fpatchable-function-entry'*) exit 1 ;; esac" "$compiler" >"$cc"
		chmod +x "$cc"
	fi
	KMAKE=("${KMAKE[@]/#CC=*/CC=$cc}")
}
