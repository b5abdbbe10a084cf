/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels with probes: what the program's kernels did inside, on any device
 * (doc/kernel-instrumentation.md). The guest makes an instrumented copy of
 * each program that is built from source, with openclaw-instrument, and a
 * launch runs the copy's kernel. Everything else is unchanged.
 */
#ifndef CLAW_INSTRUMENT_H
#define CLAW_INSTRUMENT_H

#include "faults/call/guest.h"
#include "faults/shared/probe_format.h"

enum { CLAW_INSTRUMENT_PATH = 4096 };

/* Keys of the session's config. */
struct claw_instrument_config {
	uint32_t modes;			/* enum claw_probe_mode; 0: off */
	uint64_t launch_skip;		/* the first so many run plain */
	uint64_t launch_count;		/* so many with probes; 0: all */
	uint64_t print_limit;		/* findings on stderr; 0: the default */
	enum claw_probe_verify verify;	/* launches that are tried out both ways */
	char helper[CLAW_INSTRUMENT_PATH];	/* openclaw-instrument */
	char cache[CLAW_INSTRUMENT_PATH];	/* "": beside the user's other caches */
	char programs[CLAW_INSTRUMENT_PATH];	/* the program's caches; "": not kept */
	char kernel[256];		/* glob; "": all of them */
};

/* In this process, or anew in a forked child. */
CLAW_HIDDEN void claw_instrument_begin(const struct claw_instrument_config *config);
/* Does it look at calls of this function? */
CLAW_HIDDEN bool claw_instrument_interest(enum claw_api api);
extern bool claw_instrument_is_begun CLAW_HIDDEN;
static inline bool claw_instrument_is_on(void)
{
	return claw_instrument_is_begun;
}

/* Does it check what kernels access? */
CLAW_HIDDEN bool claw_instrument_checks(void);

/* Last before the driver: a launch's kernel is another meanwhile. First after
 * it, of such a launch; and when call->err says what came of the call. */
CLAW_HIDDEN void claw_instrument_before(struct claw_call *call);
CLAW_HIDDEN void claw_instrument_launched(struct claw_call *call);
CLAW_HIDDEN void claw_instrument_after(struct claw_call *call);

/* A function of faults/shared/probe_ask.h by its name, or NULL. */
CLAW_HIDDEN void *claw_probe_ask_find(const char *name);

#endif
