/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of functions with barriers: see flow.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "harness/base/memory.h"

/* Of the statements around: where their jumps lead. */
struct around {
	unsigned int to_break, to_continue;
	unsigned int the_switch;	/* its branch */
};

struct label {
	char *name;
	unsigned int node;
};

struct builder {
	struct claw_flow *flow;
	struct label *labels;
	size_t label_count;
};

static const char *const meetings[] = {
	"barrier", "work_group_", "async_work_group_", "wait_group_events",
};

bool claw_flow_is_meeting(const char *name)
{
	if (strcmp(name, "barrier") == 0)
		return true;
	for (size_t i = 1; i < sizeof(meetings) / sizeof(*meetings); i++)
		if (strncmp(name, meetings[i], strlen(meetings[i])) == 0)
			return true;
	return false;
}

/* Of a call: the body of the text's own function. */
static struct claw_body *callee_of(const struct claw_body *body,
				   const struct claw_node *call)
{
	const struct claw_function *called = claw_unit_callee(
		body->sanitizer->rewrite->unit, call->cursor);

	return called ? claw_body_of(body->sanitizer, called) : NULL;
}

static bool is_meeting_call(const struct claw_body *body,
			    const struct claw_node *node)
{
	const struct claw_body *callee;
	bool is_meeting;
	char *name;

	if (node->kind != CXCursor_CallExpr)
		return false;
	callee = callee_of(body, node);
	if (callee)
		return callee->meets;
	name = claw_callee_name(node);
	is_meeting = claw_flow_is_meeting(name);
	free(name);
	return is_meeting;
}

bool claw_flow_has_meeting(const struct claw_body *body, struct claw_node *root)
{
	for (struct claw_node *node = root; node;
	     node = claw_nodes_next(root, node))
		if (is_meeting_call(body, node))
			return true;
	return false;
}

void claw_flow_find_meetings(struct claw_sanitizer *sanitizer)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < sanitizer->body_count; i++) {
			struct claw_body *body = &sanitizer->bodies[i];

			if (body->meets || !claw_flow_has_meeting(body, body->root))
				continue;
			body->meets = true;
			more = true;
		}
	}
}

/* ---- building ---------------------------------------------------------------- */

static unsigned int add_node(struct builder *builder, enum claw_flow_kind kind,
			     struct claw_node *at)
{
	struct claw_flow *flow = builder->flow;

	flow->nodes = claw_grow(flow->nodes, flow->node_count + 1,
				sizeof(*flow->nodes));
	flow->nodes[flow->node_count] = (struct claw_flow_node){
		.kind = kind, .at = at, .known = -1,
	};
	return flow->node_count++;
}

static void add_way(struct builder *builder, unsigned int from, unsigned int to)
{
	struct claw_flow_node *node = &builder->flow->nodes[from];

	node->next = claw_grow(node->next, node->next_count + 1,
			       sizeof(*node->next));
	node->next[node->next_count++] = to;
}

/* A plain node that from leads to. */
static unsigned int add_behind(struct builder *builder, unsigned int from)
{
	unsigned int node = add_node(builder, CLAW_FLOW_PLAIN, NULL);

	add_way(builder, from, node);
	return node;
}

static bool is_change(const struct claw_node *node)
{
	return node->kind == CXCursor_VarDecl ||
		node->kind == CXCursor_CompoundAssignOperator ||
		(node->kind == CXCursor_BinaryOperator &&
		 node->op == CLAW_OP_ASSIGN) ||
		(node->kind == CXCursor_UnaryOperator &&
		 (node->op == CLAW_OP_INC || node->op == CLAW_OP_DEC));
}

/* Whether some of it may be left out, to an end that is of interest. */
static bool is_choice(const struct claw_body *body, struct claw_node *node)
{
	bool is_choice = node->kind == CXCursor_ConditionalOperator ||
		(node->kind == CXCursor_BinaryOperator &&
		 (node->op == CLAW_OP_LAND || node->op == CLAW_OP_LOR));

	if (!is_choice || !node->first)
		return false;
	for (struct claw_node *part = node->first->next; part;
	     part = part->next)
		for (struct claw_node *at = part; at;
		     at = claw_nodes_next(part, at))
			if (is_change(at) || is_meeting_call(body, at))
				return true;
	return false;
}

