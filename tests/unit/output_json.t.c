/* SPDX-License-Identifier: MIT */
/*
 * With an argument it prints the fixture as JSON, for output_json_python.t.sh.
 */
#include "base/strbuf.h"
#include "base/text.h"
#include "fixture.h"
#include "output/output.h"
#include "tap.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct strbuf out;

static void print(const struct snapshot *snap)
{
	strbuf_clear(&out);
	output_json()->put(&out, snap, NULL);
}

static void has(const char *text)
{
	if (!ok(strstr(out.text, text) != NULL, "there is: %s", text))
		diag("%s", out.text);
}

/* A small JSON reader: only whether the text is one, and the depth-one keys in their order. */
struct reader {
	const char *at;
	char keys[2048];
	int depth;
	bool is_bad;
};

static void read_value(struct reader *reader);

static void expect(struct reader *reader, char c)
{
	if (*reader->at != c)
		reader->is_bad = true;
	else
		reader->at++;
}

static void read_string(struct reader *reader)
{
	expect(reader, '"');
	while (!reader->is_bad && *reader->at != '"') {
		if ((unsigned char)*reader->at < 0x20)
			reader->is_bad = true;
		if (*reader->at == '\\' && !strchr("\"\\/bfnrtu", reader->at[1]))
			reader->is_bad = true;
		reader->at += *reader->at == '\\' ? 2 : 1;
	}
	expect(reader, '"');
}

static void read_key(struct reader *reader)
{
	const char *start = reader->at;

	read_string(reader);
	if (reader->depth == 1 && !reader->is_bad) {
		size_t used = strlen(reader->keys);
		snprintf(reader->keys + used, sizeof(reader->keys) - used, "%.*s ",
			 (int)(reader->at - start - 2), start + 1);
	}
	expect(reader, ':');
}

static void read_members(struct reader *reader, char last, bool has_keys)
{
	reader->at++;
	reader->depth++;
	while (!reader->is_bad && *reader->at != last) {
		if (has_keys)
			read_key(reader);
		read_value(reader);
		if (*reader->at != last)
			expect(reader, ',');
		if (reader->at[-1] == ',' && *reader->at == last)
			reader->is_bad = true;
	}
	reader->depth--;
	expect(reader, last);
}

static void read_word(struct reader *reader)
{
	static const char *const words[] = { "null", "true", "false" };

	for (size_t i = 0; i < 3; i++)
		if (strncmp(reader->at, words[i], strlen(words[i])) == 0) {
			reader->at += strlen(words[i]);
			return;
		}
	size_t len = strspn(reader->at, "0123456789+-.e");
	reader->is_bad |= len == 0;
	reader->at += len;
}

static void read_value(struct reader *reader)
{
	if (reader->is_bad)
		return;
	if (*reader->at == '{')
		read_members(reader, '}', true);
	else if (*reader->at == '[')
		read_members(reader, ']', false);
	else if (*reader->at == '"')
		read_string(reader);
	else
		read_word(reader);
}

static bool is_valid(struct reader *reader)
{
	*reader = (struct reader){ .at = out.text };
	read_value(reader);
	if (reader->is_bad || strcmp(reader->at, "\n") != 0) {
		diag("not JSON from here: %.60s", reader->at);
		return false;
	}
	for (size_t at = 0; at + 1 < out.len;) {
		int32_t code;
		at += text_decode(out.text + at, out.len - at, &code);
		if (!text_is_harmless(code))
			return false;
	}
	return true;
}

