/* SPDX-License-Identifier: MIT */
#include "source/procfs.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"

#define END_NSEC   (50 * NSEC_PER_MSEC)
#define COMM_BYTES sizeof(((struct task_facts *)NULL)->parent)

enum state { FREE, ASKED, READ };

struct slot {
	enum state state;
	uint64_t turn; /* of the request: the oldest is read first, and given up first */
	int32_t tid;
	char comm[COMM_BYTES];
	struct task_facts facts;
};

struct procfs {
	const char *root;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below; never held while a file is read */
	pthread_cond_t changed;
	bool is_ending;
	uint64_t turn;
	struct slot slots[PROCFS_ROOM];
};

/* --- reading ---------------------------------------------------------------------------------- */

/* A file of a task: the bytes read, 0 when there are none or the task is gone. */
static size_t read_file(const char *root, int32_t tid, const char *name, char *out, size_t room)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%d/%s", root, (int)tid, name);
	long len = sys_read_file(path, out, room);
	if (len < 0)
		out[0] = '\0';
	return len > 0 ? (size_t)len : 0;
}

static void read_comm(const char *root, int32_t tid, char out[COMM_BYTES])
{
	read_file(root, tid, "comm", out, COMM_BYTES);
	out[strcspn(out, "\n")] = '\0';
}

/* "812 (a name) S 1 ...": the name can have any characters. */
static int32_t read_ppid(const char *root, int32_t tid)
{
	char text[512];
	int ppid = 0;

	read_file(root, tid, "stat", text, sizeof(text));
	const char *after = strrchr(text, ')');
	return after != NULL && sscanf(after, ") %*c %d", &ppid) == 1 && ppid > 0 ? ppid : 0;
}

static void read_parents(const char *root, int32_t tid, struct task_facts *facts)
{
	int32_t pid = facts->ppid = read_ppid(root, tid);

	if (pid == 0)
		return;
	read_comm(root, pid, facts->parent);
	while (facts->nabove < TASK_ABOVE_MOST && (pid = read_ppid(root, pid)) > 0) {
		struct task_above *above = &facts->above[facts->nabove++];

		above->pid = pid;
		read_comm(root, pid, above->comm);
	}
	facts->is_line_whole = pid == 0;
}

/* Arguments end with a 0 each. */
static void read_command(const char *root, int32_t tid, char out[TASK_COMMAND_BYTES])
{
	size_t len = read_file(root, tid, "cmdline", out, TASK_COMMAND_BYTES);

	while (len > 0 && (out[len - 1] == '\0' || out[len - 1] == ' '))
		out[--len] = '\0';
	for (size_t i = 0; i < len; i++) {
		if (out[i] == '\0')
			out[i] = ' ';
	}
}

/* The path in a line "4:memory:/a/b"; NULL for another line. */
static char *path_in(char *line)
{
	char *second = strchr(line, ':');

	second = second != NULL ? strchr(second + 1, ':') : NULL;
	return second != NULL && second[1] == '/' ? second + 1 : NULL;
}

