// SPDX-License-Identifier: GPL-2.0
/*
 * A module with cases from the field: long and odd names, functions in
 * .kprobes.text, and an init that fails if fail=1.
 * /sys/module/fieldmod/parameters/ has:
 *   run      a number written to it runs all functions
 *   symbol   an address written to it reads back as %pS, %ps and %pB
 *   regions  start and size of each region of the module
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#define X10	"xxxxxxxxxx"
#define X50	X10 X10 X10 X10 X10
#define X100	X50 X50

/* Each function has a different number, so that the compiler cannot merge two */
#define FUNCTION(id, name, n)			\
	static int id(int x) asm(name);		\
	static noinline __used int id(int x) { return READ_ONCE(x) + (n); }

FUNCTION(name_127, "field_127_" X100 X10 "xxxxxxx", 1)
FUNCTION(name_128, "field_128_" X100 X10 "xxxxxxxx", 2)
FUNCTION(name_255, "field_255_" X100 X100 X10 X10 X10 X10 "xxxxx", 3)
FUNCTION(name_511, "field_511_" X100 X100 X100 X100 X100 "x", 4)
FUNCTION(name_utf8, "field_\303\244\303\266\303\274", 5)
FUNCTION(name_llvm, "field_lto.llvm.1234567890123456789", 6)
FUNCTION(name_isra, "field_part.isra.0", 7)
FUNCTION(name_cold, "field_part.isra.0.cold", 8)
/* Some kernels treat a name that begins with L0 as that of a label */
FUNCTION(name_l0, "L0field", 9)
FUNCTION(name_plain, "field_plain", 10)

static int field_data[5] = { 1, 2, 3 };
static char field_bss[100];
static const char field_rodata[] = "a constant that has a symbol";

static noinline int __kprobes field_kprobes_first(int x)
{
	return READ_ONCE(field_data[0]) + x;
}

/* The same bytes as call padding, even if the kernel has none */
asm(".pushsection .kprobes.text, \"ax\"\n"
    ".skip 48, 0x90\n"
    ".popsection");

static noinline int __kprobes field_kprobes_last(int x)
{
	return READ_ONCE(field_bss[0]) + x;
}

static int run_set(const char *value, const struct kernel_param *param)
{
	int x, err = kstrtoint(value, 0, &x);

	if (err)
		return err;
	x = name_127(x) + name_128(x) + name_255(x) + name_511(x) + name_utf8(x) + name_llvm(x) +
	    name_isra(x) + name_cold(x) + name_l0(x) + name_plain(x) + field_kprobes_first(x) +
	    field_kprobes_last(x);
	WRITE_ONCE(field_data[1], x + READ_ONCE(field_rodata[1]));
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static unsigned long symbol_of;

static int write_symbol(const char *value, const struct kernel_param *param)
{
	return kstrtoul(value, 0, &symbol_of);
}

static int read_symbol(char *buffer, const struct kernel_param *param)
{
	void *addr = (void *)symbol_of;

	return scnprintf(buffer, PAGE_SIZE, "%pS %ps %pB\n", addr, addr, addr);
}

static const struct kernel_param_ops symbol_ops = { .set = write_symbol, .get = read_symbol };
module_param_cb(symbol, &symbol_ops, NULL, 0600);

static int regions_get(char *buffer, const struct kernel_param *param)
{
	int n = 0;

	for_each_mod_mem_type(type) {
		struct module_memory *mem = &THIS_MODULE->mem[type];

		if (mem->size)
			n += scnprintf(buffer + n, PAGE_SIZE - n, "%d %px %u\n", type, mem->base, mem->size);
	}
	return n;
}

static const struct kernel_param_ops regions_ops = { .get = regions_get };
module_param_cb(regions, &regions_ops, NULL, 0400);

static bool fail;
module_param(fail, bool, 0);

static noinline int __init field_init_only(int x)
{
	return READ_ONCE(fail) ? -EINVAL : x;
}

static int __init field_init(void)
{
	return field_init_only(0);
}

static void __exit field_exit(void)
{
}

module_init(field_init);
module_exit(field_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Odd names, .kprobes.text, and what %pS says");
