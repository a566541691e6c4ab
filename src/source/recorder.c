/* SPDX-License-Identifier: MIT */
#include "source/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/format-text.h"
#include "perfdata/writer.h"
#include "source/kernel-id.h"
#include "source/origin.h"
#include "source/rebase.h"
#include "source/rotation.h"
#include "source/running.h"
#include "source/skipped.h"

/* Memory that is left for records that are not skipped. */
#define ROOM_KEPT (2u << 20)

#define LOOK_NSEC (100 * NSEC_PER_MSEC)

struct recorder {
	struct perfdata_writer *writer; /* NULL: the file was closed */
	const struct evset *set;
	const struct access *access;
	char *path;
	bool *has_format; /* [events]: its format was already read */
	struct rotation *rotation;
	struct rebase *rebase; /* NULL: there is one file */
	uint64_t *told;	       /* [events * slots]: losses that the files have */
	struct skipped *skipped;
	struct strbuf kept;	 /* of a block that was skipped */
	struct strbuf rebased;	 /* a block as a later file has it */
	atomic_bool is_given_up; /* set by another thread */
	bool has_begun;
	unsigned long long text; /* address of the kernel's code, or 0 */
	bool has_addresses;	 /* an event samples addresses */
	bool has_maps;		 /* what is mapped in the running processes was written */
	char *unread;		 /* of how many it could not be read, or NULL */
	char *unfollowed;	 /* why there is no other file, or NULL */
	bool is_slow;		 /* and that was said */
	char *failure;		 /* why it ended early, or NULL */
	const char *note;	 /* for recorder_note(), or NULL */
};

struct recorder *recorder_open(const char *path, const struct evset *set,
			       const struct rotation_plan *plan, const struct access *access,
			       char *const *argv)
{
	struct perfdata_writer *writer = origin_open(path, argv);

	if (writer == NULL)
		return NULL;

	struct recorder *recorder = xcalloc(1, sizeof(*recorder));

	recorder->writer = writer;
	recorder->set = set;
	recorder->access = access;
	recorder->path = xstrdup(path);
	recorder->has_format = xcalloc(evset_capacity(set), sizeof(bool));
	recorder->rotation = rotation_new(path, plan);
	recorder->rebase = plan->bytes != 0 || plan->ns != 0 ? rebase_new() : NULL;
	recorder->told = xcalloc(evset_capacity(set) * evset_slots(set), sizeof(uint64_t));
	recorder->skipped = skipped_new(evset_capacity(set), evset_slots(set));
	strbuf_init(&recorder->kept);
	strbuf_init(&recorder->rebased);
	return recorder;
}

/* Close the file after an error (errno), and note it. */
static void fail(struct recorder *recorder)
{
	int error = errno;
	bool is_whole = perfdata_writer_close(recorder->writer) == 0;

	recorder->writer = NULL;
	free(recorder->failure);
	recorder->failure = xasprintf("the recording ended: %s: %s%s", recorder->path,
				      strerror(error), is_whole ? "; it is whole up to there" : "");
	recorder->note = recorder->failure;
}

static void check(struct recorder *recorder, int result)
{
	if (result != 0)
		fail(recorder);
}

static bool is_over(const struct recorder *recorder)
{
	return recorder == NULL || recorder->writer == NULL;
}

/* --- running tasks -------------------------------------------------------------------------- */

/* Once, and only if addresses are sampled: nothing else needs it. */
static void add_maps(struct recorder *recorder)
{
	struct running_maps result;

	if (is_over(recorder) || !recorder->has_begun || !recorder->has_addresses ||
	    recorder->has_maps)
		return;
	recorder->has_maps = true;
	check(recorder,
	      running_write_maps(recorder->writer, recorder->set, recorder->access, &result));
	if (result.unread == 0 || recorder->unread != NULL || is_over(recorder))
		return;
	recorder->unread = xasprintf(
		"the recording has the mappings of %zu of %zu processes: the others could not "
		"be read in time",
		result.processes - result.unread, result.processes);
	recorder->note = recorder->unread;
}

/* --- events --------------------------------------------------------------------------------- */

