// SPDX-License-Identifier: GPL-2.0
/* An overridden function with no symbol before it: alone, to come first in the text */
#include <linux/compiler.h>
#include "ftrace_lookup_weak.h"

noinline int __weak ftlu_weak_first(int x)
{
	return x * 31 + 1;
}
