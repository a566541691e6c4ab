/* SPDX-License-Identifier: MIT */
/* Symbols: the sum of the weights of their addresses, in the kernel, a module or a task; and callers. */
#include "model/model.h"

#include "made-maps.h"
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
	ok(!model_has_chains(model), "no address yet");
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
	ok(model_has_chains(model), "now there are some");
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

static void map(struct made_map map)
{
	struct record record = made_map(map);

	model_record(model, 0, OWNER, &record);
}

static void exec(uint32_t pid, const char *name, uint64_t time_ns)
{
	struct record record = { .type = PERF_RECORD_COMM,
				 .misc = ABI_MISC_COMM_EXEC,
				 .time_ns = time_ns,
				 .comm = { pid, pid, name, strlen(name) } };

	model_record(model, 0, OWNER, &record);
}

static const struct snap_symbol *symbol(const char *name, const char *module)
{
	for (size_t i = 0; i < snap->nsymbols; i++) {
		if (strcmp(snap->symbols[i].symbol, name) == 0 &&
		    strcmp(snap->symbols[i].module, module) == 0)
			return &snap->symbols[i];
	}
	return NULL;
}

static double share(const char *name, const char *module)
{
	const struct snap_symbol *found = symbol(name, module);

	return found != NULL ? found->share : 0;
}

/* User code of files: by function, whichever process runs it and wherever it is mapped there. */
static void check_user_code(void)
{
	begin(true, 10);
	comm(5, 5, "load");
	map(MADE_MAP(5, 0x400000, 0x2000, 0, "/usr/bin/load"));
	map(MADE_MAP(6, 0x700000, 0x2000, 0, "/usr/bin/load"));
	map(MADE_MAP(6, 0x800000, 0x1000, 0, "/lib/libx.so"));
	hit(5, 0x400010, true, 20);
	hit(6, 0x700020, true, 20);
	hit(6, 0x800030, true, 10);
	hit(5, 0x401004, true, 10);
	hit(5, 0x401008, true, 20);
	hit(5, 0x900000, true, 15);
	hit(5, 0x400010, false, 5);
	tick_after(SEC, false);
	ok(is_near(share("spin", "load"), 0.4), "code of two processes, the same function");
	ok(is_near(share("spin", "libx.so"), 0.1), "the same name in another file is another");
	ok(is_near(share("[unknown]", "load"), 0.3), "without a function: its file");
	ok(is_near(share("load", "[user]"), 0.15), "without a file: the task");
	ok(symbol("spin", "load")->is_user && symbol("[unknown]", "load")->is_user,
	   "all of them are user code");
	is_u64(snap->nsymbols, 5, "no more, and the kernel's address");
	is_u64(codes_asked, 5, "the names of all were asked for at once");

	exec(6, "next", 100);
	hit(6, 0x700020, true, 1000);
	tick_after(SEC, false);
	ok(symbol("next", "[user]") != NULL, "another program has not the code of the one before");
	tick_after(SEC, true);
	ok(is_near(share("spin", "load"), 40.0 / 1100), "what was counted before stays");
	end();
}

static void hit_at(uint32_t pid, uint64_t ip, uint64_t time_ns, uint64_t weight)
{
	struct record record = sample(pid, pid);

	record.misc = PERF_RECORD_MISC_USER;
	record.ip = ip;
	record.time_ns = time_ns;
	record.period = weight;
	model_record(model, 1, CLOCK, &record);
}

/* A program that begins on one CPU while its samples on another are decoded first. */
static void check_late_maps(void)
{
	begin(true, 10);
	hit_at(5, 0x400010, 200, 20);
	exec(5, "load", 90);
	map(MADE_MAP_WITH(5, 0x400000, 0x2000, 0, "/usr/bin/load", .time_ns = 100));
	hit_at(5, 0x400010, 50, 20);
	hit_at(6, 0x400010, 200, 60);
	tick_after(SEC, false);
	ok(is_near(share("spin", "load"), 0.2),
	   "a mapping counts for what was sampled in it before");
	ok(is_near(share("load", "[user]"), 0.2), "not for what is older than the program");
	ok(is_near(share("?", "[user]"), 0.6), "nor for another process");
	map(MADE_MAP_WITH(6, 0x400000, 0x2000, 0, "/usr/bin/load", .time_ns = 300));
	tick_after(SEC, true);
	ok(is_near(share("spin", "load"), 0.2), "after the tick it is too late");
	end();
}

