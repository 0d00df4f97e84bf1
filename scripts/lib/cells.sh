# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by matrix, arch and bisect: runs cells. A cell is one configuration, machine or patch that must pass.
# It does not run again once it has passed. The scripts list their cells with "cell" and have a function run_cell NAME.
# run_cell leaves what it knows of the cell in the folder $dir.
# shellcheck disable=SC2034,SC2154 # for the scripts that source this file
. "$(dirname -- "${BASH_SOURCE[0]}")/kernel.sh"
. "$(dirname -- "${BASH_SOURCE[0]}")/build.sh"
. "$(dirname -- "${BASH_SOURCE[0]}")/objects.sh"

# start_cells WHERE WHAT KNOWN [NAME...]: checks the names that the user asks for: KNOWN has one name a line. Fetches the source,
# writes the series and sets src, patches and what stamps depend on: inputs for each cell, booting for those that boot as well.
start_cells() {
	local name
	asked=("${@:4}")
	for name in "${asked[@]}"; do
		grep -qxF -- "$name" <<<"$3" || die "$1 has no $2 $name" "it has: $(xargs <<<"$3")"
	done
	"$TOP/scripts/source"
	"$TOP/scripts/series"
	src=$OUT/src/$TAG
	mapfile -t patches < <(series_to "$(last_patch all)")
	inputs=("$(cat "$src.package" "$src.stamp" 2>/dev/null)"
		"$(hash_files scripts/{build,"matrix/$ME"} scripts/lib/{lib,kernel,build,objects,cells}.sh \
			configs)")
	booting=$(hash_files scripts/{boot,matrix/try,lib/ktap} guest)
}

# series_to LAST: prints the paths of the patches of the series up to that number
series_to() { awk -v last="$1" -v dir="$(series_dir)/" '$1 + 0 <= last + 0 { print dir $1 }' "$(series_dir)/series"; }

# asked_for NAME: true if the user asks for it, or for no name at all
asked_for() { [ ${#asked[@]} -eq 0 ] || printf '%s\n' "${asked[@]}" | grep -qxF -- "$1"; }

# cell NAME SECONDS INPUT...: adds a cell that takes about so long; its stamp depends on the inputs
all=() todo=() left=0 state=''
cell() {
	all+=("$OUT/matrix/$TAG/$ME/${1/ /-}")
	! current "${all[-1]}/.stamp" "${inputs[@]}" "${@:3}" || return 0
	todo+=("$NEWSTAMP $2 $1")
	left=$((left + $2))
}

# run_cells all|first: runs each cell that has not passed; with "first" it stops at the first one that fails. If all cells passed
# and the user asks for no name, it writes bench/matrix-BASE.csv.
run_cells() {
	local one name takes t0=$SECONDS count=0 spent=0 failed=()
	say "-- $ME $BASE: ${#all[@]} cells, ${#todo[@]} to do, some $(elapsed "$left")"
	trap 'exit 130' INT TERM HUP
	for one in "${todo[@]}"; do
		read -r NEWSTAMP takes name <<<"$one"
		dir=$OUT/matrix/$TAG/$ME/${name/ /-}
		rm -rf "$dir"
		mkdir -p "$dir"
		outcome "FAILED, it stopped early"
		# shellcheck disable=SC2086 # one word an argument
		if (run_cell $name); then stamp "$dir/.stamp"; else failed+=("$name: $(cat "$dir/outcome"), see ${dir#"$TOP/"}"); fi
		count=$((count + 1)) spent=$((spent + takes)) left=$((left - takes))
		say "   $name: $(cat "$dir/outcome") ($count of ${#todo[@]}, $(elapsed $((SECONDS - t0))), about $(elapsed \
			$(((SECONDS - t0) * left / spent))) left)"
		[ ${#failed[@]} -eq 0 ] || [ "$1" = all ] || break
	done
	if [ ${#failed[@]} -gt 0 ]; then
		printf '%s\n' "${failed[@]}"
		die "${#failed[@]} of ${#all[@]} cells failed" "bench/matrix-$BASE.csv stays as it is"
	fi
	[ ${#asked[@]} -gt 0 ] || "$TOP/scripts/matrix/matrix.py" "$ME" "${all[@]}"
}
# outcome TEXT: says in the progress how the cell ended
outcome() { printf '%s\n' "$1" >"$dir/outcome"; }
# fail WHY: ends the cell, which runs in a subshell; state names the state of the source if that one has not all patches
fail() {
	outcome "FAILED, ${state:+$state: }$1"
	exit 1
}

# try_it SOURCE BUILD IMAGE [TEST...]: boots the cell with scripts/matrix/try and shows its steps; the TAP lines go to $dir/tap
try_it() {
	"$TOP/scripts/matrix/try" "${@:1:3}" "$ME-${dir##*/}" "${@:4}" 2>&1 | tee "$dir/tap" |
		grep --line-buffered -vE '^(not )?ok ' ||
		fail "boots, but: $(grep -m1 '^not ok ' "$dir/tap" || tail -n 1 "$dir/tap")"
}
# result TEXT KEY VALUE...: leaves the keys for scripts/matrix/matrix.py; the progress says "compiled" or "booted", then TEXT
result() {
	local did=compiled tap=/dev/null
	[ ! -f "$dir/tap" ] || did=booted tap=$dir/tap
	printf '%s %s\n' did "$did" tests "$(tap_counts "$tap")" "${@:2}" >"$dir/result"
	outcome "$did$1"
}
# tap_counts FILE: prints "passed failed skipped" of its TAP lines
tap_counts() {
	awk '/^ok .*# SKIP/ { s++; next } /^ok / { p++ } /^not ok / { f++ } END { print p + 0, f + 0, s + 0 }' "$1"
}
