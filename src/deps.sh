#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deps.sh run|test [--print]
#
# Finds what is missing on this machine to build and run perftop-ng, or to test it too.  As root on
# Debian and Ubuntu it installs the packages, otherwise it prints the exact command.  As root it
# also mounts tracefs, where the tracepoints are.  When nothing is missing it prints nothing and
# runs no package manager.
#
#   --print   only print the install command, if one is needed
#
# Exits 1 when something is missing that the build (or, for `test`, prove) requires.  Optional
# libraries, and tools that only some tests need, are installed if possible; otherwise what uses
# them is left out.
#
# For its test: DEPS_OS_RELEASE, DEPS_UID and DEPS_SYS replace /etc/os-release, the user id and
# /sys/kernel.
set -u

usage='usage: deps.sh run|test [--print]'
purpose=${1-} print=
case $purpose in
run | test) ;;
*) echo >&2 "$usage"; exit 129 ;;
esac
case ${2-} in
'') ;;
--print) print=1 ;;
*) echo >&2 "$usage"; exit 129 ;;
esac

has()
{
	command -v "$1" >/dev/null 2>&1
}

# has_library NAME: false also without pkg-config.
has_library()
{
	"${PKG_CONFIG:-pkg-config}" --exists "$1" 2>/dev/null
}

# Sets $needed and $wanted to what is missing, by our own names; see package().
find_missing()
{
	needed='' wanted=''
	has "${CC:-cc}" || has gcc || has clang || needed="$needed cc"
	has make || needed="$needed make"
	has "${PKG_CONFIG:-pkg-config}" || needed="$needed pkg-config"
	has_library ncursesw || needed="$needed ncurses"
	has_library libtraceevent || needed="$needed traceevent"
	has_library libelf || wanted="$wanted elf"
	has_library libseccomp || wanted="$wanted seccomp"
	has_library libzstd || wanted="$wanted zstd"
	[ "$purpose" = test ] || return 0

	has prove || needed="$needed prove"
	has timeout || needed="$needed coreutils"
	has tmux || wanted="$wanted tmux"
	has perf || wanted="$wanted perf"
	has strace || wanted="$wanted strace"
	has ps || wanted="$wanted ps"
	has script || wanted="$wanted script"
	has setpriv || wanted="$wanted setpriv"
	has sudo || wanted="$wanted sudo"
	has nm || wanted="$wanted nm"
	has prlimit || wanted="$wanted prlimit"
	has python3 || wanted="$wanted python3"
}

# Sets $family (for the package names) and $is_ubuntu from os-release.
find_family()
{
	ID='' ID_LIKE='' family='' is_ubuntu=
	os_release=${DEPS_OS_RELEASE:-/etc/os-release}
	# shellcheck disable=SC1090
	[ ! -r "$os_release" ] || . "$os_release"
	for id in $ID $ID_LIKE; do
		[ "$id" != ubuntu ] || is_ubuntu=1
		[ -z "$family" ] || continue
		case $id in
		debian | ubuntu) family=debian ;;
		fedora | rhel | centos) family=fedora ;;
		arch) family=arch ;;
		opensuse* | suse | sles) family=suse ;;
		alpine) family=alpine ;;
		esac
	done
}

