/* SPDX-License-Identifier: MIT */
/*
 * The head line and the CPU strip: load, loss, throttling and our own cost.
 *
 * All figures have places of fixed width, so nothing moves while they change.
 * What does not fit is left out, the least important first.
 */
#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/moment.h"
#include "ui/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- head line -------------------------------------------------------------------------------- */

#define PIECE_MAX   128
#define PIECES_MOST 18
#define PIECE_GAP   2

struct piece {
	char text[PIECE_MAX]; /* safe */
	enum role role;
	int drop; /* the highest is dropped first; 0: never */
};

struct pieces {
	struct piece list[PIECES_MOST];
	size_t count, left; /* the first `left` are on the left, the rest on the right */
};

__attribute__((format(printf, 4, 5))) static void add_piece(struct pieces *pieces, int drop,
							    enum role role, const char *format, ...)
{
	struct piece *piece = &pieces->list[pieces->count++];
	char text[PIECE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_safe(piece->text, sizeof(piece->text), text, strlen(text));
	piece->role = role;
	piece->drop = drop;
}

#define DATE_BYTES 10 /* of the date in clock_text() */

/* "2026-11-25 12:34:56", or "" when the time (since 1970) has none. */
static const char *clock_text(double time_s, char out[PIECE_MAX])
{
	time_t whole = moment_has_date(time_s) ? (time_t)time_s : 0;
	struct tm at;

	out[0] = '\0';
	if (whole && localtime_r(&whole, &at))
		strftime(out, PIECE_MAX, "%Y-%m-%d %H:%M:%S", &at);
	return out;
}

/* The time that is shown, with its date where there is room for it. */
static void add_time(const struct ui *ui, bool has_date, struct pieces *pieces)
{
	char text[PIECE_MAX];

	if (!clock_text(ui->shown->time_s, text)[0])
		return;
	if (has_date)
		add_piece(pieces, 6, ROLE_WARN, "%.*s", DATE_BYTES, text);
	add_piece(pieces, 2, ROLE_WARN, "%s", text + DATE_BYTES + 1);
}

/* Which file, and where in it. */
static void add_place(const struct ui *ui, struct pieces *pieces)
{
	double first_s = ui->file.first_s, length_s = ui->file.last_s - first_s;
	double time_s = ui->shown->time_s;

	if (ui->file.name)
		add_piece(pieces, 5, ROLE_TEXT, "%s", basename(ui->file.name));
	add_time(ui, true, pieces);
	if (length_s > 0)
		add_piece(pieces, 4, ROLE_TEXT, "%3.0f%%",
			  fmax(0, fmin((time_s - first_s) / length_s, 1)) * 100);
}

/* A file must not look live. */
static void add_origin(const struct ui *ui, struct pieces *pieces)
{
	char date[PIECE_MAX];

	if (ui->origin == UI_REPLAY)
		add_piece(pieces, 1, ROLE_WARN, "REPLAY");
	if (ui->origin == UI_SAVED) {
		add_piece(pieces, 1, ROLE_WARN, "SAVED");
		add_piece(pieces, 3, ROLE_WARN, "%s", clock_text(ui->shown->time_s, date));
	}
}

static const char *state_text(const struct ui *ui)
{
	if (ui->is_travelling)
		return "MOVING";
	if (!ui->is_frozen)
		return NULL;
	return ui->hooks.pause ? "PAUSED" : "FROZEN";
}

/* Not all rows have figures yet. */
static void add_opening(const struct snapshot *snap, struct pieces *pieces)
{
	size_t later = 0;

	for (size_t i = 0; i < snap->nevents; i++)
		later += snap->events[i].state == EVENT_STATE_LATER;
	if (later > 0)
		add_piece(pieces, 2, ROLE_WARN, "opening events: %zu left", later);
}

static void add_left(const struct ui *ui, struct pieces *pieces)
{
	const struct snapshot *snap = ui->shown;

	add_piece(pieces, 2, ROLE_HEAD, "perftop-ng");
	if (snap)
		add_origin(ui, pieces);
	if (state_text(ui))
		add_piece(pieces, 1, ROLE_WARN, "%s", state_text(ui));
	if (snap && ui->origin == UI_REPLAY)
		add_place(ui, pieces);
	else if (snap && ui->is_frozen && ui->origin == UI_LIVE)
		add_time(ui, false, pieces);
	if (snap) {
		add_opening(snap, pieces);
		add_piece(pieces, 7, ROLE_TEXT, "%s", snap->host ? snap->host : "");
		add_piece(pieces, 9, ROLE_DIM, "%s", snap->kernel ? snap->kernel : "");
		add_piece(pieces, 8, ROLE_DIM, "%zu cpu%s", snap->ncpus,
			  snap->ncpus == 1 ? "" : "s");
		add_piece(pieces, 6, ROLE_TEXT, "%g s", snap->target_s);
	}
	pieces->left = pieces->count;
}

/* The sum is a lower bound as soon as one event's loss is. */
static bool is_lost_exact(const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->nevents; i++)
		if (snap->events[i].state == EVENT_STATE_ON &&
		    (!snap->events[i].is_lost_exact || snap->events[i].is_at_least) &&
		    snap->events[i].sampling != SAMPLING_NONE)
			return false;
	return true;
}

