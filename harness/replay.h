/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay a captured program's calls in a process of its own (openclaw-replay,
 * a helper program that links the loader): in the order of the capture, with
 * handles, contents and events put in place, and with the captured failures
 * injected at the captured calls.
 */
#ifndef CLAW_REPLAY_H
#define CLAW_REPLAY_H

#include "crash.h"
#include "options.h"
#include "tools.h"

enum claw_replay_end {
	CLAW_REPLAY_SAME,	/* the same signature */
	CLAW_REPLAY_OTHER,	/* something else went wrong */
	CLAW_REPLAY_NOTHING,	/* it ended well */
	CLAW_REPLAY_INFRA,	/* could not be tried: why */
};

struct claw_replay_spec {
	const struct claw_dump *dump;	/* meta, journal and faults of the original */
	const struct claw_trace *trace;	/* dump's, or a smaller one of it */
	const char *dump_path;		/* a file with that trace, or NULL: one is written */
	const char *under;		/* "native", "oclgrind", "device", or NULL: native */
	const char *model;		/* --model text, or NULL: what the capture had */
	uint64_t timeout_ms;		/* 0: 60 s */
	bool no_faults;			/* do not inject what was captured */
};

struct claw_replay_result {
	enum claw_replay_end end;
	char *signature;	/* what the replay showed, "" for nothing */
	char *why;		/* INFRA, or what was synthesised or left out */
	uint32_t skipped;	/* calls that could not be replayed */
	uint32_t synthesised;	/* contents that were made up */
	uint64_t wall_ns;
	/* Findings of the tool under it (oclgrind), as finding.h has them. */
	struct claw_findings *found;	/* or NULL */
};

/*
 * One replay. wanted: the signature that is SAME. 0, -CLAW_E_NO_MEMORY or
 * -CLAW_E_IO; release the result in any case.
 */
int claw_replay_run(const struct claw_replay_spec *spec, const char *wanted,
		    struct claw_replay_result *ret_result);
void claw_replay_result_release(struct claw_replay_result *result);

/*
 * The faults that give a run of these calls, in this order and in one thread,
 * the failures that were captured: rules as faults/plan.h has them, malloced
 * and NULL-terminated. NULL: no memory.
 */
char **claw_replay_rules(const struct claw_trace *trace,
			 const struct claw_dump *dump);

#endif
