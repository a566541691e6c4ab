#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ran.py COMMAND...: run it without its output; print the seconds it took, its largest memory in MB,
and the seconds of CPU time."""
import os
import sys
import time

begin = time.monotonic()
pid = os.fork()
if pid == 0:
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.execvp(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
if status != 0:
    sys.exit(f"{sys.argv[1]}: status {status}")
cpu = usage.ru_utime + usage.ru_stime
print(f"{time.monotonic() - begin:.3f} {usage.ru_maxrss * 1024 / 1e6:.0f} {cpu:.3f}")
