#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kind of file that perf record makes: the same samples, totals and losses, also of names, as perf reads in them.
#
#	KINDS=all make check-foreign    all; else those that are marked with *
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need perf python3
need_root
need_event raw_syscalls:sys_enter

cat >"$tmp/kinds" <<'EOF'
* task, by time             | -e cpu-clock -F 500
  CPUs, by time             | -a -e cpu-clock -F 500
* task, every event         | -e raw_syscalls:sys_enter -c 1
  every 7th event           | -e raw_syscalls:sys_enter -c 7
* every 7th on CPUs         | -a -e raw_syscalls:sys_enter -c 7
  tracepoint by frequency   | -e raw_syscalls:sys_enter -F 500
  several events            | -a -c 1 -e raw_syscalls:sys_enter,sched:sched_switch,page-faults
  periods by event          | -a -e cpu-clock,page-faults/period=3/ -F 500
  many events               | -a -c 1 -e sched:*
* call chains               | -a -g -c 3 -e raw_syscalls:sys_enter
  DWARF call chains         | --call-graph dwarf -e cpu-clock -F 200
  periods in samples        | -P -c 3 -e raw_syscalls:sys_enter
  addresses                 | -d -e page-faults -c 1
  physical addresses        | --phys-data -e page-faults -c 1
  weights                   | -W -e cpu-clock -F 500
* identifier                | -a --sample-identifier -e cpu-clock -F 500
  CLOCK_MONOTONIC           | -k CLOCK_MONOTONIC -e raw_syscalls:sys_enter -c 1
  CLOCK_MONOTONIC_RAW       | -k CLOCK_MONOTONIC_RAW -a -e raw_syscalls:sys_enter -c 1
* compressed                | -z -a -e raw_syscalls:sys_enter,page-faults -c 5
  switches of CPUs          | -a --switch-events -e cpu-clock -F 500
  switches of a task        | --switch-events -e cpu-clock -F 500
  namespaces                | -a --namespaces -e cpu-clock -F 500
  cgroups                   | -a --all-cgroups -e cpu-clock -F 500
  per thread                | --per-thread -e raw_syscalls:sys_enter -c 1
  overwritten               | -a --overwrite -e raw_syscalls:sys_enter -c 1
  not inherited             | -i -e raw_syscalls:sys_enter -c 1
  no build-ids              | -B -N -e cpu-clock -F 500
  build-ids in mappings     | --buildid-mmap -e cpu-clock -F 500
  all build-ids             | --buildid-all -e cpu-clock -F 500
  group                     | -e {cpu-clock,task-clock} -F 500
* leader sampling by time   | -e {cpu-clock,page-faults}:S -F 500
* leader sampling of CPUs   | -a -e {raw_syscalls:sys_enter,context-switches,page-faults}:S -c 3
  leader sampling, losses   | -a -m 1 -e {raw_syscalls:sys_enter,context-switches,page-faults}:S -c 3
  leader sampling, chains   | -a -g -e {cpu-clock,raw_syscalls:sys_enter}:S -F 500
  group option              | --group -e cpu-clock,page-faults -F 500
  registers                 | -I -e cpu-clock -F 500
  user registers            | --user-regs=ip,sp -e cpu-clock -F 500
* losses                    | -m 1 -e raw_syscalls:sys_enter -c 1
  losses of CPUs            | -a -m 1 -e raw_syscalls:sys_enter -c 1
  filter                    | -e raw_syscalls:sys_enter --filter id==39 -c 1
  user mode                 | -e cpu-clock:u -F 500
  kernel mode               | -e cpu-clock:k -F 500
  all in user mode          | -a --all-user -e cpu-clock,page-faults -F 500
  all in kernel mode        | -a --all-kernel -e cpu-clock -F 500
  names at the end          | -a --tail-synthesize -e raw_syscalls:sys_enter -c 1
  no names                  | -a --synth no -e raw_syscalls:sys_enter -c 1
  one CPU                   | -C 0 -e raw_syscalls:sys_enter -c 1
  code page sizes           | --code-page-size -e cpu-clock -F 500
  data page sizes           | --data-page-size -d -e page-faults -c 1
  raw data                  | -R -e cpu-clock -F 500
  no times                  | -e raw_syscalls:sys_enter -c 1 --no-timestamp
  CPU of samples            | --sample-cpu -e page-faults -c 1
  an event twice            | -a -e cpu-clock -e cpu-clock -F 500
  named events              | -a -e cpu-clock/name=one/,cpu-clock/name=two/ -F 300
  rare events               | -a -e minor-faults,major-faults,migrations,cs -c 1
  throttled                 | -a -e cpu-clock -c 300000
  asynchronous              | --aio -a -e raw_syscalls:sys_enter -c 1
  not buffered              | --no-buffering -a -e raw_syscalls:sys_enter -c 1
  small writes              | --mmap-flush=1K -a -e raw_syscalls:sys_enter -c 1
* a file for each CPU       | --threads -a -e raw_syscalls:sys_enter,page-faults -c 5
  a file for each core      | --threads=core -a -e raw_syscalls:sys_enter,cpu-clock -F 500
  files for a task          | --threads -e raw_syscalls:sys_enter -c 1
  compressed files          | --threads -z -a -e raw_syscalls:sys_enter,page-faults -c 5
  losses in files           | --threads -a -m 1 -e raw_syscalls:sys_enter -c 1
  leader sampling in files  | --threads -a -e {raw_syscalls:sys_enter,page-faults}:S -c 3
  times of the ends         | --timestamp-boundary -a -e raw_syscalls:sys_enter -c 1
EOF

cat >"$tmp/load" <<EOF
$BUILD/tests/helpers/getppid 1500
$BUILD/tests/helpers/getppid 1500
ls / >/dev/null
$BUILD/tests/helpers/spinner 20
for _ in 1 2 3 4 5 6 7 8; do /bin/true; done
exec dd if=/dev/zero of=/dev/null bs=2M count=250 2>/dev/null
EOF

# How to compare: names that are told late or never are left out.
how()
{
	case $1 in
	*--tail-synthesize* | *"--synth no"*) echo "--by none" ;;
	*:S*) echo --grouped ;;
	esac
}

# perf prints no field that an event of the file does not have.
script()
{
	for fields in cpu,period cpu period ''; do
		perf script -G -f --show-lost-events -i "$1" -F "comm,tid,event${fields:+,$fields}" 2>/dev/null &&
			return
	done
}

# same OPTIONS: record with these, and compare.  (Its thread for BPF events ends a second late.)
same()
{
	rm -rf "$tmp/data"
	set -f
	# shellcheck disable=SC2086
	perf record -q --no-bpf-event $1 -o "$tmp/data" -- sh "$tmp/load" >"$tmp/out" 2>&1 </dev/null || {
		echo "perf record: $(head -n 2 "$tmp/out")"
		return
	}
	set +f
	script "$tmp/data" >"$tmp/script"
	perf report -f --stats -i "$tmp/data" >"$tmp/stats" 2>/dev/null
	# shellcheck disable=SC2046
	"$PERFTOP" -i "$tmp/data" -j -d 80000 --top 100000 2>"$tmp/err" | tail -n 1 |
		python3 "${0%/*}/../perfscript.py" "$tmp/script" --stats "$tmp/stats" $(how "$1")
	cat "$tmp/err"
}

while IFS='|' read -r name options; do
	case $name in "*"*) ;; *) [ "${KINDS-}" = all ] || continue ;; esac
	is "$(same "$options")" same "$(echo "${name#??}" | sed 's/ *$//')"
done <"$tmp/kinds"
done_testing
