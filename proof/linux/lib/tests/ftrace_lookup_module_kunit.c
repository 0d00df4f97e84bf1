// SPDX-License-Identifier: GPL-2.0
/*
 * Proof outside the series: built into the tested kernels, never mailed.
 *
 * mod_text_syms_find(), which finds the symbol before the address of a module's
 * ftrace record, is compared with a scan of the whole symbol table for each
 * address.
 *
 * The test makes up the module and its addresses. Nothing dereferences them.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#if defined(CONFIG_MODULES) && defined(CONFIG_KALLSYMS) && defined(FTRACE_MCOUNT_MAX_OFFSET)

static ulong seed = 612;
module_param(seed, ulong, 0444);
MODULE_PARM_DESC(seed, "Where the random tables start");

#define BASE		0x40000000UL
#define MAX_SYMS	30000

enum sym_class {
	PLAIN, ABSOLUTE, UNDEF, UNNAMED, DOT_L, L_ZERO, DOLLAR,
	SMALL_CLASSES,
	/* Names similar to those of mapping symbols, for random tables */
	DOT = SMALL_CLASSES, DOT_LOWER_L, L_ONE, L, INNER_DOLLAR,
	NUM_CLASSES
};

/* The string table starts with an empty name, like that of a module */
static char names[][8] = {
	[0] = "",
	[1 + PLAIN] = "plain", [1 + ABSOLUTE] = "abs", [1 + UNDEF] = "undef", [1 + UNNAMED] = "",
	[1 + DOT_L] = ".L1", [1 + L_ZERO] = "L0\001", [1 + DOLLAR] = "$x", [1 + DOT] = ".text",
	[1 + DOT_LOWER_L] = ".l1", [1 + L_ONE] = "L1", [1 + L] = "L", [1 + INNER_DOLLAR] = "x$x",
};

struct world {
	struct module *mod;
	struct mod_kallsyms kallsyms;
	struct rnd_state rnd;
	unsigned long finds, hits;
};

static void set_region(struct world *w, enum mod_mem_type type, unsigned long base,
		       unsigned int size)
{
	w->mod->mem[type].base = (void *)base;
	w->mod->mem[type].size = size;
}

static unsigned long region_base(const struct world *w, enum mod_mem_type type)
{
	return (unsigned long)w->mod->mem[type].base;
}

static unsigned long region_end(const struct world *w, enum mod_mem_type type)
{
	return region_base(w, type) + w->mod->mem[type].size;
}

static void set_symbol(struct world *w, unsigned int i, enum sym_class class, unsigned long value)
{
	w->kallsyms.symtab[i] = (Elf_Sym) {
		.st_name = (1 + class) * sizeof(names[0]),
		.st_shndx = class == UNDEF ? SHN_UNDEF : class == ABSOLUTE ? SHN_ABS : 1,
		.st_value = value,
	};
}

/*
 * A table with room for num symbols. Neither the symbol at index 0 nor the one
 * behind the end counts, although both have addresses in text.
 */
static void set_table(struct world *w, unsigned int num)
{
	set_symbol(w, 0, PLAIN, region_base(w, MOD_TEXT));
	w->kallsyms.num_symtab = 1 + num;
	set_symbol(w, 1 + num, PLAIN, region_base(w, MOD_TEXT));
}

static bool ref_ignores(const struct mod_kallsyms *kallsyms, const Elf_Sym *sym)
{
	const char *name = kallsyms->strtab + sym->st_name;

	if (sym->st_shndx == SHN_UNDEF)
		return true;
	switch (name[0]) {
	case '\0':
	case '$':
		return true;
	case '.':
		return name[1] == 'L';
	case 'L':
		return name[1] == '0';
	}
	return false;
}

/* The address of the symbol, or 0 */
static unsigned long ref_find(const struct world *w, unsigned long ip)
{
	unsigned long base, value, best = 0;
	unsigned int i;

	if (ip >= region_base(w, MOD_TEXT) && ip < region_end(w, MOD_TEXT))
		base = region_base(w, MOD_TEXT);
	else if (ip >= region_base(w, MOD_INIT_TEXT) && ip < region_end(w, MOD_INIT_TEXT))
		base = region_base(w, MOD_INIT_TEXT);
	else
		return 0;

	for (i = 1; i < w->kallsyms.num_symtab; i++) {
		value = w->kallsyms.symtab[i].st_value;
		if (value < base || value > ip || value <= best)
			continue;
		if (ref_ignores(&w->kallsyms, &w->kallsyms.symtab[i]))
			continue;
		best = value;
	}
	return best;
}

