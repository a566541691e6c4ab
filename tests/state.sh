#!/bin/sh
# SPDX-License-Identifier: MIT
#
# state.sh BUILD: what a test run must leave as it was, a line each; compared by tests/run.sh.
# Only what our tests can change: a desktop may mount a disk or start other programs meanwhile.
set -u
LC_ALL=C
export LC_ALL

top=$PWD
build=$(cd "$1" && pwd)

# Programs of the build folder and of scratch folders, and threads' owners by their names.
processes()
{
	for exe in /proc/[0-9]*/exe; do
		pid=${exe%/exe} pid=${pid#/proc/}
		case $(readlink "$exe" 2>/dev/null) in
		"$build"/* | */perftop-test.*) echo "process $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)" ;;
		esac
	done
	ps -eo comm= 2>/dev/null | grep '^perftop' | sed 's/^/process /'
}

echo "cpus online $(cat /sys/devices/system/cpu/online 2>/dev/null)"
# Not perf_event_max_sample_rate: the kernel itself lowers it when interrupts take long.
for name in perf_event_paranoid perf_event_mlock_kb perf_cpu_time_max_percent perf_event_max_stack \
	kptr_restrict nmi_watchdog sched_schedstats; do
	echo "kernel.$name $(cat "/proc/sys/kernel/$name" 2>/dev/null)"
done
awk -v top="$top/" '$2 ~ "^/(tmp|sys|proc|dev)/" || index($2, top) == 1 { print "mount", $1, $2, $3 }' /proc/mounts
find /sys/fs/cgroup -maxdepth 3 -name 'perftop*' -type d 2>/dev/null | sed 's/^/cgroup /'
find /sys/kernel/tracing/instances -mindepth 1 -maxdepth 1 2>/dev/null | sed 's/^/instance /'
sed 's/^/probe /' /sys/kernel/tracing/uprobe_events /sys/kernel/tracing/kprobe_events 2>/dev/null
find "${TMPDIR:-/tmp}" /var/tmp -maxdepth 1 -name 'perftop*' ! -name 'perftop-as.*' 2>/dev/null | sed 's/^/scratch /'
find "$build" -printf 'owner in build: %u\n' 2>/dev/null | sort -u
find "$top" \( -path "$top/.git" -o -path "$top/build*" \) -prune -o ! -type d -printf 'file %p %s %T@ %u\n' | sort
processes | sort
