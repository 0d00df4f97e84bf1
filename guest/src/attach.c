// SPDX-License-Identifier: GPL-2.0
/*
 * Attach one kprobe.session program to each function of a list, by exact name, and print how
 * long each attach took. Each BPF_LINK_CREATE carries one symbol, and only that call is timed.
 * All programs stay attached until the end.
 *
 * usage: attach [-f | -m] OBJECT.bpf.o NAMES
 *   NAMES   one name per line; empty lines and lines that begin with # are skipped
 *   -f      fire: a line is NAME SYSCALL; then call each system call a known number of times
 *           and compare with the count of its program
 *   -m      missing: the names need not exist
 *
 * Prints, times in nanoseconds:
 *   attach NAME ADDRESS NS           or   attach NAME error ERRNO
 *   missing NAME ERRNO NS            with -m, in place of an error
 *   fired NAME expected N counted N  with -f
 *   total NS median NS worst NS      over all calls with the expected result
 * Exits with 1 if a result is not the expected one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "clock.h"

#define MAX_NAMES 256
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct target {
	char name[512];
	char call[64];
	struct bpf_object *obj;
	int link;		/* file descriptor, 0 if there is none */
};

/* Makes one system call */
typedef void (*call_fn)(void);

static struct target targets[MAX_NAMES];
static unsigned long long times_ns[MAX_NAMES];
static int num_targets, num_times;

/* Raw system calls: libc may answer without the kernel, or call another one */
static void call_getpgid(void)
{
	syscall(SYS_getpgid, 0);
}

static void call_getsid(void)
{
	syscall(SYS_getsid, 0);
}

static void call_getpriority(void)
{
	syscall(SYS_getpriority, PRIO_PROCESS, 0);
}

static void call_sched_get_priority_max(void)
{
	syscall(SYS_sched_get_priority_max, SCHED_FIFO);
}

static void call_sched_get_priority_min(void)
{
	syscall(SYS_sched_get_priority_min, SCHED_FIFO);
}

static void call_times(void)
{
	struct tms tms;

	syscall(SYS_times, &tms);
}

static void call_getrusage(void)
{
	struct rusage usage;

	syscall(SYS_getrusage, RUSAGE_SELF, &usage);
}

static void call_sysinfo(void)
{
	/* struct sysinfo: the header of libc conflicts with that of the kernel tree */
	long info[32];

	syscall(SYS_sysinfo, info);
}

static void call_getcpu(void)
{
	unsigned int cpu;

	syscall(SYS_getcpu, &cpu, NULL, NULL);
}

static void call_personality(void)
{
	/* Only reads the value */
	syscall(SYS_personality, 0xffffffff);
}

static const struct {
	const char *name;
	call_fn func;
} calls[] = {
	{ "getpgid", call_getpgid },
	{ "getsid", call_getsid },
	{ "getpriority", call_getpriority },
	{ "sched_get_priority_max", call_sched_get_priority_max },
	{ "sched_get_priority_min", call_sched_get_priority_min },
	{ "times", call_times },
	{ "getrusage", call_getrusage },
	{ "sysinfo", call_sysinfo },
	{ "getcpu", call_getcpu },
	{ "personality", call_personality },
};

static call_fn find_call(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].func;
	return NULL;
}

static int print_warning(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level != LIBBPF_WARN)
		return 0;
	return vfprintf(stderr, format, args);
}

static int read_names(const char *file, int fire)
{
	char line[1024];
	FILE *f = fopen(file, "r");

	if (!f) {
		fprintf(stderr, "attach: %s: %s\n", file, strerror(errno));
		return -1;
	}
	while (fgets(line, sizeof(line), f)) {
		struct target *t = &targets[num_targets];
		int fields;

		if (num_targets == MAX_NAMES) {
			fprintf(stderr, "attach: %s: more than %d names\n", file, MAX_NAMES);
			goto bad;
		}
		fields = sscanf(line, "%511s %63s", t->name, t->call);
		if (fields < 1 || t->name[0] == '#')
			continue;
		if (fire && (fields < 2 || !find_call(t->call))) {
			fprintf(stderr, "attach: %s: no system call known for %s\n", file, t->name);
			goto bad;
		}
		num_targets++;
	}
	fclose(f);
	if (!num_targets)
		fprintf(stderr, "attach: %s: no names\n", file);
	return num_targets ? 0 : -1;
bad:
	fclose(f);
	return -1;
}

/* Loads a separate program for each target, ready to be attached */
static struct bpf_program *prepare(struct target *t, const char *object)
{
	struct bpf_program *prog;

	t->obj = bpf_object__open_file(object, NULL);
	if (!t->obj) {
		fprintf(stderr, "attach: %s: cannot open: %s\n", object, strerror(errno));
		return NULL;
	}
	if (bpf_object__load(t->obj)) {
		fprintf(stderr, "attach: %s: cannot load: %s\n", object, strerror(errno));
		return NULL;
	}
	prog = bpf_object__next_program(t->obj, NULL);
	if (!prog)
		fprintf(stderr, "attach: %s: no program in it\n", object);
	return prog;
}