static void show_world(struct kunit *test, const struct world *w)
{
	unsigned int i;

	kunit_info(test, "text %#lx-%#lx, init text %#lx-%#lx, symbols at 1..%d:\n",
		   region_base(w, MOD_TEXT), region_end(w, MOD_TEXT),
		   region_base(w, MOD_INIT_TEXT), region_end(w, MOD_INIT_TEXT),
		   (int)w->kallsyms.num_symtab - 1);
	for (i = 1; i < min(w->kallsyms.num_symtab, 9U); i++)
		kunit_info(test, "  %#lx '%s' section %#x\n",
			   (unsigned long)w->kallsyms.symtab[i].st_value,
			   w->kallsyms.strtab + w->kallsyms.symtab[i].st_name,
			   w->kallsyms.symtab[i].st_shndx);
}

/* Returns false after the first difference */
static bool agrees(struct kunit *test, const struct mod_text_syms *syms, unsigned long ip)
{
	unsigned long got = mod_text_syms_find(syms, ip);
	struct world *w = test->priv;
	unsigned long want = ref_find(w, ip);

	w->finds++;
	w->hits += !!want;
	if (got == want)
		return true;

	KUNIT_FAIL(test, "ip %#lx: got %#lx, want %#lx\n", ip, got, want);
	show_world(test, w);
	return false;
}

static struct mod_text_syms *get_syms(struct kunit *test)
{
	struct world *w = test->priv;
	struct mod_text_syms *syms = mod_text_syms_alloc(w->mod);

	KUNIT_ASSERT_NOT_NULL(test, syms);
	return syms;
}

/*
 * Small tables: up to four symbols at six addresses in and around two adjacent
 * regions of three bytes, with all classes: 42 kinds of symbol.
 */
#define SMALL_SIZE	3

static const unsigned long small_values[] = {
	BASE - 1,	/* below both regions */
	BASE,		/* the first byte of the first region */
	BASE + 1,	/* inside */
	BASE + 2,	/* its last byte */
	BASE + 3,	/* the first byte of the second region */
	BASE + 6,	/* after both */
};

#define SMALL_FROM	(BASE - 2)
#define SMALL_TO	(BASE + 2 * SMALL_SIZE + 1)
#define SMALL_SORTS	(ARRAY_SIZE(small_values) * SMALL_CLASSES)
#define SMALL_SYMS	4

/*
 * Counts up with one digit per symbol: this gives each order of the same
 * symbols
 */
static bool next_sorts(unsigned int *sorts, unsigned int num)
{
	while (num--) {
		if (++sorts[num] < SMALL_SORTS)
			return true;
		sorts[num] = 0;
	}
	return false;
}

static bool small_table(struct kunit *test, const unsigned int *sorts, unsigned int num)
{
	struct world *w = test->priv;
	struct mod_text_syms *syms;
	unsigned long ip;
	unsigned int i;

	set_table(w, num);
	for (i = 0; i < num; i++)
		set_symbol(w, 1 + i, sorts[i] % SMALL_CLASSES,
			   small_values[sorts[i] / SMALL_CLASSES]);

	syms = get_syms(test);
	for (ip = SMALL_FROM; ip <= SMALL_TO; ip++) {
		if (!agrees(test, syms, ip))
			break;
	}
	kvfree(syms);
	cond_resched();
	return ip > SMALL_TO;
}

/* Every table of up to four symbols, in every order, of two regions in both orders */
static void small_world(struct kunit *test)
{
	const unsigned long n = SMALL_SORTS;
	struct world *w = test->priv;
	unsigned long tables = 0;
	unsigned int num, i;

	for (i = 0; i < 2; i++) {
		set_region(w, MOD_TEXT, i ? BASE + SMALL_SIZE : BASE, SMALL_SIZE);
		set_region(w, MOD_INIT_TEXT, i ? BASE : BASE + SMALL_SIZE, SMALL_SIZE);
		for (num = 0; num <= SMALL_SYMS; num++) {
			unsigned int sorts[SMALL_SYMS] = { };

			do {
				tables++;
				if (!small_table(test, sorts, num))
					return;
			} while (next_sorts(sorts, num));
		}
	}
	kunit_info(test, "%lu cases: %lu tables, %lu addresses each; a symbol found in %lu\n",
		   w->finds, tables, SMALL_TO - SMALL_FROM + 1, w->hits);
	KUNIT_EXPECT_EQ(test, tables, 2 * (1 + n + n * n + n * n * n + n * n * n * n));
	KUNIT_EXPECT_EQ(test, w->finds, tables * (SMALL_TO - SMALL_FROM + 1));
}

