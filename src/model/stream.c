/* SPDX-License-Identifier: MIT */
#include "model/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void model_stream(struct model *model)
{
	if (model->stream != NULL)
		return;
	model->stream = xcalloc(1, sizeof(*model->stream));
	strbuf_init(&model->stream->bytes);
	stream_next_interval(model, 1); /* until the interval is known */
}

void stream_free(struct stream *stream)
{
	if (stream == NULL)
		return;

	for (size_t i = 0; i < stream->npages; i++)
		page_release(stream->pages[i]);
	free(stream->pending);
	strbuf_fini(&stream->bytes);
	free(stream->quotas);
	free(stream);
}

static size_t count_sampled(const struct model *model)
{
	size_t count = 0;

	for (size_t i = 0; i < model->nrows; i++)
		count += model->rows[i].state == EVENT_STATE_ON &&
			 model->rows[i].sampling != SAMPLING_NONE;
	return count;
}

void stream_next_interval(struct model *model, double seconds)
{
	struct stream *stream = model->stream;
	double wanted = STREAM_PER_SECOND * seconds;
	size_t pool = wanted < STREAM_LEAST ? STREAM_LEAST :
		      wanted > STREAM_MOST  ? STREAM_MOST :
					      (size_t)wanted;

	/* Half of it in equal parts; the side-band has a part, too. */
	stream->reserve = pool / 2 / (count_sampled(model) + 1);
	stream->shared = pool / 2;
	if (stream->nquotas < model->config.capacity) {
		stream->nquotas = model->config.capacity;
		stream->quotas =
			xreallocarray(stream->quotas, stream->nquotas, sizeof(*stream->quotas));
	}
	memset(stream->quotas, 0, stream->nquotas * sizeof(*stream->quotas));
	stream->alerts = (struct stream_quota){ 0 };
}

/* --- keeping ---------------------------------------------------------------------------------- */

static bool has_room(struct stream *stream, uint32_t event)
{
	struct stream_quota *quota = event < stream->nquotas ? &stream->quotas[event] : NULL;

	if (quota == NULL)
		return false; /* of a file, which has got events since the last tick */
	if (quota->kept >= stream->reserve) {
		if (stream->shared == 0) {
			quota->left_out++;
			return false;
		}
		stream->shared--;
	}
	quota->kept++;
	return true;
}

static struct pending *add(struct stream *stream, uint32_t slot, uint32_t event,
			   const struct record *record)
{
	if (stream->npending == stream->pending_room) {
		stream->pending_room = stream->pending_room == 0 ? 64 : stream->pending_room * 2;
		stream->pending = xreallocarray(stream->pending, stream->pending_room,
						sizeof(*stream->pending));
	}
	struct pending *pending = &stream->pending[stream->npending++];

	*pending = (struct pending){
		.time_ns = record->time_ns,
		.number = stream->decoded++,
		.slot = slot,
		.event = event,
		.type = record->type,
		.misc = record->misc,
		.tid = -1,
	};
	return pending;
}

static void add_bytes(struct stream *stream, struct pending *pending, const struct record *record)
{
	if (record->raw == NULL || record->raw_size > LAST_RAW_BYTES)
		return;
	pending->raw_at = stream->bytes.len;
	pending->raw_size = record->raw_size;
	strbuf_add(&stream->bytes, (const char *)record->raw, record->raw_size);
}

static void set_task(struct pending *pending, int32_t tid, const struct task *task)
{
	pending->tid = tid;
	if (task != NULL)
		memcpy(pending->comm, task->comm, sizeof(pending->comm));
}

void stream_sample(struct model *model, uint32_t slot, uint32_t event, const struct record *record,
		   const struct task *task, uint64_t count)
{
	if (model_is_own(model, (int32_t)record->pid) || !has_room(model->stream, event))
		return;

	struct pending *pending = add(model->stream, slot, event, record);
	if (task != NULL)
		set_task(pending, (int32_t)record->tid < 0 ? task->tid : (int32_t)record->tid,
			 task);
	pending->value = record->ip;
	pending->count = count;
	add_bytes(model->stream, pending, record);
}

/* --- other records ---------------------------------------------------------------------------- */

/* A record of `pid`, kept if it is not our own: NULL if it is not kept. */
static struct pending *add_of_task(struct model *model, uint32_t slot, uint32_t event,
				   const struct record *record, uint32_t pid, uint32_t tid)
{
	if (model_is_own(model, (int32_t)pid) || !has_room(model->stream, event))
		return NULL;

	struct pending *pending = add(model->stream, slot, event, record);
	set_task(pending, (int32_t)tid, tasks_find(model->tasks, (int32_t)tid));
	return pending;
}

static void add_fork(struct model *model, uint32_t slot, uint32_t event,
		     const struct record *record)
{
	struct pending *pending =
		add_of_task(model, slot, event, record, record->task.ppid, record->task.ptid);

	if (pending != NULL)
		pending->value = record->task.tid;
}

static void add_comm(struct model *model, uint32_t slot, uint32_t event,
		     const struct record *record)
{
	struct pending *pending =
		add_of_task(model, slot, event, record, record->comm.pid, record->comm.tid);
	size_t len = record->comm.name_len;

	if (pending != NULL)
		memcpy(pending->name, record->comm.name,
		       len < TASK_COMM_BYTES ? len : TASK_COMM_BYTES - 1);
}

static void add_alert(struct stream *stream, uint32_t slot, uint32_t event,
		      const struct record *record, uint64_t lost)
{
	if (stream->alerts.kept == STREAM_ALERTS) {
		stream->alerts.left_out++;
		return;
	}
	stream->alerts.kept++;
	add(stream, slot, event, record)->value = lost;
}

void stream_other(struct model *model, uint32_t slot, uint32_t event, const struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_FORK:
		add_fork(model, slot, event, record);
		break;
	case PERF_RECORD_EXIT:
		add_of_task(model, slot, event, record, record->task.pid, record->task.tid);
		break;
	case PERF_RECORD_COMM:
		add_comm(model, slot, event, record);
		break;
	case PERF_RECORD_LOST:
		add_alert(model->stream, slot, event, record, record->lost.lost);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		add_alert(model->stream, slot, event, record, 0);
		break;
	default:
		break;
	}
}
