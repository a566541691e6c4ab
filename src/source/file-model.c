/* SPDX-License-Identifier: MIT */
#include "source/file-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/xalloc.h"
#include "capture/evset.h"
#include "source/fd-counts.h"
#include "source/file-clock.h"
#include "source/file-counts.h"
#include "source/file-events.h"
#include "source/file-resolver.h"
#include "source/file-row.h"
#include "source/symbol-event.h"

/* At most so many CPUs are added from the file's header; others when a record names them. */
#define CPUS_AT_START 512

struct event {
	uint32_t number; /* in the model; EVSET_OWNER for events without a row: dummies, no room */
	bool is_off;
	struct file_event of;
};

struct file_model {
	const struct perfdata *data;
	struct file_symbols *symbols;
	struct model_keep keep;
	struct decoder *decoder; /* its event numbers are the file's */
	struct model *model;
	struct file_resolver *resolver;
	struct fd_counts *groups;  /* of their members */
	struct fd_counts *samples; /* of other fds than those of the last samples: value, losses */
	struct fd_counts *stats;   /* of what perf stat counted: STAT_VALUES of each fd */
	bool has_rounds;    /* of perf stat: what is counted after the last one is not shown */
	uint32_t first_cpu; /* of the first count, before there is a model */
	uint64_t changes;   /* perfdata_changes() at the last file_model_sync() */
	struct event *events;
	size_t nevents;
	struct file_counts counts;
	size_t nrows;
	bool has_lost, has_switches, has_noted_cpu;
	bool tells_losses;    /* of its events, as they happen */
	bool has_kernel_code; /* an event with symbols has samples in the kernel */
	bool has_stream;      /* the model keeps records, once there is one */
	bool *off; /* [noff] of the first events, whether they are off from the start; or NULL */
	size_t noff;
	uint64_t now_ns;
};

/* --- room ----------------------------------------------------------------------------------- */

static void grow_model(struct file_model *file)
{
	if (file->model != NULL)
		model_grow(file->model, file->counts.capacity, &file->counts.cpus);
}

static void grow_events(struct file_model *file, size_t capacity)
{
	file_counts_grow(&file->counts, capacity);
	grow_model(file);
}

static uint32_t slot_of_cpu(struct file_model *file, uint32_t cpu)
{
	size_t before = file->counts.cpus.count;
	uint32_t slot = file_counts_slot(&file->counts, cpu);

	if (file->counts.cpus.count > before)
		grow_model(file);
	return slot;
}

/* --- events --------------------------------------------------------------------------------- */

static uint32_t find_symbol_event(const struct file_model *file)
{
	struct symbol_event best = symbol_event_none();

	for (size_t i = 0; i < file->nevents; i++) {
		if (!file->events[i].is_off && file->events[i].number != EVSET_OWNER)
			symbol_event_offer(&best, (uint32_t)i,
					   &perfdata_event(file->data, i)->attr);
	}
	return best.number;
}

/* What its ring lost is told at the end, by perf record, or not by event. */
static bool lacks_lost(const struct file_model *file, const struct event *event)
{
	return event->of.is_of_samples && !file->tells_losses &&
	       (file->has_lost || file->nrows > 1);
}

static void tell_model(struct file_model *file, size_t number, bool is_symbol_event)
{
	const struct event *event = &file->events[number];
	const struct file_row row = {
		.data = file->data,
		.event = perfdata_event(file->data, number),
		.of = &event->of,
		.is_off = event->is_off,
		.lacks_lost = lacks_lost(file, event),
		.is_symbol_event = is_symbol_event,
	};

	file_row_tell(file->model, event->number, &row);
	file->has_kernel_code |= file_row_has_code(&row) && !event->is_off &&
				 !row.event->attr.exclude_kernel;
}

static void tell_events(struct file_model *file)
{
	uint32_t symbol_event = find_symbol_event(file);

	file->has_kernel_code = false;
	for (size_t i = 0; i < file->nevents; i++) {
		if (file->events[i].number == EVSET_OWNER)
			continue;
		tell_model(file, i, i == symbol_event);
	}
}