static unsigned long below(struct world *w, unsigned long limit)
{
	return prandom_u32_state(&w->rnd) % limit;
}

static void random_regions(struct world *w)
{
	bool init_first = below(w, 2);
	enum mod_mem_type first = init_first ? MOD_INIT_TEXT : MOD_TEXT;
	enum mod_mem_type second = init_first ? MOD_TEXT : MOD_INIT_TEXT;

	set_region(w, first, BASE + below(w, 64), 1 + below(w, 500));
	/* Often adjacent */
	set_region(w, second, region_end(w, first) + (below(w, 2) ? below(w, 100) : 0),
		   1 + below(w, 500));
	set_region(w, MOD_DATA, region_end(w, second), 64);
	/* Few modules have no text, but many have no init text */
	if (!below(w, 8))
		set_region(w, MOD_INIT_TEXT, 0, 0);
	if (!below(w, 32))
		set_region(w, MOD_TEXT, 0, 0);
}

static void random_symbols(struct world *w, unsigned int num)
{
	unsigned long span = region_end(w, MOD_DATA) + 32 - (BASE - 32), value = BASE;
	unsigned int i;

	set_table(w, num);
	for (i = 1; i <= num; i++) {
		/* A quarter are aliases of some symbol before them */
		if (i > 1 && !below(w, 4))
			value = w->kallsyms.symtab[1 + below(w, i - 1)].st_value;
		else
			value = BASE - 32 + below(w, span);
		set_symbol(w, i, below(w, NUM_CLASSES), value);
	}
}

static bool random_table(struct kunit *test, unsigned int num, unsigned int ips)
{
	static const enum mod_mem_type types[] = { MOD_TEXT, MOD_INIT_TEXT, MOD_DATA };
	struct world *w = test->priv;
	struct mod_text_syms *syms;
	unsigned int i, k;
	bool ok = true;

	random_symbols(w, num);
	syms = get_syms(test);

	for (i = 0; ok && i < ARRAY_SIZE(types); i++) {
		for (k = 0; ok && k < 3; k++)
			ok = agrees(test, syms, region_base(w, types[i]) + k - 1) &&
			     agrees(test, syms, region_end(w, types[i]) + k - 1);
	}
	for (i = 0; ok && i < ips; i++) {
		unsigned long ip;

		/* Right at, next to, or away from a symbol */
		if (num && below(w, 4))
			ip = w->kallsyms.symtab[1 + below(w, num)].st_value + below(w, 3) - 1;
		else
			ip = BASE - 40 + below(w, region_end(w, MOD_DATA) + 80 - BASE);
		ok = agrees(test, syms, ip);
		cond_resched();
	}
	kvfree(syms);
	return ok;
}

#define RANDOM_TABLES	4000

static void random_tables(struct kunit *test)
{
	struct world *w = test->priv;
	unsigned int i;

	for (i = 0; i < RANDOM_TABLES; i++) {
		random_regions(w);
		/* Empty, one symbol, few, many */
		if (!random_table(test, i % 8 < 2 ? i % 8 : below(w, i % 8 < 5 ? 16 : 300), 64))
			break;
	}
	kunit_info(test, "seed %lu: %lu cases, %u tables; a symbol found in %lu\n",
		   seed, w->finds, i, w->hits);
	KUNIT_EXPECT_EQ(test, i, RANDOM_TABLES);
	KUNIT_EXPECT_GT(test, w->hits, 0);
	KUNIT_EXPECT_GT(test, w->finds, w->hits);
}

/* As many symbols as the largest modules have */
static void random_large_table(struct kunit *test)
{
	struct world *w = test->priv;

	set_region(w, MOD_INIT_TEXT, BASE, 100000);
	set_region(w, MOD_TEXT, BASE + 100000, 1000000);
	set_region(w, MOD_DATA, BASE + 1100000, 100000);
	random_table(test, MAX_SYMS, 500);
	kunit_info(test, "seed %lu: %lu cases; a symbol found in %lu\n", seed, w->finds, w->hits);
	KUNIT_EXPECT_GT(test, w->hits, 0);
}

/* The expectation of the test checks the reference as well */
static void expect(struct kunit *test, const struct mod_text_syms *syms, unsigned long ip,
		   unsigned long symbol)
{
	agrees(test, syms, ip);
	KUNIT_EXPECT_EQ_MSG(test, mod_text_syms_find(syms, ip), symbol, "ip %#lx", ip);
}

