/* SPDX-License-Identifier: MIT */
/* Names of user code: only of the file that was mapped, and never of anything else at its path. */
#include "source/code-names.h"

#include "made-folder.h"
#include "own-code.h"
#include "tap.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "decode/functions.h"

#ifdef HAVE_LIBELF
static const bool has_libelf = true;
#else
static const bool has_libelf = false;
#endif

int own_one(int value);
OWN_FUNCTION(own_one)

static char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

/* A copy of this program; `is_stripped`: its symbols are not there any more. */
static void put_program(const char *name, bool is_stripped)
{
	put(name, "");
	int fd = open(path_of(name), O_RDWR | O_CLOEXEC);

	own_copy(fd);
	if (is_stripped)
		own_strip(fd);
	close(fd);
}

static struct code_file file_at(const char *path)
{
	struct code_file file = { .path = xstrdup(path) };
	struct stat status;

	if (stat(path, &status) == 0) {
		file.inode = status.st_ino;
		file.major = major(status.st_dev);
		file.minor = minor(status.st_dev);
	}
	return file;
}

static const char *name_in(struct code_names *names, const struct code_file *file)
{
	struct code_name place = { .file = file, .offset = own_offset((void *)own_one) };

	code_names_find(names, &place, 1);
	return place.symbol != NULL ? place.symbol : "(none)";
}

/* Asked anew, so that nothing is remembered. */
static const char *name_of(const struct build_ids *ids, const struct code_file *file)
{
	struct code_names *names = code_names_new(&(struct code_files){ ids, path_of("debug") });
	static char text[64];

	snprintf(text, sizeof(text), "%s", name_in(names, file));
	code_names_free(names);
	return text;
}

static void check_inode(void)
{
	put_program("program", false);
	struct code_file file = file_at(path_of("program"));

	is_str(name_of(NULL, &file), "own_one", "the file that was mapped, by its inode");
	file.inode++;
	is_str(name_of(NULL, &file), "(none)", "another one at its path is not used");
	file.inode--;
	file.minor++;
	is_str(name_of(NULL, &file), "(none)", "nor one on another device");
	file.inode = 0;
	file.minor--;
	is_str(name_of(NULL, &file), "(none)", "nor any, when nothing is known of it");
	free((char *)file.path);
}

static void check_paths(void)
{
	struct code_file file = file_at(path_of("gone"));

	is_str(name_of(NULL, &file), "(none)", "a file that is gone");
	free((char *)file.path);
	if (mkfifo(path_of("fifo"), 0600) != 0)
		bail("mkfifo");
	file = file_at(path_of("fifo"));
	is_str(name_of(NULL, &file), "(none)", "a FIFO is not waited for");
	free((char *)file.path);
	file = file_at("/dev/zero");
	is_str(name_of(NULL, &file), "(none)", "a device has none");
	free((char *)file.path);
	file = file_at(root);
	is_str(name_of(NULL, &file), "(none)", "nor a folder");
	free((char *)file.path);
	put("text", "no program\n");
	file = file_at(path_of("text"));
	is_str(name_of(NULL, &file), "(none)", "a text has no functions");
	free((char *)file.path);
}

static void check_many(void)
{
	struct code_names *names = code_names_new(&(struct code_files){ NULL, "" });
	struct code_file file = file_at(path_of("program")), gone = file_at(path_of("gone"));
	uint64_t one = own_offset((void *)own_one);
	struct code_name places[] = {
		{ .file = &gone, .offset = one },
		{ .file = &file, .offset = 1 },
		{ .file = &file, .offset = one },
		{ .file = &file, .offset = one + 3 },
	};

	code_names_find(names, places, 4);
	ok(places[0].symbol == NULL && places[1].symbol == NULL, "some without a name");
	ok(places[2].symbol != NULL && places[2].symbol == places[3].symbol, "some with one");
	unlink(path_of("program"));
	is_str(name_in(names, &file), "own_one", "what was read once is not read again");
	code_names_find(names, places, 0);
	code_names_free(names);
	code_names_free(NULL);
	free((char *)file.path);
	free((char *)gone.path);
}

/* Until it has a name, at most 30 s; NULL: none. */
static const char *wait_for_name(struct code_names *names, struct code_name *place)
{
	uint64_t until_ns = sys_monotonic_ns() + 30 * NSEC_PER_SEC;

	do {
		code_names_find(names, place, 1);
	} while (place->symbol == NULL && sys_monotonic_ns() < until_ns);
	return place->symbol != NULL ? place->symbol : "(none)";
}

/* With a thread names come later, and are then the same. */
static void check_live(void)
{
	struct code_names *names = code_names_new_live(&(struct code_files){ NULL, "" });
	struct code_file file = file_at(path_of("program"));
	uint64_t one = own_offset((void *)own_one);
	struct code_name place = { .file = &file, .offset = one };

	is_str(wait_for_name(names, &place), "own_one", "read by a thread");
	code_names_free(names);

	names = code_names_new_live(&(struct code_files){ NULL, "" });
	code_names_settle(names);
	is_str(name_in(names, &file), "own_one", "at the end it is waited for");
	struct code_name all[] = { { .file = &file, .offset = 1 },
				   { .file = &file, .offset = one } };
	code_names_find(names, all, 2);
	ok(all[0].symbol == NULL && all[1].symbol != NULL, "some without a name");
	code_names_free(names);

	/* What is asked for must not be used when it is done, nor when it is not. */
	names = code_names_new_live(&(struct code_files){ NULL, "" });
	char *path = (char *)file.path;
	code_names_find(names, &place, 1);
	memset(path, 'x', strlen(path));
	free(path);
	code_names_free(names);
}

