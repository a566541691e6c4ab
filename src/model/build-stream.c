/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/stream.h"

#define TEXT_MAX 1024

/* Correct the wall clock's offset only when it was set: else times of records would not be steady. */
#define OFFSET_SLACK_NS 2000000

/* Records beyond this are shown even if older ones of other CPUs can still come. */
#define PENDING_MOST (2 * STREAM_MOST)

/* What the records are about, in the page's memory: one string per event. */
struct filling {
	const struct build *build;
	struct stream *stream;
	struct snap_page *page;
	const char **names; /* [model->nrows]; NULL: not copied yet */
	uint64_t end_ns; /* no record of the page is later; of the next, only a silent CPU's is earlier */
	size_t at;
};

static int by_time(const void *a, const void *b)
{
	const struct pending *left = a, *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns > right->time_ns ? 1 : -1;
	return (left->number > right->number) - (left->number < right->number);
}

/* Up to here the records of all CPUs were decoded; of a CPU without an answer it is not known when. */
static uint64_t complete_until(const struct build *build)
{
	const struct model *model = build->model;
	uint64_t until = UINT64_MAX;

	for (size_t slot = 0; slot < model->ncpus && !build->tick->is_final; slot++) {
		const struct model_cpu *cpu = &model->cpus[slot];

		if (cpu->is_online && cpu->answer == CPU_ANSWERED && cpu->marked_ns < until)
			until = cpu->marked_ns;
	}
	return model->stream->npending > PENDING_MOST ? UINT64_MAX : until;
}

static void set_offset(struct stream *stream, const struct model_tick *tick)
{
	int64_t offset = tick->wall_ns - (int64_t)tick->now_ns;

	if (llabs(offset - stream->wall_offset_ns) > OFFSET_SLACK_NS)
		stream->wall_offset_ns = offset;
}

/* --- a record --------------------------------------------------------------------------------- */

static const char *event_name(struct filling *filling, uint32_t event)
{
	if (filling->names[event] == NULL) {
		const char *name = filling->build->model->rows[event].name;

		filling->names[event] = page_strdup(filling->page, name != NULL ? name : "");
	}
	return filling->names[event];
}

static void print_place(const struct build *build, const struct pending *pending,
			char out[TEXT_MAX])
{
	const struct model_resolver *resolver = &build->model->resolver;
	bool is_user = record_is_user_mode(pending->misc);
	const char *module, *symbol = NULL;

	if (!build->model->rows[pending->event].has_code)
		return;
	if (!is_user && resolver->symbol != NULL)
		symbol = resolver->symbol(resolver->ctx, pending->value, &module);
	if (symbol != NULL)
		snprintf(out, TEXT_MAX, "%s %s", symbol, module);
	else
		snprintf(out, TEXT_MAX, "0x%" PRIx64 " %s", pending->value,
			 is_user ? "[user]" : "[kernel]");
}

static void print_sample(const struct filling *filling, const struct pending *pending,
			 char out[TEXT_MAX])
{
	const struct model_resolver *resolver = &filling->build->model->resolver;
	const unsigned char *raw = (const void *)(filling->stream->bytes.text + pending->raw_at);

	if (pending->raw_size == 0 || resolver->fields == NULL ||
	    !resolver->fields(resolver->ctx, pending->event, raw, pending->raw_size, out, TEXT_MAX))
		print_place(filling->build, pending, out);
}

static void fill_other(struct filling *filling, const struct pending *pending,
		       struct snap_record *record, char text[TEXT_MAX])
{
	record->kind = SNAP_TASK;
	switch (pending->type) {
	case PERF_RECORD_FORK:
		record->event = "fork";
		snprintf(text, TEXT_MAX, "%" PRIu64, pending->value);
		break;
	case PERF_RECORD_COMM:
		record->event = pending->misc & PERF_RECORD_MISC_COMM_EXEC ? "exec" : "comm";
		snprintf(text, TEXT_MAX, "%s", pending->name);
		break;
	case PERF_RECORD_LOST:
		record->kind = SNAP_LOST;
		record->event = "lost";
		record->count = pending->value;
		snprintf(text, TEXT_MAX, "no room in the ring for %" PRIu64 " records",
			 pending->value);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		record->kind = SNAP_THROTTLE;
		record->event = event_name(filling, pending->event);
		snprintf(text, TEXT_MAX, "%s",
			 pending->type == PERF_RECORD_THROTTLE ? "throttled" : "unthrottled");
		break;
	default:
		record->event = "exit";
		break;
	}
}

/* The name of a task that had none yet, when the record came. */
static const char *comm_of(const struct filling *filling, const struct pending *pending)
{
	struct model *model = filling->build->model;
	struct task *task;

	if (pending->comm[0] != '\0' || pending->tid < 0)
		return pending->comm;
	task = tasks_find(model->tasks, pending->tid);
	if (task == NULL)
		return "";
	model_seek_comm(model, task);
	return task->comm;
}

