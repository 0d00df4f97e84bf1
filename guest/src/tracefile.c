// SPDX-License-Identifier: GPL-2.0
/*
 * Read a file to its end, or write a text to it, and print how long the system calls took.
 *
 * usage: tracefile read FILE COPY       prints "read FILE NS LINES"; COPY gets the content
 *        tracefile write FILE TEXT      prints "write FILE NS"
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"

static int failed(const char *what)
{
	fprintf(stderr, "tracefile: %s: %s\n", what, strerror(errno));
	return 1;
}

/* Times only open(), read() and close() of the file */
static int read_file(const char *file, const char *copy)
{
	unsigned long long start, ns = 0, lines = 0;
	static char buf[1 << 16];
	int out = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ssize_t n, i;
	int fd;

	if (out < 0)
		return failed(copy);
	start = now();
	fd = open(file, O_RDONLY);
	ns += now() - start;
	if (fd < 0)
		return failed(file);
	do {
		start = now();
		n = read(fd, buf, sizeof(buf));
		ns += now() - start;
		if (n < 0)
			return failed(file);
		for (i = 0; i < n; i++)
			lines += buf[i] == '\n';
		if (write(out, buf, n) != n)
			return failed(copy);
	} while (n);
	start = now();
	close(fd);
	ns += now() - start;
	close(out);
	printf("read %s %llu %llu\n", file, ns, lines);
	return 0;
}

/* The tracer applies the text when the file is closed */
static int write_file(const char *file, const char *text)
{
	unsigned long long start = now();
	int fd = open(file, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
		return failed(file);
	printf("write %s %llu\n", file, now() - start);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "read"))
		return read_file(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "write"))
		return write_file(argv[2], argv[3]);
	fprintf(stderr, "usage: tracefile read FILE COPY | write FILE TEXT\n");
	return 2;
}
