// SPDX-License-Identifier: GPL-2.0
/*
 * A module with two static functions of one name, for livepatches.
 * /sys/module/twinmod/parameters/twins shows what the two return: 1 and 2, or 10
 * plus the number of the livepatch. A number written to spin sets how many
 * milliseconds spin_for() takes.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "twins.h"

static int twins_get(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%d %d\n", first_twin(), second_twin());
}

static const struct kernel_param_ops twins_ops = { .get = twins_get };
module_param_cb(twins, &twins_ops, NULL, 0400);

static noinline unsigned long spin_for(unsigned long ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(ms), n = 0;

	while (time_before(jiffies, end))
		WRITE_ONCE(n, n + 1);
	return n;
}

static int spin_set(const char *value, const struct kernel_param *param)
{
	unsigned long ms;
	int err = kstrtoul(value, 0, &ms);

	if (!err)
		spin_for(ms);
	return err;
}

static const struct kernel_param_ops spin_ops = { .set = spin_set };
module_param_cb(spin, &spin_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Two functions of one name");
