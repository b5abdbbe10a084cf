/* SPDX-License-Identifier: Apache-2.0 */
/* Name dumps, point to the newest, and make room for it. */
#include "config.h"

#include "dump_store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/files/directories.h"
#include "harness/crash/dump/dump_frame.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { NAMES_MAX = 10000 };	/* of one second */

static const char latest_name[] = "latest.dmp";

struct claw_dump_store {
	char *directory;
	int fd;			/* of it, locked */
};

/* A dump in the directory. */
struct kept {
	char *name;
	uint64_t bytes;
};

int claw_dump_store_open(const char *directory,
			 struct claw_dump_store **ret_store)
{
	struct claw_dump_store *store = claw_calloc(1, sizeof(*store));
	int ret = claw_make_directories(directory);

	store->fd = -1;
	if (ret == 0) {
		store->directory = realpath(directory, NULL);
		store->fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (ret == 0 && (!store->directory || store->fd < 0))
		ret = -CLAW_E_IO;
	if (ret < 0) {
		int error = errno;

		claw_dump_store_close(store);
		errno = error;
		return ret;
	}
	/* Where that cannot be locked, two at a time may take one name. */
	while (flock(store->fd, LOCK_EX) < 0 && errno == EINTR)
		;
	*ret_store = store;
	return 0;
}

void claw_dump_store_close(struct claw_dump_store *store)
{
	if (!store)
		return;
	if (store->fd >= 0)
		close(store->fd);
	free(store->directory);
	free(store);
}

char *claw_dump_store_name(struct claw_dump_store *store, time_t when)
{
	char stamp[32];
	struct tm local;

	if (!localtime_r(&when, &local) ||
	    strftime(stamp, sizeof(stamp), "%Y%m%d_%H%M%S", &local) == 0)
		return NULL;
	for (int i = 1; i < NAMES_MAX; i++) {
		char suffix[16] = "", *path;
		struct stat status;

		if (i > 1)
			snprintf(suffix, sizeof(suffix), "_%d", i);
		path = claw_format("%s/crash_%s%s.dmp", store->directory,
				   stamp, suffix);
		if (lstat(path, &status) < 0 && errno == ENOENT)
			return path;
		free(path);
	}
	errno = EEXIST;
	return NULL;
}

/* ---- room ------------------------------------------------------------- */

static bool has_digits(const char *text, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* "crash_20241230_143255.dmp", "crash_20241230_143255_2.dmp" */
static bool is_name_of_ours(const char *name)
{
	const char *at = name + 21;

	if (!claw_begins(name, "crash_") || !has_digits(name + 6, 8) ||
	    name[14] != '_' || !has_digits(name + 15, 6))
		return false;
	if (*at == '_' && isdigit((unsigned char)at[1]))
		at += 1 + strspn(at + 1, "0123456789");
	return strcmp(at, ".dmp") == 0;
}

/* Does it begin as our dumps do? */
static bool is_dump(int directory, const char *name, uint64_t *ret_bytes)
{
	char start[sizeof(CLAW_DUMP_FIRST_WORD) - 1];
	struct stat status;
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC |
			O_NONBLOCK);
	bool is = fd >= 0 && fstat(fd, &status) == 0 &&
		S_ISREG(status.st_mode) &&
		read(fd, start, sizeof(start)) == (ssize_t)sizeof(start) &&
		memcmp(start, CLAW_DUMP_FIRST_WORD, sizeof(start)) == 0;

	if (is)
		*ret_bytes = (uint64_t)status.st_size;
	if (fd >= 0)
		close(fd);
	return is;
}

/* "_2" comes before "_10". */
static int compare_kept(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;
	int order = strncmp(x->name, y->name, 21);
	size_t p = strlen(x->name), q = strlen(y->name);

	if (order)
		return order;
	return p != q ? (p < q ? -1 : 1) : strcmp(x->name, y->name);
}

static void free_kept(struct kept *kept, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(kept[i].name);
	free(kept);
}

/* Oldest first. */
static int list_kept(struct claw_dump_store *store, struct kept **ret_kept,
		     size_t *ret_count)
{
	struct dirent **entries = NULL;
	int count = scandir(store->directory, &entries, NULL, NULL);
	struct kept *kept;
	size_t made = 0;

	if (count < 0)
		return -CLAW_E_IO;
	kept = claw_calloc((size_t)count + 1, sizeof(*kept));
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (is_name_of_ours(name) &&
		    is_dump(store->fd, name, &kept[made].bytes))
			kept[made++].name = claw_strdup(name);
		free(entries[i]);
	}
	free(entries);
	qsort(kept, made, sizeof(*kept), compare_kept);
	*ret_kept = kept;
	*ret_count = made;
	return 0;
}

int claw_dump_store_list(struct claw_dump_store *store, char ***ret_paths,
			 size_t *ret_count)
{
	struct kept *kept;
	size_t count;
	int ret = list_kept(store, &kept, &count);
	char **paths;

	if (ret < 0)
		return ret;
	paths = claw_calloc(count + 1, sizeof(*paths));
	for (size_t i = 0; i < count; i++)
		paths[i] = claw_path_in(store->directory, kept[i].name);
	free_kept(kept, count);
	*ret_paths = paths;
	*ret_count = count;
	return 0;
}

static int make_room(struct claw_dump_store *store, const char *newest,
		     uint64_t max_dumps, uint64_t max_bytes,
		     unsigned int *ret_removed)
{
	struct kept *kept;
	size_t count;
	uint64_t bytes = 0, left;
	int ret = list_kept(store, &kept, &count);

	if (ret < 0)
		return ret;
	left = count;
	for (size_t i = 0; i < count; i++)
		bytes += kept[i].bytes;
	for (size_t i = 0; i < count &&
	     ((max_dumps && left > max_dumps) ||
	      (max_bytes && bytes > max_bytes)); i++) {
		if (strcmp(kept[i].name, newest) == 0 ||
		    unlinkat(store->fd, kept[i].name, 0) < 0)
			continue;
		left--;
		bytes -= kept[i].bytes;
		++*ret_removed;
	}
	free_kept(kept, count);
	return 0;
}

/* A file of somebody else's that has that name stays. */
static int point_to(struct claw_dump_store *store, const char *name)
{
	char temporary[64];
	struct stat status;

	if (fstatat(store->fd, latest_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    !S_ISLNK(status.st_mode))
		return 0;
	snprintf(temporary, sizeof(temporary), ".latest.%d", (int)getpid());
	unlinkat(store->fd, temporary, 0);
	if (symlinkat(name, store->fd, temporary) < 0)
		return -CLAW_E_IO;
	if (renameat(store->fd, temporary, store->fd, latest_name) < 0) {
		int error = errno;

		unlinkat(store->fd, temporary, 0);
		errno = error;
		return -CLAW_E_IO;
	}
	return 0;
}

int claw_dump_store_added(struct claw_dump_store *store, const char *path,
			  uint64_t max_dumps, uint64_t max_bytes,
			  unsigned int *ret_removed)
{
	int ret = point_to(store, claw_base_name(path));

	*ret_removed = 0;
	return ret < 0 ? ret : make_room(store, claw_base_name(path), max_dumps,
					 max_bytes, ret_removed);
}
