#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Tests the rules of make matrix, arch and bisect on made-up sources: which objects a configuration builds, which warnings
# they have, which options it lacks. They refuse unknown cells, machines and patches. Builds no kernel.
# usage: tests/matrix.sh

. "$(dirname -- "$0")/tap.bash"
. "$TOP/scripts/lib/cells.sh"

refused "a cell that is not there" "$TOP/bench" 'no cell nothing' "$TOP/scripts/matrix/matrix" guest nothing
refused "a machine that is not there" "$TOP/bench" 'no machine nothing' "$TOP/scripts/matrix/arch" arm64 nothing
refused "a patch that is not there" "$TOP/bench" 'no patch 0099' env BASE=6.12 "$TOP/scripts/matrix/bisect" 0099

source=$W/source objects=$W/objects
mkdir -p "$source"/{kernel/module,lib/tests} "$objects"
cat >"$source/kernel/Makefile" <<'EOT'
obj-y += extable.o
obj-$(CONFIG_KALLSYMS) += kallsyms.o
EOT
cat >"$source/kernel/module/Makefile" <<'EOT'
obj-y += main.o strict_rwx.o
obj-$(CONFIG_KALLSYMS) += kallsyms.o
EOT
cat >"$source/lib/tests/Makefile" <<'EOT'
obj-$(CONFIG_OTHER_TEST) += other_kunit.o
obj-$(CONFIG_FTRACE_LOOKUP_KUNIT_TEST) += ftrace_lookup_kunit.o
EOT
# names OPTION...: the objects of a configuration with these options
names() {
	printf '%s\n' "${@/#/CONFIG_}" >"$objects/.config"
	touched_objects | xargs
}
same "objects: nothing set" "$(names)" kernel/extable.o
same "objects: without kallsyms" "$(names MODULES=y FUNCTION_TRACER=y)" \
	"kernel/extable.o kernel/trace/ftrace.o kernel/module/main.o kernel/module/strict_rwx.o"
same "objects: tests as modules, others not" "$(names KALLSYMS=y FTRACE_LOOKUP_KUNIT_TEST=m OTHER_TEST=y)" \
	"kernel/extable.o kernel/kallsyms.o lib/tests/ftrace_lookup_kunit.o"

printf 'CONFIG_MODULES=y\n# CONFIG_KUNIT is not set\nCONFIG_EXTRA=m\n' >"$objects/.config"
same "a configuration that lacks nothing" "$(lacking MODULES=y KUNIT=n NOTHING=n EXTRA=m)" ""
same "one that does" "$(lacking MODULES=n KUNIT=y NOTHING=y EXTRA=y EXTRA=n)" " MODULES=n KUNIT=y NOTHING=y EXTRA=y EXTRA=n"

# Replaces the kernel's Makefile: each object prints the warning or the error in a file of its name
cat >"$source/Makefile" <<'EOT'
%.o:
	@cat $(CURDIR)/$*.said >&2; ! grep -q error: $(CURDIR)/$*.said
	@mkdir -p $(O)/$(@D) && echo W=$(W) >$(O)/$@
EOT
echo "$source/kernel/a.c:12:3: warning: unused variable 'x'" >"$source/kernel/a.said"
echo "vmlinux.o: warning: objtool: f+0x12: unreachable" >"$source/kernel/b.said"
: >"$source/kernel/c.said"
same "warnings, without where they are" "$(compiled "$W/log" kernel/a.o kernel/b.o kernel/c.o)" \
	"kernel/a.c: warning: unused variable 'x'
vmlinux.o: warning: objtool: f: unreachable"
same "they are compiled with W=1" "$(cat "$objects/kernel/c.o")" W=1
same "no warning" "$(compiled "$W/log" kernel/c.o)" ""
echo "$source/kernel/c.c:1:1: error: expected ';'" >"$source/kernel/c.said"
same "what does not compile, though an older object is there" "$(compiled "$W/log" kernel/c.o kernel/a.o)" \
	"error: does not compile
kernel/a.c: warning: unused variable 'x'
kernel/c.c: error: expected ';'"

printf 'ok - a\nnot ok - b # why\nok - c # SKIP d\nok - e\n# ok - f\n' >"$W/tap"
same "TAP lines are counted, a skip is no pass" "$(tap_counts "$W/tap")" "2 1 1"
[ "$failures" -eq 0 ]