static unsigned int build(struct builder *builder, struct claw_node *node,
			  unsigned int now, const struct around *around);

/* A condition that now leads to; its sides follow. */
static unsigned int add_branch(struct builder *builder, unsigned int now,
			       struct claw_node *condition,
			       struct claw_node *statement,
			       const struct around *around)
{
	long long value;
	unsigned int branch;

	if (condition)
		now = build(builder, condition, now, around);
	branch = add_node(builder, CLAW_FLOW_BRANCH, condition);
	builder->flow->nodes[branch].statement = statement;
	if (statement->kind == CXCursor_SwitchStmt)
		builder->flow->nodes[branch].known = -1;
	else if (!condition)
		builder->flow->nodes[branch].known = 1;
	else if (claw_nodes_constant(condition, &value))
		builder->flow->nodes[branch].known = value != 0;
	add_way(builder, now, branch);
	return branch;
}

/* a && b, a || b, a ? b : c */
static unsigned int build_choice(struct builder *builder, struct claw_node *node,
				 unsigned int now, const struct around *around)
{
	unsigned int branch = add_branch(builder, now, node->first, node,
					 around);
	unsigned int ends[2], join;
	struct claw_node *parts[2] = { NULL, NULL };

	if (node->kind == CXCursor_ConditionalOperator) {
		parts[1] = node->first->next;
		parts[0] = parts[1] ? parts[1]->next : NULL;
	} else {
		parts[node->op == CLAW_OP_LAND] = node->last;
	}
	for (unsigned int side = 0; side < 2; side++) {
		ends[side] = add_behind(builder, branch);
		if (parts[side])
			ends[side] = build(builder, parts[side], ends[side],
					   around);
	}
	join = add_behind(builder, ends[0]);
	add_way(builder, ends[1], join);
	return join;
}

static unsigned int build_if(struct builder *builder, struct claw_node *node,
			     unsigned int now, const struct around *around)
{
	struct claw_node *then = node->first ? node->first->next : NULL;
	unsigned int branch, ends[2], join;

	if (!then)
		return now;
	branch = add_branch(builder, now, node->first, node, around);
	ends[0] = add_behind(builder, branch);
	ends[1] = add_behind(builder, branch);
	ends[1] = build(builder, then, ends[1], around);
	if (then->next)
		ends[0] = build(builder, then->next, ends[0], around);
	join = add_behind(builder, ends[0]);
	add_way(builder, ends[1], join);
	return join;
}

/* while and for: condition, body, step, and again. */
static unsigned int build_loop(struct builder *builder, struct claw_node *node,
			       unsigned int now, const struct claw_for *parts,
			       const struct around *around)
{
	struct around inside = *around;
	unsigned int head, branch, end;

	if (parts->init)
		now = build(builder, parts->init, now, around);
	head = add_behind(builder, now);
	branch = add_branch(builder, head, parts->condition, node, around);
	inside.to_break = add_behind(builder, branch);
	inside.to_continue = add_node(builder, CLAW_FLOW_PLAIN, NULL);
	end = add_behind(builder, branch);
	if (parts->body)
		end = build(builder, parts->body, end, &inside);
	add_way(builder, end, inside.to_continue);
	end = inside.to_continue;
	if (parts->step)
		end = build(builder, parts->step, end, around);
	add_way(builder, end, head);
	return inside.to_break;
}

static unsigned int build_do(struct builder *builder, struct claw_node *node,
			     unsigned int now, const struct around *around)
{
	struct around inside = *around;
	unsigned int head = add_behind(builder, now), branch, end;

	inside.to_break = add_node(builder, CLAW_FLOW_PLAIN, NULL);
	inside.to_continue = add_node(builder, CLAW_FLOW_PLAIN, NULL);
	end = build(builder, node->first, head, &inside);
	add_way(builder, end, inside.to_continue);
	branch = add_branch(builder, inside.to_continue, node->last, node,
			    around);
	add_way(builder, branch, inside.to_break);
	add_way(builder, branch, head);
	return inside.to_break;
}

