/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One captured launch as a kernel file that runs by itself
 * (doc/clw-format.md): its program's source, its arguments, what was in its
 * buffers. Contents come from the dump, or from a replay of what was before
 * the launch.
 */
#ifndef CLAW_EMIT_CLW_H
#define CLAW_EMIT_CLW_H

#include "harness/crash/replay/replay.h"

struct claw_emit_clw {
	const struct claw_dump *dump;
	const struct claw_trace *trace;	/* dump's, or a smaller one of it */
	uint32_t launch;		/* call (index + 1); 0 is refused */
	const struct claw_crash *crash;	/* what is wrong with the launch; NULL:
					 * nothing is, what a replay gives is right */
	const char *name;		/* of the dump's file, for people */
	const char *path;		/* must not be there */
	const struct claw_replay_spec *replay;
	/* set by claw_emit_clw(): */
	bool wants_tool;		/* it should be run under oclgrind */
};

/*
 * ret_why: why a kernel file cannot say it, malloced; NULL: it is written.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_emit_clw(struct claw_emit_clw *spec, char **ret_why);

/* The call (index + 1) of a smaller trace that is this one of the whole, or 0. */
uint32_t claw_emit_find(const struct claw_trace *smaller,
			const struct claw_trace *whole, uint32_t call);

#endif
