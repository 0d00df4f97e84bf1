// SPDX-License-Identifier: GPL-2.0
/*
 * First in both text sections of the module: here no symbol lies below the
 * stale records. The room before them keeps each record away from the address
 * of another module's freed init function, whose name it would borrow
 * (guest/jobs/proof/borrowed).
 */
#include "weakmod.h"

asm(".pushsection .text, \"ax\"\n"
    ".skip 256, 0x90\n"
    ".section .init.text, \"ax\"\n"
    ".skip 256, 0x90\n"
    ".popsection");

int __weak weakmod_first(int x)
{
	return x + 1;
}

int __init __weak weakmod_init_first(int x)
{
	return x + 2;
}