static void fill(struct filling *filling, const struct pending *pending)
{
	struct snap_record *record = &filling->page->records[filling->at++];
	char text[TEXT_MAX] = "";

	record->cpu = pending->slot != MODEL_NO_SLOT ?
			      filling->build->model->cpu_ids[pending->slot] :
			      CPU_UNKNOWN;
	record->tid = pending->tid;
	record->wall_ns = (int64_t)pending->time_ns + filling->stream->wall_offset_ns;
	record->count = pending->count;
	record->comm = page_strdup(filling->page, comm_of(filling, pending));
	if (pending->type == PERF_RECORD_SAMPLE) {
		record->event = event_name(filling, pending->event);
		record->is_clock = filling->build->model->rows[pending->event].is_clock;
		print_sample(filling, pending, text);
	} else {
		fill_other(filling, pending, record, text);
	}
	record->text = page_strdup(filling->page, text);
}

/* So many more of these, of an event or "". */
static void fill_left_out(struct filling *filling, uint64_t count, const char *what,
			  const char *event)
{
	struct snap_record *record = &filling->page->records[filling->at++];
	char text[TEXT_MAX];

	snprintf(text, sizeof(text), "%" PRIu64 " more %s of this interval are not kept", count,
		 what);
	*record = (struct snap_record){
		.kind = SNAP_LEFT_OUT,
		.cpu = -1,
		.tid = -1,
		.wall_ns = (int64_t)filling->end_ns + filling->stream->wall_offset_ns,
		.count = count,
		.comm = "",
		.event = event,
		.text = page_strdup(filling->page, text),
	};
}

/* --- a page ----------------------------------------------------------------------------------- */

static size_t count_left_out(const struct stream *stream)
{
	size_t count = stream->alerts.left_out > 0;

	for (size_t i = 0; i < stream->nquotas; i++)
		count += stream->quotas[i].left_out > 0;
	return count;
}

/* Drop the oldest, until there is room for one of `count` records. */
static void make_room(struct stream *stream, size_t count)
{
	size_t drop = 0;

	while (drop < stream->npages &&
	       (stream->npages - drop == STREAM_PAGES ||
		stream->next - stream->pages[drop]->first + count > STREAM_HISTORY))
		page_release(stream->pages[drop++]);
	stream->npages -= drop;
	memmove(&stream->pages[0], &stream->pages[drop],
		stream->npages * sizeof(struct snap_page *));
}

/* When the first `count` pending records end, all up to `until`: at the tick if that is not known. */
static uint64_t page_end(const struct build *build, size_t count, uint64_t until)
{
	const struct stream *stream = build->model->stream;
	uint64_t end = until < build->tick->now_ns ? until : build->tick->now_ns;

	if (count > 0 && stream->pending[count - 1].time_ns > end)
		end = stream->pending[count - 1].time_ns;
	return end;
}

/* Of the first `count` pending records, all up to `until`, and what was left out. */
static void add_page(const struct build *build, size_t count, uint64_t until)
{
	struct stream *stream = build->model->stream;
	size_t all = count + count_left_out(stream);
	struct filling filling = { .build = build, .stream = stream };

	if (all == 0)
		return;
	filling.page = page_new(all);
	filling.page->first = stream->next;
	filling.end_ns = page_end(build, count, until);
	filling.names = xcalloc(build->model->nrows + 1, sizeof(*filling.names));
	for (size_t i = 0; i < count; i++)
		fill(&filling, &stream->pending[i]);
	for (uint32_t event = 0; event < stream->nquotas; event++) {
		if (stream->quotas[event].left_out > 0)
			fill_left_out(&filling, stream->quotas[event].left_out, "samples",
				      event_name(&filling, event));
	}
	if (stream->alerts.left_out > 0)
		fill_left_out(&filling, stream->alerts.left_out, "losses and throttlings", "");
	free(filling.names);
	make_room(stream, all);
	stream->pages[stream->npages++] = filling.page;
	stream->next += all;
}

/* The raw data of the first `count` pending records, moved to memory of its own. */
static void move_bytes(struct stream *stream, size_t count)
{
	struct strbuf moved;

	strbuf_init(&moved);
	for (size_t i = 0; i < count; i++) {
		struct pending *pending = &stream->pending[i];

		size_t at = moved.len;

		strbuf_add(&moved, stream->bytes.text + pending->raw_at, pending->raw_size);
		pending->raw_at = at;
	}
	strbuf_fini(&stream->bytes);
	stream->bytes = moved;
}

/* Drop the first `count` pending records, and the raw data of these. */
static void drop_pending(struct stream *stream, size_t count)
{
	size_t kept = stream->npending - count;

	stream->npending = kept;
	if (kept == 0) {
		strbuf_clear(&stream->bytes);
		return;
	}
	memmove(stream->pending, stream->pending + count, kept * sizeof(*stream->pending));
	move_bytes(stream, kept);
}

void build_stream(const struct build *build)
{
	struct stream *stream = build->model->stream;
	size_t count = 0;

	if (stream == NULL)
		return;

	uint64_t until = complete_until(build);
	set_offset(stream, build->tick);
	if (stream->npending > 0)
		qsort(stream->pending, stream->npending, sizeof(*stream->pending), by_time);
	while (count < stream->npending && stream->pending[count].time_ns <= until)
		count++;
	add_page(build, count, until);
	drop_pending(stream, count);
	stream_next_interval(build->model, build->tick->target_s);
	snapshot_add_pages(build->snap, stream->pages, stream->npages);
}
