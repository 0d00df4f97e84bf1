# SPDX-License-Identifier: GPL-2.0
# The front door. Each target is one script of scripts/; `make help` lists them.

export BASE KSRC OUT NO_INSTALL BOOT_TIMEOUT TREE SET DIR INLINE VARIANT DURATION COUNT SEED
S := scripts

.PHONY: all help source series tree export apply baseline debian check test test-long regress mutants variant crossover bench bench-verify replica shadow stress stall field suites faults corrupt coverage reproduce matrix arch bisect clean

all:            ## fetch, build before and after, boot both, print the table
	@$(S)/packages build
	@$(S)/main

help:           ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
	@echo 'BASE= names the kernel (6.12 if not given; configs/bases lists them), KSRC=/path/to/linux a tree'
	@echo 'of your own, NO_INSTALL=1 installs nothing,'
	@echo 'OUT=/path/to/folder takes what is built, BOOT_TIMEOUT=seconds is for a slow machine'

source:         ## put the pristine source into out/src
	@$(S)/source
series:         ## write the complete, mail-ready series to out/series
	@$(S)/series
tree:           ## make a git tree of the source with the series as commits, to work in
	@$(S)/tree
export:         ## split the commits of that tree into patches/ and linux/ again
	@$(S)/export
apply:          ## apply the series to a kernel tree: TREE=/path/to/linux [SET=minimal|core|all]
	@$(S)/apply
baseline:       ## boot Debian's own kernel and load its amdgpu.ko: the stall, with nothing built
	@$(S)/packages boot
	@$(S)/debian/baseline
debian:         ## Debian's kernel, modules and tracing tools before and after, to bench/debian-BASE.csv (long)
	@$(S)/packages build debian
	@$(S)/debian/compare
check:          ## what needs no boot: patches, style, figures, spelling (3 minutes from a built tree)
	@$(S)/packages test
	@$(S)/test series check figures prose shellcheck
test:           ## the checks of the series and of the tools, on all bases; the last line counts them
	@$(S)/packages test
	@$(S)/test
test-long:      ## the same and what takes longer: run it after each functional change
	@$(S)/packages test
	@LONG=1 $(S)/test
regress:        ## the whole ftracetest suite on both kernels, to bench/regress-BASE.csv (long)
	@$(S)/packages build
	@$(S)/prepare
	@$(S)/proof/regress
mutants:        ## break the series line by line and see which test notices, to bench/mutants-BASE.csv (long)
	@$(S)/packages build
	@$(S)/prepare
	@$(S)/proof/mutants
variant:        ## build, boot and measure a patch on top of the series: VARIANT=bench/variants/NAME.patch, or core
	@$(S)/packages build
	@$(S)/bench/variant
crossover:      ## a few names or many: both ways on a large kernel, to bench/crossover-BASE.csv and .svg (long)
	@$(S)/packages build bench
	@$(S)/prepare
	@$(S)/bench/crossover
bench:          ## measure all figures of README and docs/ again, to bench/results-BASE.csv, with plots (long)
	@$(S)/packages build bench
	@$(S)/bench/measure
bench-verify:   ## measure the quick ones of bench/results-BASE.csv again; fails if one is more than 2 % off
	@$(S)/packages build
	@$(S)/bench/verify
replica:        ## each way to check a module's records, on the real CPU in user space, to bench/replica.csv
	@$(S)/packages boot
	@$(S)/proof/replica
shadow:         ## every lookup answered the old way as well, under tests and stress; fails if one differs (long)
	@$(S)/packages build
	@$(S)/proof/shadow
stress:         ## all lookups at once under KASAN, lockdep and kmemleak while modules come and go: DURATION=seconds (long)
	@$(S)/packages build
	@$(S)/proof/stress
stall:          ## a module of 210,000 symbols loads, and RCU reports no stall of 20 ms in code of the series
	@$(S)/packages build
	@$(S)/proof/stall
field:          ## cases that people met on their own machines: both kernels give the same answers
	@$(S)/packages build
	@$(S)/proof/field
suites:         ## suites of others (livepatch, BPF, fprobe, kprobes), perf: the same results on both kernels (long)
	@$(S)/packages build debian matrix
	@$(S)/proof/suites
faults:         ## each memory allocation of a module's load fails in turn
	@$(S)/packages build
	@$(S)/proof/faults
corrupt:        ## broken modules come to the same with the series as without: COUNT=number SEED=number (long)
	@$(S)/packages build
	@$(S)/proof/corrupt
coverage:       ## the lines of the series that no test runs, each with its reason in debug/uncovered-BASE (long)
	@$(S)/packages build
	@$(S)/proof/coverage
reproduce:      ## the kernel's own bugs (docs/kernel-bugs.md) without and with their fixes, which pass its tests (long)
	@$(S)/packages build
	@$(S)/proof/reproduce
	@$(S)/proof/fixed
matrix:         ## compile what the series touches in many configurations, with gcc and clang; four boot (long)
	@$(S)/packages build matrix
	@$(S)/matrix/matrix
arch:           ## the same for i386, arm64, powerpc and s390; arm64 and powerpc64le boot with the kernel's tests (long)
	@$(S)/packages build arch
	@$(S)/matrix/arch
bisect:         ## build and boot the kernel after each patch of the series, on every base without BASE= (long)
	@$(S)/packages build
	@$(S)/matrix/bisect
clean:          ## remove everything built or fetched
	rm -rf $(or $(OUT),out)
