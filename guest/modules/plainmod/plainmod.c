// SPDX-License-Identifier: GPL-2.0
/*
 * An ordinary small module: functions and data of all kinds, some for init only, an exported
 * symbol, a per-CPU variable. A number written to /sys/module/plainmod/parameters/run runs its
 * functions.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>

int plain_exported(int x);

static DEFINE_PER_CPU(int, plain_per_cpu);
static int plain_data = 1;
static int plain_bss;
static int plain_init_data __initdata = 2;
static const int plain_rodata[] = { 3, 1, 4, 1, 5, 9, 2, 6 };

static noinline int plain_add(int x)
{
	plain_bss += x + READ_ONCE(plain_data);
	return plain_bss;
}

static noinline int plain_pick(int x)
{
	this_cpu_inc(plain_per_cpu);
	return READ_ONCE(plain_rodata[x & 7]);
}

noinline int plain_exported(int x)
{
	return plain_add(x) + plain_pick(x);
}
EXPORT_SYMBOL_GPL(plain_exported);

static noinline notrace int plain_untraced(int x)
{
	return plain_exported(x) + 1;
}

static int plain_run(const char *value, const struct kernel_param *param)
{
	int x, err = kstrtoint(value, 0, &x);

	if (!err)
		WRITE_ONCE(plain_data, plain_untraced(x));
	return err;
}

static const struct kernel_param_ops plain_run_ops = { .set = plain_run };
module_param_cb(run, &plain_run_ops, NULL, 0200);

/*
 * Puts plain_init_only() at the offset of weakmod's first record in .text and
 * .init.text, so that the record can borrow its name (guest/jobs/proof/borrowed)
 */
asm(".pushsection .init.text, \"ax\"\n"
    ".skip 256, 0x90\n"
    ".popsection");

static noinline int __init plain_init_only(int x)
{
	return plain_exported(x) + READ_ONCE(plain_init_data);
}

static int __init plain_init(void)
{
	WRITE_ONCE(plain_data, plain_init_only(1));
	return 0;
}

static void __exit plain_exit(void)
{
	WRITE_ONCE(plain_data, 0);
}

module_init(plain_init);
module_exit(plain_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An ordinary small module");
