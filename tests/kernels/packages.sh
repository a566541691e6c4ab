# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# packages.sh - Debian's packages of the architecture $arch, without installing them.
#
# Downloaded by apt-get once, into $cache.  Those of another architecture than this machine's have
# apt's lists in $cache too, so that nothing of this machine's changes.
#
#	fetch PACKAGE       unpack a package into $cache/PACKAGE
#	fetch_sysroot       unpack what cross.sh and a guest of another architecture need, into $cache/sysroot
#	image_package       the newest 6.1 kernel image's package

: "${arch:?}"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/perftop-ng-kernels/$arch
sysroot=$cache/sysroot
[ "$arch" != "$(dpkg --print-architecture)" ] || sysroot=
mkdir -p "$cache"

# apt TOOL ARG...: apt-get or apt-cache
apt()
{
	apt_tool=$1
	shift
	[ -n "$sysroot" ] || { "$apt_tool" -qq "$@"; return; }
	"$apt_tool" -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o APT::Sandbox::User=root -o APT::Install-Recommends=false \
		-o Dir::State::lists="$cache/apt/lists" -o Dir::State::status="$cache/apt/status" \
		-o Dir::Cache="$cache/apt/cache" "$@"
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
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial" "$sysroot.new"
	: >"$cache/apt/status"
	apt apt-get update
	apt apt-get install -y --download-only libc6-dev libncurses-dev libtraceevent-dev libelf-dev \
		libseccomp-dev libzstd-dev binutils dash mawk coreutils grep sed findutils procps util-linux \
		bsdutils diffutils strace tmux linux-perf python3.11 libc-bin ncurses-base >/dev/null
	for package in "$cache"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$sysroot.new"
	done
	keep_links_inside "$sysroot.new"
	mv "$sysroot.new" "$sysroot"
}

image_package()
{
	apt apt-cache search --names-only "^linux-image-6\\.1\\.0-[0-9]*-$arch\$" | sort -V | tail -n 1 |
		cut -d' ' -f1
}
