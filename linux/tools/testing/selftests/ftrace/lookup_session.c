// SPDX-License-Identifier: GPL-2.0
/*
 * Attach a BPF program to functions given by name, as kprobe.session where the
 * kernel has that, else as kprobe.multi, and say which addresses the kernel
 * found for the names. With a command: run it, and say how often the program
 * ran meanwhile. A session runs it at entry and at return, multi at entry only.
 *
 * No libbpf: that would look the names up itself.
 */
#define __SANE_USERSPACE_TYPES__	/* else __u64 is a long on powerpc */
#include <asm/types.h>		/* powerpc's ptrace types, which linux/types.h of tools/ lacks */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/bpf.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#endif

#define EXIT_REFUSED		1	/* the kernel did not take the names */
#define EXIT_BROKEN		2	/* called wrongly, or something else failed */
#define EXIT_UNSUPPORTED	4	/* this kernel cannot do it at all */

static long bpf(enum bpf_cmd cmd, union bpf_attr *attr, size_t size)
{
	return syscall(SYS_bpf, cmd, attr, size);
}

static void die(int code, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(code);
}

static int new_counter(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(__u32),
		.value_size = sizeof(__u64),
		.max_entries = 1,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr, sizeof(attr));

	if (fd < 0)
		die(EXIT_UNSUPPORTED, "BPF_MAP_CREATE");
	return fd;
}

static __u64 read_counter(int map)
{
	__u32 key = 0;
	__u64 value = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)))
		die(EXIT_BROKEN, "BPF_MAP_LOOKUP_ELEM");
	return value;
}

static int load_program(int map, enum bpf_attach_type type)
{
	const struct bpf_insn insns[] = {
		/* r1 = address of the counter, in two halves; r2 = 1; *r1 += r2; return 0 */
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = map },
		{ .code = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 1 },
		{ .code = BPF_STX | BPF_DW | BPF_ATOMIC, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_2, .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.expected_attach_type = type,
		.insns = (uintptr_t)insns,
		.insn_cnt = ARRAY_SIZE(insns),
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int attach(int prog, enum bpf_attach_type type, const __u64 *syms, __u32 count)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = prog,
			.attach_type = type,
			.kprobe_multi = {
				.syms = (uintptr_t)syms,
				.cnt = count,
			},
		},
	};

	return bpf(BPF_LINK_CREATE, &attr, sizeof(attr));
}

/*
 * Load the program for a session or for multi. A kernel that knows that kind of
 * link takes offence at too many names, without looking at any of them: so the
 * answer does not depend on the look-up, which is what is being tested.
 */
static int load_supported(int map, enum bpf_attach_type *type)
{
	static const enum bpf_attach_type types[] = {
		BPF_TRACE_KPROBE_SESSION, BPF_TRACE_KPROBE_MULTI,
	};
	const __u64 none = 0;
	unsigned int i;
	int prog;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		*type = types[i];
		prog = load_program(map, types[i]);
		if (prog < 0)
			continue;
		if (attach(prog, types[i], &none, UINT32_MAX) < 0 &&
		    (errno == E2BIG || errno == ENOMEM))
			return prog;
		close(prog);
	}
	die(EXIT_UNSUPPORTED, "neither kprobe.session nor kprobe.multi");
	return -1;
}

static int attach_names(int prog, enum bpf_attach_type type, char **names, int count)
{
	__u64 syms[count];
	int i;

	for (i = 0; i < count; i++)
		syms[i] = (uintptr_t)names[i];
	return attach(prog, type, syms, count);
}

static void print_addresses(int link, int count)
{
	__u64 addrs[count];
	struct bpf_link_info info = {
		.kprobe_multi = {
			.addrs = (uintptr_t)addrs,
			.count = count,
		},
	};
	union bpf_attr attr = {
		.info = {
			.bpf_fd = link,
			.info_len = sizeof(info),
			.info = (uintptr_t)&info,
		},
	};
	int i;

	memset(addrs, 0, sizeof(addrs));
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
		die(EXIT_UNSUPPORTED, "BPF_OBJ_GET_INFO_BY_FD");
	for (i = 0; i < count; i++)
		printf("address %016llx\n", (unsigned long long)addrs[i]);
}

static void run(char **command)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die(EXIT_BROKEN, "fork");
	if (!pid) {
		execvp(command[0], command);
		die(EXIT_BROKEN, command[0]);
	}
	if (waitpid(pid, &status, 0) != pid)
		die(EXIT_BROKEN, "waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "%s failed\n", command[0]);
		exit(EXIT_BROKEN);
	}
}

int main(int argc, char **argv)
{
	enum bpf_attach_type type;
	int map, prog, link, count = 0;
	char **names = argv + 1;
	__u64 before;

	while (count < argc - 1 && strcmp(names[count], "--"))
		count++;
	if (!count || count == argc - 2) {
		fprintf(stderr, "usage: %s FUNCTION... [-- COMMAND [ARGUMENT...]]\n", argv[0]);
		return EXIT_BROKEN;
	}

	map = new_counter();
	prog = load_supported(map, &type);
	link = attach_names(prog, type, names, count);
	if (link < 0) {
		printf("refused %d\n", errno);
		return EXIT_REFUSED;
	}

	printf("mode %s\n", type == BPF_TRACE_KPROBE_SESSION ? "session" : "multi");
	print_addresses(link, count);
	if (names[count]) {
		fflush(stdout);
		before = read_counter(map);
		run(names + count + 1);
		printf("hits %llu\n", (unsigned long long)(read_counter(map) - before));
	}
	return 0;
}
