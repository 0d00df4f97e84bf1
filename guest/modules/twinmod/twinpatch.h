/* SPDX-License-Identifier: GPL-2.0 */
/* A livepatch for the twin at POSITION in the symbol table */
#include <linux/livepatch.h>
#include <linux/module.h>

static int new_twin(void)
{
	return 10 + POSITION;
}

static struct klp_func funcs[] = {
	{ .old_name = "twin", .new_func = new_twin, .old_sympos = POSITION },
	{ }
};

static struct klp_object objs[] = {
	{ .name = "twinmod", .funcs = funcs },
	{ }
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objs };

static int __init twinpatch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit twinpatch_exit(void)
{
}

module_init(twinpatch_init);
module_exit(twinpatch_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A livepatch for a function whose name is not unique");
MODULE_INFO(livepatch, "Y");