/*
 * Returns 0 or the kernel's error, and always sets the time that the call took. The higher
 * functions of libbpf replace some of these errors.
 */
static int attach(struct target *t, struct bpf_program *prog, unsigned long long *ns)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	const char *name = t->name;
	unsigned long long start;
	int fd;

	opts.kprobe_multi.syms = &name;
	opts.kprobe_multi.cnt = 1;

	start = now();
	fd = bpf_link_create(bpf_program__fd(prog), 0, BPF_TRACE_KPROBE_SESSION, &opts);
	*ns = now() - start;
	if (fd < 0)
		return -fd;
	t->link = fd;
	return 0;
}

/* The address that the kernel found for the name */
static int attached_address(struct target *t, unsigned long long *addr)
{
	__u64 addrs[1] = { 0 };
	struct bpf_link_info info = {
		.kprobe_multi.addrs = (unsigned long)addrs,
		.kprobe_multi.count = 1,
	};
	__u32 len = sizeof(info);

	if (bpf_link_get_info_by_fd(t->link, &info, &len)) {
		fprintf(stderr, "attach: %s: no link info: %s\n", t->name, strerror(errno));
		return -1;
	}
	if (info.type != BPF_LINK_TYPE_KPROBE_MULTI || info.kprobe_multi.count != 1 || !addrs[0]) {
		fprintf(stderr, "attach: %s: no address in the link info, see kptr_restrict\n",
			t->name);
		return -1;
	}
	*addr = addrs[0];
	return 0;
}

static int read_counter(struct target *t, __u64 *value)
{
	struct bpf_map *map = bpf_object__find_map_by_name(t->obj, ".bss");
	__u32 key = 0;

	if (!map || bpf_map__value_size(map) != sizeof(*value)) {
		fprintf(stderr, "attach: the object has no counter\n");
		return -1;
	}
	if (bpf_map__lookup_elem(map, &key, sizeof(key), value, sizeof(*value), 0)) {
		fprintf(stderr, "attach: cannot read the counter: %s\n", strerror(errno));
		return -1;
	}
	return 0;
}

/* A different number for each, so that a counter of another program is noticed */
static int expected_calls(int i)
{
	return 3 + i;
}

static int fire(void)
{
	int i, n, bad = 0;

	for (i = 0; i < num_targets; i++) {
		call_fn call = find_call(targets[i].call);

		for (n = 0; n < expected_calls(i); n++)
			call();
	}

	for (i = 0; i < num_targets; i++) {
		struct target *t = &targets[i];
		__u64 counted;

		if (!t->link)
			continue;
		if (read_counter(t, &counted)) {
			bad = 1;
			continue;
		}
		printf("fired %s expected %d counted %llu\n", t->name, expected_calls(i),
		       (unsigned long long)counted);
		if (counted != (__u64)expected_calls(i))
			bad = 1;
	}
	return bad;
}

static int compare(const void *a, const void *b)
{
	unsigned long long x = *(const unsigned long long *)a;
	unsigned long long y = *(const unsigned long long *)b;

	return (x > y) - (x < y);
}

static void print_times(void)
{
	unsigned long long total = 0;
	int i;

	if (!num_times)
		return;
	qsort(times_ns, num_times, sizeof(times_ns[0]), compare);
	for (i = 0; i < num_times; i++)
		total += times_ns[i];
	printf("total %llu median %llu worst %llu\n", total,
	       (times_ns[(num_times - 1) / 2] + times_ns[num_times / 2]) / 2,
	       times_ns[num_times - 1]);
}

int main(int argc, char **argv)
{
	int opt, i, fire_mode = 0, missing_mode = 0, bad = 0;

	while ((opt = getopt(argc, argv, "fm")) != -1) {
		if (opt == 'f')
			fire_mode = 1;
		else if (opt == 'm')
			missing_mode = 1;
		else
			goto usage;
	}
	if (argc - optind != 2 || (fire_mode && missing_mode))
		goto usage;

	/* No output is lost if the machine crashes */
	setvbuf(stdout, NULL, _IOLBF, 0);
	libbpf_set_print(print_warning);
	if (read_names(argv[optind + 1], fire_mode))
		return 1;

	for (i = 0; i < num_targets; i++) {
		struct target *t = &targets[i];
		struct bpf_program *prog = prepare(t, argv[optind]);
		unsigned long long ns, addr = 0;
		int err;

		if (!prog)
			return 1;
		err = attach(t, prog, &ns);
		if (missing_mode && err) {
			printf("missing %s %d %llu\n", t->name, err, ns);
		} else if (err) {
			printf("attach %s error %d\n", t->name, err);
			bad = 1;
			continue;
		} else {
			if (attached_address(t, &addr))
				bad = 1;
			printf("attach %s %llx %llu\n", t->name, addr, ns);
		}
		times_ns[num_times++] = ns;
	}

	if (fire_mode && fire())
		bad = 1;
	print_times();
	return bad;

usage:
	fprintf(stderr, "usage: attach [-f | -m] OBJECT.bpf.o NAMES\n");
	return 2;
}
