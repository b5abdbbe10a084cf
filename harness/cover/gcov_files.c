/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both files begin with three words: what it is, the format's version, and a
 * stamp of the compilation, which tells whether they belong together (gcc,
 * gcov-io.h). The version of gcc 12.2 is 'B', '2', '2', '*'; before gcc 5, and
 * in clang, '4', '0', '8', '*' is 4.8.
 */
#include "config.h"

#include "gcov_files.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum {
	MAGIC_DATA = 0x67636461,	/* "gcda" */
	MAGIC_NOTE = 0x67636e6f,
	MAJOR_MIN = 9,			/* the first whose gcov prints JSON */
};

struct header {
	uint32_t magic, version, stamp;
};

static bool is_data(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && strcmp(dot, ".gcda") == 0 &&
		!claw_begins(name, "libopenclaw_");
}

static int compare(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

char **claw_gcov_files_find(const char *directory)
{
	char *roots[] = { (char *)(uintptr_t)directory, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare);
	FTSENT *entry;
	char **paths = NULL;

	while (tree && (entry = fts_read(tree)) != NULL)
		if (entry->fts_info == FTS_F && is_data(entry->fts_name))
			claw_list_add(&paths, claw_strdup(entry->fts_path));
	if (tree)
		fts_close(tree);
	return paths;
}

/* false: errno is set, or it is 0 where the file is too short. */
static bool read_header(const char *path, struct header *ret_header)
{
	FILE *in = claw_outside_fopen(path);
	bool whole;

	if (!in)
		return false;
	errno = 0;
	whole = fread(ret_header, sizeof(*ret_header), 1, in) == 1;
	fclose(in);
	return whole;
}

static unsigned int major_of(uint32_t version)
{
	unsigned int first = version >> 24, second = (version >> 16) & 0xff;

	return first >= 'A' && second >= '0' ?
		(first - 'A') * 10 + (second - '0') : first - '0';
}

static char *say(const char *path, const char *why)
{
	return claw_format("%s %s", path, why);
}

/* With errno, or 0: the file ends too soon. */
static char *say_error(const char *path, int error)
{
	return claw_format("%s: %s", path,
			   error ? strerror(error) : "it is cut short");
}

/* The data's own path, without the directory, with another ending. */
static char *note_path(const char *path, size_t skip)
{
	return claw_format("%.*sno", (int)(strlen(path + skip) - 2),
			   path + skip);
}

/* Why the note is not that of the data, or NULL. */
static char *check_note(const char *note, const struct header *data)
{
	struct header header;

	if (!read_header(note, &header))
		return say_error(note, errno);
	if (header.magic != MAGIC_NOTE || header.version != data->version ||
	    header.stamp != data->stamp)
		return say(note, "is not of the build that ran: build the "
			   "program anew");
	return NULL;
}

char *claw_gcov_files_prepare(const char *directory, const char *path,
			      unsigned int *ret_major)
{
	char *note = note_path(path, strlen(directory));
	char *here = note_path(path, 0), *why = NULL;
	struct header data;

	if (!read_header(path, &data) || data.magic != MAGIC_DATA)
		why = say(path, "is no data of gcov");
	else if (major_of(data.version) < MAJOR_MIN)
		why = say(note, "is of clang, or of an old gcc: build the "
			  "program with gcc 9 or newer");
	else
		why = check_note(note, &data);
	if (!why && symlink(note, here) < 0 && errno != EEXIST)
		why = say_error(here, errno);
	if (!why)
		*ret_major = major_of(data.version);
	free(note);
	free(here);
	return why;
}
