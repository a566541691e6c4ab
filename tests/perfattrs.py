# SPDX-License-Identifier: MIT
"""Compare the perf_event_attrs that perf and we make of event strings: prints a line each, "same" or what differs.

perfattrs.py FOLDER COUNT [ID...]

FOLDER has, for strings 1 to COUNT, in N.perf the output of `perf stat -vv -e STRING`, and in N.ours that of
`perftop-ng --dump-attr -e STRING`.  Both leave out fields that are 0.  Compared are the fields that say what is
counted; the others say how (perf stat counts, we sample).  Where nothing is written, perf before 6.13 leaves out what
guests do, and perf stat has nothing to be precise about.  Tracepoints of a pattern have no order.  Those of the IDs are
ftrace's own: no such event can be opened."""
import re
import sys

WHAT = """type config config1 config2 config3 bp_type pinned exclusive exclude_user exclude_kernel exclude_hv
exclude_idle exclude_host exclude_guest precise_ip""".split()
HOW = """size sample_period sample_freq sample_type read_format disabled inherit freq enable_on_exec watermark
wakeup_watermark sample_id_all use_clockid clockid scope""".split()
UNIONS = {"bp_addr": "config1", "bp_len": "config2"}
FIELD = re.compile(r"\s+(?:\{ )?(\w+)(?:, \w+ \})?\s+(\S+)")  # "name value" or "{ name, other } value"
TRACEPOINT = 2
OWN = 2  # our first events are for side-band records


def add_group(attr, number, leader, groups):
    """Our dummy leads instead of the first member, pinned or exclusive in its place."""
    if number not in groups:
        attr.update({name: 1 for name in ("pinned", "exclusive") if name in leader})
    groups.add(number)


def add_field(attr, name, value):
    name = UNIONS.get(name, name)
    if name in WHAT:
        attr[name] = int(value, 0)
    elif name not in HOW:
        attr["not known to perfattrs.py: " + name] = value


def read_theirs(path):
    attrs, is_in = [], False
    for line in open(path, errors="replace"):
        if line.startswith("perf_event_attr:"):
            attrs.append({})
            is_in = True
        elif is_in and line.startswith("  "):
            add_field(attrs[-1], *FIELD.match(line).groups())
        else:
            is_in = False
    return attrs


def read_ours(path):
    attrs, names, groups = [], [], set()
    for line in open(path, errors="replace"):
        title = re.match(r"(\S.*) \((\w+)\)$", line)
        if title:
            attrs.append({})
            names.append(title.group(1))
        elif line.startswith("  group "):
            add_group(attrs[-1], *line.split(None, 1)[1].split(",", 1), groups)
        elif len(attrs) > OWN:
            add_field(attrs[-1], *line.split(None, 1))
    return attrs[OWN:], names[OWN:]


def adjust(theirs, ours, name):
    modifiers = re.search(r"(?::(\w*))?$", name).group(1) or ""
    if theirs.get("exclude_guest") and not ours.get("exclude_guest") and "H" not in modifiers:
        del theirs["exclude_guest"]
    if "P" in modifiers and ours.get("precise_ip") == 3:
        del ours["precise_ip"]


def compare(stem, ftrace):
    theirs, (ours, names) = read_theirs(stem + ".perf"), read_ours(stem + ".ours")
    if all(attr.get("type") == TRACEPOINT for attr in theirs + ours):
        theirs = [attr for attr in theirs if attr["config"] not in ftrace]
        theirs.sort(key=lambda attr: attr["config"])
        ours.sort(key=lambda attr: attr["config"])
    if len(theirs) != len(ours):
        return f"perf has {len(theirs)} events, we {len(ours)}"
    if not theirs:
        return "no event"
    for one, other, name in zip(theirs, ours, names):
        adjust(one, other, name)
        if one != other:
            return f"{name}: perf {one}, we {other}"
    return "same"


folder, count, ftrace = sys.argv[1], int(sys.argv[2]), [int(number) for number in sys.argv[3:]]
for at in range(1, count + 1):
    print(compare(f"{folder}/{at}", ftrace))
