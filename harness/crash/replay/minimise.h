/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A smaller trace that shows the same: calls, launches, objects, failures and
 * work-groups are left out as long as a replay ends with the same signature
 * (delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", 2002), up to so many replays.
 */
#ifndef CLAW_MINIMISE_H
#define CLAW_MINIMISE_H

#include "replay.h"

enum { CLAW_MINIMISE_STEPS = 120 };

struct claw_minimise_size {
	uint32_t calls, launches;
	uint64_t work_items;	/* of all launches */
	uint64_t bytes;		/* of contents */
	uint64_t wall_ns;	/* of a replay */
};

/* After each replay: what is smallest so far. */
typedef void claw_minimise_progress(unsigned int step,
				    const struct claw_minimise_size *size,
				    void *user);

struct claw_minimise_spec {
	struct claw_replay_spec replay;	/* trace: where to begin */
	const struct claw_crash *crash;	/* of replay.dump: what is to stay */
	bool is_flaky;			/* it was not in every run so far */
	unsigned int max_steps;		/* replays; 0: CLAW_MINIMISE_STEPS */
	claw_minimise_progress *progress;	/* or NULL */
	void *user;
};

struct claw_minimised {
	struct claw_trace *trace;	/* borrows from the one it began with */
	struct claw_minimise_size before, after;
	unsigned int steps;
	bool is_capped;		/* more steps might have found more */
	void *ranges;		/* private: ND-ranges of the trace */
};

/*
 * 0; -CLAW_E_NOT_FOUND: the whole trace does not show it; -CLAW_E_IO.
 * Release the result in any case.
 */
int claw_minimise(const struct claw_minimise_spec *spec,
		  struct claw_minimised *ret_minimised);
void claw_minimised_release(struct claw_minimised *minimised);

/* ---- which calls need which (minimise_needs.c) */

/*
 * Add to keep[] what the calls in it need to be made at all: the calls that
 * made the objects they use, the builds of programs; with_data: the calls,
 * too, that put something into the memory they use.
 */
void claw_needs_add(const struct claw_trace *trace, bool with_data, bool *keep);
/* Take out of keep[] what uses an object that no call in it makes any more;
 * events apart, which are waited for only where they are there. */
void claw_needs_drop(const struct claw_trace *trace, bool *keep);
/* Wait lists of claw_trace_select()'s selection without the events that are
 * gone. */
void claw_needs_mend(const struct claw_trace *whole, const bool *keep,
		     struct claw_trace *selected);

#endif
