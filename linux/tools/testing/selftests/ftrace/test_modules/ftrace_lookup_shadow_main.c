// SPDX-License-Identifier: GPL-2.0
/*
 * Names that only this module has, once or twice, and names that the kernel
 * proper has too: uptime_proc_show() can be traced there, trace_clock_local()
 * cannot. Writing a name to the parameter "run" calls that function here.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "ftrace_lookup_shadow.h"

static int result;

static noinline int uptime_proc_show(int x)
{
	return x * 31 + 3;
}

static noinline int trace_clock_local(int x)
{
	return x * 31 + 4;
}

static noinline int ftlu_only(int x)
{
	return x * 31 + 5;
}

static noinline int ftlu_twice(int x)
{
	return x * 31 + 6;
}

/* Of this name only the second, in the other object, can be traced */
static noinline notrace int ftlu_second(int x)
{
	return x * 31 + 7;
}

static noinline notrace int ftlu_untraced(int x)
{
	return x * 31 + 8;
}

static const struct ftlu_call ftlu_main_calls[] = {
	{ "uptime_proc_show", uptime_proc_show },
	{ "trace_clock_local", trace_clock_local },
	{ "ftlu_only", ftlu_only },
	{ "ftlu_twice", ftlu_twice },
	{ "ftlu_second", ftlu_second },
	{ "ftlu_untraced", ftlu_untraced },
	{ NULL, NULL },
};

static int run_one(const struct ftlu_call *calls, const char *name)
{
	for (; calls->name; calls++) {
		if (sysfs_streq(calls->name, name)) {
			WRITE_ONCE(result, calls->call(READ_ONCE(result)));
			return 0;
		}
	}
	return -ENOENT;
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	if (!run_one(ftlu_main_calls, val))
		return 0;
	return run_one(ftlu_twin_calls, val);
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Name of the function to call, after \"twin \" for the second of it");

static int __init ftlu_shadow_load(void)
{
	return 0;
}

static void __exit ftlu_shadow_unload(void)
{
}

module_init(ftlu_shadow_load);
module_exit(ftlu_shadow_unload);

MODULE_DESCRIPTION("Names that exist more than once, for the ftrace selftests");
MODULE_LICENSE("GPL");
