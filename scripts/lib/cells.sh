# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by matrix, arch and bisect: the loop over their cells. A cell that passed does not run again.
# A script has an array of cells, one line each: NAME SECONDS BOOTS LAST COMPILER MACHINE ARGUMENT... SECONDS is a guess. BOOTS is
# yes or no. LAST is all, or the number of the last patch that counts. The script's run_cell ARGUMENT... judges a cell, and calls
# passed or fail. The variables name, boots and so on hold the words of the line, patches its patches, and dir its folder.
# shellcheck disable=SC2154

. "$TOP/scripts/lib/kernel.sh"
. "$TOP/scripts/lib/build.sh"
. "$TOP/scripts/lib/toolchain.sh"
. "$TOP/scripts/lib/judge.sh"

# start WHAT [NAME...]: keeps the cells with these names (and any compiler), or all. WHAT is the word for a cell. Makes the
# source and the series; sets src, tree, which from and overlay work on, and inputs, which every cell depends on.
start() {
	local name found known=("${cells[@]}")
	wanted=("${@:2}")
	[ $# -eq 1 ] || cells=()
	for name in "${wanted[@]}"; do
		mapfile -t found < <(printf '%s\n' "${known[@]}" | grep -E "^$name(-gcc|-clang)? ")
		[ ${#found[@]} -gt 0 ] || die "$BASE has no $1 $name" "it has: ${known[*]%% *}"
		cells+=("${found[@]}")
	done
	"$TOP/scripts/source"
	"$TOP/scripts/series"
	src=$OUT/src/$TAG tree=$(tree_for "$ME-source")
	# A few more scripts and configurations than those in use, but none is forgotten.
	inputs=("$(cat "$src.package" "$src.stamp" 2>/dev/null)"
		"$(cd "$TOP" && hash_files "scripts/matrix/$ME" scripts/lib/*.sh configs/*.config)")
}

# has_passed CELL: sets the variables of a cell and its stamp; true if it passed with the same input
has_passed() {
	local booting=()
	read -r name seconds boots last compiler machine arguments <<<"$1"
	dir=$OUT/matrix/$TAG/$ME/$name
	toolchain "$compiler" "$machine"
	[ "$boots" = no ] || booting=("$(hash_files scripts/boot scripts/lib/ktap guest)" "$("$QEMU" --version | head -n 1)")
	mapfile -t patches < <(patches_up_to "$last")
	current "$dir/.stamp" "${inputs[@]}" "$(xargs <<<"$1")" "$COMPILED_BY" "$(what_they_do "${patches[@]}")" "${booting[@]}"
}

# run_cells: runs the cells that have not passed. If all passed, writes bench/matrix-BASE.csv, unless some were asked for.
run_cells() {
	local cell rc why todo=() failed=() count=0 ran=0 left=0 t0=$SECONDS
	for cell in "${cells[@]}"; do
		has_passed "$cell" || { todo+=("$cell") && left=$((left + seconds)); }
	done
	say "-- $BASE: ${#cells[@]} cells, ${#todo[@]} to do, some $(elapsed $left)"
	trap 'exit 130' INT TERM HUP
	for cell in "${todo[@]}"; do
		has_passed "$cell" || rm -rf "$dir"
		mkdir -p "$dir"
		# Every error ends the cell, unless it runs in a condition.
		set +e
		# shellcheck disable=SC2086 # one word an argument
		(set -e; die() { fail "$1"; }; run_cell $arguments)
		rc=$?
		set -e
		if [ $rc -eq 0 ]; then
			stamp "$dir/.stamp"
			why=$(sed -nE 's/^did //p; s/^(objects|limit) /, \1: /p' "$dir/result" | tr -d '\n')
		else
			why=$(cat "$dir/why" 2>/dev/null || echo "it stopped")
			failed+=("$name: $why, see ${dir#"$TOP/"}")
			why="FAILED, $why"
		fi
		count=$((count + 1)) ran=$((ran + seconds)) left=$((left - seconds))
		say "   $name: $why ($count of ${#todo[@]}, $(elapsed $((SECONDS - t0))), about $(elapsed \
			$(((SECONDS - t0) * left / ran))) left)"
	done
	if [ ${#failed[@]} -gt 0 ]; then
		printf '%s\n' "${failed[@]}"
		die "${#failed[@]} of ${#cells[@]} cells failed" "bench/matrix-$BASE.csv stays as it is"
	fi
	cells=("${cells[@]%% *}")
	[ ${#wanted[@]} -gt 0 ] || "$TOP/scripts/matrix/matrix.py" "$ME" "${cells[@]/#/"$OUT/matrix/$TAG/$ME/"}"
}
