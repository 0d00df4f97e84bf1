# SPDX-License-Identifier: GPL-2.0
"""One-line mutations of the functional patches, for scripts/mutants."""

FTRACE = "kernel/trace/ftrace.c"
KALLSYMS = "kernel/module/kallsyms.c"


def mutant(name, file, old, new, equivalent=""):
    return {"name": name, "file": file, "from": old, "to": new, "equivalent": equivalent}


MUTANTS = [
    # the single-symbol look-up
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
    # the array
    mutant("index-0-kept", KALLSYMS, "for (unsigned int i = 1; i < table->num_symtab; i++) {",
           "for (unsigned int i = 0; i < table->num_symtab; i++) {"),
    mutant("init-text-ignored", KALLSYMS, "		    !within_module_mem_type(value, mod, MOD_INIT_TEXT))\n",
           "		    true)\n"),
    mutant("undefined-kept", KALLSYMS, "if (table->symtab[i].st_shndx != SHN_UNDEF && *name &&",
           "if (*name &&"),
    mutant("unnamed-kept", KALLSYMS, "st_shndx != SHN_UNDEF && *name &&", "st_shndx != SHN_UNDEF &&"),
    mutant("mapping-kept", KALLSYMS, "		    !is_mapping_symbol(name) && abs(offset)", "		    abs(offset)"),
    mutant("far-symbols-kept", KALLSYMS, "!is_mapping_symbol(name) && abs(offset) < SZ_1G)",
           "!is_mapping_symbol(name))"),
    mutant("unsorted", KALLSYMS, "	sort(syms->offsets, syms->num, sizeof(syms->offsets[0]), cmp_offset, NULL);\n", ""),
    # the search
    mutant("first-symbol-skipped", KALLSYMS, "			low = mid + 1;\n", "			low = mid + 2;\n"),
    mutant("last-symbol-skipped", KALLSYMS, "			high = mid;\n", "			high = mid - 1;\n"),
    mutant("exact-hit-missed", KALLSYMS, "if (syms->offsets[mid] <= key)", "if (syms->offsets[mid] < key)"),
    mutant("one-symbol-before", KALLSYMS, "*offset = key - syms->offsets[low - 1];",
           "*offset = key - syms->offsets[low > 1 ? low - 2 : 0];"),
    mutant("far-address-answered", KALLSYMS, "if (!low || abs(key) >= SZ_1G)", "if (!low)"),
    mutant("text-base-ignored", KALLSYMS, "		return within_module_mem_type(ip, syms->mod, MOD_TEXT);\n",
           "		return true;\n"),
    mutant("init-text-base-ignored", KALLSYMS, "	return within_module_mem_type(ip, syms->mod, MOD_INIT_TEXT);\n",
           "	return true;\n"),
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
]
