#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The modules of the selftests are built for the kernel in the given folder, whatever O= the selftests have. With another
# O=, or an empty one, a kernel that was built outside its source does not find its configuration.
# usage: tests/modules.sh

. "$(dirname -- "$0")/tap.bash"

# Replaces the folder of a kernel and prints its arguments
kernel=$W/kernel
mkdir "$kernel"
# shellcheck disable=SC2016 # make's variables
printf 'modules clean:\n\t@echo "$@ O=$(O) M=$(M)"\n' >"$kernel/Makefile"
own=$TOP/linux/tools/testing/selftests/ftrace/test_modules
asked() { make -s --no-print-directory -C "$own" "$@" 2>&1; }

for target in modules clean; do
	same "$target, an O= of the selftests" "$(asked O="$W/other" KDIR="$kernel" $target)" "$target O=$kernel M=$own"
	same "$target, none" "$(asked KDIR="$kernel" $target)" "$target O=$kernel M=$own"
done
same "no kernel there: nothing is built" "$(asked KDIR="$W/none" modules)" ""
[ "$failures" -eq 0 ]
