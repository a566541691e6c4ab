/* SPDX-License-Identifier: MIT */
#include "model/chains.h"

#include "base/abi.h"
#include "tap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER   ((uint64_t)PERF_CONTEXT_USER)
#define GUEST  ((uint64_t)PERF_CONTEXT_GUEST_KERNEL)

#define WORDS(...) (const uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8

static void hit_chain(struct chains *chains, uint32_t pid, uint16_t misc, uint64_t ip,
		      const uint64_t *words, size_t nwords, uint64_t weight)
{
	struct record record = { .type = PERF_RECORD_SAMPLE,
				 .misc = misc,
				 .pid = pid,
				 .ip = ip,
				 .chain = words,
				 .nchain = nwords };

	chains_sample(chains, &record, &(struct code){ 0 }, weight);
}

static void hit(struct chains *chains, uint64_t ip, uint64_t weight)
{
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, ip, NULL, 0, weight);
}

static void hit_user(struct chains *chains, uint32_t pid, uint64_t weight)
{
	hit_chain(chains, pid, PERF_RECORD_MISC_USER, 0x401000, NULL, 0, weight);
}

/* The chain of these addresses, called from the user code of `pid`; of weight 0 when there is none. */
static struct chain find(const struct chains *chains, int32_t pid, const uint64_t *ips, size_t nips)
{
	for (size_t i = 0; i < chains_count(chains); i++) {
		struct chain chain = chains_at(chains, i);

		if (chain.pid == pid && chain.nips == nips &&
		    (nips == 0 || memcmp(chain.ips, ips, nips * sizeof(*ips)) == 0))
			return chain;
	}
	return (struct chain){ 0 };
}

static void hit_code(struct chains *chains, uint32_t file, uint64_t offset, uint16_t misc)
{
	struct record record = { .type = PERF_RECORD_SAMPLE, .misc = misc, .pid = 7, .ip = 55 };

	chains_sample(chains, &record, &(struct code){ file, offset }, 1);
}

static struct chain find_code(const struct chains *chains, uint32_t file, uint64_t offset)
{
	for (size_t i = 0; i < chains_count(chains); i++) {
		struct chain chain = chains_at(chains, i);

		if (chain.code.file == file && chain.code.offset == offset && chain.nips == 0 &&
		    chain.pid == 0)
			return chain;
	}
	return (struct chain){ 0 };
}

static uint64_t total_of(const struct chains *chains, uint32_t file, uint64_t offset)
{
	return find_code(chains, file, offset).total;
}

static void check_code(void)
{
	struct chains *chains = chains_new();

	hit_code(chains, 1, 0, PERF_RECORD_MISC_USER);
	hit_code(chains, 1, 100, PERF_RECORD_MISC_USER);
	hit_code(chains, 1, 100, PERF_RECORD_MISC_USER);
	hit_code(chains, 2, 100, PERF_RECORD_MISC_USER);
	hit_code(chains, 0, 100, PERF_RECORD_MISC_USER);
	hit_code(chains, 1, 100, PERF_RECORD_MISC_KERNEL);
	is_u64(total_of(chains, 1, 100), 2, "user code is by its place in a file");
	is_u64(total_of(chains, 1, 0), 1, "another place is another one");
	is_u64(total_of(chains, 2, 100), 1, "and another file");
	is_u64(find(chains, 7, NULL, 0).total, 1, "of an unknown file it is its pid's");
	is_u64(chains_count(chains), 5, "a sample in the kernel is not user code");

	for (uint64_t i = 0; i < 40000; i++)
		hit_code(chains, 3, i, PERF_RECORD_MISC_USER);
	is_u64(find(chains, 7, NULL, 0).total, 1 + 40000 - (32768 - 5),
	       "what does not fit is its pid's");
	chains_free(chains);
}

static void check_addresses(void)
{
	struct chains *chains = chains_new();

	hit(chains, 100, 5);
	hit_user(chains, 100, 7);
	hit(chains, 100, 2);
	is_u64(chains_count(chains), 2, "an address and a pid of the same number are two");
	is_u64(find(chains, 0, WORDS(100)).total, 7, "hits of one are added");
	is_u64(find(chains, 100, NULL, 0).total, 7, "and not to the other");

	chains_fade(chains);
	ok(fabs(find(chains, 0, WORDS(100)).recent - 7 * 0.75) < 1e-9, "a tick takes a quarter");
	is_u64(find(chains, 0, WORDS(100)).total, 7, "but not of the total");
	for (int i = 0; i < 40; i++)
		chains_fade(chains);
	ok(find(chains, 0, WORDS(100)).recent == 0, "after many ticks nothing is left");
	hit(chains, 100, 1);
	is_u64(find(chains, 0, WORDS(100)).total, 8, "until the next hit");
	chains_zero(chains);
	is_u64(chains_count(chains), 0, "zero removes all");
	hit(chains, 100, 1);
	is_u64(find(chains, 0, WORDS(100)).total, 1, "and the next hit counts from zero");
	chains_free(chains);
	chains_free(NULL);
}

