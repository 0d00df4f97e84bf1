// SPDX-License-Identifier: GPL-2.0
/* An overridden function between others: alone, as a compiler may reorder a file */
#include <linux/compiler.h>
#include "ftrace_lookup_weak.h"

noinline int __weak ftlu_weak_middle(int x)
{
	return x * 31 + 2;
}
