/* SPDX-License-Identifier: MIT */
/* A saved snapshot, reopened and saved: the same table, cell by cell; and untrusted JSON. */
#include "tap.h"

#include "base/json.h"
#include "fixture.h"
#include "output/output.h"
#include "output/reopen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_CPUS   4000
#define LARGE_EVENTS 40000

/* All that can be written of a snapshot: text, CSV and JSON with the member "saved". */
static char *all_of(const struct snapshot *snap)
{
	struct strbuf out;

	strbuf_init(&out);
	output_text()->put(&out, snap, NULL);
	output_csv()->put(&out, snap, ",");
	output_saved(&out, snap, NULL);
	char *text = strbuf_take(&out);
	strbuf_fini(&out);
	return text;
}

static struct snapshot *reopen(const char *text)
{
	size_t len;
	const char *object = reopen_find(text, strlen(text), &len);

	return object != NULL ? reopen_snapshot(object, len, NULL) : NULL;
}

static bool is_same(const char *before, const char *after, const char *what)
{
	if (ok(strcmp(before, after) == 0, "%s: the same table, cell by cell", what))
		return true;
	for (; *before != '\0' && *after != '\0';) {
		size_t one = strcspn(before, "\n"), two = strcspn(after, "\n");

		if (one != two || memcmp(before, after, one) != 0) {
			diag("before: %.*s", (int)one, before);
			diag("after:  %.*s", (int)two, after);
			return false;
		}
		before += one + (before[one] != '\0');
		after += two + (after[two] != '\0');
	}
	return false;
}

static void check_round(struct snapshot *snap, const char *what)
{
	char *first = all_of(snap);
	struct snapshot *again = reopen(first);

	if (ok(again != NULL, "%s: reopens", what)) {
		int other = 0;
		for (size_t i = 0; i < again->ntasks && i < snap->ntasks; i++)
			other += fabs(again->tasks[i].recent_cpu - snap->tasks[i].recent_cpu) >
				 1e-6;
		for (size_t i = 0; i < again->nprocesses && i < snap->nprocesses; i++)
			other += fabs(again->processes[i].recent_cpu -
				      snap->processes[i].recent_cpu) > 1e-6;
		is_int(other, 0, "%s: each task's CPU of the last seconds", what);
		char *second = all_of(again);
		struct snapshot *third = reopen(second);
		char *last = third != NULL ? all_of(third) : NULL;

		is_same(first, second, what);
		is_str(last, second, "%s: once more", what);
		is_int((int)again->ntasks, (int)snap->ntasks, "%s: every task", what);
		snapshot_release(third);
		free(second);
		free(last);
	}
	snapshot_release(again);
	snapshot_release(snap);
	free(first);
}

/* Whether the third symbol of the fixture is user code, when this text is made that one. */
static bool is_user_from(const char *from, const char *to)
{
	struct snapshot *snap = fixture_snapshot();
	char *text = all_of(snap), *at = strstr(text, from);

	if (ok(at != NULL && strlen(from) == strlen(to), "there is: %s", from))
		for (size_t i = 0; to[i] != '\0'; i++)
			at[i] = to[i];
	struct snapshot *again = reopen(text);
	bool is_user = again != NULL && again->nsymbols == 3 && again->symbols[2].is_user;

	snapshot_release(again);
	snapshot_release(snap);
	free(text);
	return is_user;
}

/* Snapshots that were saved before there was "user" have user code in "[user]" only. */
static void check_user(void)
{
	ok(is_user_from("\"[user]\",\"share\":0.5,\"user\":true",
			"\"a.so.6\",\"share\":0.5,\"user\":true"),
	   "user code is what is said to be");
	ok(is_user_from("\"share\":0.5,\"user\"", "\"share\":0.5,\"none\""),
	   "without it what is in [user]");
}

/* The symbol event's are in the head, where a text of an older version has all there are. */
static void check_symbols(void)
{
	struct snapshot *snap = fixture_snapshot();
	char *text = all_of(snap), *at;
	struct snapshot *again = reopen(text), *older;

	ok(again != NULL && again->events[FIXTURE_FREQ].is_symbol_event &&
		   again->events[FIXTURE_FREQ].symbols == again->symbols,
	   "the symbol event has its symbols");
	ok(again != NULL && again->events[FIXTURE_LOST].nsymbols == 2 &&
		   again->events[FIXTURE_LOST].symbols[0].ncallers == 3,
	   "and another event its own");
	ok(again != NULL && again->events[FIXTURE_LOST].has_code &&
		   !again->events[FIXTURE_BALANCED].has_code,
	   "not one whose samples have no address");
	at = strstr(text, "\"symbols\":[{\"symbol\":\"__schedule\"");
	if (ok(at != NULL, "there are symbols of an event"))
		at[1] = 'S';
	older = reopen(text);
	ok(older != NULL && older->events[FIXTURE_FREQ].nsymbols == 3 &&
		   !older->events[FIXTURE_LOST].has_code,
	   "without them only the symbol event has some");
	snapshot_release(older);
	snapshot_release(again);
	snapshot_release(snap);
	free(text);
}