/* "lost 12  before 241": in this interval, and from the start to it. */
static void add_lost(const struct ui *ui, struct pieces *pieces)
{
	const struct snapshot *snap = ui->shown;
	uint64_t before = snap->lost > snap->lost_count ? snap->lost - snap->lost_count : 0;
	bool is_wrong = !snap->is_balanced || snap->corrupt;
	char number[FMT_MAX], text[FMT_MAX + 8];
	const char *sign = "";

	if (is_wrong)
		sign = "!";
	else if (snap->lost_count && !is_lost_exact(snap))
		sign = draw_mark(MARK_AT_LEAST, ui->is_ascii);
	snprintf(text, sizeof(text), "%s%s", sign, fmt_count(number, snap->lost_count));
	int pad = 7 - (int)text_width(text);
	add_piece(pieces, 1, snap->lost_count || is_wrong ? ROLE_BAD : ROLE_TEXT, "lost %s%*s",
		  text, pad > 0 ? pad : 0, "");
	if (before)
		add_piece(pieces, 3, ROLE_WARN, "before %-6s", fmt_count(number, before));
}

static void add_self(const struct ui *ui, struct pieces *pieces)
{
	const struct snap_self *self = &ui->shown->self;
	char share[FMT_MAX], bytes[FMT_MAX];
	long tenths = lround(fmin(self->cpu, 1000) * 1000);

	if (self->cpu >= 0)
		snprintf(share, sizeof(share), "%ld.%ld%%", tenths / 10, tenths % 10);
	else
		snprintf(share, sizeof(share), "%s", draw_glyph(GLYPH_DASH, ui->is_ascii));
	int pad = 5 - (int)text_width(share);
	add_piece(pieces, 5, ROLE_TEXT, "self %*s%s", pad > 0 ? pad : 0, "", share);
	add_piece(pieces, 7, ROLE_TEXT, "%5s", fmt_bytes(bytes, self->rss));
	/* The governor's limit. */
	if (self->sample_limit >= 0)
		add_piece(pieces, 6, ROLE_WARN, "%.0f samples/s", self->sample_limit);
}

static void add_right(const struct ui *ui, struct pieces *pieces, int width)
{
	const struct snapshot *snap = ui->shown;
	char number[FMT_MAX];

	if (!snap) {
		add_piece(pieces, 0, ROLE_DIM, "starting");
		return;
	}
	add_piece(pieces, 0, ROLE_TEXT, width < 11 ? "%6s/s" : "%6s ev/s",
		  fmt_rate(number, snap->rate));
	add_lost(ui, pieces);
	add_piece(pieces, 4,
		  snap->nthrottled ? ROLE_BAD :
		  snap->throttles  ? ROLE_WARN :
				     ROLE_TEXT,
		  "throttled %-2zu", snap->nthrottled);
	add_self(ui, pieces);
}

static int pieces_width(const struct pieces *pieces, size_t from)
{
	int total = 0;

	for (size_t i = from; i < pieces->count; i++)
		if (pieces->list[i].text[0])
			total += (int)text_width(pieces->list[i].text) + PIECE_GAP;
	return total > 0 ? total - PIECE_GAP : 0;
}

