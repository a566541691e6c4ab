/* SPDX-License-Identifier: MIT */
/* Which files' code is mapped where: overlaps, forks, execs, exits, limits, hostile records. */
#include "model/maps.h"

#include "made-maps.h"
#include "tap.h"

static struct maps *maps;

static void map(struct made_map map)
{
	struct record record = made_map(map);

	maps_map(maps, &record);
}

/* "libc+0x10" or "-": the file's name without its folder. */
/* Whatever the time. */
static struct code code_at(int32_t pid, uint64_t address)
{
	struct code code;

	maps_find(maps, pid, address, UINT64_MAX, &code);
	return code;
}

static const char *at(int32_t pid, uint64_t address)
{
	static char text[80];
	struct code code = code_at(pid, address);

	if (code.file == 0)
		return "-";
	snprintf(text, sizeof(text), "%s+0x%llx", maps_file(maps, code.file)->path + 1,
		 (unsigned long long)code.offset);
	return text;
}

static void check_places(void)
{
	maps = maps_new();
	is_str(at(1, 0x1000), "-", "nothing is mapped");
	map(MADE_MAP(1, 0x1000, 0x1000, 0x500, "/a"));
	map(MADE_MAP(1, 0x8000, 0x1000, 0, "/b"));
	is_str(at(1, 0xfff), "-", "before the first mapping");
	is_str(at(1, 0x1000), "a+0x500", "its first byte has its offset");
	is_str(at(1, 0x1fff), "a+0x14ff", "its last one");
	is_str(at(1, 0x2000), "-", "between two mappings");
	is_str(at(1, 0x8010), "b+0x10", "the other one");
	is_str(at(1, 0x9000), "-", "behind the last one");
	is_str(at(2, 0x1000), "-", "another process has none of it");
	map(MADE_MAP(2, 0x1000, 0x1000, 0x500, "/a"));
	ok(code_at(1, 0x1000).file == code_at(2, 0x1000).file, "one file in two processes is one");
	maps_free(maps);
	maps_free(NULL);
}

static void check_overlaps(void)
{
	maps = maps_new();
	map(MADE_MAP(1, 0x1000, 0x3000, 0, "/a"));
	map(MADE_MAP(1, 0x2000, 0x1000, 0x70, "/b"));
	is_str(at(1, 0x1fff), "a+0xfff", "a mapping in the middle: before it");
	is_str(at(1, 0x2000), "b+0x70", "itself");
	is_str(at(1, 0x3000), "a+0x2000", "behind it, with the offset that was there");
	map(MADE_MAP(1, 0x1800, 0x1000, 0, "/c"));
	is_str(at(1, 0x17ff), "a+0x7ff", "one across two: the end of the first is gone");
	is_str(at(1, 0x27ff), "c+0xfff", "itself");
	is_str(at(1, 0x2800), "b+0x870", "the start of the second is gone");
	map(MADE_MAP(1, 0x1000, 0x10000, 0, "/d"));
	is_str(at(1, 0x3800), "d+0x2800", "one over all replaces all");
	map(MADE_MAP(1, 0x3000, 0x1000, 0, "//anon"));
	is_str(at(1, 0x3800), "-", "code that is of no file replaces it too");
	is_str(at(1, 0x4000), "d+0x3000", "and only that");
	map(MADE_MAP_WITH(1, 0x4000, 0x1000, 0, "/data", .is_data = true));
	is_str(at(1, 0x4000), "d+0x3000", "data is not taken");
	map(MADE_MAP(1, UINT64_MAX - 10, 0x1000, 0, "/e"));
	map(MADE_MAP(1, 0x4000, 0, 0, "/f"));
	is_str(at(1, UINT64_MAX - 5), "-", "one that wraps around is not taken");
	is_str(at(1, 0x4000), "d+0x3000", "nor an empty one");
	maps_free(maps);
}

