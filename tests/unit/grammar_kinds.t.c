/* SPDX-License-Identifier: MIT */
/*
 * Every kind of event and what it becomes, most of them in one table.  Names and terms were compared
 * with perf 6.1.
 */
#include "event/grammar.h"

#include "base/abi.h"
#include "fake-pmus.h"
#include "tap.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char self[4096];

#define CACHE(cache, op, result)                                          \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct {
	const char *text;
	const char *name; /* NULL: as typed */
	enum event_kind kind;
	uint32_t type;
	uint64_t config[4];
} rights[] = {
	/* Cache events: every alias table, defaults, both orders. */
	{ "L1-dcache-loads", NULL, EVENT_CACHE, 3, { CACHE(L1D, READ, ACCESS) } },
	{ "L1-dcache-load-misses", NULL, EVENT_CACHE, 3, { CACHE(L1D, READ, MISS) } },
	{ "L1-dcache", NULL, EVENT_CACHE, 3, { CACHE(L1D, READ, ACCESS) } },
	{ "l1d-miss", NULL, EVENT_CACHE, 3, { CACHE(L1D, READ, MISS) } },
	{ "l1-d-stores", NULL, EVENT_CACHE, 3, { CACHE(L1D, WRITE, ACCESS) } },
	{ "L1-data-speculative-load", NULL, EVENT_CACHE, 3, { CACHE(L1D, PREFETCH, ACCESS) } },
	{ "L1-dcache-misses-load", NULL, EVENT_CACHE, 3, { CACHE(L1D, READ, MISS) } },
	{ "L1-icache-prefetch-misses", NULL, EVENT_CACHE, 3, { CACHE(L1I, PREFETCH, MISS) } },
	{ "L1-instruction-refs", NULL, EVENT_CACHE, 3, { CACHE(L1I, READ, ACCESS) } },
	{ "LLC-loads-misses", NULL, EVENT_CACHE, 3, { CACHE(LL, READ, MISS) } },
	{ "L2-write-access", NULL, EVENT_CACHE, 3, { CACHE(LL, WRITE, ACCESS) } },
	{ "dTLB-store-misses", NULL, EVENT_CACHE, 3, { CACHE(DTLB, WRITE, MISS) } },
	{ "Data-TLB-Reference", NULL, EVENT_CACHE, 3, { CACHE(DTLB, READ, ACCESS) } },
	{ "iTLB-loads", NULL, EVENT_CACHE, 3, { CACHE(ITLB, READ, ACCESS) } },
	{ "i-tlb-miss", NULL, EVENT_CACHE, 3, { CACHE(ITLB, READ, MISS) } },
	{ "branch-load-misses", NULL, EVENT_CACHE, 3, { CACHE(BPU, READ, MISS) } },
	{ "btb", NULL, EVENT_CACHE, 3, { CACHE(BPU, READ, ACCESS) } },
	{ "node-prefetches", NULL, EVENT_CACHE, 3, { CACHE(NODE, PREFETCH, ACCESS) } },
	{ "LLC-loads:u", NULL, EVENT_CACHE, 3, { CACHE(LL, READ, ACCESS) } },
	/* These look like cache events, and are symbolic ones. */
	{ "branches", NULL, EVENT_HARDWARE, 0, { PERF_COUNT_HW_BRANCH_INSTRUCTIONS } },
	{ "branch-misses", NULL, EVENT_HARDWARE, 0, { PERF_COUNT_HW_BRANCH_MISSES } },
	{ "cache-misses", NULL, EVENT_HARDWARE, 0, { PERF_COUNT_HW_CACHE_MISSES } },
	/* Raw. */
	{ "r1a8", NULL, EVENT_RAW, 4, { 0x1a8 } },
	{ "rFFFFffffFFFFffff", NULL, EVENT_RAW, 4, { ~0ull } },
	{ "r003c:u", NULL, EVENT_RAW, 4, { 0x3c } },
	{ "r1a8/name=foo/", "foo", EVENT_RAW, 4, { 0x1a8 } },
	/* By numbers. */
	{ "1:3", NULL, EVENT_SOFTWARE, 1, { PERF_COUNT_SW_CONTEXT_SWITCHES } },
	{ "0:0x1:u", NULL, EVENT_HARDWARE, 0, { PERF_COUNT_HW_INSTRUCTIONS } },
	{ "3:0x10002", NULL, EVENT_CACHE, 3, { CACHE(LL, READ, MISS) } },
	{ "4:0x3c", NULL, EVENT_RAW, 4, { 0x3c } },
	{ "9:1", NULL, EVENT_PMU, 9, { 1 } },
	{ "20:4", NULL, EVENT_PMU, 20, { 4 } },
	{ "2:1", NULL, EVENT_TRACEPOINT, 2, { 1 } },
	/* PMUs. */
	{ "msr/tsc/", NULL, EVENT_PMU, 9, { 0 } },
	{ "msr//", NULL, EVENT_PMU, 9, { 0 } },
	{ "tsc", "msr/tsc/", EVENT_PMU, 9, { 0 } },
	{ "tsc:D", "msr/tsc/D", EVENT_PMU, 9, { 0 } },
	{ "msr/tsc/u", NULL, EVENT_PMU, 9, { 0 } },
	{ "msr/tsc=1/", NULL, EVENT_PMU, 9, { 0 } },
	{ "msr/event/", NULL, EVENT_PMU, 9, { 1 } },
	{ "msr/event=0x10,config=5/", NULL, EVENT_PMU, 9, { 5 } },
	{ "cpu/event=0x3c/", NULL, EVENT_PMU, 4, { 0x3c } },
	{ "cpu/event=0x1a8,umask=2/", NULL, EVENT_PMU, 4, { 0x1000002a8ull } },
	{ "cpu/event=010/", NULL, EVENT_PMU, 4, { 8 } },
	{ "cpu/event=60,edge/", NULL, EVENT_PMU, 4, { 0x4003c } },
	{ "cpu/edge=0/", NULL, EVENT_PMU, 4, { 0 } },
	{ "cpu/event=1,event=2/", NULL, EVENT_PMU, 4, { 2 } },
	{ "cpu/config,config2/", NULL, EVENT_PMU, 4, { 1, 0, 1 } },
	{ "cpu/config=0x1,config1=0x2,config2=0x3,config3=0x4/",
	  NULL,
	  EVENT_PMU,
	  4,
	  { 1, 2, 3, 4 } },
	{ "cpu/offcore_rsp=0xffffffffffffffff,frontend=7,metrics=255/",
	  NULL,
	  EVENT_PMU,
	  4,
	  { 0, ~0ull, 7, 255 } },
	{ "cpu/mem-loads,ldlat=30/P", NULL, EVENT_PMU, 4, { 0x1cd, 30 } },
	{ "cpu/ldlat=30,mem-loads/", NULL, EVENT_PMU, 4, { 0x1cd, 30 } },
	{ "cpu/cpu-cycles/", NULL, EVENT_PMU, 4, { 0x3c } },
	{ "cpu/r1a8/", NULL, EVENT_PMU, 4, { 0x1a8 } },
	{ "cpu/instructions/", NULL, EVENT_PMU, 0, { PERF_COUNT_HW_INSTRUCTIONS } },
	{ "cpu/LLC-load-misses/", NULL, EVENT_PMU, 3, { CACHE(LL, READ, MISS) } },
	{ "cpu/event=0x3c,name=spin/u", "spin", EVENT_PMU, 4, { 0x3c } },
	{ "cpu/event=0x3c,name='a,b c'/", "a,b c", EVENT_PMU, 4, { 0x3c } },
	{ "uncore_imc_0/reads/", NULL, EVENT_PMU, 20, { 4 } },
	{ "imc_1/event=7/", "uncore_imc_1/event=7/", EVENT_PMU, 21, { 7 } },
	/* Terms of symbolic events. */
	{ "cpu-clock//", NULL, EVENT_SOFTWARE, 1, { PERF_COUNT_SW_CPU_CLOCK } },
	{ "cpu-clock//u", NULL, EVENT_SOFTWARE, 1, { PERF_COUNT_SW_CPU_CLOCK } },
	{ "cpu-clock/period=5/u", NULL, EVENT_SOFTWARE, 1, { PERF_COUNT_SW_CPU_CLOCK } },
	{ "cs/name=switches/", "switches", EVENT_SOFTWARE, 1, { PERF_COUNT_SW_CONTEXT_SWITCHES } },
	{ "cycles/call-graph=fp/", NULL, EVENT_HARDWARE, 0, { PERF_COUNT_HW_CPU_CYCLES } },
	{ "cgroup-switches", NULL, EVENT_SOFTWARE, 1, { 11 } },
	{ "bpf-output", NULL, EVENT_SOFTWARE, 1, { 10 } },
	/* Blanks, as perf takes them. */
	{ " cs ", "cs", EVENT_SOFTWARE, 1, { PERF_COUNT_SW_CONTEXT_SWITCHES } },
	/* Breakpoints. */
	{ "mem:0x1000", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, 4 } },
	{ "mem:4096", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, 4 } },
	{ "mem:0x1000/8", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, 8 } },
	{ "mem:0x1000/2:w", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, 2 } },
	{ "mem:0x1000:wr:u", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, 4 } },
	{ "mem:0x1000:x", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, sizeof(long) } },
	{ "mem:0x1000:u", NULL, EVENT_BREAKPOINT, 5, { 0, 0x1000, 4 } },
	{ "mem:0xffffffff81000000/1:rw:k",
	  NULL,
	  EVENT_BREAKPOINT,
	  5,
	  { 0, 0xffffffff81000000ull, 1 } },
	/* kprobes: the PMU is not there, its row says so when it is opened. */
	{ "kprobe:do_sys_open", NULL, EVENT_KPROBE, EVENT_TYPE_NONE, { 0 } },
	{ "kprobe:do_sys_open+0x10", NULL, EVENT_KPROBE, EVENT_TYPE_NONE, { 0, 0, 16 } },
	{ "kretprobe:do_sys_open", NULL, EVENT_KPROBE, EVENT_TYPE_NONE, { 1 } },
	{ "kprobe:0xffffffff81000010",
	  NULL,
	  EVENT_KPROBE,
	  EVENT_TYPE_NONE,
	  { 0, 0, 0xffffffff81000010ull } },
	/* uprobes, by offset; symbols below. */
	{ "uprobe:/bin/sh:0x40", NULL, EVENT_UPROBE, 8, { 0, 0, 0x40 } },
	{ "uprobe:/bin/sh:0x40+8:u", NULL, EVENT_UPROBE, 8, { 0, 0, 0x48 } },
	{ "uretprobe:/bin/sh:64", NULL, EVENT_UPROBE, 8, { 1, 0, 64 } },
};

