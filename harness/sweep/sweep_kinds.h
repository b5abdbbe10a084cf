/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which faults a sweep tries at a call: those that a person named, or those
 * that the call can meet by the table of functions.
 */
#ifndef CLAW_SWEEP_KINDS_H
#define CLAW_SWEEP_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "faults/shared/api.h"
#include "harness/base/options.h"

enum claw_sweep_mode {
	CLAW_SWEEP_ONCE,	/* that call alone */
	CLAW_SWEEP_FROM_HERE,	/* that call and all after it */
	CLAW_SWEEP_BURST,	/* that call and the next ones */
};

enum { CLAW_SWEEP_BURST_MAX = 1000 };

/* One fault at one call. */
struct claw_sweep_kind {
	char action[96];	/* "oom", "error=CL_OUT_OF_RESOURCES", "delay=2s" */
	enum claw_sweep_mode mode;
	unsigned int burst;	/* of CLAW_SWEEP_BURST: how many calls */
	/* Asked for with "+", and no driver is known to deliver it: what only
	 * such a fault shows does not count. Of a point also what comes
	 * after one. */
	bool hardening;
};

/* What --kinds, --hardening and --mode say. */
struct claw_sweep_kinds {
	bool defaults, spec, hardening;
	struct claw_strings actions;	/* further ones; "+" may come first */
	bool once, from_here;	/* none of the three: by the call */
	unsigned int bursts[8];
	size_t burst_count;
	char delay[64];		/* "delay=600ms" past the memory timeout, or ""
				 * where that is long */
};

/*
 * kinds: "default", "spec", and actions as a rule has them; where none is
 * without a "+", default, too. modes: "once", "from-here", "burst=N". Both
 * borrowed. hardening: as "+null" among the kinds.
 *
 * Returns 0 or -CLAW_E_USAGE with one line in error.
 */
int claw_sweep_kinds_parse(const struct claw_strings *kinds,
			   const struct claw_strings *modes, bool hardening,
			   struct claw_sweep_kinds *ret_kinds, char *error,
			   size_t error_size);

/* The faults for a call of that function, the most telling first; malloced, or
 * NULL: there are none. is_python: called through a binding. */
struct claw_sweep_kind *
claw_sweep_kinds_of(const struct claw_sweep_kinds *kinds, enum claw_api api,
		    bool is_python, size_t *ret_count);

/* "once", "from-here", "burst=3"; in text. */
const char *claw_sweep_mode_text(enum claw_sweep_mode mode, unsigned int burst,
				 char text[24]);

#endif
