// SPDX-License-Identifier: GPL-2.0
/*
 * Proof outside the series: built into the tested kernels, never mailed.
 *
 * ftrace_lookup_symbols() is called for every traceable function of vmlinux, one by
 * one and in batches. The results are compared with those of an oracle that shares no
 * code with the lookup: it scans all symbols of vmlinux once, calls ftrace_location()
 * for each, and keeps those that can be traced. Of several symbols with one name, the
 * first that can be traced counts. The number of functions is compared with the number
 * of ftrace records.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "../../kernel/trace/trace.h"	/* ftrace_update_tot_cnt */
#include "ftrace_lookup_proof.h"

/*
 * The limit for the distance of a record from its symbol; without it, all are
 * valid
 */
#ifdef FTRACE_MCOUNT_MAX_OFFSET
#define MAX_OFFSET	FTRACE_MCOUNT_MAX_OFFSET
#else
#define MAX_OFFSET	ULONG_MAX
#endif

#define LARGE_BATCH	1000
#define MAX_SHOWN	10

/* Fills addrs[] before a lookup, so that no slot is right by accident */
#define GARBAGE		0xa5a5a5a5UL

static_assert(sizeof(FTL_LONGEST_VARIABLE) == KSYM_NAME_LEN);

/*
 * ftrace_lookup_every_dup.c has both names, too, and is linked first. There, the
 * first function cannot be traced.
 */
static noinline __used int ftl_proof_hidden(void)
{
	return 11;
}

static noinline __used int ftl_proof_twin(void)
{
	return 12;
}

/* A symbol that ftrace can trace; the name is an offset as the pool may move */
struct traceable {
	size_t name;
	unsigned long addr;
};

static struct {
	char *pool;
	size_t pool_used, pool_size;
	/* In scan order, which is the order of the addresses */
	struct traceable *syms;
	size_t num, size;
	unsigned long scanned;
	/* The first of each name, sorted by name */
	const struct traceable **names;
	size_t num_names;
	/* Room for a batch of all names and an unknown one */
	const char **batch;
	unsigned long *want, *addrs;
} oracle;

static const char *name_of(const struct traceable *sym)
{
	return oracle.pool + sym->name;
}

static int cmp_traceable(const void *a, const void *b)
{
	const struct traceable *x = *(const struct traceable **)a;
	const struct traceable *y = *(const struct traceable **)b;
	int ret = strcmp(name_of(x), name_of(y));

	return ret ? ret : (x > y) - (x < y);
}

static int oracle_add(void *data, const char *name, unsigned long addr)
{
	size_t len = strlen(name) + 1;

	oracle.scanned++;
	if (!ftrace_location(addr))
		return 0;

	if (oracle.num == oracle.size) {
		size_t size = 2 * oracle.size + 4096;
		void *syms = kvrealloc(oracle.syms, array_size(size, sizeof(*oracle.syms)),
				       GFP_KERNEL);

		if (!syms)
			return -ENOMEM;
		oracle.syms = syms;
		oracle.size = size;
	}
	if (len > oracle.pool_size - oracle.pool_used) {
		size_t size = 2 * oracle.pool_size + SZ_64K;
		void *pool = kvrealloc(oracle.pool, size, GFP_KERNEL);

		if (!pool)
			return -ENOMEM;
		oracle.pool = pool;
		oracle.pool_size = size;
	}

	oracle.syms[oracle.num].name = oracle.pool_used;
	oracle.syms[oracle.num++].addr = addr;
	memcpy(oracle.pool + oracle.pool_used, name, len);
	oracle.pool_used += len;
	return 0;
}

static void oracle_exit(struct kunit_suite *suite)
{
	kvfree(oracle.pool);
	kvfree(oracle.syms);
	kvfree(oracle.names);
	kvfree(oracle.batch);
	kvfree(oracle.want);
	kvfree(oracle.addrs);
	memset(&oracle, 0, sizeof(oracle));
}

