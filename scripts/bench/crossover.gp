# SPDX-License-Identifier: GPL-2.0
# What looking up so many names in one call costs. For scripts/bench/crossover.py, which sets csv and svg.
set terminal svg size 900,420 dynamic font 'sans-serif,12' background '#ffffff'
set output svg
set datafile separator comma
set logscale xy 2
set logscale y 10
set xrange [1:4096]
set xlabel 'names looked up in one call'
set ylabel 'ms of virtual time (a million instructions)'
set key right bottom
set yrange [0.02:400]
set grid ytics
set multiplot layout 1,2
set title 'names from all over the kernel'
plot csv using (strcol(1) eq 'even' ? $2 : 1/0):($3/1e6) skip 1 with linespoints pt 7 ps 0.4 lc rgb '#b2182b' title 'scan of all symbols', \
     '' using (strcol(1) eq 'even' ? $2 : 1/0):($4/1e6) skip 1 with linespoints pt 7 ps 0.4 lc rgb '#2166ac' title 'index searched for each', \
     '' using (strcol(1) eq 'even' ? $2 : 1/0):($5/1e6) skip 1 with lines lw 2.5 dt (5,4) lc rgb '#1a1a1a' title 'the series'
set title 'names from the first hundredth of the functions'
plot csv using (strcol(1) eq 'first' ? $2 : 1/0):($3/1e6) skip 1 with linespoints pt 7 ps 0.4 lc rgb '#b2182b' title 'scan', \
     '' using (strcol(1) eq 'first' ? $2 : 1/0):($4/1e6) skip 1 with linespoints pt 7 ps 0.4 lc rgb '#2166ac' title 'index', \
     '' using (strcol(1) eq 'first' ? $2 : 1/0):($5/1e6) skip 1 with lines lw 2.5 dt (5,4) lc rgb '#1a1a1a' title 'the series'
unset multiplot
