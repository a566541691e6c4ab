# SPDX-License-Identifier: MIT
"""Compare the JSON line on stdin with what perf reads in the same file: prints "same", or what differs.

perfscript.py SCRIPT [--stats STATS] [--by tid|none] [--grouped]

SCRIPT is the output of `perf script -F comm,pid,tid,cpu,event,period`, of which pid, cpu and period may be missing:
samples and, with a period, totals by event, CPU and the tasks' names.  By tid: a live row has its thread's
newest name only, and a thread may be preempted in exec, between its first event and its new name.  Threads
without a name (perf: ":123") are counted as one; those of negative tids or pids, which have exited, are no task's
with perf, but with us, where the file says who was on the CPU.  STATS is the output of `perf report --stats`: lost
samples by event, lost records of names ("side"), and throttling; with it SCRIPT has the lines of --show-lost-events,
too.  Grouped: the sample after lost ones weighs what they did."""
import argparse
import collections
import json
import re
import sys

LINE = re.compile(r"\s*(?P<comm>.+?)\s+(?:(?P<pid>-?\d+)/)?(?P<tid>-?\d+)\s+"
                  r"(?:\[(?P<cpu>-?\d+)\]\s+)?(?:(?P<period>\d+)\s+)?(?P<event>\S+?):\s*$")


def theirs_of(path, by):
    found, has_periods = collections.Counter(), False
    for line in open(path, errors="replace"):
        match = LINE.match(line)
        if not match:
            continue
        comm, pid, tid, cpu, period, event = match.groups()
        if event.startswith("dummy"):
            continue
        has_periods |= period is not None
        weight = int(period or 1)
        name = {"tid": tid, "comm": "" if re.match(r":-?\d+$", comm) else comm}.get(by)
        found["samples", event] += 1
        is_gone = int(tid) < 0 or int(pid or 0) < 0
        found["gone" if is_gone else "total", event, "task", None if is_gone else name] += weight
        if period:
            found["total", event] += weight
        if cpu:
            found["samples", event, "cpu", int(cpu)] += 1
            if period:
                found["total", event, "cpu", int(cpu)] += weight
    return found, has_periods


def ours_of(snap, by, theirs, has_periods):
    found = collections.Counter()
    for event in snap["events"]:
        name = event["name"]
        found["samples", name] += event["sampled"] or 0  # an event that only counts has none
        if has_periods:
            found["total", name] += event["total"]
        for cpu in event["cpus"] if any(k[1:3] == (name, "cpu") for k in theirs) else []:
            found["samples", name, "cpu", cpu["cpu"]] += cpu["sampled"]
            if has_periods:
                found["total", name, "cpu", cpu["cpu"]] += cpu["total"]
    for task in snap["tasks"]:
        name = {"tid": str(task["tid"]), "comm": task["comm"] or ""}.get(by)
        for event in task["events"]:
            found["total", event["name"], "task", name] += event["total"]
    return found


def without_lost(found, snap):
    """perf's totals leave out what was lost.  A lost sample of every Nth event is N events, of a frequency one."""
    for event in snap["events"]:
        weight = 1 if event["freq"] else event["period"] or 1
        found["total", event["name"]] -= (event["lost"] or 0) * weight
        for cpu in event["cpus"]:
            key = ("total", event["name"], "cpu", cpu["cpu"])
            if key in found:
                found[key] -= (cpu["lost"] or 0) * weight


def without_gone(ours, theirs):
    """Leave out of our tasks' totals what perf has as no task's."""
    for gone in [k for k in theirs if k[0] == "gone"]:
        left = theirs.pop(gone)
        for key in [k for k in ours if k[:3] == ("total", gone[1], "task")]:
            more = min(max(ours[key] - theirs[key], 0), left)
            ours[key] -= more
            left -= more


def stats_of(path):
    found, event = collections.Counter(), None
    for line in open(path, errors="replace"):
        match = re.match(r"(\S.*) stats:$", line)
        event = match.group(1) if match else event
        match = re.match(r"\s*(\w+) events:\s+(\d+)", line)
        if not match:
            continue
        if event not in (None, "Aggregated"):
            if match.group(1) == "LOST_SAMPLES":
                name = "side" if event.startswith("dummy") else event
                found["LOST_SAMPLES", name] += int(match.group(2))
        elif match.group(1) == "THROTTLE":
            found["THROTTLE"] += int(match.group(2))
    return found


def lost_records_of(path):
    lines = open(path, errors="replace")
    return sum(int(n) for line in lines for n in re.findall(r"PERF_RECORD_LOST lost (\d+)$", line))


def our_stats(snap):
    found = collections.Counter()
    found["LOST"] = snap["lost_records"]
    found["LOST_SAMPLES", "side"] = snap["side_lost"]
    for event in snap["events"]:
        found["LOST_SAMPLES", event["name"]] += event["lost"] or 0
        found["THROTTLE"] += event["throttles"]
    return found


def differences(snap, script, stats=None, by="comm", is_grouped=False):
    """What perf reads and what we do, by what is counted, where they differ; None: perf reads no sample."""
    theirs, has_periods = theirs_of(script, by)
    if not theirs:
        return None
    ours = ours_of(snap, by, theirs, has_periods)
    without_gone(ours, theirs)
    if has_periods and not is_grouped:
        without_lost(ours, snap)
    if stats:
        theirs.update(stats_of(stats))
        theirs["LOST"] = lost_records_of(script)
        ours.update(our_stats(snap))
    keys = theirs.keys() | ours.keys()
    return {k: (theirs[k], ours[k]) for k in keys if theirs[k] != ours[k]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("script")
    parser.add_argument("--stats")
    parser.add_argument("--by", default="comm", choices=["comm", "tid", "none"])
    parser.add_argument("--grouped", action="store_true")
    args = parser.parse_args()
    diff = differences(json.load(sys.stdin), args.script, args.stats, args.by, args.grouped)
    print("same" if diff == {} else dict(list((diff or {}).items())[:8]))


if __name__ == "__main__":
    main()
