/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/compiler.h>

/* The bodies differ, or the compiler could merge the functions */
#define FTLU_FUNC(name, n) noinline int name(int x) { return x * 31 + 1##n; }

/*
 * A data object in .text. The compiler puts it before the functions of the file. On x86
 * objtool decodes it as nops of four bytes. The symbol lies inside the first one: objtool
 * demands an endbr where code refers to. 30 bytes exceed any FTRACE_MCOUNT_MAX_OFFSET.
 */
#define FTLU_DATA(name) asm(".pushsection .text, \"ax\"\n.balign 16\n" \
	".type \"" #name "\", %object\n.size \"" #name "\", 30\n.globl \"" #name "\"\n" \
	".short 0x1f0f\n\"" #name "\": .short 0x40\n.fill 7, 4, 0x401f0f\n.popsection")

int ftlu_weak_first(int x), ftlu_weak_middle(int x), ftlu_weak_kept(int x);
int ftlu_aliased(int x), ftlu_alias(int x), ftlu_init_only(int x);
int ftlu_call_twice(int x), ftlu_call_second(int x);
int ftlu_isra(int x) asm("ftlu_odd.isra.0");
int ftlu_llvm(int x) asm("ftlu_odd.llvm.123");
int ftlu_l0(int x) asm("L0ftlu_mapping");
#ifdef CONFIG_CC_IS_CLANG	/* its assembler drops symbols with ".L" */
int ftlu_dot_l(int x) asm("L0ftlu_mapping2");
#else
int ftlu_dot_l(int x) asm(".Lftlu_mapping");
#endif
extern const char ftlu_text_data[];