/* The first thread of a process exits, another goes on. */
static void check_first_thread(void)
{
	struct record record = { .type = PERF_RECORD_EXIT, .task = { 5, 1, 5, 1, 100 } };

	begin(true, 10);
	map(MADE_MAP(5, 0x400000, 0x2000, 0, "/usr/bin/load"));
	model_record(model, 0, OWNER, &record);
	for (unsigned int i = 0; i < 6; i++) {
		record = sample(5, 6);
		record.misc = PERF_RECORD_MISC_USER;
		record.ip = 0x400010;
		record.period = 10;
		model_record(model, 1, CLOCK, &record);
		tick_after(SEC, false);
	}
	ok(is_near(share("spin", "load"), 1), "the first thread's end is not its process's");
	end();
}

/* Processes 5 to 204 run one program; 5 can be read from the third time on, 204 is gone. */
static unsigned int mappings_asked;

static void some_mappings(void *ctx, struct process_maps *processes, size_t count)
{
	static const struct record_map program = { .start = 0x400000,
						   .len = 0x2000,
						   .is_code = true,
						   .name = "/usr/bin/load",
						   .name_len = 13 };

	(void)ctx;
	mappings_asked++;
	for (size_t i = 0; i < count; i++) {
		if (processes[i].pid == 5 && mappings_asked < 3)
			continue;
		processes[i].is_read = true;
		processes[i].time_ns = 500;
		processes[i].all = &program;
		processes[i].count = processes[i].pid == 204 ? 0 : 1;
	}
}

/* Processes that ran before the first record. */
static void check_running(void)
{
	fake_mappings = some_mappings;
	mappings_asked = 0;
	begin(true, 10);
	hit_at(5, 0x400010, 200, 20);
	hit_at(6, 0x400010, 200, 20);
	hit_at(6, 0x900000, 200, 20);
	hit_at(204, 0x400010, 200, 40);
	tick_after(SEC, false);
	ok(is_near(share("spin", "load"), 0.2), "what runs before is read");
	ok(is_near(share("?", "[user]"), 0.8), "what could not be read is the task's");
	is_u64(mappings_asked, 2, "a second time only for what was not read yet");
	tick_after(SEC, true);
	ok(is_near(share("spin", "load"), 0.4), "what is read later counts for samples before");
	ok(is_near(share("?", "[user]"), 0.6), "what is in no file, and what is gone, does not");
	hit_at(6, 0x900000, 300, 20);
	hit_at(204, 0x400010, 300, 40);
	mappings_asked = 0;
	tick_after(SEC, true);
	is_u64(mappings_asked, 0, "neither is read again");
	end();

	begin(true, 10);
	for (uint32_t pid = 6; pid < 204; pid++)
		hit_at(pid, 0x400010, 200, 1);
	tick_after(SEC, false);
	ok(is_near(share("spin", "load"), 1), "many processes are all read at one tick");
	end();
	fake_mappings = NULL;
}

/* Two symbols of the kernel (alpha, beta) and two of user code (load, 6); the heaviest first. */
static void begin_kept(struct model_keep keep)
{
	struct model_config config = config_of(true, 0);

	config.keep = keep;
	begin_with(&config);
	comm(5, 5, "load");
	comm(6, 6, "other");
	hit(5, 1000, false, 40);
	hit(5, 2000, false, 30);
	hit(5, 0x401000, true, 20);
	hit(6, 0x401000, true, 10);
	tick_after(SEC, false);
}

/* "alpha beta load/ other/" */
static const char *kept(void)
{
	static char text[200];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < snap->nsymbols; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s", i ? " " : "",
					snap->symbols[i].symbol,
					snap->symbols[i].is_user ? "/" : "");
	return text;
}

static void check_kept(void)
{
	begin_kept((struct model_keep){ .top = 3 });
	is_str(kept(), "alpha beta load/", "the top ones, and which are user code");
	end();
	begin_kept((struct model_keep){ .top = 1, .of_each = true });
	is_str(kept(), "alpha load/", "for a screen of the kernel and of user code each");
	end();
	begin_kept((struct model_keep){ .top = 2, .no_kernel = true });
	is_str(kept(), "load/ other/", "-K: the top ones of user code");
	ok(is_near(snap->symbols[0].share, 0.2), "with their share of all samples");
	end();
	begin_kept((struct model_keep){ .top = 1, .no_user = true });
	is_str(kept(), "alpha", "-U: the top ones of the kernel");
	end();
}