static void add_format(struct recorder *recorder, const struct event_spec *spec)
{
	char *system;
	size_t len;
	char *text = format_text_read(recorder->access, spec, &system, &len);

	if (text != NULL)
		perfdata_writer_format(recorder->writer, system, text, len);
	free(text);
	free(system);
}

/* As perf record does. */
static void describe_samples(const struct evset_event *event, struct perf_event_attr *attr)
{
	/* Its period varied: -F.  For perf a sample without a period stands for so many events. */
	if (event->sampling == ATTR_PACED) {
		attr->freq = 1;
		attr->sample_freq = event->rate < ATTR_ALL ? event->rate : event->shortest;
	}
	if (event->is_read) { /* in samples of its {}:S */
		attr->sample_type |= PERF_SAMPLE_READ;
		attr->read_format |= PERF_FORMAT_GROUP;
	}
}

void recorder_event(struct recorder *recorder, uint32_t number)
{
	if (is_over(recorder))
		return;

	const struct evset *set = recorder->set;
	const struct evset_event *event = evset_event(set, number);
	bool is_side = number < EVSET_FIRST;
	struct perf_event_attr attr = event->attr;

	describe_samples(event, &attr);
	size_t nids = evset_slots(set) * evset_targets(set);

	perfdata_writer_event(recorder->writer, number, &attr, event->spec.name, event->ids, nids);
	skipped_event(recorder->skipped, number, event->ids, nids);
	if (recorder->rebase != NULL)
		rebase_event(recorder->rebase, &attr, event->ids, nids);
	if (!is_side && event->state == EVSET_ON && event_has_format(&event->spec) &&
	    !recorder->has_format[number]) {
		recorder->has_format[number] = true;
		add_format(recorder, &event->spec);
	}
	if (event->state == EVSET_ON && (attr.sample_type & PERF_SAMPLE_IP)) {
		recorder->has_addresses = true;
		add_maps(recorder);
	}
}

/* --- beginning ------------------------------------------------------------------------------ */

/* Before Linux 4.1 records have times of a clock that cannot be read. */
static void add_clock(struct recorder *recorder)
{
	const struct perf_event_attr *attr = &evset_event(recorder->set, 0)->attr;

	if (attr->use_clockid && attr->clockid == CLOCK_MONOTONIC)
		perfdata_writer_clock(recorder->writer, CLOCK_MONOTONIC, (uint64_t)sys_wall_ns(),
				      sys_monotonic_ns());
}

static void begin_file(struct recorder *recorder)
{
	add_clock(recorder);
	check(recorder, perfdata_writer_begin(recorder->writer));
	recorder->has_begun = true;
	recorder->has_maps = false;
	if (!is_over(recorder) && recorder->text != 0)
		check(recorder, perfdata_writer_kernel(recorder->writer, recorder->text));
	if (!is_over(recorder))
		check(recorder, running_write_names(recorder->writer));
	add_maps(recorder);
	if (!is_over(recorder))
		check(recorder, perfdata_writer_checkpoint(recorder->writer));
}

void recorder_begin(struct recorder *recorder)
{
	if (is_over(recorder))
		return;

	struct build_id id = kernel_id(KERNEL_ID_PATH);

	perfdata_writer_kernel_id(recorder->writer, &id);
	recorder->text = kernel_text_address(recorder->access);
	begin_file(recorder);
}

/* --- records -------------------------------------------------------------------------------- */

/* One that the event has on this CPU, else on another: the record has the CPU beside it. */
static uint64_t id_of(const struct evset *set, uint32_t number, size_t slot)
{
	const uint64_t *ids = evset_event(set, number)->ids;
	size_t targets = evset_targets(set), all = evset_slots(set) * targets;

	for (size_t i = 0; i < all; i++) {
		uint64_t id = ids[(slot * targets + i) % all];

		if (id != 0)
			return id;
	}
	return 0;
}

static void write_lost(struct recorder *recorder, uint32_t number, size_t slot, uint64_t lost,
		       uint64_t time_ns)
{
	const struct evset *set = recorder->set;
	struct perfdata_writer_loss loss = {
		.id = id_of(set, number, slot),
		.cpu = (uint32_t)evset_cpu(set, slot),
		.samples = lost,
		.time_ns = time_ns,
	};

	check(recorder, perfdata_writer_lost(recorder->writer, number, &loss));
}

