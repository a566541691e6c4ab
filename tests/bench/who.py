# SPDX-License-Identifier: MIT
"""who.py RUN JSON TRUE...: compares the tasks' counts of a -j output with the tasks' own.

Prints one line: RUN, intervals, intervals whose sum is wrong, tasks compared, tasks off by more than
10 %, the largest difference.  A task is compared in the intervals from the third second on, if it
made at least 5 % of the event.
"""
import bisect
import json
import sys


def read_true(path):
    """A task's tid and its [(time, calls)], ascending."""
    with open(path) as file:
        tid = int(file.readline())
        return tid, [tuple(map(float, line.split())) for line in file]


def calls_at(points, time):
    """The calls made by then, between two points by proportion."""
    i = min(max(bisect.bisect(points, (time,)), 1), len(points) - 1)
    (t0, n0), (t1, n1) = points[i - 1], points[i]
    return n0 + (n1 - n0) * (time - t0) / (t1 - t0)


def main(run, path, *trues):
    true = dict(map(read_true, trues))
    intervals = wrong = 0
    off = []
    with open(path) as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        event = line["events"][0]
        rows = line["tasks"] + [line["rest"]]
        total = sum(e["count"] for row in rows for e in row["events"]) + event["unseen"]
        intervals += 1
        wrong += total != event["count"]
        if line["elapsed"] < 2.5:
            continue
        end = line["time"]
        counts = {row["tid"]: row["events"][0]["count"] for row in line["tasks"] if row["events"]}
        for tid, points in true.items():
            calls = calls_at(points, end) - calls_at(points, end - line["interval"])
            if calls >= 0.05 * event["count"]:
                off.append(abs(counts.get(tid, 0) / calls - 1))
    print(run, intervals, wrong, len(off), sum(d > 0.1 for d in off), max(off))


main(*sys.argv[1:])
