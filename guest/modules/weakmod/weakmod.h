/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions with a weak definition, which the linker overrides by the one in
 * strong.c. The code and its entry in __mcount_loc stay, the symbol does not.
 */
#include <linux/init.h>
#include <linux/linkage.h>

#ifndef __noendbr
#define __noendbr
#endif

int weakmod_first(int x);
int weakmod_middle(int x);
int __noendbr weakmod_bare(int x);
int weakmod_init_first(int x);
int weakmod_init_middle(int x);

int weakmod_before(int x);
int weakmod_after(int x);
int weakmod_kept(int x);
int weakmod_init_before(int x);
int weakmod_init_after(int x);
