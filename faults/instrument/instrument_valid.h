/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of the program's buffers somebody wrote: a shadow, a byte a byte,
 * 0xff where it was. It lives as long as the buffer. What changes it is put
 * into the program's queue just before the command that it follows, with the
 * same wait list, so that it is as far as that when a kernel comes to look. A
 * buffer of which that is not known is taken to be written: nothing is ever said
 * of it again.
 */
#ifndef CLAW_INSTRUMENT_VALID_H
#define CLAW_INSTRUMENT_VALID_H

#include "instrument_private.h"

CLAW_HIDDEN void claw_valid_begin(void);
CLAW_HIDDEN bool claw_valid_interest(enum claw_api api);
/* A call that makes, frees, writes, maps or copies buffers. */
CLAW_HIDDEN void claw_valid_before(struct claw_call *call);
CLAW_HIDDEN void claw_valid_after(const struct claw_call *call);
/* The driver refused it. */
CLAW_HIDDEN void claw_valid_failed(const struct claw_call *call);

/* A buffer's shadow for a kernel in that queue, and where in it the buffer
 * begins. The caller releases it; NULL: all of it was written, as far as
 * anybody knows. why: set where that is not known. */
CLAW_HIDDEN cl_mem claw_valid_shadow(cl_mem buffer, cl_command_queue queue,
				     uint64_t *ret_offset, const char **why);
/* The program has waited for something. */
CLAW_HIDDEN void claw_valid_look(void);
/* How many shadows there are in that context. */
CLAW_HIDDEN cl_uint claw_valid_shadows(cl_context context);
/* Who knows what is written to it. */
CLAW_HIDDEN void claw_valid_lose(cl_mem buffer, const char *why);
/* The same: all that a kernel was given. */
CLAW_HIDDEN void claw_valid_give_up(const struct claw_probed_kernel *kernel);

#endif
