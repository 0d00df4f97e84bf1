// SPDX-License-Identifier: GPL-2.0
/*
 * Proof outside the series: built into the tested kernels, never mailed.
 *
 * find_kallsyms_symbol(), which finds the symbol before an address in a module,
 * is compared with a scan of the whole symbol table for each address. The index
 * of the symbols that index_kallsyms() makes is checked as well.
 *
 * The test makes up the module and its addresses. Nothing dereferences them.
 * Only loaded_modules() uses the loaded modules: there are none while the
 * kernel boots.
 */
#include <kunit/test.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#if defined(CONFIG_MODULES) && defined(CONFIG_KALLSYMS)

#include "../../kernel/module/internal.h"

static ulong seed = 612;
module_param(seed, ulong, 0444);
MODULE_PARM_DESC(seed, "Where the random tables start");

#define BASE		0x40000000UL
#define MAX_SYMS	20000
#define MAX_SHOWN	5

/* loaded_modules() found no module to check */
static bool no_module;

/* The initial content of the room for an index and of the bytes around it */
#define GARBAGE		0x5a
#define GUARD_SIZE	16

/* The length of a symbol's name, which has a number to be unique */
#define NAME_SIZE	12

#define ROOM_SIZE	((1 + MAX_SYMS) * (sizeof(Elf_Sym) + NAME_SIZE + 1 + sizeof(int)) + \
			 NAME_SIZE + sizeof(int) + GUARD_SIZE)

enum section {
	SEC_UNDEF, SEC_TEXT, SEC_INIT_TEXT, SEC_DATA, SEC_INIT_DATA, SEC_PERCPU, SEC_NOTES,
};

enum kind {
	/*
	 * The core table has the first and the last of these, but finds only
	 * the first
	 */
	IN_TEXT, IN_INIT_TEXT, MAPPING,
	FEW_KINDS,
	UNDEF = FEW_KINDS, UNNAMED, ABSOLUTE, LIVEPATCH,
	SMALL_KINDS,
	/* For random tables; the last two are similar to mapping symbols */
	IN_DATA = SMALL_KINDS, IN_INIT_DATA, IN_PERCPU, IN_NOTES, EMPTY_NAME, DOT_L, L_ZERO,
	DOT_LOWER_L, L_ONE,
	NUM_KINDS
};

static const struct {
	char prefix[4];
	u16 section;
} kinds[] = {
	[IN_TEXT] = { "t_", SEC_TEXT }, [IN_INIT_TEXT] = { "i_", SEC_INIT_TEXT },
	[MAPPING] = { "$x", SEC_TEXT }, [UNDEF] = { "u_", SEC_UNDEF },
	[UNNAMED] = { "", SEC_TEXT }, [ABSOLUTE] = { "a_", SHN_ABS },
	[LIVEPATCH] = { "l_", SHN_LIVEPATCH }, [IN_DATA] = { "d_", SEC_DATA },
	[IN_INIT_DATA] = { "j_", SEC_INIT_DATA }, [IN_PERCPU] = { "p_", SEC_PERCPU },
	[IN_NOTES] = { "n_", SEC_NOTES }, [EMPTY_NAME] = { "", SEC_TEXT },
	[DOT_L] = { ".L", SEC_TEXT }, [L_ZERO] = { "L0", SEC_TEXT },
	[DOT_LOWER_L] = { ".l", SEC_TEXT }, [L_ONE] = { "L1", SEC_TEXT },
};

struct world {
	struct module *mod;
	/* The table of init, while the core table is in the module */
	struct mod_kallsyms full;
	/* The table in use */
	const struct mod_kallsyms *table;
	/* Memory for the full and the core table and all their parts */
	void *rooms[2];
	/* The values before the end of init */
	struct {
		unsigned long base;
		unsigned int size;
	} regions[MOD_MEM_NUM_TYPES];
	struct rnd_state rnd;
	unsigned long tables, indices, cases, hits, wrong;
	bool livepatch;
};

static void set_region(struct world *w, enum mod_mem_type type, unsigned long base,
		       unsigned int size)
{
	w->regions[type].base = base;
	w->regions[type].size = size;
}

/* The memory of the module, during init and after it */
static void set_memory(struct world *w, bool init)
{
	for_each_mod_mem_type(type) {
		bool there = init || !mod_mem_type_is_init(type);

		w->mod->mem[type].base = there ? (void *)w->regions[type].base : NULL;
		w->mod->mem[type].size = there ? w->regions[type].size : 0;
	}
}

