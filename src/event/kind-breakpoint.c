/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints: "mem:ADDR[/LEN][:rwx]", accesses to an address.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"

#define PREFIX "mem:"

/* --- -e: mem:ADDR[/LEN][:rwx][:MODIFIERS] ----------------------------------------------------- */

/* "rw", "x" in any order, each once: false when it is something else. */
static bool parse_access(struct span at, uint32_t *type)
{
	*type = 0;
	for (size_t i = 0; i < at.length; i++) {
		uint32_t bit = at.at[i] == 'r' ? HW_BREAKPOINT_R :
			       at.at[i] == 'w' ? HW_BREAKPOINT_W :
			       at.at[i] == 'x' ? HW_BREAKPOINT_X :
						 0;

		if (bit == 0 || (*type & bit) != 0)
			return false;
		*type |= bit;
	}
	return at.length > 0;
}

struct breakpoint {
	uint64_t address, length;
	uint32_t type;
};

static bool parse_place(struct parser *parser, const struct item *item,
			struct breakpoint *breakpoint, const char **end)
{
	const char *at = item->start + strlen(PREFIX);
	const char *colon = item_find(item, at, ':'), *slash = item_find(item, at, '/');

	if (slash != NULL && colon != NULL && slash > colon)
		slash = NULL;

	struct span address = item_span(item, at, slash != NULL ? slash : colon);
	if (!parser_number(address.at, address.length, &breakpoint->address)) {
		parser_refuse(parser, item, address, EVENT_BREAKPOINT,
			      "an address is missing here: mem:0xADDRESS[/LENGTH][:rwx]");
		return false;
	}
	if (slash != NULL) {
		struct span length = item_span(item, slash + 1, colon);

		if (!parser_number(length.at, length.length, &breakpoint->length) ||
		    breakpoint->length == 0) {
			parser_refuse(parser, item, length, EVENT_BREAKPOINT,
				      "a length in bytes is missing here: 1, 2, 4 or 8");
			return false;
		}
	}
	*end = colon;
	return true;
}

/* Take the ":rwx" at *colon and move *colon to the modifiers' (or NULL): false and a fault. */
static bool take_access(struct parser *parser, const struct item *item, const char **colon,
			uint32_t *type)
{
	const char *next = item_find(item, *colon + 1, ':');
	struct span access = item_span(item, *colon + 1, next);
	uint32_t given;

	if (parse_access(access, &given)) {
		*type = given;
		*colon = next;
		return true;
	}
	/* perf's rule: if it is no access it is modifiers, which must come last. */
	if (next == NULL && strspn(access.at, "rwx") < access.length)
		return true;
	if (next == NULL && access.length == 0)
		return true;
	parser_refuse(parser, item, access, EVENT_BREAKPOINT,
		      "an access is r, w, x or several of them, each once");
	return false;
}

static void parse_breakpoint(struct parser *parser, struct item *item)
{
	struct breakpoint breakpoint = { .type = HW_BREAKPOINT_RW };
	const char *colon;

	if (!parse_place(parser, item, &breakpoint, &colon) ||
	    (colon != NULL && !take_access(parser, item, &colon, &breakpoint.type)) ||
	    !parser_take_modifiers(parser, item, colon, EVENT_BREAKPOINT))
		return;
	/* perf's default lengths: sizeof(long) for code, 4 for data. */
	if (breakpoint.length == 0)
		breakpoint.length = breakpoint.type & HW_BREAKPOINT_X ? sizeof(long) :
									HW_BREAKPOINT_LEN_4;

	struct event_spec *spec = parser_add(parser, EVENT_BREAKPOINT, item->name);
	spec->type = PERF_TYPE_BREAKPOINT;
	spec->bp_type = breakpoint.type;
	spec->config1 = breakpoint.address;
	spec->config2 = breakpoint.length;
	modifiers_apply(parser, item, spec);
}

/* --- opening -------------------------------------------------------------------------------- */

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	static long watched_word; /* never written */

	(void)catalog;
	(void)text;
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_type = HW_BREAKPOINT_W;
	attr->bp_addr = (uintptr_t)&watched_word;
	attr->bp_len = sizeof(watched_word);
	return 0;
}

/* Which rule of arch/x86/kernel/hw_breakpoint.c it breaks; other architectures are similar. */
static char *refused_place(const struct event_spec *spec, const struct why_place *place)
{
	unsigned long long address = spec->config1, length = spec->config2;

	(void)place;
	if (length == 0)
		return xstrdup("the kernel takes no breakpoint of this kind");
	if (spec->bp_type & HW_BREAKPOINT_X && length != sizeof(long))
		return xasprintf("a breakpoint on code is %zu bytes long, not %llu: leave the "
				 "length out",
				 sizeof(long), length);
	if (length != 1 && length != 2 && length != 4 && length != 8)
		return xasprintf("a breakpoint is 1, 2, 4 or 8 bytes long, not %llu", length);
	if (spec->bp_type == HW_BREAKPOINT_R)
		return xstrdup("this CPU cannot watch reads alone: :rw");
	if (!(spec->bp_type & HW_BREAKPOINT_X) && address % length != 0)
		return xasprintf("the address of a breakpoint of %llu bytes is a multiple of "
				 "%llu; nearest: 0x%llx",
				 length, length, address - address % length);
	return xasprintf("the kernel takes no breakpoint of this kind at 0x%llx", address);
}

/* The kernel has the upper half of the addresses. */
static char *in_the_kernel(const struct event_spec *spec, const struct why_place *place)
{
	if ((spec->config1 & 1ull << 63) == 0)
		return NULL;
	return why_for_root(place, "breakpoints in the kernel", "CAP_SYS_ADMIN");
}

static const struct why_cause causes[] = {
	{ EACCES, .make = in_the_kernel },
	{ EPERM, .make = in_the_kernel },
	{ EINVAL, .make = refused_place },
	{ ENOENT, .text = "this kernel or CPU has no breakpoints (CONFIG_HAVE_HW_BREAKPOINT)" },
	{ ENOSPC,
	  .text = "all breakpoints of the CPU are taken (x86 has 4), by us or a debugger: fewer mem: "
		  "events" },
	{ 0 },
};

const struct kind *kind_breakpoint(void)
{
	static const struct kind kind = {
		.type = PERF_TYPE_BREAKPOINT,
		.is_probe = true,
		.prefix = PREFIX,
		.parse_whole = parse_breakpoint,
		.form = "mem:ADDR[/LEN][:rwx]",
		.form_text = "accesses to an address",
		.causes = causes,
		.probe = { "breakpoint", "mem: on a word of ours", .ask = ask },
	};

	return &kind;
}
