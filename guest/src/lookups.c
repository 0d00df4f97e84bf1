// SPDX-License-Identifier: GPL-2.0
/*
 * Attach one kprobe.session program to many functions at once, by name, in one BPF_LINK_CREATE,
 * again and again with other numbers of names. The caller measures how long the kernel takes to
 * look them up.
 *
 * usage: lookups OBJECT.bpf.o NAMES COUNT...
 *   NAMES   one name per line
 *   COUNT   how many of them, evenly spaced, with the first and the last; if it is 1, the middle
 *
 * Prints "attached COUNT" for each. Exits with 1 if the kernel refuses an attach.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define MAX_NAMES 8192

static char *names[MAX_NAMES];
static int num_names;

static int read_names(const char *file)
{
	FILE *f = fopen(file, "r");
	char line[512];

	if (!f) {
		fprintf(stderr, "lookups: %s: %s\n", file, strerror(errno));
		return -1;
	}
	while (num_names < MAX_NAMES && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		names[num_names] = strdup(line);
		if (!names[num_names++])
			return -1;
	}
	fclose(f);
	return 0;
}

/* Returns 0, or the kernel's error */
static int attach(int prog, int count)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	static const char *syms[MAX_NAMES];
	int i, fd;

	for (i = 0; i < count; i++)
		syms[i] = names[count > 1 ? (long)i * (num_names - 1) / (count - 1) : num_names / 2];
	opts.kprobe_multi.syms = syms;
	opts.kprobe_multi.cnt = count;

	fd = bpf_link_create(prog, 0, BPF_TRACE_KPROBE_SESSION, &opts);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	struct bpf_program *prog;
	struct bpf_object *obj;
	int i, err;

	if (argc < 4) {
		fprintf(stderr, "usage: lookups OBJECT.bpf.o NAMES COUNT...\n");
		return 2;
	}
	if (read_names(argv[2]))
		return 1;
	obj = bpf_object__open_file(argv[1], NULL);
	if (!obj || bpf_object__load(obj)) {
		fprintf(stderr, "lookups: cannot load %s\n", argv[1]);
		return 1;
	}
	prog = bpf_object__next_program(obj, NULL);
	if (!prog) {
		fprintf(stderr, "lookups: no program in %s\n", argv[1]);
		return 1;
	}
	for (i = 3; i < argc; i++) {
		int count = atoi(argv[i]);

		if (count < 1 || count > num_names) {
			fprintf(stderr, "lookups: %s: there are %d names\n", argv[i], num_names);
			return 1;
		}
		err = attach(bpf_program__fd(prog), count);
		if (err) {
			fprintf(stderr, "lookups: %d names: %s\n", count, strerror(err));
			return 1;
		}
		printf("attached %d\n", count);
	}
	return 0;
}