/* The list of a perf.data file with one entry. */
static struct build_ids *listed(const char *path, struct build_id id, uint16_t mode)
{
	struct {
		struct perf_event_header header;
		int32_t pid;
		unsigned char id[24];
		char path[260];
	} entry = { .header = { .misc = mode, .size = sizeof(entry) }, .pid = -1 };
	struct build_ids *ids = build_ids_new();

	memcpy(entry.id, id.bytes, BUILD_ID_MAX);
	snprintf(entry.path, sizeof(entry.path), "%s", path);
	if (!build_ids_add(ids, (struct cursor){ (unsigned char *)&entry, sizeof(entry), false }))
		bail("build_ids_add");
	return ids;
}

static void check_build_id(void)
{
	struct code_file file;
	char debug[128], hex[2 * BUILD_ID_MAX + 1];
	int own = own_file();

	put_program("program", false);
	put_program("stripped", true);
	file = file_at(path_of("program"));
	file.inode = 0;
	file.build_id = functions_build_id(own);
	close(own);
	if (file.build_id.size != BUILD_ID_MAX) {
		skip(6, "this program has no build-id");
		return;
	}
	is_str(name_of(NULL, &file), "own_one", "the file that was mapped, by its build-id");

	struct build_id id = file.build_id, other = { { 1 }, BUILD_ID_MAX };
	struct build_ids *ids = listed(file.path, id, PERF_RECORD_MISC_USER);
	file.build_id.size = 0;
	is_str(name_of(ids, &file), "own_one", "or by the list");
	build_ids_free(ids);
	struct stat status;
	if (stat(file.path, &status) != 0)
		bail("stat");
	file.inode = status.st_ino;
	ids = listed(file.path, other, PERF_RECORD_MISC_USER);
	is_str(name_of(ids, &file), "(none)", "with another build-id its inode does not count");
	build_ids_free(ids);
	file.build_id = id;
	file.build_id.bytes[0] ^= 1;
	is_str(name_of(NULL, &file), "(none)", "another build-id is another file");
	file.build_id = id;
	free((char *)file.path);

	file.path = xstrdup(path_of("stripped"));
	is_str(name_of(NULL, &file), "(none)", "a stripped file has no names");
	for (size_t i = 0; i < BUILD_ID_MAX; i++)
		snprintf(&hex[2 * i], 3, "%02x", file.build_id.bytes[i]);
	snprintf(debug, sizeof(debug), "debug/%.2s/%s.debug", hex, hex + 2);
	put_program(debug, false);
	is_str(name_of(NULL, &file), "own_one", "its debug file has");
	free((char *)file.path);
}

static void check_lists(void)
{
	struct build_id id = { "1234567890123456789", BUILD_ID_MAX }, found;
	struct build_ids *ids = listed("/a", id, PERF_RECORD_MISC_USER);
	static const unsigned char rest[] = { 0, 0, 0, 0, 2, 0, 200, 0, 1, 2 };
	static const unsigned char none[] = { 0, 0, 0, 0, 2, 0, 4, 0 };

	found = build_ids_find(ids, "/a");
	is_u64(found.size, BUILD_ID_MAX, "a file that is listed");
	ok(build_id_is_same(&found, &id), "with its build-id");
	is_u64(build_ids_find(ids, "/b").size, 0, "one that is not");
	ok(!build_ids_add(ids, (struct cursor){ rest, sizeof(rest), false }),
	   "an entry that ends early");
	ok(!build_ids_add(ids, (struct cursor){ none, sizeof(none), false }),
	   "one that is shorter than its head");
	ok(build_ids_add(ids, (struct cursor){ none, 0, false }), "an empty list");
	is_u64(build_ids_kernel(ids).size, 0, "a list without a kernel");
	build_ids_free(ids);
	build_ids_free(NULL);

	ids = listed("/lib/modules/6.1/kernel/fs/ext4.ko", id, PERF_RECORD_MISC_KERNEL);
	is_u64(build_ids_kernel(ids).size, 0, "a module is not the kernel");
	build_ids_free(ids);
	ids = listed("/boot/vmlinux-6.1", id, PERF_RECORD_MISC_KERNEL);
	found = build_ids_kernel(ids);
	ok(build_id_is_same(&found, &id), "vmlinux is");
	is_u64(build_ids_find(ids, "/boot/vmlinux-6.1").size, 0, "and no user's file");
	build_ids_free(ids);
	ids = listed("[kernel.kallsyms]", id, PERF_RECORD_MISC_GUEST_KERNEL);
	is_u64(build_ids_kernel(ids).size, 0, "nor is a guest's kernel");
	build_ids_free(ids);
}

int main(void)
{
	plan_lazy();
	folder_begin();
	check_lists();
	if (has_libelf) {
		check_inode();
		check_live();
		check_many();
		check_build_id();
	} else {
		skip(1, "built without libelf");
	}
	check_paths();
	folder_end();
	return done();
}
