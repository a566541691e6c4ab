#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh BUILD COMMAND...: a test run that leaves the machine as it was, or fails.  What `sudo make
# check` leaves in BUILD belongs to the user who called sudo.
set -u

build=$1
shift
scratch=$(mktemp -d "${TMPDIR:-/tmp}/perftop-run.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

own_build()
{
	[ -z "${SUDO_UID-}" ] || [ "$(id -u)" -ne 0 ] || chown -Rh "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$build"
}

own_build
sh tests/state.sh "$build" >"$scratch/before"
"$@" </dev/null
status=$?
own_build

# Closing many tracepoints takes the kernel seconds: perftop-closer may outlive the last test.
# One of an earlier run may end meanwhile.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sh tests/state.sh "$build" >"$scratch/after"
	diff "$scratch/before" "$scratch/after" | grep '^[<>]' | grep -v '^< process' >"$scratch/changed" ||
		exit $status
	sleep 2
done
echo >&2 'the tests did not leave the machine as it was (< before, > after):'
cat "$scratch/changed" >&2
[ $status -ne 0 ] || status=1
exit $status
