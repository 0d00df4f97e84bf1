// SPDX-License-Identifier: GPL-2.0
/*
 * Attach a BPF program to functions by name, as kprobe.session if the kernel has
 * that, else as kprobe.multi. Print the addresses that the kernel found. With a command:
 * run it and print how often the program ran. A session runs it at return as well.
 * This does not use libbpf, because libbpf looks up names itself.
 */
#define __SANE_USERSPACE_TYPES__	/* else __u64 is a long on powerpc */
#include <asm/types.h>		/* powerpc's ptrace types, which linux/types.h of tools/ lacks */
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <linux/bpf.h>

#define EXIT_BROKEN		2	/* wrong usage, or something else failed */
#define EXIT_UNSUPPORTED	4	/* this kernel cannot attach by name at all */
#define NO_PROGRAM		(-2)

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* The program adds 1 to the counter */
static int attach(int map, enum bpf_attach_type type, const __u64 *syms, int count)
{
	const struct bpf_insn insns[] = {
		/* r1 = address of the counter; r2 = 1; *r1 += r2; return 0 */
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_VALUE, 0, map },
		{ 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, 1 },
		{ BPF_STX | BPF_DW | BPF_ATOMIC, BPF_REG_1, BPF_REG_2, 0, BPF_ADD },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_KPROBE, .expected_attach_type = type,
		.insns = (uintptr_t)insns, .insn_cnt = sizeof(insns) / sizeof(struct bpf_insn),
		.license = (uintptr_t)"GPL",
	};
	int prog = bpf(BPF_PROG_LOAD, &load);
	union bpf_attr link = { .link_create = {
		.prog_fd = prog, .attach_type = type,
		.kprobe_multi = { .syms = (uintptr_t)syms, .cnt = count },
	} };

	return prog < 0 ? NO_PROGRAM : bpf(BPF_LINK_CREATE, &link);
}

int main(int argc, char **argv)
{
	union bpf_attr counter = {
		.map_type = BPF_MAP_TYPE_ARRAY, .map_flags = BPF_F_MMAPABLE,
		.key_size = 4, .value_size = 8, .max_entries = 1,
	};
	enum bpf_attach_type type = BPF_TRACE_KPROBE_SESSION;
	__u64 *hits, syms[argc], addrs[argc];
	struct bpf_link_info info = { .kprobe_multi.addrs = (uintptr_t)addrs };
	union bpf_attr query = { .info = { .info_len = sizeof(info), .info = (uintptr_t)&info } };
	int i, map, link, count = 0;

	for (; count < argc - 1 && strcmp(argv[count + 1], "--"); count++)
		syms[count] = (uintptr_t)argv[count + 1];
	map = bpf(BPF_MAP_CREATE, &counter);
	hits = mmap(NULL, sizeof(*hits), PROT_READ, MAP_SHARED, map, 0);
	if (map < 0 || hits == MAP_FAILED)
		err(EXIT_UNSUPPORTED, "BPF_MAP_CREATE");

	link = attach(map, type, syms, count);
	if (link < 0 && (errno == EINVAL || errno == EOPNOTSUPP)) {
		type = BPF_TRACE_KPROBE_MULTI;
		link = attach(map, type, syms, count);
		if (link == NO_PROGRAM || (link < 0 && errno == EOPNOTSUPP))
			err(EXIT_UNSUPPORTED, "kprobe.multi");
	}
	if (link < 0) {
		printf("refused %d\n", errno);
		return 0;
	}

	printf("mode %s\n", type == BPF_TRACE_KPROBE_SESSION ? "session" : "multi");
	query.info.bpf_fd = link;
	info.kprobe_multi.count = count;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &query))
		err(EXIT_UNSUPPORTED, "BPF_OBJ_GET_INFO_BY_FD");
	for (i = 0; i < count; i++)
		printf("address %016llx\n", (unsigned long long)addrs[i]);
	fflush(stdout);
	if (count < argc - 2) {
		if (system(argv[count + 2]))
			errx(EXIT_BROKEN, "%s", argv[count + 2]);
		printf("hits %llu\n", (unsigned long long)*hits);
	}
	return 0;
}
