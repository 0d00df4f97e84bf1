// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the symbol lookups of ftrace. Run them with
 *
 *   ./tools/testing/kunit/kunit.py run --arch=x86_64 \
 *		--kunitconfig=lib/tests/ftrace_lookup.kunitconfig
 *
 * Suite ftrace_lookup tests ftrace_lookup_symbols() against a scan of all symbols. Suite
 * ftrace_lookup_records tests mod_text_syms_find() against a scan of a made-up symbol table.
 */
#include <kunit/test.h>
#include <linux/bsearch.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/sort.h>

/* A batch of all is above any limit for few names */
#define SAMPLE_MAX	80

/* Fills a slot before a lookup, so that it is not right by accident */
#define GARBAGE		0xa5a5a5a5UL

/* Names of traceable functions, evenly spaced in address order */
static char sample[SAMPLE_MAX][KSYM_NAME_LEN];
static unsigned long num_sample, num_traceable;

/* The sample as a batch, sorted. The last two tests change it. */
static const char *names[SAMPLE_MAX];
static unsigned long want[SAMPLE_MAX], addrs[SAMPLE_MAX];

/* ftrace_lookup_dup.c has symbols of these two names, and its symbols come first */
static noinline __used int ftrace_lookup_hidden(void)
{
	return 11;
}

static noinline __used int ftrace_lookup_twin(void)
{
	return 12;
}

static noinline notrace __used int ftrace_lookup_never(void)
{
	return 13;
}

static int ftrace_lookup_data __used = 14;

static int cmp_name(const void *a, const void *b)
{
	return strcmp(*(const char **)a, *(const char **)b);
}

/* Count the functions, or collect some if there is a pointer to how many were seen */
static int collect_function(void *data, const char *name, unsigned long addr)
{
	unsigned long *seen = data;

	if (!ftrace_location(addr))
		return 0;
	if (!seen)
		num_traceable++;
	else if (num_sample < SAMPLE_MAX &&
		 (*seen)++ == num_sample * (num_traceable - 1) / (SAMPLE_MAX - 1))
		strscpy(sample[num_sample++], name);
	return 0;
}

static int find_function(void *data, const char *name, unsigned long addr)
{
	const char **found = bsearch(&name, names, num_sample, sizeof(*names), cmp_name);

	if (found && !want[found - names] && ftrace_location(addr))
		want[found - names] = addr;
	return 0;
}

static int ftrace_lookup_suite_init(struct kunit_suite *suite)
{
	unsigned long i, num = 0, seen = 0;

	memset(want, 0, sizeof(want));
	num_sample = 0;
	num_traceable = 0;
	kallsyms_on_each_symbol(collect_function, NULL);
	kallsyms_on_each_symbol(collect_function, &seen);

	/* A batch must be sorted and must not have a name twice */
	for (i = 0; i < num_sample; i++)
		names[i] = sample[i];
	sort(names, num_sample, sizeof(*names), cmp_name, NULL);
	for (i = 0; i < num_sample; i++)
		if (!num || strcmp(names[num - 1], names[i]))
			names[num++] = names[i];
	num_sample = num;
	kallsyms_on_each_symbol(find_function, NULL);
	/* Tests that look up next to nothing must not pass */
	return num_sample > SAMPLE_MAX / 2 ? 0 : -ENODATA;
}

static void expect_one(struct kunit *test, const char *name, int want_ret, unsigned long want_addr)
{
	unsigned long addr = GARBAGE;

	KUNIT_EXPECT_EQ_MSG(test, ftrace_lookup_symbols(&name, 1, &addr), want_ret, "'%s'", name);
	KUNIT_EXPECT_EQ_MSG(test, addr, want_addr, "'%s'", name);
}

static void expect_batch(struct kunit *test, unsigned int num, int want_ret)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		addrs[i] = GARBAGE;
	KUNIT_EXPECT_EQ(test, ftrace_lookup_symbols(names, num, addrs), want_ret);
	for (i = 0; i < num; i++)
		KUNIT_EXPECT_EQ_MSG(test, addrs[i], want[i], "'%s'", names[i]);
}

