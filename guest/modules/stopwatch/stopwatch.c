// SPDX-License-Identifier: GPL-2.0
/*
 * How long each call of one kernel function takes. For kernels whose kprobe events refuse functions that
 * cannot be traced, as those of ftrace itself: kretprobes do not.
 *
 * insmod stopwatch.ko func=NAME; then /sys/module/stopwatch/parameters/calls has one number for each call
 * since, in nanoseconds, the oldest first.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

/* As many as fit into a page as text: a parameter has no more */
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

	/* Too many, or missed: no figure rather than a wrong one */
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