/* The verdict of test_for_valid_mod_rec() */
static bool is_valid(const struct mod_text_syms *syms, unsigned long ip)
{
	unsigned long addr = mod_text_syms_find(syms, ip);

	return addr && ip - addr <= FTRACE_MCOUNT_MAX_OFFSET;
}

#define TEXT_SIZE	0x1000

/* For a table of these symbols, in the existing regions */
static struct mod_text_syms *get_syms_of(struct kunit *test, const unsigned long *values,
					 unsigned int num)
{
	struct world *w = test->priv;
	unsigned int i;

	set_table(w, num);
	for (i = 0; i < num; i++)
		set_symbol(w, 1 + i, PLAIN, values[i]);
	return get_syms(test);
}

static struct mod_text_syms *get_syms_at(struct kunit *test, unsigned long text,
					 unsigned long init_text, const unsigned long *values,
					 unsigned int num)
{
	set_region(test->priv, MOD_TEXT, text, TEXT_SIZE);
	set_region(test->priv, MOD_INIT_TEXT, init_text, TEXT_SIZE);
	return get_syms_of(test, values, num);
}

static struct mod_text_syms *get_syms_beside(struct kunit *test, const unsigned long *values,
					     unsigned int num)
{
	return get_syms_at(test, BASE, BASE + TEXT_SIZE, values, num);
}

static void offsets_at_the_limit(struct kunit *test)
{
	/* Not in order; two of them have an alias */
	const unsigned long symbols[] = {
		BASE + 0x200, BASE + 0x100, BASE + TEXT_SIZE + 0x300, BASE + 0x100,
		BASE + TEXT_SIZE + 0x300,
	};
	struct mod_text_syms *syms = get_syms_beside(test, symbols, ARRAY_SIZE(symbols));
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(symbols); i++) {
		const unsigned long at = symbols[i], last = at + FTRACE_MCOUNT_MAX_OFFSET;

		expect(test, syms, at, at);
		KUNIT_EXPECT_TRUE(test, is_valid(syms, at));
		expect(test, syms, last, at);
		KUNIT_EXPECT_TRUE(test, is_valid(syms, last));
		/* A record left behind by an overridden weak function */
		expect(test, syms, last + 1, at);
		KUNIT_EXPECT_FALSE(test, is_valid(syms, last + 1));
		KUNIT_EXPECT_FALSE(test, is_valid(syms, at - 1));
	}
	expect(test, syms, BASE + 0x1ff, BASE + 0x100);
	kvfree(syms);
}

static void before_the_first_symbol(struct kunit *test)
{
	const unsigned long symbols[] = { BASE + TEXT_SIZE + 0x10, BASE + 0x10 };
	struct mod_text_syms *syms = get_syms_beside(test, symbols, ARRAY_SIZE(symbols));

	expect(test, syms, BASE, 0);
	expect(test, syms, BASE + 0xf, 0);
	expect(test, syms, BASE + TEXT_SIZE, 0);
	expect(test, syms, BASE + TEXT_SIZE + 0xf, 0);
	kvfree(syms);
}

static void ends_of_regions(struct kunit *test)
{
	const unsigned long symbols[] = {
		BASE + TEXT_SIZE, BASE + 2 * TEXT_SIZE - 1, BASE, BASE + TEXT_SIZE - 1,
	};
	struct mod_text_syms *syms = get_syms_beside(test, symbols, ARRAY_SIZE(symbols));

	expect(test, syms, BASE - 1, 0);
	expect(test, syms, BASE, BASE);
	expect(test, syms, BASE + TEXT_SIZE - 2, BASE);
	expect(test, syms, BASE + TEXT_SIZE - 1, BASE + TEXT_SIZE - 1);
	expect(test, syms, BASE + TEXT_SIZE, BASE + TEXT_SIZE);
	expect(test, syms, BASE + 2 * TEXT_SIZE - 2, BASE + TEXT_SIZE);
	expect(test, syms, BASE + 2 * TEXT_SIZE - 1, BASE + 2 * TEXT_SIZE - 1);
	expect(test, syms, BASE + 2 * TEXT_SIZE, 0);
	kvfree(syms);
}

