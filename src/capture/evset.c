/* SPDX-License-Identifier: MIT */
#include "capture/evset.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/abi.h"
#include "capture/why.h"

/* 2 MiB a CPU lost nothing with two CPUs saturated at 2.5 M events/s (doc/performance.md). */
#define RING_BYTES_ROOT (2u << 20)
/* With many CPUs the sum matters more, and each sees less. */
#define RING_BYTES_MANY (512u << 10)
#define MANY_CPUS	32
/* What kernel.perf_event_mlock_kb allows everybody by default: 128 data pages and one more. */
#define RING_BYTES_USER (512u << 10)

struct slot {
	int cpu;
	struct ring *ring;
	int ring_fd;
	struct counters *counters;
	uint32_t generation; /* grows each time that the CPU comes back */
};

struct evset {
	struct evset_config config;
	size_t targets;
	bool has_rings;
	size_t pages;		    /* of each ring that there is */
	struct slot *slots;	    /* [config.cpus.count] */
	struct evset_event *events; /* [config.capacity] */
	size_t count;
};

/* --- one event ------------------------------------------------------------------------------ */

static int target_pid(const struct evset *set, size_t target)
{
	return set->config.pids != NULL ? set->config.pids[target] : -1;
}

static int open_fd(const struct evset *set, uint32_t number, size_t slot, size_t target)
{
	const struct evset_event *event = &set->events[number];
	const struct access *access = set->config.access;
	union abi_attr attr;

	/* A PMU that the machine lacks: perf_event_open's own answer, also where the opener checks first. */
	if (event->spec.type == EVENT_TYPE_NONE) {
		errno = ENOENT;
		return -1;
	}
	attr_widen(&attr, &event->attr, &event->spec);

	/*
	 * The rings' owner stays with the whole CPU, and so names every task; switch records, like
	 * counts, are then only those of the cgroup's tasks.
	 */
	if (set->config.cgroup_fd >= 0 && number != EVSET_OWNER &&
	    !set->events[number].spec.is_uncore)
		return access->open_event(access->ctx, &attr.attr, event->spec.path,
					  set->config.cgroup_fd, set->slots[slot].cpu,
					  PERF_FLAG_PID_CGROUP);
	return access->open_event(access->ctx, &attr.attr, event->spec.path,
				  target_pid(set, target), set->slots[slot].cpu, 0);
}

static void close_fd(const struct evset *set, int fd)
{
	set->config.access->close_event(set->config.access->ctx, fd);
}

static uint64_t *id_at(const struct evset *set, struct evset_event *event, size_t slot,
		       size_t target)
{
	return &event->ids[slot * set->targets + target];
}

/* Close what is open of it, everywhere. */
static void close_event(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];

	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_clear(set->slots[slot].counters, number, target);

			if (fd >= 0)
				close_fd(set, fd);
			*id_at(set, event, slot, target) = 0;
		}
	}
}

/* An event with samples writes into its CPU's ring; where there is none it only counts. */
static int join_ring(const struct slot *slot, int fd)
{
	if (slot->ring == NULL)
		return 0;
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, slot->ring_fd);
}

static int set_filter(struct evset_event *event, int fd)
{
	if (event->spec.filter == NULL ||
	    ioctl(fd, PERF_EVENT_IOC_SET_FILTER, event->spec.filter) == 0)
		return 0;
	/* ENOENT, EPERM, ESRCH: what its parser returns means nothing, and must not look like more. */
	event->is_filter_refused = true;
	errno = EINVAL;
	return -1;
}

static int open_one(struct evset *set, uint32_t number, size_t slot, size_t target)
{
	struct evset_event *event = &set->events[number];
	int fd = open_fd(set, number, slot, target);

	if (fd < 0)
		return -1;
	if (set_filter(event, fd) < 0 || join_ring(&set->slots[slot], fd) < 0 ||
	    ioctl(fd, PERF_EVENT_IOC_ID, id_at(set, event, slot, target)) < 0) {
		int error = errno;

		close_fd(set, fd);
		errno = error;
		return -1;
	}
	counters_set(set->slots[slot].counters, number, target, fd,
		     event->generation + set->slots[slot].generation);
	return 0;
}

