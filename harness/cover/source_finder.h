/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file on disk the text of an OpenCL program came from: by content, for
 * programs read, put together and embed texts as they like, and no call names
 * a file. A line of the text is then a line of that file; what is of no file
 * is written into the output directory and named there.
 */
#ifndef CLAW_SOURCE_FINDER_H
#define CLAW_SOURCE_FINDER_H

#include <stddef.h>

/* Lines [first, first + count) of the text are those of the file from
 * file_line on; lines from 1. */
struct claw_source_piece {
	unsigned int first, count, file_line;
	const char *path;		/* the finder's */
};

struct claw_source_places {
	struct claw_source_piece *pieces;	/* they do not overlap */
	size_t count;
	const char *rest;	/* path of the text itself, for all other lines, or
				 * NULL: there is no such line */
};

struct claw_source_finder;

/* directory: texts that are of no file go to DIRECTORY/kernel-texts/. */
struct claw_source_finder *claw_source_finder_new(const char *directory);
void claw_source_finder_free(struct claw_source_finder *finder);

/* Look there, too: below a folder, or at one file, which is tried before all
 * folders. What is not there is no error. */
void claw_source_finder_add(struct claw_source_finder *finder,
			    const char *path);

/*
 * name: of the file that the text is written to when it is of none, without
 * suffix.
 *
 * Returns 0 or -CLAW_E_IO (errno set: it could not be written). The caller
 * releases.
 */
int claw_source_find(struct claw_source_finder *finder, const char *text,
		     size_t bytes, const char *name,
		     struct claw_source_places *ret_places);
void claw_source_places_release(struct claw_source_places *places);

/* Where a line of the text is. */
const char *claw_source_place(const struct claw_source_places *places,
			      unsigned int line, unsigned int *ret_line);

#endif
