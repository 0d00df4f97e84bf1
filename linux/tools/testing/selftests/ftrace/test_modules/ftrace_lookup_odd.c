// SPDX-License-Identifier: GPL-2.0
/* Functions with odd symbols: overridden, aliased, mapping symbols, names with dots */
#include "ftrace_lookup.h"

/* The overridden function has this symbol before it */
FTLU_DATA(ftlu_text_data);
__weak FTLU_FUNC(ftlu_weak_middle, 2)
__weak FTLU_FUNC(ftlu_weak_kept, 3)
FTLU_FUNC(ftlu_aliased, 4)
int ftlu_alias(int x) __alias(ftlu_aliased);
FTLU_FUNC(ftlu_isra, 5)
FTLU_FUNC(ftlu_llvm, 6)
FTLU_FUNC(ftlu_l0, 7)
FTLU_FUNC(ftlu_dot_l, 8)
