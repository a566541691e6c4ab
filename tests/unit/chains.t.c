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

#define EVENT 3

#define WORDS(...) (const uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8

#define IN(address)                   \
	{                             \
		FRAME_KERNEL, address \
	}
#define OF(pid)                    \
	{                          \
		FRAME_PROCESS, pid \
	}
#define CODE(file, offset)   \
	{                    \
		file, offset \
	}
#define FRAMES(...)                            \
	(const struct frame[]){ __VA_ARGS__ }, \
		sizeof((const struct frame[]){ __VA_ARGS__ }) / sizeof(struct frame)

/* --- where user code is ----------------------------------------------------------------------- */

static bool nowhere(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns, struct code *code)
{
	(void)ctx, (void)pid, (void)address, (void)time_ns;
	*code = (struct code){ 0 };
	return true;
}

static bool not_known(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns, struct code *code)
{
	nowhere(ctx, pid, address, time_ns, code);
	return false;
}

static bool at_code(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns, struct code *code)
{
	(void)pid, (void)address, (void)time_ns;
	*code = *(struct code *)ctx;
	return true;
}

static size_t places_asked;

/* From 1000 on not known yet; from 500 on in no file; else in the file of the pid's number. */
static bool fake_place(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns,
		       struct code *code)
{
	(void)ctx, (void)time_ns;
	places_asked++;
	if (address >= 500)
		return address < 1000;
	*code = (struct code){ (uint32_t)pid, address };
	return true;
}

/* The same, but everything is known. */
static bool late_place(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns,
		       struct code *code)
{
	fake_place(ctx, pid, address % 1000, time_ns, code);
	return true;
}

/* --- samples ---------------------------------------------------------------------------------- */

static void hit_chain(struct chains *chains, uint32_t pid, uint16_t misc, uint64_t ip,
		      const uint64_t *words, size_t nwords, uint64_t weight)
{
	struct record record = { .type = PERF_RECORD_SAMPLE,
				 .misc = misc,
				 .pid = pid,
				 .ip = ip,
				 .chain = words,
				 .nchain = nwords };

	chains_sample(chains, EVENT, &record, &(struct chain_places){ .find = nowhere }, weight);
}

static void hit(struct chains *chains, uint64_t ip, uint64_t weight)
{
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, ip, NULL, 0, weight);
}

static void hit_user(struct chains *chains, uint32_t pid, uint64_t weight)
{
	hit_chain(chains, pid, PERF_RECORD_MISC_USER, 0x401000, NULL, 0, weight);
}

static void hit_code(struct chains *chains, uint32_t file, uint64_t offset, uint16_t misc)
{
	struct record record = { .type = PERF_RECORD_SAMPLE, .misc = misc, .pid = 7, .ip = 55 };
	struct code code = { file, offset };

	chains_sample(chains, EVENT, &record,
		      &(struct chain_places){ .ctx = &code, .find = at_code }, 1);
}

/* The chain of these frames; of weight 0 when there is none. */
static struct chain find(const struct chains *chains, const struct frame *frames, size_t n)
{
	for (size_t i = 0; i < chains_count(chains); i++) {
		struct chain chain = chains_at(chains, i);
		uint32_t same = 0;

		while (same < chain.nframes && same < n &&
		       chain_frame(&chain, same).file == frames[same].file &&
		       chain_frame(&chain, same).at == frames[same].at)
			same++;
		if (same == n && chain.nframes == n)
			return chain;
	}
	return (struct chain){ 0 };
}