#define USER_PART ((uint64_t)PERF_CONTEXT_USER)

/* A sample in the kernel with this chain of addresses, the innermost first. */
static void hit_chain(uint32_t pid, uint64_t weight, const uint64_t *words, size_t nwords)
{
	struct record record = sample(pid, pid);

	record.ip = words[1];
	record.period = weight;
	record.chain = words;
	record.nchain = nwords;
	model_record(model, 0, CLOCK, &record);
}

#define CHAIN(pid, weight, ...)                                                                  \
	hit_chain(pid, weight, (const uint64_t[]){ (uint64_t)PERF_CONTEXT_KERNEL, __VA_ARGS__ }, \
		  sizeof((uint64_t[]){ (uint64_t)PERF_CONTEXT_KERNEL, __VA_ARGS__ }) / 8)

static const struct snap_symbol *symbol_of(const char *symbol, const char *module)
{
	for (size_t i = 0; i < snap->nsymbols; i++)
		if (strcmp(snap->symbols[i].symbol, symbol) == 0 &&
		    strcmp(snap->symbols[i].module, module) == 0)
			return &snap->symbols[i];
	return NULL;
}

/* "1 name share, 2 name share": its callers in their order. */
static const char *callers_of(const struct snap_symbol *symbol)
{
	static char text[1024];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; symbol != NULL && i < symbol->ncallers; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%u %s%s %.0f",
					i > 0 ? ", " : "", symbol->callers[i].depth,
					symbol->callers[i].symbol,
					strcmp(symbol->callers[i].module, "[mod]") == 0 ? "+" : "",
					symbol->callers[i].share * 1000);
	return text;
}

/* 1000-1999 is alpha, 2000-2999 beta of [mod], 3000-3999 alpha of [mod]. */
static void check_callers(void)
{
	begin(true, 100);
	comm(5, 5, "load");
	CHAIN(5, 400, 1000, 2000, 3000);
	CHAIN(6, 100, 1001, 2500, 3000);
	CHAIN(5, 200, 1002, 2001, 77);
	CHAIN(5, 100, 1003, 77, 78);
	CHAIN(5, 4, 1004, 79);
	CHAIN(5, 96, 1005);
	CHAIN(5, 100, 2000, 3001, USER_PART, 0x401000, 0x402000);
	tick_after(SEC, false);
	is_str(callers_of(symbol_of("alpha", "[kernel]")),
	       "1 beta+ 700, 2 alpha+ 500, 2 0x4d 200, 1 0x4d 100, 2 0x4e 100",
	       "a symbol's callers, by symbol, the heaviest first; without those of 0.5 %%");
	is_str(callers_of(symbol_of("beta", "[mod]")), "1 alpha+ 100, 2 load 100",
	       "user code is its task's, once");
	is_u64(snap->nsymbols, 2, "a caller is no symbol of its own");
	end();

	begin(true, 100);
	comm(5, 5, "load");
	map(MADE_MAP(5, 0x400000, 0x2000, 0, "/usr/bin/load"));
	map(MADE_MAP(6, 0x700000, 0x2000, 0, "/usr/bin/load"));
	CHAIN(5, 10, 1000, USER_PART, 0x400010, 0x401004, 0x900000, 0x901000);
	CHAIN(6, 30, 1001, USER_PART, 0x700010);
	tick_after(SEC, false);
	is_str(callers_of(symbol_of("alpha", "[kernel]")),
	       "1 spin 1000, 2 [unknown] 250, 3 load 250",
	       "user code is by function, of all processes; what is in no file is the task's, once");
	end();

	begin(true, 1);
	CHAIN(5, 10, 1000, 2000);
	CHAIN(5, 5, 2000, 1000, 1000);
	tick_after(SEC, false);
	is_u64(snap->nsymbols, 1, "of the symbols that are kept");
	is_str(callers_of(&snap->symbols[0]), "1 beta+ 667", "those of others are not shown");
	tick_after(SEC, false);
	for (int i = 0; i < 100; i++)
		tick_after(SEC, false);
	is_u64(snap->nsymbols, 0, "when all has faded there is none");
	tick_after(SEC, true);
	is_str(callers_of(&snap->symbols[0]), "1 beta+ 667", "the final ones are of the whole run");
	end();
}

