/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers that not all of a group reach. A barrier itself is too late to look
 * at: a device hangs there, and pocl compiles it as if all came. So each
 * condition that decides whether some barrier is reached (flow.c), and is not
 * the same for all of a group for sure (uniform.c), has a vote: who takes which
 * side. Where sides differ and one of them leads to a barrier for sure, that is
 * a finding, and the whole group takes a side that leads to none. Where none
 * does for sure, the group goes apart until the sides have joined; conditions
 * between are asked without a vote, by each work-item for itself.
 *
 * Sides of a condition that lead to the same barrier, and to nothing before
 * it, count as one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/probe_format.h"
#include "flow.h"
#include "harness/base/memory.h"

enum { SIDES_MAX = 16, APART_MAX = 31 };

/* Of those that nobody votes on: whether the group is apart is not known. */
#define APART_UNKNOWN (1u << APART_MAX)

/* A side of a condition, or several that are one. */
struct side {
	struct claw_flow_first first;
	unsigned int way;		/* the first of its ways */
};

struct claw_vote {
	unsigned int node;		/* of the flow */
	struct side sides[SIDES_MAX];
	unsigned int side_count;
	unsigned int side_of[SIDES_MAX];	/* of each way */
	unsigned int sure;		/* bits: sides that meet for sure */
	unsigned int bit;		/* of apart, where the group may go apart */
	bool can;			/* be put to the vote */
	bool *between;			/* nodes before the sides have joined */
};

bool claw_barriers_are_asked(const struct claw_rewrite *rewrite)
{
	return rewrite->request->modes & CLAW_PROBE_BARRIERS;
}

/* ---- which conditions ------------------------------------------------------ */

static bool is_same_side(const struct side *a, const struct side *b)
{
	bool a_free = a->first.node == (unsigned int)CLAW_FLOW_NOWHERE;
	bool b_free = b->first.node == (unsigned int)CLAW_FLOW_NOWHERE;

	return (a_free && b_free) ||
		(a->first.node == b->first.node && a->first.is_only &&
		 b->first.is_only && a->first.is_sure && b->first.is_sure);
}

/* False: more than can be told apart. */
static bool add_way(struct claw_vote *vote, struct side side)
{
	unsigned int i = 0;

	if (side.way >= SIDES_MAX)
		return false;
	while (i < vote->side_count && !is_same_side(&vote->sides[i], &side))
		i++;
	vote->side_of[side.way] = i;
	if (i < vote->side_count)
		return true;
	vote->sides[vote->side_count++] = side;
	if (side.first.is_sure)
		vote->sure |= 1u << i;
	return true;
}

static bool read_sides(const struct claw_flow *flow, struct claw_vote *vote)
{
	const struct claw_flow_node *node = &flow->nodes[vote->node];

	for (unsigned int i = 0; i < node->next_count; i++) {
		struct side side = {
			claw_flow_first_met(flow, node->next[i], node->join), i,
		};

		if (!add_way(vote, side))
			return false;
	}
	return true;
}

static bool is_written(const struct claw_node *node)
{
	return node && node->end > node->start;
}

/* Of a switch: all labels are numbers. */
static bool has_numbers(const struct claw_flow_node *node)
{
	long long value;

	if (node->statement->kind != CXCursor_SwitchStmt)
		return true;
	for (unsigned int i = 1; i < node->next_count; i++) {
		const struct claw_node *label = node->cases[i - 1];

		if (claw_nodes_count(label) > 2 || !label->first ||
		    !claw_nodes_constant(label->first, &value))
			return false;
	}
	return true;
}

static bool all_sure(const struct claw_vote *vote)
{
	return vote->sure == (1u << vote->side_count) - 1;
}

/* The group may go apart there: more than one side may lead to something. */
static bool may_part(const struct claw_vote *vote)
{
	unsigned int unsure = 0;

	for (unsigned int i = 0; i < vote->side_count; i++)
		unsure += !(vote->sure >> i & 1);
	return unsure > 1;
}

/* It is known not to be asked. */
static bool can_vote(const struct claw_body *body,
		     const struct claw_flow_node *node)
{
	return is_written(node->at) && has_numbers(node) &&
		(body->function->is_kernel ||
		 !body->sanitizer->rewrite->request->is_separate);
}

static void add_vote(struct claw_body *body, unsigned int index)
{
	struct claw_vote vote = { .node = index };
	bool is_read = read_sides(body->flow, &vote);
	struct claw_flow_node *node = &body->flow->nodes[index];

	if (is_read && vote.side_count < 2)
		return;
	vote.can = is_read && can_vote(body, node);
	node->is_settled = vote.can && !may_part(&vote);
	body->votes = claw_grow(body->votes, body->vote_count + 1,
				sizeof(*body->votes));
	body->votes[body->vote_count++] = vote;
}