/* Near enough to be valid, but behind a border of the region */
static void just_below_a_region(struct kunit *test)
{
	const unsigned long symbols[] = {
		BASE + TEXT_SIZE - 1, BASE - 1, BASE + 2 * TEXT_SIZE,
	};
	struct mod_text_syms *syms = get_syms_beside(test, symbols, ARRAY_SIZE(symbols));

	expect(test, syms, BASE, 0);
	expect(test, syms, BASE + FTRACE_MCOUNT_MAX_OFFSET, 0);
	expect(test, syms, BASE + TEXT_SIZE - 1, BASE + TEXT_SIZE - 1);
	expect(test, syms, BASE + TEXT_SIZE, 0);
	expect(test, syms, BASE + TEXT_SIZE + FTRACE_MCOUNT_MAX_OFFSET, 0);
	expect(test, syms, BASE + 2 * TEXT_SIZE, 0);
	kvfree(syms);
}

static void set_adjacent_regions(struct world *w, bool init_first, unsigned int text_size,
				 unsigned int init_text_size)
{
	set_region(w, MOD_TEXT, init_first ? BASE + init_text_size : BASE, text_size);
	set_region(w, MOD_INIT_TEXT, init_first ? BASE : BASE + text_size, init_text_size);
}

/* One symbol at an end of a region: only addresses of its region find it */
static void lone_symbols(struct kunit *test)
{
	const struct world *w = test->priv;
	const unsigned long ends[] = {
		region_base(w, MOD_TEXT), region_end(w, MOD_TEXT) - 1,
		region_base(w, MOD_INIT_TEXT), region_end(w, MOD_INIT_TEXT) - 1,
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		struct mod_text_syms *syms = get_syms_of(test, &ends[i], 1);

		for (k = 0; k < ARRAY_SIZE(ends); k++) {
			bool found = k / 2 == i / 2 && ends[k] >= ends[i];

			expect(test, syms, ends[k], found ? ends[i] : 0);
		}
		kvfree(syms);
	}
}

static void borders_between_regions(struct kunit *test)
{
	static const unsigned int sizes[] = { 1, 2, 3, 63, 64, 65, TEXT_SIZE };
	const unsigned int n = ARRAY_SIZE(sizes);
	unsigned int i;

	for (i = 0; i < 2 * n * n; i++) {
		set_adjacent_regions(test->priv, i % 2, sizes[i / 2 % n], sizes[i / 2 / n]);
		lone_symbols(test);
	}
}

/* Every table of one or two symbols in and around two regions, looked up from each address */
static void one_symbol_or_two(struct kunit *test)
{
	const unsigned int size = 12;
	const unsigned long end = BASE + 2 * size;
	struct world *w = test->priv;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		unsigned long values[2], ip;

		set_adjacent_regions(w, i, size, size);
		for (values[0] = BASE - 1; values[0] <= end; values[0]++) {
			for (values[1] = BASE - 1; values[1] <= end; values[1]++) {
				/* The same address twice: one symbol */
				unsigned int num = values[0] == values[1] ? 1 : 2;
				struct mod_text_syms *syms = get_syms_of(test, values, num);
				bool ok = true;

				for (ip = BASE - 1; ok && ip <= end; ip++)
					ok = agrees(test, syms, ip);
				kvfree(syms);
				if (!ok)
					return;
			}
			cond_resched();
		}
	}
	KUNIT_EXPECT_GT(test, w->hits, 0);
}

/* Thousands of symbols at one address: alone, and before, between and behind others */
static void aliases(struct kunit *test)
{
	const unsigned long first = BASE + 0x100, at = BASE + 0x200, last = BASE + 0x300;
	const unsigned long init = BASE + TEXT_SIZE + 0x100;
	struct world *w = test->priv;
	unsigned int i, k;

	set_adjacent_regions(w, false, TEXT_SIZE, TEXT_SIZE);
	for (i = 0; i < 8; i++) {
		const bool has_first = i & 1, has_last = i & 2, has_init = i & 4;
		struct mod_text_syms *syms;

		set_table(w, MAX_SYMS);
		for (k = 1; k <= MAX_SYMS; k++)
			set_symbol(w, k, PLAIN, at);
		/* Not at their positions in the sorted array */
		if (has_first)
			set_symbol(w, MAX_SYMS, PLAIN, first);
		if (has_last)
			set_symbol(w, 1, PLAIN, last);
		if (has_init)
			set_symbol(w, MAX_SYMS / 2, PLAIN, init);
		syms = get_syms(test);

		expect(test, syms, BASE, 0);
		expect(test, syms, first, has_first ? first : 0);
		expect(test, syms, at - 1, has_first ? first : 0);
		expect(test, syms, at, at);
		expect(test, syms, at + 1, at);
		expect(test, syms, last - 1, at);
		expect(test, syms, last, has_last ? last : at);
		expect(test, syms, BASE + TEXT_SIZE - 1, has_last ? last : at);
		expect(test, syms, init - 1, 0);
		expect(test, syms, init, has_init ? init : 0);
		expect(test, syms, BASE + 2 * TEXT_SIZE - 1, has_init ? init : 0);
		kvfree(syms);
		cond_resched();
	}
}

