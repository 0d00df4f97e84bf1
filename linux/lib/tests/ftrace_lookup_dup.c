// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols for ftrace_lookup_kunit.c to look up. Two of one name need two object
 * files; the Makefile links this one first, and the test checks that it came first.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "ftrace_lookup_kunit.h"

/* Bodies differ, or the compiler may make one function of them all */
static noinline notrace __used int ftrace_lookup_hidden(void)
{
	return 1;
}

static noinline __used int ftrace_lookup_twin(void)
{
	return 2;
}

static noinline notrace __used int ftrace_lookup_never(void)
{
	return 3;
}

static noinline __used int ftl_long_function(void)
	asm(FTL_LONG_FUNCTION);
static int ftl_longest_variable asm(FTL_LONGEST_VARIABLE) __used = 4;
static int ftrace_lookup_data __used = 5;

static int ftl_long_function(void)
{
	return 6;
}
