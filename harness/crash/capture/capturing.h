/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run that leaves a dump when something goes wrong: where its session is and
 * where dumps go, requests from outside while it runs, and what it says at the
 * end. Only cmd_*.c call these: they end the process where the harness itself
 * fails.
 */
#ifndef CLAW_CAPTURING_H
#define CLAW_CAPTURING_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/base/error_file.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"

struct claw_dump_taking;
struct claw_dumps_made;

struct claw_capturing {
	uint64_t max_dumps, max_bytes;
	bool always, verbose;
	bool tells_failed;		/* of a call without a dump: --always helps */
	char *directory;		/* of dumps, absolute */
	bool made_directory, redact;
	const struct claw_session *session;	/* of the program that runs */
	struct claw_error_file err_file;	/* closed when redacted */
	char *err;			/* what it printed there, or NULL */
};

/* Does openclaw.yaml (logging.crash_dump), or CLW_CRASH_DUMP, ask for dumps? */
bool claw_capturing_wanted(void);

/* The default directory of dumps: CLW_CRASH_DUMP_PATH, which is
 * logging.crash_dump_path of openclaw.yaml, or openclaw-out/crashes. */
const char *claw_capturing_default(void);

/* directory: of dumps, or NULL. Made now; config is told to capture, as it says
 * or by hashes. */
void claw_capturing_init(struct claw_capturing *capturing,
			 const char *directory,
			 struct claw_session_config *config);
void claw_capturing_release(struct claw_capturing *capturing);

/* A directory for the session, beside the dumps, so that it can be found when
 * we are killed; malloced. */
char *claw_capturing_session(const struct claw_capturing *capturing);

/* As claw_run_once(), with SIGUSR1 to us for a dump meanwhile. */
int claw_capturing_run(struct claw_capturing *capturing,
		       const struct claw_session *session,
		       const struct claw_run_spec *spec,
		       struct claw_run_result *ret_result);

/* The program has ended: dumps, and words about them. Where none can be made, or
 * processes that it started still run, the session is kept. */
void claw_capturing_end(struct claw_capturing *capturing,
			struct claw_session *session,
			const struct claw_run_result *result);
/* The session is gone: a directory that we made and nobody needed goes, too. */
void claw_capturing_leave(const struct claw_capturing *capturing);

/* Say what was made. */
void claw_capturing_say(const struct claw_dumps_made *made);

#endif
