/* SPDX-License-Identifier: MIT */
#include "capture/evset-inside.h"

#include <inttypes.h>

static void print_scope(const struct evset *set, uint32_t number, struct strbuf *out)
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

/* What precedence() in attr.c leaves to the leader. */
static void print_group(const struct evset *set, uint32_t number, struct strbuf *out)
{
	const struct evset_event *event = &set->events[number];
	const struct event_modifiers *modifiers = &event->spec.modifiers;

	if (!evset_is_member(event))
		return;
	strbuf_printf(out, "  %-24s %" PRIu32 ", led by ", "group", event->spec.group);
	if (event->is_read)
		strbuf_puts(out, set->events[evset_sampler(set, number)].spec.name);
	else
		strbuf_printf(out, "a dummy%s%s", modifiers->is_pinned ? ", pinned" : "",
			      modifiers->is_exclusive ? ", exclusive" : "");
	strbuf_putc(out, '\n');
}

void evset_print_attrs(const struct evset *set, struct strbuf *out)
{
	for (uint32_t i = 0; i < set->count; i++) {
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
		print_group(set, i, out);
		print_scope(set, i, out);
	}
}
