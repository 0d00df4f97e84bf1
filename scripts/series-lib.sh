# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by series, tree, export and apply: the forms a patch takes.
#
# NNNN-slug.patch     complete, in the form of git format-patch; copied as it stands
# NNNN-slug.patch.in  message; under its "---" a line "New: <path> [0755]" for each file to take
#                     from linux/; then the hunks to the kernel's own files, if any

# Another repository's environment (a hook's, say) must not reach the git commands here.
# shellcheck disable=SC2046 # one word a variable
unset $(git rev-parse --local-env-vars)

TMP=$(cd "$(mktemp -d)" && pwd -P)
AM_STATE=
cleanup() {
	[ -z "$AM_STATE" ] || { rm -rf "$AM_STATE" && rmdir "${AM_STATE%/*}"; } 2>/dev/null || true
	rm -rf "$TMP"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# git with nobody's settings, and no repository around $TMP: the same bytes on every machine
plain_git() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=${TMP%/*} git "$@"
}

# patch_names SERIES: the names in a series file
patch_names() { awk '{ sub(/(^|[ \t])#.*/, "") } NF { print $1 }' "$1"; }
# patch_set SERIES SET: those of the core (numbers up to 5), or all
patch_set() { patch_names "$1" | awk -v set="$2" 'set == "all" || $1 + 0 <= 5'; }

# new_lines PATCH.in: "path [mode]" of each New: line; fails if there is anything else between the
# message and the hunks, where it would be lost
new_lines() {
	awk '/^diff --git / && on { exit }
		/^---$/ && !on { on = 1; next }
		on && sub(/^New: /, "") { print; next }
		on && NF { bad = 1; exit }
		END { exit bad || !on }' "$1"
}
# message PATCH: its mail header and message
message() { sed '/^---$/,$d' "$1"; }
# hunks PATCH: the diffs, without what stands before them
hunks() { sed -n '/^diff --git /,$p' "$1"; }
# touched PATCH...: the files the patches change, sorted
touched() {
	local p
	for p; do
		[ ! -s "$p" ] || (cd "$TMP" && plain_git apply --numstat "$p") || die "$p is no sound patch"
	done | cut -f3 | sort -u
}
# created PATCH...: the files their diffs create
created() {
	awk '/^diff --git / { f = substr($4, 3) } /^new file mode / { print f }' "$@" /dev/null
}

