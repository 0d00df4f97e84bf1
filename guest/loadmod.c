// SPDX-License-Identifier: GPL-2.0
/*
 * Load or unload a module and print the time that the system call took, and nothing else.
 * usage: loadmod FILE.ko [PARAMETER=VALUE...]
 *        loadmod -u NAME
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static int report(const char *call, const char *what, long ret, unsigned long long ns)
{
	if (ret < 0) {
		fprintf(stderr, "loadmod: %s %s: %s (errno %d)\n", call, what, strerror(errno),
			errno);
		return 1;
	}
	printf("%s %s %llu\n", call, what, ns);
	return 0;
}

static int load(const char *file, char **params)
{
	char args[1024] = "";
	unsigned long long start, ns;
	size_t len = 0;
	long ret;
	int fd;

	for (; *params; params++) {
		len += snprintf(args + len, sizeof(args) - len, "%s%s", len ? " " : "", *params);
		if (len >= sizeof(args)) {
			fprintf(stderr, "loadmod: too many parameters\n");
			return 2;
		}
	}

	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return report("open", file, fd, 0);

	start = now();
	ret = syscall(SYS_finit_module, fd, args, 0);
	ns = now() - start;
	return report("finit_module", file, ret, ns);
}

static int unload(const char *name)
{
	unsigned long long start, ns;
	long ret;

	start = now();
	ret = syscall(SYS_delete_module, name, O_NONBLOCK);
	ns = now() - start;
	return report("delete_module", name, ret, ns);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "-u"))
		return unload(argv[2]);
	if (argc >= 2 && argv[1][0] != '-')
		return load(argv[1], argv + 2);
	fprintf(stderr, "usage: loadmod FILE.ko [PARAMETER=VALUE...]\n"
			"       loadmod -u NAME\n");
	return 2;
}
