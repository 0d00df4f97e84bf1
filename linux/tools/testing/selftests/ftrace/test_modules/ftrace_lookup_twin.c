// SPDX-License-Identifier: GPL-2.0
/* Functions with the names of functions in ftrace_lookup_main.c, and their callers */
#include "ftrace_lookup.h"

static FTLU_FUNC(ftlu_twice, 11)
static FTLU_FUNC(ftlu_second, 12)
int ftlu_call_twice(int x) { return ftlu_twice(x) + 13; }
int ftlu_call_second(int x) { return ftlu_second(x) + 14; }