/* A CPU that went offline or a task that ended in the meantime is no reason to do without the rest. */
static bool is_gone(const struct evset *set, int error)
{
	if (error == ENODEV)
		return set->config.cpus.count > 1;
	return error == ESRCH && set->targets > 1;
}

/* Open it for every target on one CPU: how many, or -1 and errno with nothing closed yet. */
static int open_on_slot(struct evset *set, uint32_t number, size_t slot, struct why_place *place)
{
	const struct cpulist *only = &set->events[number].spec.cpus;
	int opened = 0;

	/* A PMU of some CPUs, or of the whole machine and asked through one CPU. */
	if (only->count > 0 && cpulist_find(only, set->slots[slot].cpu) < 0)
		return 0;
	for (size_t target = 0; target < set->targets; target++) {
		if (open_one(set, number, slot, target) == 0) {
			opened++;
			continue;
		}
		place->error = errno;
		place->cpu = set->slots[slot].cpu;
		place->pid = target_pid(set, target);
		if (!is_gone(set, place->error))
			return -1;
	}
	return opened;
}

/* On all CPUs or on none: 0, or -1 and place->error. */
static int open_everywhere(struct evset *set, uint32_t number, struct why_place *place)
{
	int opened = 0;

	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		int here = open_on_slot(set, number, slot, place);

		if (here < 0) {
			close_event(set, number);
			return -1;
		}
		opened += here;
	}
	return opened > 0 ? 0 : -1;
}

/* --- opening with what the kernel lets us ---------------------------------------------------- */

static struct attr_plan plan_for(const struct evset *set, const struct event_spec *spec)
{
	struct attr_plan plan = {
		.sampling = set->config.sampling,
		.rate = set->config.rate,
		.is_inherited = set->config.is_inherited,
		.is_enabled_on_exec = set->config.is_enabled_on_exec,
		.has_raw = true,
	};

	/* A clock never stands still, so its rate is not the other events' rate. */
	if (plan.sampling == ATTR_FREQ && set->config.clock_rate > 0 &&
	    (spec->is_clock || spec->kind == EVENT_HARDWARE))
		plan.rate = set->config.clock_rate;
	/* Every n-th nanosecond is nothing to sample: the kernel's floor is 10 us a sample. */
	if (plan.sampling == ATTR_PERIOD && spec->is_clock && set->config.clock_rate > 0) {
		plan.sampling = ATTR_FREQ;
		plan.rate = set->config.clock_rate;
	}
	if (!set->has_rings)
		plan.sampling = ATTR_COUNT;
	attr_plan_apply(&plan, spec);
	return plan;
}

static void add_reason(struct evset_event *event, const char *text)
{
	char *reason = event->reason == NULL ? xstrdup(text) :
					       xasprintf("%s; %s", event->reason, text);

	free(event->reason);
	event->reason = reason;
}

/* What is to be said of it before it is opened. */
static void begin_reason(struct evset_event *event)
{
	free(event->reason);
	event->reason = event->spec.note != NULL ? xstrdup(event->spec.note) : NULL;
	if (event->spec.group != 0)
		add_reason(event, "not scheduled together with the others of its {}");
}

/* cycles without a PMU becomes cpu-clock, and its row is named so. */
static bool fall_back_to_clock(const struct evset *set, struct evset_event *event, int error)
{
	struct event_spec *spec = &event->spec;

	if (error != ENOENT || spec->type != PERF_TYPE_HARDWARE ||
	    spec->config != PERF_COUNT_HW_CPU_CYCLES ||
	    (set->config.is_strict && !spec->may_be_clock))
		return false;

	char *note = xasprintf("stands in for %s: this machine shows no hardware PMU", spec->name);
	event_spec_note(spec, note);
	free(note);
	begin_reason(event);
	free(spec->name);
	spec->name = spec->modifiers.text[0] == '\0' ?
			     xstrdup("cpu-clock") :
			     xasprintf("cpu-clock:%s", spec->modifiers.text);
	spec->kind = EVENT_SOFTWARE;
	spec->type = PERF_TYPE_SOFTWARE;
	spec->config = PERF_COUNT_SW_CPU_CLOCK;
	spec->modifiers.precise = 0;
	spec->is_clock = true;
	return true;
}