enum table_order { ASCENDING, DESCENDING, SHUFFLED, ENDS_FIRST, NUM_ORDERS };

/* One symbol every GAP bytes after start, but none at start */
#define GAP		4

static void set_spaced_symbols(struct world *w, unsigned long start, unsigned int num,
			       enum table_order order)
{
	unsigned int i, k;

	set_table(w, num);
	for (i = 1; i <= num; i++) {
		if (order == DESCENDING)
			k = num + 1 - i;
		else if (order == ENDS_FIRST)
			k = i % 2 ? (i + 1) / 2 : num + 1 - i / 2;
		else
			k = i;
		set_symbol(w, i, PLAIN, start + k * GAP);
	}
	for (i = num; order == SHUFFLED && i > 1; i--) {
		/* swap() evaluates its arguments twice */
		k = 1 + below(w, i);
		swap(w->kallsyms.symtab[i], w->kallsyms.symtab[k]);
	}
}

/*
 * The symbols start in the first region and end in the second one. The test
 * looks up every address from below the first to behind the last.
 */
static bool spaced_table(struct kunit *test, unsigned int num, unsigned int num_first,
			 bool init_first, enum table_order order)
{
	/* The regions meet in the middle of a gap */
	const unsigned long border = BASE + num_first * GAP + GAP / 2;
	const unsigned long end = BASE + (num + 1) * GAP;
	struct world *w = test->priv;
	struct mod_text_syms *syms;
	unsigned long ip, wrong = 0;

	set_adjacent_regions(w, init_first, init_first ? end - border : border - BASE,
			     init_first ? border - BASE : end - border);
	set_spaced_symbols(w, BASE, num, order);
	syms = get_syms(test);
	for (ip = BASE - 1; ip <= end && !wrong; ip++) {
		unsigned long got = mod_text_syms_find(syms, ip);
		unsigned long want = ip - (ip - BASE) % GAP;

		/* Outside, below all symbols, or below those of the second region */
		if (ip < BASE + GAP || ip >= end || (ip >= border && want < border))
			want = 0;
		w->finds++;
		w->hits += !!want;
		if (got == want)
			continue;
		KUNIT_FAIL(test, "%u symbols in order %u, ip %#lx: got %#lx, want %#lx\n",
			   num, order, ip, got, want);
		show_world(test, w);
		wrong++;
	}
	kvfree(syms);
	cond_resched();
	return !wrong;
}

/*
 * A binary search halves the length: test short ones, and those near powers of
 * two
 */
static unsigned int next_length(unsigned int num)
{
	unsigned int power = roundup_pow_of_two(num + 1);

	if (num < 40)
		return num + 1;
	if (num == power / 2 || num == power - 1)
		return num + 1;
	if (num == power / 2 + 1)
		return 3 * (power / 4);
	return power - 1;
}

static void lengths(struct kunit *test)
{
	struct world *w = test->priv;
	unsigned int num, i, order, tables = 0;

	for (num = 1; num <= 4097; num = next_length(num)) {
		/* All in one region, one in the other, or half of them */
		const unsigned int in_first[] = { num, num - 1, num / 2, 1 };

		for (order = 0; order < NUM_ORDERS; order++) {
			for (i = 0; i < 2 * ARRAY_SIZE(in_first); i++, tables++)
				if (!spaced_table(test, num, in_first[i / 2], i % 2, order))
					return;
		}
	}
	kunit_info(test, "%lu cases, %u tables; a symbol found in %lu\n",
		   w->finds, tables, w->hits);
	KUNIT_EXPECT_GT(test, w->hits, 0);
}

/*
 * A lookup that ignores the end of the table would find the symbols behind it
 */
static void end_of_table(struct kunit *test)
{
	const unsigned int room = 9;
	struct world *w = test->priv;
	unsigned int num, i;

	set_adjacent_regions(w, false, TEXT_SIZE, TEXT_SIZE);
	for (num = 0; num < room; num++) {
		struct mod_text_syms *syms;

		set_table(w, num);
		for (i = 1; i <= room; i++)
			set_symbol(w, i, PLAIN, BASE + i * 0x10);
		syms = get_syms(test);

		for (i = 0; i <= room + 1; i++) {
			const unsigned int best = min(i, num);

			expect(test, syms, BASE + i * 0x10, best ? BASE + best * 0x10 : 0);
		}
		expect(test, syms, BASE + TEXT_SIZE - 1, num ? BASE + num * 0x10 : 0);
		expect(test, syms, BASE + TEXT_SIZE, 0);
		kvfree(syms);
	}
}

