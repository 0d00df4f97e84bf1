// SPDX-License-Identifier: GPL-2.0
/*
 * Measures how long each call of one kernel function takes. The kprobe events
 * of some kernels refuse functions that ftrace cannot trace, such as those of
 * ftrace itself. kretprobes accept them.
 *
 * insmod stopwatch.ko func=NAME; then /sys/module/stopwatch/parameters/calls has
 * the nanoseconds of each call since then, the oldest first.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

/* As many as fit into a page as text, which is the limit of a parameter */
#define MAX_CALLS 340

static char func[KSYM_NAME_LEN];
module_param_string(func, func, sizeof(func), 0444);

static u64 took[MAX_CALLS];
static atomic_t calls = ATOMIC_INIT(0);

static int enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(u64 *)instance->data = ktime_get_mono_fast_ns();
	return 0;
}
NOKPROBE_SYMBOL(enter);

static int leave(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u64 ns = ktime_get_mono_fast_ns() - *(u64 *)instance->data;
	int i = atomic_fetch_inc(&calls);

	if (i < MAX_CALLS)
		took[i] = ns;
	return 0;
}
NOKPROBE_SYMBOL(leave);

static struct kretprobe probe = {
	.entry_handler = enter,
	.handler = leave,
	.data_size = sizeof(u64),
	.maxactive = 64,
};

static int show_calls(char *buffer, const struct kernel_param *kp)
{
	int i, len = 0, n = atomic_read(&calls);

	/* Too many calls, or some missed: no figure is better than a wrong one */
	if (n > MAX_CALLS || probe.nmissed)
		return -EOVERFLOW;
	for (i = 0; i < n; i++)
		len += scnprintf(buffer + len, PAGE_SIZE - len, "%llu\n", took[i]);
	return len;
}

static const struct kernel_param_ops calls_ops = {
	.get = show_calls,
};
module_param_cb(calls, &calls_ops, NULL, 0444);

static int __init stopwatch_init(void)
{
	probe.kp.symbol_name = func;
	return register_kretprobe(&probe);
}

static void __exit stopwatch_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(stopwatch_init);
module_exit(stopwatch_exit);
MODULE_DESCRIPTION("Time each call of a kernel function");
MODULE_LICENSE("GPL");