/* The result is the address of the symbol, even if its ftrace location is another */
static void ftrace_lookup_test_sample(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < num_sample; i++)
		expect_one(test, names[i], 0, want[i]);
}

static void ftrace_lookup_test_duplicates(struct kunit *test)
{
	unsigned long hidden = (unsigned long)dereference_function_descriptor(ftrace_lookup_hidden);
	unsigned long twin = (unsigned long)dereference_function_descriptor(ftrace_lookup_twin);
	unsigned long first = kallsyms_lookup_name("ftrace_lookup_hidden");

	/* Fails if ftrace_lookup_dup.o was not linked first */
	KUNIT_ASSERT_NE(test, first, 0);
	KUNIT_ASSERT_LT(test, first, hidden);
	KUNIT_ASSERT_EQ(test, ftrace_location(first), 0);
	expect_one(test, "ftrace_lookup_hidden", 0, hidden);

	first = kallsyms_lookup_name("ftrace_lookup_twin");
	KUNIT_ASSERT_LT(test, first, twin);
	KUNIT_ASSERT_NE(test, ftrace_location(twin), 0);
	expect_one(test, "ftrace_lookup_twin", 0, first);
}

static void ftrace_lookup_test_batch(struct kunit *test)
{
	const unsigned int at = num_sample / 2;
	static char unknown[KSYM_NAME_LEN + 1];

	expect_batch(test, num_sample, 0);
	expect_batch(test, 8, 0);
	expect_batch(test, 0, -ESRCH);

	/* '!' sorts before all that follows in the name of a symbol */
	snprintf(unknown, sizeof(unknown), "%s!", names[at]);
	names[at] = unknown;
	want[at] = 0;
	expect_batch(test, num_sample, -ESRCH);
	expect_batch(test, at + 1, -ESRCH);

	/* Only one of the two slots gets the address. It does not matter which. */
	names[1] = names[0];
	KUNIT_EXPECT_EQ(test, ftrace_lookup_symbols(names, 2, addrs), -ESRCH);
	KUNIT_EXPECT_EQ(test, max(addrs[0], addrs[1]), want[0]);
	KUNIT_EXPECT_EQ(test, min(addrs[0], addrs[1]), 0);
}

static void ftrace_lookup_test_missing(struct kunit *test)
{
	static const char x[2 * KSYM_NAME_LEN + 1] = { [0 ... 2 * KSYM_NAME_LEN - 1] = 'x' };
	/* Sorted. A function and a variable exist, but ftrace cannot trace them. */
	static const char * const missing[] = {
		"", " ", ":ftrace_lookup_twin", "ftrace_lookup_data", "ftrace_lookup_never",
		"ftrace_lookup_twi", "ftrace_lookup_twin:", "no_such_module:ftrace_lookup_twin",
		"vmlinux:ftrace_lookup_twin", x + KSYM_NAME_LEN + 1, x + KSYM_NAME_LEN, x,
	};
	unsigned int i;

	KUNIT_EXPECT_NE(test, kallsyms_lookup_name("ftrace_lookup_never"), 0);

	/* One batch saves time: a lookup that fails may scan all symbols */
	static_assert(ARRAY_SIZE(missing) <= SAMPLE_MAX);
	memcpy(names, missing, sizeof(missing));
	memset(want, 0, sizeof(want));
	expect_batch(test, ARRAY_SIZE(missing), -ESRCH);

	/* A single name may take another path, where a colon or the length matters */
	for (i = 0; i < ARRAY_SIZE(missing); i++)
		if (!*missing[i] || strchr(missing[i], ':') || missing[i] == x)
			expect_one(test, missing[i], -ESRCH, 0);
	expect_one(test, "ftrace_lookup_never", -ESRCH, 0);
}

