/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of "openclaw capture" share. */
#ifndef CLAW_CMD_CAPTURE_H
#define CLAW_CMD_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct claw_recovering {
	const char *from;	/* a session, a directory of them, or a tar file */
	const char *output;	/* where dumps go, or NULL: the usual place */
	uint64_t max_dumps, max_bytes;
	bool always, running_too, verbose;
};

/* Make dumps of what was left behind. Returns the exit status. */
int claw_capture_recover(const struct claw_recovering *recovering);

/* Ask the openclaw that runs, or has started, process pid for a dump. */
int claw_capture_request(const char *pid);

#endif
