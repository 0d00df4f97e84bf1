// SPDX-License-Identifier: GPL-2.0
/* What overrides the weak functions */
#include <linux/compiler.h>
#include "ftrace_lookup_weak.h"

noinline int ftlu_weak_first(int x)
{
	return x * 31 + 3;
}

noinline int ftlu_weak_middle(int x)
{
	return x * 31 + 4;
}

noinline int ftlu_weak_strong(int x)
{
	return x * 31 + 5;
}
