// SPDX-License-Identifier: GPL-2.0
/*
 * Proof outside the series: built into the tested kernels, never mailed.
 *
 * ftrace_lookup_symbols() is called with every name that kallsyms has, whether ftrace
 * can trace the symbol or not: alone, with a few others, for which the index of names
 * is searched, and in batches so large that all symbols are scanned. The results must
 * not depend on the path.
 *
 * They are compared with those of an oracle that shares no code with the lookup. It
 * collects all symbols before the tests, those of vmlinux and then those of modules,
 * and calls ftrace_location() for each. Of several symbols with one name, the first
 * that can be traced counts. No module may be loaded or removed while the tests run;
 * while the kernel boots there is none. The symbols of loaded modules are collected as
 * well, because a name that cannot be traced in vmlinux may be found in a module.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "../../kernel/trace/trace.h"	/* ftrace_is_dead() */
#include "ftrace_lookup_proof.h"

#define MAX_SHOWN	10

/* The most names to search for in the index: LOOKUP_FEW_NAMES of ftrace.c */
#define LIMIT		64

/* Names in a batch */
#define MAX_BATCH	1024

/* Fills addrs[] before a lookup, so that no slot is right by accident */
#define GARBAGE		0x5a5a5a5aUL

/*
 * A scan takes as long as a thousand searches: scan for a sample of the names
 */
#define MAX_SCANS	16

#define RANDOM_BATCHES	1000
#define RANDOM_SCANS	20

/* The most made-up names in a batch */
#define MAX_MADE_UP	8

struct symbol {
	const char *name;
	unsigned long addr;
	bool traceable;
};

/* The expected result for a name: its first symbol that can be traced, or 0 */
struct answer {
	const char *name;
	unsigned long addr;
	/* In the order of the scan */
	const struct symbol **syms;
	size_t num;
};

/* Sorted by name, each name once */
struct answers {
	struct answer *at;
	size_t num;
};

static struct {
	char *pool;
	size_t pool_used, pool_room;
	/* In the order of the scan: the symbols of vmlinux, then those of modules */
	struct symbol *syms;
	size_t num, room, vmlinux;
	/* By name, then in the order of the scan */
	const struct symbol **sorted;
	struct answers all, traceable;
} oracle;

/* The names of one lookup, and the arguments of ftrace_lookup_symbols() */
static struct {
	const struct answer *asked[MAX_BATCH];
	const char *names[MAX_BATCH];
	/* One more slot, which must not change */
	unsigned long addrs[MAX_BATCH + 1], before[MAX_BATCH];
	size_t cnt;
	/* In all batches of a test */
	size_t wrong;
} batch;

static struct {
	char name[KSYM_NAME_LEN + 16];
	struct answer answer;
} made_up[MAX_MADE_UP];

static bool in_vmlinux(const struct symbol *sym)
{
	return sym < oracle.syms + oracle.vmlinux;
}

/* sort() is not stable: the order of the scan has to be part of the key */
static int cmp_symbols(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol **)a;
	const struct symbol *y = *(const struct symbol **)b;
	int ret = strcmp(x->name, y->name);

	return ret ? ret : (x > y) - (x < y);
}

static int cmp_asked(const void *a, const void *b)
{
	const struct answer *x = *(const struct answer **)a;
	const struct answer *y = *(const struct answer **)b;

	return strcmp(x->name, y->name);
}

static int measure(void *data, const char *name, unsigned long addr)
{
	oracle.room++;
	oracle.pool_room += strlen(name) + 1;
	return 0;
}

static int collect(void *data, const char *name, unsigned long addr)
{
	size_t len = strlen(name) + 1;
	struct symbol *sym;

	/* More than counted before: a module was loaded */
	if (oracle.num == oracle.room || len > oracle.pool_room - oracle.pool_used)
		return -EAGAIN;

	sym = &oracle.syms[oracle.num++];
	sym->name = oracle.pool + oracle.pool_used;
	sym->addr = addr;
	sym->traceable = ftrace_location(addr);
	memcpy(oracle.pool + oracle.pool_used, name, len);
	oracle.pool_used += len;
	return 0;
}

