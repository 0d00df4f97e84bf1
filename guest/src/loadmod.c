// SPDX-License-Identifier: GPL-2.0
/*
 * Load a module and print the time that the system call took, and nothing else.
 * usage: loadmod FILE.ko
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"

static int failed(const char *call, const char *what)
{
	fprintf(stderr, "loadmod: %s %s: %s (errno %d)\n", call, what, strerror(errno), errno);
	return 1;
}

int main(int argc, char **argv)
{
	unsigned long long start, ns;
	long ret;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: loadmod FILE.ko\n");
		return 2;
	}

	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return failed("open", argv[1]);

	start = now();
	ret = syscall(SYS_finit_module, fd, "", 0);
	ns = now() - start;
	if (ret)
		return failed("finit_module", argv[1]);
	printf("finit_module %s %llu\n", argv[1], ns);
	return 0;
}
