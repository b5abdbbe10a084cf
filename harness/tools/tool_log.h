/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A log that several processes of one run write. Oclgrind empties its log when
 * it opens it, so that of a script's two programs, or of a libcheck program's
 * forked tests, only the last one's reports would be left.
 */
#ifndef CLAW_TOOL_LOG_H
#define CLAW_TOOL_LOG_H

struct claw_tool_log;

/*
 * Gather what is written to the pipe LOG.pipe, which is made here, in the file
 * log. That file is there as soon as a process opened the pipe.
 *
 * The caller ends it with claw_tool_log_free(). Returns 0 or -CLAW_E_IO (errno
 * set).
 */
int claw_tool_log_new(const char *log, struct claw_tool_log **ret_log);

/* The pipe's path, for the processes; lives as long as log. */
const char *claw_tool_log_path(const struct claw_tool_log *log);

/* Nobody writes any more: the file is complete. Again: the same answer.
 * 0, or -CLAW_E_DAMAGED when it could not be written whole. */
int claw_tool_log_end(struct claw_tool_log *log);

/* Ends it, too; NULL is fine. The file stays. */
void claw_tool_log_free(struct claw_tool_log *log);

#endif
