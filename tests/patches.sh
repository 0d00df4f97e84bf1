#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Tests "make series", "make tree" and "make export": a round trip changes nothing, work is never
# lost, and wrong input is refused. Uses a source of a few files, which belongs to no base.
# usage: tests/patches.sh

# shellcheck disable=SC2317 # functions are called by name
. "$(dirname -- "$0")/tap.bash"

in_tree() {
	git -C "$house/out/tree/$BASE" -c user.name='Ä. Tester' -c user.email=tester@example.org "$@"
}
commit() { in_tree add -A && in_tree commit -q --no-gpg-sign -m "$1"; }
t() { printf '%s/%s\n' "$house/out/tree/$BASE" "$1"; }
p() { printf '%s/%s\n' "$house/patches/$folder" "$1"; }

mkdir -p "$W/src/kernel/trace" "$W/src/lib"
printf '%s\n' "VERSION = ${BASE%.*}" "PATCHLEVEL = ${BASE#*.}" 'SUBLEVEL = 1' 'NAME = Test' \
	>"$W/src/Makefile"
echo '*.ignored' >"$W/src/.gitignore"
echo kept >"$W/src/lib/kept.ignored"
for f in Kbuild kernel/trace/ftrace.c lib/Makefile MAINTAINERS MOVED; do
	seq -f "$f %g" 200 >"$W/src/$f"
done

### work in the tree of a base that has no patches yet
house
passes "a series without patches gives the bare tree" run tree
passes "files that .gitignore names belong to it" in_tree ls-files --error-unmatch lib/kept.ignored
sed -i '20s/$/ changed/; 150d' "$(t kernel/trace/ftrace.c)"
commit $'ftrace: a change\n\nWhy it is made, für wen.\n\n  command | 12 ms\n\nSigned-off-by: Ä. Tester <tester@example.org>'
mkdir -p "$(t lib/tests)" "$(t tools/new)"
seq 9 >"$(t lib/tests/Makefile)"
seq 99 >"$(t lib/tests/kunit.c)"
printf 'dos\r\nno newline at the end' >"$(t tools/new/run.sh)"
chmod 755 "$(t tools/new/run.sh)"
in_tree mv MOVED tools/new/moved
sed -i '40s/$/ changed/' "$(t MAINTAINERS)"
sed -i '10s/$/ changed/' "$(t lib/Makefile)"
commit 'lib/tests: new files, a very long subject line that has to be folded when it is written as a mail header'
mkdir "$(t docs)"
seq 50 >"$(t docs/guide.rst)"
commit 'docs: only a new file'
sed -i '180s/$/ changed/' "$(t MAINTAINERS)"
commit 'ftrace: one more change'
passes "export" env INLINE=lib/tests/Makefile "OUT=$house/out" "SRC=$W/src" "$house/scripts/export"
same "export: names" "$(cat "$(p series)")" "0001-ftrace-a-change.patch
0002-lib-tests-new-files-a-very-long-subject-line-that-ha.patch.in
0003-docs-only-a-new-file.patch.in
0004-ftrace-one-more-change.patch"
mapfile -t names < <(cat "$(p series)")
same "export: new files" "$(cd "$house/linux" && find . -type f -printf '%m %p\n' | sort)" \
	"$(printf '%s\n' '644 ./docs/guide.rst' '644 ./lib/tests/kunit.c' '644 ./tools/new/moved' \
		'755 ./tools/new/run.sh')"
same "export: New: lines" "$(cat "$(p "${names[1]}")" "$(p "${names[2]}")" | grep '^New')" \
	"$(printf 'New: %s\n' lib/tests/kunit.c tools/new/moved 'tools/new/run.sh 0755' docs/guide.rst)"
same "export: the hunks that stay" "$(grep '^diff' "$(p "${names[1]}")")" \
	"$(printf 'diff --git a/%s b/%s\n' MAINTAINERS MAINTAINERS MOVED MOVED lib/Makefile \
		lib/Makefile lib/tests/Makefile lib/tests/Makefile)"

### round trip
sed -i "1i# SPDX-License-Identifier: GPL-2.0\n\n# core" "$(p series)"
sed -i "/^0004/i# follow-ups" "$(p series)"
echo "# the end" >>"$(p series)"
printf 'Subject: [PATCH 0/4] cover\n\ntext\n' >"$(p 0000-cover-letter.patch)"
before=$(patches)
head=$(in_tree rev-parse 'HEAD^{tree}')
passes "round trip" round_trip
same "round trip: patches/ and linux/ are the same, byte for byte" "$(patches)" "$before"
same "round trip: so is the tree" "$(in_tree rev-parse 'HEAD^{tree}')" "$head"
mkdir "$W/home"
cat >"$W/home/.gitconfig" <<EOT
[diff]
	noprefix = true
	renames = copies
	context = 1
	algorithm = patience
