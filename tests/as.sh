#!/bin/sh
# SPDX-License-Identifier: MIT
#
# as.sh sudo|nobody BUILD: tests once more, from a copy of the tree,
#
#   sudo    those of check-live, as an ordinary user who types `sudo make check-live`: through sudo itself.
#           The user and the sudoers rule exist in a mount namespace only; /etc stays as it is.
#   nobody  those of check-nobody, as a user without any rights.
#
#   ONE=tests/live/NAME.t.sh    only this one
#
# Needs root.  Exits with the test run's status.
set -u

who=${1-} build=${2-}
[ "$(id -u)" -eq 0 ] || { echo >&2 'as.sh: needs root'; exit 1; }
[ -d "$build" ] || { echo >&2 'usage: as.sh sudo|nobody BUILD'; exit 129; }

user=perftop-tester uid=54399
[ "$who" = sudo ] || uid=65534
dir=$(mktemp -d "${TMPDIR:-/tmp}/perftop-as.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Only what a run needs: not the objects.
chmod 755 "$dir"
mkdir "$dir/tree" "$dir/home" "$dir/tmp"
cp -r Makefile src ui decode tests themes doc README.md "$dir/tree/"
mkdir "$dir/tree/build"
cp -r "$build/perftop-ng" "$build/tests" "$dir/tree/build/"
chown -Rh $uid:$uid "$dir"

run="env -u SUDO_UID -u SUDO_GID -u SUDO_USER -u MAKEFLAGS -u MFLAGS -u MAKELEVEL
	-C $dir/tree HOME=$dir/home TMPDIR=$dir/tmp setpriv --reuid=$uid --regid=$uid --clear-groups"
# Of nobody's live tests most skip: the others need not run alone.
check='make --no-print-directory O=build check-nobody alone='
[ "$who" = nobody ] || check='make --no-print-directory O=build check-live'
[ -z "${ONE-}" ] || check="$check TEST_SRCS=$ONE"

case $who in
nobody)
	# shellcheck disable=SC2086
	$run --inh-caps=-all $check
	;;
sudo)
	command -v sudo >/dev/null || { echo >&2 'as.sh: no sudo here'; exit 1; }
	export dir user uid run check
	# shellcheck disable=SC2016
	unshare --mount --propagation private sh -eu -c '
		for file in passwd group; do cp "/etc/$file" "$dir/$file"; done
		echo "$user:*:$uid:$uid::$dir/home:/bin/sh" >>"$dir/passwd"
		echo "$user:*:$uid:" >>"$dir/group"
		for file in passwd group; do mount --bind "$dir/$file" "/etc/$file"; done
		mkdir -p /etc/sudoers.d
		mount -t tmpfs -o mode=755 none /etc/sudoers.d
		echo "$user ALL=(ALL:ALL) NOPASSWD: ALL" >/etc/sudoers.d/perftop-ng
		chmod 440 /etc/sudoers.d/perftop-ng
		exec $run sudo -n TMPDIR="$dir/tmp" $check'
	;;
*)
	echo >&2 'usage: as.sh sudo|nobody BUILD'
	exit 129
	;;
esac