static void use_table(struct world *w, struct mod_kallsyms *table)
{
	w->table = table;
	RCU_INIT_POINTER(w->mod->kallsyms, table);
}

static void *index_of(const struct mod_kallsyms *table)
{
	return PTR_ALIGN((void *)table->typetab + table->num_symtab, sizeof(unsigned int));
}

/*
 * The first word of the index behind the typetab is zero, as in the loader.
 * There the other words are zero, too, but nothing should rely on that.
 */
static void lay_out(struct mod_kallsyms *table, void *room, unsigned int num_symtab)
{
	table->num_symtab = num_symtab;
	table->symtab = room;
	table->strtab = room + num_symtab * sizeof(Elf_Sym);
	table->typetab = table->strtab + (1 + num_symtab) * NAME_SIZE;
	memset(table->strtab, 0, NAME_SIZE);
	memset(table->typetab, GARBAGE,
	       num_symtab + sizeof(int) + num_symtab * sizeof(int) + GUARD_SIZE);
	if (num_symtab)
		*(unsigned int *)index_of(table) = 0;
}

static void set_symbol(struct world *w, unsigned int i, enum kind kind, unsigned long value)
{
	unsigned int at = (1 + i) * NAME_SIZE;
	char *name = w->full.strtab + at;

	w->full.symtab[i] = (Elf_Sym) {
		.st_name = kind == UNNAMED ? 0 : at,
		.st_shndx = kinds[kind].section,
		.st_value = value,
	};
	*name = '\0';
	if (*kinds[kind].prefix)
		snprintf(name, NAME_SIZE, "%s%x", kinds[kind].prefix, i);
}

/* The symbol at index 0, which does not count, looks like a good match */
static void start_table(struct world *w, unsigned int num_symtab)
{
	lay_out(&w->full, w->rooms[0], num_symtab);
	if (num_symtab)
		set_symbol(w, 0, IN_TEXT, w->regions[MOD_TEXT].base);
	use_table(w, &w->full);
	set_memory(w, true);
	w->tables++;
}

/* Whether the symbol still exists after init */
static bool ref_keeps(const struct world *w, const Elf_Sym *sym)
{
	bool data = sym->st_shndx == SEC_DATA || sym->st_shndx == SEC_PERCPU;

	return w->livepatch || (sym->st_name && (sym->st_shndx == SEC_TEXT ||
						 (IS_ENABLED(CONFIG_KALLSYMS_ALL) && data)));
}

/* As add_kallsyms() does */
static void make_core(struct world *w)
{
	struct mod_kallsyms *full = &w->full, *core = &w->mod->core_kallsyms;
	unsigned int i, num = 0;

	for (i = 0; i < full->num_symtab; i++)
		num += !i || ref_keeps(w, &full->symtab[i]);
	lay_out(core, w->rooms[1], num);

	for (i = num = 0; i < full->num_symtab; i++) {
		unsigned int at = (1 + num) * NAME_SIZE;

		if (i && !ref_keeps(w, &full->symtab[i]))
			continue;
		memcpy(core->strtab + at, full->strtab + full->symtab[i].st_name, NAME_SIZE);
		core->symtab[num] = full->symtab[i];
		core->symtab[num++].st_name = at;
	}
}

