#!/bin/sh
# SPDX-License-Identifier: MIT
# lib.sh, by the output of example tests: a check that fails says why on stderr, where prove(1)
# shows it also without -v, and the test fails.
. "${0%/*}/../lib.sh"

# example CODE: a test of that code; $rc, $tmp/out, $tmp/err
example()
{
	rc=0
	printf '. "%s/tests/lib.sh"\n%s\ndone_testing\n' "$PWD" "$1" >"$tmp/example"
	sh "$tmp/example" >"$tmp/out" 2>"$tmp/err" || rc=$?
}

example 'is a a same; ok true true; like abc b inside; unlike abc d outside'
is "$rc:$(cat "$tmp/err")" 0: "checks that pass: exit 0, silent"
is "$(grep -c '^ok' "$tmp/out")" 4 "four of them"

example 'is a b different'
is $rc 1 "one that fails: exit 1"
like "$(cat "$tmp/out")" '^not ok 1 - different' "TAP has it"
is "$(cat "$tmp/err")" "#   failed: different
#        got: a
#   expected: b" "and stderr has what and why"

example 'ok "a command" sh -c "echo the reason; exit 3"'
is $rc 1 "a command that fails: exit 1"
like "$(cat "$tmp/err")" 'exit status 3' "its status"
like "$(cat "$tmp/err")" 'the reason' "and what it printed"

example 'like abc d "no such text"; unlike abc b "this text"'
is "$(grep -c '#   failed: ' "$tmp/err")" 2 "like and unlike do the same"

example 'echo new >"$tmp/new"; golden "$tmp/new" /dev/null "a screen"'
like "$(cat "$tmp/err")" '\+new' "golden shows the difference"

printf 'one\tno (event) *\nlines\ta\\nb\n' >"$tmp/messages"
example "tap_messages=$tmp/messages UPDATE=; is_message 'no (event) here' one; is_message 'a
b' lines"
is "$rc:$(cat "$tmp/err")" 0: "is_message: the text of its key, with * for anything, and lines"
example "tap_messages=$tmp/messages UPDATE=; is_message 'no event' one; is_message a lines; is_message x none"
is "$(grep -c '#   failed: ' "$tmp/err")" 3 "another text, one line of two, and no such key fail"
example "tap_messages=$tmp/messages UPDATE=1; is_message new none; is_message 'no (event) 2' one; is_message c lines"
is "$rc:$(tr '\n' '|' <"$tmp/messages")" "0:lines	c|none	new|one	no (event) *|" "UPDATE=1 rewrites what does not match"

example ''
is $rc 1 "a test without a check fails"
example 'plan 2; ok one true'
is $rc 1 "and one with fewer than planned"

mkdir "$tmp/scratch"
rc=0
TMPDIR=$tmp/scratch sh -c '. tests/lib.sh; touch "$tmp/file"; exit 0' || rc=$?
is "$rc:$(ls "$tmp/scratch")" 0: "the scratch folder is removed with the test"
done_testing