static void check_files(void)
{
	static const char one[] = "12345678901234567890", two[] = "12345678901234567891";

	maps = maps_new();
	map(MADE_MAP_WITH(1, 0x1000, 0x1000, 0, "/a", .major = 8, .minor = 1, .inode = 5));
	map(MADE_MAP_WITH(1, 0x2000, 0x1000, 0, "/a", .major = 8, .minor = 1, .inode = 6));
	map(MADE_MAP_WITH(1, 0x3000, 0x1000, 0, "/a", .build_id = one));
	map(MADE_MAP_WITH(1, 0x4000, 0x1000, 0, "/a", .build_id = two));
	map(MADE_MAP_WITH(1, 0x5000, 0x1000, 0, "/a", .build_id = one));

	struct code code = code_at(1, 0x1000);
	const struct code_file *file = maps_file(maps, code.file);
	ok(file->major == 8 && file->minor == 1 && file->inode == 5 && file->build_id.size == 0,
	   "a file has its device and inode");
	ok(code_at(1, 0x2000).file != code.file, "another inode is another file");
	file = maps_file(maps, code_at(1, 0x3000).file);
	ok(file->build_id.size == 20 && memcmp(file->build_id.bytes, one, 20) == 0 &&
		   file->inode == 0,
	   "or its build-id");
	ok(code_at(1, 0x4000).file != code_at(1, 0x3000).file, "another build-id is another file");
	is_u64(code_at(1, 0x5000).file, code_at(1, 0x3000).file, "the same one is the same file");
	maps_free(maps);
}

static void check_lives(void)
{
	maps = maps_new();
	map(MADE_MAP_WITH(1, 0x1000, 0x1000, 0, "/a", .time_ns = 10));
	maps_fork(maps, 2, 1, 20);
	is_str(at(2, 0x1000), "a+0x0", "a child has the mappings of its parent");
	map(MADE_MAP_WITH(2, 0x5000, 0x1000, 0, "/child", .time_ns = 25));
	is_str(at(1, 0x5000), "-", "what it maps is not its parent's");
	map(MADE_MAP_WITH(1, 0x6000, 0x1000, 0, "/parent", .time_ns = 26));
	is_str(at(2, 0x6000), "-", "nor the other way round");
	maps_fork(maps, 3, 2, 30);
	maps_exec(maps, 3, 40);
	is_str(at(3, 0x1000), "-", "a program that was executed begins without any");
	is_str(at(2, 0x1000), "a+0x0", "its parent keeps them");
	map(MADE_MAP_WITH(4, 0x1000, 0x1000, 0, "/new", .time_ns = 51));
	maps_exec(maps, 4, 50);
	is_str(at(4, 0x1000), "new+0x0", "unless they are newer: its exec came late");
	maps_fork(maps, 4, 1, 45);
	is_str(at(4, 0x1000), "new+0x0", "as its fork does");
	maps_fork(maps, 4, 99, 60);
	is_str(at(4, 0x1000), "-", "a fork of an unknown parent begins without any");
	maps_fork(maps, 1, 1, 70);
	is_str(at(1, 0x1000), "a+0x0", "a new thread changes nothing");

	maps_exit(maps, 1);
	for (int i = 0; i < 5; i++) {
		ok(maps_has_ended(maps), "a process has ended");
		maps_go_on(maps, 1);
		maps_tick(maps);
	}
	is_str(at(1, 0x1000), "a+0x0", "while it goes on it is known");
	maps_go_on(maps, 1);
	is_str(at(1, 0x1000), "a+0x0", "after its end a process is still known");
	maps_tick(maps);
	maps_tick(maps);
	is_str(at(1, 0x1000), "a+0x0", "for records of other CPUs");
	maps_tick(maps);
	is_str(at(1, 0x1000), "-", "but not for long");
	ok(!maps_has_ended(maps), "none has ended");
	is_str(at(2, 0x1000), "a+0x0", "its children stay");
	maps_exit(maps, 2);
	maps_fork(maps, 2, 3, 80);
	for (int i = 0; i < 5; i++)
		maps_tick(maps);
	map(MADE_MAP_WITH(2, 0x1000, 0x1000, 0, "/again", .time_ns = 90));
	is_str(at(2, 0x1000), "again+0x0", "a pid that is used again is another process");
	maps_free(maps);
}

