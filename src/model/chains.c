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
#define WORDS_MAX  (512 * 1024) /* of all chains: 4 MiB */
#define OPEN_MAX   (CHAINS_MAX / 2)

/*
 * What tells chains apart: as in struct chain.  Open: with pid and file 0, the offset is an address whose
 * place is not known yet.
 */
struct key {
	const uint64_t *ips; /* [nips] */
	uint32_t nips;
	int32_t pid;
	struct code code;
};

struct entry {
	size_t at; /* of its addresses in `words` */
	uint32_t nips;
	int32_t pid;
	struct code code;
	uint64_t hash;
	bool is_open, is_dropped;
	double recent;
	uint64_t total;
};

struct chains {
	struct entry *all;
	size_t count, room;
	size_t nopen;
	uint64_t *words; /* the addresses of all entries, in their order */
	size_t nwords, words_room;
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
	free(chains->words);
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
	uint64_t hash = (uint64_t)(uint32_t)key->pid;

	if (key->code.file != 0 || key->code.offset != 0)
		hash = mix(mix(hash, key->code.file), key->code.offset);
	for (uint32_t i = 0; i < key->nips; i++)
		hash = mix(hash, key->ips[i]);
	return hash;
}

static bool is_same(const struct chains *chains, const struct entry *entry, uint64_t hash,
		    const struct key *key)
{
	return entry->hash == hash && entry->nips == key->nips && entry->pid == key->pid &&
	       entry->code.file == key->code.file && entry->code.offset == key->code.offset &&
	       (key->nips == 0 ||
		memcmp(chains->words + entry->at, key->ips, key->nips * sizeof(*key->ips)) == 0);
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
	uint32_t nips = key->nips;

	if (chains->count == CHAINS_MAX || chains->nwords + nips > WORDS_MAX)
		return NULL;
	if (chains->count == chains->room) {
		chains->room = more(chains->room, 512, 0);
		chains->all = xreallocarray(chains->all, chains->room, sizeof(*chains->all));
	}
	if (chains->nwords + nips > chains->words_room) {
		chains->words_room = more(chains->words_room, 512, chains->nwords + nips);
		chains->words =
			xreallocarray(chains->words, chains->words_room, sizeof(*chains->words));
	}
	if (nips > 0)
		memcpy(chains->words + chains->nwords, key->ips, nips * sizeof(*key->ips));
	chains->all[chains->count++] = (struct entry){ .at = chains->nwords,
						       .nips = nips,
						       .pid = key->pid,
						       .code = key->code,
						       .hash = hash };
	chains->nwords += nips;
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

	if (entry == NULL)
		entry = add(chains, hash, key);
	if (entry == NULL)
		return false;
	entry->recent += (double)weight;
	entry->total += weight;
	return true;
}

/* --- samples -------------------------------------------------------------------------------- */

/*
 * The kernel's addresses of a sample's chain, into `ips`; and whether user code is below them.  A chain
 * has marks (enum perf_callchain_context) where the kernel's part and the user's begin.
 */
static uint32_t split(const struct record *record, uint64_t ips[CHAIN_MOST], bool *has_user)
{
	enum { OTHER, KERNEL, USER } part = OTHER;
	uint32_t nips = 0;

	*has_user = false;
	for (uint64_t i = 0; i < record->nchain; i++) {
		uint64_t word = record->chain[i];

		if (word >= (uint64_t)PERF_CONTEXT_MAX) {
			part = word == (uint64_t)PERF_CONTEXT_KERNEL ? KERNEL :
			       word == (uint64_t)PERF_CONTEXT_USER   ? USER :
								       OTHER;
			i += word == ABI_CONTEXT_USER_DEFERRED; /* a cookie follows */
		} else if (part == KERNEL && nips < CHAIN_MOST) {
			ips[nips++] = word;
		} else if (part == USER) {
			*has_user = true;
		}
	}
	return nips;
}

/* Add to the samples at an address whose place is not known yet. */
static bool hit_open(struct chains *chains, int32_t pid, uint64_t address, uint64_t weight)
{
	const struct key key = { .pid = pid, .code = { .offset = address } };
	size_t before = chains->count;

	if (address == 0 || chains->nopen == OPEN_MAX || !hit(chains, &key, weight))
		return false;
	if (chains->count > before) {
		chains->all[before].is_open = true;
		chains->nopen++;
	}
	return true;
}

