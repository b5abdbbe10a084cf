/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files and folders that texts of OpenCL programs may come from. Folders are
 * read when they are needed; what openclaw has written itself is left out.
 */
#ifndef CLAW_SOURCE_FILES_H
#define CLAW_SOURCE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Texts of no file are in a folder of that name. */
#define CLAW_SOURCE_FOLDER "kernel-texts"

enum { CLAW_SOURCE_TELLING_BYTES = 24 };	/* what is shorter could be anybody's */

struct claw_source_file {
	char *path;
	char *bytes;			/* without blanks at its end */
	size_t size;
	bool is_named;			/* itself, not its folder */
};

struct claw_source_files {
	char *directory;		/* of ours */
	struct claw_source_file *items;	/* sorted by path */
	size_t count;
	char **folders;		/* that were added; the first so many are read */
	size_t folder_count, folders_read;
	size_t bytes, entries;
	unsigned int version;	/* another number: other items */
	char **paths;		/* of texts, and of files that were twice */
	size_t path_count;
};

void claw_source_files_release(struct claw_source_files *files);

/* A file, or a folder; what is not there is no error. */
void claw_source_files_add(struct claw_source_files *files, const char *path);
/* Read the folders that are not read yet. */
void claw_source_files_read(struct claw_source_files *files);
/* It lives as long as the files. path: malloced, is taken over. */
void claw_source_files_keep(struct claw_source_files *files, char *path);

/* How much there is without the blanks at its end. */
size_t claw_source_without_blanks(const char *bytes, size_t size);

#endif
