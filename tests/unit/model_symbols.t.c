/* SPDX-License-Identifier: MIT */
/* Symbols: the sum of the weights of their addresses, in the kernel, a module or a task. */
#include "model/model.h"

#include "made-model.h"
#include "tap.h"

#include <string.h>

static void hit(uint32_t pid, uint64_t ip, bool is_user, uint64_t weight)
{
	struct record record = sample(pid, pid);

	record.misc = is_user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	record.ip = ip;
	record.period = weight;
	model_record(model, 0, CLOCK, &record);
}

static void check_symbols(void)
{
	begin(true, 4);
	ok(!model_has_addresses(model), "no address yet");
	comm(5, 5, "load");
	hit(5, 1000, false, 30);
	hit(6, 1999, false, 10);
	hit(5, 3500, false, 20);
	hit(5, 77, false, 10);
	hit(5, 0x401000, true, 25);
	hit(5, 0x402000, true, 5);
	hit(0, 1500, false, 1000); /* idle */
	hit(SELF_PID, 1500, false, 1000);
	tick_after(SEC, false);
	ok(model_has_addresses(model), "now there are some");
	is_u64(snap->nsymbols, 4, "four symbols");
	is_str(snap->symbols[0].symbol, "alpha", "addresses of one symbol are one");
	is_str(snap->symbols[0].module, "[kernel]", "of one module");
	ok(is_near(snap->symbols[0].share, 0.4), "with the sum of their weights");
	is_str(snap->symbols[1].symbol, "load", "user code is its task's");
	is_str(snap->symbols[1].module, "[user]", "as long as it has no symbols");
	ok(is_near(snap->symbols[1].share, 0.3), "however many addresses");
	ok(strcmp(snap->symbols[2].symbol, "alpha") == 0 &&
		   strcmp(snap->symbols[2].module, "[mod]") == 0 &&
		   is_near(snap->symbols[2].share, 0.2),
	   "the same name in a module is another");
	is_str(snap->symbols[3].symbol, "0x4d", "what has no name is its address");

	for (int i = 0; i < 20; i++)
		tick_after(SEC, false);
	hit(5, 2000, false, 40);
	tick_after(SEC, false);
	is_str(snap->symbols[0].symbol, "beta", "what is hot now is first");
	tick_after(SEC, true);
	is_str(snap->symbols[0].symbol, "alpha", "the final one is by the whole run");
	ok(is_near(snap->symbols[0].share, 40.0 / 140), "by its whole weight");
	end();
}

int main(void)
{
	plan_lazy();
	check_symbols();
	return done();
}
