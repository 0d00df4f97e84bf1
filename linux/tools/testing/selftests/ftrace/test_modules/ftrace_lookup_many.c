// SPDX-License-Identifier: GPL-2.0
/*
 * Many functions, all of them traceable, and nothing to run at load: this
 * module has no init text. They form a tree in which each calls the four below
 * it. Whatever is written to the parameter "run" calls the topmost, so that
 * each runs once. The parameter "functions" says how many they are.
 */
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* A level deeper the name gets a digit more: ftlu_many_1 to ftlu_many_133333 */
#define CALL_FOUR(n) \
	(ftlu_many_##n##0(x) + ftlu_many_##n##1(x) + ftlu_many_##n##2(x) + ftlu_many_##n##3(x))

/* No two bodies are alike, or the compiler would make one function of them */
#define TREE_0(n) \
	static noinline int ftlu_many_##n(int x) { return x * 31 + (n); }
#define TREE_1(n) \
	TREE_0(n##0) TREE_0(n##1) TREE_0(n##2) TREE_0(n##3) \
	static noinline int ftlu_many_##n(int x) { return CALL_FOUR(n); }
#define TREE_2(n) \
	TREE_1(n##0) TREE_1(n##1) TREE_1(n##2) TREE_1(n##3) \
	static noinline int ftlu_many_##n(int x) { return CALL_FOUR(n); }
#define TREE_3(n) \
	TREE_2(n##0) TREE_2(n##1) TREE_2(n##2) TREE_2(n##3) \
	static noinline int ftlu_many_##n(int x) { return CALL_FOUR(n); }
#define TREE_4(n) \
	TREE_3(n##0) TREE_3(n##1) TREE_3(n##2) TREE_3(n##3) \
	static noinline int ftlu_many_##n(int x) { return CALL_FOUR(n); }
#define TREE_5(n) \
	TREE_4(n##0) TREE_4(n##1) TREE_4(n##2) TREE_4(n##3) \
	static noinline int ftlu_many_##n(int x) { return CALL_FOUR(n); }

TREE_5(1)

static unsigned int functions = 1 + 4 + 16 + 64 + 256 + 1024;
module_param(functions, uint, 0444);
MODULE_PARM_DESC(functions, "How many functions one write to \"run\" calls");

/* Kept for the compiler, which must not think the functions useless */
static int result;

static int run_set(const char *val, const struct kernel_param *kp)
{
	WRITE_ONCE(result, ftlu_many_1(READ_ONCE(result)));
	return 0;
}

static const struct kernel_param_ops run_ops = {
	.set = run_set,
};

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Anything written calls each function once");

MODULE_DESCRIPTION("Many traceable functions, for the ftrace selftests");
MODULE_LICENSE("GPL");
