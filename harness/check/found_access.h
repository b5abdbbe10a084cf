/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel sanitizer's findings are of: from the number of an access to
 * its line, by the process's probes and their maps.
 */
#ifndef CLAW_FOUND_ACCESS_H
#define CLAW_FOUND_ACCESS_H

#include <stdbool.h>

#include "harness/cover/probed_text.h"

/* One access of a kernel; texts are NULL where they are not known. */
struct claw_found_access {
	char *file;		/* on disk, where it is there */
	unsigned int line, column;	/* 0: not known */
	char *kind;		/* "read", "write", "atomic", "divide", "shift" */
	char *space;		/* "global", ... */
	char *function, *object, *text;
	unsigned int bytes;
};

/* How to find them: all of a session's. */
struct claw_found_accesses {
	const struct claw_session *session;	/* borrowed */
	const char *source;	/* file that is tried first, borrowed, or NULL */
	struct claw_source_finder *finder;
	struct claw_probed_texts texts;
};

/* Is it one of theirs? */
bool claw_found_kind_is_kernels(enum claw_found_kind kind);

/*
 * found_path: of the file that the entry is in. What is not known stays empty.
 *
 * Returns 0 or -CLAW_E_IO (errno set: a text of no file could not be written).
 * The caller releases.
 */
int claw_found_access_find(struct claw_found_accesses *accesses,
			   const char *found_path,
			   const struct claw_found_entry *entry,
			   struct claw_found_access *ret_access);
/* Of a race: the access of the other work-item; of a divergence: the condition. */
int claw_found_access_find_other(struct claw_found_accesses *accesses,
				 const char *found_path,
				 const struct claw_found_entry *entry,
				 struct claw_found_access *ret_access);
void claw_found_access_release(struct claw_found_access *access);

void claw_found_accesses_release(struct claw_found_accesses *accesses);

#endif
