/* SPDX-License-Identifier: MIT */
#include "model/chains.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/xalloc.h"

#define FADE 0.75
/* A single hit of weight 1 fades below this after about 20 ticks. */
#define FADED_OUT  0.003
#define CHAINS_MAX 32768
#define FRAMES_MAX (512 * 1024) /* of all chains: 8 MiB */
#define OPEN_MAX   (CHAINS_MAX / 2)

/* A user address of the chain's process, whose place is not known yet. */
#define FRAME_OPEN (UINT32_MAX - 1)

struct key {
	uint32_t event;
	const struct frame *frames; /* [nframes] */
	uint32_t nframes;
	int32_t pid; /* 0: none of the frames is open */
};

struct entry {
	size_t at; /* of its frames in `frames` */
	uint32_t nframes, event;
	int32_t pid;
	uint64_t hash;
	bool is_dropped;
	double recent;
	uint64_t total;
};

struct chains {
	struct entry *all;
	size_t count, room;
	size_t nopen;
	struct frame *frames; /* of all entries, in their order */
	size_t nframes, frames_room;
	uint32_t *index; /* position in `all` plus one; 0: empty */
	size_t mask;
};

struct chains *chains_new(void)
{
	struct chains *chains = xcalloc(1, sizeof(*chains));

	chains->mask = 1023;
	chains->index = xcalloc(chains->mask + 1, sizeof(*chains->index));
	return chains;
}

void chains_free(struct chains *chains)
{
	if (chains == NULL)
		return;

	free(chains->all);
	free(chains->frames);
	free(chains->index);
	free(chains);
}

/* --- the table ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct key *key)
{
	uint64_t hash = (uint64_t)(uint32_t)key->pid + ((uint64_t)key->event << 32);

	for (uint32_t i = 0; i < key->nframes; i++)
		hash = mix(hash, key->frames[i].at + ((uint64_t)key->frames[i].file << 40));
	return hash;
}

static bool are_same(const struct frame *one, const struct frame *other, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (one[i].at != other[i].at || one[i].file != other[i].file)
			return false;
	}
	return true;
}

static bool is_same(const struct chains *chains, const struct entry *entry, uint64_t hash,
		    const struct key *key)
{
	return entry->hash == hash && entry->event == key->event &&
	       entry->nframes == key->nframes && entry->pid == key->pid &&
	       are_same(chains->frames + entry->at, key->frames, key->nframes);
}

static size_t first_place(const struct chains *chains, uint64_t hash)
{
	return (size_t)((hash * 0x9e3779b97f4a7c15ull) >> 40) & chains->mask;
}

static struct entry *find(const struct chains *chains, uint64_t hash, const struct key *key)
{
	size_t at = first_place(chains, hash);

	for (; chains->index[at] != 0; at = (at + 1) & chains->mask) {
		struct entry *entry = &chains->all[chains->index[at] - 1];

		if (is_same(chains, entry, hash, key))
			return entry;
	}
	return NULL;
}

static void put_index(struct chains *chains, size_t number)
{
	size_t at = first_place(chains, chains->all[number].hash);

	while (chains->index[at] != 0)
		at = (at + 1) & chains->mask;
	chains->index[at] = (uint32_t)number + 1;
}

static void rebuild_index(struct chains *chains)
{
	while (chains->count * 2 >= chains->mask + 1)
		chains->mask = chains->mask * 2 + 1;
	free(chains->index);
	chains->index = xcalloc(chains->mask + 1, sizeof(*chains->index));
	for (size_t i = 0; i < chains->count; i++)
		put_index(chains, i);
}

static size_t more(size_t room, size_t least, size_t needed)
{
	room = room == 0 ? least : room * 2;
	return room < needed ? needed : room;
}

static struct entry *add(struct chains *chains, uint64_t hash, const struct key *key)
{
	uint32_t nframes = key->nframes;

	if (chains->count == CHAINS_MAX || chains->nframes + nframes > FRAMES_MAX)
		return NULL;
	if (chains->count == chains->room) {
		chains->room = more(chains->room, 512, 0);
		chains->all = xreallocarray(chains->all, chains->room, sizeof(*chains->all));
	}
	if (chains->nframes + nframes > chains->frames_room) {
		chains->frames_room = more(chains->frames_room, 512, chains->nframes + nframes);
		chains->frames =
			xreallocarray(chains->frames, chains->frames_room, sizeof(*chains->frames));
	}
	memcpy(chains->frames + chains->nframes, key->frames, nframes * sizeof(*key->frames));
	chains->all[chains->count++] = (struct entry){ .at = chains->nframes,
						       .nframes = nframes,
						       .event = key->event,
						       .pid = key->pid,
						       .hash = hash };
	chains->nframes += nframes;
	chains->nopen += key->pid != 0;
	if (chains->count * 2 >= chains->mask + 1)
		rebuild_index(chains);
	else
		put_index(chains, chains->count - 1);
	return &chains->all[chains->count - 1];
}

static bool hit(struct chains *chains, const struct key *key, uint64_t weight)
{
	uint64_t hash = hash_of(key);
	struct entry *entry = find(chains, hash, key);

	if (entry == NULL && (key->pid == 0 || chains->nopen < OPEN_MAX))
		entry = add(chains, hash, key);
	if (entry == NULL)
		return false;
	entry->recent += (double)weight;
	entry->total += weight;
	return true;
}

/* --- samples -------------------------------------------------------------------------------- */

