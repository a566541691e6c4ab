/* SPDX-License-Identifier: MIT */
/* What is mapped in running processes: read in a thread, which may hang, and may be late. */
#include "source/proc-maps.h"

#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"

#define ROUNDS 100 /* of waiting */

/* The files of made-up processes, by pid: memfds and pipes. */
static int fds[4];
static size_t opened;

static int open_made(void *ctx, pid_t pid)
{
	(void)ctx;
	opened++;
	if (pid < 1 || pid > 3) {
		errno = EACCES;
		return -1;
	}
	return fcntl(fds[pid], F_DUPFD_CLOEXEC, 0);
}

static const struct access made = { .open_maps = open_made };

static int file_of(const char *text)
{
	int fd = memfd_create("maps", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) != 0)
		bail("memfd: %s", strerror(errno));
	return fd;
}

/* Ask until it is read. */
static struct process_maps read_one(struct proc_maps *maps, int32_t pid)
{
	struct process_maps process = { .pid = pid };

	for (int i = 0; i < ROUNDS && !process.is_read; i++) {
		proc_maps_read(maps, &process, 1);
		if (!process.is_read)
			usleep(10000); /* the thread is late: it is not waited for */
	}
	return process;
}

static bool is_map(const struct record_map *map, uint64_t start, uint64_t len, uint64_t offset,
		   const char *name)
{
	return map->start == start && map->len == len && map->offset == offset && map->is_code &&
	       map->name_len == strlen(name) && strcmp(map->name, name) == 0;
}

static void check_lines(void)
{
	struct proc_maps *maps = proc_maps_new(&made);

	fds[1] = file_of(
		"1000-3000 r--p 00000000 fe:00 77                         /usr/bin/a\n"
		"3000-5000 r-xp 00002000 fe:10 4294967299                 /usr/bin/a b (deleted)\n"
		"5000-6000 rwxp 00000000 00:00 0 \n"
		"6000-7000 rwxp 00000000 00:00 0                          [heap]\n"
		"7000-7000 r-xp 00000000 fe:00 77                         /empty\n"
		"9000-8000 r-xp 00000000 fe:00 77                         /back\n"
		"not a line\n"
		"\n"
		"fffffffffffff000-ffffffffffffffff --xp 00001000 00:1 5 /x\n"
		"a000-b000 r-xp 00000000 fe:00 77 /no newline");
	struct process_maps process = read_one(maps, 1);
	is_u64(process.count, 5, "code is taken, and nothing else");
	ok(process.count == 5 &&
		   is_map(&process.all[0], 0x3000, 0x2000, 0x2000, "/usr/bin/a b (deleted)"),
	   "with its address, its offset and the whole name");
	ok(process.count == 5 && process.all[0].major == 0xfe && process.all[0].minor == 0x10 &&
		   process.all[0].inode == 4294967299,
	   "with device and inode");
	ok(process.count == 5 && is_map(&process.all[3], 0xfffffffffffff000, 0xfff, 0x1000, "/x") &&
		   is_map(&process.all[4], 0xa000, 0x1000, 0, "/no newline"),
	   "at the last address, and at the end of the file");
	ok(process.count == 5 && is_map(&process.all[1], 0x5000, 0x1000, 0, "//anon") &&
		   is_map(&process.all[2], 0x6000, 0x1000, 0, "[heap]"),
	   "that of no file has the kernel's name");
	process = (struct process_maps){ .pid = 7 };
	proc_maps_read(maps, &process, 1);
	ok(process.is_read && process.count == 0 && process.time_ns != 0,
	   "one that cannot be opened is read, and empty");
	proc_maps_free(maps);
	close(fds[1]);

	char *many = NULL;
	size_t len;
	FILE *text = open_memstream(&many, &len);
	for (unsigned int i = 1; i <= 5000; i++)
		fprintf(text, "%x000-%x000 r-xp 0 fe:00 77 /a\n", i, i + 1);
	fclose(text);
	fds[1] = file_of(many);
	free(many);
	maps = proc_maps_new(&made);
	is_u64(read_one(maps, 1).count, 4096, "of too many the first are taken");
	proc_maps_free(maps);
	close(fds[1]);
}

/* A process that holds its lock: the read waits. */
static void check_hang(void)
{
	int ends[2];
	struct proc_maps *maps = proc_maps_new(&made);
	struct process_maps both[] = { { .pid = 2 }, { .pid = 3 } };
	const char line[] = "1000-2000 r-xp 0 fe:00 77 /late\n";

	if (pipe2(ends, O_CLOEXEC) != 0)
		bail("pipe2: %s", strerror(errno));
	fds[2] = ends[0];
	fds[3] = file_of("1000-2000 r-xp 0 fe:00 77 /other\n");
	opened = 0;
	proc_maps_read(maps, both, 2);
	ok(!both[0].is_read && !both[1].is_read, "what hangs is not waited for");
	proc_maps_read(maps, both, 2);
	is_u64(opened, 2, "and not asked for again");
	ok(write(ends[1], line, strlen(line)) > 0 && close(ends[1]) == 0, "it goes on");
	for (int i = 0; i < ROUNDS && !both[1].is_read; i++) {
		proc_maps_read(maps, &both[1], 1);
		usleep(10000);
	}
	ok(both[1].is_read && both[1].count == 1 && strcmp(both[1].all[0].name, "/other") == 0,
	   "the one behind it is read");
	proc_maps_read(maps, &both[0], 1);
	is_u64(opened, 3, "what nobody asked for any more is read again");
	proc_maps_free(maps);
	close(ends[0]);
	close(fds[3]);

	/* At the end. */
	if (pipe2(ends, O_CLOEXEC) != 0)
		bail("pipe2: %s", strerror(errno));
	fds[2] = ends[0];
	maps = proc_maps_new(&made);
	both[0].is_read = false;
	proc_maps_read(maps, both, 1);
	uint64_t start_ns = sys_monotonic_ns();
	proc_maps_free(maps);
	ok(sys_monotonic_ns() - start_ns < 5 * NSEC_PER_SEC, "nor waited for at the end");
	/* The pipe stays open: the thread hangs until we end. */
}

/* The real file, of a child that is like us. */
static void check_real(void)
{
	struct proc_maps *maps = proc_maps_new(access_direct());
	uint64_t function = (uint64_t)(uintptr_t)check_lines;
	pid_t child = fork();
	bool is_found = false;

	if (child == 0) {
		pause();
		_exit(0);
	}
	struct process_maps process = read_one(maps, child);
	for (size_t i = 0; i < process.count; i++)
		is_found |= function - process.all[i].start < process.all[i].len &&
			    process.all[i].inode != 0 && process.all[i].name[0] == '/';
	ok(is_found, "our program is mapped in a child of ours");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	process = read_one(maps, child);
	ok(process.is_read && process.count == 0, "once it is gone nothing is");
	proc_maps_free(maps);
}

int main(void)
{
	plan_lazy();
	check_lines();
	check_hang();
	check_real();
	return done();
}