/* Neither the distance nor the order of the regions matters */
static void regions_far_apart(struct kunit *test)
{
	const unsigned long far = BASE + 0x90000000UL, between = BASE + 0x48000000UL;
	const unsigned long symbols[] = { far + 1, between, BASE + 1, far, BASE };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct mod_text_syms *syms = get_syms_at(test, i ? far : BASE, i ? BASE : far,
							 symbols, ARRAY_SIZE(symbols));

		expect(test, syms, BASE, BASE);
		expect(test, syms, BASE + 2, BASE + 1);
		expect(test, syms, BASE + TEXT_SIZE - 1, BASE + 1);
		expect(test, syms, BASE + TEXT_SIZE, 0);
		expect(test, syms, between, 0);
		expect(test, syms, far - 1, 0);
		expect(test, syms, far, far);
		expect(test, syms, far + 2, far + 1);
		expect(test, syms, far + TEXT_SIZE - 1, far + 1);
		expect(test, syms, far + TEXT_SIZE, 0);
		kvfree(syms);
	}
}

#ifdef CONFIG_64BIT
/*
 * 4 GiB apart: a comparison of only the low 32 bits sorts the symbols of one
 * region, or of none, among those of the other.
 */
static void regions_a_turn_apart(struct kunit *test)
{
	const unsigned long next = BASE + (1UL << 32), after = BASE + (2UL << 32);
	const unsigned long symbols[] = { next + 0x8, after + 0x4, BASE + 0x10, next + 0x18 };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct mod_text_syms *syms = get_syms_at(test, i ? next : BASE, i ? BASE : next,
							 symbols, ARRAY_SIZE(symbols));

		expect(test, syms, BASE + 0x9, 0);
		expect(test, syms, BASE + 0x10, BASE + 0x10);
		expect(test, syms, BASE + 0x20, BASE + 0x10);
		expect(test, syms, next + 0x7, 0);
		expect(test, syms, next + 0x17, next + 0x8);
		expect(test, syms, next + 0x20, next + 0x18);
		expect(test, syms, after + 0x4, 0);
		expect(test, syms, after + 0x20, 0);
		kvfree(syms);
	}
}
#endif

/* As in a stripped module: few symbols in a large text, and most records far from them */
static void stripped_table(struct kunit *test)
{
	/* Not in order, and one is at the last byte */
	const unsigned long symbols[] = {
		BASE + SZ_4M, BASE + SZ_16M - 1, BASE + 0x40, BASE + SZ_8M, BASE, BASE + SZ_4M + 1,
	};
	static const unsigned int sorted[] = { 4, 2, 0, 5, 3, 1 };
	struct world *w = test->priv;
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		struct mod_text_syms *syms;
		unsigned long step;

		set_region(w, i ? MOD_INIT_TEXT : MOD_TEXT, BASE, SZ_16M);
		set_region(w, i ? MOD_TEXT : MOD_INIT_TEXT, BASE + SZ_16M, TEXT_SIZE);
		syms = get_syms_of(test, symbols, ARRAY_SIZE(symbols));
		expect(test, syms, BASE - 1, 0);
		for (k = 0; k < ARRAY_SIZE(sorted); k++) {
			const unsigned long at = symbols[sorted[k]];
			const unsigned long end = k + 1 < ARRAY_SIZE(sorted) ?
						  symbols[sorted[k + 1]] : BASE + SZ_16M;

			expect(test, syms, at, at);
			expect(test, syms, end - 1, at);
			for (step = 1; step < end - at; step *= 2) {
				expect(test, syms, at + step, at);
				expect(test, syms, end - step, at);
				KUNIT_EXPECT_EQ(test, is_valid(syms, at + step),
						step <= FTRACE_MCOUNT_MAX_OFFSET);
			}
		}
		/* The other region has no symbol */
		expect(test, syms, BASE + SZ_16M, 0);
		expect(test, syms, BASE + SZ_16M + TEXT_SIZE - 1, 0);
		kvfree(syms);
	}
}

/*
 * No text, no init text, or neither; at NULL, as in a module, or at the usual
 * base
 */
