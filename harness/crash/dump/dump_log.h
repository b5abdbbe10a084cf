/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which lines of the kernel's log are about the process of a dump: a log has
 * those of other processes and of other days, too.
 */
#ifndef CLAW_DUMP_LOG_H
#define CLAW_DUMP_LOG_H

#include "dump.h"
#include "harness/machine/xid.h"

enum claw_log_fit {
	CLAW_LOG_OURS,		/* of the process, or since it started */
	CLAW_LOG_UNKNOWN,	/* it does not say of whom and when */
	CLAW_LOG_OTHER,		/* of another process: no evidence */
	CLAW_LOG_OLDER,		/* from before it started: no evidence */
};

enum claw_log_fit claw_dump_log_fit(const struct claw_dump *dump,
				    const struct claw_dmesg_line *line);
/* "ours", "unknown", "other-process", "older" */
const char *claw_log_fit_name(enum claw_log_fit fit);

/* As claw_dmesg_next(), of the dump's log, without those that are no
 * evidence. */
bool claw_dump_log_next(const struct claw_dump *dump, const char **at,
			struct claw_dmesg_line *ret_line);
/* Does any of those have that diagnosis? */
bool claw_dump_log_has_code(const struct claw_dump *dump, const char *code);

/*
 * What is kept of a log that was read on this machine, malloced: lines after
 * the stamp, and of those that name a process the ones of these. May be called
 * with log NULL.
 */
char *claw_dump_log_choose(const char *log, double after,
			   struct claw_journal *const *journals, size_t count);

#endif