static const struct module_memory *ref_region(const struct module *mod, unsigned long addr)
{
	for_each_mod_mem_type(type) {
		unsigned long base = (unsigned long)mod->mem[type].base;

		if (!IS_ENABLED(CONFIG_KALLSYMS_ALL) && type != MOD_TEXT && type != MOD_INIT_TEXT)
			continue;
		if (addr >= base && addr < base + mod->mem[type].size)
			return &mod->mem[type];
	}
	return NULL;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool ref_ignores(const struct mod_kallsyms *table, const Elf_Sym *sym)
{
	const char *name = table->strtab + sym->st_name;

	return sym->st_shndx == SHN_UNDEF || !name[0] || name[0] == '$' ||
	       !strncmp(name, ".L", 2) || !strncmp(name, "L0", 2);
}

struct answer {
	/* NULL if the lookup finds none */
	const char *name;
	unsigned long value, end;
};

static struct answer ref_find(const struct module *mod, const struct mod_kallsyms *table,
			      unsigned long addr)
{
	const struct module_memory *region = ref_region(mod, addr);
	struct answer ans = { };
	unsigned int i;

	if (!region)
		return ans;

	ans.end = (unsigned long)region->base + region->size;
	for (i = 1; i < table->num_symtab; i++) {
		unsigned long value = kallsyms_symbol_value(&table->symtab[i]);

		/*
		 * Most are not better than an earlier one, so their names do
		 * not matter
		 */
		if (value < (unsigned long)region->base || value >= ans.end ||
		    (ans.name && value <= ans.value) || ref_ignores(table, &table->symtab[i]))
			continue;
		if (value > addr) {
			ans.end = value;
		} else {
			ans.name = table->strtab + table->symtab[i].st_name;
			ans.value = value;
		}
	}
	return ans;
}

/* Prints only the first few wrong results, which fail the test */
static bool shown(struct world *w)
{
	return w->wrong++ < MAX_SHOWN;
}

static void show_table(struct kunit *test, const struct mod_kallsyms *table)
{
	const Elf_Sym *sym = table->symtab + 1;

	kunit_info(test, "symbols at 0..%d:\n", (int)table->num_symtab - 1);
	for (; sym < table->symtab + min(table->num_symtab, 9U); sym++)
		kunit_info(test, "  %#lx '%s' section %#x\n", kallsyms_symbol_value(sym),
			   table->strtab + sym->st_name, sym->st_shndx);
}

static const char *find(struct module *mod, unsigned long addr, unsigned long *size,
			unsigned long *offset)
{
	guard(rcu)();
	return find_kallsyms_symbol(mod, addr, size, offset);
}

/*
 * Compares the name, which is unique, the size and the offset. A core symbol
 * has its name in the full table, too.
 */
static bool agrees(struct kunit *test, struct module *mod, unsigned long addr,
		   const struct answer *want)
{
	unsigned long size = 0, offset = 0;
	struct world *w = test->priv;
	const char *name = find(mod, addr, &size, &offset);

	w->cases++;
	w->hits += !!want->name;
	if (same_name(name, want->name) &&
	    (!name || (size == want->end - want->value && offset == addr - want->value)))
		return true;

	if (shown(w))
		KUNIT_FAIL(test, "%s, %#lx: got '%s' %#lx/%#lx, want '%s' %#lx/%#lx\n",
			   mod->name, addr, name ?: "", offset, size, want->name ?: "",
			   want->name ? addr - want->value : 0,
			   want->name ? want->end - want->value : 0);
	return false;
}

static void check_addr(struct kunit *test, unsigned long addr)
{
	struct world *w = test->priv;
	struct answer want = ref_find(w->mod, w->table, addr);

	if (!agrees(test, w->mod, addr, &want) && w->wrong == 1)
		show_table(test, w->table);
}

/*
 * Checks the reference against the expected result, too; no index means no
 * symbol
 */
static void expect(struct kunit *test, unsigned long addr, unsigned int index,
		   unsigned long size)
{
	struct world *w = test->priv;
	struct answer want = { };

	if (index) {
		want.name = w->table->strtab + w->table->symtab[index].st_name;
		want.value = w->table->symtab[index].st_value;
		want.end = want.value + size;
	}
	agrees(test, w->mod, addr, &want);
	check_addr(test, addr);
	KUNIT_EXPECT_TRUE(test, same_name(find(w->mod, addr, NULL, NULL), want.name));
}

static bool ref_in_core(const struct world *w, const Elf_Sym *sym)
{
	for_each_mod_mem_type(type) {
		if (!mod_mem_type_is_init(type) &&
		    (IS_ENABLED(CONFIG_KALLSYMS_ALL) || type == MOD_TEXT) &&
		    sym->st_value >= w->regions[type].base &&
		    sym->st_value - w->regions[type].base < w->regions[type].size)
			return sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_LIVEPATCH;
	}
	return false;
}

/* In a core region, but only a scan of the full table can find it */
static bool ref_misses(const struct world *w, const Elf_Sym *sym)
{
	return sym->st_name && ref_in_core(w, sym) &&
	       (!ref_keeps(w, sym) || !w->full.strtab[sym->st_name]);
}

/*
 * The index is complete if it has as many symbols as the table. No symbol is in
 * it twice: each has a greater value than the one before, or the same value and
 * a lower index.
 */
static void check_index(struct kunit *test)
{
	struct world *w = test->priv;
	const struct mod_kallsyms *table = &w->mod->core_kallsyms;
	const unsigned int num_symtab = table->num_symtab, *index = index_of(table);
	unsigned int i, num = 0, prev = 0;

	for (i = 1; i < num_symtab; i++)
		num += ref_in_core(w, &table->symtab[i]) && !ref_ignores(table, &table->symtab[i]);
	for (i = 1; i < w->full.num_symtab; i++)
		if (ref_misses(w, &w->full.symtab[i]))
			num = 0;
	if (num_symtab && index[0] != num && shown(w))
		KUNIT_FAIL(test, "%u symbols in the index, want %u\n", index[0], num);
	w->indices += !!num;

	for (i = 1; i <= num; prev = index[i++]) {
		const Elf_Sym *sym = &table->symtab[index[i]], *last = &table->symtab[prev];

		if (index[i] && index[i] < num_symtab && ref_in_core(w, sym) &&
		    !ref_ignores(table, sym) && (!prev || sym->st_value > last->st_value ||
		     (sym->st_value == last->st_value && index[i] < prev)))
			continue;
		if (shown(w))
			KUNIT_FAIL(test, "%u of %u in the index is symbol %u\n", i, num, index[i]);
		break;
	}
	if (memchr_inv(table->typetab, GARBAGE, (void *)index - (void *)table->typetab) &&
	    shown(w))
		KUNIT_FAIL(test, "written before the index of %u symbols\n", num_symtab);
	if (memchr_inv(index + num_symtab, GARBAGE, GUARD_SIZE) && shown(w))
		KUNIT_FAIL(test, "written past the index of %u symbols\n", num_symtab);
}

static void move_livepatch_symbols(struct mod_kallsyms *table)
{
	unsigned int i;

	for (i = 1; i < table->num_symtab; i++) {
		if (table->symtab[i].st_shndx == SHN_LIVEPATCH)
			table->symtab[i].st_value = BASE / 2;
	}
}

/* Whether it is safe to search the result */
static bool make_index(struct kunit *test)
{
	struct world *w = test->priv;

	index_kallsyms(w->mod, w->mod->core_kallsyms.num_symtab);
	check_index(test);
	if (w->wrong) {
		show_table(test, &w->full);
		return false;
	}
	/*
	 * These get their values later, and more than once: always outside the
	 * regions
	 */
	move_livepatch_symbols(&w->full);
	move_livepatch_symbols(&w->mod->core_kallsyms);
	return true;
}

/* Like the end of do_init_module(): first another table, then less memory */
static void end_init(struct kunit *test, void (*check)(struct kunit *test))
{
	struct world *w = test->priv;

	use_table(w, &w->mod->core_kallsyms);
	check(test);
	set_memory(w, false);
	check(test);
}

/*
 * Like parisc in module_finalize(), when the core table and its index exist
 * already: the symbols behind a local label move up, and the last ones also
 * stay in place.
 */
static void truncate_table(struct world *w)
{
	unsigned int i, num = 1;

	for (i = 1; i < w->full.num_symtab; i++) {
		if (strncmp(w->full.strtab + w->full.symtab[i].st_name, ".L", 2))
			w->full.symtab[num++] = w->full.symtab[i];
	}
}

static void check_tables(struct kunit *test, void (*check)(struct kunit *test), bool truncated)
{
	if (!make_index(test))
		return;
	if (truncated)
		truncate_table(test->priv);
	check(test);
	end_init(test, check);
}

static void check_near(struct kunit *test, unsigned long addr)
{
	check_addr(test, addr - 1);
	check_addr(test, addr);
	check_addr(test, addr + 1);
}

/* The addresses where the result may change; a sample if the table is large */
static void check_changes(struct kunit *test)
{
	struct world *w = test->priv;
	const unsigned int step = 1 + w->full.num_symtab / 500;
	unsigned int i;

	for_each_mod_mem_type(type) {
		check_near(test, w->regions[type].base);
		check_near(test, w->regions[type].base + w->regions[type].size);
	}
	for (i = 1; i < w->full.num_symtab && !w->wrong; i += step) {
		check_near(test, w->full.symtab[i].st_value);
		cond_resched();
	}
}

/*
 * Small tables: up to three symbols of all kinds, and four of a few kinds, with
 * values in and around three regions, two of them adjacent. As in a module, the
 * values of livepatch symbols lie outside.
 */
static const unsigned long small_values[] = {
	BASE - 1, BASE + 4,				/* outside */
	BASE, BASE + 1, BASE + 2, BASE + 3, BASE + 5,	/* inside */
};

#define SMALL_FROM	(BASE - 1)
#define SMALL_TO	(BASE + 6)
#define SMALL_VALUES	ARRAY_SIZE(small_values)
#define SMALL_SORTS	(LIVEPATCH * SMALL_VALUES + 2)
#define FEW_SORTS	(FEW_KINDS * SMALL_VALUES)

static void check_small(struct kunit *test)
{
	unsigned long addr;

	for (addr = SMALL_FROM; addr <= SMALL_TO; addr++)
		check_addr(test, addr);
}

/*
 * The digits of n are the kinds of symbol: this gives each order of the same
 * ones
 */
static void small_table(struct kunit *test, unsigned long n, unsigned int sorts,
			unsigned int num)
{
	struct world *w = test->priv;
	unsigned int i;

	start_table(w, 1 + num);
	for (i = 1; i <= num; i++, n /= sorts)
		set_symbol(w, i, n % sorts / SMALL_VALUES,
			   small_values[n % sorts % SMALL_VALUES]);
	make_core(w);
	check_tables(test, check_small, false);
	cond_resched();
}

static void small_world(struct kunit *test)
{
	static const enum mod_mem_type types[][3] = {
		{ MOD_TEXT, MOD_INIT_TEXT, MOD_DATA },
		{ MOD_INIT_TEXT, MOD_DATA, MOD_TEXT },
	};
	struct world *w = test->priv;
	unsigned long n, want = 0;
	unsigned int i, num;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		set_region(w, types[i][0], BASE, 2);
		set_region(w, types[i][1], BASE + 2, 2);
		set_region(w, types[i][2], BASE + 5, 1);
		for (num = 0; num <= 4; num++) {
			unsigned int sorts = num < 4 ? SMALL_SORTS : FEW_SORTS;
			unsigned long tables = int_pow(sorts, num);

			for (n = 0; n < tables && !w->wrong; n++)
				small_table(test, n, sorts, num);
			want += tables;
		}
	}
	KUNIT_EXPECT_EQ(test, w->tables, want);
	/* The full table, the core table, and the core table without init */
	KUNIT_EXPECT_EQ(test, w->cases, 3 * want * (SMALL_TO - SMALL_FROM + 1));
}

