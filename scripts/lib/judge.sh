# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by cells.sh: configures, compiles, boots and judges a cell. The cell sets source, and objects, its build folder.
# shellcheck disable=SC2154

# fail WHY: ends a cell that does not pass
fail() { printf '%s\n' "$1" >"$dir/why"; exit 1; }
# passed KEY VALUE...: writes what is known of a cell that passes, for scripts/matrix/matrix.py
passed() {
	local did=compiled tests='0 0 0'
	[ ! -f "$dir/tap" ] || did=booted tests=$(tap_counts "$dir/tap")
	kernel_version "$source" >"$dir/release"
	printf '%s %s\n' compiler "$COMPILED_BY" emulator "$QEMU" did "$did" tests "$tests" "$@" >"$dir/result"
}
# tap_counts FILE: prints "passed failed skipped" of its TAP lines
tap_counts() {
	awk '/^ok .*# SKIP/ { s++; next } /^ok / { p++ } /^not ok / { f++ } END { print p + 0, f + 0, s + 0 }' "$1"
}

# kbuild TARGET...: makes the target
kbuild() { "${KMAKE[@]}" -C "$source" "O=$objects" "$@"; }

# configure FROM [FILE...]: FROM is guest (tinyconfig and guest.config), allnoconfig, random:SEED or a file. FILEs go on top.
configure() {
	local config=$objects/.config
	mkdir -p "$objects"
	[ ! -f "$config" ] || cp "$config" "$config.was"
	case $1 in
	random:*)
		cat "$TOP/configs/matrix-random.config" "${@:2}" >"$dir/pinned"
		KCONFIG_SEED=${1#random:} KCONFIG_ALLCONFIG=$dir/pinned kbuild randconfig
		;;
	guest) kbuild tinyconfig && cat "$TOP/configs/guest.config" "${@:2}" >>"$config" && kbuild olddefconfig ;;
	allnoconfig) kbuild allnoconfig && cat "${@:2}" >>"$config" && kbuild olddefconfig ;;
	*) cp "$1" "$config" && kbuild olddefconfig ;;
	esac >>"$dir/log" 2>&1 || fail "cannot be configured from $1"
	# An unchanged configuration keeps its date, and with it all objects.
	! cmp -s "$config" "$config.was" || mv "$config.was" "$config"
}
# setting OPTION: prints its value, n if it is not set
setting() { sed -n "s/^CONFIG_$1=//p" "$objects/.config" | grep . || echo n; }
# lacking OPTION...: prints the options, each NAME=value, that have another value in the configuration
lacking() {
	local option
	for option; do [ "$(setting "${option%%=*}")" = "${option#*=}" ] || printf ' %s' "$option"; done
}
# must_have OPTION...: keeps the configuration, and fails the cell if an option has another value there
must_have() {
	cp "$objects/.config" "$dir/config"
	[ -z "$(lacking "$@")" ] || fail "the configuration lacks$(lacking "$@")"
}

# built_of FOLDER NAMES: prints the objects of its Makefile with such names (a regular expression) that the configuration builds
built_of() {
	# shellcheck disable=SC2016 # make's variables
	printf '%s\n' 'list:; @printf "%s\n" $(obj-y) $(obj-m)' "include $objects/.config $source/$1/Makefile" |
		make -sf - list | sed -nE "s,^($2)[.]o$,$1/&,p" | sort -u
}
# touched_objects: prints the objects of the touched files and those that include a touched header, as configured
touched_objects() {
	echo kernel/extable.o
	[ "$(setting FUNCTION_TRACER)" = n ] || echo kernel/trace/ftrace.o
	built_of kernel kallsyms
	[ "$(setting MODULES)" = n ] || built_of kernel/module '.*'
	[ ! -f "$source/lib/tests/Makefile" ] || built_of lib/tests 'ftrace_lookup_.*'
}

# compiled LOG OBJECT...: compiles the objects again with W=1. Prints their warnings and errors without line numbers, offsets and
# the name of the source folder. Prints "error: does not compile" if one does not.
compiled() {
	(cd "$objects" && rm -f "${@:2}")
	{
		kbuild -k W=1 "${@:2}" >"$1" 2>&1 || echo "error: does not compile"
		grep -E 'warning:|error:' "$1" | sed -E "s,$source/,,g; s/:[0-9]+(:[0-9]+)?:/:/g; s/\+0x[0-9a-f]+//g" || true
	} | sort -u
}
# compile STATE: compiles the touched objects, and puts their names into list. The warnings go to $dir/warnings.STATE, those of
# the state "after" to $dir/warnings. False if an object does not compile.
compile() {
	local warnings=$dir/warnings.$1
	kbuild prepare >>"$dir/log" 2>&1 || fail "make prepare fails ($1)"
	mapfile -t list < <(touched_objects)
	compiled "$dir/objects.$1.log" "${list[@]}" >"${warnings%.after}"
	! grep -q '^error: ' "${warnings%.after}"
}
# no_new_warning FILE...: fails the cell at a warning or an error in these files that warnings.before does not have
no_new_warning() {
	sort -u "$@" | comm -13 "$dir/warnings.before" - >"$dir/warnings.new"
	[ ! -s "$dir/warnings.new" ] || fail "new: $(head -n 1 "$dir/warnings.new")"
}

