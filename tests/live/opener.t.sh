#!/bin/sh
# SPDX-License-Identifier: MIT
#
# As under sudo: the opener keeps the rights, main drops them.  sudo's variables are set by the test,
# so that it needs no rule in sudoers.
. "${0%/*}/../lib.sh"
. "${0%/*}/opener.sh"
need_root
need_perf
need tmux

user=65534 group=65534
home=$tmp/home
mkdir "$home" && chown $user:$group "$home" && chmod 755 "$tmp"
getppid=$BUILD/tests/helpers/getppid
setpriv=$(command -v setpriv || :)
[ -n "$setpriv" ] || skip_all "no setpriv here"
# Where the user may not even read the program's folder nothing below means anything.
setpriv --reuid=$user --regid=$group --clear-groups test -r "$PERFTOP" || skip_all "$BUILD is closed to uid $user"

# A word list, not a function: what is put into the background is then the program itself.
as_sudo="env -C $home SUDO_UID=$user SUDO_GID=$group LD_BOGUS=x NCURSES_NO_UTF8_ACS="

# --- while it runs ---------------------------------------------------------------------------

# shellcheck disable=SC2086
tm_start 110x30 $as_sudo "$PERFTOP" -d 0.5 -m 16M
tm_wait 'context-switches' 15
main=$(tm_pid)
tm_wait 'cpu-clock' 10
sleep 1
opener=$(opener_of "$main")

threads=0 bad=
for task in /proc/"$main"/task/*; do
	threads=$((threads + 1))
	[ "$(field Uid "$task/status" | tr '\t' ' ')" = "$user $user $user $user" ] || bad="$bad uid"
	[ "$(field Gid "$task/status" | tr '\t' ' ')" = "$group $group $group $group" ] || bad="$bad gid"
	case $(field Groups "$task/status") in *[!\ 0-9]* | 0\ * | *\ 0\ *) bad="$bad groups" ;; esac
	for set in CapInh CapPrm CapEff CapBnd CapAmb; do
		[ "$(field $set "$task/status")" = 0000000000000000 ] || bad="$bad $set"
	done
	[ "$(field NoNewPrivs "$task/status")" = 1 ] || bad="$bad NoNewPrivs"
done
ok "main has threads ($threads)" test "$threads" -gt 3
is "$bad" '' "none of main's threads has uid 0, a capability in any set, or may gain privileges"
if nm "$PERFTOP" | grep -q seccomp_load; then
	is "$(cat /proc/"$main"/task/*/status | field Seccomp /dev/stdin | sort -u)" 2 "each is under seccomp"
else
	skip 1 "built without libseccomp, or for a sanitizer"
fi

ok "there is an opener ($opener)" test -n "$opener"
is "$(field Uid "/proc/$opener/status" | cut -f2)" "$user" "it is not uid 0"
# PERFMON 38, SYSLOG 34, IPC_LOCK 14, DAC_READ_SEARCH 2; nothing more.
# SYS_ADMIN, 21, in place of PERFMON before Linux 5.8, and too where Debian's kernel asks for it: at
# kernel.perf_event_paranoid 3.
# SYS_PTRACE, 19, for the mappings of other users' processes, before Linux 6.15.
admin=$(admin_digit)
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || admin='[02]'
want="000000$(perfmon_digit)400$admin$(ptrace_digit)4004"
like "$(field CapPrm "/proc/$opener/status")" "^$want\$" "it has PERFMON, SYSLOG, IPC_LOCK, DAC_READ_SEARCH"
is "$(field CapBnd "/proc/$opener/status")" 0000000000000000 "and can get no other"
is "$(sed 's/.*) //' "/proc/$opener/stat" | cut -d' ' -f5)" 0 "it has no terminal"
is "$(sed 's/.*) //' "/proc/$opener/stat" | cut -d' ' -f4)" "$opener" "and a separate session"
is "$(readlink "/proc/$opener/cwd" "/proc/$opener/fd/0" "/proc/$opener/fd/1" "/proc/$opener/fd/2" | sort -u | tr '\n' ' ')" \
	'/ /dev/null ' "its folder is / and its standard files are /dev/null"

like "$(tr '\0' '\n' <"/proc/$main/maps" | grep -c 'perf_event')" '^[1-9]' "it has rings"
rings=$(awk '/perf_event/ {split($1, a, "-"); print a[1], a[2]}' "/proc/$main/maps" |
	while read -r from to; do echo $(((0x$to - 0x$from) / 1048576)); done | sort -un | tr '\n' ' ')
is "$rings" '16 ' "of 16 MiB each, as asked for, far beyond a user's mlock budget"

# A quarter of the ring is its watermark.
watermark()
{
	"$@" "$PERFTOP" --dump-attr -e cs | field '  wakeup_watermark' /dev/stdin | head -n 1
}

# shellcheck disable=SC2086
is "$(watermark $as_sudo)" "$(watermark env -u SUDO_UID)" "by default they are as large as root's"

# --- new events after the drop ------------------------------------------------------------------

tm_type /
tm_type raw_sys
tm_keys Enter
tm_wait 'raw_syscalls:sys_enter.*off:' 5
tm_type f
ok "an event that was off is opened after the drop" tm_wait 'raw_syscalls:sys_enter +[0-9.]+[kM]?' 10

tm_type P
ok "P saves" wait_until 10 sh -c "ls '$home'/perftop-ng-*.txt"
is "$(stat -c '%u:%g %a' "$home"/perftop-ng-*.txt)" "$user:$group 600" "a file of the user's, closed to others"

