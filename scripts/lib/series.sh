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

# patch_names SERIES [LAST]: the names in a series file, up to that number
patch_names() { awk -v last="${2:-9999}" '{ sub(/(^|[ \t])#.*/, "") } NF && $1 + 0 <= last { print $1 }' "$1"; }
# patch_set SERIES SET: those of SET=minimal (numbers up to 2), core (up to 5) or all
patch_set() { patch_names "$1" "$(last_patch "$2")"; }

# new_lines PATCH.in...: "path [mode]" of each New: line. If there is anything else between the message and the hunks,
# where it would be lost, it fails and the last line names the patch.
new_lines() {
	awk 'FNR == 1 { if (NR > 1 && !on) exit; file = FILENAME; on = 0 }
		/^diff --git / && on { on = 2 }
		/^---$/ && !on { on = 1; next }
		on == 1 && sub(/^New: /, "") { print; next }
		on == 1 && NF { on = 0; exit }
		END { if (!on) { print file; exit 1 } }' "$@"
}
# message PATCH: its mail header and message
message() { sed '/^---$/,$d' "$1"; }
# hunks PATCH: the diffs, without what stands before them
hunks() { sed -n '/^diff --git /,$p' "$1"; }
# split_diffs DIR PATCH...: the same of each patch, as a file of its name in a new folder
split_diffs() {
	rm -rf "$1"
	mkdir "$1"
	(cd "$1" && awk 'FNR == 1 { close(out); n = split(FILENAME, part, "/"); out = part[n]; on = 0; printf "" >out }
		/^diff --git / { on = 1 } on { print >out }' "${@:2}")
}
# touched PATCH...: the files the patches change, sorted
touched() {
	local p some=()
	for p; do [ ! -s "$p" ] || some+=("$p"); done
	[ ${#some[@]} -gt 0 ] || return 0
	if ! (cd "$TMP" && plain_git apply --numstat "${some[@]}") >"$TMP/numstat" 2>/dev/null; then
		for p in "${some[@]}"; do
			(cd "$TMP" && plain_git apply --numstat "$p") >/dev/null || die "$p is no sound patch"
		done
	fi
	cut -f3 "$TMP/numstat" | sort -u
}
# created PATCH...: the files their diffs create
created() {
	awk '/^diff --git / { f = substr($4, 3) } /^new file mode / { print f }' "$@" /dev/null
}

plain_path() {
	[[ $1 =~ ^[A-Za-z0-9._+/-]+$ && /$1/ != */../* ]] || die "the path '$1' cannot be a kernel file's"
}

# stage_new_files ROOT: puts the files that $TMP/claimed names into the index of a new repository, $TMP/new
stage_new_files() {
	local path mode executable wanted files=() programs=()
	while read -r path mode; do
		executable=no wanted=no
		plain_path "$path"
		{ [ -f "$1/linux/$path" ] && [ ! -L "$1/linux/$path" ]; } ||
			die "linux/$path is missing or no regular file"
		[ ! -x "$1/linux/$path" ] || executable=yes
		case $mode in 0755) wanted=yes ;; "" | 0644) ;; *) die "New: $path $mode: the mode is 0755 or 0644" ;; esac
		[ $executable = $wanted ] ||
			die "linux/$path: executable: $executable, but in the patch: $wanted" \
				"an executable file takes a line 'New: $path 0755'"
		files+=("$path")
		[ $wanted = no ] || programs+=("$path")
	done <"$TMP/claimed"
	rm -rf "$TMP/new"
	plain_git init -q --template= "$TMP/new"
	[ ${#files[@]} -gt 0 ] || return 0
	(cd "$1/linux" && cp --parents -t "$TMP/new" "${files[@]}")
	(cd "$TMP/new" && chmod 0644 "${files[@]}")
	[ ${#programs[@]} -eq 0 ] || (cd "$TMP/new" && chmod 0755 "${programs[@]}")
	plain_git -C "$TMP/new" add -A -f
}

# make_series ROOT DEST [FOLDER]: writes to DEST the series that ROOT/patches, or ROOT/FOLDER, and ROOT/linux hold for BASE
make_series() {
	local root=$1 dest=$2 dir name path last=0 names known whole=() ins=()
	dir=$root/${3:-patches}/$(base_field 3)
	[ -f "$dir/series" ] || die "no file $dir/series"
	mkdir -p "$dest" "$root/linux"
	mapfile -t names < <(patch_names "$dir/series")
	for name in "${names[@]}"; do
		[[ $name =~ ^[0-9]{4}-[A-Za-z0-9._-]+\.patch(\.in)?$ ]] ||
			die "$dir/series: '$name' is no NNNN-slug.patch[.in]"
		[ $((10#${name%%-*})) -gt $last ] || die "$dir/series: $name is out of order"
		last=$((10#${name%%-*}))
		[ -f "$dir/$name" ] || die "$dir/series names $name, which does not exist"
		case $name in *.in) ins+=("$dir/$name") ;; *) whole+=("$dir/$name") ;; esac
	done

	# Every file under linux/ belongs to a patch, and in one series to one patch only.
	known=("$root"/patches/*/*.patch.in)
	[ -e "${known[0]}" ] || known=()
	claims "$TMP/known" "${known[@]}"
	claims "$TMP/claimed" "${ins[@]}"
	path=$(sort "$TMP/claimed.files" | uniq -d)
	[ -z "$path" ] || die "more than one patch has a New: line for ${path//$'\n'/ }"
	path=$(find "$root/linux" ! -type d -printf '%P\n' | grep -vxFf "$TMP/known.files" | sort || true)
	[ -z "$path" ] || die "no patch has a New: line for linux/${path//$'\n'/ linux/}" \
		"add one to the patch that the file belongs to, or remove the file"

	[ ${#whole[@]} -eq 0 ] || cp "${whole[@]}" "$dest"
	if [ ${#ins[@]} -gt 0 ]; then
		split_diffs "$TMP/hunks" "${ins[@]}"
		path=$(touched "$TMP"/hunks/* | grep -xFf "$TMP/claimed.files" || true)
		[ -z "$path" ] || die "there are hunks for linux/${path//$'\n'/ linux/} in $(grep -lF "b/${path%%$'\n'*}" "$TMP"/hunks/*)" \
			"a new file belongs to one patch, whole"
		stage_new_files "$root"
	fi
	for path in "${ins[@]}"; do
		name=${path##*/}
		complete "$path" "$TMP/hunks/$name" >"$dest/${name%.in}"
	done
	[ ${#names[@]} -eq 0 ] || sound "$dest" "${names[@]%.in}"
	printf '%s' "${names[@]/%/$'\n'}" | sed 's/\.in$//' >"$dest/series"
	[ ! -f "$dir/0000-cover-letter.patch" ] || cp "$dir/0000-cover-letter.patch" "$dest/"
}

# claims FILE PATCH.in...: writes their New: lines to FILE, and without the modes to FILE.files
claims() {
	: >"$1"
	[ $# -eq 1 ] || new_lines "${@:2}" >"$1" ||
		die "$(tail -n 1 "$1"): under '---' stand only New: lines and diffs"
	cut -d' ' -f1 "$1" >"$1.files"
}

# complete PATCH.in HUNKS: prints the patch with its diffstat and new files
complete() {
	local files
	mapfile -t files < <(new_lines "$1")
	[ ${#files[@]} -eq 0 ] || plain_git -C "$TMP/new" diff --cached --abbrev=12 -- "${files[@]%% *}" >>"$2"
	message "$1"
	echo ---
	(cd "$TMP" && plain_git apply --stat --summary "$2") || die "$1 is no sound patch"
	echo
	cat "$2"
}

# sound DIR PATCH...: dies unless each has a mail header and can be applied to text files
sound() (
	cd "$1" || exit 1
	shift
	bad=$(awk 'FNR == 1 { if (NR > 1 && !mail) print file; file = FILENAME; mail = over = 0 }
		/^---$/ { over = 1 } /^Subject: / && !over { mail = 1 } END { if (!mail) print file }' "$@")
	[ -z "$bad" ] || die "no mail header in ${bad//$'\n'/ }" "write it with git format-patch or make export"
	bad=$(grep -lE '^(Binary files|GIT binary patch)' "$@" || true)
	[ -z "$bad" ] || die "a binary file in ${bad//$'\n'/ }"
	touched "${@/#/$PWD/}" >/dev/null
)

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
