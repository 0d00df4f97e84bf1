#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The figures in README and docs/ are those of bench/*.csv, which record their origin. The check notices
# a changed figure on either side.
# usage: tests/figures.sh

. "$(dirname -- "$0")/tap.bash"

copy=$W/repo
mkdir -p "$copy"
cp -r "$TOP"/{README.md,docs,bench,scripts,configs,patches} "$copy/"
passes "README and docs/ show what bench/*.csv gives" "$TOP/scripts/bench/tables.py" check

# changed NAME FILE SED-EXPRESSION: the check refuses the tables with this change
changed() { refused_with "$1" "$copy/$2" "$3" "$copy" 'tables: not as' "$copy/scripts/bench/tables.py" check; }
passes "a copy of them passes" "$copy/scripts/bench/tables.py" check
folder=$(base_field 3)
functional=$(cd "$TOP/patches/$folder" && echo 0008-*.patch)
sed -i 's/^Subject: .*/&, in other words/' "$copy/patches/$folder/$functional"
passes "a changed message changes no figure" "$copy/scripts/bench/tables.py" check
changed "a figure in README is changed" README.md 's/^(\| load amdgpu \| )1/\13/'
changed "a figure of the workloads is changed" docs/measurements.md 's/^(\| .ftrace_module_enable\(\). in it \| )2/\13/'
changed "a figure of Debian's kernel is changed" docs/measurements.md 's/^(\| load the packaged amdgpu.ko.*[0-9] \| )1?/\1 9/'
changed "an answer of Debian's kernel is changed" docs/measurements.md 's/^(The same on both kernels.* compared: )1/\12/'
changed "a figure in docs/measurements.md is changed" docs/measurements.md 's/^(\| 65,536 .*\| )1?/\1 9/'
changed "a time on a CPU is changed" docs/alternatives.md 's/^(\| \[radix-sort\].*\| )[0-9]/\19/'
changed "a measured value is changed" "bench/results-$BASE.csv" 's/^(main,before,enable,[0-9]+,[0-9]+,ns,)/\19/'
changed "a functional line of the series is changed" "patches/$folder/$functional" 's/^\+([[:space:]]+return )/+\1!/'
passes "the copy passes again" "$copy/scripts/bench/tables.py" check

missing=$(awk -F, 'FNR == 1 { n = NF } NF < n { print FILENAME ": " FNR; exit }' "$TOP/bench/results-$BASE.csv" "$TOP"/bench/debian-*.csv \
	"$TOP/bench/matrix-$BASE.csv")
same "each row has the kernel, configuration, series, tools and command it was measured with" "$missing" ""
[ "$failures" -eq 0 ]