static bool drop_piece(struct pieces *pieces)
{
	size_t victim = 0;
	int worst = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		if (pieces->list[i].text[0] && pieces->list[i].drop > worst) {
			worst = pieces->list[i].drop;
			victim = i;
		}
	}
	if (worst)
		pieces->list[victim].text[0] = '\0';
	return worst > 0;
}

void head_draw(const struct ui *ui, const struct pen *pen)
{
	struct pieces pieces = { .count = 0 };
	int x = pen->x;

	add_left(ui, &pieces);
	add_right(ui, &pieces, pen->width);
	while (pieces_width(&pieces, 0) > pen->width && drop_piece(&pieces))
		;
	for (size_t i = 0; i < pieces.count; i++) {
		if (i == pieces.left)
			x = pen->x + pen->width - pieces_width(&pieces, i);
		if (!pieces.list[i].text[0])
			continue;
		x = canvas_put(pen->canvas, x < pen->x ? pen->x : x, pen->y, -1,
			       pieces.list[i].role, pieces.list[i].text);
		x += PIECE_GAP;
	}
}

/* --- CPU strip -------------------------------------------------------------------------------- */

#define GROUP_LEAST 36 /* cells of "cpu0 ▇▇▇  99% 812.4k ev 12.35k cs  " */
#define GROUP_WORDS 47 /* from here on there is room for "throttled" */
#define BAR_MOST    40
#define BUSY_WIDTH  5

static int groups_per_line(int columns)
{
	return columns / GROUP_LEAST > 0 ? columns / GROUP_LEAST : 1;
}

int strip_lines(const struct ui *ui, int columns, int lines)
{
	int allowed = lines < 8 ? 0 : lines < 14 ? 1 : lines < 30 ? 2 : 4;
	int ncpus = ui->shown ? (int)ui->shown->ncpus : 0;
	int per_line = groups_per_line(columns);
	int wanted = (ncpus + per_line - 1) / per_line;

	if (wanted <= allowed && columns >= GROUP_LEAST)
		return wanted;
	return allowed < 2 ? allowed : 2; /* the compact form: events, switches */
}

static void draw_group_figures(const struct snap_cpu *cpu, const struct pen *pen)
{
	struct pen at = *pen;

	at.width = 7;
	draw_rate(&at, cpu->rate, MARK_NONE);
	canvas_put(pen->canvas, pen->x + 8, pen->y, 2, ROLE_DIM, "ev");
	at.x += 10;
	draw_rate(&at, cpu->switch_rate, cpu->is_switch_rate_at_least ? MARK_AT_LEAST : MARK_NONE);
	canvas_put(pen->canvas, pen->x + 18, pen->y, 2, ROLE_DIM, "cs");
}

/* The share of its time that the CPU is busy; at least, where switch records were lost. */
static void draw_busy(const struct snap_cpu *cpu, const struct pen *pen)
{
	struct pen at = *pen;

	at.role = ROLE_HEAT2;
	at.width -= BUSY_WIDTH;
	draw_bar(&at, cpu->busy);
	at.x += at.width;
	at.width = BUSY_WIDTH;
	at.role = ROLE_TEXT;
	draw_percent(&at, cpu->busy, snap_cpu_is_busy_at_least(cpu) ? MARK_AT_LEAST : MARK_NONE);
}

static void draw_group(const struct snap_cpu *cpu, const struct pen *pen, int name_width)
{
	bool has_words = pen->width >= GROUP_WORDS;
	int busy = pen->width - name_width - 1 - 20 - (has_words ? 11 : 0) - 2;
	struct pen at = *pen;
	char number[CPU_TEXT_MAX];

	busy = busy > BAR_MOST + BUSY_WIDTH ? BAR_MOST + BUSY_WIDTH : busy;
	canvas_printf(pen->canvas, pen->x, pen->y, name_width,
		      cpu->is_throttled || cpu->answer == CPU_SILENT ? ROLE_BAD : ROLE_HEAD,
		      "cpu%s", snap_cpu_text(cpu->id, number));
	at.x += name_width + 1;
	at.width = busy;
	if (!cpu->is_online) {
		canvas_put(pen->canvas, at.x, pen->y, pen->width - name_width - 1, ROLE_DIM,
			   "offline");
		return;
	}
	if (cpu->answer == CPU_SILENT) {
		canvas_put(pen->canvas, at.x, pen->y, pen->width - name_width - 1, ROLE_BAD,
			   "does not answer");
		return;
	}
	draw_busy(cpu, &at);
	at.x += busy;
	at.role = ROLE_TEXT;
	draw_group_figures(cpu, &at);
	if (has_words && cpu->is_throttled)
		canvas_put(pen->canvas, at.x + 22, pen->y, 9, ROLE_BAD, "throttled");
}

