/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LIB_TESTS_FTRACE_LOOKUP_KUNIT_H
#define _LIB_TESTS_FTRACE_LOOKUP_KUNIT_H

#include <kunit/test.h>
#include <linux/sort.h>

/*
 * Long names. That of the variable has KSYM_NAME_LEN - 1 bytes, the most that
 * kallsyms can hold. That of the function is shorter: padding in front of it has
 * a symbol with "__pfx_" before the name, and libbpf reads 499 bytes of a name.
 */
#define FTL_50			"ftrace_lookup_name_as_long_as_kallsyms_can_hold_it"
#define FTL_LONG_FUNCTION	"ftl_" FTL_50 FTL_50 FTL_50 FTL_50 FTL_50	\
				FTL_50 FTL_50 FTL_50 FTL_50
#define FTL_LONGEST_VARIABLE	FTL_LONG_FUNCTION FTL_50 "_as_var"

static inline int ftl_cmp_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Sorts the samples, too */
static inline void ftl_report(struct kunit *test, const char *what, u64 *ns, size_t num)
{
	sort(ns, num, sizeof(*ns), ftl_cmp_u64, NULL);
	kunit_info(test, "%s: min %llu, median %llu, max %llu ns, %zu samples\n",
		   what, ns[0], ns[num / 2], ns[num - 1], num);
}

#endif