static struct frame user_frame(const struct record *record, uint64_t address)
{
	if (address == 0 || record->pid == 0)
		return (struct frame){ FRAME_PROCESS, record->pid };
	return (struct frame){ FRAME_OPEN, address };
}

static struct frame own_frame(const struct record *record)
{
	if (record_is_user_mode(record->misc))
		return user_frame(record, record->ip);
	return (struct frame){ FRAME_KERNEL, record->ip };
}

/*
 * The frames of a chain: how many.  It has marks (enum perf_callchain_context) where the kernel's part and the user's
 * begin; a guest's is left out.
 */
static uint32_t split(const struct record *record, struct frame frames[CHAIN_MOST])
{
	enum { OTHER, KERNEL, USER } part = OTHER;
	uint32_t n = 0;

	for (uint64_t i = 0; i < record->nchain && n < CHAIN_MOST; i++) {
		uint64_t word = record->chain[i];

		if (word >= (uint64_t)PERF_CONTEXT_MAX) {
			part = word == (uint64_t)PERF_CONTEXT_KERNEL ? KERNEL :
			       word == (uint64_t)PERF_CONTEXT_USER   ? USER :
								       OTHER;
			i += word == ABI_CONTEXT_USER_DEFERRED; /* a cookie follows */
		} else if (part == KERNEL) {
			frames[n++] = (struct frame){ FRAME_KERNEL, word };
		} else if (part == USER) {
			frames[n++] = user_frame(record, word);
		}
	}
	return n;
}

/* Put places for the open frames: whether all are known. */
static bool find_places(const struct chain_places *places, int32_t pid, uint64_t time_ns,
			struct frame *frames, uint32_t n)
{
	bool is_known = true;

	for (uint32_t i = 0; i < n; i++) {
		struct code code = { 0 };

		if (frames[i].file != FRAME_OPEN)
			continue;
		if (!places->find(places->ctx, pid, frames[i].at, time_ns, &code))
			is_known = false;
		else if (code.file != 0)
			frames[i] = (struct frame){ code.file, code.offset };
		else
			frames[i] = (struct frame){ FRAME_PROCESS, (uint64_t)pid };
	}
	return is_known;
}

/* The table is full; a new chain is rarely a hot one. */
static void hit_less(struct chains *chains, const struct key *key, uint32_t pid, uint64_t weight)
{
	struct key innermost = { .event = key->event, .frames = key->frames, .nframes = 1 };
	struct frame process = { FRAME_PROCESS, pid };

	if (key->frames[0].file != FRAME_OPEN && hit(chains, &innermost, weight))
		return;
	if (key->frames[0].file == FRAME_KERNEL)
		return;
	innermost.frames = &process;
	hit(chains, &innermost, weight);
}

