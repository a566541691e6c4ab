#!/bin/sh
# SPDX-License-Identifier: MIT
# -u and -G: of two loads that are the same, only the one in the scope counts.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_root
need setpriv prlimit

event=syscalls:sys_enter_getppid
need_event $event
chmod 755 "$tmp"
cp "$BUILD/tests/helpers/getppid" "$tmp/getppid"
chmod 755 "$tmp/getppid"
mkfifo "$tmp/in" "$tmp/out-of"

# One that waits at each gate: 700 calls of its own, and 300 of a child.  (A sanitizer's search for
# leaks makes calls, too.)
script='export ASAN_OPTIONS=detect_leaks=0; read -r go; "$0" 300; exec "$0" 700'

# watch OPTION... : while the gates open; the final line is in $final
watch()
{
	rm -f "$tmp/out" # or the one of the run before would do for the wait below
	"$PERFTOP" -j -c 1 -d 0.2 -e $event "$@" >"$tmp/out" 2>"$tmp/err" &
	us=$!
	at_exit 'kill $us 2>/dev/null'
	wait_until 10 test -s "$tmp/out" || bail "no output: $(head -n 3 "$tmp/err")"
	echo go >"$tmp/in"
	echo go >"$tmp/out-of"
	wait $inside $outside
	kill -INT $us
	wait $us
	is $? 0 "$1: ends with success"
	inside='' outside='' us=''
	final=$(tail -n 1 "$tmp/out")
}

at_exit 'kill $inside $outside 2>/dev/null'

# --- a user ----------------------------------------------------------------------------------
# 65534 may run other things here: an unused user id is exact.

uid=54321
setpriv --reuid=$uid --regid=$uid --clear-groups sh -c "$script" "$tmp/getppid" <"$tmp/in" &
inside=$!
sh -c "$script" "$tmp/getppid" <"$tmp/out-of" &
outside=$!
# setpriv becomes the user only when the gate's other end lets the shell open it.
exec 8>"$tmp/in" 9>"$tmp/out-of"
wait_until 10 sh -c "grep -q '^Uid:.$uid' /proc/$inside/status"
watch -u $uid
is "$(event_field "$final" $event total)" 1000 "-u: that user's calls, with the child's"
is "$(event_field "$final" $event balanced)" true "and the books balance"
is_message "$(printf '%s\n' "$final" | sed 's/.*"notes":\(\[[^]]*\]\).*/\1/')" "-u: what it means"

"$PERFTOP" --batch -n 1 -u 54322 >"$tmp/out" 2>"$tmp/err"
is $? 1 "a user without tasks: exit 1"
is_message "$(cat "$tmp/err")" "-u: a user without tasks"
"$PERFTOP" --batch -n 1 -u nobdy >"$tmp/out" 2>"$tmp/err"
is_message "$(cat "$tmp/err")" "-u: an unknown user"
# Root would raise the limit.
few_files()
{
	limit=$1
	shift
	prlimit --nofile=$limit:$limit setpriv --bounding-set -sys_resource timeout 30 "$PERFTOP" "$@" >"$tmp/out" 2>"$tmp/err"
}
few_files 100 --batch -n 1 -u root
is $? 1 "no room for one event on every thread: exit 1"
is_message "$(cat "$tmp/err")" "files: no event fits"
cpu=$(cut -d, -f1 /sys/devices/system/cpu/online | cut -d- -f1)
few_files 46 -j -n 1 -d 0.1 -C "$cpu" -e "$(seq -s, -f 'cs/name=s%.0f/' 30)"
is $? 0 "30 events and room for 11: exit 0"
is_message "$(cat "$tmp/err")" "files: some events fit"
is "$(grep -o '"state":"on"' "$tmp/out" | wc -l)" 11 "what fits runs"
is "$(grep -o '"state":"failed","reason":"EMFILE: [^"]*ulimit -n 65' "$tmp/out" | wc -l)" 19 "the other rows say why"
few_files 46 -j -n 1 -d 0.1 -C "$cpu" --strict -e "$(seq -s, -f 'cs/name=s%.0f/' 30)"
is $? 2 "--strict: exit 2"
if sh -c 'ulimit -n 46 && ulimit -n 47' 2>/dev/null; then
	prlimit --nofile=46:46 timeout 30 "$PERFTOP" -j -n 1 -d 0.1 -e "$(seq -s, -f 'cs/name=s%.0f/' 30)" >"$tmp/out" 2>"$tmp/err"
	is "$(cat "$tmp/err")$(grep -o '"state":"on"' "$tmp/out" | wc -l)" 30 "root raises the hard limit"
else
	skip 1 'root has no CAP_SYS_RESOURCE here'
fi

# --- a task that has ended -------------------------------------------------------------------

sh -c "$script" "$tmp/getppid" <"$tmp/in" 8>&- 9>&- &
inside=$!
sh -c "$script" "$tmp/getppid" <"$tmp/out-of" 8>&- 9>&- &
outside=$!
true &
dead=$!
wait $dead
watch -t $dead,$inside
is "$(event_field "$final" $event total)" 1000 "one that has ended does not affect the other"
is "$(event_field "$final" $event sampled)" 1000 "nor its ring"

# --- a cgroup --------------------------------------------------------------------------------

mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/mounts)
[ -n "$mount" ] || mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
name=perftop-test-$$
if [ -z "$mount" ] || ! mkdir "$mount/$name" 2>/dev/null; then
	skip 1 "no cgroup can be made here"
	done_testing
fi
at_exit 'rmdir "$mount/$name/deep" "$mount/$name" 2>/dev/null'
mkdir "$mount/$name/deep"

cgroup_run()
{
	sh -c "$script" "$tmp/getppid" <"$tmp/in" 8>&- 9>&- &
	inside=$!
	sh -c "$script" "$tmp/getppid" <"$tmp/out-of" 8>&- 9>&- &
	outside=$!
	echo $inside >"$mount/$name/deep/cgroup.procs"
	watch "$@"
	is "$(event_field "$final" $event total)" 1000 "what runs in it, a group further down included"
	is "$(event_field "$final" $event balanced)" true "and the books balance"
}

cgroup_run -G "$name"
cgroup_run -G "$mount/$name/deep"
# Who preempted them can be any task, as can what they descend from.
unlike "${final%%\"parents\":*}" '{"pid":'$$',' "the tasks are those of the group"
# Under sudo: the opener opens events for the cgroup that main names.
SUDO_UID=65534 SUDO_GID=65534
export SUDO_UID SUDO_GID
cgroup_run -G "/$name/"
unset SUDO_UID SUDO_GID

"$PERFTOP" --batch -n 1 -G deep >"$tmp/out" 2>"$tmp/err"
is $? 1 "a group that is not there: exit 1"
is_message "$(cat "$tmp/err")" "-G: further down"
like "$(cat "$tmp/err")" " $name/deep\$" "and where that is"
"$PERFTOP" --batch -n 1 -G ../.. >"$tmp/out" 2>"$tmp/err"
is $? 1 "nothing above the mount: exit 1"
is_message "$(cat "$tmp/err")" "-G: above the mount"
"$PERFTOP" --batch -G $name -p 1 >"$tmp/out" 2>"$tmp/err"
is $? 129 "two scopes are a contradiction"
done_testing
