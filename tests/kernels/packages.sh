# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# packages.sh - Debian's packages of the architecture $arch, without installing them.
#
# Downloaded by apt-get once, into $cache.  For another architecture or suite than this machine's
# apt keeps its lists in $cache too, so that nothing of this machine's changes.
#
#	fetch PACKAGE       unpack a package into $cache/PACKAGE
#	fetch_sysroot       unpack what cross.sh and a guest of another architecture need, into $cache/sysroot
#	fetch_kernel SUITE  unpack the newest kernel of Debian's SUITE, or if it is empty of this machine's
#	                    release, or that of "focal"
#	kernel_image        print the path of its image

: "${arch:?}"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/perftop-ng-kernels/$arch
sysroot=$cache/sysroot
[ "$arch" != "$(dpkg --print-architecture)" ] || sysroot=
own_lists=
[ -z "$sysroot" ] || own_lists=$cache/apt
sources=
mkdir -p "$cache"

# apt TOOL ARG...: apt-get or apt-cache
# shellcheck disable=SC2086
apt()
{
	apt_tool=$1
	shift
	[ -n "$own_lists" ] || { "$apt_tool" -qq "$@"; return; }
	"$apt_tool" -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o APT::Sandbox::User=root -o APT::Install-Recommends=false $sources \
		-o Dir::State::lists="$own_lists/lists" -o Dir::State::status="$own_lists/status" \
		-o Dir::Cache="$own_lists/cache" "$@"
}

update_own_lists()
{
	mkdir -p "$own_lists/lists/partial" "$own_lists/cache/archives/partial"
	: >"$own_lists/status"
	apt apt-get update
}

fetch()
{
	[ -d "$cache/$1" ] && return
	mkdir -p "$cache/$1.new"
	(cd "$cache/$1.new" && apt apt-get download "$1" >/dev/null 2>&1 && dpkg-deb -x ./*.deb . && rm ./*.deb)
	mv "$cache/$1.new" "$cache/$1"
}

# Links with absolute targets would lead out of it.
keep_links_inside()
{
	find "$1" -type l -lname '/*' | while read -r link; do
		ln -sfn "$sysroot$(readlink "$link")" "$link"
	done
}

fetch_sysroot()
{
	[ -n "$sysroot" ] && [ ! -d "$sysroot" ] || return 0
	mkdir -p "$sysroot.new"
	update_own_lists
	apt apt-get install -y --download-only libc6-dev libncurses-dev libtraceevent-dev libelf-dev \
		libseccomp-dev libzstd-dev binutils dash mawk coreutils grep sed findutils procps util-linux \
		bsdutils diffutils strace tmux linux-perf python3.11 libc-bin ncurses-base >/dev/null
	for package in "$cache"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$sysroot.new"
	done
	keep_links_inside "$sysroot.new"
	mv "$sysroot.new" "$sysroot"
}

use_suite()
{
	own_lists=$cache/$1
	sources="-o Dir::Etc::SourceList=$own_lists/sources.list -o Dir::Etc::SourceParts=- -o Acquire::Languages=none"
	mkdir -p "$own_lists"
	echo "deb http://deb.debian.org/debian $1 main" >"$own_lists/sources.list"
	update_own_lists
}

# depends PACKAGE NAME: print the package whose name begins with NAME and that PACKAGE depends on
depends()
{
	apt apt-cache depends "$1" | sed -n "s/.*Depends: \($2-[0-9].*\)/\1/p"
}

# Since Debian 14 an image's package has no file of its own.
fetch_image()
{
	image=$(depends "linux-image-$arch" linux-image)
	[ -n "$image" ] || { echo >&2 "apt knows no linux-image-$arch: apt-get update?"; return 1; }
	binary=$(depends "$image" linux-binary)
	package=${binary:-$image}
	fetch "$package"
}

# The first 5.4 of Ubuntu 20.04: Debian's 5.10 has PERF_FORMAT_LOST of 6.0, in a stable update.
fetch_focal()
{
	package=linux-image-5.4.0-26-generic
	[ ! -d "$cache/$package" ] || return 0
	mkdir -p "$cache/$package.new"
	/usr/lib/apt/apt-helper -qq download-file \
		https://archive.ubuntu.com/ubuntu/pool/main/l/linux-signed/${package}_5.4.0-26.30_amd64.deb \
		"$cache/$package.deb" SHA256:5f619f3d9123f40603a164c6358fdcb1485b742c9bf497099bcc642076e0e782
	dpkg-deb -x "$cache/$package.deb" "$cache/$package.new"
	rm "$cache/$package.deb"
	mv "$cache/$package.new" "$cache/$package"
}

fetch_kernel()
{
	case $1 in
	'') fetch_image ;;
	focal) fetch_focal ;;
	*) use_suite "$1" && fetch_image ;;
	esac
}

kernel_image()
{
	find "$cache/$package" -name 'vmlinuz*' -type f
}
