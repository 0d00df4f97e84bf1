# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh. This file alone knows what belongs to the name of a kernel and where a kernel lies.
#
# A name is [BASE/FLAVOUR/]STATE[+PATCH]... Without the first two parts the variables BASE and FLAVOUR count.
#   FLAVOUR     configs/FLAVOUR.config and configs/FLAVOUR-BASE.config are added to configs/guest.config; "guest" adds none
#   configured  the source with a configuration, not compiled
#   before      the source, compiled
#   core, after the source with that part of the series, and with the patches of proof/ for it
#   NNNN        the source with the series up to that patch
#   +PATCH      with a patch on top: a file NAME.patch of bench/variants, debug or out/patches/BASE-FLAVOUR, or
#               NAME-BASE.patch; "fix-NNNN" is one of fixes/, "fixes" are all of them
# shellcheck disable=SC2034,SC2153 # for the scripts that source this file

# kernel NAME: sets what the name says (K_STATE, KTAG) and where the kernel lies: K_TREE, the tree that it is built in; K_KEPT,
# the folder that keeps its image, configuration and stamp; K_IMAGE, K_CONFIG and K_STAMP. Most kernels share one tree.
kernel() {
	local rest=$1
	case $1 in
	*/*/*)
		rest=${1#*/}
		[ "${1%%/*}" = "$BASE" ] || die "$1 is not of BASE=$BASE" "run: BASE=${1%%/*} $0"
		FLAVOUR=${rest%%/*} rest=${rest#*/}
		[ "$FLAVOUR" != guest ] || FLAVOUR=
		export FLAVOUR KTAG=$TAG${FLAVOUR:+-$FLAVOUR}
		;;
	esac
	[[ $rest =~ ^(configured|before|core|after|[0-9]{4})([+][A-Za-z0-9-]+)*$ ]] ||
		die "$1 is not the name of a kernel" "one is: before, core, after, 0002, core+bitmap; see scripts/lib/kernel.sh"
	K_STATE=$rest
	K_KEPT=$OUT/build/$KTAG-$rest
	K_TREE=$K_KEPT
	case $rest in before | configured | core | after) ;; *) K_TREE=$OUT/build/$KTAG-patched ;; esac
	K_IMAGE=$K_KEPT/arch/x86/boot/bzImage K_CONFIG=$K_KEPT/.config K_STAMP=$K_KEPT/.stamp
}

# kernel_configs: sets K_CONFIGS to the configuration fragments of the kernel, as paths below TOP
kernel_configs() {
	K_CONFIGS=(configs/guest.config)
	[ -n "${FLAVOUR:-}" ] || return 0
	K_CONFIGS+=("configs/$FLAVOUR.config")
	[ -f "$TOP/${K_CONFIGS[-1]}" ] || die "no ${K_CONFIGS[-1]}" "FLAVOUR= names a file in configs/"
	[ ! -f "$TOP/configs/$FLAVOUR-$BASE.config" ] || K_CONFIGS+=("configs/$FLAVOUR-$BASE.config")
}

# kernel_patches: sets K_PATCHES to the patches of the kernel
kernel_patches() {
	local on=${K_STATE%%+*} last series name found sets
	K_PATCHES=()
	series=$(series_dir)
	case $on in
	before | configured) last=0 ;;
	after) last=$(last_patch all) ;;
	core) last=$(last_patch core) ;;
	*) last=$on ;;
	esac
	if [ "$last" != 0 ]; then
		[ -f "$series/series" ] || die "no series in $series" "run: make series"
		sets=("$series/series")
		[ "$last" = "$on" ] || sets+=("$series-proof/series")
		mapfile -t K_PATCHES < <(awk -v last="$last" \
			'$1 + 0 <= last + 0 { print substr(FILENAME, 1, length(FILENAME) - length("series")) $1 }' "${sets[@]}")
	fi
	for name in $(tr + ' ' <<<"${K_STATE#"$on"}"); do
		found=$(patches_named "$name")
		[ -n "$found" ] || die "there is no patch $name" "see the head of scripts/lib/kernel.sh"
		mapfile -t -O ${#K_PATCHES[@]} K_PATCHES <<<"$found"
	done
}
# patches_named NAME: prints the paths of what +NAME stands for
patches_named() {
	local fixes file
	fixes=$TOP/fixes/$(base_field 3)
	case $1 in
	fixes) sed "s,^,$fixes/," "$fixes/series" ;;
	fix-*) compgen -G "$fixes/${1#fix-}-*.patch" || true ;;
	*)
		for file in "$TOP"/{bench/variants,debug}/"$1"{,-"$BASE"}.patch "$OUT/patches/$KTAG/$1.patch"; do
			if [ -f "$file" ]; then
				printf '%s\n' "$file"
				return
			fi
		done
		;;
	esac
}
# made_patch NAME: prints where a patch lies that a script makes and builds as +NAME
made_patch() {
	mkdir -p "$OUT/patches/$KTAG"
	printf '%s\n' "$OUT/patches/$KTAG/$1.patch"
}
# tree_for NAME: prints where a tree lies that is no kernel's: for compiling single objects
tree_for() { printf '%s\n' "$OUT/build/$TAG-$1"; }
# module FOLDER TO [STRIP-OPTION]: builds the module in FOLDER against the kernel, and puts it, stripped as distributions strip
# theirs, into the folder TO. The module has the name of its folder.
module() {
	"${KMAKE[@]}" -C "$K_TREE" M="$1" modules && strip "${3:---strip-debug}" -o "$2/${1##*/}.ko" "$1/${1##*/}.ko"
}