static uint64_t total_of(const struct chains *chains, const struct frame *frames, size_t n)
{
	return find(chains, frames, n).total;
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
	is_u64(total_of(chains, FRAMES(CODE(1, 100))), 2, "user code is by its place in a file");
	is_u64(total_of(chains, FRAMES(CODE(1, 0))), 1, "another place is another one");
	is_u64(total_of(chains, FRAMES(CODE(2, 100))), 1, "and another file");
	is_u64(total_of(chains, FRAMES(OF(7))), 1, "of an unknown file it is its pid's");
	is_u64(chains_count(chains), 5, "a sample in the kernel is not user code");

	for (uint64_t i = 0; i < 40000; i++)
		hit_code(chains, 3, i, PERF_RECORD_MISC_USER);
	is_u64(total_of(chains, FRAMES(OF(7))), 1 + 40000 - (32768 - 5),
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
	is_u64(total_of(chains, FRAMES(IN(100))), 7, "hits of one are added");
	is_u64(total_of(chains, FRAMES(OF(100))), 7, "and not to the other");

	chains_fade(chains);
	ok(fabs(find(chains, FRAMES(IN(100))).recent - 7 * 0.75) < 1e-9, "a tick takes a quarter");
	is_u64(total_of(chains, FRAMES(IN(100))), 7, "but not of the total");
	for (int i = 0; i < 40; i++)
		chains_fade(chains);
	ok(find(chains, FRAMES(IN(100))).recent == 0, "after many ticks nothing is left");
	hit(chains, 100, 1);
	is_u64(total_of(chains, FRAMES(IN(100))), 8, "until the next hit");
	chains_zero(chains);
	is_u64(chains_count(chains), 0, "zero removes all");
	hit(chains, 100, 1);
	is_u64(total_of(chains, FRAMES(IN(100))), 1, "and the next hit counts from zero");
	chains_free(chains);
	chains_free(NULL);
}

/* The place of a sample is known, or is asked for later: it is the event's own either way. */
static void check_events(void)
{
	const struct chain_places unknown = { .find = not_known }, known = { .find = nowhere };
	struct record record = { .type = PERF_RECORD_SAMPLE, .pid = 7, .ip = 100 };
	struct chains *chains = chains_new();
	uint64_t totals[3] = { 0 };

	for (uint16_t user = 0; user < 2; user++) {
		record.misc = user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
		chains_sample(chains, 1, &record, &unknown, 5);
		chains_sample(chains, 2, &record, &unknown, 7);
		chains_sample(chains, 1, &record, &unknown, 5);
	}
	chains_sample(chains, 2, &record, &known, 1);
	chains_place(chains, &known);
	for (size_t i = 0; i < chains_count(chains); i++) {
		struct chain chain = chains_at(chains, i);

		totals[chain.event] += chain.total;
	}
	is_u64(chains_count(chains), 4,
	       "a chain of two events is two, in the kernel and in user code");
	ok(totals[1] == 20 && totals[2] == 15, "each with the weight of its own samples");
	chains_free(chains);
}

#define IN_KERNEL(pid, ...) \
	hit_chain(chains, pid, PERF_RECORD_MISC_KERNEL, 10, WORDS(__VA_ARGS__), 1)

static void check_parts(void)
{
	struct chains *chains = chains_new();

	IN_KERNEL(7, KERNEL, 10, 20, 30);
	IN_KERNEL(8, KERNEL, 10, 20, 30);
	is_u64(total_of(chains, FRAMES(IN(10), IN(20), IN(30))), 2,
	       "the kernel's part is that of all tasks");
	IN_KERNEL(7, KERNEL, 10, 20);
	is_u64(total_of(chains, FRAMES(IN(10), IN(20))), 1, "a part of a chain is another one");
	IN_KERNEL(7, KERNEL, 10, 20, 30, USER, 0x401000, 0x402000);
	IN_KERNEL(7, KERNEL, 10, 20, 30, USER, 0x401000, 0x403000);
	IN_KERNEL(8, KERNEL, 10, 20, 30, USER, 0x401000, 0x403000);
	is_u64(total_of(chains, FRAMES(IN(10), IN(20), IN(30), OF(7), OF(7))), 2,
	       "user code of no file is the task's");
	IN_KERNEL(7, KERNEL, 10, 20, ABI_CONTEXT_USER_DEFERRED, 99);
	is_u64(total_of(chains, FRAMES(IN(10), IN(20))), 2,
	       "the cookie of a deferred part is no address");
	IN_KERNEL(7, GUEST, 10, 20);
	is_u64(total_of(chains, FRAMES(IN(10))), 1,
	       "a guest's part is left out: the sample's own address");
	IN_KERNEL(7, 50, 60);
	is_u64(total_of(chains, FRAMES(IN(10))), 2, "so is a part without a mark");
	IN_KERNEL(7, USER, 0x401000);
	is_u64(total_of(chains, FRAMES(IN(10), OF(7))), 1,
	       "without the kernel's part the sample's own address stays");
	hit_chain(chains, 9, PERF_RECORD_MISC_USER, 0x401000, WORDS(USER, 0x401000, 0x402000), 4);
	is_u64(total_of(chains, FRAMES(OF(9), OF(9))), 4, "a sample in user mode has its callers");
	is_u64(chains_count(chains), 7, "no others");
	chains_free(chains);
}

/* User frames are places in files, as soon as all of a chain's are known. */
static void check_user_part(void)
{
	struct chains *chains = chains_new();
	const struct chain_places fake = { .find = fake_place }, late = { .find = late_place };
	uint64_t words[] = { KERNEL, 10, USER, 100, 1200, 600 };
	struct record record = { .type = PERF_RECORD_SAMPLE,
				 .misc = PERF_RECORD_MISC_KERNEL,
				 .pid = 7,
				 .ip = 10,
				 .chain = words,
				 .nchain = 6 };

	chains_sample(chains, EVENT, &record, &fake, 1);
	is_u64(total_of(chains, FRAMES(IN(10), CODE(7, 100), OF(7), OF(7))), 1,
	       "until then the process stands for it");
	chains_sample(chains, EVENT, &record, &late, 2);
	is_u64(total_of(chains, FRAMES(IN(10), CODE(7, 100), CODE(7, 200), OF(7))), 2,
	       "each frame is a place in a file, or the process's");
	chains_place(chains, &fake);
	is_u64(chains_count(chains), 2, "one unknown place keeps a chain apart");
	chains_place(chains, &late);
	is_u64(total_of(chains, FRAMES(IN(10), CODE(7, 100), CODE(7, 200), OF(7))), 3,
	       "later both are one");
	is_u64(chains_count(chains), 1, "and nothing is left over");
	words[4] = 1300;
	chains_sample(chains, EVENT, &record, &fake, 5);
	chains_place(chains, &late);
	is_u64(total_of(chains, FRAMES(IN(10), CODE(7, 100), CODE(7, 300), OF(7))), 5,
	       "one that was not known before is kept");
	chains_sample(chains, EVENT, &record, &late, 5);
	is_u64(total_of(chains, FRAMES(IN(10), CODE(7, 100), CODE(7, 300), OF(7))), 10,
	       "and found again");
	chains_free(chains);
}

static void check_long(void)
{
	struct chains *chains = chains_new();
	uint64_t words[8000] = { KERNEL };
	struct frame frames[CHAIN_MOST];

	for (size_t i = 1; i < 8000; i++)
		words[i] = i;
	for (size_t i = 0; i < CHAIN_MOST; i++)
		frames[i] = (struct frame)IN(i + 1);
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 10, words, 8000, 3);
	is_u64(total_of(chains, frames, CHAIN_MOST), 3, "the innermost addresses are kept");
	words[0] = USER;
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 10, words, 8000, 3);
	is_u64(chains_at(chains, 1).nframes, CHAIN_MOST, "with the sample's own, too");
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
	is_u64(total_of(chains, FRAMES(IN(0xffffffff81000000))), 1001, "the hot one stays");
	hit(chains, 1, 3);
	is_u64(total_of(chains, FRAMES(IN(1))), 3, "and new ones are added");
	chains_free(chains);
}