static void find_votes(struct claw_body *body)
{
	for (unsigned int i = 0; i < body->flow->node_count; i++)
		if (body->flow->nodes[i].kind == CLAW_FLOW_BRANCH &&
		    body->flow->nodes[i].known < 0)
			add_vote(body, i);
}

static void find_between(const struct claw_flow *flow, struct claw_vote *vote)
{
	const struct claw_flow_node *node = &flow->nodes[vote->node];

	vote->between = claw_calloc(flow->node_count, sizeof(bool));
	for (unsigned int i = 0; i < node->next_count; i++)
		claw_flow_reach(flow, node->next[i], node->join, vote->between);
}

/* Of conditions that are not the same for all: what of them can be looked at. */
static bool find_apart(struct claw_body *body)
{
	struct claw_sanitizer *sanitizer = body->sanitizer;

	for (size_t i = 0; i < body->vote_count; i++) {
		struct claw_vote *vote = &body->votes[i];
		const struct claw_flow_node *node =
			&body->flow->nodes[vote->node];

		if (node->is_uniform || (vote->can && !may_part(vote)))
			continue;
		find_between(body->flow, vote);
		/* Its second vote would be in a branch. */
		vote->can &= sanitizer->apart_count < APART_MAX &&
			!(sanitizer->rewrite->has_regions &&
			  vote->between[vote->node]);
		vote->bit = vote->can ? 1u << sanitizer->apart_count++ :
			APART_UNKNOWN;
	}
	return false;
}

/* Bits of the conditions that the group may have gone apart at, and not yet be
 * together again, where control is at a node. */
static unsigned int apart_at(const struct claw_body *body, unsigned int node)
{
	unsigned int bits = body->apart;

	for (size_t i = 0; i < body->vote_count; i++)
		if (body->votes[i].between && body->votes[i].between[node])
			bits |= body->votes[i].bit;
	return bits;
}

/* What is so where a function is called is so in all of it. */
static bool hand_down(struct claw_body *caller)
{
	bool more = false;

	for (unsigned int i = 0; caller->flow &&
	     i < caller->flow->node_count; i++) {
		struct claw_body *callee = caller->flow->nodes[i].callee;
		unsigned int bits = callee ? apart_at(caller, i) : 0;

		if (!(bits & ~callee->apart))
			continue;
		callee->apart |= bits;
		more = true;
	}
	return more;
}

/* ---- the words -------------------------------------------------------------- */

/* The number of a meeting in the map: in a function that is called, the one
 * there that is met first. */
static unsigned int number_of(struct claw_body *body, unsigned int node)
{
	struct claw_flow_node *met = &body->flow->nodes[node];

	if (met->callee && met->callee->flow) {
		struct claw_flow_first first = claw_flow_first_met(
			met->callee->flow, CLAW_FLOW_ENTRY, CLAW_FLOW_EXIT);

		if (first.node != (unsigned int)CLAW_FLOW_NOWHERE)
			return number_of(met->callee, first.node);
	}
	if (!met->number)
		met->number = 1 + claw_check_number(body, met->at, CLAW_MEET,
						    "-", 0, "-");
	return met->number - 1;
}

/* "v == 5 ? 1u : 0u" of a switch, "v" of a condition: which side it is. */
static void write_side(const struct claw_flow_node *node,
		       const struct claw_vote *vote, unsigned int name,
		       FILE *out)
{
	long long value;

	if (node->statement->kind != CXCursor_SwitchStmt) {
		fprintf(out, "__claw_d%u ? %uu : %uu", name, vote->side_of[1],
			vote->side_of[0]);
		return;
	}
	for (unsigned int i = 1; i < node->next_count; i++) {
		claw_nodes_constant(node->cases[i - 1]->first, &value);
		fprintf(out, "__claw_d%u == (__typeof__(__claw_d%u))%lldL ? %uu : ",
			name, name, value, vote->side_of[i]);
	}
	fprintf(out, "%uu", vote->side_of[0]);
}

/* A number that is none of a switch's labels. */
static long long find_other(const struct claw_flow_node *node)
{
	for (long long other = 0;; other++) {
		bool is_label = false;
		long long value;

		for (unsigned int i = 1; i < node->next_count; i++)
			if (claw_nodes_constant(node->cases[i - 1]->first,
						&value))
				is_label |= value == other;
		if (!is_label)
			return other;
	}
}

/* What the condition has to be for a side to be taken. */
static void write_value(const struct claw_flow_node *node, unsigned int way,
			FILE *out)
{
	long long value = way;

	if (node->statement->kind == CXCursor_SwitchStmt) {
		if (way > 0)
			claw_nodes_constant(node->cases[way - 1]->first,
					    &value);
		else
			value = find_other(node);
	}
	fprintf(out, "%lld", value);
}

