/* SPDX-License-Identifier: Apache-2.0 */
/* What openclaw-replay said (player_report.h), put into a result. */
#ifndef CLAW_REPLAY_REPORT_H
#define CLAW_REPLAY_REPORT_H

#include "replay.h"

/*
 * Into counts, device, reads and why (lines: the first few of each kind).
 * cannot: malloced, why nothing was done, or NULL.
 *
 * Returns 0 (also where there is no file).
 */
void claw_replay_report_read(const char *path,
			     struct claw_replay_result *result,
			     char **ret_cannot);

#endif