static void write_skipped(struct recorder *recorder)
{
	struct skipped_count count;

	while (!is_over(recorder) && skipped_take(recorder->skipped, &count))
		write_lost(recorder, count.number, count.slot, count.records, 0);
}

/* The disk is so slow that memory runs out. */
static void skip(struct recorder *recorder, size_t slot, const void *bytes, size_t len)
{
	struct strbuf *kept = &recorder->kept;

	if (!recorder->is_slow)
		recorder->note = "the disk is too slow for the recording: it lacks records";
	recorder->is_slow = true;
	strbuf_clear(kept);
	skipped_filter(recorder->skipped, slot, bytes, len, kept);
	if (kept->len <= perfdata_writer_room(recorder->writer))
		check(recorder, perfdata_writer_records(recorder->writer, kept->text, kept->len));
	else
		skipped_all(recorder->skipped, slot, kept->text, kept->len);
}

/* The block with counts from where the file begins; valid until the next call. */
static const void *rebased(struct recorder *recorder, const void *bytes, size_t len)
{
	if (recorder->rebase == NULL || !rebase_has_work(recorder->rebase))
		return bytes;
	strbuf_clear(&recorder->rebased);
	strbuf_add(&recorder->rebased, bytes, len);
	rebase_records(recorder->rebase, recorder->rebased.text, len);
	return recorder->rebased.text;
}

void recorder_block(struct recorder *recorder, size_t slot, const void *bytes, size_t len)
{
	if (is_over(recorder))
		return;
	if (perfdata_writer_room(recorder->writer) < ROOM_KEPT + len) {
		skip(recorder, slot, bytes, len);
		return;
	}
	write_skipped(recorder);
	if (!is_over(recorder))
		check(recorder, perfdata_writer_records(recorder->writer,
							rebased(recorder, bytes, len), len));
}

void recorder_times(struct recorder *recorder, uint64_t first_ns, uint64_t last_ns)
{
	if (!is_over(recorder))
		perfdata_writer_times(recorder->writer, first_ns, last_ns);
}

void recorder_round(struct recorder *recorder)
{
	if (is_over(recorder) || perfdata_writer_room(recorder->writer) < ROOM_KEPT)
		return;
	write_skipped(recorder);
	if (!is_over(recorder))
		check(recorder, perfdata_writer_round(recorder->writer));
}

void recorder_checkpoint(struct recorder *recorder)
{
	if (!is_over(recorder) && perfdata_writer_room(recorder->writer) >= ROOM_KEPT)
		check(recorder, perfdata_writer_checkpoint(recorder->writer));
}

/* --- several files ---------------------------------------------------------------------------- */

bool recorder_is_due(struct recorder *recorder)
{
	return !is_over(recorder) && perfdata_writer_room(recorder->writer) >= ROOM_KEPT &&
	       rotation_is_due(recorder->rotation, perfdata_writer_size(recorder->writer));
}

/* It grows on without limits, which is a failure; once. */
static void cannot_follow(struct recorder *recorder)
{
	recorder->unfollowed = xasprintf("no file can follow %s: %s: it grows on", recorder->path,
					 strerror(errno));
	recorder->note = recorder->unfollowed;
}

bool recorder_next(struct recorder *recorder, const struct model *model)
{
	if (is_over(recorder))
		return false;
	if (rotation_rename(recorder->rotation) != 0) {
		cannot_follow(recorder);
		return false;
	}

	struct perfdata_writer *next =
		perfdata_writer_next(recorder->writer, rotation_path(recorder->rotation));
	if (next == NULL) {
		cannot_follow(recorder);
		rotation_undo(recorder->rotation);
		return false;
	}
	rotation_next(recorder->rotation, recorder->writer);
	recorder->writer = next;
	rebase_next(recorder->rebase);
	begin_file(recorder);
	if (!is_over(recorder))
		check(recorder, running_write_known_names(recorder->writer, model));
	if (!is_over(recorder) && recorder->has_addresses)
		check(recorder, running_write_known_maps(recorder->writer, model));
	return true;
}