static void empty_regions(struct kunit *test)
{
	const unsigned long text = BASE, init_text = BASE + TEXT_SIZE, end = BASE + 2 * TEXT_SIZE;
	const unsigned long symbols[] = {
		init_text + 1, 0, text + 1, ~0UL, init_text, end, text, 1, text - 1,
	};
	struct world *w = test->priv;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		const bool has_text = i & 1, has_init_text = i & 2, at_null = i & 4;
		struct mod_text_syms *syms;

		set_region(w, MOD_TEXT, at_null && !has_text ? 0 : text,
			   has_text ? TEXT_SIZE : 0);
		set_region(w, MOD_INIT_TEXT, at_null && !has_init_text ? 0 : init_text,
			   has_init_text ? TEXT_SIZE : 0);
		syms = get_syms_of(test, symbols, ARRAY_SIZE(symbols));
		expect(test, syms, 0, 0);
		expect(test, syms, 1, 0);
		expect(test, syms, text - 1, 0);
		expect(test, syms, text, has_text ? text : 0);
		expect(test, syms, init_text - 1, has_text ? text + 1 : 0);
		expect(test, syms, init_text, has_init_text ? init_text : 0);
		expect(test, syms, end - 1, has_init_text ? init_text + 1 : 0);
		expect(test, syms, end, 0);
		expect(test, syms, ~0UL, 0);
		kvfree(syms);
	}
}

static void no_symbols(struct kunit *test)
{
	struct mod_text_syms *syms = get_syms_beside(test, NULL, 0);
	struct world *w = test->priv;

	expect(test, syms, BASE, 0);
	expect(test, syms, BASE + TEXT_SIZE, 0);
	kvfree(syms);

	/* Without even the first symbol, which does not count */
	w->kallsyms.num_symtab = 0;
	syms = get_syms(test);
	expect(test, syms, BASE, 0);
	expect(test, syms, 0, 0);
	kvfree(syms);
}

static int world_init(struct kunit *test)
{
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	if (!w)
		return -ENOMEM;
	w->mod = kunit_kzalloc(test, sizeof(*w->mod), GFP_KERNEL);
	/* With index 0, and one more that lies behind the end */
	w->kallsyms.symtab = kvcalloc(MAX_SYMS + 2, sizeof(Elf_Sym), GFP_KERNEL);
	test->priv = w;
	if (!w->mod || !w->kallsyms.symtab)
		return -ENOMEM;

	w->kallsyms.strtab = names[0];
	w->kallsyms.typetab = names[0] + sizeof(names);
	w->mod->state = MODULE_STATE_COMING;
	RCU_INIT_POINTER(w->mod->kallsyms, &w->kallsyms);
	prandom_seed_state(&w->rnd, seed);
	return 0;
}

static void world_exit(struct kunit *test)
{
	struct world *w = test->priv;

	if (w)
		kvfree(w->kallsyms.symtab);
}

static struct kunit_case ftrace_lookup_module_cases[] = {
	KUNIT_CASE_SLOW(small_world),
	KUNIT_CASE_SLOW(random_tables),
	KUNIT_CASE(random_large_table),
	KUNIT_CASE(offsets_at_the_limit),
	KUNIT_CASE(before_the_first_symbol),
	KUNIT_CASE(ends_of_regions),
	KUNIT_CASE(just_below_a_region),
	KUNIT_CASE(borders_between_regions),
	KUNIT_CASE(one_symbol_or_two),
	KUNIT_CASE(aliases),
	KUNIT_CASE_SLOW(lengths),
	KUNIT_CASE(end_of_table),
	KUNIT_CASE(regions_far_apart),
#ifdef CONFIG_64BIT
	KUNIT_CASE(regions_a_turn_apart),
#endif
	KUNIT_CASE(stripped_table),
	KUNIT_CASE(empty_regions),
	KUNIT_CASE(no_symbols),
	{}
};

static struct kunit_suite ftrace_lookup_module_suite = {
	.name = "ftrace_lookup_module",
	.init = world_init,
	.exit = world_exit,
	.test_cases = ftrace_lookup_module_cases,
};

kunit_test_suites(&ftrace_lookup_module_suite);

#else

static void records_are_not_validated(struct kunit *test)
{
	kunit_skip(test, "needs MODULES and an architecture that defines FTRACE_MCOUNT_MAX_OFFSET");
}

static struct kunit_case ftrace_lookup_module_cases[] = {
	KUNIT_CASE(records_are_not_validated),
	{}
};

static struct kunit_suite ftrace_lookup_module_suite = {
	.name = "ftrace_lookup_module",
	.test_cases = ftrace_lookup_module_cases,
};

kunit_test_suites(&ftrace_lookup_module_suite);

#endif
