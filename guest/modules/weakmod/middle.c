// SPDX-License-Identifier: GPL-2.0
/* Between functions that stay: the nearest symbol below the stale records is another function. */
#include "weakmod.h"

noinline int weakmod_before(int x)
{
	return x + 10;
}

int __weak weakmod_middle(int x)
{
	return x + 11;
}

/* The second of two in a row, with its record at +0, not +4 */
int __weak __noendbr weakmod_bare(int x)
{
	return x + 12;
}

/* Nobody overrides this one: its record is valid */
int __weak weakmod_kept(int x)
{
	return x + 13;
}

noinline int weakmod_after(int x)
{
	return x + 14;
}

noinline int __init weakmod_init_before(int x)
{
	return x + 15;
}

int __init __weak weakmod_init_middle(int x)
{
	return x + 16;
}

noinline int __init weakmod_init_after(int x)
{
	return x + 17;
}
