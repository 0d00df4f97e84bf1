# SPDX-License-Identifier: GPL-2.0
# The front door. Each target is one script of scripts/; `make help` lists them.

export BASE ?= 6.12
export KSRC OUT NO_INSTALL BOOT_TIMEOUT
S := scripts

.PHONY: all help packages source series tree export apply build guest run report baseline \
	check test clean

all:            ## fetch, build before and after, boot both, print the table
	@$(S)/packages build
	@$(S)/main

help:           ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile
	@echo 'BASE=6.12 names the kernel, KSRC=/path/to/linux a tree of your own, NO_INSTALL=1 installs nothing'

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
	@$(S)/packages build
	@$(S)/baseline
test:           ## every check of the series and of the tools; the last line counts them
	@$(S)/packages build test
	@$(S)/test
clean:          ## remove everything built or fetched
	rm -rf $(or $(OUT),out)