static void check_rights(void)
{
	for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
		const char *text = rights[i].text;

		parse(text);
		if (!ok(faults.count == 0 && list.count == 1 && list.specs[0].fault == NULL,
			"'%s' is one event", text)) {
			diag("%zu events; %s", list.count,
			     faults.count > 0 ? faults.faults[0].reason : "no fault");
			continue;
		}
		const struct event_spec *spec = &list.specs[0];
		is_str(spec->name, rights[i].name != NULL ? rights[i].name : text, "its name");
		ok(spec->kind == rights[i].kind && spec->type == rights[i].type, "kind and type");
		ok(spec->config == rights[i].config[0] && spec->config1 == rights[i].config[1] &&
			   spec->config2 == rights[i].config[2] &&
			   spec->config3 == rights[i].config[3],
		   "configs %#llx %#llx %#llx %#llx", (unsigned long long)spec->config,
		   (unsigned long long)spec->config1, (unsigned long long)spec->config2,
		   (unsigned long long)spec->config3);
	}
}

/* --- details that are not in the table -------------------------------------------------------- */

static void check_details(void)
{
	parse("uncore_imc/reads/,uncore_imc_*/event=1/,imc/reads/");
	ok(faults.count == 0 && list.count == 6, "one event for each box of a unit");
	is_str(list.specs[1].name, "uncore_imc_1/reads/", "named by its box");
	is_u64(list.specs[1].config, 5, "by its own files");
	ok(list.specs[0].is_uncore && list.specs[0].cpus.count == 1 &&
		   list.specs[0].cpus.ids[0] == 0,
	   "with its cpumask");
	is_str(list.specs[0].unit, "MiB", "unit");
	ok(list.specs[0].scale > 6e-5 && list.specs[0].scale < 7e-5, "scale");
	ok(list.specs[2].unit == NULL && list.specs[2].scale == 1, "or none");

	parse("cpu-clock/period=5/,cpu-clock/freq=99/,cpu-clock/freq=99,period=7/,cpu-clock");
	ok(list.specs[0].period == 5 && list.specs[0].freq == 0, "period=");
	ok(list.specs[1].freq == 99 && list.specs[1].period == 0, "freq=");
	ok(list.specs[2].period == 7 && list.specs[2].freq == 0, "the later one is used");
	ok(list.specs[3].period == 0 && list.specs[3].freq == 0, "neither");
	parse("cycles/call-graph=fp/,cycles:S,cycles:b");
	ok(list.specs[0].note != NULL && list.specs[1].note != NULL && list.specs[2].note != NULL,
	   "what has no effect is noted");

	parse("mem:0x1000,mem:0x1000:r,mem:0x1000:w,mem:0x1000:x,mem:0x1000:wr");
	ok(list.specs[0].bp_type == HW_BREAKPOINT_RW && list.specs[1].bp_type == HW_BREAKPOINT_R &&
		   list.specs[2].bp_type == HW_BREAKPOINT_W &&
		   list.specs[3].bp_type == HW_BREAKPOINT_X &&
		   list.specs[4].bp_type == HW_BREAKPOINT_RW,
	   "accesses; rw when none is given");

	parse("cycles:P,cycles:pW,cycles:ppH");
	ok(list.specs[0].modifiers.is_precise_max && list.specs[0].modifiers.precise == 3, "P");
	ok(list.specs[1].modifiers.precise == 1 &&
		   strchr(list.specs[1].modifiers.text, 'W') != NULL,
	   "p and W");
	ok(list.specs[1].modifiers.exclude_guest, "p leaves guests out");
	ok(list.specs[2].modifiers.exclude_guest && !list.specs[2].modifiers.exclude_host,
	   "so does H");
	parse("cycles:G,cycles:GH");
	ok(list.specs[0].modifiers.exclude_host && !list.specs[0].modifiers.exclude_guest, "G");
	ok(!list.specs[1].modifiers.exclude_host && !list.specs[1].modifiers.exclude_guest, "GH");

	struct event_spec copy;
	parse("uncore_imc_0/reads,name=x/");
	copy = event_spec_copy(&list.specs[0]);
	event_list_fini(&list);
	ok(copy.cpus.count == 1 && strcmp(copy.unit, "MiB") == 0 && strcmp(copy.name, "x") == 0,
	   "a copy owns all its parts");
	event_spec_fini(&copy);
}

