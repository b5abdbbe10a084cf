/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What went wrong in a run of a session, found as in a dump: for comparing it
 * with what was captured.
 */
#ifndef CLAW_REPLAY_CRASH_H
#define CLAW_REPLAY_CRASH_H

#include "harness/crash/facts/crash.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"

/*
 * captured: of what this is a replay that came to its end: what the program made
 *	     of that is not part of it, its end is taken as it was. NULL: the
 *	     run's own end counts.
 *
 * ret_crash is to be released in any case, all 0 where the session has no
 * journal (-CLAW_E_NOT_FOUND). 0, -CLAW_E_NOT_FOUND, -CLAW_E_IO or
 * -CLAW_E_DAMAGED.
 */
int claw_replay_crash_find(const struct claw_session *session,
			   const struct claw_run_result *result,
			   const struct claw_dump *captured,
			   struct claw_crash *ret_crash);

/*
 * What a replay of a dump is to show: crash's signature, or, as a replay has
 * no code of the program's own, for a program that crashed or stayed in that,
 * what its calls had come to by then.
 *
 * ret_crash:  as claw_crash_find(); released in any case. Its signature is
 *	       "" where no call has to do with the end.
 * ret_calls:  malloced; NULL: it was not its own code that it ended in; "":
 *	       it was, and no call had failed.
 */
void claw_replay_wanted(const struct claw_dump *dump,
			struct claw_crash *ret_crash, char **ret_calls);
/* Was it in code of the program's own, which no replay has? */
bool claw_replay_is_own_code(const struct claw_dump *dump,
			     const struct claw_crash *crash);
/* Is there a call that the crash is about, or a signal? A program may end with
 * a status of its own choice whatever its calls did. */
bool claw_replay_is_of_calls(const struct claw_crash *crash);

#endif
