/* SPDX-License-Identifier: MIT */
#include "ui/draw.h"

#include "base/fmt.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVELS 8 /* heights of a vertical bar, U+2581 to U+2588 but one: see level_text */

const char *draw_glyph(enum glyph glyph, bool is_ascii)
{
	static const char *const glyphs[][2] = {
		[GLYPH_INTO] = { "›", ">" },  [GLYPH_CURSOR] = { "▸", ">" },
		[GLYPH_DASH] = { "–", "-" },  [GLYPH_UP] = { "▴", "^" },
		[GLYPH_DOWN] = { "▾", "v" },  [GLYPH_RULE] = { "│", "|" },
		[GLYPH_MARK] = { "•", "*" },  [GLYPH_TEE] = { "├", "|" },
		[GLYPH_ELBOW] = { "└", "`" },
	};

	return glyphs[glyph][is_ascii];
}

void draw_left(const struct pen *pen, const char *text)
{
	char safe[1024];

	if (pen->width <= 0)
		return;
	text_safe(safe, sizeof(safe), text, strlen(text));
	if (text_width(safe) <= (size_t)pen->width) {
		canvas_put(pen->canvas, pen->x, pen->y, pen->width, pen->role, safe);
		return;
	}
	safe[text_fit(safe, (size_t)pen->width - 1)] = '\0';
	int x = canvas_put(pen->canvas, pen->x, pen->y, pen->width - 1, pen->role, safe);
	canvas_put(pen->canvas, x, pen->y, 1, pen->role, pen->is_ascii ? "~" : "…");
}

/* The longest end of a safe text that fits. */
static const char *end_that_fits(const char *safe, int width)
{
	while (*safe && text_width(safe) > (size_t)width) {
		safe++;
		while ((*safe & 0xc0) == 0x80)
			safe++;
	}
	return safe;
}

void draw_middle(const struct pen *pen, const char *text)
{
	int before = (pen->width - 1) / 3;
	char safe[1024];

	text_safe(safe, sizeof(safe), text, strlen(text));
	if (pen->width < 8 || text_width(safe) <= (size_t)pen->width) {
		draw_left(pen, text);
		return;
	}
	const char *end = end_that_fits(safe, pen->width - 1 - before);
	safe[text_fit(safe, (size_t)before)] = '\0';
	int x = canvas_put(pen->canvas, pen->x, pen->y, before, pen->role, safe);
	x = canvas_put(pen->canvas, x, pen->y, 1, pen->role, pen->is_ascii ? "~" : "…");
	canvas_put(pen->canvas, x, pen->y, pen->x + pen->width - x, pen->role, end);
}

void draw_right(const struct pen *pen, const char *text)
{
	canvas_put_right(pen->canvas, pen->x, pen->y, pen->width, pen->role, text);
}

struct pen draw_in_role(const struct pen *pen, enum role role)
{
	struct pen copy = *pen;

	copy.role = role;
	return copy;
}

void draw_unknown(const struct pen *pen)
{
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	draw_right(&dim, draw_glyph(GLYPH_DASH, pen->is_ascii));
}

const char *draw_mark(enum mark mark, bool is_ascii)
{
	switch (mark) {
	case MARK_ESTIMATE:
	case MARK_ROUGH:
		return "~";
	case MARK_AT_LEAST:
		return is_ascii ? ">=" : "≥";
	case MARK_WRONG:
		return "!";
	case MARK_LESSENED:
		return is_ascii ? "v" : "↓";
	case MARK_NONE:
		break;
	}
	return "";
}

/* 12.35k becomes 12.3k, 12k: cut, not rounded, so a lower bound stays one. */
static void squeeze(char *number, size_t room)
{
	char *dot = strchr(number, '.');

	while (dot && strlen(number) > room) {
		size_t digits = strspn(dot + 1, "0123456789");
		char *end = dot + 1 + digits;

		if (digits <= 1)
			memmove(dot, end, strlen(end) + 1);
		else
			memmove(end - 1, end, strlen(end) + 1);
		if (digits <= 1)
			dot = NULL;
	}
}

