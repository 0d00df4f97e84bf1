#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Tests "make apply": what it must refuse without a change of the tree, and what it must do. The trees
# have only the few kernel files that the series touches.
# usage: tests/apply.sh

# shellcheck disable=SC2317 # functions are called by name

# With a mount namespace, the mounts of this test (read-only, full disk) end with the process.
if [ -z "${APPLY_TEST_MOUNTS:-}" ]; then
	[ "$(id -u)" -eq 0 ] && how=-m || how=-rm
	if unshare "$how" true 2>/dev/null; then APPLY_TEST_MOUNTS=yes exec unshare "$how" "$0" "$@"; fi
fi

. "$(dirname -- "$0")/tap.bash"
apply() { TREE=$1 SET=${2-core} "$TOP/scripts/apply"; }

OUT=$W "$TOP/scripts/series" >/dev/null
series=$W/series/$(base_field 3)
# Most runs need not make the series again; only those under "what it must do" do so.
export APPLY_SERIES=$series
mapfile -t all <"$series/series"
mapfile -t core < <(awk '$1 + 0 <= 5' "$series/series")
# shellcheck disable=SC2034
mapfile -t minimal < <(awk '$1 + 0 <= 2' "$series/series")
# shellcheck disable=SC2034 # used by name, as are the others
first=("${core[0]}")
follow_ups=$((${#all[@]} - ${#core[@]}))
mapfile -t new < <(cd "$series" && sed -n '/^--- \/dev\/null$/{n;s,^+++ b/,,p}' "${core[@]}")
[ -d "$SRC" ] || die "no kernel source in $SRC" "run: make source BASE=$BASE"
subset "$series" "$W/pristine"
fixes=$TOP/fixes/$(base_field 3)
mapfile -t fixed < <(sed -n 's,^--- a/\([^[:space:]]*\).*,\1,p' "$fixes"/*.patch | sort -u)
(cd "$SRC" && cp --preserve=mode,timestamps --parents -t "$W/pristine" "${fixed[@]}")
cp -a "$W/pristine" "$W/git"
make_git "$W/git"

# tree KIND: makes a fresh tree, plain or git, in $tree
tree() {
	tree=$W/tree
	rm -rf "$tree"
	if [ "$1" = plain ]; then
		cp -a "$W/pristine" "$tree"
	else
		cp -a "$W/git" "$tree"
		git -C "$tree" update-index -q --refresh
	fi
}
said() { "$@" >"$W/said" 2>&1 || { cat "$W/said"; return 1; }; }
lacks() { ! grep -F -- "$1" "$W/said"; }
commit() {
	git -C "$tree" -c user.name=T -c user.email=t@example.org commit -q --no-gpg-sign -a -m "$1"
}
# on KIND COMMAND...: changes the tree, and commits the change in a git tree
on() {
	"${@:2}"
	[ "$1" = plain ] || { git -C "$tree" add -A -f && commit change; }
}
by_hand() {
	local p
	for p; do patch -d "$tree" -p1 -s --fuzz=0 --no-backup-if-mismatch <"$series/$p" || return 1; done
}
# The patches that each SET must apply.
for set in minimal core all; do
	tree plain
	declare -n names=$set
	by_hand "${names[@]}"
	mv "$tree" "$W/wanted-$set"
done

### invalid arguments and trees
tree plain
refused "no TREE" "$tree" 'TREE=' env -u TREE "$TOP/scripts/apply"
refused "unknown SET" "$tree" 'SET=some.*' apply "$tree" some
mkdir "$W/empty"
refused "not a kernel tree" "$W/empty" 'not a kernel tree' apply "$W/empty"
refused "no such folder" "$W/empty" 'not a kernel tree' apply "$W/empty/none"
for kind in plain git; do
	tree $kind
	on $kind sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 1/' "$tree/Makefile"
	refused "$kind: unsupported version" "$tree" "supported: $(known_bases)" apply "$tree"
done

### a git checkout with changes
tree git
echo "/* mine */" >>"$tree/kernel/trace/ftrace.c"
refused "git: changed file" "$tree" 'dirty.*ftrace.c' apply "$tree"
git -C "$tree" add -A
refused "git: staged change" "$tree" 'dirty.*ftrace.c' apply "$tree"
tree git
mkdir "$tree/.git/rebase-apply"
refused "git: an am or rebase in progress" "$tree" 'dirty.*rebase-apply' apply "$tree"
tree plain
git -C "$tree" init -q
refused "git: no commit yet" "$tree" 'no commit' apply "$tree"

### the series is there, or part of it; conflicts
# spot PATCH: file, hunk and line in $tree of the first hunk that begins with three lines of context
spot() {
	awk -v tree="$tree" '
		function find(  line, n, best, near) {
			while ((getline line <(tree "/" file)) > 0) {
				old[++n % 3] = line
				if (n >= 3 && old[(n - 2) % 3] == c[1] && old[(n - 1) % 3] == c[2] &&
				    old[n % 3] == c[3] && (!best || (n - 2 - start) ^ 2 < (best - start) ^ 2))
					best = n - 2
			}
			close(tree "/" file)
			if (best) { print file, hunk, best; exit }
		}
		/^diff --git / { file = substr($4, 3); hunk = 0; lead = 9 }
		/^@@ / { hunk++; split($2, at, /[-,]/); start = at[2]; lead = 0; next }
		lead < 3 {
			if (/^ /) c[++lead] = substr($0, 2); else lead = 9
			if (lead == 3) find()
		}
	' "$series/$1"
}
# spoil LINES-BEFORE-THE-CHANGE: changes a line of context
spoil() { sed -i "$((line + 3 - $1))s/^/spoilt /" "$tree/$file"; }

# existing PATCH...: the existing kernel files that they change
existing() { (cd "$series" && sed -n 's,^--- a/\([^[:space:]]*\).*,\1,p' "$@" | sort -u); }
# last_alone: the last patch whose first hunk is in a file that no earlier one touches
last_alone() {
	local i file
	for ((i = ${#core[@]} - 1; i > 0; i--)); do
		read -r file _ < <(spot "${core[i]}") || continue
		existing "${core[@]:0:i}" | grep -qxF "$file" || { echo "${core[i]}"; break; }
	done
}

# out_of_order KIND NAME PATCH...: a tree with only these patches
out_of_order() {
	tree "$1"
	if by_hand "${@:3}"; then
		on "$1" true
		refused "$1: $2" "$tree" "part of the series" apply "$tree"
		passes "$1: ... and it is named" grep -q "^ *${*: -1}" "$W/said"
	else
		skip "$1: $2" "${*: -1} does not apply so"
	fi
}

for kind in plain git; do
	tree $kind
	on $kind by_hand "${core[@]}"
	refused "$kind: already applied" "$tree" 'already applied' apply "$tree"
	refused "$kind: core is there, minimal wanted" "$tree" 'already applied' apply "$tree" minimal
	out_of_order $kind "its second patch is there, not its first" "${core[1]}"
	out_of_order $kind "its first and its third patch are there, not its second" "${core[0]}" "${core[2]}"

	tree $kind
	read -r file hunk line < <(spot "${core[0]}")
	on $kind spoil 1
	refused "$kind: conflict names patch" "$tree" "${core[0]} does not apply" apply "$tree"
	passes "$kind: ... file and hunk" grep -qF "$file: hunk #$hunk " "$W/said"
	passes "$kind: ... and does not speak of fuzz" lacks fuzz
	tree $kind
	on $kind spoil 3
	refused "$kind: needs fuzz" "$tree" "$file: hunk #$hunk " apply "$tree"
	passes "$kind: ... and says that the base moved" grep -q 'base moved' "$W/said"
	tree $kind
	last=$(last_alone)
	if [ -n "$last" ]; then
		read -r file hunk line < <(spot "$last")
		on $kind spoil 1
		refused "$kind: conflict after patches that apply" "$tree" "$last does not apply" apply "$tree"
	else
		skip "$kind: conflict after patches that apply" "no later patch has a file to itself"
	fi
	tree $kind
	file=$(cd "$W/pristine" && existing "${core[@]}" | { xargs ls -d 2>/dev/null || true; } |
		grep -vxE 'kernel/trace/ftrace.c|Makefile|Kbuild' | head -n 1)
	on $kind rm "$tree/$file"
	refused "$kind: a missing file" "$tree" "$file: missing" apply "$tree"
	tree $kind
	if [ ${#new[@]} -gt 0 ]; then
		mkdir -p "$(dirname "$tree/${new[0]}")"
		echo mine >"$tree/${new[0]}"
		refused "$kind: a file of the user's where a patch creates one" "$tree" \
			"${new[0]}: exists" apply "$tree"
	else
		skip "$kind: a file of the user's where a patch creates one" "the series creates no file"
	fi
done

### trees that cannot be written
# read_only PATH and writable_again PATH use whatever way works here
lock=
read_only() {
	if mount --bind "$1" "$1" 2>/dev/null && mount -o remount,bind,ro "$1" 2>/dev/null; then
		lock="mount"
	elif chattr -R +i "$1" 2>/dev/null; then
		lock="chattr"
	elif [ "$(id -u)" -ne 0 ]; then
		chmod -R a-w "$1"
		lock="chmod"
	else
		return 1
	fi
}
writable_again() {
	case $lock in mount) umount "$1" ;; chattr) chattr -R -i "$1" ;; chmod) chmod -R u+w "$1" ;; esac
}
for kind in plain git; do
	for where in . kernel/trace .git; do
		[ "$kind$where" != plain.git ] || continue
		tree $kind
		if read_only "$tree/$where"; then
			refused "$kind: $where is read-only ($lock)" "$tree" "cannot write to $tree" apply "$tree"
			writable_again "$tree/$where"
		else
			skip "$kind: $where is read-only" "root, and neither mount nor chattr works here"
		fi
	done
done
# nobody COMMAND...: runs it as a user who may read but not write
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "$@"; }
chmod 755 "$W"
name="another user's tree"
if nobody test -r "$TOP/scripts/apply" 2>/dev/null; then
	tree plain
	refused "plain: $name" "$tree" "cannot write to $tree" nobody "TREE=$tree" "$TOP/scripts/apply"
	tree git
	refused "git: $name" "$tree" "git cannot use $tree" nobody "TREE=$tree" "$TOP/scripts/apply"
else
	skip "$name" "no other user to try it as, or the repository is not readable to one"
fi
mkdir "$W/small"
if mount -t tmpfs -o size=64m tmpfs "$W/small" 2>/dev/null; then
	for kind in plain git; do
		# 16 KiB stay free, which is less than the size of a new ftrace.c
		tree $kind
		cp -a "$tree/." "$W/small/"
		avail=$(df --output=avail -k "$W/small" | tail -n 1)
		head -c "$(((avail - 16) * 1024))" /dev/zero >"$W/small/filler"
		refused "$kind: the disk is full" "$W/small" 'No space left|git am failed' apply "$W/small"
		find "$W/small" -mindepth 1 -delete
	done
	umount "$W/small"
else
	skip "the disk is full" "no mount namespace to be had"
fi

### stopped half-way
# half_way ACTION: a script that does ACTION at its second call
half_way() {
	# shellcheck disable=SC2016 # for the inner shell
	printf '#!/bin/sh\necho >>"%s/calls"\n[ "$(wc -l <"%s/calls")" -ne 2 ] || { %s; }\n' "$W" "$W" "$1"
	rm -f "$W/calls"
}
# interruptible COMMAND...: writes its process id to $W/pid, and lets SIGINT reach it
interruptible() {
	# shellcheck disable=SC2016 # for the inner shell
	env --default-signal=INT sh -c 'echo $$ >"$0/pid"; exec "$@"' "$W" "$@"
}
mkdir "$W/bin"
mv=$(command -v mv)
for action in "exit 1" "kill -INT \$(cat $W/pid)"; do
	tree plain
	{ half_way "$action"; echo "exec $mv \"\$@\""; } >"$W/bin/mv"
	chmod 755 "$W/bin/mv"
	refused "plain: second file: ${action%% \$*}" "$tree" '' \
		interruptible env "PATH=$W/bin:$PATH" "TREE=$tree" "$TOP/scripts/apply"
	passes "plain: ... and it had begun" test "$(wc -l <"$W/calls")" -ge 2
	if [ ${#core[@]} -gt 1 ]; then
		tree git
		half_way "$action" >"$tree/.git/hooks/applypatch-msg"
		chmod 755 "$tree/.git/hooks/applypatch-msg"
		refused "git: second patch: ${action%% \$*}" "$tree" '' \
			interruptible env "TREE=$tree" "$TOP/scripts/apply"
		passes "git: ... and it had begun" test "$(wc -l <"$W/calls")" -ge 2
	fi
done
rm -f "$W/bin/mv"
# git stops after it has written some of the files
tree git
git=$(command -v git)
cat >"$W/bin/git" <<EOT
#!/bin/sh
case " \$* " in
*" read-tree -m -u "*) "$git" "\$@"; echo >>"$W/begun"; exit 1 ;;
esac
exec "$git" "\$@"
EOT
chmod 755 "$W/bin/git"
refused "git: files written, then a failure" "$tree" 'could not write' \
	env "PATH=$W/bin:$PATH" "TREE=$tree" "$TOP/scripts/apply"
passes "git: ... and it had begun" test -s "$W/begun"
rm -r "${W:?}/bin"

### what it must do
unset APPLY_SERIES
for set in minimal core all; do
	if [ $set = all ] && [ $follow_ups -eq 0 ]; then
		skip "SET=all" "the series has no follow-ups"
		continue
	fi
	declare -n names=$set
	for kind in plain git; do
		tree $kind
		passes "$kind: SET=$set is applied" apply "$tree" $set
		same "$kind: SET=$set gives the right files, and no others" \
			"$(contents "$tree")" "$(contents "$W/wanted-$set")"
	done
	same "git: a commit a patch" \
		"$(git -C "$tree" log --reverse --format='%an <%ae> %at %s' HEAD~${#names[@]}..)" \
		"$(cd "$series" && for p in "${names[@]}"; do
			git mailinfo /dev/null /dev/null <"$p" | awk -F': ' '{ v[$1] = substr($0, length($1) + 3) }
				END { print v["Author"] " <" v["Email"] ">|" v["Date"] "|" v["Subject"] }' |
				{ IFS='|' read -r who date what; echo "$who $(TZ=UTC0 date -d "$date" +%s) $what"; }
		done)"
	same "git: the tree is clean" "$(git -C "$tree" status --porcelain)" ""
	same "git: on the branch it was on" "$(git -C "$tree" symbolic-ref HEAD)" \
		"$(git -C "$tree" for-each-ref --format='%(refname)')"
done
export APPLY_SERIES=$series
# If the tree has the first patches of the set, it applies the rest.
for pair in "first core" "minimal core" "minimal all" "core all"; do
	read -r there_is set <<<"$pair"
	declare -n there=$there_is names=$set
	if [ "$set" = all ] && [ $follow_ups -eq 0 ]; then
		skip "SET=all where $there_is is there" "the series has no follow-ups"
		continue
	fi
	for kind in plain git; do
		tree $kind
		on $kind by_hand "${there[@]}"
		passes "$kind: SET=$set where $there_is is there" said apply "$tree" "$set"
		same "$kind: ... gives the right files, and no others" "$(contents "$tree")" "$(contents "$W/wanted-$set")"
		same "$kind: ... and says which were there and which it applied" \
			"$(sed -n 's/^  //p; s/^applied to .*/applied/p' "$W/said")" \
			"$(printf '%s\n' "${there[@]}" applied "${names[@]:${#there[@]}}")"
	done
done
# The fixes are independent: they apply to the bare source, to the series, and to a tree with one fix, not the first.
unset APPLY_SERIES
mapfile -t fix <"$fixes/series"
for there_is in none all one; do
	for kind in plain git; do
		tree $kind
		case $there_is in
		all) on $kind by_hand "${all[@]}" ;;
		one) on $kind patch -d "$tree" -p1 -s --fuzz=0 -i "$fixes/${fix[1]}" ;;
		esac
		cp -a "$tree" "$W/fixed"
		for p in "${fix[@]}"; do
			[ "$there_is:$p" = "one:${fix[1]}" ] ||
				patch -d "$W/fixed" -p1 -s --fuzz=0 --no-backup-if-mismatch -i "$fixes/$p"
		done
		passes "$kind: SET=fixes where of the series and the fixes there is $there_is" apply "$tree" fixes
		same "$kind: ... gives the right files, and no others" "$(contents "$tree")" "$(contents "$W/fixed")"
		rm -rf "$W/fixed"
	done
done
export APPLY_SERIES=$series
tree git
cp -a "$tree" "$W/copy"
passes "git: a copied checkout, its index out of date" apply "$W/copy"
tree git
passes "git: a user of whom git knows nothing" \
	env -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL -u EMAIL HOME="$W/empty" \
	XDG_CONFIG_HOME="$W/empty" GIT_CONFIG_NOSYSTEM=1 "TREE=$tree" "$TOP/scripts/apply"
tree git
echo mine >"$tree/notes.txt"
passes "git: files of the user's that git does not know" apply "$tree"
same "git: ... stay" "$(cat "$tree/notes.txt")" mine
tree plain
read -r file hunk line < <(spot "${core[0]}")
sed -i '1s/^/\n\n\n\n\n/' "$tree/$file"
passes "plain: lines moved, no fuzz" apply "$tree"
tree git
mkdir "$W/outer"
mv "$W/copy" "$W/outer/linux"
rm -rf "$W/outer/linux"
cp -a "$W/pristine" "$W/outer/linux"
make_git "$W/outer"
passes "plain: a folder inside another repository" apply "$W/outer/linux"
same "plain: ... which gets no commit" "$(git -C "$W/outer" rev-list --count HEAD)" 1
exit $((failures > 0))