static unsigned long below(struct world *w, unsigned long limit)
{
	return prandom_u32_state(&w->rnd) % limit;
}

/* In any order, often adjacent, sometimes empty */
static void random_regions(struct world *w)
{
	enum mod_mem_type types[] = {
		MOD_TEXT, MOD_INIT_TEXT, MOD_DATA, MOD_RODATA, MOD_INIT_DATA,
	};
	unsigned long base = BASE;
	unsigned int i, k, size;

	for (i = ARRAY_SIZE(types); i > 0; i--) {
		k = below(w, i);
		swap(types[i - 1], types[k]);
		base += below(w, 2) ? below(w, 20) : 0;
		size = below(w, 8) ? 1 + below(w, 200) : 0;
		set_region(w, types[i - 1], base, size);
		base += size;
	}
}

static void random_symbols(struct world *w, bool tidy)
{
	unsigned long value, end = BASE;
	unsigned int i;

	for_each_mod_mem_type(type)
		end = max(end, w->regions[type].base + w->regions[type].size);

	for (i = 1; i < w->full.num_symtab; i++) {
		enum kind kind = below(w, 2) ? below(w, FEW_KINDS) : below(w, NUM_KINDS);

		/* A quarter are aliases of some symbol before them */
		if (kind == LIVEPATCH)
			value = below(w, 2) ? BASE - 1 - below(w, 16) : end + below(w, 16);
		else if (i > 1 && !below(w, 4))
			value = w->full.symtab[1 + below(w, i - 1)].st_value;
		else
			value = BASE - 16 + below(w, end + 32 - BASE);
		set_symbol(w, i, kind, value);
		/* One such symbol prevents an index */
		if (tidy && ref_misses(w, &w->full.symtab[i]))
			w->full.symtab[i].st_value = end + 32;
	}
}

