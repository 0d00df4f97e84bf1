// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that ftrace_lookup_kunit.c has, too. Two symbols of one name need two
 * object files. The Makefile links this one first, so its symbols come first.
 */
#include <linux/compiler.h>

/* The bodies differ, or the compiler may merge the functions */
static noinline notrace __used int ftrace_lookup_hidden(void)
{
	return 1;
}

static noinline __used int ftrace_lookup_twin(void)
{
	return 2;
}
