/* SPDX-License-Identifier: MIT */
#include "model/addresses.h"

#include "tap.h"

#include <math.h>
#include <stddef.h>

static const struct address *find(const struct addresses *addresses, uint64_t ip, bool is_user)
{
	const struct address *all = addresses_all(addresses);

	for (size_t i = 0; i < addresses_count(addresses); i++)
		if (all[i].ip == ip && all[i].is_user == is_user)
			return &all[i];
	return NULL;
}

static void check_hits(void)
{
	struct addresses *addresses = addresses_new();

	addresses_hit(addresses, 100, false, 5);
	addresses_hit(addresses, 100, true, 7);
	addresses_hit(addresses, 100, false, 2);
	is_u64(addresses_count(addresses), 2, "an address and a pid of the same number are two");
	is_u64(find(addresses, 100, false)->total, 7, "hits of one are added");
	is_u64(find(addresses, 100, true)->total, 7, "and not to the other");

	addresses_fade(addresses);
	ok(fabs(find(addresses, 100, false)->recent - 7 * 0.75) < 1e-9, "a tick takes a quarter");
	is_u64(find(addresses, 100, false)->total, 7, "but not of the total");
	for (int i = 0; i < 40; i++)
		addresses_fade(addresses);
	ok(find(addresses, 100, false)->recent == 0, "after many ticks nothing is left");
	addresses_hit(addresses, 100, false, 1);
	is_u64(find(addresses, 100, false)->total, 8, "until the next hit");
	addresses_zero(addresses);
	is_u64(addresses_count(addresses), 0, "zero removes all");
	addresses_hit(addresses, 100, false, 1);
	is_u64(find(addresses, 100, false)->total, 1, "and the next hit counts from zero");
	addresses_free(addresses);
	addresses_free(NULL);
}

/* More addresses than are kept: bounded, and those that faded out are removed. */
static void check_crowd(void)
{
	struct addresses *addresses = addresses_new();

	for (uint64_t i = 0; i < 100000; i++)
		addresses_hit(addresses, 0xffffffff81000000 + i * 16, false, 1);
	size_t most = addresses_count(addresses);
	ok(most < 100000 && most > 1000, "100,000 addresses: %zu are kept", most);
	addresses_hit(addresses, 0xffffffff81000000, false, 1000);
	for (int i = 0; i < 30; i++)
		addresses_fade(addresses);
	is_u64(addresses_count(addresses), 1, "those that faded out are removed");
	is_u64(find(addresses, 0xffffffff81000000, false)->total, 1001, "the hot one stays");
	addresses_hit(addresses, 1, false, 3);
	is_u64(find(addresses, 1, false)->total, 3, "and new ones are added");
	addresses_free(addresses);
}

int main(void)
{
	plan_lazy();
	check_hits();
	check_crowd();
	return done();
}
