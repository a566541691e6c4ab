#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Our JSON, read by another program.  Run by make check, which sets BUILD.

command -v python3 >/dev/null 2>&1 || { echo '1..0 # skip no python3'; exit 0; }
[ -x "${BUILD-}/tests/unit/output_json.t" ] || { echo '1..0 # skip not built'; exit 0; }

"$BUILD/tests/unit/output_json.t" print | python3 -c '
import json, sys

raw = sys.stdin.buffer.read()
count = 0
def ok(passed, name):
    global count
    count += 1
    print("ok" if passed else "not ok", count, "-", name)

def no_constant(name):
    raise ValueError(name)

lines = raw.decode("utf-8").splitlines()
ok(len(lines) == 1, "one line of UTF-8")
snap = json.loads(lines[0], parse_constant=no_constant)
ok(True, "which python3 reads, and no NaN in it")
ok(snap["schema"] == 1 and snap["cpus"] == [0, 2], "the head")
good = [e for e in snap["events"] if e["balanced"]]
ok(good and all(c["total"] == c["sampled"] + c["lost"] for e in good for c in e["cpus"]),
   "balanced events have total == sampled + lost on every CPU")
ok(all(e["total"] == sum(c["total"] for c in e["cpus"]) for e in good), "and CPUs that add up")
comm = [t["comm"] for t in snap["tasks"] if t["pid"] == 666][0]
ok(comm == "\x1b]0;pwn\x07\ufffd\u202e\"\ufffd,", "a hostile name comes through as data")
print("1..%d" % count)
'
