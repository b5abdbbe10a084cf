/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guard zones of a case: what the layer found in its processes, as findings
 * like a tool's.
 */
#ifndef CLAW_GUARD_FINDINGS_H
#define CLAW_GUARD_FINDINGS_H

#include <stdbool.h>

#include "harness/records/finding.h"
#include "harness/session/session.h"

/* What a session of such a case has beside its own. */
void claw_guards_configure(struct claw_session_config *config);

struct claw_guard_look {
	char *gap;	/* why "no finding" would be a lie, one line, or NULL */
	char *bare;	/* "2 buffers have no guard zones: ...", or NULL */
};

/*
 * Add what a session's processes found: a broken guard zone is an
 * invalid-write at its launch, a transfer past an end an api-error.
 *
 * of_kernel_file: openclaw-kernel's own launches; their place says nothing.
 *
 * Returns 0 or -CLAW_E_IO.
 */
int claw_guard_findings(const struct claw_session *session,
			bool of_kernel_file, struct claw_findings *findings,
			struct claw_guard_look *ret_look);
void claw_guard_look_release(struct claw_guard_look *look);

#endif
