/* SPDX-License-Identifier: MIT */
#include "model/addresses.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define FADE 0.75
/* A single hit of weight 1 fades below this after about 20 ticks. */
#define FADED_OUT     0.003
#define ADDRESSES_MAX 32768

struct addresses {
	struct address *all;
	size_t count, room;
	uint32_t *index; /* position in `all` plus one; 0: empty */
	size_t mask;
};

struct addresses *addresses_new(void)
{
	struct addresses *addresses = xcalloc(1, sizeof(*addresses));

	addresses->mask = 1023;
	addresses->index = xcalloc(addresses->mask + 1, sizeof(*addresses->index));
	return addresses;
}

void addresses_free(struct addresses *addresses)
{
	if (addresses == NULL)
		return;

	free(addresses->all);
	free(addresses->index);
	free(addresses);
}

static size_t locate(const struct addresses *addresses, uint64_t ip, bool is_user)
{
	size_t at = (size_t)((ip * 0x9e3779b97f4a7c15ull) >> 40) & addresses->mask;

	for (; addresses->index[at] != 0; at = (at + 1) & addresses->mask) {
		const struct address *known = &addresses->all[addresses->index[at] - 1];

		if (known->ip == ip && known->is_user == is_user)
			break;
	}
	return at;
}

static void rebuild_index(struct addresses *addresses)
{
	while (addresses->count * 2 >= addresses->mask + 1)
		addresses->mask = addresses->mask * 2 + 1;
	free(addresses->index);
	addresses->index = xcalloc(addresses->mask + 1, sizeof(*addresses->index));
	for (size_t i = 0; i < addresses->count; i++) {
		const struct address *address = &addresses->all[i];

		addresses->index[locate(addresses, address->ip, address->is_user)] =
			(uint32_t)i + 1;
	}
}

static struct address *add(struct addresses *addresses, uint64_t ip, bool is_user)
{
	if (addresses->count == addresses->room) {
		addresses->room = addresses->room == 0 ? 512 : addresses->room * 2;
		addresses->all =
			xreallocarray(addresses->all, addresses->room, sizeof(*addresses->all));
	}
	addresses->all[addresses->count++] = (struct address){ .ip = ip, .is_user = is_user };
	if (addresses->count * 2 >= addresses->mask + 1)
		rebuild_index(addresses);
	else
		addresses->index[locate(addresses, ip, is_user)] = (uint32_t)addresses->count;
	return &addresses->all[addresses->count - 1];
}

void addresses_hit(struct addresses *addresses, uint64_t ip, bool is_user, uint64_t weight)
{
	size_t at = locate(addresses, ip, is_user);
	struct address *address;

	if (addresses->index[at] != 0)
		address = &addresses->all[addresses->index[at] - 1];
	else if (addresses->count < ADDRESSES_MAX)
		address = add(addresses, ip, is_user);
	else
		return; /* full: a new address is rarely a hot one */
	address->recent += (double)weight;
	address->total += weight;
}

size_t addresses_count(const struct addresses *addresses)
{
	return addresses->count;
}

const struct address *addresses_all(const struct addresses *addresses)
{
	return addresses->all;
}

void addresses_fade(struct addresses *addresses)
{
	bool is_crowded = addresses->count > ADDRESSES_MAX / 2;
	size_t kept = 0;

	for (size_t i = 0; i < addresses->count; i++) {
		struct address *address = &addresses->all[i];

		address->recent *= FADE;
		if (address->recent < FADED_OUT)
			address->recent = 0;
		if (address->recent > 0 || !is_crowded)
			addresses->all[kept++] = *address;
	}
	if (kept != addresses->count) {
		addresses->count = kept;
		rebuild_index(addresses);
	}
}

void addresses_zero(struct addresses *addresses)
{
	addresses->count = 0;
	rebuild_index(addresses);
}