static int oracle_init(struct kunit_suite *suite)
{
	size_t i, room;
	int ret;

	ret = kallsyms_on_each_symbol(oracle_add, NULL);
	if (ret)
		return ret;

	room = oracle.num + 1;
	oracle.names = kvmalloc_array(room, sizeof(*oracle.names), GFP_KERNEL);
	oracle.batch = kvmalloc_array(room, sizeof(*oracle.batch), GFP_KERNEL);
	oracle.want = kvmalloc_array(room, sizeof(*oracle.want), GFP_KERNEL);
	oracle.addrs = kvmalloc_array(room, sizeof(*oracle.addrs), GFP_KERNEL);
	if (!oracle.names || !oracle.batch || !oracle.want || !oracle.addrs)
		return -ENOMEM;

	for (i = 0; i < oracle.num; i++)
		oracle.names[i] = &oracle.syms[i];
	sort(oracle.names, oracle.num, sizeof(*oracle.names), cmp_traceable, NULL);

	for (i = 0; i < oracle.num; i++) {
		const struct traceable *sym = oracle.names[i];

		if (i && !strcmp(name_of(sym), name_of(oracle.names[oracle.num_names - 1])))
			continue;
		oracle.names[oracle.num_names++] = sym;
	}
	return 0;
}

/* A test that looks up next to nothing must not pass */
static int need_names(struct kunit *test)
{
	KUNIT_ASSERT_FALSE(test, ftrace_is_dead());
	KUNIT_ASSERT_GT(test, oracle.num_names, LARGE_BATCH);
	return 0;
}

static int look_up(const char *name, unsigned long *addr)
{
	*addr = GARBAGE;
	return ftrace_lookup_symbols(&name, 1, addr);
}

static void every_function_alone(struct kunit *test)
{
	unsigned long wrong = 0, hidden = 0, addr;
	size_t i;

	for (i = 0; i < oracle.num_names; i++) {
		const struct traceable *sym = oracle.names[i];
		int ret = look_up(name_of(sym), &addr);

		if ((ret || addr != sym->addr) && wrong++ < MAX_SHOWN)
			KUNIT_FAIL(test, "%s: got %d, %#lx (%pS), want %#lx (%pS)\n",
				   name_of(sym), ret, addr, (void *)addr,
				   sym->addr, (void *)sym->addr);
		if (kallsyms_lookup_name(name_of(sym)) != sym->addr)
			hidden++;
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	kunit_info(test, "%zu names looked up, %lu of them hidden by one that cannot be traced\n",
		   i, hidden);
}

/* The record with the lowest address from start on, or 0 */
static unsigned long next_record(unsigned long start)
{
	unsigned long end = ULONG_MAX, found = 0, ip;

	/*
	 * ftrace_location() may return any record in the range: retry below it
	 */
	while ((ip = ftrace_location_range(start, end))) {
		found = ip;
		end = ip - 1;
	}
	return found;
}

/* Does the symbol have a valid record, not just one within its size? */
static bool has_own_record(unsigned long addr)
{
#ifdef FTRACE_MCOUNT_MAX_OFFSET
	return ftrace_location_range(addr, addr + FTRACE_MCOUNT_MAX_OFFSET);
#else
	return true;
#endif
}

/*
 * Every record of vmlinux belongs to a symbol of the oracle, which
 * every_function_alone() looks up, or an overridden weak function left it
 * behind and it lies too far behind the symbol before it. In turn, every
 * address of the oracle has exactly one record, or reaches a record that was
 * left behind.
 */
static void every_record_has_a_name(struct kunit *test)
{
	unsigned long own = 0, left = 0, again = 0, in_module = 0, wrong = 0;
	unsigned long addresses = 0, borrowed = 0;
	unsigned long total = ftrace_update_tot_cnt;
	unsigned long ip, start, last = 0;
	size_t i = 0;

	for (start = 0; (ip = next_record(start)); start = ip + MCOUNT_INSN_SIZE) {
		unsigned long size, offset;

		cond_resched();
		if (is_module_address(ip)) {
			in_module++;
			continue;
		}
		if (!kallsyms_lookup_size_offset(ip, &size, &offset)) {
			if (wrong++ < MAX_SHOWN)
				KUNIT_FAIL(test, "record %#lx lies in no symbol\n", ip);
			continue;
		}
		if (offset > MAX_OFFSET) {
			left++;
			continue;
		}
		if (ip - offset == last) {
			again++;
			continue;
		}
		last = ip - offset;
		while (i < oracle.num && oracle.syms[i].addr < last)
			i++;
		if (i < oracle.num && oracle.syms[i].addr == last)
			own++;
		else if (wrong++ < MAX_SHOWN)
			KUNIT_FAIL(test, "record %#lx: no lookup finds %pS\n", ip, (void *)last);
	}

	for (i = 0; i < oracle.num; i++) {
		if (i && oracle.syms[i].addr == oracle.syms[i - 1].addr)
			continue;
		addresses++;
		if (!has_own_record(oracle.syms[i].addr))
			borrowed++;
	}

	kunit_info(test, "%lu records: %lu of named functions, %lu left by weak ones, %lu in modules\n",
		   total, own, left, in_module);
	kunit_info(test, "%lu symbols scanned: %zu traceable, %zu names, %lu addresses, %lu reach a left-over record\n",
		   oracle.scanned, oracle.num, oracle.num_names, addresses, borrowed);

	KUNIT_ASSERT_EQ_MSG(test, total, ftrace_update_tot_cnt,
			    "a module came or went: run this again\n");
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, total, own + left + again + in_module);
	KUNIT_EXPECT_EQ(test, addresses, own + borrowed);
	/*
	 * If two records are within the limit, a left-over one may count as the
	 * symbol's
	 */
	if (MAX_OFFSET < MCOUNT_INSN_SIZE)
		KUNIT_EXPECT_EQ(test, again, 0);
}