static void add_event(struct file_model *file, size_t number)
{
	const struct perfdata_event *info = perfdata_event(file->data, number);
	bool is_hidden = file_event_is_dummy(info);
	struct event event = {
		.number = is_hidden ? EVSET_OWNER : (uint32_t)(EVSET_FIRST + file->nrows),
		.is_off = number < file->noff && file->off[number],
		.of = file_event_of(info),
	};

	if (!is_hidden && !file_counts_fits(&file->counts, event.number + 1))
		event.number = EVSET_OWNER; /* no room for its row */
	if (event.number >= file->counts.capacity)
		grow_events(file, (event.number + 1) * 2);
	if (event.number != EVSET_OWNER) {
		file_resolver_event(file->resolver, event.number, number);
		file->nrows++;
	}
	file->events = xreallocarray(file->events, number + 1, sizeof(event));
	file->events[number] = event;
	file->nevents = number + 1;
	decoder_add_event(file->decoder, (uint32_t)number, &info->attr, info->ids, info->nids);
}

/* Without ids all records are of the first event. */
static void place_ids(struct file_model *file)
{
	struct record_ids ids = file_events_ids(file->data);

	if (file->nevents > 1 && !ids.has_ids && !file_events_are_counted(file->data))
		model_note(file->model,
			   "the file's records do not say their event: all are counted with "
			   "the first event");
	decoder_set_ids(file->decoder, &ids, file->nevents > 0 ? 0 : DECODER_NO_EVENT);
}

static void to_model(void *ctx, uint32_t slot, uint32_t event, const struct record *record);

/* Called at the first record: only then is the origin known from a pipe too. */
static void make_model(struct file_model *file)
{
	const struct perfdata_origin *origin = perfdata_origin(file->data);
	struct model_config config = {
		.cpus = &file->counts.cpus,
		.capacity = file->counts.capacity,
		.owner = EVSET_OWNER,
		.switches = EVSET_SWITCH,
		.first = EVSET_FIRST,
		.keep = file->keep,
		.has_self = true,
		.self_pid = -2, /* no task's: the recording program is shown like others */
		.has_lost = file->has_lost,
		.has_switches = file->has_switches,
		.keeps_names = true,
		.host = origin->hostname != NULL ? origin->hostname : "?",
		.kernel = origin->osrelease != NULL ? origin->osrelease : "?",
	};
	struct model_resolver hooks = file_resolver_hooks(file->resolver);

	file->model = model_new(&config, &hooks);
	if (file->has_stream)
		model_stream(file->model);
	if (file->now_ns != 0)
		model_start(file->model, file->now_ns);
}

static void look_at_attrs(struct file_model *file)
{
	for (size_t i = 0; i < perfdata_count(file->data); i++) {
		const struct perf_event_attr *attr = &perfdata_event(file->data, i)->attr;

		file->has_switches |= attr->context_switch;
		file->has_lost |= (attr->read_format & ABI_FORMAT_LOST) != 0;
	}
}

static void begin_cpus(struct file_model *file)
{
	uint32_t count = file_events_cpus(file->data);

	if (!file_events_have_cpus(file->data)) {
		slot_of_cpu(file, file->first_cpu);
		return;
	}
	for (uint32_t cpu = 0; cpu < count && cpu < CPUS_AT_START; cpu++)
		slot_of_cpu(file, cpu);
}

void file_model_sync(struct file_model *file)
{
	if (file->model != NULL && file->changes == perfdata_changes(file->data))
		return;
	file->changes = perfdata_changes(file->data);
	if (file->model == NULL) {
		look_at_attrs(file);
		grow_events(file, EVSET_FIRST + perfdata_count(file->data));
		begin_cpus(file);
	}
	for (size_t i = file->nevents; i < perfdata_count(file->data); i++)
		add_event(file, i);
	if (file->model == NULL)
		make_model(file);
	tell_events(file);
	place_ids(file);
}

/* --- records -------------------------------------------------------------------------------- */

static uint32_t slot_of(struct file_model *file, const struct event *event,
			const struct record *record)
{
	uint32_t cpu = PERFDATA_CPU_UNKNOWN;

	/* perf record writes LOST_SAMPLES itself, with an id but without a CPU. */
	if (record->type == PERF_RECORD_LOST_SAMPLES || !event->of.has_cpu)
		cpu = perfdata_cpu_of(file->data, record->id);
	if (cpu == PERFDATA_CPU_UNKNOWN && event->of.has_cpu)
		cpu = record->cpu;
	if (cpu == PERFDATA_CPU_UNKNOWN && !model_is_of_cpu(record->type))
		return MODEL_NO_SLOT;
	return slot_of_cpu(file, cpu);
}