static void check_recursion(void)
{
	begin(true, 100);
	CHAIN(5, 10, 1000, 1001, 1002, 2000);
	tick_after(SEC, false);
	is_str(callers_of(&snap->symbols[0]), "1 alpha 1000, 2 alpha 1000, 3 beta+ 1000",
	       "one that calls itself is its own caller");
	end();
}

static void set_faults(bool is_removed_now)
{
	struct model_event faults = { .name = "page-faults",
				      .kind = "software",
				      .unit = "",
				      .state = EVENT_STATE_ON,
				      .sampling = SAMPLING_PERIOD,
				      .rate = 1,
				      .has_code = true,
				      .is_removed = is_removed_now };

	model_set_event(model, FAULTS, &faults);
}

static void hit_faults(uint64_t ip, unsigned times)
{
	struct record record = sample(5, 5);

	record.ip = ip;
	for (unsigned i = 0; i < times; i++)
		model_record(model, 0, FAULTS, &record);
}

/* Each event has symbols of its own, whatever the others' weights are. */
static void check_each_event(void)
{
	begin(true, 100);
	set_faults(false);
	hit(5, 1000, false, 1000000);
	hit_faults(2000, 3);
	hit_faults(1000, 1);
	tick_after(SEC, false);

	const struct snap_event *clock = &snap->events[ROW_CLOCK];
	const struct snap_event *faults = &snap->events[ROW_FAULTS];
	ok(snap->nsymbols == 1 && strcmp(snap->symbols[0].symbol, "alpha") == 0,
	   "the snapshot's are those of the symbol event");
	ok(clock->is_symbol_event && clock->has_code && clock->nsymbols == 1 &&
		   clock->symbols == snap->symbols,
	   "which has them, too");
	ok(!faults->is_symbol_event && faults->has_code && faults->nsymbols == 2,
	   "another event has its own");
	ok(faults->nsymbols == 2 && strcmp(faults->symbols[0].symbol, "beta") == 0 &&
		   is_near(faults->symbols[0].share, 0.75) &&
		   is_near(faults->symbols[1].share, 0.25),
	   "with shares of its own samples");
	ok(!snap->events[ROW_SCHED].has_code && snap->events[ROW_SCHED].nsymbols == 0,
	   "one whose samples have no place has none");
	ok(!snap->events[ROW_BROKEN].has_code, "nor one that could not be opened");
	set_faults(true);
	tick_after(2 * SEC, false);
	is_u64(snap->nsymbols, 1, "when one is removed the others keep theirs");
	end();
}

/* Code of no file: the process keeps its name as long as its code counts. */
static void check_process_names(void)
{
	struct record of_thread = sample(77, 78);
	struct record exit = { .type = PERF_RECORD_EXIT,
			       .time_ns = SEC,
			       .task = { .pid = 5, .tid = 5, .ppid = 1, .ptid = 1 } };

	begin(true, 100);
	comm(5, 5, "short");
	hit(5, 0x900000, true, 40);
	hit(6, 0x900000, true, 30);
	of_thread.misc = PERF_RECORD_MISC_USER;
	of_thread.period = 30;
	model_record(model, 0, CLOCK, &of_thread);
	model_record(model, 0, OWNER, &exit);
	tick_after(SEC, false);
	ok(is_near(share("short", "[user]"), 0.4), "an exited process has its name");
	ok(is_near(share("from-proc", "[user]"), 0.3), "a thread of another has that one's");
	ok(is_near(share("?", "[user]"), 0.3), "one may have none");
	for (int i = 0; i < 4; i++)
		tick_after(SEC, false);
	ok(is_near(share("short", "[user]"), 0.4), "which lasts longer than the process's row");
	comm(6, 6, "named");
	tick_after(SEC, false);
	ok(is_near(share("named", "[user]"), 0.3), "or get one later");
	end();
}

int main(void)
{
	plan_lazy();
	check_symbols();
	check_user_code();
	check_late_maps();
	check_first_thread();
	check_running();
	check_kept();
	check_callers();
	check_recursion();
	check_each_event();
	check_process_names();
	return done();
}
