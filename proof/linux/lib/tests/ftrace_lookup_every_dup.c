// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols for the suites ftrace_lookup_every and ftrace_lookup_names. Two symbols of
 * one name need two object files. The Makefile links this file before
 * ftrace_lookup_every_kunit.c, and the tests check that its symbols come first.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "ftrace_lookup_proof.h"

/* The bodies differ, or the compiler may merge the functions */
static noinline notrace __used int ftl_proof_hidden(void)
{
	return 1;
}

static noinline __used int ftl_proof_twin(void)
{
	return 2;
}

static noinline notrace __used int ftl_proof_never(void)
{
	return 3;
}

static noinline __used int ftl_long_function(void)
	asm(FTL_LONG_FUNCTION);
static int ftl_longest_variable asm(FTL_LONGEST_VARIABLE) __used = 4;
static int ftl_proof_data __used = 5;

static int ftl_long_function(void)
{
	return 6;
}