static int scan(int (*fn)(void *, const char *, unsigned long))
{
	int ret = kallsyms_on_each_symbol(fn, NULL);

	if (ret)
		return ret;
	oracle.vmlinux = oracle.num;
	ret = module_kallsyms_on_each_symbol(NULL, fn, NULL);
	/* A kernel without modules */
	return ret == -EOPNOTSUPP ? 0 : ret;
}

static int collect_symbols(void)
{
	int ret = scan(measure);

	if (ret)
		return ret;

	oracle.pool = kvmalloc(oracle.pool_room, GFP_KERNEL);
	oracle.syms = kvmalloc_array(oracle.room, sizeof(*oracle.syms), GFP_KERNEL);
	oracle.sorted = kvmalloc_array(oracle.room, sizeof(*oracle.sorted), GFP_KERNEL);
	oracle.all.at = kvcalloc(oracle.room, sizeof(*oracle.all.at), GFP_KERNEL);
	oracle.traceable.at = kvcalloc(oracle.room, sizeof(*oracle.traceable.at), GFP_KERNEL);
	if (!oracle.pool || !oracle.syms || !oracle.sorted || !oracle.all.at ||
	    !oracle.traceable.at)
		return -ENOMEM;

	return scan(collect);
}

static void answer_all_names(void)
{
	struct answer *ans = NULL;
	size_t i;

	for (i = 0; i < oracle.num; i++)
		oracle.sorted[i] = &oracle.syms[i];
	sort(oracle.sorted, oracle.num, sizeof(*oracle.sorted), cmp_symbols, NULL);

	for (i = 0; i < oracle.num; i++) {
		const struct symbol *sym = oracle.sorted[i];

		if (!ans || strcmp(ans->name, sym->name)) {
			ans = &oracle.all.at[oracle.all.num++];
			ans->name = sym->name;
			ans->syms = &oracle.sorted[i];
		}
		ans->num++;
		if (!ans->addr && sym->traceable)
			ans->addr = sym->addr;
		cond_resched();
	}
	for (i = 0; i < oracle.all.num; i++) {
		if (oracle.all.at[i].addr)
			oracle.traceable.at[oracle.traceable.num++] = oracle.all.at[i];
	}
}

static void names_exit(struct kunit_suite *suite)
{
	kvfree(oracle.pool);
	kvfree(oracle.syms);
	kvfree(oracle.sorted);
	kvfree(oracle.all.at);
	kvfree(oracle.traceable.at);
	memset(&oracle, 0, sizeof(oracle));
}

static int names_init(struct kunit_suite *suite)
{
	int ret = collect_symbols();

	/* KUnit does not call suite_exit if suite_init fails */
	if (ret) {
		names_exit(suite);
		return ret;
	}
	answer_all_names();
	return 0;
}

/* The tests need enough names to fill the batches */
static int need_symbols(struct kunit *test)
{
	batch.cnt = 0;
	batch.wrong = 0;
	KUNIT_ASSERT_FALSE(test, ftrace_is_dead());
	KUNIT_ASSERT_GT(test, oracle.traceable.num, MAX_BATCH);
	return 0;
}

/* Prints only the first few wrong results, which fail the test */
static bool shown(void)
{
	return batch.wrong++ < MAX_SHOWN;
}

static void ask_for(const struct answer *ans)
{
	batch.asked[batch.cnt++] = ans;
}

/* Traceable names from the whole table, each name once */
static void ask_for_others(size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		ask_for(&oracle.traceable.at[i * oracle.traceable.num / cnt]);
}

/*
 * Look up the names of the batch, which need not be sorted. A name that occurs more
 * than once fills only one of its slots, and any of them is right. The others stay
 * empty, so that not all names are found. This empties the batch and returns the
 * result of the lookup.
 */