# pack_guest BUILD [TEST...]: packs $guest/initrd.gz with two modules and these selftests, built against the kernel in BUILD
pack_guest() {
	local module tests=$source/tools/testing/selftests installed=$guest/rootfs/selftests
	rm -rf "$guest"
	bare_root "$guest/rootfs" "$TOP"/guest/jobs/matrix/*
	printf '%s\n' "${@:2}" >"$guest/rootfs/jobs/selftests.list"
	"$TOP/guest/modules/genmodule" "$guest/bigmod" --records 4096 --symbols 13107
	cp -r "$TOP/guest/modules/weakmod" "$guest/weakmod"
	# clang has no such option.
	# shellcheck disable=SC2016 # make's
	sed -i 's/^ccflags-y += -fno-toplevel-reorder/ccflags-y += $(call cc-option,-fno-toplevel-reorder)/' "$guest"/*mod/Kbuild
	for module in weakmod bigmod; do
		"${KMAKE[@]}" -C "$1" M="$guest/$module" modules
		"${CROSS}strip" --strip-debug -o "$guest/rootfs/bin/$module.ko" "$guest/$module/$module.ko"
	done
	if [ $# -gt 1 ]; then
		# Only the programs: the kernel's own build leaves modules in the source or looks in the wrong folder.
		"${KMAKE[@]}" -C "$source" O="$1" headers
		rm -rf "$1/kselftest/ftrace"
		"${KMAKE[@]}" -C "$tests" O="$1" TARGETS=ftrace KDIR= USERLDFLAGS=-static INSTALL_PATH="$installed" install
		cp -r "$tests/ftrace/test_modules" "$guest/test_modules"
		"${KMAKE[@]}" -C "$1" M="$guest/test_modules" modules
		install -D -t "$installed/ftrace/test_modules" "$guest"/test_modules/*.ko
	fi
	pack "$guest/rootfs" "$guest/initrd.gz"
}
# boot BUILD IMAGE [TEST...]: boots a kernel for a short job. KUnit's suites of the series run during boot. Then the modules are
# loaded, listed and traced, or the selftests run. $dir/tap gets a line for each case, test or module. "not ok" fails the cell.
boot() {
	local guest=$OUT/try/$TAG-$ME-$name run=$OUT/run/$TAG-try-$ME-$name job=modules rc=0 suite bad
	[ $# -eq 2 ] || job=selftests
	step "pack the guest of $ME-$name" pack_guest "$1" "${@:3}"
	step "boot $ME-$name" env BOOT_CPUS=2 BOOT_TIMEOUT="${BOOT_TIMEOUT:-3600}" "$TOP/scripts/boot" "$2" "$guest/initrd.gz" \
		"$job" "$run" 'kunit.filter="speed>very_slow"' 'kunit.filter_glob=ftrace_lookup*'
	for suite in "$run"/kunit/*.ktap; do
		[ ! -f "$suite" ] || "$TOP/scripts/lib/ktap" "$source" kunit "$suite" "$run" || rc=1
	done >"$dir/tap"
	# A suite that did not run has left no line.
	while read -r suite; do
		grep -qE "^ok - kunit ${suite}[.]" "$dir/tap" || say "not ok - kunit $suite # it gave no result" >>"$dir/tap"
	done < <(sed -n 's/^\t\.name = "\(ftrace_lookup[a-z_]*\)",$/\1/p' "$source"/lib/tests/ftrace_lookup*_kunit.c 2>/dev/null)
	if [ "$job" = selftests ]; then
		"$TOP/scripts/lib/ktap" "$source" ftracetest "$run/ftracetest.ktap" "$run" || rc=1
	else
		awk '{ print "ok - " $1 ": " $2 " records enabled, as they are listed; " $3 " invalid" }' "$run/counts"
	fi >>"$dir/tap"
	bad=$(grep -m1 '^not ok ' "$dir/tap" || [ $rc -eq 0 ] || echo "its results cannot be read")
	[ -z "$bad" ] || fail "boots, but: $bad"
}
# link_and_boot IMAGE [TEST...]: makes the whole kernel in $objects, and boots it
link_and_boot() {
	kbuild "${1##*/}" modules >"$dir/link.log" 2>&1 || fail "does not link"
	boot "$objects" "$objects/$1" "${@:2}"
}
