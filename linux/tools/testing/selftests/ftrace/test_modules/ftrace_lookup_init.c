// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that exist only while the module is being loaded: each is called
 * once, in this order. What remains afterwards is ftlu_init_core().
 */
#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Read anew each time, or the compiler would make copies for known arguments */
static int result;

static noinline int ftlu_init_core(int x)
{
	return x * 31 + 1;
}

static noinline int __init ftlu_init_one(int x)
{
	return ftlu_init_core(x) + 2;
}

static noinline int __init ftlu_init_two(int x)
{
	return x * 31 + 3;
}

static noinline int __init ftlu_init_three(int x)
{
	return x * 31 + 4;
}

static int __init ftlu_init_load(void)
{
	WRITE_ONCE(result, ftlu_init_one(READ_ONCE(result)));
	WRITE_ONCE(result, ftlu_init_two(READ_ONCE(result)));
	WRITE_ONCE(result, ftlu_init_three(READ_ONCE(result)));
	return 0;
}

/* The kernel marks all exit functions notrace */
static void __exit ftlu_init_unload(void)
{
	WRITE_ONCE(result, 0);
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	WRITE_ONCE(result, ftlu_init_core(READ_ONCE(result)));
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Anything written calls the function that remains");

module_init(ftlu_init_load);
module_exit(ftlu_init_unload);

MODULE_DESCRIPTION("Init-only functions, for the ftrace selftests");
MODULE_LICENSE("GPL");
