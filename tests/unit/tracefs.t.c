/* SPDX-License-Identifier: MIT */
/* A made-up tracefs, read through an opener that may do what this process may not. */
#include "event/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "made-folder.h"
#include "tap.h"

static struct tracefs *tracefs;
static unsigned int asked[TRACEFS_FILES];
static int refused; /* an errno, or 0 */

static int open_here(void *ctx, enum tracefs_file file, const char *system, const char *name)
{
	char path[512];

	asked[file]++;
	if (refused != 0) {
		errno = refused;
		return -1;
	}
	snprintf(path, sizeof(path), "%s/%s/%s/%s", (const char *)ctx,
		 system != NULL ? system : ".", name != NULL ? name : ".",
		 file == TRACEFS_ID	? "id" :
		 file == TRACEFS_FORMAT ? "format" :
					  ".");
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int add(void *ctx, const char *system, const char *name)
{
	strbuf_printf(ctx, "%s:%s ", system, name);
	return strcmp(name, "stop") == 0 ? 7 : 0;
}

static const char *list(const char *systems, const char *names, int result)
{
	static char text[256];
	struct strbuf found;

	strbuf_init(&found);
	is_int(tracefs_each(tracefs, systems, names, add, &found), result, "%s:%s", systems, names);
	snprintf(text, sizeof(text), "%s", found.text);
	strbuf_fini(&found);
	return text;
}

static void check_through(void)
{
	size_t len;

	put("sched/switch/id", "312\n");
	put("sched/switch/format", "name: switch\n");
	put("sched/stop/id", "not a number\n");
	put("sched/filter", "a file, not an event");
	put("irq/entry/id", "5\n");
	put("ftrace/function/id", "1\n");
	tracefs_open_by(tracefs, open_here, root);

	is_str(list("*", "*", 7), "irq:entry sched:stop ", "sorted, up to where the visit ends");
	is_str(list("*", "s?i*", 0), "sched:switch ", "by glob, folders only");
	is_u64(asked[TRACEFS_SYSTEMS], 2, "the systems are listed once each time");

	unsigned int before = asked[TRACEFS_SYSTEM] + asked[TRACEFS_SYSTEMS] + asked[TRACEFS_ID];
	is_str(list("sched", "switch", 0), "sched:switch ", "by its name");
	is_str(list("sched", "none", 0), "sched:none ", "also if it is not there");
	is_u64(asked[TRACEFS_SYSTEM] + asked[TRACEFS_SYSTEMS] + asked[TRACEFS_ID], before,
	       "which opens nothing");
	is_str(list("none", "*", 0), "", "a system that is not there has no events");
	is_str(list("ftrace", "function", 0), "", "nor have ftrace's own records");
	is_int((int)tracefs_id(tracefs, "sched", "switch"), 312, "an id");
	ok(tracefs_id(tracefs, "sched", "stop") < 0 && errno == EINVAL, "one that is none");
	ok(tracefs_id(tracefs, "sched", "none") < 0 && errno == ENOENT, "one that is not there");

	char *text = tracefs_format(tracefs, "sched", "switch", &len);
	is_str(text, "name: switch\n", "a format");
	is_u64(len, 13, "with its length");
	free(text);

	refused = EACCES;
	ok(tracefs_id(tracefs, "sched", "switch") < 0 && errno == EACCES, "it refuses an id");
	ok(tracefs_format(tracefs, "sched", "switch", &len) == NULL && errno == EACCES, "a format");
	is_str(list("*", "*", 0), "", "and a list");
}

static void check_plain(void)
{
	ok(tracefs_open_file(tracefs, TRACEFS_ID, "..", "x") < 0 && errno == ENOENT,
	   "no path to elsewhere");
	ok(tracefs_open_file(tracefs, TRACEFS_SYSTEM, "a/b", NULL) < 0 && errno == ENOENT,
	   "nor further down");
	ok(tracefs_open_file(tracefs, TRACEFS_FORMAT, "a", "") < 0 && errno == ENOENT,
	   "nor with no name");
}

int main(void)
{
	tracefs = tracefs_open();
	if (tracefs == NULL)
		skip_all("no tracefs here: %s", strerror(errno));
	plan_lazy();
	folder_begin();
	check_through();
	check_plain();
	folder_end();
	tracefs_close(tracefs);
	return done();
}
