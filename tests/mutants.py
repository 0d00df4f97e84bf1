# SPDX-License-Identifier: GPL-2.0
"""One-line mutations of the functional patches, by the number of the patch, for scripts/mutants.

Where a line differs between the bases, "from" is a tuple of its forms.
"""

FTRACE = "kernel/trace/ftrace.c"
KALLSYMS = "kernel/module/kallsyms.c"
MAIN = "kernel/module/main.c"


def mutant(name, file, old, new, equivalent=""):
    return {"name": name, "file": file, "from": old, "to": new, "equivalent": equivalent}


MUTANTS = {
    # the single-symbol look-up
    "0001": [
        mutant("store-ftrace-location", FTRACE, "if (!in_module && ftrace_location(addrs[0]))",
               "if (!in_module && (addrs[0] = ftrace_location(addrs[0])))"),
        mutant("untraceable-taken", FTRACE, "if (!in_module && ftrace_location(addrs[0]))",
               "if (!in_module && addrs[0])"),
        mutant("two-symbols-single", FTRACE, "if (cnt == 1 && !strchr", "if ((cnt == 1 || cnt == 2) && !strchr"),
        mutant("colon-resolved", FTRACE, "if (cnt == 1 && !strchr(sorted_syms[0], ':')) {",
               "if (cnt == 1) {",
               "what module:symbol gives lies in a module, from where no address is taken: the modules are "
               "walked for the whole name, in vain. Only an absolute symbol of a module that is being "
               "initialised, with the address of a traceable vmlinux function, could tell"),
        mutant("address-left-behind", FTRACE, "	memset(addrs, 0, sizeof(*addrs) * cnt);\n	args.addrs",
               "	args.addrs"),
        mutant("no-walk-after-miss", FTRACE, "found_all = in_module ? 0 : kallsyms_on_each_symbol(kallsyms_callback, &args);",
               "found_all = cnt == 1 ? 0 : kallsyms_on_each_symbol(kallsyms_callback, &args);"),
        mutant("vmlinux-walked-for-a-module", FTRACE, "found_all = in_module ? 0 : kallsyms_on_each_symbol",
               "found_all = kallsyms_on_each_symbol",
               "a walk over vmlinux, which has no symbol of that name, finds nothing; it only takes time"),
    ],
    # the map of symbols
    "0002": [
        mutant("index-0-kept", KALLSYMS, "i = 1; i < table->num_symtab; i++", "i = 0; i < table->num_symtab; i++"),
        mutant("last-symbol-skipped", KALLSYMS, "i = 1; i < table->num_symtab; i++",
               "i = 1; i + 1 < table->num_symtab; i++"),
        mutant("symbol-behind-the-table-kept", KALLSYMS, "i = 1; i < table->num_symtab; i++",
               "i = 1; i <= table->num_symtab; i++"),
        mutant("undefined-kept", KALLSYMS, "if (table->symtab[i].st_shndx != SHN_UNDEF && ", "if ("),
        mutant("unnamed-kept", KALLSYMS, "*name && !is_mapping_symbol(name)", "!is_mapping_symbol(name)"),
        mutant("mapping-kept", KALLSYMS, "*name && !is_mapping_symbol(name)", "*name"),
        mutant("map-not-zeroed", KALLSYMS, "syms = kvzalloc(struct_size(syms, starts,",
               "syms = kvmalloc(struct_size(syms, starts,"),
        mutant("last-word-of-text-not-allocated", KALLSYMS, "BITS_TO_LONGS(mod->mem[MOD_TEXT].size) +",
               "mod->mem[MOD_TEXT].size / BITS_PER_LONG +"),
        # its bits
        mutant("init-text-at-word-0", KALLSYMS, "	*word = BITS_TO_LONGS(mod->mem[MOD_TEXT].size);\n", "	*word = 0;\n"),
        mutant("init-text-a-word-early", KALLSYMS, "	*word = BITS_TO_LONGS(mod->mem[MOD_TEXT].size);\n",
               "	*word = mod->mem[MOD_TEXT].size / BITS_PER_LONG;\n"),
        mutant("init-text-from-text-base", KALLSYMS, "	*bit = addr - (unsigned long)mod->mem[MOD_INIT_TEXT].base;\n",
               "	*bit = addr - (unsigned long)mod->mem[MOD_TEXT].base;\n"),
        mutant("init-text-ignored", KALLSYMS, "	return within_module_mem_type(addr, mod, MOD_INIT_TEXT);\n",
               "	return false;\n"),
        mutant("init-text-end-included", KALLSYMS, "	return within_module_mem_type(addr, mod, MOD_INIT_TEXT);\n",
               "	return *bit <= mod->mem[MOD_INIT_TEXT].size;\n"),
        mutant("regions-of-ip-ignored", KALLSYMS, "if (!syms || !text_bit(syms->mod, ip, &word, &bit))",
               "if (!syms || (text_bit(syms->mod, ip, &word, &bit), false))"),
        mutant("no-map-not-noticed", KALLSYMS, "if (!syms || !text_bit(syms->mod, ip, &word, &bit))",
               "if (!text_bit(syms->mod, ip, &word, &bit))"),
        # the search
        mutant("own-bit-excluded", KALLSYMS, "start = find_last_bit(syms->starts + word, bit + 1);",
               "start = find_last_bit(syms->starts + word, bit);"),
        mutant("next-bit-included", KALLSYMS, "start = find_last_bit(syms->starts + word, bit + 1);",
               "start = find_last_bit(syms->starts + word, bit + 2);"),
        mutant("first-bit-found", KALLSYMS, "start = find_last_bit(syms->starts + word, bit + 1);",
               "start = find_first_bit(syms->starts + word, bit + 1);"),
        mutant("none-taken-as-found", KALLSYMS, "	return start <= bit;\n", "	return true;\n"),
        mutant("exact-hit-missed", KALLSYMS, "	return start <= bit;\n", "	return start < bit;\n"),
        mutant("offset-plus-one", KALLSYMS, "	*offset = bit - start;\n", "	*offset = bit - start + 1;\n"),
        # their use
        mutant("freed-before-the-loop", FTRACE, "syms = mod_text_syms_get(mod);",
               "mod_text_syms_put(syms = mod_text_syms_get(mod));"),
        mutant("no-fallback", FTRACE, "#endif\n	return test_for_valid_rec(rec);", "#endif\n	return 0;"),
        mutant("limit-excluded", FTRACE, "return offset <= FTRACE_MCOUNT_MAX_OFFSET;",
               "return offset < FTRACE_MCOUNT_MAX_OFFSET;"),
        mutant("limit-plus-one", FTRACE, "return offset <= FTRACE_MCOUNT_MAX_OFFSET;",
               "return offset <= FTRACE_MCOUNT_MAX_OFFSET + 1;",
               "no record lies five bytes behind a symbol on x86: it is the symbol's own, at 0 or 4, or "
               "that of a function before it, at least 16 away"),
    ],
    # a few names
    "0006": [
        mutant("first-name-skipped", FTRACE, "for (size_t i = 0; i < args->cnt && !found_all; i++) {",
               "for (size_t i = 1; i < args->cnt && !found_all; i++) {"),
        mutant("last-name-skipped", FTRACE, "for (size_t i = 0; i < args->cnt && !found_all; i++) {",
               "for (size_t i = 0; i + 1 < args->cnt && !found_all; i++) {"),
        mutant("first-name-for-all", FTRACE, "		match.name = args->syms[i];\n", "		match.name = args->syms[0];\n"),
        mutant("first-hit-ends-a-name", FTRACE, "	return kallsyms_callback(match->args, match->name, addr);\n",
               "	return kallsyms_callback(match->args, match->name, addr) ?: -1;\n"),
        mutant("first-found-ends-the-search", FTRACE,
               "	return kallsyms_callback(match->args, match->name, addr);\n",
               "	kallsyms_callback(match->args, match->name, addr);\n	return match->args->found > 0;\n"),
        mutant("search-finds-all", FTRACE, "	return found_all;\n}\n\n/**\n * ftrace_lookup_symbols",
               "	return 1;\n}\n\n/**\n * ftrace_lookup_symbols"),
        mutant("search-finds-nothing", FTRACE, "	return found_all;\n}\n\n/**\n * ftrace_lookup_symbols",
               "	return 0;\n}\n\n/**\n * ftrace_lookup_symbols"),
        mutant("missing-name-ends-the-search", FTRACE,
               "		found_all = kallsyms_on_each_match_symbol(match_callback, match.name, &match);\n",
               "		found_all = kallsyms_on_each_match_symbol(match_callback, match.name, &match);\n"
               "		if (args->found <= i)\n			return 0;\n"),
    ],
    # the order of a module's symbols
    "0009": [
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
