// SPDX-License-Identifier: GPL-2.0
/* First in both text sections of the module: here nothing lies below the stale records. */
#include "weakmod.h"

int __weak weakmod_first(int x)
{
	return x + 1;
}

int __init __weak weakmod_init_first(int x)
{
	return x + 2;
}
