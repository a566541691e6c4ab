# SPDX-License-Identifier: MIT
"""Compare the JSON line on stdin with the lines of `perf script -F comm,tid,cpu,event` in a file:
prints "same", or what differs.  By event, CPU and the tasks' names, or with the second argument "tid"
their ids: a live row has its thread's newest name only, and a thread may be preempted in exec, between
its first event and its new name.  Threads without a name (perf: ":123") are counted as one."""
import collections
import json
import re
import sys

snap = json.loads(sys.stdin.read())
is_by_tid = sys.argv[2:] == ["tid"]
theirs, ours = collections.Counter(), collections.Counter()
for line in open(sys.argv[1], errors="replace"):
    found = re.match(r"\s*(.+?)\s+(-?\d+)\s+\[(\d+)\]\s+(\S+?):\s*$", line)
    if found:
        comm, tid, cpu, event = found.groups()
        theirs[event] += 1
        theirs[event, int(cpu)] += 1
        if is_by_tid:
            theirs[event, "tid", int(tid)] += 1
        else:
            theirs[event, "" if re.match(r":-?\d+$", comm) else comm] += 1
for event in snap["events"]:
    ours[event["name"]] += event["sampled"]
    for cpu in event["cpus"]:
        ours[event["name"], cpu["cpu"]] += cpu["sampled"]
for task in snap["tasks"]:
    for event in task["events"]:
        if is_by_tid:
            ours[event["name"], "tid", task["tid"]] += event["total"]
        else:
            ours[event["name"], task["comm"] or ""] += event["total"]
diff = {k: (theirs[k], ours[k]) for k in theirs.keys() | ours.keys() if theirs[k] != ours[k]}
print("same" if not diff and theirs else diff)