/* Every fifth byte changed, and many lengths cut: read or refused, without a crash. */
static void check_damage(void)
{
	struct snapshot *snap = fixture_snapshot();
	char *text = all_of(snap);
	size_t len;
	const char *object = reopen_find(text, strlen(text), &len);
	char *copy = malloc(len);
	unsigned int read = 0;

	for (size_t cut = 0; cut < len; cut += 7)
		snapshot_release(reopen_snapshot(object, cut, NULL));
	for (size_t at = 0; at < len; at += 5) {
		memcpy(copy, object, len);
		copy[at] ^= (char)(1 + at % 255);
		char *screen;
		struct snapshot *again = reopen_snapshot(copy, len, &screen);

		free(screen);
		read += again != NULL;
		if (again != NULL)
			free(all_of(again));
		snapshot_release(again);
	}
	ok(read > 0, "damaged at each fifth of %zu bytes: %u times still readable", len, read);
	free(copy);
	free(text);
	snapshot_release(snap);
}

static void check_json(void)
{
	static const char *const wrong[] = {
		"",	 "{",	      "[1,]",	     "{\"a\"}",	    "{\"a\":1,}", "\"open",  "nul",
		"[1 2]", "\"\\u00\"", "\"\\ud800\"", "\"\\u0000\"", "{}x",	  "\"\\q\"", "-",
	};
	char deep[200];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct json *json = json_parse(wrong[i], strlen(wrong[i]));

		/* strtod() takes "-" as 0, which is harmless. */
		ok(json == NULL || strcmp(wrong[i], "-") == 0, "refused: %s", wrong[i]);
		json_free(json);
	}
	memset(deep, '[', sizeof(deep));
	ok(json_parse(deep, sizeof(deep)) == NULL, "too deep");

	const char *text =
		"{\"n\": -1.5e3, \"u\": 18446744073709551615, \"s\": \"\\u20ac\\ud83d\\ude00\\n\","
		" \"l\": [true, null, {}], \"z\": {\"n\": 7}}";
	struct json *json = json_parse(text, strlen(text));
	const struct json_value *root = json_root(json);
	ok(json_number(json_get(root, "n"), 0) == -1500, "a number");
	is_u64(json_u64(json_get(root, "u"), 0), UINT64_MAX, "all 64 bits");
	is_str(json_string(json_get(root, "s"), ""), "\xe2\x82\xac\xf0\x9f\x98\x80\n", "escapes");
	is_int((int)json_count(json_get(root, "l")), 3, "an array");
	ok(json_bool(json_first(json_get(root, "l")), false), "a boolean");
	is_u64(json_u64(json_get(json_get(root, "z"), "n"), 0), 7, "nested");
	is_u64(json_u64(json_get(json_get(root, "none"), "n"), 5), 5, "what is not there");
	json_free(json);
}

/* One of a later version may mean something else by the same keys. */
static void check_schema(void)
{
	struct snapshot *snap = fixture_snapshot();
	char *text = all_of(snap);
	char *schema = strstr(text, "\"schema\":1,");

	if (schema == NULL)
		bail("no schema in a saved snapshot");
	schema[strlen("\"schema\":")] = '2';
	ok(reopen(text) == NULL, "a snapshot of another schema is not shown");
	free(text);
	snapshot_release(snap);
}

/* 3.4 MB that would take 11 GB if what a list does not hold were allocated. */
static void check_large(void)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_puts(&text, "#perftop-ng {\"schema\":1,\"cpus\":[0");
	for (int i = 1; i < LARGE_CPUS; i++)
		strbuf_printf(&text, ",%d", i);
	strbuf_puts(&text, "],\"events\":[{}");
	for (int i = 1; i < LARGE_EVENTS; i++)
		strbuf_printf(&text, ",{\"name\":\"e%d\",\"cpus\":[{\"total\":1}]}", i);
	strbuf_puts(&text, "],\"tasks\":[{\"events\":[{}");
	for (int i = 1; i < LARGE_EVENTS; i++)
		strbuf_printf(&text, ",{\"name\":\"e%d\"}", LARGE_EVENTS - i);
	strbuf_puts(&text, "]}],\"saved\":{\"events\":[{}");
	for (int i = 1; i < LARGE_EVENTS; i++)
		strbuf_puts(&text, ",{\"opened\":true}");
	strbuf_puts(&text, "]}}\n");

	struct snapshot *snap = reopen(text.text);
	if (ok(snap != NULL, "%d CPUs and %d events", LARGE_CPUS, LARGE_EVENTS)) {
		is_u64(snap->nevents, LARGE_EVENTS, "every event");
		ok(snap->events[1].cpus == NULL, "without the CPUs, of which the list has one");
		is_u64(snap->tasks[0].nevents, LARGE_EVENTS - 1, "every event of a task");
		is_u64(snap->tasks[0].events[0].event, LARGE_EVENTS - 1, "found by its name");
	}
	snapshot_release(snap);
	strbuf_fini(&text);
}

