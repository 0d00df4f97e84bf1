// SPDX-License-Identifier: GPL-2.0
/*
 * Attach one program to many functions by name, in one BPF_LINK_CREATE, each with a cookie; run the functions; and check
 * for each name that the kernel and the program saw its address and its cookie.
 *
 * usage: cookies OBJECT.bpf.o multi|session NAMES COUNT COMMAND
 *   NAMES    one name per line, in the order in which the kernel gets them
 *   COUNT    how many of them, from the first one
 *   COMMAND  runs functions, with sh -c
 *
 * Prints "NAME seen|quiet" for each: whether the program ran for it. Exits with 1 if a name has the address or the cookie of
 * another symbol.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define MAX_NAMES	1024
#define FIRST_COOKIE	1000

static const char *names[MAX_NAMES];

static int failed(const char *what)
{
	fprintf(stderr, "cookies: %s: %s\n", what, strerror(errno));
	return 1;
}

static int read_names(const char *file, int count)
{
	FILE *f = fopen(file, "r");
	char line[1024];
	int n = 0;

	if (!f)
		return failed(file);
	while (n < count && n < MAX_NAMES && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		names[n++] = strdup(line);
	}
	fclose(f);
	if (n < count)
		fprintf(stderr, "cookies: %s: only %d names\n", file, n);
	return n < count;
}

/* All of /proc/kallsyms, read once */
static char *read_symbols(void)
{
	size_t len = 0, room = 1 << 24;
	char *text = malloc(room);
	FILE *f = fopen("/proc/kallsyms", "r");

	if (!text || !f)
		return NULL;
	len = fread(text, 1, room - 1, f);
	fclose(f);
	text[len] = '\0';
	return text;
}

/* Does the kernel list that name at that address? */
static int has_symbol(const char *symbols, const char *name, unsigned long long addr)
{
	size_t len = strlen(name);
	char number[32];

	/* ADDRESS TYPE NAME, and after a tab the module */
	snprintf(number, sizeof(number), "%016llx ", addr);
	for (; (symbols = strstr(symbols, number)); symbols++) {
		const char *at = symbols + strlen(number) + 2;

		if (!strncmp(at, name, len) && (at[len] == '\n' || at[len] == '\t'))
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static __u64 cookies[MAX_NAMES], addrs[MAX_NAMES], linked[MAX_NAMES];
	struct bpf_link_info info = {};
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	__u32 len = sizeof(info);
	struct bpf_program *prog;
	struct bpf_object *obj;
	char *symbols;
	int i, j, count, fd, seen, bad = 0;

	if (argc != 6) {
		fprintf(stderr, "usage: cookies OBJECT.bpf.o multi|session NAMES COUNT COMMAND\n");
		return 2;
	}
	count = atoi(argv[4]);
	if (read_names(argv[3], count))
		return 1;
	obj = bpf_object__open_file(argv[1], NULL);
	if (!obj || bpf_object__load(obj))
		return failed(argv[1]);
	prog = bpf_object__find_program_by_name(obj, argv[2]);
	seen = bpf_object__find_map_fd_by_name(obj, "seen");
	if (!prog || seen < 0)
		return failed(argv[2]);

	for (i = 0; i < count; i++)
		cookies[i] = FIRST_COOKIE + i;
	opts.kprobe_multi.syms = names;
	opts.kprobe_multi.cnt = count;
	opts.kprobe_multi.cookies = cookies;
	fd = bpf_link_create(bpf_program__fd(prog), 0,
			     strcmp(argv[2], "session") ? BPF_TRACE_KPROBE_MULTI : BPF_TRACE_KPROBE_SESSION, &opts);
	if (fd < 0)
		return failed("attach");
	info.kprobe_multi.addrs = (unsigned long)addrs;
	info.kprobe_multi.cookies = (unsigned long)linked;
	info.kprobe_multi.count = count;
	if (bpf_link_get_info_by_fd(fd, &info, &len))
		return failed("link info");
	if (system(argv[5]))
		return failed(argv[5]);

	symbols = read_symbols();
	if (!symbols)
		return failed("/proc/kallsyms");
	for (i = 0; i < count; i++) {
		__u64 cookie = 0;
		int hit;

		for (j = 0; j < count && linked[j] != cookies[i]; j++)
			;
		if (j == count || !has_symbol(symbols, names[i], addrs[j])) {
			printf("%s has another symbol or cookie\n", names[i]);
			bad = 1;
			continue;
		}
		hit = !bpf_map_lookup_elem(seen, &addrs[j], &cookie);
		if (hit && cookie != cookies[i]) {
			printf("%s saw the cookie of %s\n", names[i], names[cookie - FIRST_COOKIE]);
			bad = 1;
		}
		printf("%s %s\n", names[i], hit ? "seen" : "quiet");
	}
	return bad;
}
