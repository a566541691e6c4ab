#!/bin/sh
# SPDX-License-Identifier: MIT
# Without an enabled controller a cgroup has no perf_event: the error names a command that helps.
. "${0%/*}/../lib.sh"
need_guest

mount=/sys/fs/cgroup
name=perftop-test-$$
at_exit 'rmdir "$mount/$name"'
mkdir "$mount/$name"

run_in_group()
{
	"$PERFTOP" --batch -e cs -G "$name" -n 1 -d 0.2 >"$tmp/out" 2>"$tmp/err"
}

run_in_group
is $? 1 "a group without perf_event: exit 1"
fix=$(grep -o 'echo +[a-z]* >[a-z._]*' "$tmp/err" | head -n 1)
like "$fix" subtree_control "the message has a command"
ok "the command succeeds" env -C "$mount" sh -c "$fix"
ok "perftop-ng runs after it" run_in_group
diag "$(cat "$tmp/err")"
done_testing