/* The first side is the default's. */
static unsigned int build_switch(struct builder *builder, struct claw_node *node,
				 unsigned int now, const struct around *around)
{
	struct around inside = *around;
	unsigned int end, none;

	inside.to_break = add_node(builder, CLAW_FLOW_PLAIN, NULL);
	inside.the_switch = add_branch(builder, now, node->first, node, around);
	none = add_behind(builder, inside.the_switch);
	end = add_node(builder, CLAW_FLOW_PLAIN, NULL);
	if (node->first != node->last)
		end = build(builder, node->last, end, &inside);
	add_way(builder, end, inside.to_break);
	if (builder->flow->nodes[none].next_count == 0)
		add_way(builder, none, inside.to_break);
	return inside.to_break;
}

static unsigned int build_case(struct builder *builder, struct claw_node *node,
			       unsigned int now, const struct around *around)
{
	struct claw_flow_node *branch =
		&builder->flow->nodes[around->the_switch];
	unsigned int label = branch->next[0], cases = branch->next_count;

	if (node->kind == CXCursor_CaseStmt) {
		branch->cases = claw_grow(branch->cases, cases,
					  sizeof(*branch->cases));
		branch->cases[cases - 1] = node;
		label = add_behind(builder, around->the_switch);
	}
	unsigned int behind = add_behind(builder, label);

	add_way(builder, now, behind);
	return node->last ? build(builder, node->last, behind, around) : behind;
}

static unsigned int label_of(struct builder *builder, CXCursor cursor)
{
	char *name = claw_nodes_name(cursor);

	for (size_t i = 0; i < builder->label_count; i++)
		if (strcmp(builder->labels[i].name, name) == 0) {
			free(name);
			return builder->labels[i].node;
		}
	builder->labels = claw_grow(builder->labels, builder->label_count + 1,
				    sizeof(*builder->labels));
	builder->labels[builder->label_count] = (struct label){
		name, add_node(builder, CLAW_FLOW_PLAIN, NULL),
	};
	return builder->labels[builder->label_count++].node;
}

/* What follows a jump is where nobody comes from. */
static unsigned int jump(struct builder *builder, unsigned int now,
			 unsigned int to)
{
	add_way(builder, now, to);
	return add_node(builder, CLAW_FLOW_PLAIN, NULL);
}

static unsigned int build_children(struct builder *builder,
				   struct claw_node *node, unsigned int now,
				   const struct around *around)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		now = build(builder, child, now, around);
	return now;
}

static void note_change(struct builder *builder, const struct claw_node *node,
			unsigned int now)
{
	struct claw_flow *flow = builder->flow;

	flow->changes = claw_grow(flow->changes, flow->change_count + 1,
				  sizeof(*flow->changes));
	flow->changes[flow->change_count++] =
		(struct claw_flow_change){ node, now };
}

static unsigned int build_expression(struct builder *builder,
				     struct claw_node *node, unsigned int now,
				     const struct around *around)
{
	const struct claw_body *body = builder->flow->body;
	unsigned int meeting;

	if (is_choice(body, node))
		return build_choice(builder, node, now, around);
	now = build_children(builder, node, now, around);
	node->place = now + 1;
	if (is_change(node))
		note_change(builder, node, now);
	if (!is_meeting_call(body, node))
		return now;
	meeting = add_node(builder, CLAW_FLOW_MEETING, node);
	builder->flow->nodes[meeting].callee = callee_of(body, node);
	add_way(builder, now, meeting);
	return add_behind(builder, meeting);
}