static void check_shape(const struct snapshot *snap)
{
	struct reader reader;

	print(snap);
	ok(is_valid(&reader), "one line of JSON, of harmless UTF-8");
	is_str(reader.keys,
	       "schema final seq time interval host kernel cpus events tasks switches symbols "
	       "throttling self elapsed rate lost throttles balanced tasks_known symbol_event "
	       "side_lost lost_records unknown_records corrupt notes silent behind "
	       "lost_count rest side_lost_count processes "
	       "parents verify ",
	       "with the keys of the interface, in its order, and new ones behind");
	has("{\"schema\":1,\"final\":false,\"seq\":3,\"time\":1789000000.123,\"interval\":1.0003,"
	    "\"host\":\"web-17\",\"kernel\":\"6.18.44\",\"cpus\":[0,2],\"events\":[{");
	has("{\"name\":\"sched:sched_switch\",\"kind\":\"tracepoint\",\"state\":\"on\","
	    "\"reason\":null,\"period\":1,\"count\":24200,\"rate\":24192.7,\"total\":55234,"
	    "\"sampled\":55230,\"lost\":4,\"lost_exact\":true,\"balanced\":true,\"running\":1.0,"
	    "\"throttles\":0,\"cpus\":[{\"cpu\":0,\"count\":16134,"
	    "\"rate\":12096.35,\"total\":36823,\"sampled\":36819,\"lost\":4,\"throttles\":0,"
	    "\"unseen\":0,\"sampled_count\":16133,\"lost_count\":1,\"throttled\":0.0,"
	    "\"throttled_now\":0.0},{\"cpu\":2,");
	has("{\"pid\":812,\"tid\":813,\"comm\":\"load\",\"estimated\":true,\"events\":[{\"name\":"
	    "\"raw_syscalls:sys_enter\",\"rate\":1200000.5,\"total\":82000000,\"count\":1200500,\"samples\":1200500,"
	    "\"estimated\":false,\"total_estimated\":false}");
	has("\"switches\":{\"rate\":8110.2,\"voluntary\":12,\"involuntary\":301,\"involuntary_rate\":304.0,"
	    "\"slice\":{\"count\":1363,\"p50\":3.5e-05,\"p99\":0.00021,\"max\":0.0017,"
	    "\"octaves\":[0,0,0,0,0,120,900,300,40,0,0,0,3]},\"wait\":{\"count\":401,");
	has("\"wait\":{\"count\":0,\"p50\":null,\"p99\":null,\"max\":null,\"octaves\":[]},"
	    "\"preempted_by\":[{\"comm\":\"load\",\"tid\":813,\"count\":4},"
	    "{\"comm\":\"true\",\"tid\":9000,\"count\":1}]},\"on_cpu\":0.11");
	has("\"switches\":{\"count\":24200,\"rate\":24192.7,\"voluntary\":40000,"
	    "\"involuntary\":312,\"cpus\":[{\"cpu\":0,\"rate\":12300.4,\"voluntary\":20004,"
	    "\"involuntary\":301,\"busy\":0.993,\"idle\":0.007,\"involuntary_rate\":300.2},");
	has("{\"symbol\":\"do_syscall_64\",\"module\":\"[kernel]\",\"share\":0.12,\"user\":false}");
	has("{\"symbol\":\"ext4_file_read_iter\",\"module\":\"ext4\",\"share\":0.034,\"user\":false,\"callers\":["
	    "{\"depth\":1,\"symbol\":\"new_sync_read\",\"module\":\"[kernel]\",\"share\":0.03},"
	    "{\"depth\":2,\"symbol\":\"vfs_read\",");
	has("\"throttling\":{\"max_sample_rate\":100000,\"cpu_time_max_percent\":25,"
	    "\"now\":[{\"event\":\"cpu-clock\",\"cpu\":2,\"since\":0.2}]}");
	has("\"self\":{\"cpu\":0.0125,\"rss\":9437184,\"rings\":4194304,\"queue_peak\":3,"
	    "\"blocks\":128,\"counting\":0.0006,\"switching\":0.0011,\"sampling\":0.0012,"
	    "\"budget\":0.02,\"sample_limit\":null}");
}

