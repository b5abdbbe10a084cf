/* SPDX-License-Identifier: Apache-2.0 */
/* A trace in memory, back into the format of faults/shared/trace_format.h. */
#ifndef CLAW_TRACE_WRITE_H
#define CLAW_TRACE_WRITE_H

#include "trace.h"

/*
 * What reads back as the same trace, but for positions, and handles where two
 * objects had the same one. Contents are not in it: of those that have bytes
 * an offset is written that is not 0, and take() is given what is too long
 * for a record; it returns 0 or an error that ends it.
 *
 * ret_bytes: malloced. 0 or what take() returned.
 */
int claw_trace_write_memory(const struct claw_trace *trace,
			    int (*take)(const struct claw_trace_bytes *content,
					void *user),
			    void *user, void **ret_bytes, size_t *ret_size);

#endif
