/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Below the cache of rewritten kernels: programs/NAME, NAME.lock, and NAME.stale
 * where a run found a binary of which nobody knows the source. Such a directory
 * is emptied before the next run, so that all is built from source again.
 */
#include "config.h"

#include "program_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/trace_hash.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/directories.h"
#include "session.h"

enum { LIMIT_MIB = 2048, LOOK_SECONDS = 3600 };

char *claw_cache_directory(const char *name)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return claw_format("%s/openclaw/%s", cache, name);
	return home && *home == '/' ?
		claw_format("%s/.cache/openclaw/%s", home, name) : NULL;
}

char *claw_instrument_cache(void)
{
	const char *named = getenv("OPENCLAW_INSTRUMENT_CACHE");

	return named && *named == '/' ? claw_strdup(named) :
		claw_cache_directory("instrument");
}

/* ---- how large all is */

/* A file, or a program's directory. */
struct entry {
	char *path;
	bool is_program;
	uint64_t bytes;
	time_t used;
};

struct entries {
	struct entry *list;
	size_t count;
	uint64_t bytes;
};

static uint64_t tree_bytes(const char *path)
{
	DIR *directory = opendir(path);
	uint64_t bytes = 0;
	struct dirent *found;

	while (directory && (found = readdir(directory))) {
		char *inner = claw_path_in(path, found->d_name);
		struct stat st;

		if (strcmp(found->d_name, ".") && strcmp(found->d_name, "..") &&
		    lstat(inner, &st) == 0)
			bytes += S_ISDIR(st.st_mode) ? tree_bytes(inner) :
				(uint64_t)st.st_blocks * 512;
		free(inner);
	}
	if (directory)
		closedir(directory);
	return bytes;
}

/* A program's is as old as its lock, which each run touches. */
static void add(struct entries *all, const char *directory, const char *name,
		bool is_program)
{
	char *path = claw_path_in(directory, name), *lock;
	struct entry *entry;
	struct stat st;

	if (lstat(path, &st) < 0 || S_ISDIR(st.st_mode) != is_program) {
		free(path);
		return;
	}
	all->list = claw_grow(all->list, all->count + 1, sizeof(*all->list));
	entry = &all->list[all->count++];
	*entry = (struct entry){
		.path = path, .is_program = is_program,
		.bytes = (uint64_t)st.st_blocks * 512,
		.used = st.st_atime > st.st_mtime ? st.st_atime : st.st_mtime,
	};
	if (is_program) {
		lock = claw_format("%s.lock", path);
		entry->bytes = tree_bytes(path);
		entry->used = lstat(lock, &st) == 0 ? st.st_mtime : 0;
		free(lock);
	}
	all->bytes += entry->bytes;
}

static void add_all(struct entries *all, const char *path, bool are_programs)
{
	DIR *directory = opendir(path);
	struct dirent *found;

	while (directory && (found = readdir(directory)))
		if (*found->d_name != '.')
			add(all, path, found->d_name, are_programs);
	if (directory)
		closedir(directory);
}

static int by_age(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

/* The lock of a program's directory; -1: somebody has it. */
static int take_lock(const char *directory, int how)
{
	char *path = claw_format("%s.lock", directory);
	int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	free(path);
	if (lock >= 0 && flock(lock, how | LOCK_NB)) {
		close(lock);
		lock = -1;
	}
	return lock;
}

static bool delete_entry(const struct entry *entry)
{
	int lock;

	if (!entry->is_program)
		return unlink(entry->path) == 0;
	lock = take_lock(entry->path, LOCK_EX);
	if (lock < 0)
		return false;
	claw_directory_remove(entry->path);
	close(lock);
	return true;
}

static uint64_t limit_bytes(void)
{
	const char *given = getenv("OPENCLAW_INSTRUMENT_CACHE_MIB");
	uint64_t mib = given ? strtoull(given, NULL, 10) : 0;

	return (mib ? mib : LIMIT_MIB) << 20;
}

/* To three quarters of the limit, the oldest first. */
static void bound(const char *base, const char *programs)
{
	uint64_t limit = limit_bytes();
	struct entries all = { .count = 0 };

	add_all(&all, base, false);
	add_all(&all, programs, true);
	if (all.bytes > limit && all.count)
		qsort(all.list, all.count, sizeof(*all.list), by_age);
	else
		limit = UINT64_MAX;
	for (size_t i = 0; i < all.count; i++) {
		if (all.bytes > limit / 4 * 3 && delete_entry(&all.list[i]))
			all.bytes -= all.list[i].bytes;
		free(all.list[i].path);
	}
	free(all.list);
}

/* Once an hour. */
static bool is_due(const char *programs)
{
	char *path = claw_path_in(programs, ".looked");
	struct stat st;
	bool due = stat(path, &st) < 0 ||
		time(NULL) - st.st_mtime >= LOOK_SECONDS;
	int fd = due ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;

	if (fd >= 0) {
		futimens(fd, NULL);
		close(fd);
	}
	free(path);
	return due;
}

/* ---- a program's */

static char *name_of(const char *program)
{
	const char *slash = strrchr(program, '/');
	char path[PATH_MAX];
	uint64_t hash[2];

	if (!slash || !realpath(program, path))
		snprintf(path, sizeof(path), "%s", program);
	claw_trace_hash(path, strlen(path), hash);
	return claw_format("%.64s-%016" PRIx64, slash ? slash + 1 : program,
			   hash[0]);
}

static bool is_there(const char *directory, const char *suffix)
{
	char *path = claw_format("%s%s", directory, suffix);
	bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

/* False: it has to be emptied, and somebody is at it. */
static bool empty_stale(const char *directory)
{
	int lock;
	char *path;

	if (!is_there(directory, ".stale"))
		return true;
	lock = take_lock(directory, LOCK_EX);
	if (lock < 0)
		return false;
	path = claw_format("%s.stale", directory);
	claw_directory_remove(directory);
	unlink(path);
	free(path);
	close(lock);
	return true;
}

/* The lock of a directory that is there and not stale, or -1. */
static int share(const char *directory)
{
	char *units = claw_path_in(directory, "units");
	int lock = empty_stale(directory) ? take_lock(directory, LOCK_SH) : -1;

	if (lock >= 0 && (is_there(directory, ".stale") ||
			  claw_make_directories(units) < 0)) {
		close(lock);
		lock = -1;
	}
	if (lock >= 0)
		futimens(lock, NULL);
	free(units);
	return lock;
}

void claw_program_cache_open(const char *program,
			     struct claw_program_cache *ret_cache)
{
	char *base = claw_instrument_cache(), *programs, *name, *directory;

	*ret_cache = (struct claw_program_cache){ .lock = -1 };
	if (!base)
		return;
	programs = claw_path_in(base, "programs");
	name = name_of(program);
	directory = claw_path_in(programs, name);
	if (claw_make_directories(programs) == 0) {
		if (is_due(programs))
			bound(base, programs);
		ret_cache->lock = share(directory);
	}
	if (ret_cache->lock >= 0) {
		ret_cache->directory = directory;
		directory = NULL;
	}
	free(directory);
	free(name);
	free(programs);
	free(base);
}

void claw_program_cache_close(struct claw_program_cache *cache)
{
	if (cache->directory)
		close(cache->lock);
	free(cache->directory);
	cache->directory = NULL;
}