static void check_unknown(struct snapshot *snap)
{
	struct reader reader;

	((struct snap_event *)&snap->events[0])->is_limited = true;
	print(snap);
	has("\"period\":null,\"count\":1990000000");
	has(",\"filter\":null,\"at_least\":false,\"sampled_at_least\":false,"
	    "\"asked\":\"sched:sched_switch\",\"unseen\":0,\"sampled_count\":24199,"
	    "\"lost_count\":1,\"most_by\":");
	has("\"most_by\":\"load\",\"most_by_tid\":813,\"most_by_born\":null,\"most_share\":0.997,"
	    "\"throttled\":0.0,\"throttled_now\":0.0,\"limited\":true,\"group\":null,\"per_first\":null,\"symbols\":null}");
	has("\"most_by\":\"true\",\"most_by_tid\":null,\"most_by_born\":757.2,\"most_share\":0.88,");
	has("\"rest\":{\"pid\":null,\"tid\":null,\"comm\":null,");
	has("\"asked\":\"cycles\"");
	has("\"freq\":1000");
	has("\"lost_exact\":false,\"balanced\":false");
	has("\"balanced\":null,\"running\":0.42");
	has("{\"name\":\"kprobe:vfs_read\",\"kind\":\"kprobe\",\"state\":\"failed\","
	    "\"reason\":\"ENOENT: this kernel has no kprobes (CONFIG_KPROBES)\",\"period\":null,"
	    "\"count\":null,\"rate\":null,\"total\":null,\"sampled\":null,\"lost\":null,"
	    "\"lost_exact\":false,\"balanced\":null,\"running\":null,\"throttles\":null,"
	    "\"cpus\":[]");
	has("\"throttled\":null,\"throttled_now\":null,\"limited\":false,\"group\":null,\"per_first\":null,\"symbols\":null}");
	has("\"throttled\":0.31,\"throttled_now\":0.2,\"limited\":false,\"group\":null,\"per_first\":null,\"symbols\":null}");
	has("\"rate\":null,\"voluntary\":0,\"involuntary\":0,\"involuntary_rate\":null,\"slice\":{");
	has("\"comm\":null");

	snap->has_switches = false;
	snap->max_sample_rate = -1;
	snap->cpu_time_max_percent = -1;
	snap->self.cpu = NAN;
	snap->rate = INFINITY;
	snap->host = NULL;
	print(snap);
	ok(is_valid(&reader), "with all that can be unknown it is still JSON");
	has("\"switches\":{\"count\":null,\"rate\":null,\"voluntary\":null,\"involuntary\":null,"
	    "\"cpus\":[],\"slice\":{");
	has("\"throttling\":{\"max_sample_rate\":null,\"cpu_time_max_percent\":null,");
	has("\"self\":{\"cpu\":null,");
	has("\"host\":null");
}

static void check_strings(const struct snapshot *snap)
{
	print(snap);
	has("\"comm\":\"\\u001b]0;pwn\\u0007\xef\xbf\xbd\\u202e\\\"\xef\xbf\xbd,\"");
	has("\"comm\":\"nginx: \xc3\xa4\xe4\xb8\xad\"");
}

static void check_odd_strings(void)
{
	struct snapshot *snap = snapshot_new(0);
	struct reader reader;

	snap->host = "back\\slash \xf3\xa0\x81\x81 \xed\xa0\x80 \xe4\xb8";
	print(snap);
	has("\"host\":\"back\\\\slash \\udb40\\udc41 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
	    "\xef\xbf\xbd\xef\xbf\xbd\"");
	ok(is_valid(&reader), "an empty snapshot is JSON too");
	snapshot_release(snap);
}

static void check_verify(void)
{
	struct snapshot *snap = fixture_snapshot();
	struct reader reader;

	print(snap);
	has(",\"verify\":null}\n");
	fixture_add_violation(snap);
	print(snap);
	has("\"verify\":{\"events\":3,\"checked\":137230,\"missing\":6,\"extra\":0,\"first\":{"
	    "\"event\":\"sched:sched_switch\",\"cpu\":2,\"at\":1.25,\"comm\":");
	has("\"pid\":812,\"tid\":813,\"period\":1,\"count\":1000,\"sampled\":990,\"lost\":4,"
	    "\"fields\":\"prev_comm=load prev_pid=813\"}}}\n");
	ok(is_valid(&reader), "a violation is JSON, too");
	snap->verify.first = NULL;
	print(snap);
	has("\"extra\":0,\"first\":null}}\n");
	snapshot_release(snap);
}

static void check_large(void)
{
	struct snapshot *snap = fixture_snapshot_many(2300, 16);
	struct reader reader;

	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		setlocale(LC_ALL, "");
	print(snap);
	ok(is_valid(&reader), "2,300 events on 16 CPUs, in whatever locale");
	snapshot_release(snap);
}

int main(int argc, char **argv)
{
	struct snapshot *snap = fixture_snapshot();

	(void)argv;
	strbuf_init(&out);
	if (argc > 1) {
		fixture_add_violation(snap);
		print(snap);
		fputs(out.text, stdout);
		strbuf_fini(&out);
		snapshot_release(snap);
		return 0;
	}
	plan_lazy();
	check_shape(snap);
	check_strings(snap);
	check_unknown(snap);
	check_odd_strings();
	check_verify();
	check_large();
	strbuf_fini(&out);
	snapshot_release(snap);
	return done();
}