static unsigned int build(struct builder *builder, struct claw_node *node,
			  unsigned int now, const struct around *around)
{
	struct claw_for parts = { .init = NULL };

	switch (node->kind) {
	case CXCursor_IfStmt:
		return build_if(builder, node, now, around);
	case CXCursor_WhileStmt:
		parts.condition = node->first;
		parts.body = node->last;
		return build_loop(builder, node, now, &parts, around);
	case CXCursor_ForStmt:
		claw_nodes_for(builder->flow->body->sanitizer->rewrite->unit,
			       node, &parts);
		return build_loop(builder, node, now, &parts, around);
	case CXCursor_DoStmt:
		return build_do(builder, node, now, around);
	case CXCursor_SwitchStmt:
		return build_switch(builder, node, now, around);
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		return build_case(builder, node, now, around);
	case CXCursor_BreakStmt:
		return jump(builder, now, around->to_break);
	case CXCursor_ContinueStmt:
		return jump(builder, now, around->to_continue);
	case CXCursor_ReturnStmt:
		now = build_children(builder, node, now, around);
		return jump(builder, now, CLAW_FLOW_EXIT);
	case CXCursor_GotoStmt:
		return node->first ? jump(builder, now, label_of(builder,
			node->first->cursor)) : now;
	case CXCursor_LabelStmt: {
		unsigned int label = label_of(builder, node->cursor);

		add_way(builder, now, label);
		return build_children(builder, node, label, around);
	}
	default:
		return build_expression(builder, node, now, around);
	}
}

/* ---- where sides have come together --------------------------------------- */

/* A walk from the exit against the ways, each node behind all it was found by. */
struct order {
	unsigned int *list, *place, count;	/* place: from 1; 0: not there */
	unsigned int **from, *from_count;
};

static void visit(struct order *order, unsigned int node, bool *seen)
{
	seen[node] = true;
	for (unsigned int i = 0; i < order->from_count[node]; i++)
		if (!seen[order->from[node][i]])
			visit(order, order->from[node][i], seen);
	order->list[order->count++] = node;
	order->place[node] = order->count;
}

static unsigned int common(const struct claw_flow *flow,
			   const struct order *order, unsigned int a,
			   unsigned int b)
{
	while (a != b) {
		while (order->place[a] < order->place[b])
			a = flow->nodes[a].join;
		while (order->place[b] < order->place[a])
			b = flow->nodes[b].join;
	}
	return a;
}

static bool improve(struct claw_flow *flow, const struct order *order,
		    unsigned int at)
{
	struct claw_flow_node *node = &flow->nodes[at];
	unsigned int join = CLAW_FLOW_NOWHERE;

	for (unsigned int i = 0; i < node->next_count; i++) {
		unsigned int next = node->next[i];

		if (!order->place[next] || (next != CLAW_FLOW_EXIT &&
		    flow->nodes[next].join == (unsigned int)CLAW_FLOW_NOWHERE))
			continue;
		join = join == (unsigned int)CLAW_FLOW_NOWHERE ? next :
			common(flow, order, join, next);
	}
	if (join == node->join)
		return false;
	node->join = join;
	return true;
}

/* The nearest node that all ways from a node to the exit lead through (Cooper,
 * Harvey, Kennedy). */
static void find_joins(struct claw_flow *flow)
{
	unsigned int count = flow->node_count;
	struct order order = {
		.list = claw_calloc(count, sizeof(*order.list)),
		.place = claw_calloc(count, sizeof(*order.place)),
		.from = claw_calloc(count, sizeof(*order.from)),
		.from_count = claw_calloc(count, sizeof(*order.from_count)),
	};
	bool *seen = claw_calloc(count, sizeof(*seen)), more = true;

	for (unsigned int i = 0; i < count; i++) {
		flow->nodes[i].join = CLAW_FLOW_NOWHERE;
		for (unsigned int k = 0; k < flow->nodes[i].next_count; k++) {
			unsigned int to = flow->nodes[i].next[k];

			order.from[to] = claw_grow(order.from[to],
				order.from_count[to] + 1, sizeof(**order.from));
			order.from[to][order.from_count[to]++] = i;
		}
	}
	visit(&order, CLAW_FLOW_EXIT, seen);
	flow->nodes[CLAW_FLOW_EXIT].join = CLAW_FLOW_EXIT;
	while (more) {
		more = false;
		for (unsigned int i = order.count - 1; i--;)
			more |= improve(flow, &order, order.list[i]);
	}
	for (unsigned int i = 0; i < count; i++)
		free(order.from[i]);
	free(order.from);
	free(order.from_count);
	free(order.list);
	free(order.place);
	free(seen);
}

