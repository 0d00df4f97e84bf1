# SPDX-License-Identifier: GPL-2.0
# The front door. Each target is one script of scripts/; `make help` lists them.

export BASE ?= 6.12
export KSRC OUT NO_INSTALL BOOT_TIMEOUT TREE SET DIR INLINE VARIANT
S := scripts

.PHONY: all help source series tree export apply baseline test regress mutants variant clean

all:            ## fetch, build before and after, boot both, print the table
	@$(S)/packages build
	@$(S)/main

help:           ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile
	@echo 'BASE=6.12 names the kernel, KSRC=/path/to/linux a tree of your own, NO_INSTALL=1 installs nothing,'
	@echo 'OUT=/path/to/folder takes what is built, BOOT_TIMEOUT=seconds is for a slow machine'

source:         ## put the pristine source into out/src
	@$(S)/source
series:         ## write the complete, mail-ready series to out/series
	@$(S)/series
tree:           ## make a git tree of the source with the series as commits, to work in
	@$(S)/tree
export:         ## split the commits of that tree into patches/ and linux/ again
	@$(S)/export
apply:          ## apply the series to a kernel tree: TREE=/path/to/linux [SET=core|all]
	@$(S)/apply
baseline:       ## boot Debian's own kernel and load its amdgpu.ko: the stall, with nothing built
	@$(S)/packages boot
	@$(S)/baseline
test:           ## every check of the series and of the tools; the last line counts them
	@$(S)/packages test
	@$(S)/test
regress:        ## the whole ftracetest suite on both kernels, to bench/regress.csv (long)
	@$(S)/packages build
	@$(S)/prepare
	@$(S)/regress
mutants:        ## break the series line by line and see which test notices, to bench/mutants.csv (long)
	@$(S)/packages build
	@$(S)/prepare
	@$(S)/mutants
variant:        ## build, boot and measure a patch on top of the series: VARIANT=bench/variants/NAME.patch
	@$(S)/packages build
	@$(S)/variant
clean:          ## remove everything built or fetched
	rm -rf $(or $(OUT),out)
