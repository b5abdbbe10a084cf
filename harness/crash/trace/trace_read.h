/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a trace (../faults/shared/trace_format.h) that may be truncated, torn or
 * hostile: every length and offset is checked, intact records are given,
 * damaged ones counted.
 */
#ifndef CLAW_TRACE_READ_H
#define CLAW_TRACE_READ_H

#include "trace.h"

/*
 * contents: the bytes of the contents file, or NULL; whoever gives them keeps
 * them as long as the trace. api_names of the journal beside it are ours when
 * api_count is CLAW_API_COUNT; else calls of others are told by name: find_api
 * gives our number for theirs, or -1.
 *
 * Returns 0, -CLAW_E_DAMAGED (no usable header) or -CLAW_E_VERSION.
 */
int claw_trace_read_memory(const void *bytes, size_t size,
			   const void *contents, size_t contents_size,
			   int (*find_api)(uint16_t theirs, void *user),
			   void *user, struct claw_trace **ret_trace);
/* trace.<pid>.<n>, with the contents.<pid>.<n> and journal.<pid>.<n> beside
 * it. Also -CLAW_E_IO (errno set). */
int claw_trace_read(const char *path, struct claw_trace **ret_trace);

#endif
