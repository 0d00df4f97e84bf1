# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by source, binary, debian-root and arch: Debian's packages for a base, wherever they lie.

# apt_mirror: the Debian mirror of the machine's own configuration
apt_mirror() {
	local mirror
	# shellcheck disable=SC2016 # apt's variables
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
		awk '$2 == "Debian" || (NF == 1 && !/security/) { print $1; exit }')
	[ -n "$mirror" ] || die "apt-get indextargets names no Debian mirror" "see /etc/apt/sources.list"
	printf '%s\n' "$mirror"
}

# apt_options: sets APT to the options that apt-get and apt-cache need for BASE's packages. None if they
# are in the machine's own suites; else those of a configuration apart, with the machine's own mirror
# and the system's keyring, so that the machine's sources stay as they are.
apt_options() {
	local suite
	APT=()
	suite=$(base_field 4)
	[ "$suite" = - ] || apt_apart "$OUT/apt/$BASE" "$suite"
}

# apt_foreign ARCHITECTURE: the same for packages of another architecture in the machine's own suite
apt_foreign() {
	apt_apart "$OUT/apt/$1" "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)"
	APT+=(-o "APT::Architecture=$1" -o "APT::Architectures=$1")
}

# apt_apart FOLDER SUITE: sets APT to a configuration apart
apt_apart() {
	local keyring=/usr/share/keyrings/debian-archive-keyring.gpg mirror dir=$1 suite=$2
	[ -f $keyring ] || die "there is no $keyring" "apt-get install debian-archive-keyring"
	mirror=$(apt_mirror) || exit 1
	mkdir -p "$dir"/{lists,archives}/partial
	echo "deb [signed-by=$keyring] $mirror $suite main" >"$dir/sources.list"
	APT=(-o "Dir::Etc::SourceList=$dir/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o Dir::Etc::PreferencesParts=/dev/null -o "Dir::State::Lists=$dir/lists"
		-o Dir::State::status=/dev/null -o "Dir::Cache=$dir")
}

# apt_update: brings the lists of packages up to date, if this user may
apt_update() {
	if [ ${#APT[@]} -gt 0 ] || [ "$(id -u)" -eq 0 ]; then
		apt-get "${APT[@]}" update
	else
		echo "if the lists of packages are old or missing: run 'apt-get update' as root"
		return 1
	fi
}

# apt_download PACKAGE: into the current folder, with one more try when the lists are missing or name a
# version that is gone
apt_download() {
	rm -f "$1"_*.deb
	apt-get "${APT[@]}" download "$1" || { apt_update && apt-get "${APT[@]}" download "$1"; }
}
