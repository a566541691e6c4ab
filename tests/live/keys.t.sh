#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Random keys in a real terminal, of several kinds: the program neither crashes nor hangs nor ends unasked,
# and leaves the terminal as it was.  By hand: KEYS=100000 make check-keys SAN=address,undefined O=build-asan
. "${0%/*}/../lib.sh"

keys=${KEYS-1000} seed=${SEED-20261128}
data=$(cd "$(dirname "$0")/../data" && pwd)
echo "# KEYS=$keys SEED=$seed"
export XDG_CONFIG_HOME="$tmp/config"
cd "$tmp" || exit 1 # where it saves

# survives DESC BYTES COMMAND...: keys but those BYTES
survives()
{
	desc=$1 bytes=$2
	shift 2
	rm -rf "$tmp/config"
	"$BUILD/tests/helpers/ptykeys" -k "$keys" -s "$seed" -x "$bytes" "$@" >"$tmp/said"
	is "$(tr '\n' ' ' <"$tmp/said")" "keys $keys status 0 terminal as before " "$desc"
}

survives "a replay in xterm" "" env TERM=xterm-256color "$PERFTOP" -i "$data/chains.data"
is "$(find . -name 'perftop-ng-*.txt' | head -n 1 | wc -l)" 1 "which saved views, too"
survives "on the console, without UTF-8" "" env TERM=linux LC_ALL=C "$PERFTOP" -i "$data/events.data"
survives "on a vt100" "" env TERM=vt100 "$PERFTOP" -i "$data/group.data"
survives "in screen, without colours" "" env TERM=screen NO_COLOR=1 "$PERFTOP" -i "$data/plain.data"

if [ "$(id -u)" = 0 ]; then
	# While tracepoints are closed our decoder may wait long for the kernel, and q not for our decoder.
	nobody_closes()
	{
		! pgrep -x perftop-closer >/dev/null
	}
	wait_until 60 nobody_closes
	# Without E and *, which could add any event, or all.
	survives "live" "E*" env TERM=tmux-256color "$PERFTOP"
else
	skip 1 "needs root"
fi
done_testing
