# SPDX-License-Identifier: GPL-2.0
# What looking up so many names in one call costs. For scripts/bench/crossover.py, which sets csv and svg.
set terminal svg size 900,420 dynamic font 'sans-serif,12' background '#ffffff'
set output svg
set datafile separator comma
set datafile missing NaN
set logscale xy 2
set logscale y 10
set xrange [1:4096]
set xlabel 'names looked up in one call'
set ylabel 'ms of virtual time (a million instructions)'
set key right bottom
set yrange [0.02:400]
set grid ytics
set multiplot layout 1,2
ways = "'scan of all symbols' 'index searched for each' 'the series'"
array colour[3] = ['#b2182b', '#2166ac', '#1a1a1a']
do for [kind in 'even first'] {
	set title kind eq 'even' ? 'names from all over the kernel' : 'names from the first hundredth of the functions'
	plot for [i = 1:3] csv using (strcol(1) eq kind ? $2 : NaN):(column(i + 2) / 1e6) skip 1 with linespoints \
		pt 7 ps 0.4 lw 1.5 dt i lc rgb colour[i] title word(ways, i)
}
unset multiplot