#define IN_KERNEL(pid, ...) \
	hit_chain(chains, pid, PERF_RECORD_MISC_KERNEL, 10, WORDS(__VA_ARGS__), 1)

static void check_parts(void)
{
	struct chains *chains = chains_new();

	IN_KERNEL(7, KERNEL, 10, 20, 30);
	IN_KERNEL(8, KERNEL, 10, 20, 30);
	is_u64(find(chains, 0, WORDS(10, 20, 30)).total, 2,
	       "the kernel's part is that of all tasks");
	IN_KERNEL(7, KERNEL, 10, 20);
	is_u64(find(chains, 0, WORDS(10, 20)).total, 1, "a part of a chain is another one");
	IN_KERNEL(7, KERNEL, 10, 20, 30, USER, 0x401000, 0x402000);
	IN_KERNEL(7, KERNEL, 10, 20, 30, USER, 0x403000);
	is_u64(find(chains, 7, WORDS(10, 20, 30)).total, 2, "user code is the task's");
	IN_KERNEL(7, KERNEL, 10, 20, ABI_CONTEXT_USER_DEFERRED, 99);
	is_u64(find(chains, 0, WORDS(10, 20)).total, 2,
	       "the cookie of a deferred part is no address");
	IN_KERNEL(7, GUEST, 10, 20);
	is_u64(find(chains, 0, WORDS(10)).total, 1,
	       "a guest's part is left out: the sample's own address");
	IN_KERNEL(7, 50, 60);
	is_u64(find(chains, 0, WORDS(10)).total, 2, "so is a part without a mark");
	hit_chain(chains, 9, PERF_RECORD_MISC_USER, 0x401000, WORDS(USER, 0x401000, 0x402000), 4);
	is_u64(find(chains, 9, NULL, 0).total, 4, "of a sample in user mode nothing else is kept");
	is_u64(chains_count(chains), 5, "no others");
	chains_free(chains);
}

static void check_long(void)
{
	struct chains *chains = chains_new();
	uint64_t words[8000] = { KERNEL };

	for (size_t i = 1; i < 8000; i++)
		words[i] = i;
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 10, words, 8000, 3);
	is_u64(find(chains, 0, words + 1, CHAIN_MOST).total, 3, "the innermost addresses are kept");
	chains_free(chains);
}

/* More addresses than are kept: bounded, and those that faded out are removed. */
static void check_crowd(void)
{
	struct chains *chains = chains_new();

	for (uint64_t i = 0; i < 100000; i++)
		hit(chains, 0xffffffff81000000 + i * 16, 1);
	size_t most = chains_count(chains);
	ok(most < 100000 && most > 1000, "100,000 addresses: %zu are kept", most);
	hit(chains, 0xffffffff81000000, 1000);
	for (int i = 0; i < 30; i++)
		chains_fade(chains);
	is_u64(chains_count(chains), 1, "those that faded out are removed");
	is_u64(find(chains, 0, WORDS(0xffffffff81000000)).total, 1001, "the hot one stays");
	hit(chains, 1, 3);
	is_u64(find(chains, 0, WORDS(1)).total, 3, "and new ones are added");
	chains_free(chains);
}

/* Chains of 100 addresses: their sum is bounded too, and the places of those kept stay right. */
static void check_long_crowd(void)
{
	struct chains *chains = chains_new();
	uint64_t words[101] = { KERNEL };
	uint64_t seen = 0, weight = 0;

	for (size_t i = 1; i < 101; i++)
		words[i] = i;
	hit(chains, 1, 1000000);
	for (uint64_t i = 0; i < 10000; i++) {
		words[100] = 1000 + i;
		hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 1, words, 101,
			  i == 4999 ? 1000000 : 1);
	}
	for (size_t i = 0; i < chains_count(chains); i++) {
		seen += chains_at(chains, i).nips;
		weight += chains_at(chains, i).total;
	}
	ok(seen < 600000 && seen > 100000, "10,000 long chains: %llu addresses are kept",
	   (unsigned long long)seen);
	is_u64(weight, 1000000 + 9999 + 1000000,
	       "what has no room is added to its innermost address");
	for (int i = 0; i < 30; i++)
		chains_fade(chains);
	is_u64(chains_count(chains), 2, "those that faded out are removed");
	words[100] = 1000 + 4999;
	is_u64(find(chains, 0, words + 1, 100).total, 1000000, "the hot one is whole");
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 1, words, 101, 1);
	is_u64(find(chains, 0, words + 1, 100).total, 1000001, "and is found again");
	chains_free(chains);
}