static void random_table(struct kunit *test, unsigned int num, bool truncated)
{
	struct world *w = test->priv;

	start_table(w, 1 + num);
	random_symbols(w, num == MAX_SYMS || below(w, 4));
	make_core(w);
	check_tables(test, check_changes, truncated);
}

#define RANDOM_TABLES	1000

static void many_random_tables(struct kunit *test, bool truncated)
{
	struct world *w = test->priv;
	unsigned int i;

	for (i = 0; i < RANDOM_TABLES && !w->wrong; i++) {
		/* It keeps all symbols, if this kernel supports such modules */
		if (i == RANDOM_TABLES / 2)
			w->livepatch = set_livepatch_module(w->mod);
		random_regions(w);
		random_table(test, below(w, i % 4 ? 120 : 8), truncated);
	}
	KUNIT_EXPECT_EQ(test, i, RANDOM_TABLES);
	KUNIT_EXPECT_GT(test, w->indices, RANDOM_TABLES / 2);
	KUNIT_EXPECT_GT(test, w->hits, 0);
	KUNIT_EXPECT_GT(test, w->cases, w->hits);
}

static void random_tables(struct kunit *test)
{
	many_random_tables(test, false);
}

static void random_large_table(struct kunit *test)
{
	struct world *w = test->priv;

	set_region(w, MOD_INIT_TEXT, BASE, 10000);
	set_region(w, MOD_DATA, BASE + 10000, 10000);
	set_region(w, MOD_TEXT, BASE + 20000, 20000);
	random_table(test, MAX_SYMS, false);
	KUNIT_EXPECT_GT(test, w->hits, 0);
}

