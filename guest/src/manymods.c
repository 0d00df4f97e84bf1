// SPDX-License-Identifier: GPL-2.0
/*
 * Load one module many times under different names. PLACEHOLDER ends in digits. At each place of PLACEHOLDER in the file, the
 * number of the copy replaces the digits.
 *
 * usage: manymods FILE.ko PLACEHOLDER COUNT     for example tinymod_0000, 1000
 *
 * Prints "load N NS" for the first, the middle and the last copy.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"

static int failed(const char *what)
{
	fprintf(stderr, "manymods: %s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	static size_t places[100000];
	size_t num = 0, i, size, len, digits;
	char *image, *at, *end, number[16];
	struct stat st;
	int fd, n, count;

	if (argc != 4 || (count = atoi(argv[3])) <= 0) {
		fprintf(stderr, "usage: manymods FILE.ko PLACEHOLDER COUNT\n");
		return 2;
	}
	len = strlen(argv[2]);
	for (digits = 0; digits < len && argv[2][len - 1 - digits] == '0'; digits++)
		;
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		return failed(argv[1]);
	size = st.st_size;
	image = malloc(size);
	if (!image || read(fd, image, size) != (ssize_t)size)
		return failed(argv[1]);
	close(fd);
	for (at = image, end = image + size; num < 100000 && (at = memmem(at, end - at, argv[2], len)); at++)
		places[num++] = at + len - digits - image;

	for (n = 0; n < count; n++) {
		unsigned long long start;

		snprintf(number, sizeof(number), "%0*d", (int)digits, n);
		for (i = 0; i < num; i++)
			memcpy(image + places[i], number, digits);
		start = now();
		if (syscall(SYS_init_module, image, size, ""))
			return failed(number);
		if (n == 0 || n == count / 2 || n == count - 1)
			printf("load %d %llu\n", n, now() - start);
	}
	return 0;
}