/* The side that is taken where all have to take one. */
static unsigned int find_rest(const struct claw_vote *vote)
{
	for (unsigned int i = 0; i < vote->side_count; i++)
		if (!(vote->sure >> i & 1) && vote->sides[i].first.node ==
		    (unsigned int)CLAW_FLOW_NOWHERE)
			return i;
	for (unsigned int i = 0; i < vote->side_count; i++)
		if (!(vote->sure >> i & 1))
			return i;
	return 0;
}

/* "s == 1u ? 5u : 0u": the meeting that a side leads to. */
static void write_meeting(struct claw_body *body, const struct claw_vote *vote,
			  unsigned int name, FILE *out)
{
	for (unsigned int i = 0; i < vote->side_count; i++)
		if (vote->sure >> i & 1)
			fprintf(out, "__claw_s%u == %uu ? %uu : ", name, i,
				number_of(body, vote->sides[i].first.node));
	fputs("0u", out);
}

/* Whether all come to a barrier behind it is not known. */
static void note_unsure(struct claw_body *body, struct claw_node *node)
{
	claw_check_unchecked(body, node);
	if (!body->unsure && is_written(node))
		body->unsure = node;
}

/* To vote there might be a barrier that not all reach, or, where a group is a
 * loop, one in a branch, which pocl 3.1 makes code of that is wrong. */
static bool is_unsafe(const struct claw_body *body, unsigned int apart)
{
	return apart & APART_UNKNOWN ||
		(apart && body->sanitizer->rewrite->has_regions);
}

static void put_vote(struct claw_body *body, const struct claw_vote *vote)
{
	const struct claw_flow_node *node = &body->flow->nodes[vote->node];
	unsigned int name = body->sanitizer->numbers++, rest = find_rest(vote);
	unsigned int apart = apart_at(body, vote->node);
	bool is_switch = node->statement->kind == CXCursor_SwitchStmt;
	bool is_alone = node->is_uniform || is_unsafe(body, apart);
	struct claw_words after;
	char *before;

	if (node->is_uniform && (!apart || !vote->sure || all_sure(vote)))
		return;
	if (!vote->can || (!node->is_uniform && is_unsafe(body, apart)))
		note_unsure(body, is_written(node->at) ? node->at :
			    node->statement);
	if (!vote->can || apart & APART_UNKNOWN || (is_alone &&
			(!apart || !vote->sure || all_sure(vote))))
		return;
	if (vote->side_count > body->sanitizer->vote_sides)
		body->sanitizer->vote_sides = vote->side_count;
	body->has_votes = true;
	claw_words_init(&after);
	fprintf(after.stream, "); const uint __claw_s%u = ", name);
	write_side(node, vote, name, after.stream);
	fprintf(after.stream, ", __claw_t%u = __claw_%s(__claw, __claw_s%u, %uu, %uu, ",
		name, is_alone ? "alone" : apart ? "vote_apart" :
		"vote", name, vote->sure, rest);
	if (apart)
		fprintf(after.stream, "0x%xu, ", apart);
	if (!is_alone)
		fprintf(after.stream, "0x%xu, %uu, ", vote->bit,
			claw_check_number(body, node->at, CLAW_DECIDE, "-", 0,
					  "-"));
	write_meeting(body, vote, name, after.stream);
	fprintf(after.stream, "); __CLAW_SETTLED(__claw_d%u, __claw_t%u == __claw_s%u ? __claw_d%u : ",
		name, name, name, name);
	write_value(node, vote->sides[rest].way, after.stream);
	fputs("); })", after.stream);
	before = claw_format(is_switch ? "({ const __auto_type __claw_d%u = (" :
			     "({ const int __claw_d%u = !!(", name);
	claw_edits_wrap(&body->sanitizer->rewrite->edits, node->at->start,
			node->at->end, before, claw_words_text(&after));
	free(before);
	claw_words_release(&after);
}

/* ---- arguments that have to be the same ---------------------------------- */

/* How many of a meeting's arguments, from the first one on. */
static size_t count_same(const struct claw_node *call)
{
	char *name = claw_callee_name(call);
	size_t count = strstr(name, "barrier") ? 2 :
		strcmp(name, "wait_group_events") == 0 ? 1 :
		strcmp(name, "async_work_group_copy") == 0 ? 3 :
		strcmp(name, "async_work_group_strided_copy") == 0 ? 4 : 0;

	free(name);
	return count;
}

static void put_same(struct claw_body *body, unsigned int meeting,
		     struct claw_node *argument)
{
	unsigned int name = body->sanitizer->numbers++;
	unsigned int apart = apart_at(body, meeting);
	char *before, *after, within[16] = "";