static void user_sample(struct chains *chains, const struct record *record, const struct code *code,
			uint64_t weight)
{
	const struct key whose = { .pid = (int32_t)record->pid };
	bool is_hit = false;

	if (code == NULL)
		is_hit = hit_open(chains, whose.pid, record->ip, weight);
	else if (code->file != 0)
		is_hit = hit(chains, &(struct key){ .code = *code }, weight);
	if (!is_hit)
		hit(chains, &whose, weight);
}

void chains_sample(struct chains *chains, const struct record *record, const struct code *code,
		   uint64_t weight)
{
	uint64_t ips[CHAIN_MOST];
	bool has_user;

	if (record_is_user_mode(record->misc)) {
		user_sample(chains, record, code, weight);
		return;
	}

	struct key key = { .ips = ips, .nips = split(record, ips, &has_user) };
	if (key.nips == 0)
		ips[key.nips++] = record->ip;
	if (has_user)
		key.pid = (int32_t)record->pid;
	if (hit(chains, &key, weight))
		return;
	/* Full; a new chain is rarely a hot one. */
	key.nips = 1;
	key.pid = 0;
	hit(chains, &key, weight);
}

/* --- reading, fading ------------------------------------------------------------------------ */

size_t chains_count(const struct chains *chains)
{
	return chains->count;
}

struct chain chains_at(const struct chains *chains, size_t number)
{
	const struct entry *entry = &chains->all[number];

	return (struct chain){ .ips = entry->nips > 0 ? chains->words + entry->at : NULL,
			       .nips = entry->nips,
			       .pid = entry->pid,
			       .code = entry->code,
			       .recent = entry->recent,
			       .total = entry->total };
}

/* Keep an entry at the end of those kept so far: it never moves up. */
static void keep(struct chains *chains, size_t *kept, size_t *nwords, const struct entry *entry)
{
	struct entry moved = *entry;

	if (moved.nips > 0 && moved.at != *nwords)
		memmove(chains->words + *nwords, chains->words + moved.at,
			moved.nips * sizeof(*chains->words));
	moved.at = *nwords;
	*nwords += moved.nips;
	chains->all[(*kept)++] = moved;
}

/* Remove the dropped ones. */
static void sweep(struct chains *chains)
{
	size_t kept = 0, nwords = 0;

	for (size_t i = 0; i < chains->count; i++) {
		if (!chains->all[i].is_dropped)
			keep(chains, &kept, &nwords, &chains->all[i]);
	}
	chains->count = kept;
	chains->nwords = nwords;
	rebuild_index(chains);
}

void chains_fade(struct chains *chains)
{
	bool is_crowded = chains->count > CHAINS_MAX / 2 || chains->nwords > WORDS_MAX / 2;
	bool has_dropped = false;

	for (size_t i = 0; i < chains->count; i++) {
		struct entry *entry = &chains->all[i];

		entry->recent *= FADE;
		if (entry->recent < FADED_OUT)
			entry->recent = 0;
		entry->is_dropped = is_crowded && entry->recent <= 0 && !entry->is_open;
		has_dropped |= entry->is_dropped;
	}
	if (has_dropped)
		sweep(chains);
}

/*
 * Make an open entry one of this key, or add it to that one.  The index still has its place under the old
 * hash, which finds nothing any more.
 */
static void close_entry(struct chains *chains, size_t number, const struct key *key)
{
	struct entry *entry = &chains->all[number];
	uint64_t hash = hash_of(key);
	struct entry *same = find(chains, hash, key);

	entry->is_open = false;
	chains->nopen--;
	if (same != NULL) {
		same->recent += entry->recent;
		same->total += entry->total;
		entry->is_dropped = true;
		return;
	}
	entry->pid = key->pid;
	entry->code = key->code;
	entry->hash = hash;
	put_index(chains, number);
}

void chains_place(struct chains *chains, const struct chain_places *places)
{
	size_t nopen = chains->nopen;

	for (size_t i = 0; i < chains->count && chains->nopen > 0; i++) {
		const struct entry *entry = &chains->all[i];
		struct code code = { 0 };

		if (!entry->is_open ||
		    !places->find(places->ctx, entry->pid, entry->code.offset, &code))
			continue;
		if (code.file != 0)
			close_entry(chains, i, &(struct key){ .code = code });
		else
			close_entry(chains, i, &(struct key){ .pid = entry->pid });
	}
	if (chains->nopen < nopen)
		sweep(chains);
}

void chains_zero(struct chains *chains)
{
	chains->count = chains->nwords = chains->nopen = 0;
	rebuild_index(chains);
}