/* Chains of 100 addresses: their sum is bounded too, and the places of those kept stay right. */
static void check_long_crowd(void)
{
	struct chains *chains = chains_new();
	uint64_t words[101] = { KERNEL };
	struct frame frames[100];
	uint64_t seen = 0, weight = 0;

	for (size_t i = 1; i < 101; i++) {
		words[i] = i;
		frames[i - 1] = (struct frame)IN(i);
	}
	hit(chains, 1, 1000000);
	for (uint64_t i = 0; i < 10000; i++) {
		words[100] = 1000 + i;
		hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 1, words, 101,
			  i == 4999 ? 1000000 : 1);
	}
	for (size_t i = 0; i < chains_count(chains); i++) {
		seen += chains_at(chains, i).nframes;
		weight += chains_at(chains, i).total;
	}
	ok(seen < 600000 && seen > 100000, "10,000 long chains: %llu addresses are kept",
	   (unsigned long long)seen);
	is_u64(weight, 1000000 + 9999 + 1000000,
	       "what has no room is added to its innermost address");
	for (int i = 0; i < 30; i++)
		chains_fade(chains);
	is_u64(chains_count(chains), 2, "those that faded out are removed");
	frames[99].at = words[100] = 1000 + 4999;
	is_u64(total_of(chains, frames, 100), 1000000, "the hot one is whole");
	hit_chain(chains, 7, PERF_RECORD_MISC_KERNEL, 1, words, 101, 1);
	is_u64(total_of(chains, frames, 100), 1000001, "and is found again");
	chains_free(chains);
}

