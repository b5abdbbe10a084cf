/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make dumps of the processes of a session: of those that something happened
 * to, one each.
 */
#ifndef CLAW_DUMP_TAKE_H
#define CLAW_DUMP_TAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/crash/dump/dump_session.h"

struct claw_dump_taking {
	const char *session;		/* its directory */
	const char *directory;		/* where dumps go, made when one does */
	uint64_t max_dumps, max_bytes;	/* 0: no limit */
	const struct claw_run_result *result;	/* of the process that was
						 * started, or NULL: not known */
	const char *stacks;		/* of running ones, or NULL */
	const char *err;		/* the last of what was printed to standard
					 * error, where the result does not have
					 * it; or NULL */
	char *const *set_env;		/* for who asks the drivers, or NULL */
	bool always;			/* also where nothing happened */
	bool requested;			/* of those that run, because it was asked for */
	bool running_too;		/* of those that run, too */
	bool once;			/* none of what there is a dump of */
};

struct claw_dump_made {
	char *path, *program, *why;
	char *holds;			/* claw_dump_holds() */
	uint32_t pid;
	uint64_t bytes;			/* of the file */
};

struct claw_dumps_made {
	struct claw_dump_made *items;
	size_t count;
	size_t well, running, unreadable;	/* processes without a dump */
	char **known;			/* paths of those that were there already */
	size_t known_count;
	unsigned int removed;		/* older dumps that had to go */
	uint32_t running_pid;		/* one of those, or 0 */
	/* "clFinish returned CL_INVALID_VALUE (#12)": the last call that failed,
	 * not a query, of a process that then ended with this status and got no
	 * dump; NULL: none. */
	char *failed;
	int failed_status;
};

/*
 * ret_made is valid, and to be released, in any case: what was made before a
 * failure is made.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_dump_take(const struct claw_dump_taking *taking,
		   struct claw_dumps_made *ret_made);
void claw_dumps_made_release(struct claw_dumps_made *made);

#endif