static size_t fds_need(const struct evset *set)
{
	return set->config.cpus.count * set->targets * set->config.capacity;
}

static void fail(struct evset *set, struct evset_event *event, struct why_place *place)
{
	place->fds_need = fds_need(set);
	place->has_root = set->config.access->has_root;
	place->is_cgroup = set->config.cgroup_fd >= 0;
	free(event->reason);
	event->reason =
		event->is_filter_refused ?
			xasprintf("EINVAL: the kernel rejects the filter: %s", event->spec.filter) :
			why_open(place->error, &event->spec, place);
	event->state = EVSET_FAILED;
}

static int try_open(struct evset *set, uint32_t number, const struct attr_plan *plan,
		    struct why_place *place)
{
	struct evset_event *event = &set->events[number];

	*place = (struct why_place){ .cpu = -1, .pid = -1, .error = ENODEV };
	event->is_filter_refused = false;
	attr_event(&event->attr, &event->spec, plan, set->config.features);
	return open_everywhere(set, number, place);
}

/* perf's rule, for who did not ask for the kernel and may not have it. */
static bool leave_kernel_out(struct event_spec *spec, int error)
{
	if ((error != EACCES && error != EPERM) || spec->modifiers.exclude_kernel ||
	    strpbrk(spec->modifiers.text, "ukh") != NULL || !event_fires_in_user_mode(spec) ||
	    why_paranoid() <= 1)
		return false;
	spec->modifiers.exclude_kernel = spec->modifiers.exclude_hv = true;
	return true;
}

static bool sample_less(struct event_spec *spec, struct attr_plan *plan, int error)
{
	/* irq_vectors:irq_work_exit may be counted and not sampled: sampling it would cause it. */
	bool is_refused = error == EPERM && spec->kind == EVENT_TRACEPOINT;

	if (error != EINVAL && error != EOPNOTSUPP && !is_refused)
		return false;
	if (spec->modifiers.is_precise_max && spec->modifiers.precise > 0) {
		spec->modifiers.precise--;
		return true;
	}
	/* msr and most uncore PMUs have no interrupt to sample by; virtual machines' may not either. */
	if (plan->sampling == ATTR_COUNT || spec->kind == EVENT_SOFTWARE ||
	    (spec->kind == EVENT_TRACEPOINT && !is_refused))
		return false;
	spec->is_count_only = true;
	plan->sampling = ATTR_COUNT;
	return true;
}

/* What an event may do without, one thing at a time: false when there is nothing left to give up. */
static bool ask_for_less(struct evset *set, struct evset_event *event, struct attr_plan *plan,
			 int error)
{
	if (fall_back_to_clock(set, event, error)) {
		*plan = plan_for(set, &event->spec);
		return true;
	}
	if (leave_kernel_out(&event->spec, error))
		return true;
	if ((error == EPERM || error == EACCES) && (event->attr.sample_type & PERF_SAMPLE_RAW)) {
		/* The fields of most tracepoints are for the privileged; counting is not. */
		plan->has_raw = false;
		return true;
	}
	return sample_less(&event->spec, plan, error);
}

/* Say what it runs without, and name its row so. */
static void say_less(struct evset_event *event, const struct event_spec *asked)
{
	struct event_spec *spec = &event->spec;

	if (spec->is_count_only && !asked->is_count_only)
		add_reason(event, spec->kind == EVENT_TRACEPOINT ?
					  "counted only: the kernel refuses to sample it" :
					  "counted only: its PMU does not sample it");
	if (!spec->modifiers.exclude_kernel || asked->modifiers.exclude_kernel)
		return;

	bool has_letters = spec->modifiers.text[0] != '\0' || strchr(spec->name, '/') != NULL;
	char *name = xasprintf("%s%su", spec->name, has_letters ? "" : ":");
	free(spec->name);
	spec->name = name;
	add_reason(event, "user mode only: the kernel's part takes more rights");
}

