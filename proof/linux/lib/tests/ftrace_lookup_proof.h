/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LIB_TESTS_FTRACE_LOOKUP_PROOF_H
#define _LIB_TESTS_FTRACE_LOOKUP_PROOF_H

/*
 * Long names, for symbols of ftrace_lookup_every_dup.c. The name of the variable has
 * KSYM_NAME_LEN - 1 bytes, the most that kallsyms can hold. The name of the function is
 * shorter: the padding in front of a function has a symbol with "__pfx_" before the
 * name, and libbpf reads at most 499 bytes of a name.
 */
#define FTL_50			"ftrace_lookup_name_as_long_as_kallsyms_can_hold_it"
#define FTL_LONG_FUNCTION	"ftl_" FTL_50 FTL_50 FTL_50 FTL_50 FTL_50	\
				FTL_50 FTL_50 FTL_50 FTL_50
#define FTL_LONGEST_VARIABLE	FTL_LONG_FUNCTION FTL_50 "_as_var"

#endif
