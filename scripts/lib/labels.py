# SPDX-License-Identifier: GPL-2.0
"""Names the figures for reports and tables. Input and errors: none. Output: from the name in the results to the label that
a reader sees. A label has its counts in braces; whoever prints it fills them in with format().
"""

# What `make` measures. The tables in docs/ leave out the indent, the text that `make` prints the backticks.
MAIN = {
    "attach_total": "attach 50 kprobe.session programs by exact name",
    "attach_median": "  one of them, median",
    "lookup_median": "  `ftrace_lookup_symbols()` in it, median",
    "lookup_worst": "  `ftrace_lookup_symbols()` in it, worst",
    "missing_small_vmlinux": "look up a name that is missing or not traceable, at most",
    "duplicates_small_vmlinux": "look up a name that several symbols share, at most",
    "finit_module": "load a module: {records:,} records, {symbols:,} symbols",
    "enable": "  `ftrace_module_enable()` in it",
    "locked": "    with `ftrace_lock` held",
    "build": "    collecting the symbols in its text",
    "order": "  `index_kallsyms()` in it",
    "small": "load a small module, 57 symbols",
    "stripped": "load a module of 16,384 functions, stripped of their symbols",
    "listing_none": "read `available_filter_functions`, no module loaded",
    "listing_large": "read `available_filter_functions`, large module loaded",
    "filter": "write a glob to `set_ftrace_filter`, large module loaded",
}
# The rows of README: the figures of Debian's kernel and those of `make`
SHORT = {
    ("insmod amdgpu", "finit_module"): "load amdgpu",
    ("attach 50", "attach_total"): "attach 50 BPF programs by name",
    ("missing", "missing_small_vmlinux"): "look up a missing name",
    ("list, all loaded", "listing_large"): "read `available_filter_functions`, amdgpu loaded",
    ("filter", "filter"): "write a pattern to `set_ftrace_filter`, amdgpu loaded",
}
# On Debian's kernel
DEBIAN = {
    "insmod amdgpu": "load the packaged amdgpu.ko: {records:,} records, {symbols:,} symbols",
    "enable amdgpu": "`ftrace_module_enable()` in it",
    "insmod the others": "load {others:,} other packaged modules, in all",
    "enable the others": "`ftrace_module_enable()` in them, in all",
    "list": "read `available_filter_functions`, no module loaded",
    "list, all loaded": "the same, all of them loaded",
    "filter": "write `amdgpu_dm_*` to `set_ftrace_filter`",
    "read kallsyms": "read `/proc/kallsyms`, all of them loaded",
    "attach 50": "attach 50 kprobe.session programs by exact name, no module loaded",
    "look up one": "`ftrace_lookup_symbols()` in one of them, median",
    "attach amdgpu": "attach 20 to functions of amdgpu",
    "missing": "attach to a name that is missing, median",
    "bpftrace-exact": "`bpftrace`: entry and return of 3 functions, by exact name",
    "bpftrace-module": "`bpftrace`: functions of two modules, by exact name",
    "bpftrace-wildcard": "`bpftrace`: `amdgpu_dm_*`, and entry and return of `tun_chr_*`",
    "bpftrace-list": "`bpftrace -l 'kprobe:*'`",
    "trace-cmd-small": "`trace-cmd record -p function --module tun`",
    "trace-cmd-large": "`trace-cmd record -p function --module amdgpu`",
    "perf-ftrace": "`perf ftrace trace -T 'tun_chr_*' -T 'amdgpu_dm_*'`",
}
# Name in the results -> what the RFCs measured on their authors' machines, from the mailing list
RFC = {
    "attach_total": "858 -> 52 ms",
    "finit_module": "12,242 -> 2,870 ms (modprobe)",
    "enable": "9,368 -> 15.195 ms",
    "locked": "9,368 -> 1.585 ms",
    "insmod amdgpu": "12,242 -> 2,870 ms (modprobe)",
    "enable amdgpu": "9,368 -> 15.195 ms",
    "enable the others": "491 -> 2.33 ms (74 modules)",
    "attach 50": "858 -> 52 ms",
}
# State of a kernel -> the head of its column
STATES = {"before": "before", "core": "core", "after": "all", "core+all-symbols": "array of all symbols",
          "core+floor": "no check"}
# Kind of name that is looked up
KINDS = {"unique": "names of one symbol", "shared": "names of several symbols", "missing": "names that are missing",
         "module": "names of a loaded module of 17,282 records"}
# State -> the way of proof/replica.c that does the same in user space
WAYS = {"before": "scan", "core": "array", "all-symbols": "all-symbols", "bitmap": "bitmap", "radix-sort": "radix",
        "no-symbol-sort": "no-sort", "sort-table-in-place": "table"}
# State -> the way to check the records
TITLES = {"before": "a scan for each record, as unpatched", "core": "the series, patch 2",
          "after": "the series, patches 2 and 8"}
