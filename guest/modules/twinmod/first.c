// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>

#include "twins.h"

/*
 * First in the symbol table, but behind the other one in memory: its section
 * lies after .text
 */
static noinline __section(".text_behind") int twin(void)
{
	barrier();
	return 1;
}

noinline int first_twin(void)
{
	return twin();
}