static void check_limits(void)
{
	maps = maps_new();
	for (uint32_t i = 0; i < 200000; i++)
		map(MADE_MAP(1, 0x1000 * (uint64_t)(i + 1), 0x1000, 0, "/a"));
	is_str(at(1, 0x1000), "a+0x0", "of too many mappings the first are kept");
	is_str(at(1, 0x1000ull * 200000), "-", "and not the last");
	map(MADE_MAP(1, 0x1000, 0x1000ull * 300000, 0, "/b"));
	map(MADE_MAP(2, 0x1000, 0x1000, 0, "/c"));
	is_str(at(2, 0x1000), "c+0x0", "what is replaced makes room");
	for (int32_t pid = 3; pid < 40000; pid++)
		maps_fork(maps, pid, 2, 10);
	is_str(at(100, 0x1000), "c+0x0", "of too many processes the first are known");
	is_str(at(39999, 0x1000), "-", "and not the last");
	for (int32_t pid = 3; pid < 20000; pid++)
		maps_exit(maps, pid);
	maps_fork(maps, 50000, 2, 20);
	is_str(at(50000, 0x1000), "c+0x0", "those that ended make room");
	maps_free(maps);

	maps = maps_new();
	char path[20];
	for (uint32_t i = 1; i < 9000; i++) {
		snprintf(path, sizeof(path), "/%u", i);
		map(MADE_MAP(1, 0x1000 * (uint64_t)i, 0x1000, 0, path));
	}
	is_str(at(1, 0x1000), "1+0x0", "of too many files the first are known");
	is_str(at(1, 0x1000 * 8999), "-", "and not the last");
	maps_free(maps);
}

static void check_records(void)
{
	struct record record = made_map(MADE_MAP(1, 0x1000, 0x1000, 0, "/a"));
	struct record_map found;

	ok(record_map(&record, &found) && found.name_len == 2 && found.is_code, "a whole record");
	record.map.size = 56;
	ok(!record_map(&record, &found), "one that ends before what it is for");
	record.map.size = 64;
	ok(record_map(&record, &found) && found.name_len == 0, "one that ends before its name");
	record.misc = PERF_RECORD_MISC_KERNEL;
	ok(!record_map(&record, &found), "kernel code is not user code");
	record.misc = PERF_RECORD_MISC_USER;
	record.type = PERF_RECORD_MMAP;
	ok(record_map(&record, &found) && found.inode == 0 && found.is_code,
	   "the old kind has no file");
	record.misc |= PERF_RECORD_MISC_MMAP_DATA;
	ok(record_map(&record, &found) && !found.is_code, "and says what is data");
	record.type = PERF_RECORD_COMM;
	ok(!record_map(&record, &found), "another record is none");
	record = made_map(
		MADE_MAP_WITH(1, 0x1000, 0x1000, 0, "/a", .build_id = "12345678901234567890"));
	unsigned char *body = (unsigned char *)record.map.body;
	body[32] = 21;
	ok(record_map(&record, &found) && found.build_id.size == 0,
	   "a build-id that is too long is none");
}

static void check_times(void)
{
	struct code code;

	maps = maps_new();
	map(MADE_MAP_WITH(1, 0x1000, 0x1000, 0, "/a", .time_ns = 100));
	ok(maps_find(maps, 1, 0x1800, 100, &code) && code.file != 0 && code.offset == 0x800,
	   "an address at a time");
	ok(maps_find(maps, 1, 0x1800, 99, &code) && code.file != 0,
	   "a process that began before the first record has no beginning");
	ok(!maps_find(maps, 1, 0x3000, 100, &code) && code.file == 0,
	   "an address that is not mapped can be later");
	ok(!maps_find(maps, 2, 0x1800, 100, &code), "and a process that is not known");
	maps_exec(maps, 1, 200);
	ok(!maps_find(maps, 1, 0x1800, 200, &code), "a new program has no mappings yet");
	map(MADE_MAP_WITH(1, 0x1000, 0x1000, 0, "/b", .time_ns = 210));
	ok(maps_find(maps, 1, 0x1800, 199, &code) && code.file == 0,
	   "what is older than it is not in its files");
	maps_free(maps);
}

static const struct record_map old = { .start = 0x1000,
				       .len = 0x4000,
				       .is_code = true,
				       .name = "/old",
				       .name_len = 4 };

static void check_read(void)
{
	maps = maps_new();
	is_u64((uint64_t)maps_unread(maps, 1), 1, "a process of which no record told: to be read");
	map(MADE_MAP_WITH(1, 0x2000, 0x1000, 0, "/older", .time_ns = 90));
	map(MADE_MAP_WITH(1, 0x8000, 0x1000, 0, "/older", .time_ns = 90));
	map(MADE_MAP_WITH(1, 0x3000, 0x1000, 0, "/newer", .time_ns = 110));
	is_u64((uint64_t)maps_unread(maps, 1), 1, "also when it mapped something since");
	maps_read(maps, 1, &old, 1, 100);
	is_u64((uint64_t)maps_unread(maps, 1), 0, "then it is known");
	is_str(at(1, 0x1000), "old+0x0", "with what was read");
	is_str(at(1, 0x2000), "old+0x1000", "in place of older records");
	is_str(at(1, 0x3000), "newer+0x0", "but not of newer ones");
	is_str(at(1, 0x4fff), "old+0x3fff", "what they left of it is there");
	is_str(at(1, 0x8000), "older+0x0", "older ones elsewhere stay");

	maps_exec(maps, 2, 100);
	is_u64((uint64_t)maps_unread(maps, 2), 0, "a program that began since is known");
	maps_fork(maps, 3, 2, 110);
	is_u64((uint64_t)maps_unread(maps, 3), 0, "and what it forks");
	maps_read(maps, 2, &old, 1, 99);
	is_str(at(2, 0x1000), "-", "what was read before it is not of it");
	is_u64((uint64_t)maps_unread(maps, 0), 0, "the idle task has nothing to read");
	is_u64((uint64_t)maps_unread(maps, -1), 0, "nor a task that is gone");
	maps_free(maps);
}

