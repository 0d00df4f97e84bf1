// SPDX-License-Identifier: GPL-2.0
/* The definitions that win. */
#include "weakmod.h"

int weakmod_first(int x)
{
	return x + 20;
}

int weakmod_middle(int x)
{
	return x + 21;
}

int __noendbr weakmod_bare(int x)
{
	return x + 22;
}

int __init weakmod_init_first(int x)
{
	return x + 23;
}

int __init weakmod_init_middle(int x)
{
	return x + 24;
}
