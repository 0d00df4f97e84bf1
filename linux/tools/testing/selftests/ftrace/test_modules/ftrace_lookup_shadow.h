/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTRACE_LOOKUP_SHADOW_H
#define FTRACE_LOOKUP_SHADOW_H

struct ftlu_call {
	const char *name;
	int (*call)(int x);
};

/* The last one has no name */
extern const struct ftlu_call ftlu_twin_calls[];

#endif
