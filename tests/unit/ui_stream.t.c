/* SPDX-License-Identifier: MIT */
/* The stream: a log that follows its end, until the cursor is moved; filtered, frozen, saved. */
#include "ui/drive.h"

#include <time.h>

static struct drive d;
static const struct snap_page *held[100];
static size_t nheld;
static uint64_t next_number;

static void begin(const char *view)
{
	struct ui_options options = { .view = view };

	drive_open(&d, &options, 120, 16);
	nheld = 0;
	next_number = 0;
}

static void end(void)
{
	drive_close(&d);
	for (size_t i = 0; i < nheld; i++)
		page_release(held[i]);
}

/* A snapshot with one page more, of `count` records with the texts "number 0" and so on. */
static void take(size_t count)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_page *page = page_new(count);

	page->first = next_number;
	for (size_t i = 0; i < count; i++) {
		char text[32];

		snprintf(text, sizeof(text), "number %llu.", (unsigned long long)next_number);
		page->records[i] = (struct snap_record){
			.kind = SNAP_SAMPLE,
			.cpu = (int)(next_number % 2),
			.tid = 100 + (int)next_number,
			.wall_ns = (int64_t)next_number * 1000000,
			.count = 1,
			.comm = next_number % 10 ? "load" : "nginx",
			.event = next_number % 10 ? "sched:sched_switch" : "cpu-clock",
			.text = page_strdup(page, text),
		};
		next_number++;
	}
	held[nheld++] = page;
	snapshot_add_pages(snap, held, nheld);
	drive_take(&d, snap);
}

static void forget_oldest(void)
{
	page_release(held[0]);
	memmove(&held[0], &held[1], --nheld * sizeof(struct snap_page *));
}

/* Whether the cursor's line has the words. */
static bool is_on(const char *words)
{
	char line[512];
	const char *at = strstr(drive_screen(&d), "▸");

	snprintf(line, sizeof(line), "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
	return strstr(line, words) != NULL;
}

static void test_begin(void)
{
	begin(NULL);
	is_int(d.streamed, 0, "no record is kept");
	drive_keys(&d, "7");
	is_int(d.streamed, 1, "until the stream is shown");
	drive_keys(&d, "1 S-Tab");
	is_int(d.streamed, 1, "once");
	ok(drive_shows(&d, "no record yet"), "before the first it says so");
	end();
	begin("stream");
	is_int(d.streamed, 1, "also when it is the first view");
	end();
}

static void test_follow(void)
{
	begin("stream");
	take(5);
	ok(is_on("number 4.") && drive_shows(&d, "number 0."), "all, the newest below");
	take(40);
	ok(is_on("number 44."), "it follows the newest");
	ok(!drive_shows(&d, "number 4."), "and older ones scroll away");
	drive_keys(&d, "Up Up");
	ok(is_on("number 42."), "the cursor can be moved");
	char before[4096];
	snprintf(before, sizeof(before), "%s", strstr(drive_screen(&d), "FIELDS"));
	take(20);
	const char *after = strstr(drive_screen(&d), "FIELDS");
	size_t rows = (size_t)(strstr(before, "busy") - before);
	ok(strncmp(after, before, rows) == 0, "then no line moves, whatever comes");
	forget_oldest();
	take(20);
	after = strstr(drive_screen(&d), "FIELDS");
	ok(strncmp(after, before, rows) == 0, "nor when the oldest are forgotten");
	drive_keys(&d, "End");
	take(1);
	ok(is_on("number 85."), "End follows again");
	drive_keys(&d, "Home");
	take(1);
	ok(is_on("number 5."), "Home is the oldest there is");
	drive_keys(&d, "R");
	ok(is_on("number 5."), "reversed, the cursor keeps its row");
	drive_keys(&d, "Home");
	take(1);
	ok(is_on("number 87."), "and the newest is first");
	end();
}

static void test_filter(void)
{
	begin("stream");
	take(45);
	drive_keys(&d, "/ \"nginx\" Enter");
	ok(is_on("number 40.") && drive_shows(&d, "number 0."), "by text");
	ok(!drive_shows(&d, "number 41."), "others are hidden");
	take(45);
	ok(is_on("number 80."), "it follows with a filter");
	drive_keys(&d, "Esc / \"tid=150\" Enter");
	ok(is_on("number 50."), "by a number");
	drive_keys(&d, "Esc Space");
	take(1);
	ok(is_on("number 89."), "frozen, nothing moves");
	drive_keys(&d, "Space");
	ok(is_on("number 90."), "and after that the newest is there");
	drive_keys(&d, "P");
	ok(d.saved && strstr(d.saved, "number 0.") && strstr(d.saved, "number 90."),
	   "all of it is saved");
	end();
}

static void test_rows(void)
{
	begin("stream");
	struct snapshot *snap = fixture_snapshot();

	fixture_add_stream(snap);
	drive_take(&d, snap);
	drive_keys(&d, "Home");
	ok(is_on("00:26:40.000001"), "the time of the day");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "Stream") && drive_shows(&d, "raw_syscalls:sys_enter"),
	   "Enter opens the record's event");
	drive_keys(&d, "Esc f");
	is_int(d.toggled, FIXTURE_BALANCED, "f switches it off");
	drive_keys(&d, "End Enter");
	ok(is_on("00:26:41.002000"), "an exit is of no event");
	d.toggled = -1;
	drive_keys(&d, "f");
	is_int(d.toggled, -1, "which cannot be switched");
	end();
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	plan_lazy();
	test_begin();
	test_follow();
	test_filter();
	test_rows();
	return done();
}
