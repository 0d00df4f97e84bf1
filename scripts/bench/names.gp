# SPDX-License-Identifier: GPL-2.0
# What looking up one name takes: for each share of the names, the time that they take at most. Called by
# scripts/bench/plots, which sets csv and svg.
set terminal svg size 760,460 dynamic font 'sans-serif,12' background '#ffffff'
set output svg
set datafile separator comma
set logscale y 10
set xrange [0:100]
set yrange [0.01:200]
set xlabel 'per cent of the names that take no longer'
set ylabel 'ms of virtual time (a million instructions)'
set grid
set key outside right top
kinds = 'unique shared missing module'
array colour[4] = ['#1a1a1a', '#2166ac', '#b2182b', '#1b7837']
# the percentile of a row of that kind and state
at(kind, state) = strcol(1) eq 'names' && strcol(2) eq state && strcol(3)[1:strlen(kind) + 2] eq kind . ' p' ? \
	real(strcol(3)[strlen(kind) + 3:]) : 1/0
plot for [i = 1:4] csv using (at(word(kinds, i), 'before')):($7 / 1e6) skip 1 with lines lw 1.5 dt (6,4) \
	lc rgb colour[i] title word(kinds, i) . ', before', \
     for [i = 1:4] csv using (at(word(kinds, i), 'after')):($7 / 1e6) skip 1 with lines lw 2.5 \
	lc rgb colour[i] title word(kinds, i) . ', all'