static void draw_number(const struct pen *pen, const char *before, char *number, enum mark mark)
{
	char text[FMT_MAX + 16];
	int len = snprintf(text, sizeof(text), "%s%s", draw_mark(mark, pen->is_ascii), before);
	size_t taken = text_width(text);

	squeeze(number, (size_t)pen->width > taken ? (size_t)pen->width - taken : 1);
	snprintf(text + len, sizeof(text) - (size_t)len, "%s", number);
	if (text_width(text) > (size_t)pen->width)
		snprintf(text, sizeof(text), "%.*s", pen->width, "########");
	draw_right(pen, text);
}

void draw_count(const struct pen *pen, uint64_t count, enum mark mark)
{
	char number[FMT_MAX];
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	fmt_count(number, count);
	draw_number(count == 0 && pen->role == ROLE_TEXT ? &dim : pen, "", number, mark);
}

/* One digit of it that is not 0, when no more is known. */
static double round_to(double value, enum mark mark)
{
	if (mark != MARK_ROUGH || !(value > 0) || !isfinite(value))
		return value;

	double unit = pow(10, floor(log10(value)));
	return unit < 1 ? ceil(value) : round(value / unit) * unit;
}

void draw_rate(const struct pen *pen, double rate, enum mark mark)
{
	char number[FMT_MAX];
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	rate = round_to(rate, mark);
	if (!(rate >= 0) || !isfinite(rate)) {
		draw_unknown(pen);
		return;
	}
	fmt_rate(number, rate);
	draw_number((rate == 0 || mark == MARK_ROUGH) && pen->role == ROLE_TEXT ? &dim : pen, "",
		    number, mark);
}

void draw_ratio(const struct pen *pen, double ratio, enum mark mark)
{
	char number[FMT_MAX];

	if (!(ratio >= 0) || !isfinite(ratio)) {
		draw_unknown(pen);
		return;
	}
	fmt_ratio(number, ratio);
	draw_number(pen, "", number, mark);
}

void draw_time(const struct pen *pen, uint64_t ns, enum mark mark)
{
	char number[FMT_MAX];
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	fmt_ns(number, (uint64_t)round_to((double)ns, mark));
	draw_number((ns == 0 || mark == MARK_ROUGH) && pen->role == ROLE_TEXT ? &dim : pen, "",
		    number, mark);
}

void draw_time_rate(const struct pen *pen, double ns_per_second, enum mark mark)
{
	if (ns_per_second >= 0 && ns_per_second < 1e18)
		draw_time(pen, (uint64_t)ns_per_second, mark);
	else
		draw_unknown(pen);
}

char *draw_exact(char out[DRAW_EXACT_MAX], uint64_t count)
{
	char digits[DRAW_EXACT_MAX];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count), at = 0;

	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}

size_t draw_line_length(const char *text, int width)
{
	size_t fit = text_fit(text, (size_t)width);

	for (size_t at = fit; at > 0 && text[fit]; at--)
		if (text[at] == ' ')
			return at;
	return fit ? fit : strlen(text);
}

int draw_wrapped(const struct pen *pen, int lines, const char *text)
{
	char safe[4096], line[4096];
	const char *rest = safe;
	struct pen at = *pen;
	int count = 0;

	text_safe(safe, sizeof(safe), text, strlen(text));
	while (*rest && pen->width > 0 && count < lines) {
		size_t len = draw_line_length(rest, pen->width);
		bool is_last = count + 1 == lines;

		snprintf(line, sizeof(line), "%.*s", (int)(is_last ? strlen(rest) : len), rest);
		if (pen->canvas)
			draw_left(&at, line);
		at.y++;
		count++;
		rest += len;
		rest += strspn(rest, " ");
	}
	return count;
}

void draw_word(const struct pen *pen, const char *word, enum mark mark)
{
	char text[FMT_MAX];

	snprintf(text, sizeof(text), "%s", word);
	draw_number(pen, "", text, mark);
}

void draw_one_in(const struct pen *pen, uint64_t many, enum mark mark)
{
	char number[FMT_MAX];

	if (many == 1)
		draw_word(pen, "all", mark);
	else
		draw_number(pen, "1/", fmt_count(number, many), mark);
}

void draw_unchanged(const struct pen *pen)
{
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	draw_right(&dim, pen->is_ascii ? "." : "·");
}