static void check_uprobes(void)
{
#ifdef HAVE_LIBELF
	char text[3 * sizeof(self) + 64];
	uint64_t offset;

	snprintf(text, sizeof(text), "uprobe:%s:main,uprobe:%s:main+4,uretprobe:%s:main", self,
		 self, self);
	parse(text);
	if (ok(faults.count == 0 && list.count == 3, "a symbol, an offset to it, its return")) {
		offset = list.specs[0].config2;
		is_str(list.specs[0].path, self, "the file");
		ok(offset != 0 && list.specs[1].config2 == offset + 4 &&
			   list.specs[2].config2 == offset,
		   "the places");
		ok(list.specs[0].config == 0 && list.specs[2].config == 1, "the return by its bit");
	}
	snprintf(text, sizeof(text), "uprobe:%s:mian", self);
	parse(text);
	ok(faults.count == 1 && faults.faults[0].column == strlen("uprobe:") + strlen(self) + 1 &&
		   faults.faults[0].length == 4,
	   "a typo in the symbol is marked at the symbol");
	is_str(faults.faults[0].nearest, "main", "nearest");
#else
	skip(1, "built without libelf");
#endif
}

static void check_hybrid(void)
{
	struct pmus *normal = catalog.pmus;

	put("hybrid/cpu_core/type", "4");
	put("hybrid/cpu_core/cpus", "0-1");
	put("hybrid/cpu_core/format/event", "config:0-7");
	put("hybrid/cpu_atom/type", "10");
	put("hybrid/cpu_atom/cpus", "2-3");
	put("hybrid/cpu_atom/format/event", "config:0-7");

	char path[64];
	snprintf(path, sizeof(path), "%s/hybrid", root);
	catalog.pmus = pmus_open(path);
	parse("cycles:u,LLC-loads,r1,cs,cpu_core/cycles/");
	ok(faults.count == 0 && list.count == 8, "a generic event on each kind of core");
	is_str(list.specs[0].name, "cpu_atom/cycles/:u", "named by it");
	is_u64(list.specs[0].config, 10ull << 32, "its type is in the high half");
	ok(list.specs[0].cpus.count == 2 && list.specs[0].cpus.ids[0] == 2, "on its CPUs");
	is_u64(list.specs[2].config, 10ull << 32 | PERF_COUNT_HW_CACHE_LL, "cache events too");
	ok(list.specs[4].type == 10 && list.specs[4].config == 1, "raw ones by the type alone");
	ok(list.specs[6].kind == EVENT_SOFTWARE && list.specs[6].cpus.count == 0,
	   "software events are on no kind of core");
	ok(list.specs[7].type == PERF_TYPE_HARDWARE && list.specs[7].config == 4ull << 32 &&
		   list.specs[7].cpus.ids[0] == 0,
	   "one kind by its name");
	pmus_close(catalog.pmus);
	catalog.pmus = normal;
}

