/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The first function of this module loses its symbol when the module is linked,
 * and objtool calls code before the first symbol unreachable. So here is a
 * symbol for objtool, by its name a mapping symbol: kallsyms overlooks those,
 * and the function after it stays without any symbol at or below it.
 */
	.text
	.balign	16
	.type	"$ftlu_weak_start", %object
"$ftlu_weak_start":
#ifdef CONFIG_X86
	.skip	16, 0x90
#else
	.skip	16
#endif
	.size	"$ftlu_weak_start", . - "$ftlu_weak_start"
	.section .note.GNU-stack, "", %progbits
