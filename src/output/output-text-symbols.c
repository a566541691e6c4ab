/* SPDX-License-Identifier: MIT */
#include "output/output-text-inside.h"

#include "base/text.h"

#define SYMBOLS_MOST 10
#define CALLER_LEAST 0.05 /* of its symbol */
#define DEPTH_MOST   40	  /* steps to the right */

static bool has_callers(const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->nsymbols; i++) {
		if (snap->symbols[i].ncallers > 0)
			return true;
	}
	return false;
}

static void put_line(struct strbuf *out, uint32_t depth, double share, const char *symbol,
		     const char *module)
{
	char number[16];

	text_percent(number, sizeof(number), share);
	text_put_right(out, number, 8);
	strbuf_repeat(out, ' ', 2 + (depth < DEPTH_MOST ? depth : DEPTH_MOST));
	text_add_safe(out, symbol);
	strbuf_putc(out, ' ');
	text_add_safe(out, module);
	strbuf_putc(out, '\n');
}

static void put_symbol(struct strbuf *out, const struct snap_symbol *symbol)
{
	put_line(out, 0, symbol->share, symbol->symbol, symbol->module);
	for (size_t i = 0; i < symbol->ncallers; i++) {
		const struct snap_caller *caller = &symbol->callers[i];

		if (caller->share >= symbol->share * CALLER_LEAST)
			put_line(out, caller->depth, caller->share, caller->symbol, caller->module);
	}
}

void text_callers_put(struct strbuf *out, const struct snapshot *snap)
{
	if (!has_callers(snap))
		return;
	strbuf_puts(out, "  samples of ");
	text_add_safe(out, snap->symbol_event != NULL ? snap->symbol_event : "?");
	strbuf_puts(out, ", each symbol with those that called it\n");
	for (size_t i = 0; i < snap->nsymbols && i < SYMBOLS_MOST; i++)
		put_symbol(out, &snap->symbols[i]);
}