struct symbol {
	enum kind kind;
	int at;		/* from BASE */
};

static void set_symbols(struct world *w, const struct symbol *symbols, unsigned int num)
{
	unsigned int i;

	start_table(w, 1 + num);
	for (i = 0; i < num; i++)
		set_symbol(w, 1 + i, symbols[i].kind, BASE + symbols[i].at);
	make_core(w);
}

static void index_of_symbols(struct kunit *test)
{
	static const struct symbol symbols[] = {
		{ IN_TEXT, 0x18 }, { IN_INIT_TEXT, 0x08 }, { IN_TEXT, 0x10 },
		{ MAPPING, 0x10 }, { IN_TEXT, 0x18 }, { UNDEF, 0x08 },
		{ IN_TEXT, 0x40 }, { IN_INIT_TEXT, 0x08 }, { IN_TEXT, 0x11 },
	};
	/*
	 * The count, then indexes in the core table, which has 1, 3, 4, 5, 7
	 * and 9 of them
	 */
	static const unsigned int index[] = { 4, 2, 6, 4, 1 };
	struct world *w = test->priv;

	set_region(w, MOD_INIT_TEXT, BASE, 0x10);
	set_region(w, MOD_TEXT, BASE + 0x10, 0x10);
	set_symbols(w, symbols, ARRAY_SIZE(symbols));
	check_tables(test, check_changes, false);
	KUNIT_ASSERT_EQ(test, w->mod->core_kallsyms.num_symtab, 7);
	KUNIT_EXPECT_MEMEQ(test, index_of(&w->mod->core_kallsyms), index, sizeof(index));
}

/* Thousands of symbols with one value, before, among and behind the others */
static void aliases(struct kunit *test)
{
	static const struct {
		unsigned int at, size;
	} places[] = { { 0x10, 0x30 }, { 0x80, 0x40 }, { 0xf0, 0x10 } };
	struct world *w = test->priv;
	const unsigned int last = 5000;
	unsigned int i, k;

	set_region(w, MOD_TEXT, BASE, 0x100);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		const unsigned long at = BASE + places[i].at;

		start_table(w, 1 + last);
		/*
		 * Not the first of all, and at another position in the core
		 * table
		 */
		set_symbol(w, 1, IN_TEXT, BASE + 0x40);
		set_symbol(w, 2, MAPPING, at);
		set_symbol(w, 3, UNDEF, at);
		for (k = 4; k < last; k++)
			set_symbol(w, k, IN_TEXT, at);
		set_symbol(w, last, IN_TEXT, BASE + 0xc0);
		make_core(w);
		if (!make_index(test))
			return;

		expect(test, at, 4, places[i].size);
		expect(test, at + places[i].size - 1, 4, places[i].size);
		end_init(test, check_changes);
		expect(test, at, 3, places[i].size);
		expect(test, at + places[i].size - 1, 3, places[i].size);
	}
}

