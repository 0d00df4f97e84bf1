# SPDX-License-Identifier: GPL-2.0
# What checking the records of a module takes, by its size. Called by scripts/bench/measure, which sets csv and svg.
set terminal svg size 760,460 dynamic font 'sans-serif,12' background '#ffffff'
set output svg
set datafile separator comma
set datafile missing NaN
set logscale xy 10
set xrange [900:75000]
set yrange [0.04:10000000]
set xlabel 'records (traceable functions) of the module; it has 3.2 times as many symbols'
set ylabel 'ms of virtual time (a million instructions)'
set grid
set key left top Left reverse
# of one state, time over size
row(state) = strcol(1) eq 'scale' && strcol(2) eq state && strcol(3) eq 'total'
states = 'before core+all-symbols core after core+floor'
titles = "'before' 'array of all symbols' 'core' 'all' 'no check at all'"
array colour[5] = ['#b2182b', '#ef8a62', '#2166ac', '#1a1a1a', '#999999']
plot for [i = 1:5] csv using (row(word(states, i)) ? $4 : NaN):(row(word(states, i)) ? $7 / 1e6 : NaN) skip 1 \
	with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour[i] title word(titles, i)