static void address_is_the_symbols(struct kunit *test)
{
	unsigned long differ = 0, addr;
	size_t i;

	for (i = 0; i < oracle.num_names; i++) {
		const struct traceable *sym = oracle.names[i];
		unsigned long location = ftrace_location(sym->addr);

		if (location == sym->addr)
			continue;
		/* A sample is enough: every_function_alone() looks up all of them */
		if (differ++ % 100)
			continue;
		KUNIT_ASSERT_EQ(test, look_up(name_of(sym), &addr), 0);
		KUNIT_ASSERT_EQ_MSG(test, addr, sym->addr, "%s", name_of(sym));
		KUNIT_ASSERT_NE_MSG(test, addr, location, "%s", name_of(sym));
	}
	if (!differ)
		kunit_skip(test, "every record lies at the address of its symbol");
	kunit_info(test, "%lu functions have their record behind their address\n", differ);
}

struct instances {
	unsigned long addr[3];
	unsigned int num;
};

static int add_instance(void *data, unsigned long addr)
{
	struct instances *inst = data;

	if (inst->num < ARRAY_SIZE(inst->addr))
		inst->addr[inst->num] = addr;
	inst->num++;
	return 0;
}

static void get_both(struct kunit *test, const char *name, struct instances *inst)
{
	memset(inst, 0, sizeof(*inst));
	kallsyms_on_each_match_symbol(add_instance, name, inst);
	KUNIT_ASSERT_EQ_MSG(test, inst->num, 2, "%s", name);
	KUNIT_ASSERT_LT_MSG(test, inst->addr[0], inst->addr[1], "%s", name);
}

static void first_instance_cannot_be_traced(struct kunit *test)
{
	struct instances inst;
	unsigned long addr;

	get_both(test, "ftl_proof_hidden", &inst);
	/* Fails if the two objects were linked in the other order */
	KUNIT_ASSERT_EQ(test, ftrace_location(inst.addr[0]), 0);
	KUNIT_ASSERT_NE(test, ftrace_location(inst.addr[1]), 0);

	KUNIT_EXPECT_EQ(test, look_up("ftl_proof_hidden", &addr), 0);
	KUNIT_EXPECT_EQ(test, addr, inst.addr[1]);
}