/*
 * Two events on one software counter share a perf_sample_data in the kernel (do_perf_sw_event of
 * 6.18), and with it the id of the first: 48 and 48 page faults came as 96 and 0 samples.  So only
 * one of them has samples.  Tracepoints are not affected, nor are the clocks, which have timers.
 */
static bool has_twin(const struct evset *set, uint32_t number)
{
	const struct event_spec *spec = &set->events[number].spec;

	for (uint32_t i = EVSET_FIRST; i < set->count; i++) {
		const struct evset_event *other = &set->events[i];

		if (i != number && other->state == EVSET_ON && other->attr.sample_period != 0 &&
		    !spec->is_clock && spec->type == PERF_TYPE_SOFTWARE &&
		    other->spec.type == spec->type && other->spec.config == spec->config)
			return true;
	}
	return false;
}

static void open_event(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];
	struct event_spec asked = event->spec; /* its texts are not looked at */
	struct attr_plan plan = plan_for(set, &event->spec);
	struct why_place place;

	if (plan.sampling != ATTR_COUNT && has_twin(set, number)) {
		plan.sampling = ATTR_COUNT;
		add_reason(event,
			   "counted only: the kernel would mix up its samples with another's");
	}

	int result = try_open(set, number, &plan, &place);

	while (result < 0 && ask_for_less(set, event, &plan, place.error))
		result = try_open(set, number, &plan, &place);
	if (result == 0) {
		event->state = EVSET_ON;
		say_less(event, &asked);
		return;
	}
	/* A PMU that cannot leave the kernel out: what was refused first is the reason. */
	if (place.error == EINVAL && event->spec.modifiers.exclude_kernel &&
	    !asked.modifiers.exclude_kernel)
		place.error = EACCES;
	event->spec.modifiers = asked.modifiers;
	event->spec.is_count_only = asked.is_count_only;
	fail(set, event, &place);
}

static struct evset_event *new_event(struct evset *set, const struct event_spec *spec)
{
	struct evset_event *event = &set->events[set->count++];

	event->spec = event_spec_copy(spec);
	event->ids = xcalloc(set->config.cpus.count * set->targets, sizeof(*event->ids));
	event->generation = 1;
	event->asked = xstrdup(spec->name);
	begin_reason(event);
	return event;
}

uint32_t evset_add(struct evset *set, const struct event_spec *spec)
{
	uint32_t number = (uint32_t)set->count;
	struct evset_event *event = new_event(set, spec);

	if (spec->fault != NULL) {
		free(event->reason);
		event->reason = xstrdup(spec->fault);
		event->state = EVSET_FAILED;
	} else if (spec->is_off) {
		event->state = EVSET_OFF;
	} else {
		open_event(set, number);
	}
	return number;
}

/* --- rings ---------------------------------------------------------------------------------- */

size_t evset_ring_bytes(const struct access *access, size_t cpus)
{
	if (!access->has_root && !sys_has_capability(CAP_IPC_LOCK))
		return RING_BYTES_USER;
	return cpus > MANY_CPUS ? RING_BYTES_MANY : RING_BYTES_ROOT;
}

static size_t default_pages(const struct evset_config *config)
{
	return evset_ring_bytes(config->access, config->cpus.count) / (size_t)sysconf(_SC_PAGESIZE);
}

/* Who owns the ring of a CPU: the dummy of the first target that has not ended yet; -1: nobody. */
static int find_owner(const struct evset *set, size_t slot)
{
	int fd = -1;

	for (size_t target = 0; fd < 0 && target < set->targets; target++)
		fd = counters_fd(set->slots[slot].counters, EVSET_OWNER, target);
	return fd;
}