static void check_tracepoints(void)
{
	parse("sched:sched_switch/name=mine/,sched:sched_switch/period=3/k");
	ok(faults.count == 0 && list.count == 2, "a tracepoint with terms");
	is_str(list.specs[0].name, "mine", "under a name of the user's");
	is_str(event_origin(&list.specs[0]), "sched:sched_switch", "is still known by its own");
	is_u64(list.specs[1].period, 3, "period=");
	is_str(list.specs[1].name, "sched:sched_switch/period=3/k", "named as typed");
	parse("sched:sched_s*/perod=3/");
	is_u64(faults.count, 1, "a wrong term is one fault for all that match");
	parse("sched:sched_switch/name=mine/u");
	ok(faults.count == 1 && list.specs[0].fault != NULL,
	   "an event that would be 0 is refused under any name");
	parse("*:*");
	ok(faults.count == 0 && list.count > 100, "*:* is every tracepoint: %zu", list.count);
	parse("syscalls:sys_enter_get*id,{sched:sched_wak*}");
	ok(faults.count == 0 && list.specs[list.count - 1].group == 1, "globs in a group");
}

int main(void)
{
	plan_lazy();
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
		bail("no name of this program: %s", strerror(errno));
	begin();
	check_rights();
	check_details();
	check_uprobes();
	check_hybrid();
	if (catalog.tracefs != NULL && tracefs_id(catalog.tracefs, "sched", "sched_switch") >= 0)
		check_tracepoints();
	else
		skip(1, "no readable tracefs");
	end();
	return done();
}
