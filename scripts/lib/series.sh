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
# cleanup: removes TMP, and what git keeps of the work tree of am_aside
cleanup() {
	trap '' INT TERM HUP
	[ -z "$AM_STATE" ] || { rm -rf "$AM_STATE" && rmdir "${AM_STATE%/*}"; } 2>/dev/null || true
	rm -rf "$TMP"
}
# at_exit FUNCTION: calls it when the script ends. A signal can make bash run this trap in a child too, which must not
# clean up beside the script.
at_exit() {
	# shellcheck disable=SC2064 # this function
	trap "[ \"\$BASHPID\" -ne \$\$ ] || $1" EXIT
}
at_exit cleanup
trap 'exit 130' INT TERM HUP

# plain_git DIR ARGUMENT...: git in DIR with nobody's settings, and no repository around DIR: the same bytes everywhere
plain_git() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$1/.. git -C "$@"
}

# patch_names SERIES [LAST]: prints the names in a series file, up to that number
patch_names() { awk -v last="${2:-9999}" '{ sub(/(^|[ \t])#.*/, "") } NF && $1 + 0 <= last { print $1 }' "$1"; }
# new_files PATCH.in...: prints the paths of the New: lines
new_files() { sed -sn '1,/^---$/d; /^diff --git /,$d; s/^New: \([^ ]*\).*/\1/p' "$@" /dev/null; }
# touched PATCH...: prints the files that the patches change, sorted
touched() { plain_git "$TMP" apply --numstat "$@" | cut -f3 | sort -u; }

# complete ROOT PATCH.in: prints the patch with its diffstat, and with its new files from ROOT/linux
complete() {
	local path line
	awk '/^---$/ && !over { over = 1; next } /^diff --git / { exit }
		over && NF && !/^New: / { over = 0; exit } END { exit !over }' "$2" ||
		die "$2: under '---' stand only New: lines and diffs"
	sed -n '/^diff --git /,$p' "$2" >"$TMP/diff"
	while read -r path; do
		[[ $path =~ ^[A-Za-z0-9._+/-]+$ && /$path/ != */../* ]] || die "the path '$path' cannot be a kernel file's"
		[[ -f $1/linux/$path && ! -L $1/linux/$path ]] || die "linux/$path is missing or no regular file"
		line="New: $path"
		[ ! -x "$1/linux/$path" ] || line+=" 0755"
		grep -qxF "$line" "$2" || die "the mode of linux/$path needs the line '$line' in $2"
		# 1: they differ
		plain_git "$1/linux" diff --no-index --abbrev=12 -- /dev/null "$path" >>"$TMP/diff" || [ $? -eq 1 ]
	done < <(new_files "$2" | sort)
	sed '/^---$/Q' "$2"
	echo ---
	plain_git "$TMP" apply --stat --summary "$TMP/diff" || die "$2 is no sound patch"
	echo
	cat "$TMP/diff"
}

# make_series ROOT DEST [FOLDER]: writes to the new folder DEST the series of BASE from ROOT/patches, or ROOT/FOLDER, and
# ROOT/linux
make_series() {
	local root=$1 dest=$2 dir name patch last=0 bad names known ins=()
	dir=$root/${3:-patches}/$(base_field 3)
	[ -f "$dir/series" ] || die "no file $dir/series"
	mkdir -p "$dest" "$root/linux"
	mapfile -t names < <(patch_names "$dir/series")
	for name in "${names[@]}"; do
		[[ $name =~ ^[0-9]{4}-[A-Za-z0-9._-]+\.patch(\.in)?$ ]] || die "$dir/series: '$name' is no NNNN-slug.patch[.in]"
		[ $((10#${name%%-*})) -gt "$last" ] || die "$dir/series: $name is out of order"
		last=$((10#${name%%-*}))
		[ -f "$dir/$name" ] || die "$dir/series names $name, which does not exist"
		[[ $name != *.in ]] || ins+=("$dir/$name")
	done

	# Every file under linux/ belongs to a patch, and in one series to one patch only.
	new_files "${ins[@]}" >"$TMP/new"
	bad=$(sort "$TMP/new" | uniq -d)
	[ -z "$bad" ] || die "more than one patch has a New: line for ${bad//$'\n'/ }"
	for name in "${ins[@]}"; do
		bad=$(sed -n 's,^diff --git a/.* b/,,p' "$name" | grep -xFf "$TMP/new" || true)
		[ -z "$bad" ] || die "there are hunks for linux/${bad//$'\n'/ linux/} in $name" "only a later patch may change a new file"
		# What this patch brings, the next ones may change.
		new_files "$name" | grep -vxFf - "$TMP/new" >"$TMP/later" || true
		mv "$TMP/later" "$TMP/new"
	done
	mapfile -t known < <(compgen -G "$root/patches/*/*.patch.in")
	bad=$(find "$root/linux" ! -type d -printf '%P\n' | grep -vxFf <(new_files "${known[@]}") | sort || true)
	[ -z "$bad" ] || die "no patch has a New: line for linux/${bad//$'\n'/ linux/}" \
		"add one to the patch that the file belongs to, or remove the file"

	: >"$dest/series"
	for name in "${names[@]}"; do
		patch=$dest/${name%.in}
		case $name in *.in) complete "$root" "$dir/$name" >"$patch" ;; *) cp "$dir/$name" "$patch" ;; esac
		awk '/^---$/ { exit } /^Subject: / { found = 1; exit } END { exit !found }' "$patch" ||
			die "no mail header in $dir/$name" "write it with git format-patch or make export"
		! grep -qE '^(Binary files|GIT binary patch)' "$patch" || die "a binary file in $dir/$name"
		plain_git "$TMP" apply --numstat "$patch" >/dev/null || die "$dir/$name is no sound patch"
		printf '%s\n' "${name%.in}" >>"$dest/series"
	done
	[ ! -f "$dir/0000-cover-letter.patch" ] || cp "$dir/0000-cover-letter.patch" "$dest/"
}

# replace NEW OLD: puts the folder NEW in the place of OLD
replace() {
	rm -rf "$2"
	mkdir -p "$(dirname "$2")"
	mv "$1" "$2"
}

# identity REPO: names the author and committer of commits for a git that knows no user
identity() {
	local who
	for who in AUTHOR COMMITTER; do
		git -C "$1" -c user.useConfigOnly=true var "GIT_${who}_IDENT" >/dev/null 2>&1 ||
			export "GIT_${who}_NAME=ftrace-lookup" "GIT_${who}_EMAIL=ftrace-lookup@localhost"
	done
}

# am_aside REPO PATCH...: commits the patches on REPO's commit BASE_COMMIT and sets AM_TIP. It uses another work tree
# than REPO, so that nothing there has to be undone if git am stops half-way. That work tree holds no files: git takes
# from the index the few that a patch touches.
am_aside() {
	local aside=$TMP/${TMP##*/}
	local am=(git -C "$aside" -c gc.auto=0 -c maintenance.auto=false -c apply.ignoreWhitespace=no)
	identity "$1"
	# cleanup removes it. No other work tree has this name.
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

# series_id PATCH...: prints one hash of all patches
series_id() { cat /dev/null "$@" | sha256sum | cut -c1-64; }
# record_tree TREE TIP SERIES_ID SOURCE_ID: writes beside TREE what "make tree" or "make export" knows of it. All else in
# TREE is its user's work.
record_tree() { printf '%s\n' "${@:2}" >"$1.stamp"; }
# is_tree DIR: true if "make tree" made it
is_tree() { [ -e "$1/.git" ] && git -C "$1" rev-parse -q --verify pristine >/dev/null; }