static void first_of_two_instances(struct kunit *test)
{
	struct instances inst;
	unsigned long addr;

	get_both(test, "ftl_proof_twin", &inst);
	KUNIT_ASSERT_NE(test, ftrace_location(inst.addr[0]), 0);
	KUNIT_ASSERT_NE(test, ftrace_location(inst.addr[1]), 0);

	KUNIT_EXPECT_EQ(test, look_up("ftl_proof_twin", &addr), 0);
	KUNIT_EXPECT_EQ(test, addr, inst.addr[0]);
}

static void expect_none(struct kunit *test, const char *name)
{
	unsigned long addr;

	KUNIT_EXPECT_EQ_MSG(test, look_up(name, &addr), -ESRCH, "'%s'", name);
	KUNIT_EXPECT_EQ_MSG(test, addr, 0, "'%s'", name);
}

static void exists_but_cannot_be_traced(struct kunit *test)
{
	static const char * const data[] = {
		"ftl_proof_data", FTL_LONGEST_VARIABLE,
	};
	size_t i;

	KUNIT_EXPECT_NE(test, kallsyms_lookup_name("ftl_proof_never"), 0);
	expect_none(test, "ftl_proof_never");

	for (i = 0; i < ARRAY_SIZE(data); i++) {
		/* Without KALLSYMS_ALL, kallsyms has no data symbols */
		if (IS_ENABLED(CONFIG_KALLSYMS_ALL))
			KUNIT_EXPECT_NE_MSG(test, kallsyms_lookup_name(data[i]), 0, "%s", data[i]);
		expect_none(test, data[i]);
	}
}

/*
 * Only some bases support module:symbol, but none has a module named vmlinux,
 * or one without a name.
 */
static void missing_names(struct kunit *test)
{
	static const char * const names[] = {
		"", " ", ":", "ftrace_lookup_no_such_function", "ftl_proof_twi",
		"ftl_proof_twin ", "ftl_proof_twin:", ":ftl_proof_twin",
		"vmlinux:ftl_proof_twin", "no_such_module:ftl_proof_twin",
	};
	unsigned long addr = GARBAGE;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		expect_none(test, names[i]);

	/* No names at all: nothing found, and nothing written */
	KUNIT_EXPECT_EQ(test, ftrace_lookup_symbols(NULL, 0, &addr), -ESRCH);
	KUNIT_EXPECT_EQ(test, addr, GARBAGE);
}

static void long_names(struct kunit *test)
{
	static const size_t lengths[] = {
		KSYM_NAME_LEN - 1, KSYM_NAME_LEN, KSYM_NAME_LEN + 1, 8 * KSYM_NAME_LEN,
	};
	const char *function = FTL_LONG_FUNCTION;
	char *name = kunit_kmalloc(test, 8 * KSYM_NAME_LEN + 1, GFP_KERNEL);
	unsigned long addr;
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, name);

	KUNIT_EXPECT_EQ(test, look_up(function, &addr), 0);
	KUNIT_EXPECT_NE(test, ftrace_location(addr), 0);
	KUNIT_EXPECT_EQ(test, addr, kallsyms_lookup_name(function));

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		/*
		 * First unlike all other names, then with another name as its
		 * prefix
		 */
		memset(name, 'x', lengths[i]);
		name[lengths[i]] = '\0';
		expect_none(test, name);
		memcpy(name, function, strlen(function));
		expect_none(test, name);
	}
}

/* Evenly spaced names of the oracle, or all names if it has no more */
static void fill_batch(size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		const struct traceable *sym;

		sym = oracle.names[i * (oracle.num_names - 1) / (cnt - 1)];
		oracle.batch[i] = name_of(sym);
		oracle.want[i] = sym->addr;
	}
}