[format]
	signOff = true
	signature = me
	subjectPrefix = RFC
	attach = true
[core]
	abbrev = 7
	autocrlf = true
[am]
	threeWay = true
[apply]
	whitespace = fix
[color]
	ui = always
EOT
export HOME=$W/home
passes "round trip: a user with private settings" round_trip
same "round trip: ... changes nothing either" "$(patches)" "$before"
rm "$W/home/.gitconfig"
passes "series" run series
done_series=$house/out/series/$folder
same "series: the names" "$(cat "$done_series/series")" "$(printf '%s\n' "${names[@]%.in}")"
passes "series: a complete patch is copied" cmp "$(p "${names[0]}")" "$done_series/${names[0]}"
passes "series: so is the cover letter" \
	cmp "$(p 0000-cover-letter.patch)" "$done_series/0000-cover-letter.patch"
same "series: no New: line is left" "$(grep -l '^New: ' "$done_series"/*)" ""
same "series: the diffstat counts the new files" "$(grep -h ' changed, ' "$done_series/0002"*)" \
	" 7 files changed, 312 insertions(+), 202 deletions(-)"
cp -a "$W/src" "$W/patched"
for patch in "${names[@]%.in}"; do
	passes "series: patch applies $patch" patch -d "$W/patched" -p1 --fuzz=0 -i "$done_series/$patch"
done
same "series: ... to the tree's files" "$(contents "$W/patched")" "$(contents "$(t .)")"
rm -rf "$W/patched"
snap=$(snapshot "$house/out/series")
passes "series: --check" run series --check
same "series: --check writes nothing" "$(snapshot "$house/out/series")" "$snap"

### the tree belongs to its user
snap=$(snapshot "$(t .)")
passes "tree: nothing to do" run tree
same "tree: ... and nothing done" "$(snapshot "$(t .)")" "$snap"
echo more >>"$(t Kbuild)"
refused "tree: an uncommitted change" "$(t .)" 'uncommitted' run tree
refused "export: an uncommitted change" "$house/patches" 'uncommitted' run export
commit "kbuild: more"
refused "tree: a commit that was not exported" "$(t .)" 'make export' run tree
passes "export: one patch more" run export
same "export: the other patches stay" "$(patches | grep -vE '/series$|0005-| d |/patches$' | sort)" \
	"$(grep -vE '/series$|0005-| d |/patches$' <<<"$before" | sort)"
same "export: comments in the series stay" "$(cat "$(p series)")" "$(printf '%s\n' \
	'# SPDX-License-Identifier: GPL-2.0' '' '# core' "${names[@]:0:3}" '# follow-ups' "${names[3]}" \
	0005-kbuild-more.patch '# the end')"
touch -d '2001-01-01' "$(t Kbuild)" "$(t MAINTAINERS)"
cp -a "$house/patches" "$house/linux" "$W/"
sed -i '/^0005/d' "$(p series)"
passes "tree: a patch less" run tree
same "tree: it is gone" "$(in_tree log -1 --format=%s)" 'ftrace: one more change'
same "tree: a file that did not change keeps its date" "$(date -r "$(t MAINTAINERS)" +%Y)" 2001
sed -i 's/changed$/CHANGED/' "$(p "${names[0]}")"
sed -i 's/^ kernel.trace.ftrace.c 19$/ something else/' "$(p "${names[0]}")"
refused "tree: a series that does not apply" "$(t .)" 'does not apply' run tree
in_tree reset -q --hard pristine
refused "tree: commits that are gone are not made again over them" "$(t .)" 'other commits' run tree
rm -rf "$house/out/tree"
mkdir "$W/other"
refused "tree: a folder that something else made" "$W/other" 'was not made' \
	env "DIR=$W/other" "OUT=$house/out" "SRC=$W/src" "$house/scripts/tree"
rm -rf "$house/patches" "$house/linux"
cp -a "$W/patches" "$W/linux" "$house/"
run tree >/dev/null
sed -i 's/SUBLEVEL = 1/SUBLEVEL = 2/' "$W/src/Makefile"
in_tree branch mine pristine
passes "tree: a newer source" run tree
same "tree: ... is what it stands on" "$(in_tree log -1 --format=%s pristine)" "Linux $BASE.2 as packaged"
in_tree checkout -q -b mine
in_tree commit -q --no-gpg-sign --allow-empty -m mine
in_tree checkout -q -
sed -i 's/SUBLEVEL = 2/SUBLEVEL = 3/' "$W/src/Makefile"
refused "tree: a newer source, and a branch of the user's" "$(t .)" 'branches' run tree
sed -i 's/SUBLEVEL = 3/SUBLEVEL = 2/' "$W/src/Makefile"

