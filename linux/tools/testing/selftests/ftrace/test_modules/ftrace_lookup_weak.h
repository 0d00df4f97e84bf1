/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTRACE_LOOKUP_WEAK_H
#define FTRACE_LOOKUP_WEAK_H

int ftlu_weak_first(int x);
int ftlu_weak_kept(int x);
int ftlu_weak_middle(int x);
int ftlu_weak_strong(int x);

#endif
