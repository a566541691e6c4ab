#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deps.sh on machines that lack things: PATH holds only what a case puts into $tmp/bin, and
# apt-get, pkg-config and mount are fakes that log how they were called.
. "${0%/*}/../lib.sh"

deps=$PWD/src/deps.sh
sh=$(command -v sh)
bin=$tmp/bin
log=$tmp/log

# machine ID UID TOOL...: an os-release, a user, and what is installed.
machine()
{
	rm -rf "$bin" "$log" "$tmp/sys"
	mkdir -p "$bin" "$tmp/sys/tracing/events"
	: >"$log"
	printf 'ID=%s\n' "$1" >"$tmp/os-release"
	uid=$2
	shift 2
	for tool; do
		add "$tool"
	done
}

# add TOOL [LINE]: a fake that runs LINE.
add()
{
	printf '#!%s\n%s\n' "$sh" "${2:-exit 0}" >"$bin/$1"
	chmod +x "$bin/$1"
}

# deps ARG...: its output, both streams; its exit status in $rc.
deps()
{
	rc=0
	out=$(env -u CC -u PKG_CONFIG PATH="$bin" LOG="$log" DEPS_UID="$uid" DEPS_SYS="$tmp/sys" \
		DEPS_OS_RELEASE="$tmp/os-release" "$sh" "$deps" "$@" 2>&1) || rc=$?
}

machine debian 1000 cc make pkg-config
deps run
is "$rc:$out" 0: "silent when all is there"

machine debian 0 cc make pkg-config
add apt-get 'echo "apt-get $*" >>"$LOG"'
deps run
is "$rc:$out:$(cat "$log")" 0:: "and as root starts no package manager"

machine debian 1000
deps run --print
is "$out" "apt-get install -y --no-install-recommends gcc libc6-dev make pkg-config libncurses-dev libtraceevent-dev libelf-dev libseccomp-dev libzstd-dev" \
	"Debian: all that the build needs, and the libraries that it can do without"
is "$rc" 1 "which is an error"

machine debian 1000 cc make pkg-config
add pkg-config '[ "$2" != libtraceevent ]'
deps run
is "$rc" 1 "a missing library is an error"
is_message "$out" "deps: what to type who is not root"

machine debian 1000 cc make pkg-config prove timeout
deps test
is "$rc" 0 "tools that only tests use are no error"
is_message "$out" "deps: tools that only tests use"

machine debian 1000 cc make pkg-config
deps test --print
like "$out" ' perl coreutils ' "prove is Debian's perl"
is "$rc" 1 "no test runs without prove"

machine ubuntu 1000 cc make pkg-config prove timeout
deps test --print
like "$out" 'linux-tools-generic' "Ubuntu's perf"

machine fedora 1000
deps run --print
is "$out" "dnf install -y gcc glibc-devel make pkgconf ncurses-devel libtraceevent-devel elfutils-libelf-devel libseccomp-devel libzstd-devel" "Fedora"

machine arch 1000
deps run --print
is "$out" "pacman -S --needed gcc make pkgconf ncurses libtraceevent libelf libseccomp zstd" "Arch"

machine opensuse-tumbleweed 1000
deps run --print
is "$out" "zypper install -y gcc glibc-devel make pkgconf ncurses-devel libtraceevent-devel libelf-devel libseccomp-devel libzstd-devel" "openSUSE"

machine alpine 1000
deps run --print
is "$out" "apk add gcc musl-dev linux-headers make pkgconf ncurses-dev libtraceevent-dev elfutils-dev libseccomp-dev zstd-dev" "Alpine"

machine '"rocky"' 1000
echo 'ID_LIKE="rhel centos fedora"' >>"$tmp/os-release"
deps run --print
like "$out" '^dnf install' "ID_LIKE decides where ID is unknown"

machine fedora 0
deps run
is "$rc" 1 "root on Fedora: nothing is installed unasked"
is_message "$out" "deps: root on Fedora, without sudo"

machine plan9 1000
deps run
is "$rc" 1 "an unknown distribution"
is_message "$out" "deps: an unknown distribution"

# Root on Debian: the fake apt-get puts what it is asked for into $bin.
machine debian 0 cc make
add apt-get 'echo "apt-get $*" >>"$LOG"
case "$*" in
*pkg-config*) printf "#!'"$sh"'\nexit 0\n" >"${0%/*}/pkg-config"; '"$(command -v chmod)"' +x "${0%/*}/pkg-config" ;;
esac'
deps run
is "$rc" 0 "root on Debian: installs"
is "$(cat "$log")" "apt-get update
apt-get install -y --no-install-recommends pkg-config libncurses-dev libtraceevent-dev
apt-get install -y --no-install-recommends libelf-dev libseccomp-dev libzstd-dev" \
	"after one update, only what is missing, the optional libraries in the first run"

machine debian 0 cc make pkg-config prove timeout tmux strace ps script
add apt-get 'echo "apt-get $*" >>"$LOG"; case "$*" in *linux-perf*) exit 100 ;; esac'
deps test
is "$rc" 0 "a test tool that cannot be had is no error"
like "$(cat "$log")" 'recommends util-linux$' "and the others are installed"

machine debian 0 cc make
add apt-get 'exit 100'
deps run
is "$rc" 1 "apt-get that fails is one"
is_message "$out" "deps: what is missing still"

# tracefs
machine debian 0 cc make pkg-config
add mount 'echo "mount $*" >>"$LOG"'
deps run
is "$(cat "$log")" "" "tracefs that is there is not mounted again"

rmdir "$tmp/sys/tracing/events"
deps run
is "$(cat "$log")" "mount -t tracefs nodev $tmp/sys/tracing" "root mounts tracefs"

: >"$log"
uid=1000
deps run
is "$rc:$out:$(cat "$log")" 0:: "others do not, silently"

uid=0
mkdir -p "$tmp/sys/debug/tracing/events"
deps run
is "$(cat "$log")" "" "debugfs's tracing folder is enough"

deps
is "$rc" 129 "no argument: usage"
deps run --wrong
is "$rc" 129 "wrong argument: usage"

done_testing
