# SPDX-License-Identifier: GPL-2.0
# The front door. Each target runs one script of scripts/ when its packages are there; `make help` lists them.

export BASE KSRC OUT NO_INSTALL BOOT_TIMEOUT TREE SET DIR INLINE DURATION COUNT SEED
S := scripts

# run PACKAGES,SCRIPT: installs what is missing, then runs it
define run
	@$(S)/packages $1
	@$(S)/$2
endef

#: Start here
all:            ## fetch, build before and after, boot both, print the table
	$(call run,build,main)
help:           ## this list
	@awk -F':.*## ' '/^#: / { printf "\n%s\n", substr($$0, 4) } \
		/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'BASE= names the kernel (6.12 if not given; configs/bases lists them), KSRC=/path/to/linux a tree'
	@echo 'of your own, NO_INSTALL=1 installs nothing,'
	@echo 'OUT=/path/to/folder takes what is built, BOOT_TIMEOUT=seconds is for a slow machine'
test:           ## the checks of the series and of the tools, on all bases; the last line counts them
	$(call run,test,test)
clean:          ## remove everything built or fetched
	rm -rf $(or $(OUT),out)

#: Apply
apply:          ## apply the series to a kernel tree: TREE=/path/to/linux [SET=minimal|core|all]
	@$(S)/apply
series:         ## write the complete, mail-ready series to out/series
	@$(S)/series

#: Develop
source:         ## put the pristine source into out/src
	@$(S)/source
tree:           ## make a git tree of the source with the series as commits, to work in
	@$(S)/tree
export:         ## split the commits of that tree into patches/ and linux/ again
	@$(S)/export
check:          ## what needs no boot: patches, style, figures, spelling (3 minutes from a built tree)
	$(call run,test,test series check figures prose shellcheck)
bisect:         ## build and boot the kernel after each patch of the series, on every base without BASE= (long)
	$(call run,build,matrix/bisect)
test-long:      ## test and what takes longer: run it after each functional change
	@$(S)/packages test
	@LONG=1 $(S)/test

#: Prove
field:          ## cases that people met on their own machines: both kernels give the same answers
	$(call run,build,proof/field)
suites:         ## suites of others (livepatch, BPF, fprobe, kprobes), perf: the same results on both kernels (long)
	$(call run,build debian matrix,proof/suites)
shadow:         ## every lookup answered the old way as well, under tests and stress; fails if one differs (long)
	$(call run,build,proof/shadow)
stress:         ## all lookups at once under KASAN, lockdep and kmemleak while modules come and go: DURATION=seconds (long)
	$(call run,build,proof/stress)
stall:          ## a module of 210,000 symbols loads, and RCU reports no stall of 20 ms in code of the series
	$(call run,build,proof/stall)
faults:         ## each memory allocation of a module's load fails in turn
	$(call run,build,proof/faults)
corrupt:        ## broken modules have the same result with the series as without: COUNT=number SEED=number (long)
	$(call run,build,proof/corrupt)
mutants:        ## break the series line by line and see which test notices, to bench/mutants-BASE.csv (long)
	$(call run,build,proof/mutants)
coverage:       ## the lines of the series that no test runs, each with its reason in debug/uncovered-BASE (long)
	$(call run,build,proof/coverage)
regress:        ## the whole ftracetest suite on both kernels: no test changes its result (long)
	$(call run,build,proof/regress)
reproduce:      ## the kernel's own bugs (docs/kernel-bugs.md) without and with their fixes, which pass its tests (long)
	$(call run,build,proof/reproduce)
	@$(S)/proof/fixed
matrix:         ## compile what the series touches in many configurations, with gcc and clang; four boot (long)
	$(call run,build matrix,matrix/matrix)
arch:           ## the same for i386, arm64, powerpc and s390; arm64 and powerpc64le boot with the kernel's tests (long)
	$(call run,build arch,matrix/arch)

#: Measure
variant:        ## build, boot and measure another kernel: VARIANT=core, or core+NAME for bench/variants/NAME.patch
	$(call run,build,main $(or $(VARIANT),core))
bench:          ## measure all figures of README and docs/ again, to bench/results-BASE.csv, with the plot (long)
	$(call run,build bench,bench/measure)
bench-verify:   ## measure the quick ones of bench/results-BASE.csv again; fails if one is more than 2 % off
	$(call run,build,bench/verify)
crossover:      ## a few names or many: both ways on a large kernel, to bench/crossover-BASE.csv and .svg (long)
	$(call run,build bench,bench/crossover)
replica:        ## each way to check a module's records, on the real CPU in user space, to bench/replica.csv
	$(call run,boot,proof/replica)

#: Distribution
baseline:       ## boot Debian's own kernel and load its amdgpu.ko: the stall, with nothing built
	$(call run,boot,debian/baseline)
debian:         ## Debian's kernel, modules and tracing tools before and after, to bench/debian-BASE.csv (long)
	$(call run,build debian,debian/compare)

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\# .*/\1/p' Makefile)
