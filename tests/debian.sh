#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Tests the comparison of `make debian`: it notices a changed answer, a changed CRC of an export, and too little gain.
# Small made-up reports of two kernels replace those of Debian's kernels.
# usage: tests/debian.sh

. "$(dirname -- "$0")/tap.bash"

copy=$W/repo
export OUT=$W/out BASE=6.12
mkdir -p "$copy" "$OUT"/{series/v6.12,guest/6.12-debian,build/6.12-debian-after}
cp -r "$TOP"/{bench,scripts,configs,patches} "$copy/"
rm -f "$copy"/bench/debian-*.csv
printf 'records 3\nsymbols 9\n' >"$OUT/guest/6.12-debian/amdgpu.counts"
echo CONFIG_MODULES=y >"$OUT/build/6.12-debian-after/.config"
echo 0001-x.patch >"$OUT/series/v6.12/series"
printf '+static int of_the_series(void)\n' >"$OUT/series/v6.12/0001-x.patch"

# report STATE FACTOR: writes the reports of the guests of one kernel; times are FACTOR
report() {
	local run=$OUT/run/6.12-debian-$1 t=$2 i tool
	mkdir -p "$run"-{debian,tools}
	cd "$run-debian"
	echo 6.12.117+deb12-amd64 >release
	printf '%s\n' 'ffffffff81000100 T first' 'ffffffff81000200 t second' 'ffffffff81000300 T last' >kallsyms
	printf '%s\n' 'ffffffff81000104 first' 'ffffffff81000204 second' >records
	cp kallsyms kallsyms.all
	cp records records.all
	: >loads
	: >sections
	: >enabled
	: >modules
	: >enable.ns
	for i in {10..80} amdgpu; do
		printf '%s .text 0xffffffffc00%s000\n' "m$i" "$i" >>sections
		printf 'ffffffffc00%s010 t of_%s\t[m%s]\n' "$i" "$i" "$i" >>kallsyms.all
		printf 'ffffffffc00%s014 of_%s [m%s]\n' "$i" "$i" "$i" >>records.all
		echo "m$i loaded $t" >>loads
		echo "of_$i [m$i]" >>enabled
		echo "m$i 8192 0 - Live 0xffffffffc00${i}000" >>modules
		echo "$t" >>enable.ns
	done
	printf 'ffffffffc0123100 d data\t[amdgpu]\n' >>kallsyms.all
	sed -i 's/mamdgpu/amdgpu/; s/c00amdgpu/c0123/' ./*
	echo 'ffffffffc0123024 __ftrace_invalid_address___36 [amdgpu]' >>records.all
	printf '%s\n' "attach first ffffffff81000100 $t" "attach second ffffffff81000200 $t" >attach
	echo "missing nothing 3 $t" | tee missing.all >missing
	echo "attach second ffffffff81000200 $t" >duplicates
	echo "attach of_amdgpu ffffffffc0123010 $t" >attach.own
	echo "$t" >lookup.ns
	echo "read available $t 2" | tee symbols.all listing.all >listing.none
	echo "write set $t" >filter
	echo of_amdgpu >filtered
	cd "$run-tools"
	for tool in bpftrace-exact bpftrace-module bpftrace-wildcard trace-cmd-small trace-cmd-large; do
		echo "$tool 0 $t" >>./times
		echo "output of $tool" >"out.$tool"
	done
	printf 'bpftrace-list 0 %s\nperf-ftrace 0 %s\n' "$t" "$t" >>./times
	printf 'kprobe:first\nkprobe:second\n' >out.bpftrace-list
	printf '# tracer\n cat-%s [000] ..... %s.1: opened <-open\n' "$t" "$t" >out.perf-ftrace
	echo 'opened <-- open' >out.trace-cmd-report
	cd "$TOP"
}
report before 1000
report after 10

judge() { "$copy/scripts/debian/debian.py"; }
passes "equal answers pass" judge
same "what is measured goes to a table, each row with its origin" \
	"$(awk -F, 'NF < 14' "$copy/bench/debian-6.12.csv" | wc -l) $(grep -c '^debian,before,' "$copy/bench/debian-6.12.csv")" "0 21"

# noticed NAME FILE SED-EXPRESSION MESSAGE: the comparison fails with this change in the report of the patched kernel
noticed() {
	rm -f "$copy/bench/debian-6.12.csv"
	refused_with "$1" "$OUT/run/6.12-debian-after-$2" "$3" "$copy/bench" "$4" judge
}
noticed "a name attached to another place" debian/attach 's/000200/000100/' 'second is at'
noticed "another error for a missing name" debian/missing 's/nothing 3/nothing 2/' 'errno 2'
noticed "a record that is gone" debian/records.all '/of_42 /d' 'records of the modules differ'
noticed "a record with another name" debian/records.all 's/ of_42 / of_43 /' 'records of the modules differ'
noticed "a record that became valid" debian/records.all 's/__ftrace_invalid_address___36/of_amdgpu/' 'records of the modules differ'
noticed "a record at another offset" debian/records.all 's/c0042014/c0042018/' 'records of the modules differ'
noticed "a symbol with another type" debian/kallsyms.all 's/ t of_42/ T of_42/' 'symbols of the modules differ'
noticed "a module that no longer loads" debian/loads 's/^m42 loaded.*/m42 errno 8/' 'modules differ'
noticed "a module whose signature is not trusted" debian/modules 's/^m42 .*/& (E)/' 'signature of m42'
noticed "a record that is no longer enabled" debian/enabled '/of_42/d' 'enabled functions of the modules differ'
noticed "a function that the filter misses" debian/filtered 's/of_amdgpu/other/' 'filtered functions differ'
noticed "a function of vmlinux that is gone" debian/records '/second/d' 'traceable functions of vmlinux'
noticed "a function of vmlinux that is new, and not of the series" debian/records 's/^(.*) second$/&\n\1 last/' 'not of the series'
noticed "another output of bpftrace" tools/out.bpftrace-exact 's/of/for/' 'output of bpftrace-exact differ'
noticed "another output of trace-cmd" tools/out.trace-cmd-report 's/open$/close/' 'output of trace-cmd-small differ'
noticed "another output of perf" tools/out.perf-ftrace 's/<-open/<-close/' 'output of perf-ftrace differ'
noticed "a tool that ends with another status" tools/times 's/^(perf-ftrace) 0/\1 1/' 'perf-ftrace ends with 0 before, 1 after'
noticed "amdgpu loads less than ten times faster" debian/loads 's/^amdgpu loaded 10/amdgpu loaded 101/' 'not 10'
sed -i 's/^\(.*\) second$/&\n\1 of_the_series/' "$OUT/run/6.12-debian-after-debian/records"
passes "a function that the series brings passes" judge
for state in before after; do sed -i '/^m[1-4]/d' "$OUT/run/6.12-debian-$state-debian/loads"; done
refused "fewer modules than a desktop has" "$copy/bench" 'only 31 modules load' judge

printf '0x11111111\tone\tvmlinux\tEXPORT_SYMBOL\t\n0x22222222\ttwo\tvmlinux\tEXPORT_SYMBOL_GPL\tSPACE\n0x3\tthree\tkernel/m\tEXPORT_SYMBOL\t\n' \
	>"$W/packaged"
sed '/three/d' "$W/packaged" | tac >"$W/built"
passes "equal exports pass, those of modules left out" "$copy/scripts/debian/abi" "$W/packaged" "$W/built"
# exports NAME SED-EXPRESSION: the comparison refuses exports with this change
exports() {
	sed "$2" "$W/built" >"$W/other"
	refused "$1" "$copy/bench" 'exported symbols differ' "$copy/scripts/debian/abi" "$W/packaged" "$W/other"
}
exports "an export with another CRC" 's/0x1111/0x1112/'
exports "an export that is gone" '/two/d'
exports "an export for fewer users" 's/EXPORT_SYMBOL\t/EXPORT_SYMBOL_GPL\t/'
exports "an export in another namespace" 's/SPACE/OTHER/'
[ "$failures" -eq 0 ]
