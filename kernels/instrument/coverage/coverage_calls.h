/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which function of the text calls which: whose counters a kernel has to have
 * with it, and which functions nothing calls.
 */
#ifndef CLAW_INSTRUMENT_COVERAGE_CALLS_H
#define CLAW_INSTRUMENT_COVERAGE_CALLS_H

#include "kernels/instrument/unit/unit.h"

struct claw_call_node {
	const struct claw_function *function;	/* a definition */
	size_t *callees;			/* numbers of nodes */
	size_t callee_count;
	bool is_static;
	bool is_used;		/* a kernel, or other programs may call it, or these do */
	bool is_direct;		/* counts into the words at once */
	bool leaves;		/* calls what the text does not define */
	unsigned int first_counter, counters;
	int distance;		/* claw_calls_reach()'s: calls from there; -1: none */
};

struct claw_calls {
	struct claw_call_node *nodes;	/* of all definitions, in order */
	size_t count;
	size_t *queue;
};

void claw_calls_init(struct claw_calls *calls, const struct claw_unit *unit);
struct claw_call_node *claw_calls_find(const struct claw_calls *calls,
				       const struct claw_function *function);
/* Set distance of all nodes, from one; how many are reached: their numbers are
 * in queue, the nearest first. */
size_t claw_calls_reach(struct claw_calls *calls, const struct claw_call_node *from);
/*
 * Choose what is direct: what is furthest from a kernel when its functions have
 * more than limit members of per counters each; with is_separate, too, what
 * another program's kernel may come to, whose context has other members.
 */
void claw_calls_choose_direct(struct claw_calls *calls, unsigned int per,
			      unsigned int limit, bool is_separate);
void claw_calls_release(struct claw_calls *calls);

#endif
