/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of gcc --coverage: a note (.gcno), which the compiler writes
 * beside the object, and data (.gcda), which a run writes.
 */
#ifndef CLAW_GCOV_FILES_H
#define CLAW_GCOV_FILES_H

/* Paths of all data below the directory, sorted, text_list.h; but of our own
 * layer. NULL: none. */
char **claw_gcov_files_find(const char *directory);

/*
 * Can gcov make something of the data below the directory? If so a link to
 * its note is made beside it, where gcov looks for it.
 *
 * ret_major: of the gcc that built it. Returns NULL: it can, or why not, one
 * line, malloced.
 */
char *claw_gcov_files_prepare(const char *directory, const char *path,
			      unsigned int *ret_major);

#endif
