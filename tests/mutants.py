# SPDX-License-Identifier: GPL-2.0
"""One-line mutations of the functional patches, grouped by patch number, for scripts/proof/mutants."""

FTRACE = "kernel/trace/ftrace.c"
KALLSYMS = "kernel/module/kallsyms.c"
MAIN = "kernel/module/main.c"


def mutant(name, file, old, new, equivalent=""):
    return {"name": name, "file": file, "from": old, "to": new, "equivalent": equivalent}


# mod_text_syms_alloc(): the two scans of the symbol table and the code between them, and the allocation
SCANS = """	for (i = 1; i < kallsyms->num_symtab; i++)
		num += is_text_symbol(mod, kallsyms, i);

	syms = kvzalloc(struct_size(syms, addrs, num), GFP_KERNEL | __GFP_NOWARN);
	if (!syms)
		return NULL;

	syms->mod = mod;
	syms->num = 1;
	for (i = 1; i < kallsyms->num_symtab; i++)
		if (is_text_symbol(mod, kallsyms, i))
"""
ALLOC = "syms = kvzalloc(struct_size(syms, addrs, num), GFP_KERNEL | __GFP_NOWARN);"
SORT = "(syms->addrs, num, sizeof(*syms->addrs), cmp_addrs, NULL);"
SYMBOL = """sym->st_shndx != SHN_UNDEF && text_region(mod, kallsyms_symbol_value(sym)) &&
	       *name && !is_mapping_symbol(name)"""
CMP = "	return (x > y) - (x < y);\n"
XY = "	unsigned long x = *(const unsigned long *)a, y"
SEARCH = "low = 0, high = syms->num, mid;"
HIT = "if (syms->addrs[mid] <= ip)"
INIT_TEXT = "	if (within_module_mem_type(addr, mod, MOD_INIT_TEXT))\n"
OTHER_REGION = "if (text_region(syms->mod, syms->addrs[low]) != text_region(syms->mod, ip))"
EACH_NAME = "for (size_t i = 0; i < args->cnt && !found_all; i++) {"
EACH_MATCH = "found_all = kallsyms_on_each_match_symbol(match_callback, args->name, args);"
MATCH = "return kallsyms_callback(args, args->name, addr);"
FOUND = "if (addrs[0] && ftrace_location(addrs[0]))"
SCAN = "found_all = kallsyms_on_each_symbol(kallsyms_callback, &args);"