### commits that cannot become a patch
# no_export NAME PATTERN: the export is refused, and patches/ and linux/ do not change
no_export() {
	local linux
	linux=$(snapshot "$house/linux")
	refused "export: $1" "$house/patches" "$2" run export
	same "export: ... linux/ stays" "$(snapshot "$house/linux")" "$linux"
	in_tree reset -q --hard "$good"
}
good=$(in_tree rev-parse HEAD)
echo more >>"$(t docs/guide.rst)"
echo new >"$(t docs/new.rst)"
commit 'docs: more'
linux=$(contents "$house/linux")
passes "export: a change to a file that an earlier patch brings, and another new file" run export
same "export: ... is a hunk of the same patch" "$(contents "$house/linux" | grep -v 'docs/new.rst')" "$linux"
passes "series: ... which is sound" run series --check
in_tree reset -q --hard "$good"
run export >/dev/null
echo more >>"$(t Kbuild)"
commit 'fixup! kbuild: more'
no_export "a fixup" 'autosquash'
in_tree commit -q --no-gpg-sign --allow-empty -m 'nothing'
no_export "an empty commit" 'changes nothing'
in_tree merge -q --no-ff --no-gpg-sign -s ours -m merge mine
no_export "a merge" 'merge'
echo >>"$(t Kbuild)"
commit $'kbuild: text\n\n---\nthat git am would cut'
no_export "a message that git am would cut" 'message'
printf 'a\0b' >"$(t binary)"
commit 'a binary file'
no_export "a binary file" 'binary'
ln -s Kbuild "$(t link)"
commit 'a link'
no_export "a symbolic link" 'regular'
same "export leaves nothing behind" "$(cd "$house" && echo .[a-z]*)" '.[a-z]*'
in_tree rebase -q --onto HEAD~3 HEAD~2
passes "export: without the patch that brings a file" run export
same "export: ... its file goes, and its folder" "$(cd "$house/linux" && find . | sort)" \
	"$(printf '%s\n' . ./lib ./lib/tests ./lib/tests/kunit.c ./tools ./tools/new \
		./tools/new/moved ./tools/new/run.sh)"

### patches that cannot become a series
# no_series NAME PATTERN: the series is refused, and out/series does not change
no_series() {
	refused "series: $1" "$house/out/series" "$2" run series
	rm -rf "$house/patches" "$house/linux"
	cp -a "$W/patches" "$W/linux" "$house/"
}
rm -rf "$house/patches" "$house/linux"
cp -a "$W/patches" "$W/linux" "$house/"
passes "series: five patches" run series
echo >"$house/linux/stray"
no_series "a file under linux/ that no patch brings" 'linux/stray'
rm "$house/linux/docs/guide.rst"
no_series "a New: file that is missing" 'linux/docs/guide.rst'
sed -i 's,^---$,---\nNew: docs/guide.rst,' "$(p "${names[1]}")"
no_series "a file that two patches bring" 'more than one.*docs/guide.rst'
sed -i 's,^New: docs/guide.rst,New: ../guide.rst,' "$(p "${names[2]}")"
mv "$house/linux/docs/guide.rst" "$house/guide.rst"
no_series "a path that leads out of the tree" "guide.rst"
rm "$house/guide.rst"
chmod -x "$house/linux/tools/new/run.sh"
no_series "a mode that differs from the file's" 'run.sh'
printf 'a\0b' >"$house/linux/docs/guide.rst"
no_series "a binary file" 'binary'
sed -i 's,^New: docs.*,&\nchanges since v1,' "$(p "${names[2]}")"
no_series "text that would be lost" "${names[2]}"
sed -n '/^diff/,$p' "$(p "${names[0]}")" | sed 's,kernel/trace/ftrace.c,docs/guide.rst,g' \
	>>"$(p "${names[1]}")"
no_series "a hunk for a new file" 'linux/docs/guide.rst'
rm "$(p "${names[3]}")"
no_series "a patch that is missing" "${names[3]}"
sed -i '/^0001/d' "$(p series)"
echo "${names[0]}" >>"$(p series)"
no_series "patches out of order" "${names[0]}"
sed -i '10,$d' "$(p "${names[0]}")"
no_series "a patch cut short" "${names[0]}"
sed -i '$d' "$(p "${names[3]}")"
no_series "a hunk cut short" "${names[3]}"
exit $((failures > 0))