plain_path() {
	[[ $1 =~ ^[A-Za-z0-9._+/-]+$ && /$1/ != */../* ]] || die "the path '$1' cannot be a kernel file's"
}

# new_file_diff ROOT PATH MODE
new_file_diff() {
	local file=$1/linux/$2 rc=0 executable=no wanted=no
	plain_path "$2"
	{ [ -f "$file" ] && [ ! -L "$file" ]; } || die "linux/$2 is missing or no regular file"
	[ ! -x "$file" ] || executable=yes
	case $3 in 0755) wanted=yes ;; "" | 0644) ;; *) die "New: $2 $3: the mode is 0755 or 0644" ;; esac
	[ $executable = $wanted ] ||
		die "linux/$2: executable: $executable, but in the patch: $wanted" \
			"an executable file takes a line 'New: $2 0755'"
	rm -rf "$TMP/new"
	mkdir -p "$TMP/new/$(dirname "$2")"
	cp "$file" "$TMP/new/$2"
	if [ $executable = yes ]; then chmod 0755 "$TMP/new/$2"; else chmod 0644 "$TMP/new/$2"; fi
	(cd "$TMP/new" && plain_git diff --no-index --abbrev=12 -- /dev/null "$2") || rc=$?
	[ $rc -eq 1 ] || die "git diff of linux/$2 failed"
}

# make_series ROOT DEST: writes to DEST the series that ROOT/patches and ROOT/linux hold for BASE
make_series() {
	local root=$1 dest=$2 dir name path mode last=0
	dir=$root/patches/$(base_field 3)
	[ -f "$dir/series" ] || die "no file $dir/series"
	mkdir -p "$dest" "$root/linux"
	patch_names "$dir/series" >"$TMP/names"

	# Every file under linux/ belongs to a patch, and in one series to one patch only.
	: >"$TMP/claimed"
	: >"$TMP/known"
	for name in "$root"/patches/*/*.patch.in; do
		[ -e "$name" ] || continue
		new_lines "$name" >"$TMP/lines" || die "$name: under '---' stand only New: lines and diffs"
		sed 's/ .*//' "$TMP/lines" >>"$TMP/known"
		[ "${name%/*}" != "$dir" ] || ! grep -qxF "${name##*/}" "$TMP/names" ||
			sed 's/ .*//' "$TMP/lines" >>"$TMP/claimed"
	done
	path=$(sort "$TMP/claimed" | uniq -d)
	[ -z "$path" ] || die "more than one patch has a New: line for ${path//$'\n'/ }"
	path=$(find "$root/linux" ! -type d -printf '%P\n' | grep -vxFf "$TMP/known" | sort || true)
	[ -z "$path" ] || die "no patch has a New: line for linux/${path//$'\n'/ linux/}" \
		"add one to the patch that the file belongs to, or remove the file"

	while read -r name; do
		[[ $name =~ ^[0-9]{4}-[A-Za-z0-9._-]+\.patch(\.in)?$ ]] ||
			die "$dir/series: '$name' is no NNNN-slug.patch[.in]"
		[ $((10#${name%%-*})) -gt $last ] || die "$dir/series: $name is out of order"
		last=$((10#${name%%-*}))
		[ -f "$dir/$name" ] || die "$dir/series names $name, which does not exist"
		case $name in
		*.patch) cp "$dir/$name" "$dest/$name" ;;
		*.in) complete "$root" "$dir/$name" >"$dest/${name%.in}" ;;
		esac
		sed '/^---$/q' "$dest/${name%.in}" | grep -q '^Subject: ' ||
			die "$dir/$name has no mail header" "write it with git format-patch or make export"
		! grep -qE '^(Binary files|GIT binary patch)' "$dest/${name%.in}" ||
			die "$dir/$name has a binary file"
		path=$(touched "$dest/${name%.in}")
		[ -n "$path" ] || die "$dir/$name changes nothing"
	done <"$TMP/names"
	sed 's/\.in$//' "$TMP/names" >"$dest/series"
	[ ! -f "$dir/0000-cover-letter.patch" ] || cp "$dir/0000-cover-letter.patch" "$dest/"
}

# complete ROOT PATCH.in: prints the patch with its diffstat and new files
complete() {
	local path mode
	hunks "$2" >"$TMP/diff"
	path=$(touched "$TMP/diff" | grep -xFf "$TMP/claimed" || true)
	[ -z "$path" ] ||
		die "$2 has hunks for linux/${path//$'\n'/ linux/}" "a new file belongs to one patch, whole"
	while read -r path mode; do
		new_file_diff "$1" "$path" "$mode"
	done < <(new_lines "$2") >>"$TMP/diff"
	message "$2"
	echo ---
	(cd "$TMP" && plain_git apply --stat --summary diff) || die "$2 is no sound patch"
	echo
	cat "$TMP/diff"
}

# replace NEW OLD: puts the folder NEW in the place of OLD
replace() {
	rm -rf "$2.old"
	[ ! -e "$2" ] || mv "$2" "$2.old"
	mkdir -p "$(dirname "$2")"
	mv "$1" "$2"
	rm -rf "$2.old"
}

# Where git is told of no user, commits are made in this name.
identity() {
	local who
	for who in AUTHOR COMMITTER; do
		git -C "$1" -c user.useConfigOnly=true var "GIT_${who}_IDENT" >/dev/null 2>&1 ||
			export "GIT_${who}_NAME=ftrace-lookup" "GIT_${who}_EMAIL=ftrace-lookup@localhost"
	done
}

# am_aside REPO PATCH...: commits the patches on REPO's commit BASE_COMMIT and sets AM_TIP, beside
# its branches, index and files, so that nothing there has to be undone if git am stops half-way.
# The work tree it uses holds no files: git takes from the index the few that a patch touches.
am_aside() {
	local aside=$TMP/${TMP##*/}
	local am=(git -C "$aside" -c gc.auto=0 -c maintenance.auto=false -c apply.ignoreWhitespace=no)
	identity "$1"
	# What git keeps of the work tree, which has a name of its own: removed when the script ends.
	AM_STATE=$(git -C "$1" rev-parse --path-format=absolute --git-common-dir)/worktrees/${TMP##*/}
	# shellcheck disable=SC2034 # AM_TIP is for the script that sources this file
	{
		git -C "$1" worktree add -q --detach --no-checkout "$aside" "$BASE_COMMIT" &&
			"${am[@]}" read-tree "$BASE_COMMIT" &&
			"${am[@]}" am -q --no-3way --keep-cr --no-scissors --whitespace=nowarn "${@:2}" &&
			AM_TIP=$("${am[@]}" rev-parse HEAD)
	} >"$TMP/am.log" 2>&1
}

# move_to REPO FROM TO: brings a clean tree from one commit to another; writes only what differs
move_to() {
	git -C "$1" update-index -q --refresh >/dev/null || true
	git -C "$1" read-tree -m -u "$2" "$3" &&
		git -C "$1" update-ref -m "ftrace-lookup series" HEAD "$3" "$2"
}

# busy REPO: prints what the repository is in the middle of, or its uncommitted changes
busy() {
	local state
	for state in rebase-apply rebase-merge MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD; do
		[ ! -e "$(git -C "$1" rev-parse --path-format=absolute --git-path $state)" ] ||
			echo "in progress: $state"
	done
	git --no-optional-locks -C "$1" status --porcelain "${@:2}"
}

series_id() { cat /dev/null "$@" | sha256sum | cut -c1-64; }
# record_tree TREE TIP SERIES_ID SOURCE_ID: what is known of a tree that "make tree" made: all else
# in it is its user's work
record_tree() { printf '%s\n' "${@:2}" >"$1.stamp"; }

# is_tree DIR: "make tree" made it
is_tree() { [ -e "$1/.git" ] && git -C "$1" rev-parse -q --verify pristine >/dev/null; }
