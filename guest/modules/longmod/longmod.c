// SPDX-License-Identifier: GPL-2.0
/*
 * Has a symbol whose name is longer than KSYM_NAME_LEN allows. Prints the
 * result of sprint_symbol() for its address, and how many bytes it writes
 * before the buffer (docs/kernel-bugs.md, "long").
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>

#define TEN(x)		x x x x x x x x x x
#define LONG_NAME	"long_" TEN(TEN("abcdef"))
#define BEFORE		64

static int target asm(LONG_NAME) __used = 1;
static char text[BEFORE + KSYM_SYMBOL_LEN];

static int __init long_init(void)
{
	int i, written = 0, len = sprint_symbol(text + BEFORE, (unsigned long)&target);

	for (i = 0; i < BEFORE; i++)
		written += text[i] != 0;
	pr_info("longmod: length %d, name cut off after %zu characters, %d bytes written before the buffer\n",
		len, strcspn(text + BEFORE, "+"), written);
	return 0;
}

static void __exit long_exit(void)
{
}

module_init(long_init);
module_exit(long_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A symbol with a long name");
