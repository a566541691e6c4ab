# SPDX-License-Identifier: MIT
"""Compare what we count in damaged perf.data files with what perf reads in them.

damagedsums.py FROM COUNT FOLDER SEED...

The files are those of tests/unit/damaged_files.t.c with the same numbers, of these seeds; FOLDER is for them.
Compared is where perf script and perf report end without an error, we reject neither the file nor a record, and
perf's text says each sample plainly; not names, which a task has from a damaged time on or never.  Left out is
what perf reads otherwise: samples of virtual machines, which it skips, and a wrong size of the attrs in the head,
which it ignores.  Prints for each seed its name and "same", or how many files differ, and the first of them; then
how many files were compared."""
import collections
import functools
import json
import os
import re
import resource
import struct
import subprocess
import sys

import perfscript

FIELDS = [",cpu,period", ",period"]
MOST_S = 20  # for perf
MOST_BYTES = 2 << 30
MOST_CPU = 8191
MOST_PERIOD = 1 << 53  # what a sum of tasks, a double, holds exactly
READ, REFUSED = {0, 3}, 1  # whole, in part
REJECTED = re.compile(rb"and [1-9]\d* records? were not")
SAMPLE, TRACING_DATA = 9, 66
ATTR_SIZE = slice(16, 24)  # in struct perf_file_header
GUEST = {4, 5}  # PERF_RECORD_MISC_GUEST_KERNEL, _USER


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, out, limits=None):
    """The exit status, and what it said; one that takes too long has none."""
    with open(out, "wb") as file:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE,
                                  timeout=MOST_S, preexec_fn=limits, check=False)
        except subprocess.TimeoutExpired:
            return None, b""
    return done.returncode, done.stderr


def does_perf_read(path, script, stats):
    command = ["perf", "script", "-G", "-f", "--show-lost-events", "-i", path, "-F"]
    return any(run(command + ["comm,pid,tid,event" + fields], script, limit)[0] == 0 for fields in FIELDS) and \
        run(["perf", "report", "-f", "--stats", "-i", path], stats, limit)[0] == 0


@functools.cache
def names_in(seed):
    """The names of its events, which damage can change."""
    out = subprocess.run([os.environ["PERFTOP"], "-i", seed, "-j", "-d", "80000"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    return {event["name"] for line in out.splitlines() for event in json.loads(line)["events"]} | {"dummy"}


def is_plain(script, names):
    """No names of events, CPUs or periods that only damage makes."""
    with open(script, errors="replace") as lines:
        for line in lines:
            match = perfscript.LINE.match(line)
            if match is None and line.rstrip().endswith(":"):
                return False
            if match and not (match["event"] in names and 0 <= int(match["cpu"] or 0) <= MOST_CPU and
                              int(match["period"] or 0) <= MOST_PERIOD):
                return False
    return True


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def has_guests(data):
    header, start = struct.unpack_from("<8xQ24xQ", data.ljust(48, b"\0"))
    at = 16 if header == 16 else start
    while at + 12 <= len(data):
        kind, misc, size = struct.unpack_from("<IHH", data, at)
        if kind == SAMPLE and misc & 7 in GUEST:
            return True
        if size < 8:
            break
        at += size
        if kind == TRACING_DATA and at + 4 <= len(data):  # its bytes follow, filled up to 8
            at += struct.unpack_from("<I", data, at - size + 8)[0] + 7 & ~7
    return False


def is_read_otherwise(path, seed):
    data = bytes_of(path)
    return has_guests(data) or data[ATTR_SIZE] != bytes_of(seed)[ATTR_SIZE]


def last_line(path):
    with open(path) as lines:
        return ([line for line in lines if line.startswith("{")] or [None])[-1]


def compare(folder, seed, number):
    """Where perf and we differ, {} where not; None: nothing to compare."""
    path, script, stats, ours = (os.path.join(folder, name) for name in ("data", "script", "stats", "ours"))
    run([os.environ["BUILD"] + "/tests/helpers/damage", seed, str(number)], path)
    if not does_perf_read(path, script, stats):
        return None
    if not is_plain(script, names_in(seed)) or is_read_otherwise(path, seed):
        return None
    status, said = run([os.environ["PERFTOP"], "-i", path, "-j", "-d", "80000", "--top", "100000"], ours)
    if status == REFUSED or REJECTED.search(said):
        return None
    line = last_line(ours)
    if status not in READ or line is None:
        return {"status": status}
    return perfscript.differences(json.loads(line), script, stats, "none", "group" in seed)


def main():
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    seeds, different, ncompared = sys.argv[4:], collections.defaultdict(list), 0
    for number in range(first, first + count):
        seed = seeds[number % len(seeds)]
        difference = compare(folder, seed, number)
        ncompared += difference is not None
        if difference:
            different[seed].append((number, dict(list(difference.items())[:4])))
    for seed in seeds:
        found = different[seed]
        print(seed, f"{len(found)}, the first: {found[0]}" if found else "same")
    print("compared", ncompared)


main()