static void add_lost(struct file_model *file, const struct event *event, uint32_t slot,
		     uint64_t lost)
{
	struct count *count = &file_counts_of(&file->counts, slot)[event->number];

	count->lost += lost;
	if (event->of.is_of_samples)
		count->value += lost * event->of.weight;
}

/* One with a time is of our own recordings, which have one at each tick. */
static void take_loss(struct file_model *file, const struct event *event, uint32_t slot,
		      const struct record *record)
{
	add_lost(file, event, slot, record->lost_samples.lost);
	if (file->tells_losses || record->time_ns == 0)
		return;
	file->tells_losses = true;
	tell_events(file);
}

static void add_sample(struct file_model *file, const struct event *event, uint32_t slot,
		       const struct record *record)
{
	struct count *count = &file_counts_of(&file->counts, slot)[event->number];

	if (record->has_value)
		count->value += model_growth(file->model, slot, event->number, record);
	else
		count->value += event->of.has_period ? record->period : event->of.weight;
}

/* A sample of the leader is one of each member whose count grew, as perf report has it. */
static void take_group(struct file_model *file, uint32_t slot, uint32_t number,
		       const struct record *record)
{
	for (uint64_t i = 0; i < record->nmembers; i++) {
		struct record_member member = record_member(record, i);
		uint32_t of = decoder_event_of(file->decoder, member.id);
		struct record sample = *record;

		if (of == DECODER_NO_EVENT || !file->events[of].of.is_grouped)
			continue;
		sample.nmembers = 0;
		sample.id = member.id;
		sample.period = member.value;
		fd_counts_growth(file->groups, member.id, &sample.period);
		if (of != number)
			sample.raw = NULL;
		if (sample.period != 0)
			to_model(file, slot, of, &sample);
	}
}

static void to_model(void *ctx, uint32_t unused, uint32_t number, const struct record *record)
{
	struct file_model *file = ctx;
	const struct event *event = &file->events[number];
	uint32_t slot = slot_of(file, event, record);

	(void)unused;
	if (record->nmembers > 0) {
		take_group(file, slot, number, record);
		return;
	}
	if (record->has_value)
		fd_counts_turn(file->samples, file->decoder,
			       model_last_sample(file->model, slot, event->number),
			       record->value_id);
	if (event->is_off && record->type == PERF_RECORD_SAMPLE) {
		model_leave_out(file->model, slot, event->number, record);
		return;
	}
	if (record->type == PERF_RECORD_SAMPLE)
		add_sample(file, event, slot, record);
	else if (record->type == PERF_RECORD_LOST_SAMPLES)
		take_loss(file, event, slot, record);
	/* Without losses by event (before Linux 6.0): the only event gets the ring's. */
	else if (record->type == PERF_RECORD_LOST && !file->has_lost && file->nrows == 1)
		add_lost(file, event, slot, record->lost.lost);
	else
		file_symbols_map(file->symbols, record);
	model_record(file->model, slot, event->number, record);
}

bool file_model_peek(struct file_model *file, const struct perf_event_header *header,
		     struct decoder_peek *peek)
{
	if (!decoder_peek(file->decoder, header, peek))
		return false;
	if (!file_clock_is_time(peek->time_ns))
		peek->time_ns = 0;
	return true;
}

void file_model_feed(struct file_model *file, const struct decoder_peek *peek,
		     const struct perf_event_header *header)
{
	decoder_feed_peeked(file->decoder, 0, peek, header);
}