# package NAME: its packages in this distribution.
package()
{
	case $family:$1 in
	debian:cc) echo gcc libc6-dev ;;
	debian:ncurses) echo libncurses-dev ;;
	debian:traceevent) echo libtraceevent-dev ;;
	debian:elf) echo libelf-dev ;;
	debian:seccomp) echo libseccomp-dev ;;
	debian:zstd) echo libzstd-dev ;;
	debian:pkg-config) echo pkg-config ;;
	debian:prove) echo perl ;;
	debian:perf) [ -n "$is_ubuntu" ] && echo linux-tools-generic || echo linux-perf ;;
	debian:ps) echo procps ;;
	debian:script) echo bsdutils ;;

	fedora:cc) echo gcc glibc-devel ;;
	suse:cc) echo gcc glibc-devel ;;
	fedora:ncurses | suse:ncurses) echo ncurses-devel ;;
	fedora:traceevent | suse:traceevent) echo libtraceevent-devel ;;
	fedora:elf) echo elfutils-libelf-devel ;;
	suse:elf) echo libelf-devel ;;
	fedora:seccomp | suse:seccomp) echo libseccomp-devel ;;
	fedora:zstd | suse:zstd) echo libzstd-devel ;;
	alpine:seccomp) echo libseccomp-dev ;;
	alpine:zstd) echo zstd-dev ;;
	arch:seccomp) echo libseccomp ;;
	arch:elf) echo libelf ;;
	alpine:elf) echo elfutils-dev ;;
	fedora:prove) echo perl-Test-Harness ;;
	suse:prove) echo perl ;;
	fedora:ps) echo procps-ng ;;
	suse:ps) echo procps ;;
	fedora:script) echo util-linux-script ;;

	arch:cc) echo gcc ;;
	arch:ncurses) echo ncurses ;;
	arch:traceevent) echo libtraceevent ;;
	arch:prove) echo perl ;;
	arch:ps) echo procps-ng ;;

	alpine:cc) echo gcc musl-dev linux-headers ;;
	alpine:ncurses) echo ncurses-dev linux-headers ;;
	alpine:traceevent) echo libtraceevent-dev ;;
	alpine:prove) echo perl-utils ;;
	alpine:ps) echo procps-ng ;;
	alpine:script) echo util-linux-misc ;;
	alpine:setpriv) echo setpriv ;;

	*:pkg-config) echo pkgconf ;;
	*:nm) echo binutils ;;
	arch:python3) echo python ;;
	*:script | *:setpriv | *:prlimit) echo util-linux ;;
	*) echo "$1" ;;
	esac
}

# packages NAME...: their packages, without duplicates, in order.
packages()
{
	list=' '
	for name; do
		for p in $(package "$name"); do
			case $list in
			*" $p "*) ;;
			*) list="$list$p " ;;
			esac
		done
	done
	# shellcheck disable=SC2086
	echo $list
}

# install_line PACKAGE...: the install command, to be run as root.
install_line()
{
	case $family in
	debian) echo "apt-get install -y --no-install-recommends $*" ;;
	fedora) echo "dnf install -y $*" ;;
	arch) echo "pacman -S --needed $*" ;;
	suse) echo "zypper install -y $*" ;;
	alpine) echo "apk add $*" ;;
	esac
}

apt_install()
{
	echo >&2 "deps: installing $*"
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >&2
}

# One by one: a package that this release lacks must not prevent the others.
apt_install_each()
{
	for pkg; do
		apt_install "$pkg" || echo >&2 "deps: no $pkg here: what uses it is left out, its tests skip"
	done
}

mount_tracefs()
{
	sys=${DEPS_SYS:-/sys/kernel}
	[ ! -d "$sys/tracing/events" ] && [ ! -d "$sys/debug/tracing/events" ] || return 0
	[ -d "$sys/tracing" ] || return 0
	# If this fails, the program reports it, with a fix.
	mount -t tracefs nodev "$sys/tracing" 2>/dev/null || :
}

uid=${DEPS_UID:-$(id -u)}
find_missing
[ "$uid" -ne 0 ] || [ -n "$print" ] || mount_tracefs
[ -n "$needed$wanted" ] || exit 0

find_family
# shellcheck disable=SC2086
need_pkgs=$(packages $needed) want_pkgs=$(packages $wanted) all_pkgs=$(packages $needed $wanted)
# shellcheck disable=SC2086
line=$(install_line $all_pkgs)

if [ -z "$family" ]; then
	echo >&2 "deps: missing:$needed$wanted (no package names known for this distribution)"
elif [ -n "$print" ]; then
	echo "$line"
elif [ "$family" = debian ] && [ "$uid" -eq 0 ]; then
	apt-get update >&2 || echo >&2 "deps: apt-get update failed, trying with the lists at hand"
	# shellcheck disable=SC2086
	[ -z "$need_pkgs" ] || apt_install $need_pkgs || :
	# shellcheck disable=SC2086
	[ -z "$want_pkgs" ] || apt_install $want_pkgs || apt_install_each $want_pkgs
	find_missing
	[ -z "$needed" ] || echo >&2 "deps: still missing:$needed"
else
	echo >&2 "deps: missing:$needed$wanted"
	sudo='sudo '
	[ "$uid" -ne 0 ] || sudo=
	[ "$family" != debian ] || echo >&2 "deps: install with: ${sudo}apt-get update &&" \
		"$sudo$line"
	[ "$family" = debian ] || echo >&2 "deps: install with: $sudo$line"
	[ -n "$needed" ] || echo >&2 'deps: going on without; what uses these is left out, their tests skip'
fi
[ -z "$needed" ]