struct claw_flow *claw_flow_new(struct claw_body *body)
{
	struct claw_flow *flow = claw_calloc(1, sizeof(*flow));
	struct builder builder = { .flow = flow };
	struct around around = { 0, 0, 0 };
	unsigned int now;

	flow->body = body;
	add_node(&builder, CLAW_FLOW_PLAIN, NULL);
	now = add_node(&builder, CLAW_FLOW_PLAIN, NULL);
	for (struct claw_node *child = body->root->first; child;
	     child = child->next)
		if (child->kind == CXCursor_CompoundStmt)
			now = build(&builder, child, now, &around);
	add_way(&builder, now, CLAW_FLOW_EXIT);
	for (size_t i = 0; i < builder.label_count; i++)
		free(builder.labels[i].name);
	free(builder.labels);
	find_joins(flow);
	return flow;
}

void claw_flow_free(struct claw_flow *flow)
{
	if (!flow)
		return;
	for (unsigned int i = 0; i < flow->node_count; i++) {
		free(flow->nodes[i].next);
		free(flow->nodes[i].cases);
		for (unsigned int k = 0; flow->nodes[i].sides &&
		     k < flow->nodes[i].next_count; k++)
			free(flow->nodes[i].sides[k]);
		free(flow->nodes[i].sides);
	}
	free(flow->nodes);
	free(flow->changes);
	free(flow->is_uniform);
	free(flow);
}

/* ---- ways ---------------------------------------------------------------------- */

static bool meets_for_sure(const struct claw_flow_node *node)
{
	return node->kind == CLAW_FLOW_MEETING &&
		(!node->callee || claw_flow_always_meets(node->callee));
}

/* Nodes that control can come to, the nearest first. until_met: not beyond what
 * meets for sure. How many; the caller's. */
static unsigned int *walk(const struct claw_flow *flow, unsigned int from,
			  unsigned int stop, bool until_met,
			  unsigned int *ret_count)
{
	bool *seen = claw_calloc(flow->node_count, sizeof(*seen));
	unsigned int *queue = claw_calloc(flow->node_count, sizeof(*queue));
	unsigned int count = 0;

	seen[from] = true;
	queue[count++] = from;
	for (unsigned int i = 0; i < count; i++) {
		const struct claw_flow_node *node = &flow->nodes[queue[i]];

		if (queue[i] == stop || (until_met && meets_for_sure(node)))
			continue;
		for (unsigned int k = 0; k < node->next_count; k++) {
			if ((node->known >= 0 && (int)k != node->known) ||
			    seen[node->next[k]])
				continue;
			seen[node->next[k]] = true;
			queue[count++] = node->next[k];
		}
	}
	free(seen);
	*ret_count = count;
	return queue;
}

void claw_flow_reach(const struct claw_flow *flow, unsigned int from,
		     unsigned int stop, bool *seen)
{
	unsigned int count, *found = walk(flow, from, stop, false, &count);

	for (unsigned int i = 0; i < count; i++)
		seen[found[i]] |= found[i] != stop;
	free(found);
}

struct claw_flow_first claw_flow_first_met(const struct claw_flow *flow,
					   unsigned int from, unsigned int stop)
{
	struct claw_flow_first first = { CLAW_FLOW_NOWHERE, true, true };
	unsigned int count, *found = walk(flow, from, stop, true, &count);
	bool is_first_sure = false;

	for (unsigned int i = 0; i < count; i++) {
		const struct claw_flow_node *node = &flow->nodes[found[i]];

		if (found[i] == stop) {
			first.is_sure = false;
		} else if (node->kind == CLAW_FLOW_MEETING) {
			first.is_only &= first.node ==
				(unsigned int)CLAW_FLOW_NOWHERE;
			if (!is_first_sure && (meets_for_sure(node) ||
			    first.node == (unsigned int)CLAW_FLOW_NOWHERE))
				first.node = found[i];
			is_first_sure |= meets_for_sure(node);
		}
	}
	first.is_sure &= is_first_sure;
	free(found);
	return first;
}

bool claw_flow_always_meets(const struct claw_body *body)
{
	return body->flow && claw_flow_first_met(body->flow, CLAW_FLOW_ENTRY,
						 CLAW_FLOW_EXIT).is_sure;
}
