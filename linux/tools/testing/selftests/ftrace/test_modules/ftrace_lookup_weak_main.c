// SPDX-License-Identifier: GPL-2.0
/*
 * Weak functions that another object overrides. The linker drops their symbols
 * but not their code, nor the records ftrace has of it: such a record must
 * never be enabled. ftlu_weak_kept() is weak too, but nothing overrides it.
 */
#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include "ftrace_lookup_weak.h"

static int result;

noinline int __weak ftlu_weak_kept(int x)
{
	return x * 31 + 6;
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	int x = READ_ONCE(result);

	WRITE_ONCE(result, ftlu_weak_first(x) + ftlu_weak_middle(x) +
			   ftlu_weak_strong(x) + ftlu_weak_kept(x));
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Anything written calls each function once");

static int __init ftlu_weak_load(void)
{
	return 0;
}

static void __exit ftlu_weak_unload(void)
{
}

module_init(ftlu_weak_load);
module_exit(ftlu_weak_unload);

MODULE_DESCRIPTION("Overridden weak functions, for the ftrace selftests");
MODULE_LICENSE("GPL");