static void ends_of_regions(struct kunit *test)
{
	static const struct symbol symbols[] = {
		{ IN_TEXT, 0x10 }, { IN_TEXT, 0x1f }, { IN_TEXT, 0x20 }, { IN_INIT_TEXT, 0x04 },
		{ IN_TEXT, -1 }, { IN_TEXT, 0x30 }, { IN_DATA, 0x44 },
	};
	const unsigned int data = IS_ENABLED(CONFIG_KALLSYMS_ALL) ? 7 : 0;
	const struct {
		int at;
		unsigned int index, size;
	} wants[] = {
		{ -1 }, { 0x00 }, { 0x03 }, { 0x04, 4, 0x0c }, { 0x0f, 4, 0x0c },
		{ 0x10, 1, 0x0f }, { 0x1e, 1, 0x0f }, { 0x1f, 2, 1 }, { 0x20 }, { 0x2f },
		{ 0x30 }, { 0x31 }, { 0x3f }, { 0x40 }, { 0x43 }, { 0x44, data, 0x0c },
		{ 0x4f, data, 0x0c }, { 0x50 },
	};
	struct world *w = test->priv;
	unsigned int i;

	set_region(w, MOD_INIT_TEXT, BASE, 0x10);
	set_region(w, MOD_TEXT, BASE + 0x10, 0x10);
	set_region(w, MOD_RODATA, BASE + 0x30, 0);
	set_region(w, MOD_DATA, BASE + 0x40, 0x10);
	set_symbols(w, symbols, ARRAY_SIZE(symbols));
	if (!make_index(test))
		return;

	for (i = 0; i < ARRAY_SIZE(wants); i++)
		expect(test, BASE + wants[i].at, wants[i].index, wants[i].size);
	end_init(test, check_changes);
	expect(test, BASE + 0x04, 0, 0);
	expect(test, BASE + 0x10, 1, 0x0f);
	expect(test, BASE + 0x1f, 2, 1);
}

static void truncated_table(struct kunit *test)
{
	/* The core table gets as many as before, but not the same ones */
	static const struct symbol symbols[] = { { DOT_L, 4 }, { IN_TEXT, 0 }, { IN_TEXT, 8 } };
	struct world *w = test->priv;

	set_region(w, MOD_TEXT, BASE, 0x10);
	set_symbols(w, symbols, ARRAY_SIZE(symbols));
	if (!make_index(test))
		return;
	truncate_table(w);

	expect(test, BASE + 5, 1, 8);
	expect(test, BASE + 9, 2, 8);
	end_init(test, check_changes);
	expect(test, BASE + 5, 2, 8);
	expect(test, BASE + 9, 3, 8);
	many_random_tables(test, true);
}

static void no_symbols(struct kunit *test)
{
	struct world *w = test->priv;
	unsigned int num_symtab;

	set_region(w, MOD_TEXT, BASE, 0x10);
	/*
	 * Without the first symbol, which does not count, and with only that
	 * one
	 */
	for (num_symtab = 0; num_symtab < 2; num_symtab++) {
		start_table(w, num_symtab);
		make_core(w);
		if (!make_index(test))
			return;
		expect(test, BASE, 0, 0);
		end_init(test, check_changes);
		expect(test, BASE + 0xf, 0, 0);
	}
	KUNIT_EXPECT_EQ(test, w->hits, 0);
}

/*
 * An index may be the last thing in MOD_DATA, and must not make a symbol
 * longer. The first page of this region ends with the types, and the index
 * follows. It may be empty.
 */
static void index_is_not_counted(struct kunit *test)
{
	unsigned long size, offset, base;
	struct world *w = test->priv;
	struct mod_kallsyms *core;
	unsigned int *index;

	if (!IS_ENABLED(CONFIG_KALLSYMS_ALL))
		kunit_skip(test, "symbols of data are not looked up");
	start_table(w, 2);
	base = PAGE_ALIGN((unsigned long)w->rooms[1]);
	set_region(w, MOD_DATA, base, 2 * PAGE_SIZE);
	set_memory(w, true);
	set_symbol(w, 1, IN_DATA, base + 16);
	core = &w->mod->core_kallsyms;
	*core = w->full;
	core->typetab = (char *)base + PAGE_SIZE - core->num_symtab;
	index = index_of(core);
	KUNIT_ASSERT_EQ(test, (unsigned long)index, base + PAGE_SIZE);

	for (index[1] = 1, index[0] = 0; index[0] < 2; index[0]++) {
		KUNIT_EXPECT_NOT_NULL(test, find(w->mod, base + PAGE_SIZE - 1, &size, &offset));
		KUNIT_EXPECT_EQ(test, size, PAGE_SIZE - 16);
		KUNIT_EXPECT_EQ(test, offset, PAGE_SIZE - 17);
		KUNIT_EXPECT_NULL(test, find(w->mod, base + PAGE_SIZE, NULL, NULL));
		w->cases += 2;
		w->hits++;
	}
}