/* --- places that become known later ----------------------------------------------------------- */

static void hit_address(struct chains *chains, uint32_t pid, uint64_t address, uint64_t weight)
{
	struct record record = { .type = PERF_RECORD_SAMPLE,
				 .misc = PERF_RECORD_MISC_USER,
				 .pid = pid,
				 .ip = address };

	chains_sample(chains, &record, NULL, weight);
}

static size_t places_asked;

/* From 1000 on not known yet; from 500 on in no file; else in the file of the pid's number. */
static bool fake_place(void *ctx, int32_t pid, uint64_t address, struct code *code)
{
	(void)ctx;
	places_asked++;
	if (address >= 500)
		return address < 1000;
	*code = (struct code){ (uint32_t)pid, address };
	return true;
}

/* The same, but everything is known. */
static bool late_place(void *ctx, int32_t pid, uint64_t address, struct code *code)
{
	fake_place(ctx, pid, address % 1000, code);
	return true;
}

static void place(struct chains *chains, bool is_late)
{
	const struct chain_places places = { .find = is_late ? late_place : fake_place };

	places_asked = 0;
	chains_place(chains, &places);
}

static void check_places(void)
{
	struct chains *chains = chains_new();

	place(chains, false);
	is_u64(places_asked, 0, "no sample, nothing to ask");
	hit_code(chains, 7, 10, PERF_RECORD_MISC_USER);
	hit_address(chains, 7, 10, 2);
	hit_address(chains, 7, 20, 4);
	hit_address(chains, 7, 20, 8);
	hit_address(chains, 8, 20, 16);
	hit_address(chains, 7, 600, 32);
	hit_address(chains, 7, 700, 64);
	hit_address(chains, 7, 1030, 128);
	hit_address(chains, 9, 0, 256);
	place(chains, false);
	is_u64(places_asked, 6, "each address of a process is asked for once");
	is_u64(total_of(chains, 7, 10), 3, "a place that was known before gets the weight");
	is_u64(total_of(chains, 7, 20), 12, "and one that was not");
	ok(find_code(chains, 7, 10).recent >= 3 && find_code(chains, 7, 20).recent >= 12,
	   "that of the last seconds, too");
	is_u64(total_of(chains, 8, 20), 16, "of each process its own");
	is_u64(find(chains, 9, NULL, 0).total, 256, "no address, no place");
	hit_address(chains, 7, 1030, 1);
	for (int i = 0; i < 40; i++)
		chains_fade(chains);
	place(chains, true);
	is_u64(places_asked, 1, "what was not known yet is asked for again");
	is_u64(total_of(chains, 7, 30), 129, "with all its weight");
	is_u64(find(chains, 7, NULL, 0).total, 96, "what is in no file is its pid's");
	place(chains, true);
	is_u64(places_asked, 0, "then all is known");
	is_u64(chains_count(chains), 6, "and nothing is left over");
	hit_code(chains, 7, 30, PERF_RECORD_MISC_USER);
	is_u64(total_of(chains, 7, 30), 130, "each is found again");
	chains_free(chains);
}

/* Many addresses without a place leave room for the others, and come all to their pid. */
static void check_many_places(void)
{
	struct chains *chains = chains_new();

	for (uint64_t i = 0; i < 40000; i++)
		hit_address(chains, 7, 501 + i, 1);
	hit(chains, 100, 1);
	is_u64(find(chains, 0, WORDS(100)).total, 1, "other code has room");
	place(chains, true);
	uint64_t total = find(chains, 7, NULL, 0).total;
	for (uint64_t i = 0; i < 500; i++)
		total += total_of(chains, 7, i);
	is_u64(total, 40000, "no weight is lost");
	hit_address(chains, 7, 1, 1);
	chains_zero(chains);
	place(chains, true);
	is_u64(places_asked, 0, "after zero nothing is asked for");
	chains_free(chains);
}

int main(void)
{
	plan_lazy();
	check_addresses();
	check_code();
	check_places();
	check_many_places();
	check_parts();
	check_long();
	check_crowd();
	check_long_crowd();
	return done();
}