/* --- places that become known later ----------------------------------------------------------- */

static void hit_address(struct chains *chains, uint32_t pid, uint64_t address, uint64_t weight)
{
	struct record record = { .type = PERF_RECORD_SAMPLE,
				 .misc = PERF_RECORD_MISC_USER,
				 .pid = pid,
				 .ip = address };

	chains_sample(chains, EVENT, &record, &(struct chain_places){ .find = not_known }, weight);
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
	is_u64(total_of(chains, FRAMES(CODE(7, 10))), 3,
	       "a place that was known before gets the weight");
	is_u64(total_of(chains, FRAMES(CODE(7, 20))), 12, "and one that was not");
	ok(find(chains, FRAMES(CODE(7, 10))).recent >= 3 &&
		   find(chains, FRAMES(CODE(7, 20))).recent >= 12,
	   "that of the last seconds, too");
	is_u64(total_of(chains, FRAMES(CODE(8, 20))), 16, "of each process its own");
	is_u64(total_of(chains, FRAMES(OF(9))), 256, "no address, no place");
	hit_address(chains, 7, 1030, 1);
	for (int i = 0; i < 40; i++)
		chains_fade(chains);
	place(chains, true);
	is_u64(places_asked, 1, "what was not known yet is asked for again");
	is_u64(total_of(chains, FRAMES(CODE(7, 30))), 129, "with all its weight");
	is_u64(total_of(chains, FRAMES(OF(7))), 96, "what is in no file is its pid's");
	place(chains, true);
	is_u64(places_asked, 0, "then all is known");
	is_u64(chains_count(chains), 6, "and nothing is left over");
	hit_code(chains, 7, 30, PERF_RECORD_MISC_USER);
	is_u64(total_of(chains, FRAMES(CODE(7, 30))), 130, "each is found again");
	chains_free(chains);
}

/* Many addresses without a place leave room for the others, and come all to their pid. */
static void check_many_places(void)
{
	struct chains *chains = chains_new();

	for (uint64_t i = 0; i < 40000; i++)
		hit_address(chains, 7, 501 + i, 1);
	hit(chains, 100, 1);
	is_u64(total_of(chains, FRAMES(IN(100))), 1, "other code has room");
	place(chains, true);
	uint64_t total = total_of(chains, FRAMES(OF(7)));
	for (uint64_t i = 0; i < 500; i++)
		total += total_of(chains, FRAMES(CODE(7, i)));
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
	check_events();
	check_places();
	check_many_places();
	check_parts();
	check_user_part();
	check_long();
	check_crowd();
	check_long_crowd();
	return done();
}
