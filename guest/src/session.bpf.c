// SPDX-License-Identifier: GPL-2.0
/*
 * The program that attach puts on one function: it counts the calls. attach loads one object for
 * each function, so that each has a separate counter.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

SEC("kprobe.session")
int count_calls(void *ctx)
{
	__sync_fetch_and_add(&calls, 1);
	/* 1 at the entry: the program does not run again at the return */
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