MUTANTS = {
    # the lookup of a single symbol
    "0001": [
        mutant("store-ftrace-location", FTRACE, FOUND,
               "if (addrs[0] && (addrs[0] = ftrace_location(addrs[0])))"),
        mutant("untraceable-taken", FTRACE, FOUND, "if (addrs[0])"),
        mutant("two-symbols-single", FTRACE, "if (cnt == 1 && !strchr", "if ((cnt == 1 || cnt == 2) && !strchr"),
        mutant("colon-resolved", FTRACE, "if (cnt == 1 && !strchr(sorted_syms[0], ':')) {", "if (cnt == 1) {"),
        mutant("address-left-behind", FTRACE, "	memset(addrs, 0, sizeof(*addrs) * cnt);\n	args.addrs",
               "	args.addrs"),
        mutant("no-scan-after-miss", FTRACE, SCAN, "found_all = cnt == 1 ? 0 :" + SCAN.partition("=")[2]),
    ],
    # the sorted array of a module's symbols
    "0002": [
        # which symbols are in it
        mutant("index-0-kept", KALLSYMS, SCANS, SCANS.replace("i = 1;", "i = 0;")),
        mutant("last-symbol-skipped", KALLSYMS, SCANS, SCANS.replace("i < kallsyms", "i + 1 < kallsyms")),
        mutant("symbol-behind-the-table-kept", KALLSYMS, SCANS, SCANS.replace("i < kallsyms", "i <= kallsyms")),
        mutant("undefined-kept", KALLSYMS, SYMBOL, SYMBOL.replace("sym->st_shndx != SHN_UNDEF && ", "")),
        mutant("unnamed-kept", KALLSYMS, SYMBOL, SYMBOL.replace("*name && ", "")),
        mutant("mapping-kept", KALLSYMS, SYMBOL, SYMBOL.replace(" && !is_mapping_symbol(name)", "")),
        mutant("symbol-outside-text-kept", KALLSYMS, SYMBOL,
               SYMBOL.replace("text_region(mod, kallsyms_symbol_value(sym)) &&\n	       ", "")),
        mutant("init-text-ignored", KALLSYMS, INIT_TEXT, "	if (0)\n"),
        # its memory and its order
        mutant("one-counted-too-few", KALLSYMS, "unsigned int i, num = 1;", "unsigned int i, num = 0;"),
        mutant("array-not-zeroed", KALLSYMS, ALLOC, ALLOC.replace("kvzalloc", "kvmalloc")),
        mutant("not-sorted", KALLSYMS, SORT, SORT.replace("num", "0")),
        mutant("sorted-without-the-last", KALLSYMS, SORT, SORT.replace("num", "num - 1")),
        mutant("sorted-in-reverse", KALLSYMS, CMP, CMP.replace("(x > y) - (x < y)", "(x < y) - (x > y)")),
        mutant("compared-as-int", KALLSYMS, CMP, "	return (int)(x - y);\n"),
        mutant("compared-by-the-low-bits", KALLSYMS, XY, XY.replace("unsigned long x", "unsigned int x")),
        # the search
        mutant("exact-hit-missed", KALLSYMS, HIT, "if (syms->addrs[mid] < ip)"),
        mutant("next-symbol-taken", KALLSYMS, HIT, "if (syms->addrs[mid] <= ip + 1)"),
        mutant("address-above-ip-returned", KALLSYMS, SEARCH, SEARCH.replace("low = 0", "low = 1")),
        mutant("last-address-not-searched", KALLSYMS, SEARCH, SEARCH.replace("syms->num", "syms->num - 1")),
        mutant("searched-past-the-end", KALLSYMS, SEARCH, SEARCH.replace("syms->num", "syms->num + 1")),
        mutant("search-ends-early", KALLSYMS, "while (high - low > 1) {", "while (high - low > 2) {"),
        mutant("middle-skipped", KALLSYMS, "			high = mid;\n	}\n", "			high = mid - 1;\n	}\n"),
        mutant("symbol-of-the-other-region-taken", KALLSYMS, OTHER_REGION, "if (!text_region(syms->mod, ip))"),
        mutant("regions-of-ip-ignored", KALLSYMS, OTHER_REGION,
               "if (text_region(syms->mod, ip) && " + OTHER_REGION[len("if ("):]),
        # the use of the results
        mutant("no-array-not-noticed", FTRACE, "syms ? mod_text_syms_find(syms, rec->ip) : 0;",
               "mod_text_syms_find(syms, rec->ip);"),
        mutant("freed-before-the-loop", FTRACE, "syms = mod_text_syms_alloc(mod);",
               "kvfree(syms = mod_text_syms_alloc(mod));"),
        mutant("no-fallback", FTRACE, "#endif\n	return test_for_valid_rec(rec);", "#endif\n	return 0;"),
        mutant("limit-excluded", FTRACE, "return rec->ip - addr <= FTRACE_MCOUNT_MAX_OFFSET;",
               "return rec->ip - addr < FTRACE_MCOUNT_MAX_OFFSET;"),
        mutant("limit-plus-one", FTRACE, "return rec->ip - addr <= FTRACE_MCOUNT_MAX_OFFSET;",
               "return rec->ip - addr <= FTRACE_MCOUNT_MAX_OFFSET + 1;",
               "no record lies five bytes behind a symbol on x86: it is the symbol's own, at 0 or 4, or "
               "that of a function before it, at least 16 away"),
    ],
    # the lookup of a few names
    "0006": [
        mutant("first-name-skipped", FTRACE, EACH_NAME, EACH_NAME.replace("i = 0", "i = 1")),
        mutant("last-name-skipped", FTRACE, EACH_NAME, EACH_NAME.replace("i < args->cnt", "i + 1 < args->cnt")),
        mutant("first-name-for-all", FTRACE, "args->name = args->syms[i];", "args->name = args->syms[0];"),
        mutant("first-hit-ends-a-name", FTRACE, MATCH, MATCH.replace(";", " ?: -1;")),
        mutant("first-found-ends-the-search", FTRACE, MATCH,
               MATCH.replace("return ", "") + "\n	return args->found > 0;"),
        mutant("search-finds-all", FTRACE, "	return found_all;\n}\n\n/**\n * ftrace_lookup_symbols",
               "	return 1;\n}\n\n/**\n * ftrace_lookup_symbols"),
        mutant("search-finds-nothing", FTRACE, "	return found_all;\n}\n\n/**\n * ftrace_lookup_symbols",
               "	return 0;\n}\n\n/**\n * ftrace_lookup_symbols"),
        mutant("missing-name-ends-the-search", FTRACE, EACH_MATCH,
               EACH_MATCH + "\n		if (args->found <= i)\n			return 0;"),
    ],
    # where a listing continues
    "0007": [
        mutant("filtered-lists-jump", FTRACE, "	if (!(iter->flags & (FTRACE_ITER_FILTER | FTRACE_ITER_NOTRACE |\n"
               "			     FTRACE_ITER_ENABLED |", "	if (!(iter->flags & (FTRACE_ITER_NOTRACE |\n"
               "			     FTRACE_ITER_ENABLED |"),
        mutant("enabled-list-jumps", FTRACE, "FTRACE_ITER_ENABLED | FTRACE_ITER_TOUCHED))) {", "FTRACE_ITER_TOUCHED))) {"),
        mutant("touched-list-jumps", FTRACE, "FTRACE_ITER_ENABLED | FTRACE_ITER_TOUCHED))) {", "FTRACE_ITER_ENABLED))) {"),
        mutant("last-of-a-group-skipped", FTRACE, "for (; *pos - l >= iter->pg->index &&", "for (; *pos - l + 1 >= iter->pg->index &&"),
        mutant("group-not-counted", FTRACE, "			l += iter->pg->index;\n", "			l += iter->pg->index - 1;\n"),
        mutant("record-not-counted", FTRACE, "		l = *pos;\n", ""),
        mutant("record-behind-taken", FTRACE, "		iter->idx = *pos - l;\n", "		iter->idx = *pos - l + 1;\n"),
    ],
    # the index of a module's symbols
    "0008": [
        mutant("last-alias", KALLSYMS, "(i < j) - (i > j) :", "(i > j) - (i < j) :"),
        mutant("index-not-sorted", KALLSYMS, ": (x > y) - (x < y);\n}\n\nstatic bool is_in_core", ": 0;\n}\n\nstatic bool is_in_core"),
        mutant("undefined-indexed", KALLSYMS, "	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_LIVEPATCH)\n",
               "	if (sym->st_shndx == SHN_LIVEPATCH)\n"),
        mutant("livepatch-indexed", KALLSYMS, "		return false;\n	if (!IS_ENABLED(CONFIG_KALLSYMS_ALL))\n",
               "		return sym->st_shndx == SHN_LIVEPATCH;\n	if (!IS_ENABLED(CONFIG_KALLSYMS_ALL))\n"),
        mutant("missing-not-noticed", KALLSYMS, "	if (missing || !num)\n", "	if (!num)\n"),
        mutant("mapping-indexed", KALLSYMS, "		if (!is_mapping_symbol(name))\n			index[++num] = i;\n",
               "		index[++num] = i;\n"),
        mutant("unnamed-indexed", KALLSYMS, "		if (!*name || !is_in_core(", "		if (!is_in_core("),
        mutant("no-room", KALLSYMS, "	mod_mem_data->size = ALIGN(mod_mem_data->size, sizeof(u32)) + ndst * sizeof(u32);\n", ""),
        mutant("index-not-made", KALLSYMS, "	index_kallsyms(mod, ndst);\n", ""),
        mutant("index-in-init", KALLSYMS, "	if (num_core && within_module_core(addr, mod))\n", "	if (num_core)\n"),
        mutant("index-is-counted", KALLSYMS, "	if (index && mod_mem == &mod->mem[MOD_DATA]) {\n", "	if (0) {\n"),
        mutant("page-of-the-index-found", KALLSYMS, "		if (addr >= nextval)\n			return NULL;\n", ""),
        mutant("exact-hit-not-found", KALLSYMS, "index[n]]) <= addr)\n", "index[n]]) < addr)\n"),
        mutant("last-entry-not-searched", KALLSYMS, "	for (end = index[0] + 1;", "	for (end = index[0];"),
        mutant("next-not-scanned", KALLSYMS, "		end = min(first + 2, index[0] + 1);\n", "		end = first + 1;\n"),
        mutant("entry-behind-the-index", KALLSYMS, "		end = min(first + 2, index[0] + 1);\n", "		end = first + 2;\n"),
        mutant("full-table-with-the-index", KALLSYMS, "		kallsyms = &mod->core_kallsyms;\n", ""),
    ],
}