static int check_batch(struct kunit *test)
{
	size_t i, end, cnt = batch.cnt;
	int ret, want_ret = 0;

	cond_resched();
	sort(batch.asked, cnt, sizeof(*batch.asked), cmp_asked, NULL);
	for (i = 0; i < cnt; i++) {
		batch.names[i] = batch.asked[i]->name;
		batch.addrs[i] = GARBAGE;
	}
	batch.addrs[cnt] = GARBAGE;
	batch.cnt = 0;

	ret = ftrace_lookup_symbols(batch.names, cnt, batch.addrs);

	for (i = 0; i < cnt; i = end) {
		unsigned long want = batch.asked[i]->addr, stray = 0;
		size_t filled = 0;

		for (end = i; end < cnt && !strcmp(batch.names[end], batch.names[i]); end++) {
			if (batch.addrs[end] && batch.addrs[end] == want)
				filled++;
			else if (batch.addrs[end])
				stray = batch.addrs[end];
		}
		if (!want || end - i > 1)
			want_ret = -ESRCH;
		if ((stray || filled != (want ? 1 : 0)) && shown())
			KUNIT_FAIL(test, "'%s', %zu of %zu: %zu slots have %#lx, others %#lx\n",
				   batch.names[i], i, cnt, filled, want, stray);
	}
	if (ret != want_ret && shown())
		KUNIT_FAIL(test, "%zu names from '%s' on: got %d, want %d\n", cnt,
			   batch.names[0], ret, want_ret);
	if (batch.addrs[cnt] != GARBAGE && shown())
		KUNIT_FAIL(test, "%zu names from '%s' on: written past them\n", cnt,
			   batch.names[0]);
	return ret;
}

static void every_name_alone(struct kunit *test)
{
	size_t i, symbols = 0, found = 0, missing = 0, hidden = 0;

	for (i = 0; i < oracle.all.num; i++) {
		const struct answer *ans = &oracle.all.at[i];

		ask_for(ans);
		if (check_batch(test))
			missing++;
		else
			found++;
		symbols += ans->num;
		hidden += ans->addr && !ans->syms[0]->traceable;
	}

	kunit_info(test, "%zu symbols, %zu names: %zu found, %zu of them behind an untraceable one, %zu not\n",
		   symbols, i, found, hidden, missing);
	/* No symbol was left out, and there were some of each kind */
	KUNIT_EXPECT_EQ(test, symbols, oracle.num);
	KUNIT_EXPECT_EQ(test, found + missing, oracle.all.num);
	KUNIT_EXPECT_EQ(test, found, oracle.traceable.num);
	KUNIT_EXPECT_GT(test, missing, 0);
	KUNIT_EXPECT_GT(test, hidden, 0);
}

/*
 * All the names, in batches of neighbours or of evenly spaced names. Above the
 * limit, the test looks up only a sample of the batches, because each one takes
 * a scan.
 */
static void all_in_batches(struct kunit *test, const struct answers *names, bool strided)
{
	static const size_t sizes[] = {
		2, 3, LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT, MAX_BATCH,
	};
	size_t i, b, k, found_all = 0;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const size_t cnt = sizes[i], batches = DIV_ROUND_UP(names->num, cnt);
		size_t step = cnt > LIMIT ? DIV_ROUND_UP(batches, MAX_SCANS) : 1;
		size_t asked = 0;

		for (b = 0; b < batches; b += step) {
			for (k = 0; k < cnt; k++) {
				size_t at = strided ? b + k * batches : b * cnt + k;

				if (at < names->num)
					ask_for(&names->at[at]);
			}
			asked += batch.cnt;
			found_all += !check_batch(test);
		}
		if (cnt <= LIMIT)
			KUNIT_EXPECT_EQ(test, asked, names->num);
	}
	KUNIT_EXPECT_GT(test, found_all, 0);
}

static void batches_of_neighbours(struct kunit *test)
{
	all_in_batches(test, &oracle.all, false);
}

static void batches_from_all_over(struct kunit *test)
{
	all_in_batches(test, &oracle.all, true);
}

/*
 * Large batches without missing names, too: the last name found ends the lookup
 */
static void batches_of_traceable_names(struct kunit *test)
{
	all_in_batches(test, &oracle.traceable, true);
}

static void repeat_a_name(struct kunit *test, size_t cnt, size_t at, size_t times)
{
	size_t i;

	ask_for_others(cnt);
	for (i = 1; i < times; i++)
		batch.asked[at + i] = batch.asked[at];

	KUNIT_EXPECT_EQ(test, check_batch(test), -ESRCH);
	memcpy(batch.before, batch.addrs, cnt * sizeof(*batch.addrs));

	batch.cnt = cnt;
	KUNIT_EXPECT_EQ(test, check_batch(test), -ESRCH);
	/* The lookup fills the same slot again */
	KUNIT_EXPECT_MEMEQ(test, batch.addrs, batch.before, cnt * sizeof(*batch.addrs));
}

