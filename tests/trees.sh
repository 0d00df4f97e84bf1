#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The build trees share the files of the source with it and with each other. The output of a build and the changes of a
# patch stay in one tree, and a source that was written to is refused. Uses a made-up source.
# usage: tests/trees.sh

. "$(dirname -- "$0")/tap.bash"
. "$(dirname -- "$0")/../scripts/lib/build.sh"

OUT=$W/out TAG=$BASE
src=$OUT/src/$TAG
mkdir -p "$src"/{kernel/trace,lib}
printf '%s\n' "VERSION = ${BASE%.*}" "PATCHLEVEL = ${BASE#*.}" 'SUBLEVEL = 1' 'NAME = Test' >"$src/Makefile"
for file in Kbuild kernel/trace/ftrace.c lib/kept.c; do seq -f "$file %g" 20 >"$src/$file"; done
ln -s ../lib/kept.c "$src/kernel/link.c"
find "$src" -exec touch -h -d 2020-01-01 {} +
echo 1-1 >"$src.package"
wanted=$(snapshot "$src")
cat >"$W/one.patch" <<'P'
--- a/kernel/trace/ftrace.c
+++ b/kernel/trace/ftrace.c
@@ -1,3 +1,3 @@
-kernel/trace/ftrace.c 1
+patched
 kernel/trace/ftrace.c 2
 kernel/trace/ftrace.c 3
--- /dev/null
+++ b/lib/new.c
@@ -0,0 +1 @@
+new
P
# shellcheck disable=SC2034 # for from
inputs=("1-1")
start() { tree=$OUT/build/$TAG-$2 && from "$1"; }
in_common() { [ "$src/$1" -ef "$OUT/build/$TAG-$2/$1" ]; }
apart() { ! in_common "$@"; }
is() { [ "$(cat "$OUT/build/$TAG-$1/$2")" = "$3" ]; }

start "$src" before
passes "a tree of the source takes no room for it" in_common lib/kept.c before
echo object >"$tree/lib/kept.o"
touch -d 2021-01-01T00:00:00.123456789 "$tree/lib/kept.o"
echo stamp >"$tree/.stamp"
start "$OUT/build/$TAG-before" after
passes "nor does one of that tree" in_common lib/kept.c after
passes "objects are copied" is after lib/kept.o object
passes "... with their dates, or make would build them again" test "$(stat -c %y "$tree/lib/kept.o")" = \
	"$(stat -c %y "$OUT/build/$TAG-before/lib/kept.o")"
passes "... and are of the tree alone" test "$(stat -c %h "$tree/lib/kept.o")" -eq 1
passes "it is not taken for built" test ! -e "$tree/.stamp"
overlay "$W/one.patch"
passes "a patch changes its tree" grep -qx patched "$tree/kernel/trace/ftrace.c"
passes "... and no other" apart kernel/trace/ftrace.c after
passes "a file that it creates is there" is after lib/new.c new
start "$OUT/build/$TAG-after" core
passes "a tree of a patched one is patched" grep -qx patched "$tree/kernel/trace/ftrace.c"
overlay /dev/null
passes "without the patch it is as the source" cmp "$src/kernel/trace/ftrace.c" "$tree/kernel/trace/ftrace.c"
echo more >>"$tree/kernel/trace/ftrace.c"
same "the source stays as it was" "$(snapshot "$src")" "$wanted"
cp -a "$OUT/build/$TAG-before" "$OUT/build/$TAG-plain"
start "$OUT/build/$TAG-plain" other
passes "a tree of one that has no file in common with the source" is other lib/kept.o object
echo 0-1 >"$OUT/build/$TAG-plain/.source"
start "$OUT/build/$TAG-plain" later
passes "one of another source lends no objects" test ! -e "$tree/lib/kept.o"
passes "... and the source is there" in_common lib/kept.c later
mkdir "$W/bin"
# shellcheck disable=SC2016 # for the inner shell
printf '#!/bin/sh\n[ "$1" != -al ] || exit 1\nexec %s "$@"\n' "$(command -v cp)" >"$W/bin/cp"
chmod 755 "$W/bin/cp"
PATH=$W/bin:$PATH start "$OUT/build/$TAG-before" copied
passes "where there are no hard links the source is copied" apart lib/kept.c copied
passes "... whole" cmp "$src/lib/kept.c" "$tree/lib/kept.c"

source_of() { OUT=$W/out "$TOP/scripts/source"; }
passes "a source as it was unpacked" source_of
echo list >"$OUT/src/$TAG/.checkpatch-camelcase.date.1"
ln "$OUT/src/$TAG/.checkpatch-camelcase.date.1" "$OUT/build/$TAG-before/"
passes "... with what checkpatch.pl leaves there" source_of
echo "/* mine */" >>"$OUT/build/$TAG-before/lib/kept.c"
refused "a tree whose file of the source was written to" "$OUT/src" "lib/kept.c was written to" source_of

# What a name of a kernel stands for
kernel_is() { OUT=$W/out "$TOP/scripts/kernel" "$@"; }
b=$W/out/build/$BASE
same "a kernel's tree, with its base and flavour" "$(kernel_is "$BASE/guest/core" tree) $(kernel_is "$BASE/debug/after" tree)" \
	"$b-core $b-debug-after"
same "one with a patch on top shares a tree and keeps its image" "$(kernel_is core+bitmap tree) $(kernel_is core+bitmap kept)" \
	"$b-patched $b-core+bitmap"
same "its patch is found, and that for the base" "$(kernel_is before+bitmap+shadow patches)" \
	"$TOP/bench/variants/bitmap.patch"$'\n'"$TOP/debug/shadow-$BASE.patch"
same "all fixes" "$(kernel_is before+fixes patches)" "$(sed "s,^,$TOP/fixes/$(base_field 3)/," "$TOP/fixes/$(base_field 3)/series")"
refused "a patch that is not there" "$W/out" 'no patch nothing' kernel_is before+nothing patches
refused "what is no name of a kernel" "$W/out" 'not the name of a kernel' kernel_is late tree
refused "a kernel of another base" "$W/out" 'not of BASE' kernel_is 1.0/guest/after tree
[ "$failures" -eq 0 ]
