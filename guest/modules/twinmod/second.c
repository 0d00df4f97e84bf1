// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>

#include "twins.h"

static noinline int twin(void)
{
	barrier();
	return 2;
}

noinline int second_twin(void)
{
	return twin();
}
