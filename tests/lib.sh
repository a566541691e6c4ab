# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# lib.sh - the library of the shell tests.  A test is an executable tests/*/NAME.t.sh:
#
#	#!/bin/sh
#	# SPDX-License-Identifier: MIT
#	. "${0%/*}/../lib.sh"
#	need tmux
#	ok "prints its version" "$PERFTOP" --version
#	is "$(printf a)" a "a is a"
#	done_testing
#
# It runs in the top directory, under prove(1), with $PERFTOP the program, $BUILD the build
# directory, and $tmp a directory of its own, removed when the test ends, however it ends.
#
# Plan        plan N (first)  or  done_testing (last)
# Checks      ok DESC CMD...      CMD succeeds; its output is shown only if not
#             is GOT WANT DESC    like TEXT ERE DESC    unlike TEXT ERE DESC
#             golden FILE EXPECTED DESC    same content; UPDATE=1 rewrites EXPECTED
#             is_message TEXT KEY    TEXT is KEY's message in tests/messages.txt; see messages.h
#             Each returns 0 when it passed; why one failed is on stderr, which prove shows without -v.
# Others      skip N WHY   skip_all WHY   diag TEXT   bail WHY   need CMD...   need_root
#             need_perf   need_guest   not CMD...   wait_until SECS CMD...   at_exit 'CODE'
# Terminal    tm_start COLSxLINES CMD...   a program on a tmux screen of its own
#             tm_keys KEY...   tmux names: Down Enter Escape C-c F1 q     tm_type TEXT   as it is
#             tm_wait ERE [SECS]   until a line of the screen matches (10 s); else shows the screen
#             tm_sees ERE   now    tm_screen   as text   tm_screen_sgr   with its colours
#             tm_resize COLS LINES   tm_size   tm_pid   the program's
#             tm_exit [SECS]   waits for the end, prints the status; the last screen stays
#             tm_end   ends it and the tmux server (also done at exit); then tm_start may follow

LC_ALL=C.UTF-8
export LC_ALL
: "${BUILD:=$PWD/build}" "${PERFTOP:=$BUILD/perftop-ng}" "${UPDATE:=}"
export BUILD PERFTOP

tap_planned='' tap_run=0 tap_failed=0 tap_exit_code='' tap_messages=tests/messages.txt
tmp=$(mktemp -d "${TMPDIR:-/tmp}/perftop-test.XXXXXX") || exit 1
# Under sudo the program runs as the user who called it, and writes where the user may.
[ -z "${SUDO_UID-}" ] || [ "$(id -u)" -ne 0 ] || chown "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$tmp"

# The configuration of who runs the tests is not read.
XDG_CONFIG_HOME=$tmp/no-config
export XDG_CONFIG_HOME

# --- cleanup ---------------------------------------------------------------------------------

at_exit()
{
	tap_exit_code="$1
$tap_exit_code"
}

tap_clean()
{
	trap '' HUP INT TERM
	eval "$tap_exit_code"
	tm_end
	rm -rf "$tmp"
}

trap 'tap_status=$?; trap - EXIT; tap_clean; exit $tap_status' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# --- checks ----------------------------------------------------------------------------------

plan()
{
	tap_planned=$1
	echo "1..$1"
}

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# tap_report 0|1 DESC
tap_report()
{
	tap_run=$((tap_run + 1))
	tap_desc=$(printf '%s' "$2" | tr '\n' ' ' | sed 's/[\\#]/\\&/g')
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_run - $tap_desc"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_run - $tap_desc"
	echo "#   failed: $tap_desc" >&2
	return 1
}

ok()
{
	tap_d=$1
	shift
	tap_rc=0
	"$@" >"$tmp/.ok" 2>&1 || tap_rc=$?
	tap_report $((tap_rc != 0)) "$tap_d" && return 0
	{
		echo "#   exit status $tap_rc of: $*" | tr '\n' ' '
		echo
		head -c 8000 "$tmp/.ok" | sed 's/^/#   /'
	} >&2
	return 1
}

is()
{
	[ "$1" = "$2" ]
	tap_report $? "$3" && return 0
	printf '%s\n' "$1" | sed 's/^/#        got: /' >&2
	printf '%s\n' "$2" | sed 's/^/#   expected: /' >&2
	return 1
}

like()
{
	printf '%s\n' "$1" | grep -Eq -e "$2"
	tap_report $? "$3" && return 0
	printf '%s\n' "$1" | sed 's/^/#        got: /' >&2
	printf '%s\n' "$2" | sed 's/^/#   no match: /' >&2
	return 1
}

unlike()
{
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then false; else true; fi
	tap_report $? "$3" && return 0
	printf '%s\n' "$1" | sed 's/^/#        got: /' >&2
	printf '%s\n' "$2" | sed 's/^/#    matches: /' >&2
	return 1
}

golden()
{
	[ -z "$UPDATE" ] || cp "$1" "$2"
	tap_rc=0
	diff -u "$2" "$1" >"$tmp/.diff" 2>&1 || tap_rc=1
	tap_report "$tap_rc" "$3" && return 0
	sed 's/^/# /' "$tmp/.diff" >&2
	echo "#   as intended?  UPDATE=1 rewrites $2" >&2
	return 1
}