/* That of the unified hierarchy ("0::/a"); at its root, of the first other one where it is below. */
static void read_cgroup(const char *root, int32_t tid, char out[TASK_CGROUP_BYTES])
{
	char text[4096], *save;

	out[0] = '\0';
	read_file(root, tid, "cgroup", text, sizeof(text));
	for (char *line = strtok_r(text, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *path = path_in(line);
		bool is_unified = strncmp(line, "0::", 3) == 0;

		if (path != NULL && (out[0] == '\0' || out[1] == '\0' || (is_unified && path[1])))
			snprintf(out, TASK_CGROUP_BYTES, "%s", path);
	}
}

static void read_facts(const char *root, int32_t tid, const char *comm, struct task_facts *facts)
{
	char now[COMM_BYTES];

	memset(facts, 0, sizeof(*facts));
	read_parents(root, tid, facts);
	read_command(root, tid, facts->command);
	read_cgroup(root, tid, facts->cgroup);
	/* Last: if it is the same now, it was so before. */
	read_comm(root, tid, now);
	if (now[0] == '\0' || (comm[0] != '\0' && strcmp(comm, now) != 0))
		memset(facts, 0, sizeof(*facts));
}

/* --- the thread ------------------------------------------------------------------------------- */

/* The oldest in this state, or NULL. */
static struct slot *oldest(struct procfs *procfs, enum state state)
{
	struct slot *found = NULL;

	for (size_t i = 0; i < PROCFS_ROOM; i++) {
		struct slot *slot = &procfs->slots[i];

		if (slot->state == state && (found == NULL || slot->turn < found->turn))
			found = slot;
	}
	return found;
}

static void *procfs_main(void *arg)
{
	struct procfs *procfs = arg;
	struct task_facts facts;
	char comm[COMM_BYTES];

	pthread_mutex_lock(&procfs->lock);
	while (!procfs->is_ending) {
		struct slot *slot = oldest(procfs, ASKED);

		if (slot == NULL) {
			pthread_cond_wait(&procfs->changed, &procfs->lock);
			continue;
		}
		/* Only this thread takes a slot from ASKED. */
		int32_t tid = slot->tid;
		memcpy(comm, slot->comm, sizeof(comm));
		pthread_mutex_unlock(&procfs->lock);
		read_facts(procfs->root, tid, comm, &facts);
		pthread_mutex_lock(&procfs->lock);
		if (strcmp(slot->comm, comm) != 0)
			continue; /* it has been renamed: read it anew */
		slot->facts = facts;
		slot->state = READ;
	}
	pthread_mutex_unlock(&procfs->lock);
	return NULL;
}

struct procfs *procfs_new(const char *root)
{
	struct procfs *procfs = calloc(1, sizeof(*procfs));

	if (procfs == NULL)
		return NULL;
	procfs->root = root;
	pthread_mutex_init(&procfs->lock, NULL);
	pthread_cond_init(&procfs->changed, NULL);
	errno = pthread_create(&procfs->thread, NULL, procfs_main, procfs);
	if (errno == 0) {
		pthread_setname_np(procfs->thread, "perftop-procfs");
		return procfs;
	}
	free(procfs);
	return NULL;
}

void procfs_free(struct procfs *procfs)
{
	if (procfs == NULL)
		return;
	pthread_mutex_lock(&procfs->lock);
	procfs->is_ending = true;
	pthread_cond_signal(&procfs->changed);
	pthread_mutex_unlock(&procfs->lock);
	if (!sys_join(procfs->thread, sys_monotonic_ns() + END_NSEC)) {
		pthread_detach(procfs->thread);
		return;
	}
	pthread_cond_destroy(&procfs->changed);
	pthread_mutex_destroy(&procfs->lock);
	free(procfs);
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct slot *find(struct procfs *procfs, int32_t tid)
{
	for (size_t i = 0; i < PROCFS_ROOM; i++) {
		if (procfs->slots[i].state != FREE && procfs->slots[i].tid == tid)
			return &procfs->slots[i];
	}
	return NULL;
}

/* Free; or that of the oldest answer that was not fetched; NULL: all are asked for. */
static struct slot *room(struct procfs *procfs)
{
	struct slot *slot = oldest(procfs, FREE);

	return slot != NULL ? slot : oldest(procfs, READ);
}

static void ask(struct procfs *procfs, struct slot *slot, int32_t tid, const char *comm)
{
	slot->state = ASKED;
	slot->turn = ++procfs->turn;
	slot->tid = tid;
	snprintf(slot->comm, sizeof(slot->comm), "%s", comm);
	pthread_cond_signal(&procfs->changed);
}

bool procfs_find(struct procfs *procfs, int32_t tid, const char *comm, struct task_facts *facts)
{
	bool is_read = false;

	pthread_mutex_lock(&procfs->lock);
	struct slot *slot = find(procfs, tid);
	if (slot == NULL) {
		slot = room(procfs);
		if (slot != NULL)
			ask(procfs, slot, tid, comm);
	} else if (strcmp(slot->comm, comm) != 0) {
		ask(procfs, slot, tid, comm);
	} else if (slot->state == READ) {
		*facts = slot->facts;
		slot->state = FREE;
		is_read = true;
	}
	pthread_mutex_unlock(&procfs->lock);
	return is_read;
}
