/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel sanitizer's findings of a run, as findings like a tool's. */
#ifndef CLAW_KERNEL_FINDINGS_H
#define CLAW_KERNEL_FINDINGS_H

#include "harness/records/finding.h"
#include "harness/session/session.h"

/*
 * Add what the kernels of a session's processes found.
 *
 * source:  the file that kernels are of, or NULL.
 * ret_gap: why that is not all, one line, malloced, or NULL: it is.
 *
 * Returns 0 or -CLAW_E_IO.
 */
int claw_kernel_findings(const struct claw_session *session,
			 const char *source, struct claw_findings *findings,
			 char **ret_gap);

#endif