/* Map the owner's ring on each CPU, all of one size: 0, or -1 and errno with none mapped. */
static int map_rings(struct evset *set, size_t pages)
{
	const struct access *access = set->config.access;

	for (size_t i = 0; i < set->config.cpus.count; i++) {
		struct slot *slot = &set->slots[i];

		if (slot->ring_fd < 0)
			continue;
		slot->ring = access->map_ring(access->ctx, slot->ring_fd, pages);
		if (slot->ring == NULL) {
			int error = errno;

			while (i-- > 0) {
				ring_close(set->slots[i].ring);
				set->slots[i].ring = NULL;
			}
			errno = error;
			return -1;
		}
	}
	return 0;
}

/* Open a dummy on each CPU for each target: 0, or -1 and the reason in *place, with none open. */
static int open_dummy(struct evset *set, uint32_t number, struct why_place *place)
{
	if (open_everywhere(set, number, place) == 0) {
		set->events[number].state = EVSET_ON;
		return 0;
	}
	set->events[number].state = EVSET_FAILED;
	return -1;
}

/* The other targets' owners write into the first one's ring. */
static void join_owners(struct evset *set, size_t slot)
{
	for (size_t target = 0; target < set->targets; target++) {
		int fd = counters_fd(set->slots[slot].counters, EVSET_OWNER, target);

		if (fd >= 0 && fd != set->slots[slot].ring_fd)
			join_ring(&set->slots[slot], fd);
	}
}

/*
 * Open the owner and map its ring on each CPU, of so many pages: 0, or -1 and errno with none mapped.
 * The watermark is the kernel's only here, from the attr of the event that is mapped
 * (kernel/events/ring_buffer.c, ring_buffer_init): another size takes another owner.
 */
static int open_owner(struct evset *set, struct attr_plan *plan, size_t pages,
		      struct why_place *place)
{
	/* A quarter of the ring: what comes while the reader wakes up has room three times over. */
	plan->watermark = (uint32_t)(pages * (size_t)sysconf(_SC_PAGESIZE) / 4);
	attr_owner(&set->events[EVSET_OWNER].attr, plan, set->config.features);
	close_event(set, EVSET_OWNER);
	bool is_open = open_dummy(set, EVSET_OWNER, place) == 0;
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		set->slots[slot].ring_fd = find_owner(set, slot);
	return is_open ? map_rings(set, pages) : -1;
}

/* Halve a refused size until it fits the budget; *reason says so when the size was asked for. */
static void open_rings_that_fit(struct evset *set, struct attr_plan *plan, char **reason)
{
	struct why_place place = { .cpu = -1, .pid = target_pid(set, 0) };
	size_t pages = set->config.pages != 0 ? set->config.pages : default_pages(&set->config);

	while (open_owner(set, plan, pages, &place) != 0) {
		int error = errno;

		if (set->events[EVSET_OWNER].state != EVSET_ON) {
			place.fds_need = fds_need(set);
			free(*reason);
			*reason = why_open(place.error, &set->events[EVSET_OWNER].spec, &place);
			return;
		}
		bool is_last = (error != EPERM && error != ENOMEM) || pages == 1;
		if (is_last || (set->config.pages != 0 && *reason == NULL)) {
			free(*reason);
			*reason = why_mmap(error, pages);
		}
		if (is_last)
			return;
		pages /= 2;
	}
	set->has_rings = true;
	set->pages = pages;
}

static void open_rings(struct evset *set, char **reason)
{
	static const struct event_spec owner = { .name = (char *)"dummy", .kind = EVENT_SOFTWARE };
	static const struct event_spec switches = { .name = (char *)"dummy (switch records)",
						    .kind = EVENT_SOFTWARE };
	struct attr_plan plan = {
		.is_inherited = set->config.is_inherited,
		.is_enabled_on_exec = set->config.is_enabled_on_exec,
	};
	struct why_place place = { .cpu = -1, .pid = target_pid(set, 0) };

	new_event(set, &owner)->state = EVSET_OFF;
	struct evset_event *event = new_event(set, &switches);
	attr_switch(&event->attr, &plan, set->config.features);
	event->state = EVSET_OFF;

	open_rings_that_fit(set, &plan, reason);
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		join_owners(set, slot);
	if (set->config.has_switches && set->config.features->has_context_switch && set->has_rings)
		open_dummy(set, EVSET_SWITCH, &place);
}