static struct kunit_case ftrace_lookup_cases[] = {
	KUNIT_CASE(ftrace_lookup_test_sample),
	KUNIT_CASE(ftrace_lookup_test_duplicates),
	KUNIT_CASE(ftrace_lookup_test_batch),
	KUNIT_CASE(ftrace_lookup_test_missing),
	{}
};

static struct kunit_suite ftrace_lookup_suite = {
	.name = "ftrace_lookup",
	.suite_init = ftrace_lookup_suite_init,
	.test_cases = ftrace_lookup_cases,
};

#ifdef FTRACE_MCOUNT_MAX_OFFSET
#define BASE		(-0x40000000UL)	/* like the modules of x86, in the upper half */
#define FAR		(BASE / 2)	/* lower than BASE; on 64 bit, its low 32 bits are higher */
#define SIZE		0x100
#define SYMS_MAX	100

/* The symbols that find_kallsyms_symbol() can return, then those that it ignores */
enum kind { FUNC, ABS, DOT, L_ONE, INNER_DOLLAR, VALID_KINDS,
	    UNDEF = VALID_KINDS, UNNAMED, DOT_L, L_ZERO, DOLLAR, KINDS };

static char kind_names[KINDS][8] = { "f", "a", ".t", "L1", "x$x", "u", "", ".L1", "L0\001", "$x" };

/* A made-up module. Nothing dereferences its addresses. */
static Elf_Sym syms[1 + SYMS_MAX];
static struct mod_kallsyms table = { .symtab = syms, .strtab = kind_names[0] };
static struct module mod = {
	.state = MODULE_STATE_COMING,
	.kallsyms = RCU_INITIALIZER(&table),
};

static void add_symbol(enum kind kind, unsigned long value)
{
	syms[table.num_symtab++] = (Elf_Sym) {
		.st_name = kind * sizeof(kind_names[0]), .st_value = value,
		.st_shndx = kind == UNDEF ? SHN_UNDEF : kind == ABS ? SHN_ABS : 1,
	};
}

/* The symbol at index 0 does not count, though it looks as if it did */
static void start_table(unsigned long text, u32 size, unsigned long init, u32 init_size)
{
	mod.mem[MOD_TEXT] = (struct module_memory) { .base = (void *)text, .size = size };
	mod.mem[MOD_INIT_TEXT] = (struct module_memory) { .base = (void *)init, .size = init_size };
	table.num_symtab = 0;
	add_symbol(FUNC, text);
}

static unsigned long scan(const struct module_memory *mem, unsigned long ip)
{
	unsigned long base = (unsigned long)mem->base, best = 0;
	unsigned int i;

	for (i = 1; ip - base < mem->size && i < table.num_symtab; i++)
		if (syms[i].st_name < VALID_KINDS * sizeof(kind_names[0]) &&
		    syms[i].st_value >= base && syms[i].st_value <= ip)
			best = max_t(unsigned long, best, syms[i].st_value);
	return best;
}

/* Compare the array with the scan, in and around both regions. Return the number of hits. */
static unsigned int check_table(struct kunit *test)
{
	const struct module_memory *mems[] = { &mod.mem[MOD_TEXT], &mod.mem[MOD_INIT_TEXT] };
	struct mod_text_syms *array = mod_text_syms_alloc(&mod);
	unsigned int i, k, hits = 0;
	unsigned long ip, sym, wrong = 0;

	KUNIT_ASSERT_NOT_NULL(test, array);
	for (i = 0; i < ARRAY_SIZE(mems); i++) {
		/* Every address, or some of them if the region is large */
		for (k = 0; k < mems[i]->size + 4; k += 1 + mems[i]->size / 1024) {
			ip = (unsigned long)mems[i]->base - 2 + k;
			/* The regions do not overlap, so one of the two is 0 */
			sym = scan(mems[0], ip) + scan(mems[1], ip);
			if (mod_text_syms_find(array, ip) != sym)
				wrong = ip;
			hits += !!sym;
		}
	}
	kvfree(array);
	KUNIT_ASSERT_EQ_MSG(test, wrong, 0, "not the symbol of a scan at %#lx", wrong);
	return hits;
}