	if (claw_uniform_at(body, meeting, argument))
		return;
	if (!is_written(argument) || is_unsafe(body, apart) ||
	    (!body->function->is_kernel &&
	     body->sanitizer->rewrite->request->is_separate)) {
		note_unsure(body, body->flow->nodes[meeting].at);
		return;
	}
	body->has_votes = true;
	before = claw_format("({ const __auto_type __claw_e%u = (", name);
	if (apart)
		snprintf(within, sizeof(within), ", 0x%xu", apart);
	after = claw_format("); __claw_same%s(__claw, (ulong)__claw_e%u, %uu%s); __claw_e%u; })",
			    apart ? "_apart" : "", name,
			    number_of(body, meeting), within, name);
	claw_edits_wrap(&body->sanitizer->rewrite->edits, argument->start,
			argument->end, before, after);
	free(before);
	free(after);
}

static void put_arguments(struct claw_body *body, unsigned int meeting)
{
	struct claw_flow_node *node = &body->flow->nodes[meeting];
	size_t count = node->callee ? 0 : count_same(node->at);

	for (size_t i = 0; i < count; i++)
		if (claw_argument(node->at, i))
			put_same(body, meeting, claw_argument(node->at, i));
}

static void put_all(struct claw_body *body)
{
	for (size_t i = 0; i < body->vote_count; i++)
		put_vote(body, &body->votes[i]);
	for (unsigned int i = 0; i < body->flow->node_count; i++)
		if (body->flow->nodes[i].kind == CLAW_FLOW_MEETING)
			put_arguments(body, i);
}

/* ---- all of them ------------------------------------------------------------- */

/* Groups within a group: nobody votes there. */
static void find_unchecked(struct claw_body *body)
{
	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node)) {
		char *name = node->kind == CXCursor_CallExpr ?
			claw_callee_name(node) : NULL;

		if (name && strcmp(name, "sub_group_barrier") == 0)
			note_unsure(body, node);
		free(name);
	}
}

/* A kernel votes if anything does that it calls. */
static bool spread_votes(struct claw_body *body)
{
	bool more = false;

	for (size_t i = 0; body->has_votes && i < body->caller_count; i++) {
		more |= !body->callers[i].caller->has_votes;
		body->callers[i].caller->has_votes = true;
	}
	return more;
}

/* Of a kernel, too, whatever it calls: its launches are not checked. */
static bool spread_unsure(struct claw_body *body)
{
	bool more = false;

	for (size_t i = 0; body->unsure && i < body->caller_count; i++) {
		struct claw_body *caller = body->callers[i].caller;

		more |= !caller->unsure;
		if (!caller->unsure)
			caller->unsure = body->unsure;
	}
	return more;
}

static bool for_each(struct claw_sanitizer *sanitizer,
		     bool (*function)(struct claw_body *body))
{
	bool more = false;

	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].is_reached)
			more |= function(&sanitizer->bodies[i]);
	return more;
}

void claw_barriers_find(struct claw_sanitizer *sanitizer)
{
	if (!claw_barriers_are_asked(sanitizer->rewrite))
		return;
	claw_flow_find_meetings(sanitizer);
	for (size_t i = 0; i < sanitizer->body_count; i++) {
		struct claw_body *body = &sanitizer->bodies[i];

		if (!body->is_reached)
			continue;
		find_unchecked(body);
		if (body->meets)
			body->flow = claw_flow_new(body);
	}
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].flow)
			find_votes(&sanitizer->bodies[i]);
	claw_writes_find(sanitizer);
	claw_uniform_find(sanitizer);
	for_each(sanitizer, find_apart);
	while (for_each(sanitizer, hand_down))
		;
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].flow)
			put_all(&sanitizer->bodies[i]);
	while (for_each(sanitizer, spread_votes))
		;
	while (for_each(sanitizer, spread_unsure))
		;
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].function->is_kernel &&
		    sanitizer->bodies[i].unsure)
			claw_check_blind(&sanitizer->bodies[i],
					 sanitizer->bodies[i].unsure,
					 "barriers: ");
}

void claw_barriers_finish(struct claw_sanitizer *sanitizer, FILE *out,
			  FILE *fields)
{
	if (!claw_barriers_are_asked(sanitizer->rewrite))
		return;
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].has_votes) {
			claw_barriers_text(sanitizer, out, fields);
			return;
		}
	/* Nothing is put in: blocks with barriers may stay what they are, too. */
	if (sanitizer->rewrite->request->modes == CLAW_PROBE_BARRIERS)
		claw_edits_forget(&sanitizer->rewrite->edits, 0);
}

void claw_barriers_begin(const struct claw_body *body, FILE *out)
{
	if (body->has_votes)
		fputs(" __CLAW_BARRIERS_BEGIN", out);
}

void claw_barriers_release(struct claw_body *body)
{
	for (size_t i = 0; i < body->vote_count; i++)
		free(body->votes[i].between);
	free(body->votes);
	free(body->writes);
	claw_flow_free(body->flow);
}
