/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with an event, in one table: place, message and nearest name.  Faults were compared
 * with perf 6.1.  Random text must not crash the parser.
 */
#include "event/grammar.h"

#include "fake-pmus.h"
#include "messages.h"
#include "tap.h"

#include <string.h>

static const struct {
	const char *text;
	size_t column, length;
	const char *nearest;
} wrongs[] = {
	{ "L1-icache-stores", 0, 16, "" },
	{ "iTLB-prefetches", 0, 15, "" },
	{ "L1-dcache-load-load", 0, 19, "L1-dcache-loads" },
	{ "LLC-lods", 0, 8, "LLC-loads" },
	{ "r", 0, 1, "" },
	{ "rxyz", 0, 4, "" },
	{ "r0x1a8", 0, 6, "" },
	{ "r11112222333344445", 0, 18, "" },
	{ "duration_time", 0, 13, "" },
	{ "5:0", 0, 3, "" },
	{ "cs,4294967295:1", 3, 12, "" },
	{ "1:", 0, 2, "" },
	{ "1:3:zz", 4, 1, "" },
	{ "1:x", 0, 3, "" },

	{ "msr/tsc", 3, 4, "" },
	{ "cs,msr/tsc,faults", 6, 4, "" },
	{ "ms/tsc/", 0, 2, "msr" },
	{ "cs,nopmu/event=1/", 3, 5, "" },
	{ "msr/bogus=1/", 4, 7, "" },
	{ "msr/evnt=1/", 4, 6, "event" },
	{ "msr/tcs/", 4, 3, "tsc" },
	{ "cpu/event=0x3c,umask=0x100/", 15, 11, "" },
	{ "cpu/event=0x1000/", 4, 12, "" },
	{ "cpu/event=/", 4, 6, "" },
	{ "cpu/event=abc/", 4, 9, "" },
	{ "cpu/event=-1/", 4, 8, "" },
	{ "cpu/event=1,,umask=2/", 12, 1, "" },
	{ "cpu/event=1,/", 12, 1, "" },
	{ "cpu/config=/", 4, 7, "" },
	{ "cpu/period/", 4, 6, "" },
	{ "cpu/period=0/", 4, 8, "" },
	{ "cpu/name=/", 4, 5, "" },
	{ "cpu/mem-loads/", 4, 9, "" },
	{ "cpu/event=1,odd/", 12, 3, "" },
	{ "cpu/event=1/uq", 13, 1, "" },
	{ "cpu/event=1/uu", 13, 1, "" },
	{ "cs/perod=1/", 3, 7, "period" },
	{ "cs/period=x/", 3, 8, "" },
	{ "uprobe/offset=0x40/", 0, 19, "" },

	{ "mem:", 0 + 4, 1, "" },
	{ "mem:zzz", 4, 3, "" },
	{ "mem:0x1000/", 11, 1, "" },
	{ "mem:0x1000/x", 11, 1, "" },
	{ "mem:0x1000/0", 11, 1, "" },
	{ "mem:0x1000:rr", 11, 2, "" },
	{ "mem:0x1000:rwz:u", 11, 3, "" },
	{ "mem:0x1000:rw:q", 14, 1, "" },
	{ "mem:0x1000:q", 11, 1, "" },

	{ "kprobe:", 7, 1, "" },
	{ "kprobe:f+", 9, 1, "" },
	{ "kprobe:f+x", 9, 1, "" },
	{ "kprobe:0x1z", 7, 4, "" },
	{ "kretprobe:f+4", 12, 1, "" },
	{ "kprobe:f:u", 9, 1, "" },
	{ "uprobe:", 7, 1, "" },
	{ "uprobe:/bin/sh", 7, 7, "" },
	{ "uprobe:/bin/sh:", 15, 1, "" },
	{ "cs,uprobe:/nonexistent:main,cs", 10, 12, "" },
	{ "uprobe:/bin:main", 7, 4, "" },

	{ "{", 0, 1, "" },
	{ "{cs", 0, 1, "" },
	{ "cs,x{cs,faults", 4, 1, "" },
	{ "{}", 1, 1, "" },
	{ "{cs,,faults}", 4, 1, "" },
	{ "{cs,{faults}}", 4, 1, "" },
	{ "cs}", 2, 1, "" },
	{ "{cs}u", 4, 1, "" },
	{ "{cs,faults}:q,cs", 12, 1, "" },
	{ "{cs,faults}:u", 12, 1, "" },
};

static void check_wrongs(void)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		parse(wrongs[i].text);
		if (!is_u64(faults.count, 1, "'%s' has one fault", wrongs[i].text))
			continue;
		const struct grammar_fault *fault = &faults.faults[0];
		is_u64(fault->column, wrongs[i].column, "its column");
		is_u64(fault->length, wrongs[i].length, "its length");
		is_message(fault->reason, "-e %s", wrongs[i].text);
		is_str(fault->nearest, wrongs[i].nearest, "nearest");
	}
}

/* No text may crash it; most useful with the sanitizers. */
static void check_nonsense(void)
{
	static const char letters[] = "{}/:,'=+.cspum019*?[ krw-";
	unsigned int seed = 1;
	char text[40];

	for (int i = 0; i < 20000; i++) {
		size_t len = (size_t)(rand_r(&seed) % (int)sizeof(text));

		for (size_t k = 0; k < len; k++)
			text[k] = letters[(size_t)rand_r(&seed) % (sizeof(letters) - 1)];
		text[len < sizeof(text) ? len : sizeof(text) - 1] = '\0';
		parse(text);
		for (size_t k = 0; k < faults.count; k++) {
			if (faults.faults[k].column > strlen(text))
				ok(false, "'%s': a fault beyond the text", text);
		}
	}
	ok(true, "20,000 lines of nonsense");
}

int main(void)
{
	plan_lazy();
	begin();
	check_wrongs();

	struct tracefs *tracefs = catalog.tracefs;
	catalog.tracefs = NULL;
	check_nonsense();
	catalog.tracefs = tracefs;
	end();
	return done();
}
