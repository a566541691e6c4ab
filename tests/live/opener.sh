# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# opener.sh - inspects the processes of a run from outside.
#
#	field NAME FILE   the values of NAME, without blanks around
#	opener_of PID     the opener whose parent is PID
#	is_gone PID       whether it has ended; a zombie has
#	ptrace_digit      the hex digit of SYS_PTRACE in CapPrm: 8 where it is kept, before Linux 6.15

field()
{
	sed -n "s/^$1:[[:space:]]*//p" "$2"
}

opener_of()
{
	for opener_status in /proc/[0-9]*/status; do
		grep -qx 'Name:	perftop-opener' "$opener_status" 2>/dev/null &&
			grep -qx "PPid:	$1" "$opener_status" 2>/dev/null &&
			echo "$opener_status" | cut -d/ -f3
	done
}

is_gone()
{
	case $(field State "/proc/$1/status" 2>/dev/null) in '' | Z*) ;; *) false ;; esac
}

ptrace_digit()
{
	case $(printf '%s\n6.15\n' "$(uname -r)" | sort -V | head -n 1) in 6.15) echo 0 ;; *) echo 8 ;; esac
}
