// SPDX-License-Identifier: GPL-2.0
/* Functions that bear the names of functions in ftrace_lookup_shadow_main.c */
#include <linux/compiler.h>
#include <linux/stddef.h>
#include "ftrace_lookup_shadow.h"

static noinline int ftlu_twice(int x)
{
	return x * 31 + 1;
}

static noinline int ftlu_second(int x)
{
	return x * 31 + 2;
}

const struct ftlu_call ftlu_twin_calls[] = {
	{ "twin ftlu_twice", ftlu_twice },
	{ "twin ftlu_second", ftlu_second },
	{ NULL, NULL },
};