void chains_sample(struct chains *chains, uint32_t event, const struct record *record,
		   const struct chain_places *places, uint64_t weight)
{
	struct frame room[1 + CHAIN_MOST];
	struct frame *frames = room;
	uint32_t n = 1 + split(record, room + 1);
	int32_t pid = (int32_t)record->pid;

	/* A chain begins with the sample's own frame; that part may be missing, the whole as well. */
	room[0] = own_frame(record);
	if (n > 1 && (room[0].file == FRAME_KERNEL) == (room[1].file == FRAME_KERNEL)) {
		frames++;
		n--;
	}

	struct key key = { .event = event,
			   .frames = frames,
			   .nframes = n < CHAIN_MOST ? n : CHAIN_MOST };
	if (!find_places(places, pid, record->time_ns, frames, key.nframes))
		key.pid = pid;
	if (!hit(chains, &key, weight))
		hit_less(chains, &key, record->pid, weight);
}

/* --- reading, fading ------------------------------------------------------------------------ */

size_t chains_count(const struct chains *chains)
{
	return chains->count;
}

struct chain chains_at(const struct chains *chains, size_t number)
{
	const struct entry *entry = &chains->all[number];

	return (struct chain){ .event = entry->event,
			       .frames = chains->frames + entry->at,
			       .nframes = entry->nframes,
			       .pid = entry->pid,
			       .recent = entry->recent,
			       .total = entry->total };
}

struct frame chain_frame(const struct chain *chain, uint32_t at)
{
	if (chain->frames[at].file == FRAME_OPEN)
		return (struct frame){ FRAME_PROCESS, (uint64_t)chain->pid };
	return chain->frames[at];
}

/* Keep an entry at the end of those kept so far: it never moves up. */
static void keep(struct chains *chains, size_t *kept, size_t *nframes, const struct entry *entry)
{
	struct entry moved = *entry;

	if (moved.at != *nframes)
		memmove(chains->frames + *nframes, chains->frames + moved.at,
			moved.nframes * sizeof(*chains->frames));
	moved.at = *nframes;
	*nframes += moved.nframes;
	chains->all[(*kept)++] = moved;
}

/* Remove the dropped ones. */
static void sweep(struct chains *chains)
{
	size_t kept = 0, nframes = 0;

	for (size_t i = 0; i < chains->count; i++) {
		if (!chains->all[i].is_dropped)
			keep(chains, &kept, &nframes, &chains->all[i]);
	}
	chains->count = kept;
	chains->nframes = nframes;
	rebuild_index(chains);
}

void chains_fade(struct chains *chains)
{
	bool is_crowded = chains->count > CHAINS_MAX / 2 || chains->nframes > FRAMES_MAX / 2;
	bool has_dropped = false;

	for (size_t i = 0; i < chains->count; i++) {
		struct entry *entry = &chains->all[i];

		entry->recent *= FADE;
		if (entry->recent < FADED_OUT)
			entry->recent = 0;
		entry->is_dropped = is_crowded && entry->recent <= 0 && entry->pid == 0;
		has_dropped |= entry->is_dropped;
	}
	if (has_dropped)
		sweep(chains);
}

/*
 * Give an open entry its frames, or add it to the one that has them.  The index still has its place under the
 * old hash, which finds nothing any more.
 */
static void close_entry(struct chains *chains, size_t number, const struct frame *frames)
{
	struct entry *entry = &chains->all[number];
	const struct key key = { .event = entry->event,
				 .frames = frames,
				 .nframes = entry->nframes };
	uint64_t hash = hash_of(&key);
	struct entry *same = find(chains, hash, &key);

	entry->pid = 0;
	chains->nopen--;
	if (same != NULL) {
		same->recent += entry->recent;
		same->total += entry->total;
		entry->is_dropped = true;
		return;
	}
	memcpy(chains->frames + entry->at, frames, entry->nframes * sizeof(*frames));
	entry->hash = hash;
	put_index(chains, number);
}

void chains_place(struct chains *chains, const struct chain_places *places)
{
	size_t nopen = chains->nopen;
	struct frame frames[CHAIN_MOST];

	for (size_t i = 0; i < chains->count && chains->nopen > 0; i++) {
		const struct entry *entry = &chains->all[i];

		if (entry->pid == 0)
			continue;
		memcpy(frames, chains->frames + entry->at, entry->nframes * sizeof(*frames));
		if (find_places(places, entry->pid, UINT64_MAX, frames, entry->nframes))
			close_entry(chains, i, frames);
	}
	if (chains->nopen < nopen)
		sweep(chains);
}

void chains_zero(struct chains *chains)
{
	chains->count = chains->nframes = chains->nopen = 0;
	rebuild_index(chains);
}