static void expect_batch(struct kunit *test, size_t cnt, int want_ret)
{
	size_t i, wrong = 0;

	for (i = 0; i < cnt; i++)
		oracle.addrs[i] = GARBAGE;
	oracle.addrs[cnt] = GARBAGE;

	KUNIT_EXPECT_EQ_MSG(test, ftrace_lookup_symbols(oracle.batch, cnt, oracle.addrs),
			    want_ret, "%zu names", cnt);
	for (i = 0; i < cnt; i++) {
		if (oracle.addrs[i] != oracle.want[i] && wrong++ < MAX_SHOWN)
			KUNIT_FAIL(test, "%s, %zu of %zu: got %#lx, want %#lx\n", oracle.batch[i],
				   i, cnt, oracle.addrs[i], oracle.want[i]);
	}
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "%zu names", cnt);
	KUNIT_EXPECT_EQ_MSG(test, oracle.addrs[cnt], GARBAGE, "written past %zu names", cnt);
}

static void batches(struct kunit *test)
{
	const size_t sizes[] = { 2, 3, 17, LARGE_BATCH, oracle.num_names };
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill_batch(sizes[i]);
		/* every_function_alone() has done it for the last size */
		for (k = 0; k < sizes[i] && sizes[i] <= LARGE_BATCH; k++) {
			unsigned long addr;

			KUNIT_ASSERT_EQ(test, look_up(oracle.batch[k], &addr), 0);
			KUNIT_ASSERT_EQ_MSG(test, addr, oracle.want[k], "%s", oracle.batch[k]);
		}
		expect_batch(test, sizes[i], 0);
	}
}

static void batches_with_an_unknown_name(struct kunit *test)
{
	static const size_t sizes[] = { 2, 3, 17, LARGE_BATCH };
	char *unknown = kunit_kmalloc(test, KSYM_NAME_LEN + 1, GFP_KERNEL);
	size_t i, k;

	KUNIT_ASSERT_NOT_NULL(test, unknown);

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const size_t cnt = sizes[i], where[] = { 0, cnt / 2, cnt - 1 };

		for (k = 0; k < ARRAY_SIZE(where); k++) {
			/* '!' sorts before all characters of a symbol */
			fill_batch(cnt);
			snprintf(unknown, KSYM_NAME_LEN + 1, "%s!",
				 where[k] ? oracle.batch[where[k] - 1] : "");
			oracle.batch[where[k]] = unknown;
			oracle.want[where[k]] = 0;
			expect_batch(test, cnt, -ESRCH);
		}
	}
}

/* The lookup fills only one of the slots, so it never fills all */
static void same_name_twice(struct kunit *test)
{
	static const size_t sizes[] = { 2, 3, 17 };
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const size_t cnt = sizes[i], at = cnt / 2;
		unsigned long *addrs = oracle.addrs, addr;

		fill_batch(cnt);
		addr = oracle.want[at];
		oracle.batch[at - 1] = oracle.batch[at];
		for (k = 0; k < cnt; k++)
			addrs[k] = GARBAGE;

		KUNIT_EXPECT_EQ(test, ftrace_lookup_symbols(oracle.batch, cnt, addrs), -ESRCH);
		KUNIT_EXPECT_TRUE(test, (addrs[at - 1] == addr && !addrs[at]) ||
				  (addrs[at] == addr && !addrs[at - 1]));
		for (k = 0; k < cnt; k++) {
			if (k != at && k != at - 1)
				KUNIT_EXPECT_EQ(test, addrs[k], oracle.want[k]);
		}
	}
}

static struct kunit_case ftrace_lookup_every_cases[] = {
	KUNIT_CASE_SLOW(every_function_alone),
	KUNIT_CASE(every_record_has_a_name),
	KUNIT_CASE(address_is_the_symbols),
	KUNIT_CASE(first_instance_cannot_be_traced),
	KUNIT_CASE(first_of_two_instances),
	KUNIT_CASE(exists_but_cannot_be_traced),
	KUNIT_CASE(missing_names),
	KUNIT_CASE(long_names),
	KUNIT_CASE(batches),
	KUNIT_CASE(batches_with_an_unknown_name),
	KUNIT_CASE(same_name_twice),
	{}
};

static struct kunit_suite ftrace_lookup_every_suite = {
	.name = "ftrace_lookup_every",
	.suite_init = oracle_init,
	.suite_exit = oracle_exit,
	.init = need_names,
	.test_cases = ftrace_lookup_every_cases,
};

kunit_test_suites(&ftrace_lookup_every_suite);
