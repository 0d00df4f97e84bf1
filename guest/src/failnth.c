// SPDX-License-Identifier: GPL-2.0
/*
 * Load a module while the Nth memory allocation of the load fails. The attributes of failslab
 * and fail_page_alloc in debugfs define which allocations count.
 *
 * usage: failnth N FILE.ko [PARAMETERS]
 *
 * Prints "fired ERRNO" if the load reached N allocations, else "over ERRNO"; ERRNO is 0 if the
 * module is loaded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failed(const char *what)
{
	fprintf(stderr, "failnth: %s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	const char *params = argc > 3 ? argv[3] : "";
	char left[16] = "";
	int fd, nth, err;

	if (argc < 3 || argc > 4 || atoi(argv[1]) < 1) {
		fprintf(stderr, "usage: failnth N FILE.ko [PARAMETERS]\n");
		return 2;
	}
	fd = open(argv[2], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return failed(argv[2]);
	nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth < 0)
		return failed("fail-nth");

	/* Only the load may be in between: all allocations of this task count */
	if (write(nth, argv[1], strlen(argv[1])) < 0)
		return failed("fail-nth");
	err = syscall(SYS_finit_module, fd, params, 0) ? errno : 0;
	if (pread(nth, left, sizeof(left) - 1, 0) <= 0 || write(nth, "0", 1) != 1)
		return failed("fail-nth");

	printf("%s %d\n", atoi(left) ? "over" : "fired", err);
	return 0;
}