void file_model_stat(struct file_model *file, const struct stat_count *stat)
{
	if (file->model == NULL)
		file->first_cpu = stat->cpu;
	file_model_sync(file);

	uint32_t number = decoder_event_of(file->decoder, stat->id);
	if (number == DECODER_NO_EVENT || file->events[number].number == EVSET_OWNER)
		return;

	uint32_t slot = slot_of_cpu(file, stat->cpu);
	struct count *count = &file_counts_of(&file->counts, slot)[file->events[number].number];
	uint64_t growth[STAT_VALUES];

	memcpy(growth, stat->values, sizeof(growth));
	fd_counts_growth(file->stats, stat->id, growth);
	if (file->events[number].is_off)
		return;
	count->value += growth[STAT_VALUE];
	count->enabled_ns += growth[STAT_ENABLED_NS];
	count->running_ns += growth[STAT_RUNNING_NS];
}

static void pass_counts(struct file_model *file, uint64_t now_ns)
{
	for (uint32_t slot = 0; slot < file->counts.cpus.count; slot++)
		model_counts(file->model, slot, file_counts_of(&file->counts, slot),
			     file->nrows + EVSET_FIRST, now_ns, MARK_IN_TIME);
}

void file_model_end_round(struct file_model *file, uint64_t now_ns)
{
	file_model_sync(file);
	pass_counts(file, now_ns);
	file->has_rounds = true;
}

/* --- ticks ---------------------------------------------------------------------------------- */

void file_model_start(struct file_model *file, uint64_t now_ns)
{
	file->now_ns = now_ns;
	if (file->model != NULL)
		model_start(file->model, now_ns);
}

struct snapshot *file_model_tick(struct file_model *file, struct model_tick *tick)
{
	file_model_sync(file); /* a file without records needs a model too */
	if (!file->has_rounds)
		pass_counts(file, tick->now_ns);
	if (file_counts_has_unknown(&file->counts) && !file->has_noted_cpu)
		model_note(file->model, "some of the file's records do not say their CPU");
	file->has_noted_cpu = file_counts_has_unknown(&file->counts);
	const char *note = file->has_kernel_code ? file_symbols_note(file->symbols) : NULL;
	if (note != NULL)
		model_note(file->model, note);
	tick->unknown_records = decoder_stats(file->decoder)->unknown_types;
	return model_tick(file->model, tick);
}

void file_model_toggle(struct file_model *file, uint32_t row)
{
	for (size_t i = 0; i < file->nevents; i++) {
		if (file->events[i].number != EVSET_FIRST + row)
			continue;
		file->events[i].is_off = !file->events[i].is_off;
		tell_events(file); /* the event of the symbols can have changed */
	}
}

void file_model_zero(struct file_model *file)
{
	if (file->model != NULL)
		model_zero(file->model);
}

void file_model_stream(struct file_model *file)
{
	file->has_stream = true;
	if (file->model != NULL)
		model_stream(file->model);
}

void file_model_note(struct file_model *file, const char *text)
{
	if (file->model != NULL)
		model_note(file->model, text);
}

/* --- life ----------------------------------------------------------------------------------- */

struct file_model *file_model_new(const struct perfdata *data, struct file_symbols *symbols,
				  struct model_keep keep)
{
	struct file_model *file = xcalloc(1, sizeof(*file));
	struct record_sink sink = { .ctx = file, .record = to_model };

	file->data = data;
	file->symbols = symbols;
	file->keep = keep;
	file->decoder = decoder_new(&sink);
	file->resolver = file_resolver_new(data, symbols);
	file->groups = fd_counts_new(1);
	file->samples = fd_counts_new(2);
	file->stats = fd_counts_new(STAT_VALUES);
	file->first_cpu = PERFDATA_CPU_UNKNOWN;
	file_counts_init(&file->counts);
	return file;
}

struct file_model *file_model_again(const struct file_model *file)
{
	struct file_model *again = file_model_new(file->data, file->symbols, file->keep);

	again->has_stream = file->has_stream;
	again->noff = file->nevents;
	again->off = xcalloc(file->nevents + 1, sizeof(*again->off));
	for (size_t i = 0; i < file->nevents; i++)
		again->off[i] = file->events[i].is_off;
	return again;
}

void file_model_free(struct file_model *file)
{
	if (file == NULL)
		return;

	decoder_free(file->decoder);
	model_free(file->model);
	file_resolver_free(file->resolver);
	fd_counts_free(file->groups);
	fd_counts_free(file->samples);
	fd_counts_free(file->stats);
	free(file->events);
	file_counts_fini(&file->counts);
	free(file->off);
	free(file);
}
