// SPDX-License-Identifier: GPL-2.0
/*
 * An overridden function without a symbol before it. objtool reports code before the
 * first symbol as unreachable: the "$" symbol is for objtool. kallsyms skips it.
 */
#include "ftrace_lookup.h"

FTLU_DATA($ftlu_start);
__weak FTLU_FUNC(ftlu_weak_first, 1)