static void repeated_names(struct kunit *test)
{
	static const size_t sizes[] = {
		2, 3, LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT, MAX_BATCH,
	};
	size_t i, k, times;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (times = 2; times <= 3 && times <= sizes[i]; times++) {
			const size_t last = sizes[i] - times, where[] = { 0, last / 2, last };

			for (k = 0; k < ARRAY_SIZE(where); k++)
				repeat_a_name(test, sizes[i], where[k], times);
		}
	}
}

static const struct answer *find_name(const char *name)
{
	size_t low = 0, high = oracle.all.num;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int ret = strcmp(oracle.all.at[mid].name, name);

		if (!ret)
			return &oracle.all.at[mid];
		if (ret < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* For a name that kallsyms may lack */
static struct answer answer_for(const char *name)
{
	const struct answer *known = find_name(name);

	return (struct answer){ .name = name, .addr = known ? known->addr : 0 };
}

static const struct {
	const char *prefix, *suffix;
	size_t cut;
} variations[] = {
	{ "", ".isra.0", 0 }, { "", "!", 0 }, { "", "", 1 }, { "_", "", 0 },
	{ "vmlinux:", "", 0 }, { "nosuchmodule:", "", 0 },
};

/* Similar to an existing name, and sometimes equal to another one */
static const struct answer *make_up(size_t slot, const char *name, size_t variation)
{
	int len = strlen(name);

	if (len)
		len -= variations[variation].cut;
	snprintf(made_up[slot].name, sizeof(made_up[slot].name), "%s%.*s%s",
		 variations[variation].prefix, len, name, variations[variation].suffix);
	made_up[slot].answer = answer_for(made_up[slot].name);
	return &made_up[slot].answer;
}

/* Alone, and with others, which the lookup must still find */
static void ask_among_others(struct kunit *test, const struct answer *ans)
{
	const size_t others[] = { 0, 1, 4, LIMIT - 1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		ask_for(ans);
		ask_for_others(others[i]);
		check_batch(test);
	}
}

static void missing_names(struct kunit *test)
{
	/*
	 * The last two have another name as a prefix, and one of them is too
	 * long
	 */
	static const char * const names[] = {
		"", " ", ":", "~", "vmlinux:schedule", "nosuchmodule:schedule", ":schedule",
		"schedule:", FTL_LONG_FUNCTION "!", FTL_LONGEST_VARIABLE "_and_more",
	};
	const size_t samples = 24;
	size_t i, k, missing = 0;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct answer ans = answer_for(names[i]);

		ask_among_others(test, &ans);
	}
	for (i = 0; i < samples; i++) {
		const char *name = oracle.all.at[i * oracle.all.num / samples].name;

		for (k = 0; k < ARRAY_SIZE(variations); k++) {
			const struct answer *ans = make_up(0, name, k);

			missing += !find_name(ans->name);
			ask_among_others(test, ans);
		}
	}
	KUNIT_EXPECT_GT(test, missing, samples);
}

static void shared_names(struct kunit *test)
{
	const struct answer *hidden = find_name("ftl_proof_hidden");
	const struct answer *twin = find_name("ftl_proof_twin");
	size_t i, k;

	/*
	 * See ftrace_lookup_every_dup.c: only the second can be traced, or both
	 */
	KUNIT_ASSERT_NOT_NULL(test, hidden);
	KUNIT_ASSERT_EQ(test, hidden->num, 2);
	KUNIT_ASSERT_FALSE(test, hidden->syms[0]->traceable);
	KUNIT_ASSERT_EQ(test, hidden->addr, hidden->syms[1]->addr);
	KUNIT_ASSERT_NOT_NULL(test, twin);
	KUNIT_ASSERT_EQ(test, twin->num, 2);
	KUNIT_ASSERT_TRUE(test, twin->syms[1]->traceable);
	KUNIT_ASSERT_EQ(test, twin->addr, twin->syms[0]->addr);

	ask_for(hidden);
	ask_for(twin);
	KUNIT_EXPECT_EQ(test, check_batch(test), 0);

	for (i = 0; i < oracle.all.num; i++) {
		const struct answer *ans = &oracle.all.at[i];

		/*
		 * All expected results rely on a scan in the order of addresses
		 */
		for (k = 1; k < ans->num && in_vmlinux(ans->syms[k]); k++)
			KUNIT_ASSERT_LE_MSG(test, ans->syms[k - 1]->addr, ans->syms[k]->addr,
					    "%s", ans->name);
		if (ans->num > 1)
			ask_for(ans);
		if (batch.cnt == LIMIT)
			check_batch(test);
	}
	if (batch.cnt)
		check_batch(test);
}

static void widen(const struct answer **ends, const struct answer *ans)
{
	if (!ends[0])
		ends[0] = ans;
	ends[1] = ans;
}

/*
 * The first and the last by name and by address, of vmlinux and of those
 * traceable
 */
static void both_ends(struct kunit *test)
{
	const struct answer *ends[8] = { };
	size_t i, k;

	for (i = 0; i < oracle.all.num; i++) {
		const struct answer *ans = &oracle.all.at[i];

		if (!in_vmlinux(ans->syms[0]))
			continue;
		widen(ends, ans);
		if (ans->addr)
			widen(ends + 2, ans);
	}
	for (i = 0; i < oracle.vmlinux; i++) {
		const struct answer *ans = find_name(oracle.syms[i].name);

		widen(ends + 4, ans);
		if (oracle.syms[i].traceable)
			widen(ends + 6, ans);
		cond_resched();
	}

	/* Alone, in pairs, and then all together */
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		KUNIT_ASSERT_NOT_NULL(test, ends[i]);
		for (k = 0; k <= i; k++) {
			ask_for(ends[i]);
			if (k < i)
				ask_for(ends[k]);
			check_batch(test);
		}
	}
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		ask_for(ends[i]);
	check_batch(test);
}