static void check_read_forks(void)
{
	maps = maps_new();
	maps_fork(maps, 2, 1, 10);
	maps_fork(maps, 3, 1, 20);
	is_u64((uint64_t)maps_unread(maps, 2), 2, "a child of an unread process: itself");
	maps_read(maps, 2, NULL, 0, 30);
	is_u64((uint64_t)maps_unread(maps, 2), 1, "when it is gone: its parent");
	maps_read(maps, 1, &old, 1, 40);
	is_u64((uint64_t)maps_unread(maps, 2), 0, "whose mappings are also its");
	is_str(at(2, 0x1000), "old+0x0", "as they were when it was forked");
	is_str(at(3, 0x1000), "old+0x0", "and those of its other children");

	maps_fork(maps, 5, 4, 50);
	maps_read(maps, 5, NULL, 0, 60);
	maps_exec(maps, 4, 70);
	is_u64((uint64_t)maps_unread(maps, 5), 0, "not of a parent with another program");
	maps_fork(maps, 7, 6, 80);
	map(MADE_MAP_WITH(7, 0x9000, 0x1000, 0, "/own", .time_ns = 90));
	maps_read(maps, 7, NULL, 0, 100);
	is_u64((uint64_t)maps_unread(maps, 7), 0, "nor for a child that mapped something");
	is_str(at(7, 0x9000), "own+0x0", "of which that is known");
	maps_read(maps, 6, NULL, 0, 110);
	is_u64((uint64_t)maps_unread(maps, 6), 0, "what cannot be read is not read again");

	map(MADE_MAP_WITH(9, 0x9000, 0x1000, 0, "/own", .time_ns = 130));
	maps_fork(maps, 9, 1, 120);
	is_str(at(9, 0x9000), "own+0x0", "a fork that came late leaves what the child mapped");
	is_str(at(9, 0x1000), "old+0x0", "and adds what its parent has");
	maps_exit(maps, 10);
	is_u64((uint64_t)maps_unread(maps, 10), 10, "one that ended is asked for");
	for (int i = 0; i < 3; i++)
		maps_tick(maps);
	maps_fork(maps, 11, 10, 140);
	is_u64((uint64_t)maps_unread(maps, 11), 11, "and is forgotten as others are");
	maps_free(maps);
}

static char said[256];

static void say_maps(void *ctx, int32_t pid, const struct record_map *all, size_t count)
{
	size_t len = strlen(said);

	(void)ctx;
	len += (size_t)snprintf(said + len, sizeof(said) - len, "%d:", pid);
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(said + len, sizeof(said) - len, " %llx+%llx=%.*s+%llx",
					(unsigned long long)all[i].start,
					(unsigned long long)all[i].len, (int)all[i].name_len,
					all[i].name, (unsigned long long)all[i].offset);
	snprintf(said + len, sizeof(said) - len, ", ");
}

static void check_each(void)
{
	maps = maps_new();
	map(MADE_MAP(1, 0x1000, 0x3000, 0x10, "/a"));
	map(MADE_MAP(1, 0x2000, 0x1000, 0, "//anon"));
	map(MADE_MAP(2, 0x5000, 0x1000, 0, "/b"));
	maps_exit(maps, 2);
	maps_each(maps, say_maps, NULL);
	is_str(said, "1: 1000+1000=/a+10 3000+1000=/a+2010, 2: 5000+1000=/b+0, ",
	       "each process has its files' code, also one that ended");
	maps_free(maps);
}

int main(void)
{
	plan_lazy();
	check_places();
	check_overlaps();
	check_files();
	check_lives();
	check_limits();
	check_records();
	check_times();
	check_read();
	check_read_forks();
	check_each();
	return done();
}
