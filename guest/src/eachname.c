// SPDX-License-Identifier: GPL-2.0
/*
 * Have the kernel look up each name of a list in a separate BPF_LINK_CREATE, and attach nothing: there is no
 * free file descriptor for the link, and the kernel notices this after the lookup. The caller measures how
 * long that takes.
 *
 * usage: eachname OBJECT.bpf.o NAMES
 *   NAMES   one name per line
 *
 * Prints "NAME ERRNO" for each: EMFILE if the kernel found it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* Sets the limit so that no descriptor is free */
static int use_up_descriptors(void)
{
	struct rlimit limit;
	int fd = dup(0);

	if (fd < 0 || close(fd) || getrlimit(RLIMIT_NOFILE, &limit))
		return -1;
	limit.rlim_cur = fd;
	return setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	const char *names[1] = { NULL };
	struct bpf_program *prog;
	struct bpf_object *obj;
	char line[512];
	FILE *list;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: eachname OBJECT.bpf.o NAMES\n");
		return 2;
	}
	list = fopen(argv[2], "r");
	if (!list) {
		fprintf(stderr, "eachname: %s: %s\n", argv[2], strerror(errno));
		return 1;
	}
	obj = bpf_object__open_file(argv[1], NULL);
	if (!obj || bpf_object__load(obj)) {
		fprintf(stderr, "eachname: cannot load %s\n", argv[1]);
		return 1;
	}
	prog = bpf_object__next_program(obj, NULL);
	if (!prog || use_up_descriptors()) {
		fprintf(stderr, "eachname: %s\n", prog ? strerror(errno) : "no program");
		return 1;
	}
	names[0] = line;
	opts.kprobe_multi.syms = names;
	opts.kprobe_multi.cnt = 1;
	while (fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = '\0';
		fd = bpf_link_create(bpf_program__fd(prog), 0, BPF_TRACE_KPROBE_SESSION, &opts);
		if (fd >= 0) {
			fprintf(stderr, "eachname: %s: attached\n", line);
			return 1;
		}
		printf("%s %d\n", line, -fd);
	}
	return 0;
}
