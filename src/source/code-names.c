/* SPDX-License-Identifier: MIT */
#include "source/code-names.h"

#include <stdlib.h>

#include "base/sys.h"
#include "base/worker.h"
#include "base/xalloc.h"
#include "source/wait.h"

/* What is known of all files is dropped when it is more than this, and read again. */
#define BYTES_MAX (8u << 20)

/* A file is not read again before so many times the time that reading took: 2 % of a CPU. */
#define PAUSES 50

/* A file, by the address of its description. */
struct known {
	const struct code_file *file;
	struct functions *functions;
	bool is_asked; /* an order has not come back yet */
	uint64_t again_ns;
};

struct code_names {
	struct code_files files;
	struct worker *worker; /* NULL: files are read at once */
	bool is_settled;
	struct known *all; /* [count] in the order of first use */
	size_t count, room;
	size_t orders; /* that have not come back yet */
};

/* What is to be read of a file.  The worker does not see our files' descriptions, which can end earlier. */
struct order {
	struct work work;
	struct code_files files;
	const struct code_file *key; /* compared only */
	struct code_file file;	     /* with a path of its own */
	uint64_t *offsets;	     /* [count] */
	size_t count;
	struct functions *functions; /* the answer; NULL: not read yet */
	uint64_t took_ns;
};

/* --- orders --------------------------------------------------------------------------------- */

static struct order *order_new(const struct code_names *names, const struct code_file *file,
			       size_t room)
{
	struct order *order = xcalloc(1, sizeof(*order));

	order->files = names->files;
	order->key = file;
	order->file = *file;
	order->file.path = xstrdup(file->path);
	order->offsets = xcalloc(room, sizeof(*order->offsets));
	return order;
}

static void order_free(struct work *work)
{
	struct order *order = (struct order *)work;

	functions_free(order->functions);
	free((char *)order->file.path);
	free(order->offsets);
	free(order);
}

static void order_run(struct work *work)
{
	struct order *order = (struct order *)work;
	uint64_t start_ns = sys_monotonic_ns();

	order->functions =
		code_files_read(&order->files, &order->file, order->offsets, order->count);
	order->took_ns = sys_monotonic_ns() - start_ns;
}

/* --- life ----------------------------------------------------------------------------------- */

struct code_names *code_names_new(const struct code_files *files)
{
	struct code_names *names = xcalloc(1, sizeof(*names));

	names->files = *files;
	return names;
}

struct code_names *code_names_new_live(const struct code_files *files)
{
	static const struct worker_ops ops = { .run = order_run, .free = order_free };
	struct code_names *names = code_names_new(files);

	names->worker = worker_new("perftop-code", &ops);
	return names;
}

void code_names_free(struct code_names *names)
{
	if (names == NULL)
		return;

	worker_free(names->worker);
	for (size_t i = 0; i < names->count; i++)
		functions_free(names->all[i].functions);
	free(names->all);
	free(names);
}

void code_names_settle(struct code_names *names)
{
	names->is_settled = true;
}

/* --- what is known -------------------------------------------------------------------------- */

static struct known *known_of(struct code_names *names, const struct code_file *file)
{
	for (size_t i = 0; i < names->count; i++) {
		if (names->all[i].file == file)
			return &names->all[i];
	}
	if (names->count == names->room) {
		names->room = names->room == 0 ? 32 : names->room * 2;
		names->all = xreallocarray(names->all, names->room, sizeof(*names->all));
	}
	names->all[names->count] = (struct known){ .file = file, .functions = functions_new() };
	return &names->all[names->count++];
}

static void limit_memory(struct code_names *names)
{
	size_t bytes = 0;

	for (size_t i = 0; i < names->count; i++)
		bytes += functions_bytes(names->all[i].functions);
	for (size_t i = 0; i < names->count && bytes > BYTES_MAX; i++) {
		functions_free(names->all[i].functions);
		names->all[i].functions = functions_new();
	}
}

/* --- reading -------------------------------------------------------------------------------- */

static void take_answer(struct code_names *names, struct order *order)
{
	struct known *known = known_of(names, order->key);

	functions_copy(known->functions, order->functions, order->offsets, order->count);
	known->is_asked = false;
	known->again_ns = sys_monotonic_ns() + PAUSES * order->took_ns;
	order_free(&order->work);
}

static void take_answers(struct code_names *names, uint64_t until_ns)
{
	struct work *work;

	while (names->worker != NULL && (work = worker_take(names->worker, until_ns)) != NULL) {
		names->orders--;
		take_answer(names, (struct order *)work);
	}
}

/* Have it read: at once, or by the worker.  Without a thread it stays unknown, and is tried again. */
static void give(struct code_names *names, struct known *known, struct order *order)
{
	if (names->worker == NULL) {
		order_run(&order->work);
		take_answer(names, order);
	} else if (worker_give(names->worker, &order->work)) {
		known->is_asked = true;
		names->orders++;
	} else {
		order_free(&order->work);
	}
}

static bool may_read(const struct code_names *names, const struct known *known)
{
	return names->worker == NULL ||
	       (!known->is_asked && (names->is_settled || sys_monotonic_ns() >= known->again_ns));
}

/* Have what is not known of places [count] in one file read. */
static void read_places(struct code_names *names, struct known *known,
			const struct code_name *places, size_t count)
{
	struct order *order = NULL;
	const char *symbol;

	for (size_t i = 0; i < count; i++) {
		if (functions_find(known->functions, places[i].offset, &symbol))
			continue;
		if (order == NULL)
			order = order_new(names, known->file, count - i);
		order->offsets[order->count++] = places[i].offset;
	}
	if (order != NULL)
		give(names, known, order);
}

/* How many of places [count > 0], from the first on, are in one file. */
static size_t same_file(const struct code_name *places, size_t count)
{
	size_t same = 1;

	while (same < count && places[same].file == places[0].file)
		same++;
	return same;
}

static void read_unknown(struct code_names *names, const struct code_name *places, size_t count)
{
	for (size_t at = 0, same; at < count; at += same) {
		struct known *known = known_of(names, places[at].file);

		same = same_file(&places[at], count - at);
		if (may_read(names, known))
			read_places(names, known, &places[at], same);
	}
}

void code_names_find(struct code_names *names, struct code_name *places, size_t count)
{
	uint64_t now_ns = sys_monotonic_ns();

	limit_memory(names);
	take_answers(names, now_ns);
	bool is_late = names->orders > 0;
	read_unknown(names, places, count);
	if (names->is_settled) {
		take_answers(names, now_ns + WAIT_FINAL_NS);
		/* What could not be asked because of an order before. */
		read_unknown(names, places, count);
		take_answers(names, now_ns + WAIT_FINAL_NS);
	} else if (!is_late) {
		take_answers(names, now_ns + WAIT_TICK_NS);
	}
	for (size_t at = 0, same; at < count; at += same) {
		const struct known *known = known_of(names, places[at].file);

		same = same_file(&places[at], count - at);
		for (size_t i = at; i < at + same; i++)
			functions_find(known->functions, places[i].offset, &places[i].symbol);
	}
}
