#!/bin/sh
# SPDX-License-Identifier: MIT
# A cgroup2 without any controller switched on has no perf_event either: reported, with the fix.
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
like "$fix" subtree_control "and the fix"
ok "which is a command" env -C "$mount" sh -c "$fix"
ok "after which it runs" run_in_group
diag "$(cat "$tmp/err")"
done_testing