const char *recorder_note(struct recorder *recorder)
{
	const char *note = recorder != NULL ? recorder->note : NULL;

	if (note != NULL)
		recorder->note = NULL;
	return note;
}

const char *recorder_failure(const struct recorder *recorder)
{
	return recorder != NULL ? recorder->failure : NULL;
}

/* --- the end -------------------------------------------------------------------------------- */

void recorder_give_up(struct recorder *recorder)
{
	if (recorder != NULL)
		atomic_store(&recorder->is_given_up, true);
}

/* Wait until all is written, or recorder_give_up(). */
static void settle(struct recorder *recorder)
{
	while (!is_over(recorder) &&
	       perfdata_writer_settle(recorder->writer, sys_monotonic_ns() + LOOK_NSEC) != 0) {
		if (errno != ETIMEDOUT) {
			fail(recorder);
		} else if (atomic_load(&recorder->is_given_up)) {
			perfdata_writer_leave(recorder->writer);
			recorder->writer = NULL;
			recorder->failure =
				xasprintf("%s is not complete: the disk did not take all of it",
					  recorder->path);
		}
	}
}

void recorder_await_room(struct recorder *recorder)
{
	if (!is_over(recorder) && perfdata_writer_room(recorder->writer) < ROOM_KEPT)
		settle(recorder);
}

void recorder_lost(struct recorder *recorder, uint32_t number, size_t slot, uint64_t lost,
		   uint64_t time_ns)
{
	if (is_over(recorder))
		return;

	uint64_t *told = &recorder->told[number * evset_slots(recorder->set) + slot];
	uint64_t more = lost - *told;

	if (more == 0 || perfdata_writer_room(recorder->writer) < ROOM_KEPT)
		return;
	*told = lost;
	write_lost(recorder, number, slot, more, time_ns);
}

/* Write the end of the file, and close it. */
static void close_file(struct recorder *recorder)
{
	write_skipped(recorder);
	settle(recorder);
	if (is_over(recorder))
		return;
	if (perfdata_writer_close(recorder->writer) != 0)
		recorder->failure = xasprintf("the recording could not be ended: %s: %s",
					      recorder->path, strerror(errno));
	recorder->writer = NULL;
}

/* Wait until the file before is ended, or recorder_give_up(). */
static void settle_before(struct recorder *recorder)
{
	while (!rotation_settle(recorder->rotation, sys_monotonic_ns() + LOOK_NSEC)) {
		if (!atomic_load(&recorder->is_given_up))
			continue;
		if (recorder->failure == NULL)
			recorder->failure = xasprintf(
				"the file before %s is not complete: the disk did not take all of it",
				recorder->path);
		return;
	}
}

/* What is missing although the recording did not end early, or NULL. */
static char *shortfall(const struct recorder *recorder)
{
	if (rotation_failure(recorder->rotation) != NULL)
		return xstrdup(rotation_failure(recorder->rotation));
	if (recorder->unfollowed != NULL)
		return xstrdup(recorder->unfollowed);
	if (!recorder->is_slow)
		return NULL;
	return xasprintf("%s lacks %" PRIu64 " records: the disk was too slow for them",
			 recorder->path, skipped_total(recorder->skipped));
}

void recorder_end(struct recorder *recorder)
{
	if (recorder == NULL)
		return;
	settle(recorder);
	if (!is_over(recorder))
		close_file(recorder);
	settle_before(recorder);
	if (recorder->failure == NULL)
		recorder->failure = shortfall(recorder);
}

void recorder_free(struct recorder *recorder)
{
	if (recorder == NULL)
		return;

	recorder_end(recorder);
	free(recorder->has_format);
	skipped_free(recorder->skipped);
	strbuf_fini(&recorder->kept);
	strbuf_fini(&recorder->rebased);
	rebase_free(recorder->rebase);
	free(recorder->path);
	free(recorder->unread);
	free(recorder->unfollowed);
	free(recorder->told);
	rotation_free(recorder->rotation);
	free(recorder->failure);
	free(recorder);
}