void draw_change(const struct pen *pen, double before, double now)
{
	char change[FMT_MAX], text[FMT_MAX + 8];
	struct pen copy = *pen;

	fmt_change(change, before, now);
	if (strcmp(change, "-") == 0) {
		draw_unknown(pen);
		return;
	}
	bool is_times = change[0] == 'x' && !pen->is_ascii;
	snprintf(text, sizeof(text), "%s%s", is_times ? "×" : "", change + is_times);
	if (strcmp(change, "0") == 0)
		copy.role = ROLE_DIM;
	else if (pen->role == ROLE_TEXT)
		copy.role = ROLE_STRONG;
	draw_right(&copy, text);
}

/* In integers, because printf's decimal point depends on the locale. */
static void put_share(const struct pen *pen, double share, enum mark mark, bool has_tenths)
{
	char number[FMT_MAX];
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	if (!(share >= 0) || !isfinite(share)) {
		draw_unknown(pen);
		return;
	}
	long long tenths = llround(fmin(share, 1e6) * 1000),
		  whole = llround(fmin(share, 1e6) * 100);
	if (has_tenths)
		snprintf(number, sizeof(number), "%lld.%lld%%", tenths / 10, tenths % 10);
	else
		snprintf(number, sizeof(number), "%lld%%", whole);
	bool is_zero = has_tenths ? tenths == 0 : whole == 0;
	draw_number(is_zero && pen->role == ROLE_TEXT ? &dim : pen, "", number, mark);
}

void draw_share(const struct pen *pen, double share, enum mark mark)
{
	put_share(pen, share, mark, true);
}

void draw_percent(const struct pen *pen, double share, enum mark mark)
{
	put_share(pen, share, mark, false);
}

static enum role heat(double share)
{
	static const enum role ramp[] = { ROLE_HEAT1, ROLE_HEAT2, ROLE_HEAT3, ROLE_HEAT4,
					  ROLE_HEAT5 };
	int step = (int)(share * 5);

	return ramp[step < 0 ? 0 : step > 4 ? 4 : step];
}

void draw_bar(const struct pen *pen, double share)
{
	static const char *const tails[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	int x = pen->x;

	if (!(share > 0) || pen->width <= 0)
		return;
	long eighths = lround(fmin(share, 1) * pen->width * LEVELS);
	if (eighths == 0)
		eighths = 1;
	for (; eighths >= LEVELS; eighths -= LEVELS)
		x = canvas_put(pen->canvas, x, pen->y, 1, pen->role, pen->is_ascii ? "#" : "▇");
	if (eighths && !pen->is_ascii)
		canvas_put(pen->canvas, x, pen->y, 1, pen->role, tails[eighths]);
	else if (eighths)
		canvas_put(pen->canvas, x, pen->y, 1, pen->role, eighths > 4 ? "=" : "-");
}

/* Level 0 is zero, 1..7 is more than zero; the full block is left out, it touches the row above. */
static const char *level_text(int level, bool is_ascii)
{
	static const char *const blocks[LEVELS] = { "▁", "▂", "▂", "▃", "▄", "▅", "▆", "▇" };
	static const char *const ascii[LEVELS] = { "_", ".", ".", "-", "=", "+", "*", "#" };

	return is_ascii ? ascii[level] : blocks[level];
}

static void draw_level(const struct pen *pen, int x, double share, bool is_heat)
{
	if (share < 0 || !isfinite(share))
		return;
	if (share == 0) {
		canvas_put(pen->canvas, x, pen->y, 1, ROLE_DIM, level_text(0, pen->is_ascii));
		return;
	}
	share = fmin(share, 1);
	int level = 1 + (int)(share * (LEVELS - 2) + 0.5);
	enum role role = is_heat ? heat(share) : pen->role;
	canvas_put(pen->canvas, x, pen->y, 1, role, level_text(level, pen->is_ascii));
}

size_t draw_fold(size_t count, int width)
{
	size_t cells = width > 0 ? (size_t)width : 1;

	return count <= cells ? 1 : (count + cells - 1) / cells;
}

void draw_levels(const struct pen *pen, const double *values, size_t count, double most,
		 bool is_heat)
{
	size_t fold = draw_fold(count, pen->width);

	for (size_t at = 0, cell = 0; at < count && (int)cell < pen->width; at += fold, cell++) {
		double value = -1;

		for (size_t i = at; i < at + fold && i < count; i++)
			value = fmax(value, values[i]);
		draw_level(pen, pen->x + (int)cell, value > 0 && most > 0 ? value / most : value,
			   is_heat);
	}
}
