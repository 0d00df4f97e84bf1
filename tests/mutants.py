# SPDX-License-Identifier: GPL-2.0
"""One-line mutations of the functional patches, by the number of the patch, for scripts/mutants.

Where a line differs between the bases, "from" is a tuple of its forms.
"""

FTRACE = "kernel/trace/ftrace.c"
KALLSYMS = "kernel/module/kallsyms.c"
MAIN = "kernel/module/main.c"


def mutant(name, file, old, new, equivalent=""):
    return {"name": name, "file": file, "from": old, "to": new, "equivalent": equivalent}


# mod_text_syms_alloc(): the two scans of the symbol table with what lies between them, and the allocation
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
SORT = "sort(syms->addrs, num, sizeof(*syms->addrs), cmp_addrs, NULL);"
SYMBOL = """sym->st_shndx != SHN_UNDEF && text_region(mod, kallsyms_symbol_value(sym)) &&
	       *name && !is_mapping_symbol(name)"""
CMP = "unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;\n\n	return (x > y) - (x < y);"
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
    # the look-up of a single symbol
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
        # its memory and order
        mutant("one-counted-too-few", KALLSYMS, "unsigned int i, num = 1;", "unsigned int i, num = 0;"),
        mutant("array-not-zeroed", KALLSYMS, ALLOC, ALLOC.replace("kvzalloc", "kvmalloc")),
        mutant("not-sorted", KALLSYMS, SORT, SORT.replace("num", "0")),
        mutant("sorted-without-the-last", KALLSYMS, SORT, SORT.replace("num", "num - 1")),
        mutant("sorted-in-reverse", KALLSYMS, CMP, CMP.replace("(x > y) - (x < y)", "(x < y) - (x > y)")),
        mutant("compared-as-int", KALLSYMS, CMP, CMP.replace("return (x > y) - (x < y)", "return (int)(x - y)")),
        mutant("compared-by-the-low-bits", KALLSYMS, CMP, CMP.replace("unsigned long x", "unsigned int x")),
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
        # their use
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
    # a few names
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
    # the order of a module's symbols
    "0007": [
        mutant("aliases-the-other-way", KALLSYMS, "	for (unsigned int i = kallsyms->num_symtab - 1; i > 0; i--) {\n",
               "	for (unsigned int i = 1; i < kallsyms->num_symtab; i++) {\n"),
        mutant("last-alias", KALLSYMS, "kallsyms_symbol_value(&symtab[b]) <\n", "kallsyms_symbol_value(&symtab[b]) <=\n"),
        mutant("last-symbol-has-no-next", KALLSYMS, "	if (low <= order[0])\n", "	if (low < order[0])\n"),
        mutant("next-but-one", KALLSYMS, "kallsyms_symbol_value(&kallsyms->symtab[order[low]]));",
               "kallsyms_symbol_value(&kallsyms->symtab[order[min(low + 1, order[0])]]));"),
        mutant("region-base-ignored", KALLSYMS, "	if (bestval < base)\n", "	if (bestval < base && !base)\n"),
        mutant("region-end-ignored", KALLSYMS, "	nextval = symbols_end(mod, kallsyms, base, mod_mem->size);\n",
               "	nextval = ULONG_MAX;\n"),
        mutant("core-order-is-counted", KALLSYMS,
               "		return PAGE_ALIGN(core_types + mod->core_kallsyms.num_symtab);\n", "		return base + size;\n"),
        mutant("init-order-is-counted", KALLSYMS,
               "		return PAGE_ALIGN(types + kallsyms->num_symtab);\n", "		return base + size;\n"),
        mutant("exact-hit-not-found", KALLSYMS, "order[mid]]) <= addr)", "order[mid]]) < addr)"),
        mutant("undefined-found", KALLSYMS, "sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_LIVEPATCH ||",
               "sym->st_shndx == SHN_LIVEPATCH ||"),
        mutant("livepatch-ordered", KALLSYMS, "	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_LIVEPATCH ||\n"
               "	    !kallsyms_region(mod, kallsyms_symbol_value(sym)))\n",
               "	if (sym->st_shndx == SHN_UNDEF)\n"),
        mutant("unnamed-found", KALLSYMS, "*name && !is_mapping_symbol(name);\n", "!is_mapping_symbol(name);\n"),
        mutant("mapping-found", KALLSYMS, "*name && !is_mapping_symbol(name);\n", "*name;\n"),
        mutant("index-0-ordered", KALLSYMS, "	order[0] = rank;\n", "	order[0] = rank + 1;\n"),
        mutant("stale-core-order", KALLSYMS, "		order[rank] = i;\n	}\n	invert_ranks(core_order, core->num_symtab);\n",
               "		order[rank] = i;\n	}\n"),
        mutant("core-counts-all", KALLSYMS, "		if (rank == order[0])\n			core_order[0] = core_rank;\n",
               "		core_order[0] = core_rank;\n"),
        mutant("full-order-not-put-back", KALLSYMS, "		core_order[num_core++] = order[rank];\n		order[rank] = i;\n",
               "		core_order[num_core++] = order[rank];\n"),
        mutant("compacted-table-not-noticed", KALLSYMS, " ||\n"
               "	    info->sechdrs[info->index.sym].sh_size / sizeof(Elf_Sym) != full->num_symtab) {\n", ") {\n"),
        mutant("no-room-for-the-order", KALLSYMS, "	return ALIGN(offset, sizeof(unsigned int)) + num * sizeof(unsigned int);\n",
               "	return offset;\n"),
        mutant("order-not-made", MAIN, "	order_kallsyms(mod, info);\n	return 0;\n", "	return 0;\n"),
    ],
}
