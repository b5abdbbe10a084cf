/* SPDX-License-Identifier: Apache-2.0 */
/* What the host has written for this process: its config and its rules. */
#ifndef CLAW_SESSION_H
#define CLAW_SESSION_H

#include "faults/instrument/instrument.h"
#include "faults/trace/trace.h"

extern struct claw_trace_config claw_session_capture CLAW_HIDDEN;
extern struct claw_instrument_config claw_session_instrument CLAW_HIDDEN;

/* A file of the session as text; the caller frees it. NULL: cannot. */
CLAW_HIDDEN char *claw_session_text(const char *directory, const char *name);
/* Into claw_guest and the two above; session NULL: of the environment. */
CLAW_HIDDEN void claw_session_read_config(const char *session,
					  uint64_t *ret_capacity);
CLAW_HIDDEN void claw_session_read_rules(const char *session);

#endif