is_message()
{
	tap_text=$(printf '%s\n' "$1" | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }')
	tap_want=$(KEY=$2 awk -F '\t' '$1 == ENVIRON["KEY"] { print substr($0, length($1) + 2); exit }' $tap_messages)
	tap_pattern=$(printf '%s\n' "$tap_want" | sed 's/[][\\.^$?+(){}|]/\\&/g; s/\*/.*/g')
	tap_rc=0
	printf '%s\n' "$tap_text" | grep -Eqx -e "$tap_pattern" && [ -n "$tap_want" ] || tap_rc=1
	if [ "$tap_rc" -ne 0 ] && [ -n "$UPDATE" ] && [ -n "$tap_text" ]; then
		KEY=$2 awk -F '\t' '$1 != ENVIRON["KEY"]' $tap_messages >"$tmp/.messages"
		printf '%s\t%s\n' "$2" "$tap_text" >>"$tmp/.messages"
		LC_ALL=C sort "$tmp/.messages" >$tap_messages
		tap_rc=0
	fi
	tap_report "$tap_rc" "$2" && return 0
	printf '#        got: %s\n#   expected: %s\n#   as intended?  UPDATE=1\n' \
		"$tap_text" "${tap_want:-(no such key)}" >&2
	return 1
}

skip()
{
	tap_n=$1
	while [ "$tap_n" -gt 0 ]; do
		tap_n=$((tap_n - 1)) tap_run=$((tap_run + 1))
		echo "ok $tap_run # skip $2"
	done
}

skip_all()
{
	[ -z "$tap_planned" ] && [ "$tap_run" -eq 0 ] || bail "skip_all after the plan or a check"
	echo "1..0 # skip $*"
	exit 0
}

bail()
{
	echo "Bail out! $*"
	exit 255
}

done_testing()
{
	[ -n "$tap_planned" ] || echo "1..$tap_run"
	if [ "${tap_planned:=$tap_run}" -ne "$tap_run" ]; then
		diag "planned $tap_planned checks but ran $tap_run"
		exit 1
	fi
	[ "$tap_failed" -eq 0 ] || diag "failed $tap_failed of $tap_run"
	[ "$tap_failed" -eq 0 ] && [ "$tap_run" -gt 0 ]
	exit
}

# --- what a test needs -----------------------------------------------------------------------

need()
{
	for tap_cmd; do
		command -v "$tap_cmd" >/dev/null 2>&1 || skip_all "no $tap_cmd here"
	done
}

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip_all "not root"
}

# Counting on all CPUs works; see tap_can_perf() in tap.h.
need_perf()
{
	need perf
	perf stat -a -e cpu-clock true >/dev/null 2>&1 || skip_all "may not watch the whole machine"
}

# For what can take a machine down: only in the guest that tests/kernels/run.sh boots, nowhere else.
need_guest()
{
	grep -qw perftop-ng.guest /proc/cmdline || bail "changes the machine: make check-kernels runs it in QEMU"
}

not()
{
	! "$@"
}

wait_until()
{
	tap_deadline=$(($(date +%s) + $1 + 1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$tap_deadline" ] || return 1
		sleep 0.05
	done
}

# --- a terminal ------------------------------------------------------------------------------

tm_socket=perftop-$$

# The socket is in $tmp: no other tmux, not even one of the same name, is used by mistake.
tm()
{
	env -u TMUX -u TMUX_PANE TMUX_TMPDIR="$tmp" tmux -L "$tm_socket" -f /dev/null "$@"
}

tm_start()
{
	tm_cols=${1%x*} tm_lines=${1#*x}
	shift
	rm -f "$tmp/tm-status" "$tmp/tm-pid"
	# A shell around the program keeps the last screen, which tmux's remain-on-exit scrolls, and
	# the exit status; ^C is for the program alone.
	tm start-server \; set -g status off \; set -s escape-time 0 \; set -g history-limit 0 \; \
		set -g default-terminal "${TM_TERM:-tmux-256color}" \; \
		new-session -d -s t -x "$tm_cols" -y "$tm_lines" sh -c '
			trap : INT QUIT
			tmp=$1
			shift
			sh -c '\''echo $$ >"$0"; exec "$@"'\'' "$tmp/tm-pid" "$@"
			echo $? >"$tmp/tm-status.new"
			mv "$tmp/tm-status.new" "$tmp/tm-status"
			exec sleep 3600' tm "$tmp" "$@" ||
		bail "tmux does not start"
	wait_until 10 test -s "$tmp/tm-pid" || bail "tmux does not start its program"
}

tm_keys()
{
	tm send-keys -t t: "$@"
}

tm_type()
{
	tm send-keys -t t: -l -- "$1"
}

tm_screen()
{
	tm capture-pane -p -t t:
}

tm_screen_sgr()
{
	tm capture-pane -p -e -t t:
}

tm_sees()
{
	tm_screen 2>/dev/null | grep -Eq -e "$1"
}

tm_wait()
{
	wait_until "${2:-10}" tm_sees "$1" && return 0
	diag "not on the screen after ${2:-10} s: $1" >&2
	tm_screen 2>&1 | sed 's/^/# |/' >&2
	return 1
}

tm_resize()
{
	tm resize-window -t t: -x "$1" -y "$2"
}

tm_size()
{
	tm display-message -p -t t: '#{pane_width}x#{pane_height}'
}

tm_pid()
{
	cat "$tmp/tm-pid"
}

# The program's exit status, 128 + N when signal N ended it; fails when it still runs.
tm_exit()
{
	wait_until "${1:-10}" test -e "$tmp/tm-status" || return 1
	cat "$tmp/tm-status"
}

tm_end()
{
	[ ! -d "$tmp/tmux-$(id -u)" ] || tm kill-server >/dev/null 2>&1 || :
	# The server may still be ending when the next one is started.
	tm_socket=$tm_socket+
}
