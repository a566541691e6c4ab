#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What /proc says of a task, beside its figures: live, and in a recording unknown.
. "${0%/*}/../lib.sh"
. "${0%/*}/play.sh"
need_perf
chmod 755 "$tmp"

"$BUILD/tests/helpers/paced" 500 60 >/dev/null 2>&1 &
paced=$!
at_exit "kill $paced 2>/dev/null"
# That of the unified hierarchy; at its root, of another one.
cgroup=$(awk -F: '$1 == "0" && $3 != "/" { unified = $3 } $3 != "/" && other == "" { other = $3 }
	END { print unified != "" ? unified : other != "" ? other : "/" }' "/proc/$paced/cgroup")

keys="resize 320 30
wait 4
key 3
type /$paced
key Enter
wait 2
dump
key Down Enter
wait 1
dump"

for who in root sudo; do
	may_play $who || continue
	printf '%s\n' "$keys" | play_as $who $who -e context-switches
	is "$?$(cat "$tmp/$who.err")" 0 "$who: the tasks are shown"
	like "$(grep -a "^▸ paced $paced " "$tmp/$who")" "helpers/paced 500 60\$" "$who: with their command lines"
	like "$(grep -a '^command ' "$tmp/$who")" "^command .*helpers/paced 500 60\$" "$who: also in a task's detail"
	is "$(grep -a -m 1 '^cgroup ' "$tmp/$who")" "cgroup $cgroup" "$who: with its cgroup"
	like "$(grep -a '^forked by ' "$tmp/$who")" "^forked by .* $$ *\$" "$who: and its parent, which forked it before"
done

# A shell that waits is above what it runs, though there is no record of it.
sh -c '"$0" 500 60 >/dev/null 2>&1; :' "$BUILD/tests/helpers/paced" &
shell=$!
at_exit "pkill -P $shell 2>/dev/null"
printf '%s\n' "resize 120 200
wait 4
key 3
key T
wait 1
dump" >"$tmp/script"
timeout -k 5 60 "$PERFTOP" -d 0.3 --script "$tmp/script" -e context-switches >"$tmp/tree" 2>"$tmp/tree.err"
below=$(grep -a -A 1 " sh $shell *\$" "$tmp/tree" | tail -n 1)
like "$below" '^[ │]*└ paced [0-9]+ ' "T: a task stands below the shell that forked it, which waits"
like "$(grep -a " $$ *\$" "$tmp/tree")" '^[ │]*[└├] [^ ]' "and that below this test's"

timeout -k 5 60 "$PERFTOP" -j -d 0.2 -n 4 -e context-switches --record "$tmp/recorded" >"$tmp/json" 2>"$tmp/json.err"
object=$(tail -n 1 "$tmp/json" | sed "s/{\"pid\":/\\n&/g" | grep -a "^{\"pid\":$paced,")
like "$object" '"command":"[^"]*helpers/paced 500 60"' "JSON has the command line"
like "$object" "\"ppid\":$$,\"parent\":\"[^\"]+\"" "and the parent"
like "$object" "\"cgroup\":\"$cgroup\"" "and the cgroup"
like "$(sed 's/.*"parents"://' "$tmp/json" | tail -n 1)" "{\"pid\":$shell,\"ppid\":$$,\"comm\":\"sh\"}" \
	"and what tasks descend from"
object=$("$PERFTOP" -j -i "$tmp/recorded" | tail -n 1 | sed "s/{\"pid\":/\\n&/g" | grep -a "^{\"pid\":$paced,")
like "$object" '"command":null,"cgroup":null' "in a recording, which may be another machine's, they are unknown"
done_testing
