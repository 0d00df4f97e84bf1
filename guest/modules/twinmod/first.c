// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>

#include "twins.h"

/* First in the symbol table, and behind the other one in memory: the section is laid out after .text */
static noinline __section(".text_behind") int twin(void)
{
	barrier();
	return 1;
}

noinline int first_twin(void)
{
	return twin();
}
