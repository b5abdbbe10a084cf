/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw clean: delete old runs of openclaw-out. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/units.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"
#include "harness/session/session.h"
#include "output_parent.h"
#include "records.h"

enum { DAY = 86400 };

static struct {
	uint64_t keep, older_than;
	bool dry_run;
} given;

static const struct claw_option clean_options[] = {
	{ "keep", 0, OPT_UINT, "N", "keep the newest N runs [default: 0]",
	  &given.keep },
	{ "older-than", 0, OPT_UINT, "DAYS",
	  "delete only runs that ended more than DAYS days ago [default: 0]",
	  &given.older_than },
	{ "dry-run", 0, OPT_FLAG, NULL,
	  "print what would be deleted, and delete nothing", &given.dry_run },
	{ 0 },
};

struct run {
	char *path;
	struct timespec written;	/* its records, last */
};

struct runs {
	struct run *items;
	size_t count;
};

static bool is_directory(const char *path)
{
	struct stat about;

	return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* A directory with records in it; a link is nobody's run. */
static void add_run(struct runs *runs, const char *name)
{
	char *path = claw_path_in(claw_output_parent(), name);
	char *records = claw_path_in(path, "records.jsonl");
	struct stat about;

	if (is_directory(path) && lstat(records, &about) == 0 &&
	    S_ISREG(about.st_mode)) {
		runs->items = claw_one_more(runs->items, runs->count,
					    sizeof(*runs->items));
		runs->items[runs->count++] = (struct run) {
			claw_strdup(path), about.st_mtim,
		};
	}
	free(records);
	free(path);
}

static int newest_first(const void *a, const void *b)
{
	const struct run *one = a, *other = b;

	if (one->written.tv_sec != other->written.tv_sec)
		return one->written.tv_sec < other->written.tv_sec ? 1 : -1;
	if (one->written.tv_nsec != other->written.tv_nsec)
		return one->written.tv_nsec < other->written.tv_nsec ? 1 : -1;
	return -strcmp(one->path, other->path);
}

static void find_runs(struct runs *runs)
{
	DIR *directory = opendir(claw_output_parent());
	struct dirent *entry;

	if (!directory && errno != ENOENT)
		claw_die(errno == ENOTDIR ? CLAW_EXIT_USAGE : CLAW_EXIT_INFRA,
			 "clean: %s: %s", claw_output_parent(),
			 strerror(errno));
	while (directory && (entry = readdir(directory)))
		if (*entry->d_name != '.')
			add_run(runs, entry->d_name);
	if (directory)
		closedir(directory);
	if (runs->count > 0)
		qsort(runs->items, runs->count, sizeof(*runs->items),
		      newest_first);
}

static bool is_ours(const char *name)
{
	const char *ours;

	for (size_t i = 0; (ours = claw_output_name(i)) != NULL; i++)
		if (strcmp(name, ours) == 0)
			return true;
	return false;
}

/* The name of something in path that openclaw did not put there (is_foreign),
 * or of anything, malloced. */
static char *find_entry(const char *path, bool is_foreign)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char *found = NULL;

	while (directory && !found && (entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    !(is_foreign && is_ours(entry->d_name)))
			found = claw_strdup(entry->d_name);
	if (directory)
		closedir(directory);
	return found;
}

/* A soak keeps its dumps in its own directory. */
static bool has_dumps(const char *path)
{
	char *dumps = claw_path_in(path, "crashes");
	char *first = find_entry(dumps, false);
	bool is_there = first || (access(dumps, F_OK) == 0 &&
				  access(dumps, R_OK | X_OK) < 0);

	free(first);
	free(dumps);
	return is_there;
}

/*
 * Why a run may not be deleted, malloced; NULL: it may. A run whose writer holds
 * no lock (a file system without locks; tasks of a batch on other machines) has
 * no end record yet.
 */
static char *find_obstacle(const char *path, int fd)
{
	enum claw_output_state state = claw_output_look(path);
	char *batch = claw_path_in(path, "batch.json");
	bool is_batch = access(batch, F_OK) == 0;
	struct stat about;
	char *foreign;

	free(batch);
	if (state == CLAW_OUTPUT_IN_USE)
		return claw_strdup("in use by another openclaw process");
	if (state != CLAW_OUTPUT_FINISHED && state != CLAW_OUTPUT_SOAKED &&
	    state != CLAW_OUTPUT_UNFINISHED)
		return claw_strdup("its records.jsonl is not one of openclaw");
	if (fd < 0 || fstat(fd, &about) < 0)
		return claw_strdup("its records.jsonl cannot be read");
	if (state == CLAW_OUTPUT_UNFINISHED && is_batch)
		return claw_strdup("its tasks may still run; finish it with "
				   "\"openclaw report merge --follow\"");
	if (flock(fd, LOCK_SH | LOCK_NB) < 0 &&
	    (state == CLAW_OUTPUT_UNFINISHED || errno == EWOULDBLOCK))
		return claw_strdup("it may still run: its records.jsonl "
				   "cannot be locked");
	if (about.st_size == 0)
		return claw_strdup("it may be about to start: its "
				   "records.jsonl is empty");
	if (has_dumps(path))
		return claw_strdup("it holds crash dumps");
	foreign = find_entry(path, true);
	if (foreign) {
		char *why = claw_format("it holds %s, which is not openclaw's",
					foreign);

		free(foreign);
		return why;
	}
	return NULL;
}

static uint64_t count_bytes(char *path)
{
	char *const roots[] = { path, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	uint64_t bytes = 0;

	while (tree && (entry = fts_read(tree)))
		if (entry->fts_info != FTS_DP && entry->fts_statp)
			bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
	if (tree)
		fts_close(tree);
	return bytes;
}

/* A link to what is no longer there. */
static void remove_latest(void)
{
	char *path = claw_path_in(claw_output_parent(), "latest");
	struct stat about;

	if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode) &&
	    access(path, F_OK) < 0)
		unlink(path);
	free(path);
}

