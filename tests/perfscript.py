# SPDX-License-Identifier: MIT
"""Compare the JSON line on stdin with the lines of `perf script -F comm,cpu,event` in a file:
prints "same", or what differs.  Threads without a name (perf: ":123") are counted as one."""
import collections
import json
import re
import sys

snap = json.loads(sys.stdin.read())
theirs, ours = collections.Counter(), collections.Counter()
for line in open(sys.argv[1], errors="replace"):
    found = re.match(r"\s*(.+?)\s+\[(\d+)\]\s+(\S+?):\s*$", line)
    if found:
        comm, cpu, event = found.groups()
        theirs[event] += 1
        theirs[event, int(cpu)] += 1
        theirs[event, "" if re.match(r":-?\d+$", comm) else comm] += 1
for event in snap["events"]:
    ours[event["name"]] += event["sampled"]
    for cpu in event["cpus"]:
        ours[event["name"], cpu["cpu"]] += cpu["sampled"]
for task in snap["tasks"]:
    for event in task["events"]:
        ours[event["name"], task["comm"] or ""] += event["total"]
diff = {k: (theirs[k], ours[k]) for k in theirs.keys() | ours.keys() if theirs[k] != ours[k]}
print("same" if not diff and theirs else diff)
