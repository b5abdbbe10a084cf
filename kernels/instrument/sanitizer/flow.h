/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How control goes through a function in which work-items meet: nodes and the
 * ways between them. What all work-items of a group have to reach together (a
 * barrier, a work-group function, a call of what has one) is a node, and so is
 * each condition; everything else lies in plain nodes.
 */
#ifndef CLAW_INSTRUMENT_FLOW_H
#define CLAW_INSTRUMENT_FLOW_H

#include "sanitizer_private.h"

enum claw_flow_kind { CLAW_FLOW_PLAIN, CLAW_FLOW_BRANCH, CLAW_FLOW_MEETING };

enum { CLAW_FLOW_EXIT, CLAW_FLOW_ENTRY, CLAW_FLOW_NOWHERE = ~0 };

struct claw_flow_node {
	enum claw_flow_kind kind;
	struct claw_node *at;		/* the condition, the call */
	struct claw_node *statement;	/* of a branch: if, switch, ?: ... */
	unsigned int *next;		/* of a condition: its sides, false first; of
					 * a switch: default, then its cases */
	unsigned int next_count;
	struct claw_node **cases;	/* of a switch: of its sides but the first */
	int known;			/* the side that it always takes; -1 */
	unsigned int join;		/* where all its sides have come together */
	bool **sides;			/* of a branch: nodes between a side and
					 * join, a list a side; NULL: not asked yet */
	struct claw_body *callee;	/* of a call of a function of the text */
	unsigned int number;		/* of a meeting in the map, + 1 */
	bool is_uniform;		/* a branch: all of a group take one side */
	bool is_settled;		/* or are made to by a vote */
};

/* Where something gets a value. */
struct claw_flow_change {
	const struct claw_node *at;
	unsigned int node;
};

struct claw_flow {
	struct claw_body *body;
	struct claw_flow_node *nodes;
	unsigned int node_count;
	struct claw_flow_change *changes;
	size_t change_count;
	bool *is_uniform;		/* of the body's variables: what they get */
};

/* Functions of the language that all work-items of a group come to. */
bool claw_flow_is_meeting(const char *name);
/* Whether there is one in an expression, or in what it calls. */
bool claw_flow_has_meeting(const struct claw_body *body,
			   struct claw_node *root);
/* Which bodies have such, directly or not (body->meets). */
void claw_flow_find_meetings(struct claw_sanitizer *sanitizer);
/* Of any body; the caller's, claw_flow_free(). */
struct claw_flow *claw_flow_new(struct claw_body *body);
void claw_flow_free(struct claw_flow *flow);

/* What control meets first, from a node on and before stop. */
struct claw_flow_first {
	unsigned int node;		/* the nearest; NOWHERE: nothing */
	bool is_only;			/* and no other */
	bool is_sure;			/* all ways meet something */
};
struct claw_flow_first claw_flow_first_met(const struct claw_flow *flow,
					   unsigned int from,
					   unsigned int stop);

/* Which nodes control can come to from a node on, before stop: seen, of
 * node_count, is added to. */
void claw_flow_reach(const struct claw_flow *flow, unsigned int from,
		     unsigned int stop, bool *seen);
/* Whether whoever calls it meets for sure. */
bool claw_flow_always_meets(const struct claw_body *body);

/* uniform.c: what is the same in all work-items of a group: sets is_uniform of
 * branches and variables of all flows. */
void claw_uniform_find(struct claw_sanitizer *sanitizer);
/* Of an expression of the body, for those who come to a node of its flow. */
bool claw_uniform_at(const struct claw_body *body, unsigned int at,
		     struct claw_node *node);

#endif
