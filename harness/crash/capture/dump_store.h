/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory that dumps are kept in: crash_YYYYMMDD_HHMMSS.dmp, "_2" and so
 * on after it for those of the same second, latest.dmp, which points to the
 * newest, and a limit of their number and size, for which the oldest go.
 * What is not a dump of ours is never touched.
 */
#ifndef CLAW_DUMP_STORE_H
#define CLAW_DUMP_STORE_H

#include <stdint.h>
#include <time.h>

struct claw_dump_store;

/* What is kept where nobody says. */
enum { CLAW_DUMPS_MAX = 20, CLAW_DUMPS_MAX_MIB = 4096 };

/* Make the directory, with those above it, and keep others from naming dumps
 * there meanwhile. 0 or -CLAW_E_IO (errno set). */
int claw_dump_store_open(const char *directory,
			 struct claw_dump_store **ret_store);
void claw_dump_store_close(struct claw_dump_store *store);

/* A path that nobody has, for what happened at that time; malloced. NULL: no
 * memory, or no name is left. */
char *claw_dump_store_name(struct claw_dump_store *store, time_t when);

/* Paths of the dumps in it, the oldest first; all malloced. 0 or -CLAW_E_IO. */
int claw_dump_store_list(struct claw_dump_store *store, char ***ret_paths,
			 size_t *ret_count);

/* The file is there: latest.dmp points to it, and of the others those go that
 * are too many, or too much; 0 is no limit. ret_removed: how many. 0 or
 * -CLAW_E_IO. */
int claw_dump_store_added(struct claw_dump_store *store, const char *path,
			  uint64_t max_dumps, uint64_t max_bytes,
			  unsigned int *ret_removed);
#endif
