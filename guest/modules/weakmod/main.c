// SPDX-License-Identifier: GPL-2.0
/*
 * A module with overridden weak functions. With hold=1 its init waits until
 * someone writes a 0 to /sys/module/weakmod/parameters/hold, or a minute.
 * Meanwhile the records of the functions that only init uses can be read; the
 * end of init removes them.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include "weakmod.h"

static bool hold;
module_param(hold, bool, 0644);

/* A value that the compiler does not know, so that it cannot fold the calls */
static int weakmod_sum;
module_param(weakmod_sum, int, 0444);

static noinline int __init weakmod_init_only(int x)
{
	return weakmod_init_before(weakmod_init_first(x)) +
	       weakmod_init_after(weakmod_init_middle(x));
}

static noinline int weakmod_static(int x)
{
	return weakmod_before(weakmod_first(x)) + weakmod_after(weakmod_middle(x)) +
	       weakmod_kept(weakmod_bare(x));
}

static int __init weakmod_init(void)
{
	int i;

	weakmod_sum = weakmod_init_only(weakmod_sum) + weakmod_static(weakmod_sum);
	for (i = 0; READ_ONCE(hold) && i < 3000; i++)
		msleep(20);
	return 0;
}

static void __exit weakmod_exit(void)
{
	weakmod_sum = weakmod_static(weakmod_sum);
}

module_init(weakmod_init);
module_exit(weakmod_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Weak functions that another object file overrides");
