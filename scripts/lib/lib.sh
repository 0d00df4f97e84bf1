# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by every script: where things lie, how to speak, how to stop.

set -euo pipefail
export LC_ALL=C
# What a kernel developer may have set would build another kernel.
unset MAKEFLAGS MFLAGS KBUILD_OUTPUT O ARCH CROSS_COMPILE LLVM KCFLAGS LOCALVERSION INSTALL_PATH CDPATH

TOP=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$(realpath -m -- "${OUT:-$TOP/out}")
BASE=${BASE:-6.12}
ME=${0##*/}
QEMU=${QEMU:-qemu-system-x86_64}
CACHE_CC=gcc
if command -v ccache >/dev/null 2>&1; then CACHE_CC="ccache gcc"; fi
# Kbuild has the compiler list the headers, so ccache need not run the preprocessor first: a cold build is faster.
export CCACHE_DEPEND=1
# shellcheck disable=SC2034 # for the scripts that source this file
KMAKE=(make -s "-j$(nproc)" "CC=$CACHE_CC" KBUILD_BUILD_TIMESTAMP=1970-01-01
	KBUILD_BUILD_USER=ftrace-lookup KBUILD_BUILD_HOST=localhost)

say() { printf '%s\n' "$*"; } # TEXT...: prints a line
warn() { printf '%s: %s\n' "$ME" "$*" >&2; }
# die MESSAGE [WHAT TO DO NEXT]
die() {
	warn "error: $1"
	[ $# -lt 2 ] || printf '  %s\n' "${@:2}" >&2
	exit 1
}

# The usage line of a script is the line "# usage:" in its head.
usage() {
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
}

# base_field COLUMN: one field of BASE's line in configs/bases
base_field() {
	local v
	v=$(awk -v b="$BASE" -v c="$1" '$1 == b { print $c; exit }' "$TOP/configs/bases")
	[ -n "$v" ] || die "no base $BASE" "known bases: $(known_bases)" \
		"a new one takes a folder under patches/ and a line in configs/bases"
	printf '%s\n' "$v"
}
# known_bases: prints the names of the bases
known_bases() { awk '!/^#/ && NF { printf "%s%s", s, $1; s = " " }' "$TOP/configs/bases"; }
patches_dir() { printf '%s/patches/%s\n' "$TOP" "$(base_field 3)"; }
# last_patch minimal|core|all: the number of the last patch of a set
last_patch() { awk -v set="$1" '$1 == set { print $2 }' "$TOP/configs/sets"; }
# where the complete, mail-ready series of BASE lies once scripts/series has written it
series_dir() { printf '%s/series/%s\n' "$OUT" "$(base_field 3)"; }

# kernel_version TREE: VERSION.PATCHLEVEL.SUBLEVEL, or fails if it is no kernel tree
kernel_version() {
	[ -f "$1/Makefile" ] && [ -f "$1/Kbuild" ] && [ -f "$1/kernel/trace/ftrace.c" ] || return 1
	awk -F' *= *' '/^VERSION =/ { v = $2 } /^PATCHLEVEL =/ { p = $2 }
		/^SUBLEVEL =/ { s = $2 } /^NAME =/ { exit }
		END { if (v == "" || p == "") exit 1; print v "." p "." s }' "$1/Makefile"
}

# With KSRC, a tree of the user's own, its version names the base and what is built of it is kept
# apart.
if [ -n "${KSRC:-}" ]; then
	version=$(kernel_version "$KSRC") || die "KSRC=$KSRC is not a kernel tree"
	BASE=${version%.*}
	TAG=$BASE-ksrc
else
	TAG=$BASE
fi
KTAG=$TAG${FLAVOUR:+-$FLAVOUR}
export OUT BASE TAG KTAG QEMU

# step NAME COMMAND...: name, elapsed time and log of one stage; its last lines if it fails. With STEP_LINES, about how
# many lines the command prints, it tells how much time is left.
step() {
	local name=$1 log t0=$SECONDS pid rc=0 next sig lines left
	shift
	log=$OUT/log/$(printf '%s' "$KTAG-$name" | tr -c 'A-Za-z0-9.\n' '-').log
	mkdir -p "$OUT/log"
	printf -- '-- %s (log: %s)\n' "$name" "${log#"$TOP/"}"
	# In a separate process group, which ends with this script: no build and no guest goes on.
	set -m
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	set +m
	for sig in INT TERM HUP; do
		# shellcheck disable=SC2064 # of this process
		trap "kill -- -$pid 2>/dev/null || true; trap - $sig; kill -s $sig $$" $sig
	done
	next=60
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		if [ $((SECONDS - t0)) -ge "$next" ]; then
			lines=$(wc -l <"$log") left=
			if [ -n "${STEP_LINES:-}" ] && [ "$lines" -gt 0 ] && [ "$lines" -lt "$STEP_LINES" ]; then
				left=" about $(elapsed $((next * (STEP_LINES - lines) / lines))) left,"
			fi
			printf '   %s:%s %s\n' "$(elapsed $next)" "$left" "$(tail -n 1 "$log" | cut -c1-70)"
			next=$((next + 60))
		fi
	done
	wait "$pid" || rc=$?
	trap - INT TERM HUP
	if [ "$rc" -ne 0 ]; then
		tail -n 20 "$log" >&2
		die "$name failed after $(elapsed $((SECONDS - t0)))" "whole log: $log"
	fi
	printf '   done in %s\n' "$(elapsed $((SECONDS - t0)))"
}
elapsed() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); } # SECONDS: prints them as minutes and seconds

# module_counts FILE.ko: its ftrace records and symbol-table entries, as read back from the file
module_counts() {
	local size
	size=$(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] //' | awk '$1 == "__mcount_loc" { print $5 }')
	echo "records $((0x${size:-0} / 8))"
	echo "symbols $(readelf -sW "$1" | grep -cE '^ *[0-9]+:')"
	# those of functions whose memory is freed once init has run
	echo "init_records $(readelf -rW "$1" | awk '/^Relocation section/ { in_it = /__mcount_loc/ }
		in_it && $5 == ".init.text" { n++ } END { print n + 0 }')"
}

# bare_root DIR JOB-FILE...: the least that a guest needs, in a new folder: busybox, init and these jobs
bare_root() {
	rm -rf "$1"
	mkdir -p "$1"/{bin,sbin,proc,sys,dev,tmp,jobs}
	cp "${BUSYBOX:-/bin/busybox}" "$1/bin/busybox"
	ln -s busybox "$1/bin/sh"
	cp "$TOP/guest/init" "$1/"
	cp "${@:2}" "$1/jobs/"
}

# pack DIR FILE [UNDER]: what is in DIR as an initramfs, on top of another one. The same contents give the same file.
pack() (
	[ $# -lt 3 ] || cat "$3"
	cd "$1" && find . -exec touch -h -d @0 {} + && find . -print0 | sort -z | cpio -0o -H newc --quiet --reproducible -R 0:0 | gzip -n1
) >"$2"

# current STAMP INPUT...: true if STAMP holds the hash of the inputs; else remember the hash in
# NEWSTAMP, to be written with stamp once the stage has ended well.
current() {
	NEWSTAMP=$(printf '%s\n' "${@:2}" | sha256sum | cut -c1-64)
	[ -f "$1" ] && [ "$(cat "$1")" = "$NEWSTAMP" ]
}
stamp() { printf '%s\n' "$NEWSTAMP" >"$1"; } # FILE: the stage has ended well
# hash_files FILE...: one hash over names and contents
hash_files() { (cd "$TOP" && find "$@" -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum | cut -c1-64; }
