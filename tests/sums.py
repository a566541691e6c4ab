# SPDX-License-Identifier: MIT
"""sums.py EVENT|switches: the lines of `perftop-ng -j` on stdin, added up in each way; "WHAT: SUM" each.

The intervals are those of all lines, the totals those of the final one.
"""
import json
import sys


def of_event(snaps, name):
    def events(snap):
        return [e for e in snap["events"] if e["name"] == name]

    def of_tasks(snap):
        return [e for task in snap["tasks"] for e in task["events"] if e["name"] == name]

    final = snaps[-1]
    event = events(final)[0]
    for key in "total", "sampled", "weight", "lost", "unseen":
        yield key, event[key]
    for key in "total", "sampled":
        yield "CPUs' " + key, sum(cpu[key] for cpu in event["cpus"])
    yield "tasks' total", sum(e["total"] for e in of_tasks(final))
    yield "rest", sum(e["total"] for e in final["rest"]["events"] if e["name"] == name)
    yield "estimated", sum(e["total_estimated"] for e in of_tasks(final))
    for key in "count", "sampled_count":
        yield "intervals' " + key, sum(e[key] for snap in snaps for e in events(snap))
    for key in "count", "samples":
        yield "intervals' tasks' " + key, sum(e[key] for snap in snaps for e in of_tasks(snap))


def of_switches(snaps):
    final = snaps[-1]

    def both(switches):
        return switches["voluntary"] + switches["involuntary"]

    yield "total", both(final["switches"])
    yield "CPUs' total", sum(both(cpu) for cpu in final["switches"]["cpus"])
    yield "tasks' total", sum(both(task["switches"]) for task in final["tasks"])
    yield "intervals' count", sum(snap["switches"]["count"] for snap in snaps)


def main(name):
    snaps = [json.loads(line) for line in sys.stdin]
    for what, value in of_switches(snaps) if name == "switches" else of_event(snaps, name):
        print(f"{what}: {value}")


main(sys.argv[1])