/* --- the whole set -------------------------------------------------------------------------- */

struct evset *evset_new(const struct evset_config *config, char **reason)
{
	struct evset *set = xcalloc(1, sizeof(*set));

	*reason = NULL;
	set->config = *config;
	set->targets = config->pids != NULL ? config->npids : 1;
	set->slots = xcalloc(config->cpus.count, sizeof(*set->slots));
	set->events = xcalloc(config->capacity, sizeof(*set->events));
	for (size_t i = 0; i < config->cpus.count; i++) {
		set->slots[i].cpu = config->cpus.ids[i];
		set->slots[i].ring_fd = -1;
		set->slots[i].counters = counters_new(config->capacity, set->targets);
		if (set->slots[i].counters == NULL) {
			evset_free(set);
			errno = ENOMEM;
			return NULL;
		}
	}
	open_rings(set, reason);
	return set;
}

void evset_free(struct evset *set)
{
	if (set == NULL)
		return;

	/* The rings' owners go last: an event without its ring would have nowhere to write. */
	for (size_t i = set->count; i-- > 0;) {
		close_event(set, (uint32_t)i);
		event_spec_fini(&set->events[i].spec);
		free(set->events[i].asked);
		free(set->events[i].reason);
		free(set->events[i].ids);
	}
	for (size_t i = 0; i < set->config.cpus.count; i++) {
		ring_close(set->slots[i].ring);
		counters_free(set->slots[i].counters);
	}
	free(set->events);
	free(set->slots);
	free(set);
}

static void each_fd(struct evset *set, uint32_t number, unsigned long request)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_fd(set->slots[slot].counters, number, target);

			if (fd >= 0)
				ioctl(fd, request, 0);
		}
	}
}

void evset_enable_all(struct evset *set)
{
	if (set->config.is_enabled_on_exec)
		return;
	for (uint32_t number = 0; number < set->count; number++) {
		if (set->events[number].state == EVSET_ON)
			each_fd(set, number, PERF_EVENT_IOC_ENABLE);
	}
}

void evset_close_slot(struct evset *set, size_t at)
{
	struct slot *slot = &set->slots[at];

	for (uint32_t number = (uint32_t)set->count; number-- > 0;) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_clear(slot->counters, number, target);

			if (fd >= 0)
				close_fd(set, fd);
			*id_at(set, &set->events[number], at, target) = 0;
		}
	}
	ring_close(slot->ring);
	slot->ring = NULL;
	slot->ring_fd = -1;
}

static int open_slot_ring(struct evset *set, size_t at, struct why_place *place)
{
	const struct access *access = set->config.access;
	struct slot *slot = &set->slots[at];

	if (open_on_slot(set, EVSET_OWNER, at, place) <= 0)
		return -1;
	slot->ring_fd = find_owner(set, at);
	slot->ring = access->map_ring(access->ctx, slot->ring_fd, set->pages);
	if (slot->ring == NULL)
		return -1;
	join_owners(set, at);
	return 0;
}

int evset_open_slot(struct evset *set, size_t at)
{
	struct why_place place = { .cpu = -1, .pid = -1 };
	struct slot *slot = &set->slots[at];

	slot->generation++;
	if (set->has_rings && open_slot_ring(set, at, &place) != 0) {
		evset_close_slot(set, at);
		return -1;
	}
	for (uint32_t number = EVSET_SWITCH; number < set->count; number++) {
		if (set->events[number].state == EVSET_ON &&
		    open_on_slot(set, number, at, &place) < 0) {
			evset_close_slot(set, at);
			return -1;
		}
	}
	counters_enable(slot->counters);
	return 0;
}

bool evset_is_slot_open(const struct evset *set, size_t at)
{
	const struct slot *slot = &set->slots[at];

	for (uint32_t number = 0; number < set->count; number++) {
		for (size_t target = 0; target < set->targets; target++) {
			if (counters_fd(slot->counters, number, target) >= 0)
				return true;
		}
	}
	return false;
}