kill -9 "$opener"
ok "an opener that was killed is reported on the screen" tm_wait "root's rights is gone" 5
tm_wait 'cs/s|ev/s' 5
tm_type q
is "$(tm_exit 60)" 0 "and q ends it as usual"
tm_end

# --- symbols, accounting, command ------------------------------------------------------------------

# The load runs until samples have met it: the idle task's code is not among the symbols.
"$getppid" &
load=$!
at_exit 'kill $load 2>/dev/null'
$as_sudo "$PERFTOP" -j -n 40 -d 0.5 -e cpu-clock >"$tmp/symbols" 2>"$tmp/err" &
watcher=$!
ok "kernel symbols have names" wait_until 20 \
	grep -Eq '"symbol":"[a-z_]|"name":"[a-z_0-9]*(syscall|ppid|idle|entry)' "$tmp/symbols"
kill $load
kill -INT $watcher
wait $watcher
unlike "$(cat "$tmp/symbols")" 'symbols (are hidden|cannot)' "and nothing is hidden"

# Its mappings are for root only.
"$BUILD/tests/helpers/spinner" 60000 &
spinner=$!
at_exit 'kill $spinner 2>/dev/null'
$as_sudo "$PERFTOP" -j -n 2 -d 0.5 -e cpu-clock -p $spinner >"$tmp/symbols" 2>"$tmp/err"
if "$PERFTOP" --version | grep -q 'libelf *not built in'; then
	like "$(tail -n 1 "$tmp/symbols")" '"module":"spinner"' "code of root's process is known by its file"
else
	like "$(tail -n 1 "$tmp/symbols")" '"spin_most"' "code of root's process has names"
fi

$as_sudo timeout 60 "$PERFTOP" -j -c 1 -m 16M -e syscalls:sys_enter_getppid -o "$home/books.json" -- "$getppid" 100000
like "$(cat "$home/books.json")" '"total":100000,"sampled":100000,"lost":0.*"balanced":true' "the books are exact: 100000 calls"
is "$(stat -c %u:%g "$home/books.json")" "$user:$group" "-o writes the user's file"
$as_sudo timeout 60 "$PERFTOP" -j -n 1 -d 0.1 -e cs -o "$tmp/not-his" 2>"$tmp/err"
is $? 1 "-o does not write where the user may not"
is_message "$(cat "$tmp/err")" "sudo: -o where the user may not write"
$as_sudo timeout 60 "$PERFTOP" -j -n 1 -d 0.1 -e cs --record "$tmp/not-his" >/dev/null 2>"$tmp/err"
is_message "$(cat "$tmp/err")" "sudo: -o where the user may not write"
is "$($as_sudo timeout 60 "$PERFTOP" -j -e cs -o "$home/cmd.json" -- id -u)" 0 "the command keeps root's rights"

$as_sudo "$PERFTOP" -j -e cs -d 0.2 -o "$home/sleep.json" -- sleep 1234 &
watcher=$!
wait_until 10 test -s "$home/sleep.json"
sleeper=$(pgrep -P $watcher -x sleep)
kill -TERM $watcher
wait $watcher
ok "root's command ends with us" wait_until 5 is_gone "$sleeper"

# --- ends -------------------------------------------------------------------------------------------

$as_sudo "$PERFTOP" -j -d 0.2 -e sched:sched_switch -o "$home/nine.json" &
main=$!
wait_until 10 test -s "$home/nine.json"
opener=$(opener_of $main)
kill -9 $main
wait $main 2>/dev/null
ok "main killed: the opener ends" wait_until 10 is_gone "$opener"

$as_sudo "$PERFTOP" -j -d 0.2 -e cs -o "$home/term.json" &
main=$!
wait_until 10 test -s "$home/term.json"
opener=$(opener_of $main)
kill -INT "$opener" && kill -HUP "$opener" && kill -TERM "$opener"
sleep 0.2
ok "the opener ignores a terminal's signals" not is_gone "$opener"
kill -TERM $main
wait $main
is $? 0 "main ends with success"
ok "and its opener" wait_until 10 is_gone "$opener"

# A command line's own arguments must not reach beyond what the user may see.
ok "no file of root's is read by --script" not $as_sudo timeout 60 "$PERFTOP" --script /etc/shadow -n 1 </dev/null

# --- system calls -------------------------------------------------------------------------------------

if command -v strace >/dev/null 2>&1; then
	$as_sudo strace -f -o "$tmp/calls" "$PERFTOP" -j -n 2 -d 0.2 -o "$home/calls.json" -e cs,cpu-clock
	# Trying to be root again, and readers without a limit that lets them be nice to themselves.
	like "$(cat "$tmp/calls")" 'setuid\(0\) *= -1 EPERM' "after the drop root cannot be regained"
	is "$(grep -h '= -1 EPERM' "$tmp/calls" |
		grep -vE 'set(res)?uid|setpriority|sched_setscheduler|RLIMIT_(NICE|RTPRIO)|prlimit64 resumed' | head -3)" '' \
		"and no system call of ours is missing in the list"
	# The last one to try is main; the opener did before.
	tac "$tmp/calls" | sed '/setresuid(-1, 0, -1)/q' >"$tmp/after"
	is "$(grep -E '(execve|fork|socket|connect|ptrace)\(' "$tmp/after" | head -3)" '' "none of which starts or connects anything"
else
	skip 3 "no strace here"
fi

done_testing