/* Rates on each CPU are saved to about a 60th of the highest. */
static void check_minutes(void)
{
	struct snapshot *snap = fixture_snapshot();
	char *text = all_of(snap);
	struct snapshot *again = reopen(text);
	const float *was = snap->events[FIXTURE_BALANCED].cpus[1].trend;
	const float *is = again->events[FIXTURE_BALANCED].cpus[1].trend;
	float most = was[SNAP_TREND_MAX - 1];
	int wrong = 0;

	for (size_t i = 0; is != NULL && i < SNAP_TREND_MAX; i++)
		wrong += was[i] < 0 ? is[i] >= 0 : fabsf(is[i] - was[i]) > most / 100;
	ok(is != NULL && wrong == 0, "the minute of an event on a CPU");
	is = again->cpus[1].trends[CPU_PREEMPTIONS];
	ok(is != NULL && fabsf(is[SNAP_TREND_MAX - 1] - 4) < 0.001f && is[0] < 0,
	   "and that of a CPU");
	free(text);
	snapshot_release(again);

	((struct snap_event_cpu *)snap->events[FIXTURE_BALANCED].cpus)[1].trend = NULL;
	text = all_of(snap);
	again = reopen(text);
	ok(again->events[FIXTURE_BALANCED].cpus[1].trend == NULL &&
		   again->events[FIXTURE_BALANCED].cpus[0].trend != NULL,
	   "none where there was none");
	free(text);
	snapshot_release(again);
	snapshot_release(snap);
}

static void check_unknown_cpu(void)
{
	struct snapshot *snap = fixture_snapshot();

	((struct snap_cpu *)snap->cpus)[1].id = CPU_UNKNOWN;
	check_round(snap, "an unknown CPU");
	snap = fixture_snapshot();
	((struct snap_cpu *)snap->cpus)[1].id = CPU_UNKNOWN;
	char *text = all_of(snap);
	struct snapshot *again = reopen(text);

	ok(strstr(text, "\"cpus\":[0,null") != NULL, "an unknown CPU: null");
	ok(again != NULL && again->cpus[1].id == CPU_UNKNOWN, "an unknown CPU: read again");
	snapshot_release(again);
	snapshot_release(snap);
	free(text);
}

/* How it was shown is any text, and may be missing. */
static void check_screen(void)
{
	static const char screen[] =
		"view = tasks\nfilter tasks = \"a\\\" \xc3\xa4\nevent = 1\tcs\n";
	struct snapshot *snap = fixture_snapshot();
	struct strbuf out;
	char *again, *none;
	size_t len;

	strbuf_init(&out);
	output_saved(&out, snap, screen);
	const char *object = reopen_find(out.text, out.len, &len);
	snapshot_release(reopen_snapshot(object, len, &again));
	is_str(again, screen, "how it was shown");
	strbuf_clear(&out);
	output_saved(&out, snap, NULL);
	object = reopen_find(out.text, out.len, &len);
	snapshot_release(reopen_snapshot(object, len, &none));
	ok(none == NULL, "not saved: nothing");
	free(again);
	strbuf_fini(&out);
	snapshot_release(snap);
}

static void check_verify(void)
{
	struct snapshot *snap = fixture_snapshot();

	fixture_add_violation(snap);
	char *text = all_of(snap);
	struct snapshot *again = reopen(text);

	ok(again != NULL && again->is_verified && again->verify.missing == 6 &&
		   again->verify.first != NULL && again->verify.first->sampled == 990,
	   "a violation is read again");
	snapshot_release(again);
	free(text);
	snap->verify.first = NULL;
	text = all_of(snap);
	again = reopen(text);
	ok(again != NULL && again->is_verified && again->verify.first == NULL, "none is none");
	snapshot_release(again);
	snapshot_release(snap);
	free(text);
	snap = fixture_snapshot();
	fixture_add_violation(snap);
	check_round(snap, "a violation");
	snap = fixture_snapshot();
	fixture_add_groups(snap);
	check_round(snap, "groups");
}

int main(void)
{
	plan_lazy();
	check_round(fixture_snapshot(), "every kind of event");
	check_round(fixture_snapshot_many(300, 64), "many");
	check_minutes();
	check_user();
	check_symbols();
	check_damage();
	check_json();
	check_schema();
	check_large();
	check_unknown_cpu();
	check_screen();
	check_verify();
	return done();
}