static size_t below(struct rnd_state *rnd, size_t ceil)
{
	return prandom_u32_state(rnd) % ceil;
}

static const struct answer *any_of(struct rnd_state *rnd, const struct answers *names)
{
	return &names->at[below(rnd, names->num)];
}

/* Traceable or not; some were looked up before, or are made up */
static const struct answer *any_name(struct rnd_state *rnd, size_t *made)
{
	size_t kind = below(rnd, 16);

	if (kind == 0 && batch.cnt)
		return batch.asked[below(rnd, batch.cnt)];
	if (kind == 1 && *made < MAX_MADE_UP)
		return make_up((*made)++, any_of(rnd, &oracle.all)->name,
			       below(rnd, ARRAY_SIZE(variations)));
	return any_of(rnd, kind < 8 ? &oracle.all : &oracle.traceable);
}

static void random_batches(struct kunit *test)
{
	size_t i, found_all = 0;
	struct rnd_state rnd;

	/* On the same kernel, the same batches each time */
	prandom_seed_state(&rnd, 20240229);
	for (i = 0; i < RANDOM_BATCHES; i++) {
		size_t made = 0, cnt = 1 + below(&rnd, LIMIT);
		/* Or all names of a large batch would rarely be found */
		bool traceable = below(&rnd, 2);

		if (i % (RANDOM_BATCHES / RANDOM_SCANS) == 0)
			cnt += LIMIT;
		while (batch.cnt < cnt)
			ask_for(traceable ? any_of(&rnd, &oracle.traceable) :
					    any_name(&rnd, &made));
		found_all += !check_batch(test);
	}
	KUNIT_EXPECT_GT(test, found_all, 0);
	KUNIT_EXPECT_LT(test, found_all, RANDOM_BATCHES);
}

static struct kunit_case ftrace_lookup_names_cases[] = {
	KUNIT_CASE_SLOW(every_name_alone),
	KUNIT_CASE_SLOW(batches_of_neighbours),
	KUNIT_CASE_SLOW(batches_from_all_over),
	KUNIT_CASE_SLOW(batches_of_traceable_names),
	KUNIT_CASE(repeated_names),
	KUNIT_CASE(missing_names),
	KUNIT_CASE(shared_names),
	KUNIT_CASE(both_ends),
	KUNIT_CASE_SLOW(random_batches),
	{}
};

static struct kunit_suite ftrace_lookup_names_suite = {
	.name = "ftrace_lookup_names",
	.suite_init = names_init,
	.suite_exit = names_exit,
	.init = need_symbols,
	.test_cases = ftrace_lookup_names_cases,
};

kunit_test_suites(&ftrace_lookup_names_suite);