struct tally {
	uint64_t deleted, left, failed, bytes;
};

static void clean_run(const struct run *run, struct tally *tally)
{
	/* Its lock is held meanwhile: nobody goes on with the run. */
	char *records = claw_path_in(run->path, "records.jsonl");
	int fd = claw_outside_open(records, 0, UINT64_MAX);
	char *obstacle = find_obstacle(run->path, fd);
	int64_t days = (int64_t)(time(NULL) - run->written.tv_sec) / DAY;
	uint64_t bytes = obstacle ? 0 : count_bytes(run->path);
	char size[CLAW_SIZE_TEXT];

	if (obstacle) {
		printf("left %s: %s\n", run->path, obstacle);
		tally->left++;
	} else {
		if (!given.dry_run)
			claw_directory_remove(run->path);
		if (!given.dry_run && is_directory(run->path)) {
			claw_warn("clean: cannot delete all of %s", run->path);
			tally->failed++;
		} else {
			printf("%s %s (%" PRId64 " day%s old, %s)\n",
			       given.dry_run ? "would delete" : "deleted",
			       run->path, days, days == 1 ? "" : "s",
			       claw_size_text(bytes, size));
			tally->deleted++;
			tally->bytes += bytes;
		}
	}
	free(obstacle);
	if (fd >= 0)
		close(fd);
	free(records);
}

static bool is_old(const struct run *run)
{
	return (double)time(NULL) - (double)run->written.tv_sec >=
	       (double)given.older_than * DAY;
}

extern const struct claw_command claw_cmd_clean;

static int clean_run_all(int argc, char *const *argv)
{
	struct runs runs = { .items = NULL };
	struct tally tally = { .deleted = 0 };
	char size[CLAW_SIZE_TEXT];
	size_t kept;
	int first;

	memset(&given, 0, sizeof(given));
	first = claw_command_start(&claw_cmd_clean, argc, argv, false);
	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "clean: expected no operand, found "
			 "\"%s\" (see openclaw clean --help)", argv[first]);
	find_runs(&runs);
	for (size_t i = runs.count; i-- > given.keep;)
		if (is_old(&runs.items[i]))
			clean_run(&runs.items[i], &tally);
	kept = runs.count - tally.deleted - tally.left - tally.failed;
	printf("%s: %s %" PRIu64 " run%s, %s; kept %zu", claw_output_parent(),
	       given.dry_run ? "would delete" : "deleted", tally.deleted,
	       tally.deleted == 1 ? "" : "s",
	       claw_size_text(tally.bytes, size), kept);
	if (tally.left)
		printf(", left %" PRIu64, tally.left);
	putchar('\n');
	if (!given.dry_run) {
		remove_latest();
		claw_output_parent_leave();
	}
	for (size_t i = 0; i < runs.count; i++)
		free(runs.items[i].path);
	free(runs.items);
	return tally.failed ? CLAW_EXIT_INFRA : CLAW_EXIT_CLEAN;
}

const struct claw_command claw_cmd_clean = {
	.name = "clean",
	.summary = "delete old runs",
	.usage = "",
	.description =
		"Deletes the runs in openclaw-out, or in the directory of "
		"\"output:\" in openclaw.yaml: all of them, or those that "
		"neither --keep nor --older-than keeps. It never deletes "
		"a run that is still running or that has crash dumps or files "
		"of others beside its own, nor searches of bisect, nor "
		"anything that is no run.\n\n"
		"  openclaw clean --keep 10 --dry-run\n\n"
		"Exit status: 0, 64 usage error, 99 a run could not be deleted.",
	.options = clean_options,
	.reads_config = true,
	.run = clean_run_all,
};
