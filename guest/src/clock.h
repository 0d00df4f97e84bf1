/* SPDX-License-Identifier: GPL-2.0 */
#include <time.h>

/* Nanoseconds of a clock that nobody sets */
static inline unsigned long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}
