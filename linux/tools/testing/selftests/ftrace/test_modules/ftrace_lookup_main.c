// SPDX-License-Identifier: GPL-2.0
/*
 * A write to the parameter "run" calls the function of that name, or all functions.
 * A read prints each function and two data objects: its name, and the result of %pS.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "ftrace_lookup.h"

/* READ_ONCE() keeps the compiler from making copies for known arguments */
static int ftlu_result;

/* These override weak functions */
FTLU_FUNC(ftlu_weak_first, 21)
FTLU_FUNC(ftlu_weak_middle, 22)
/* The kernel has these two names as well. There the second one is not traceable. */
static FTLU_FUNC(uptime_proc_show, 23)
static FTLU_FUNC(trace_clock_local, 24)
static FTLU_FUNC(ftlu_only, 25)
static FTLU_FUNC(ftlu_twice, 26)
static notrace FTLU_FUNC(ftlu_second, 27)
static notrace FTLU_FUNC(ftlu_untraced, 28)
__init FTLU_FUNC(ftlu_init_only, 29)

#define CALL(func) { #func, func }
static const struct {
	const char *name;
	int (*func)(int x);
} calls[] = {
	CALL(ftlu_weak_first), CALL(ftlu_weak_middle), CALL(ftlu_weak_kept),
	CALL(ftlu_aliased), CALL(ftlu_only), CALL(ftlu_twice), CALL(ftlu_second),
	CALL(ftlu_untraced), CALL(ftlu_call_twice), CALL(ftlu_call_second),
	CALL(uptime_proc_show), CALL(trace_clock_local),
	{ "ftlu_odd.isra.0", ftlu_isra }, { "ftlu_odd.llvm.123", ftlu_llvm },
	{ "L0ftlu_mapping", ftlu_l0 }, { ".Lftlu_mapping", ftlu_dot_l },
};

static int lookup_run_set(const char *val, const struct kernel_param *kp)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (sysfs_streq(val, "all") || sysfs_streq(val, calls[i].name))
			WRITE_ONCE(ftlu_result, calls[i].func(READ_ONCE(ftlu_result)));
	return 0;
}

static int lookup_run_get(char *buf, const struct kernel_param *kp)
{
	int i, len = 0;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		len += sysfs_emit_at(buf, len, "%s %pS\n", calls[i].name, calls[i].func);
	return len + sysfs_emit_at(buf, len, "ftlu_text_data %pS\nftlu_result %pS\n",
				   ftlu_text_data, &ftlu_result);
}

static const struct kernel_param_ops run_ops = { .set = lookup_run_set, .get = lookup_run_get };
module_param_cb(run, &run_ops, NULL, 0600);

static int __init lookup_load(void)
{
	WRITE_ONCE(ftlu_result, ftlu_init_only(READ_ONCE(ftlu_result)));
	return 0;
}
module_init(lookup_load);

static void __exit lookup_unload(void) { }
module_exit(lookup_unload);

MODULE_DESCRIPTION("Functions to look up, for the ftrace selftests");
MODULE_LICENSE("GPL");
