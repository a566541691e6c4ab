/* SPDX-License-Identifier: MIT */
/* The resolver with a scripted kernel: formats and kallsyms that are given, refused or invalid. */
#include "source/resolver.h"

#include "fake-evset.h"
#include "fake-kernel.h"
#include "tap.h"

#include "base/topology.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { TRACEPOINT = EVSET_FIRST, SOFTWARE, EVENTS };

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000100 t schedule\n"
			       "ffffffffc0000000 t probe\t[module]\n";
static const char hidden[] = "0000000000000000 T _text\n0000000000000000 t schedule\n";

/* The bytes of a sample: type 77, 4 bytes between, the answer. */
static const unsigned char raw[] = { 77, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0 };

struct fixture {
	struct evset_event events[EVENTS];
	struct evset set;
	struct access access;
	struct resolver *resolver;
	struct model_resolver hooks;
	char text[128];
};

static void begin(struct fixture *fixture, struct fake_kernel *kernel)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->set = (struct evset){ fixture->events, EVENTS, 1, 0 };
	fixture->events[TRACEPOINT].spec = (struct event_spec){
		.name = (char *)"sys:tested:k",
		.kind = EVENT_TRACEPOINT,
		.config = FAKE_ID,
	};
	fixture->events[SOFTWARE].spec = (struct event_spec){
		.name = (char *)"page-faults",
		.kind = EVENT_SOFTWARE,
		.config = FAKE_ID, /* of another kind */
	};
	fixture->access = fake_access(kernel);
	fixture->resolver = resolver_new(&fixture->set, &fixture->access);
	fixture->hooks = resolver_hooks(fixture->resolver);
}

static bool print(struct fixture *fixture, uint32_t event, size_t size)
{
	fixture->text[0] = '\0';
	return fixture->hooks.fields(fixture->hooks.ctx, event, raw, size, fixture->text,
				     sizeof(fixture->text));
}

static const char *find(const struct fixture *fixture, uint64_t address, const char **module)
{
	*module = NULL;
	return fixture->hooks.symbol(fixture->hooks.ctx, address, module);
}

static void test_fields(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT };
	struct fixture fixture;

	begin(&fixture, &kernel);
	is_int(kernel.formats, 0, "no format is read before it is asked for");
	ok(print(&fixture, TRACEPOINT, sizeof(raw)), "a sample has its fields");
	is_str(fixture.text, "answer=42", "as the kernel prints them");
	is_str(kernel.asked, "sys/tested", "by the format of its name without modifiers");
	ok(print(&fixture, TRACEPOINT, sizeof(raw)), "and again");
	is_int(kernel.formats, 1, "which is read once");
	ok(!print(&fixture, TRACEPOINT, 9), "a sample that is too short has none");
	ok(!print(&fixture, SOFTWARE, sizeof(raw)), "nor one that is no tracepoint's");
	char small[4];
	ok(fixture.hooks.fields(fixture.hooks.ctx, TRACEPOINT, raw, sizeof(raw), small,
				sizeof(small)),
	   "little room");
	is_str(small, "ans", "is what they are cut to");
	resolver_free(fixture.resolver);
}

static void test_no_fields(void)
{
	struct fake_kernel kernel = { .error = ENOENT };
	struct fixture fixture;

	begin(&fixture, &kernel);
	ok(!print(&fixture, TRACEPOINT, sizeof(raw)), "a format that is refused: no fields");
	kernel.format = "neither name nor fields";
	ok(!print(&fixture, TRACEPOINT, sizeof(raw)), "an invalid one: none either");
	kernel.format = "";
	ok(!print(&fixture, TRACEPOINT, sizeof(raw)), "an empty one");
	kernel.format = FAKE_FORMAT;
	ok(print(&fixture, TRACEPOINT, sizeof(raw)), "one that comes after all: fields");
	ok(resolver_note(fixture.resolver) == NULL, "none of which is noted for symbols");
	resolver_free(fixture.resolver);
}

static void test_symbols(void)
{
	struct fake_kernel kernel = { .kallsyms = kallsyms };
	struct fixture fixture;
	const char *module;

	begin(&fixture, &kernel);
	is_int(kernel.symbols, 0, "no symbols are read before one is asked for");
	resolver_settle(fixture.resolver);
	find(&fixture, 0xffffffff81000123, &module);
	resolver_settle(fixture.resolver);
	is_str(find(&fixture, 0xffffffff81000123, &module), "schedule",
	       "an address has its symbol");
	is_str(module, "[kernel]", "of the kernel itself");
	is_str(find(&fixture, 0xffffffffc0000010, &module), "probe", "another");
	is_str(module, "[module]", "of a module");
	ok(find(&fixture, 0x1000, &module) == NULL, "one before all symbols has none");
	is_int(kernel.symbols, 1, "they are read once");
	ok(resolver_note(fixture.resolver) == NULL, "there is no note");
	resolver_free(fixture.resolver);
}

static void test_no_symbols(struct fake_kernel kernel, const char *what)
{
	struct fixture fixture;
	const char *module;

	begin(&fixture, &kernel);
	find(&fixture, 0xffffffff81000123, &module);
	resolver_settle(fixture.resolver);
	ok(find(&fixture, 0xffffffff81000123, &module) == NULL, "%s: no symbol", what);
	ok(resolver_note(fixture.resolver) != NULL, "%s: which is noted", what);
	ok(resolver_note(fixture.resolver) == NULL, "%s: once", what);
	is_int(kernel.symbols, 1, "%s: they are not asked for again", what);
	resolver_free(fixture.resolver);
}

static void test_comm(void)
{
	struct fake_kernel kernel = { 0 };
	struct fixture fixture;

	begin(&fixture, &kernel);
	prctl(PR_SET_NAME, "resolved");
	ok(fixture.hooks.comm(fixture.hooks.ctx, getpid(), fixture.text, sizeof(fixture.text)),
	   "a task that runs");
	is_str(fixture.text, "resolved", "has its name");
	ok(!fixture.hooks.comm(fixture.hooks.ctx, INT32_MAX, fixture.text, sizeof(fixture.text)),
	   "one that does not has none");
	resolver_free(fixture.resolver);
}

static void test_places(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT };
	struct cpu_place place = CPU_PLACE_UNKNOWN, direct = CPU_PLACE_UNKNOWN;
	struct fixture fixture;
	const int cpu = sched_getcpu();

	begin(&fixture, &kernel);
	fixture.hooks.places(fixture.hooks.ctx, &cpu, 1, &place);
	topology_read("/sys", &cpu, 1, &direct);
	ok(place.core >= 0 && memcmp(&place, &direct, sizeof(place)) == 0,
	   "where a CPU of this machine is");
	resolver_free(fixture.resolver);
}

int main(void)
{
	plan_lazy();
	test_fields();
	test_no_fields();
	test_symbols();
	test_no_symbols((struct fake_kernel){ .error = EACCES }, "kallsyms refused");
	test_no_symbols((struct fake_kernel){ .error = EMFILE }, "no fd left");
	test_no_symbols((struct fake_kernel){ .kallsyms = hidden }, "addresses hidden");
	test_no_symbols((struct fake_kernel){ .kallsyms = "" }, "kallsyms empty");
	test_comm();
	test_places();
	return done();
}