static void mod_text_syms_test_region_ends(struct kunit *test)
{
	/* Text and init text, adjacent and far apart */
	static const unsigned long bases[][2] = {
		{ BASE, BASE + SIZE }, { BASE + SIZE, BASE }, { BASE, FAR }, { FAR, BASE },
	};
	unsigned int i, k;
	enum kind kind;

	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		start_table(bases[i][0], SIZE, bases[i][1], SIZE);
		for (k = 0; k < 2; k++) {
			add_symbol(FUNC, bases[i][k] + SIZE - 1);
			add_symbol(FUNC, bases[i][k] + 8);
			/* In the other region if they are adjacent */
			add_symbol(FUNC, bases[i][k] - 1);
			/* Each kind, alone at its address and as an alias */
			for (kind = 0; kind < KINDS; kind++) {
				add_symbol(kind, bases[i][k] + 16 + 2 * kind);
				add_symbol(kind, bases[i][k] + 8);
			}
		}
		KUNIT_EXPECT_GE(test, check_table(test), 2 * (SIZE - 8));
	}
}

static void mod_text_syms_test_few_symbols(struct kunit *test)
{
	/* No symbol at all, then the one at index 0 and data symbols */
	start_table(BASE, SIZE, BASE + SIZE, SIZE);
	table.num_symtab = 0;
	KUNIT_EXPECT_EQ(test, check_table(test), 0);
	table.num_symtab = 1;
	add_symbol(FUNC, BASE - 8);
	add_symbol(FUNC, BASE + 2 * SIZE);
	KUNIT_EXPECT_EQ(test, check_table(test), 0);

	/* A stripped module: the records are far from the symbols that are left */
	start_table(BASE, 0x10000000, BASE + 0x10000000, SIZE);
	add_symbol(FUNC, BASE + 0x10000000 - 16);
	add_symbol(FUNC, BASE + 16);
	KUNIT_EXPECT_GT(test, check_table(test), 1000);
}

static void mod_text_syms_test_random(struct kunit *test)
{
	unsigned int i, k, hits = 0;
	struct rnd_state rnd;
	unsigned long at;

	prandom_seed_state(&rnd, 612);
	for (i = 0; i < 200; i++) {
		/* In both orders, adjacent or not, sometimes without the second region */
		at = BASE + SIZE + (i & 2 ? prandom_u32_state(&rnd) % 64 : 0);
		start_table(i & 1 ? BASE : at, SIZE, i & 1 ? at : BASE, i & 4 ? SIZE : 0);
		for (k = prandom_u32_state(&rnd) % (SYMS_MAX + 1); k; k--) {
			at = BASE - 32 + prandom_u32_state(&rnd) % (2 * SIZE + 128);
			/* A quarter of them are aliases */
			if (prandom_u32_state(&rnd) % 4 == 0)
				at = syms[prandom_u32_state(&rnd) % table.num_symtab].st_value;
			add_symbol(prandom_u32_state(&rnd) % KINDS, at);
		}
		hits += check_table(test);
	}
	KUNIT_EXPECT_GT(test, hits, 0);
}
#else
static void mod_text_syms_test_none(struct kunit *test)
{
	kunit_skip(test, "FTRACE_MCOUNT_MAX_OFFSET is not defined: every record is valid");
}
#endif

static struct kunit_case mod_text_syms_cases[] = {
#ifdef FTRACE_MCOUNT_MAX_OFFSET
	KUNIT_CASE(mod_text_syms_test_region_ends),
	KUNIT_CASE(mod_text_syms_test_few_symbols),
	KUNIT_CASE(mod_text_syms_test_random),
#else
	KUNIT_CASE(mod_text_syms_test_none),
#endif
	{}
};

static struct kunit_suite mod_text_syms_suite = {
	.name = "ftrace_lookup_records",
	.test_cases = mod_text_syms_cases,
};

kunit_test_suites(&ftrace_lookup_suite, &mod_text_syms_suite);
