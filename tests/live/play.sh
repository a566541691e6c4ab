# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# play.sh - runs a --script on the real kernel.
#
#	play NAME OPTIONS...   the script from stdin: its dumps are in $tmp/NAME, what else it prints in
#	                       $tmp/NAME.err
#	play_as WHO NAME OPTIONS...   the same as root (or who runs the test, but not by sudo), or as
#	                       nobody who called sudo
#	may_play WHO           whether it can be played as WHO, root or sudo, here: through sudo itself
#	                       what is root's is not played once more

play()
{
	play_as caller "$@"
}

may_play()
{
	if [ "$1" = root ]; then
		[ -z "${SUDO_UID-}" ]
	else
		[ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$PERFTOP"
	fi
}

play_as()
{
	play_who=$1
	play_name=$2
	shift 2
	set -- "$PERFTOP" "$@" -d 0.1 --script "$tmp/$play_name.script"
	case $play_who in
	sudo) set -- env SUDO_UID=65534 SUDO_GID=65534 "$@" ;;
	root) set -- env -u SUDO_UID -u SUDO_GID -u SUDO_USER "$@" ;;
	esac
	cat >"$tmp/$play_name.script"
	timeout -k 5 60 "$@" >"$tmp/$play_name" 2>"$tmp/$play_name.err"
}
