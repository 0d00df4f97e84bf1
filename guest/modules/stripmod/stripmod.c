// SPDX-License-Identifier: GPL-2.0
/*
 * A large module for `strip --strip-unneeded`: 16,384 static functions of 600
 * bytes or more. The strip removes their symbols but not their ftrace records:
 * nearly all records lie far behind the symbol before them.
 */
#include <linux/module.h>

/* Long nops, because objtool decodes each instruction */
#define FUNCTION(n)	static noinline __used int stripmod_##n(int x) { asm volatile(".nops 600"); return x + 1##n; }
#define FOUR(n)		FUNCTION(n##0) FUNCTION(n##1) FUNCTION(n##2) FUNCTION(n##3)
#define FOUR_2(n)	FOUR(n##0) FOUR(n##1) FOUR(n##2) FOUR(n##3)
#define FOUR_3(n)	FOUR_2(n##0) FOUR_2(n##1) FOUR_2(n##2) FOUR_2(n##3)
#define FOUR_4(n)	FOUR_3(n##0) FOUR_3(n##1) FOUR_3(n##2) FOUR_3(n##3)
#define FOUR_5(n)	FOUR_4(n##0) FOUR_4(n##1) FOUR_4(n##2) FOUR_4(n##3)
#define FOUR_6(n)	FOUR_5(n##0) FOUR_5(n##1) FOUR_5(n##2) FOUR_5(n##3)

FOUR_6(0) FOUR_6(1) FOUR_6(2) FOUR_6(3)

static int __init stripmod_load(void)
{
	return 0;
}

static void __exit stripmod_unload(void)
{
}

module_init(stripmod_load);
module_exit(stripmod_unload);

MODULE_DESCRIPTION("Many functions without symbols");
MODULE_LICENSE("GPL");