static bool has_fds(const struct evset *set, uint32_t number)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		if (counters_fd(set->slots[slot].counters, number, 0) >= 0)
			return true;
	}
	return false;
}

void evset_switch_on(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];

	if (event->state != EVSET_OFF)
		return;
	if (has_fds(set, number)) {
		event->state = EVSET_ON;
	} else {
		event->generation++;
		begin_reason(event);
		open_event(set, number);
	}
	if (event->state == EVSET_ON)
		each_fd(set, number, PERF_EVENT_IOC_ENABLE);
}

void evset_switch_off(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];

	if (event->state != EVSET_ON)
		return;
	each_fd(set, number, PERF_EVENT_IOC_DISABLE);
	event->state = EVSET_OFF;
	free(event->reason);
	event->reason = xstrdup("f switches it on");
}

void evset_retire(struct evset *set, uint32_t number, struct closer *closer)
{
	struct evset_event *event = &set->events[number];

	if (event->state != EVSET_OFF)
		return;
	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_clear(set->slots[slot].counters, number, target);

			if (fd >= 0)
				closer_take(closer, fd);
		}
	}
}

void evset_set_filter(struct evset *set, uint32_t number, const char *text, struct closer *closer)
{
	struct evset_event *event = &set->events[number];
	bool was_on = event->state != EVSET_OFF && event->spec.fault == NULL;

	evset_switch_off(set, number);
	if (event->spec.fault == NULL)
		event->state = EVSET_OFF; /* one that failed may open with another filter */
	evset_retire(set, number, closer);
	free(event->spec.filter);
	event->spec.filter = text != NULL ? xstrdup(text) : NULL;
	if (was_on)
		evset_switch_on(set, number);
}

size_t evset_count(const struct evset *set)
{
	return set->count;
}

size_t evset_capacity(const struct evset *set)
{
	return set->config.capacity;
}

const struct evset_event *evset_event(const struct evset *set, uint32_t number)
{
	return &set->events[number];
}

size_t evset_slots(const struct evset *set)
{
	return set->config.cpus.count;
}

size_t evset_targets(const struct evset *set)
{
	return set->targets;
}

int evset_cpu(const struct evset *set, size_t slot)
{
	return set->slots[slot].cpu;
}

struct ring *evset_ring(const struct evset *set, size_t slot)
{
	return set->slots[slot].ring;
}

struct counters *evset_counters(const struct evset *set, size_t slot)
{
	return set->slots[slot].counters;
}

static void print_scope(const struct evset *set, size_t number, struct strbuf *out)
{
	strbuf_printf(out, "  %-24s ", "scope");
	if (set->config.cgroup_fd >= 0 && number != EVSET_OWNER)
		strbuf_puts(out, "a cgroup");
	else if (set->config.pids == NULL)
		strbuf_puts(out, "all tasks");
	for (size_t i = 0; set->config.pids != NULL && i < set->targets; i++)
		strbuf_printf(out, "%s%d", i == 0 ? "tasks " : ",", (int)set->config.pids[i]);
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		strbuf_printf(out, "%s%d", slot == 0 ? " on CPUs " : ",", set->slots[slot].cpu);
	strbuf_putc(out, '\n');
}

void evset_print_attrs(const struct evset *set, struct strbuf *out)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct evset_event *event = &set->events[i];
		static const char *const states[] = { "on", "off", "failed" };

		strbuf_printf(out, "%s (%s)\n", event->spec.name, states[event->state]);
		attr_print(out, &event->attr);
		if (event->spec.path != NULL)
			strbuf_printf(out, "  %-24s %s\n", "config1", event->spec.path);
		if (event->spec.config3 != 0)
			strbuf_printf(out, "  %-24s 0x%" PRIx64 "\n", "config3",
				      event->spec.config3);
		if (event->spec.filter != NULL)
			strbuf_printf(out, "  %-24s %s\n", "filter", event->spec.filter);
		print_scope(set, i, out);
	}
}
