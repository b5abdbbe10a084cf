/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session as one finds it: whose it is, and whether they are still at it.
 */
#ifndef CLAW_DUMP_SESSION_H
#define CLAW_DUMP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/readers/journal_reader.h"

/* As claw_session_journals(). */
int claw_dump_journals(const char *directory, char ***ret_paths,
		       size_t *ret_count);

/* Is the directory a session: has it journals? */
bool claw_dump_is_session(const char *directory);

/* Was the guest told to meter there, and not to capture: is it a profile's or a
 * soak's? Then there is nothing to make a dump of. */
bool claw_dump_is_metered_only(const char *session);

/* Was it written since this machine was started? */
bool claw_dump_is_of_this_boot(const struct claw_journal_header *header);

/* Does the process that the journal, with that path, is of still write it? */
bool claw_dump_is_running(const struct claw_journal *journal, const char *path);

/* Has the process a file of that name in its memory? True also where we may not
 * look. */
bool claw_dump_has_mapped(uint32_t pid, const char *name);

/* Those processes of a session, at most max. */
size_t claw_dump_running(const char *session, pid_t *ret_pids, size_t max);

#endif
