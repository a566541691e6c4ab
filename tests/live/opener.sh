# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# opener.sh - inspects the processes of a run from outside.
#
#	field NAME FILE   the values of NAME, without blanks around
#	opener_of PID     the opener whose parent is PID
#	is_gone PID       whether it has ended; a zombie has
#	ptrace_digit      the hex digit of SYS_PTRACE in CapPrm: 8 where it is kept, before Linux 6.15
#	perfmon_digit     that of CAP_PERFMON: 4, or 0 before Linux 5.8
#	admin_digit       that of SYS_ADMIN, in place of CAP_PERFMON: 0, or 2 before Linux 5.8
#	is_since VERSION  whether the kernel is of that version or later

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

is_since()
{
	[ "$(printf '%s\n%s\n' "$(uname -r)" "$1" | sort -V | head -n 1)" = "$1" ]
}

ptrace_digit()
{
	if is_since 6.15; then echo 0; else echo 8; fi
}

perfmon_digit()
{
	if is_since 5.8; then echo 4; else echo 0; fi
}

admin_digit()
{
	if is_since 5.8; then echo 0; else echo 2; fi
}