static void loaded_modules(struct kunit *test)
{
	struct world *w = test->priv;
	const struct mod_kallsyms *table;
	unsigned int i, num = 0;
	struct module *mod;

	/*
	 * While this is held, no module is removed, and none finishes its init
	 */
	mutex_lock(&module_mutex);
	list_for_each_entry(mod, &modules, list) {
		if (mod->state != MODULE_STATE_LIVE)
			continue;
		table = rcu_dereference_protected(mod->kallsyms,
						  lockdep_is_held(&module_mutex));
		for (i = 1; i < table->num_symtab && !w->wrong; i++) {
			const Elf_Sym *sym = &table->symtab[i];
			unsigned long addr = kallsyms_symbol_value(sym);
			struct answer want;

			if (sym->st_shndx == SHN_UNDEF || ELF_ST_TYPE(sym->st_info) != STT_FUNC)
				continue;
			/*
			 * The same result up to the next symbol: no further
			 * scans
			 */
			want = ref_find(mod, table, addr);
			agrees(test, mod, addr, &want);
			if (want.name && want.end - addr > 1) {
				agrees(test, mod, addr + 1, &want);
				agrees(test, mod, want.end - 1, &want);
			}
			cond_resched();
		}
		num++;
	}
	mutex_unlock(&module_mutex);

	w->tables = num;
	no_module = !num;
	if (no_module)
		kunit_skip(test, "no module is loaded");
	KUNIT_EXPECT_GT(test, w->hits, 0);
}

static int world_init(struct kunit *test)
{
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	if (!w)
		return -ENOMEM;
	test->priv = w;
	w->mod = kunit_kzalloc(test, sizeof(*w->mod), GFP_KERNEL);
	w->rooms[0] = kvmalloc(ROOM_SIZE, GFP_KERNEL);
	w->rooms[1] = kvmalloc(ROOM_SIZE, GFP_KERNEL);
	if (!w->mod || !w->rooms[0] || !w->rooms[1])
		return -ENOMEM;

	strscpy(w->mod->name, "made_up");
	w->mod->state = MODULE_STATE_UNFORMED;
	prandom_seed_state(&w->rnd, seed);
	return 0;
}

static void world_exit(struct kunit *test)
{
	struct world *w = test->priv;

	if (!w)
		return;
	kunit_info(test, "seed %lu: %lu cases, %lu tables, %lu with an index; a symbol found in %lu\n",
		   seed, w->cases, w->tables, w->indices, w->hits);
	kvfree(w->rooms[0]);
	kvfree(w->rooms[1]);
}

static struct kunit_case ftrace_lookup_order_cases[] = {
	KUNIT_CASE_SLOW(small_world),
	KUNIT_CASE_SLOW(random_tables),
	KUNIT_CASE(random_large_table),
	KUNIT_CASE(index_of_symbols),
	KUNIT_CASE(aliases),
	KUNIT_CASE(ends_of_regions),
	KUNIT_CASE_SLOW(truncated_table),
	KUNIT_CASE(no_symbols),
	KUNIT_CASE(index_is_not_counted),
	KUNIT_CASE_SLOW(loaded_modules),
	{}
};

/* KUnit repeats the skip of a case, but now there may be modules */
static int modules_again(struct kunit_suite *suite)
{
	struct kunit_case *test_case;

	kunit_suite_for_each_test_case(suite, test_case)
		if (no_module && test_case->run_case == loaded_modules)
			test_case->status = KUNIT_SUCCESS;
	return 0;
}

static struct kunit_suite ftrace_lookup_order_suite = {
	.name = "ftrace_lookup_order",
	.suite_init = modules_again,
	.init = world_init,
	.exit = world_exit,
	.test_cases = ftrace_lookup_order_cases,
};

kunit_test_suites(&ftrace_lookup_order_suite);

#endif