static int name_width(const struct snapshot *snap)
{
	int most = 0; /* also for "cpu?" */

	for (size_t i = 0; i < snap->ncpus; i++)
		most = snap->cpus[i].id > most ? snap->cpus[i].id : most;
	return snprintf(NULL, 0, "cpu%d", most);
}

static void draw_groups(const struct ui *ui, struct canvas *canvas, struct rect at)
{
	const struct snapshot *snap = ui->shown;
	int per_line = ((int)snap->ncpus + at.height - 1) / at.height;
	int width = at.width / per_line;

	for (int i = 0; i < (int)snap->ncpus; i++) {
		struct pen pen = { .canvas = canvas,
				   .x = at.x + i % per_line * width,
				   .y = at.y + i / per_line,
				   .width = width,
				   .is_ascii = ui->is_ascii };

		draw_group(&snap->cpus[i], &pen, name_width(snap));
	}
}

static double cpu_figure(const struct snap_cpu *cpu, bool is_switches)
{
	if (!cpu->is_online)
		return -1;
	return is_switches ? cpu->switch_rate : cpu->rate;
}

/* The busiest CPU as text, because a folded bar does not show which one it is. */
static int draw_busiest(const struct snapshot *snap, size_t busiest, double rate,
			const struct pen *pen)
{
	char number[FMT_MAX];
	int width = 6 + 5 + name_width(snap);

	if (pen->width < 3 * width)
		return 0;
	if (rate >= 0)
		canvas_printf(pen->canvas, pen->x + pen->width - width, pen->y, width, ROLE_DIM,
			      "%6s on cpu%d", fmt_rate(number, rate), snap->cpus[busiest].id);
	return width + 2;
}

static void draw_compact(const struct ui *ui, const struct pen *pen, bool is_switches)
{
	const struct snapshot *snap = ui->shown;
	double *figures = xcalloc(snap->ncpus, sizeof(*figures));
	struct pen bars = *pen;
	size_t busiest = 0;

	for (size_t i = 0; i < snap->ncpus; i++) {
		figures[i] = cpu_figure(&snap->cpus[i], is_switches);
		if (figures[i] > figures[busiest])
			busiest = i;
	}
	canvas_put(pen->canvas, pen->x, pen->y, 2, ROLE_HEAD, is_switches ? "cs" : "ev");
	bars.x += 3;
	bars.width -= 3 + draw_busiest(snap, busiest, figures[busiest], pen);
	draw_levels(&bars, figures, snap->ncpus, figures[busiest], true);

	size_t fold = draw_fold(snap->ncpus, bars.width);
	for (size_t i = 0; i < snap->ncpus && !is_switches; i++)
		if (snap->cpus[i].is_throttled && bars.width > 0)
			canvas_paint(pen->canvas, bars.x + (int)(i / fold), pen->y, 1, ROLE_BAD);
	free(figures);
}

void strip_draw(const struct ui *ui, struct canvas *canvas, struct rect at)
{
	if (!ui->shown || !ui->shown->ncpus || at.height <= 0)
		return;
	int per_line = groups_per_line(at.width);
	bool is_full = (int)ui->shown->ncpus <= per_line * at.height && at.width >= GROUP_LEAST;

	if (is_full) {
		draw_groups(ui, canvas, at);
		return;
	}
	for (int i = 0; i < at.height && i < 2; i++) {
		struct pen pen = { .canvas = canvas,
				   .x = at.x,
				   .y = at.y + i,
				   .width = at.width,
				   .is_ascii = ui->is_ascii };

		draw_compact(ui, &pen, i == 1);
	}
}
