// SPDX-License-Identifier: GPL-2.0
/* The programs of cookies: each call stores the cookie under the address of the function. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, __u64);
} seen SEC(".maps");

static int note(void *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx), ip = bpf_get_func_ip(ctx);

	bpf_map_update_elem(&seen, &ip, &cookie, BPF_ANY);
	return 1;
}

SEC("kprobe.multi")
int multi(void *ctx)
{
	return note(ctx);
}

SEC("kprobe.session")
int session(void *ctx)
{
	return note(ctx);
}

char LICENSE[] SEC("license") = "GPL";
