/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gcov itself runs only for data that no run before has left: most runs of a
 * sweep go the same way through most files.
 */
#include "config.h"

#include "gcov_private.h"

#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gcov_files.h"
#include "gcov_read.h"
#include "harness/files/hash.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"

enum { SEEN_MAX = 1 << 16 };	/* data files whose lines are kept */

struct claw_gcov_job {
	struct claw_gcov *gcov;
	char *directory;
	char **argv, **keys;	/* keys: of those that gcov is to read */
	char **known;		/* lines that were kept of others */
	bool is_whole;
};

void claw_gcov_seen_free(void *item)
{
	struct claw_gcov_seen *seen = item;

	free(seen->key);
	free(seen->lines);
	free(seen);
}

static int compare_seen(const void *a, const void *b)
{
	return strcmp(((const struct claw_gcov_seen *)a)->key,
		      ((const struct claw_gcov_seen *)b)->key);
}

static const struct claw_gcov_seen *find_seen(const struct claw_gcov *gcov,
					      char *key)
{
	const struct claw_gcov_seen wanted = { .key = key };
	struct claw_gcov_seen *const *found = tfind(&wanted, &gcov->seen,
						    compare_seen);

	return found ? *found : NULL;
}

/* Keys and lines are copied. */
static void keep_seen(struct claw_gcov *gcov, const char *key,
		      const char *lines)
{
	struct claw_gcov_seen *seen;

	if (gcov->seen_count == SEEN_MAX)
		return;
	seen = claw_calloc(1, sizeof(*seen));
	seen->key = claw_strdup(key);
	seen->lines = claw_strdup(lines);
	claw_made(tsearch(seen, &gcov->seen, compare_seen));
	gcov->seen_count++;
}

/* What tells data apart, malloced; NULL: it cannot be read. */
static char *make_key(const char *directory, const char *path)
{
	char hash[CLAW_HASH_TEXT_BYTES];
	uint64_t bytes;

	return claw_hash_file(path, hash, &bytes) ?
		claw_format("%s%s", hash, path + strlen(directory)) : NULL;
}

static void add_file(struct claw_gcov_job *job, const char *path)
{
	char *key = make_key(job->directory, path), *why;
	const struct claw_gcov_seen *seen;
	unsigned int major;

	if (!key)
		return;
	seen = find_seen(job->gcov, key);
	why = seen ? NULL :
		claw_gcov_files_prepare(job->directory, path, &major);
	if (seen && *seen->lines)
		claw_list_add(&job->known, claw_strdup(seen->lines));
	if (seen || why) {
		free(key);
		free(why);
		return;
	}
	if (!job->argv)
		claw_gcov_begin_argv(job->gcov, &job->argv);
	claw_list_add(&job->argv, claw_strdup(path));
	claw_list_add(&job->keys, key);
}

/* A process that ended without writing its data leaves out all its files. */
static bool has_all(const struct claw_gcov_job *job, char *const *paths)
{
	size_t skip = strlen(job->directory);

	for (char *const *file = job->gcov->files; *file; file++) {
		char *const *path = paths;

		while (path && *path && strcmp(*path + skip, *file) != 0)
			path++;
		if (!path || !*path)
			return false;
	}
	return true;
}

static void free_job(struct claw_gcov_job *job)
{
	claw_list_free(job->argv);
	claw_list_free(job->keys);
	claw_list_free(job->known);
	free(job->directory);
	free(job);
}

struct claw_gcov_job *claw_gcov_job_new(struct claw_gcov *gcov,
					const char *directory)
{
	struct claw_gcov_job *job = claw_calloc(1, sizeof(*job));
	char **paths = claw_gcov_files_find(directory);

	job->gcov = gcov;
	job->directory = claw_strdup(directory);
	job->is_whole = has_all(job, paths);
	for (char **path = paths; path && *path; path++)
		add_file(job, *path);
	claw_list_free(paths);
	return job;
}

char *const *claw_gcov_job_argv(const struct claw_gcov_job *job)
{
	return job->argv;
}

/* Those that only this run has executed, as text. */
static char *select_lines(const struct claw_gcov *gcov,
			  const struct claw_code_lines *lines)
{
	struct claw_code_lines new = { .items = NULL };
	char *text;

	for (size_t i = 0; i < lines->count; i++) {
		const struct claw_code_line *line = &lines->items[i];
		const struct claw_code_line *known = line->runs == 0 ? NULL :
			claw_code_lines_find(&gcov->lines, line->file,
					     line->number);

		if (known && known->runs == 0)
			claw_code_lines_add(&new, known->file, known->function,
					    known->number, 1, false);
	}
	claw_code_lines_sort(&new);
	text = claw_code_lines_text(&new, NULL);
	claw_code_lines_release(&new);
	return text;
}

static int take_document(void *user, const char *data_file,
			 const char *version,
			 const struct claw_code_lines *lines)
{
	struct claw_gcov_job *job = user;
	size_t skip = strlen(job->directory);
	char *text = select_lines(job->gcov, lines);

	(void)version;
	for (char **key = job->keys; key && *key; key++)
		if (strlen(data_file) > skip &&
		    strcmp(*key + CLAW_HASH_TEXT_BYTES - 1,
			   data_file + skip) == 0)
			keep_seen(job->gcov, *key, text);
	claw_list_add(&job->known, text);
	return 0;
}

/* All that is known, a function a line. */
static char *join(const struct claw_gcov_job *job)
{
	struct claw_code_lines all = { .items = NULL };
	char *lines, *text;

	for (char **known = job->known; known && *known; known++)
		claw_code_lines_parse(&all, *known, 1, false);
	claw_code_lines_sort(&all);
	lines = claw_code_lines_text(&all, NULL);
	text = claw_format("%s%s", lines,
			   job->is_whole ? "" : CLAW_GCOV_NOT_KNOWN);
	claw_code_lines_release(&all);
	free(lines);
	return text;
}

char *claw_gcov_job_end(struct claw_gcov_job *job, const char *output)
{
	char *text;

	if (job->argv && (!output ||
			  claw_gcov_read(output, take_document, job) < 0))
		job->is_whole = false;
	text = join(job);
	free_job(job);
	return text;
}
