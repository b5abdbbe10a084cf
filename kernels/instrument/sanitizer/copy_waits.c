/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether an asynchronous copy is waited for before anything else can order it:
 * the probes of races take a copy for done at the next barrier. Where another
 * meeting of the work-items, or the end, may come before a wait for the copy's
 * event, it may not be, and the copy counts as not checked.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "harness/base/memory.h"
#include "init.h"

/* An event: a variable, or an element of an array. */
struct event {
	const struct claw_variable *variable;
	long long index;
	bool is_array;		/* the array itself, so its first elements */
};

/* e, &e, events[1], &events[1], events. False: something else. */
static bool read_event(const struct claw_body *body, struct claw_node *node,
		       struct event *ret)
{
	struct claw_node *index = NULL;

	node = node ? claw_nodes_strip(node) : NULL;
	if (node && node->kind == CXCursor_UnaryOperator &&
	    node->op == CLAW_OP_ADDRESS)
		node = claw_nodes_strip(node->first);
	if (node && node->kind == CXCursor_ArraySubscriptExpr) {
		claw_subscript_parts(node, &node, &index);
		node = claw_nodes_strip(node);
	}
	if (!node || node->kind != CXCursor_DeclRefExpr)
		return false;
	*ret = (struct event){ .variable = claw_variables_find(body, node) };
	ret->is_array = !index && ret->variable &&
		claw_type_is_array(ret->variable->type);
	return ret->variable &&
		(!index || claw_nodes_constant(index, &ret->index));
}

/* The event that a copy is given, to be one more of that one's. */
static bool read_given(const struct claw_body *body, struct claw_node *call,
		       struct event *ret)
{
	return read_event(body, claw_argument(call, claw_nodes_count(call) - 2),
			  ret);
}

static bool is_same_event(const struct event *a, const struct event *b)
{
	return a->variable == b->variable && a->index == b->index;
}

/* What the call's event is put into, or was given by. */
static bool find_event(const struct claw_body *body, struct claw_node *call,
		       struct event *ret)
{
	const struct claw_node *around = claw_nodes_around(call);

	if (around && around->kind == CXCursor_BinaryOperator &&
	    around->op == CLAW_OP_ASSIGN)
		return read_event(body, around->first, ret);
	for (size_t i = 0; around && around->kind == CXCursor_VarDecl &&
	     i < body->variable_count; i++)
		if (body->variables[i].node == around) {
			*ret = (struct event){
				.variable = &body->variables[i] };
			return true;
		}
	return read_given(body, call, ret);
}

static bool is_call_of(const struct claw_node *node, const char *prefix)
{
	char *name = node && node->kind == CXCursor_CallExpr ?
		claw_callee_name(node) : NULL;
	bool is = name && strncmp(name, prefix, strlen(prefix)) == 0;

	free(name);
	return is;
}

/* wait_group_events(count, list) */
static bool waits_for(const struct claw_body *body, struct claw_node *call,
		      const struct event *event)
{
	struct event first;
	long long count;

	return claw_argument(call, 0) &&
		claw_nodes_constant(claw_argument(call, 0), &count) &&
		read_event(body, claw_argument(call, 1), &first) &&
		first.variable == event->variable &&
		event->index >= first.index &&
		event->index - first.index < count;
}

/* Nothing is accessed between a wait and one that stands right behind it. */
static bool has_wait_behind(struct claw_node *call)
{
	return claw_init_is_statement(call) && call->parent &&
		call->parent->kind == CXCursor_CompoundStmt &&
		is_call_of(call->next, "wait_group_events");
}

/* Another copy's event is put where this one's is: nobody can wait for it. */
static bool overwrites(const struct claw_body *body, struct claw_node *call,
		       const struct event *event)
{
	struct event other, given;

	if (!find_event(body, call, &other))
		return true;
	return is_same_event(&other, event) &&
	       !(read_given(body, call, &given) && is_same_event(&given, event));
}

enum met { MET_WAIT, MET_NOTHING, MET_OTHER };

/* What a node is to a copy that is under way. */
static enum met meet(const struct claw_flow *flow, unsigned int at,
		     const struct event *event)
{
	const struct claw_flow_node *node = &flow->nodes[at];

	if (at == CLAW_FLOW_EXIT || node->callee)
		return MET_OTHER;
	if (node->kind != CLAW_FLOW_MEETING)
		return MET_NOTHING;
	if (is_call_of(node->at, "async_work_group_"))
		return overwrites(flow->body, node->at, event) ? MET_OTHER :
			MET_NOTHING;
	if (!is_call_of(node->at, "wait_group_events"))
		return MET_OTHER;
	return waits_for(flow->body, node->at, event) ? MET_WAIT :
		has_wait_behind(node->at) ? MET_NOTHING : MET_OTHER;
}

/* From a node on, whichever way control goes. */
static bool is_sure(const struct claw_flow *flow, unsigned int from,
		    const struct event *event, bool *seen)
{
	const struct claw_flow_node *node = &flow->nodes[from];

	for (unsigned int i = 0; i < node->next_count; i++) {
		unsigned int to = node->next[i];
		enum met met = meet(flow, to, event);

		if (met == MET_OTHER)
			return false;
		if (met == MET_WAIT || seen[to])
			continue;
		seen[to] = true;
		if (!is_sure(flow, to, event, seen))
			return false;
	}
	return true;
}

bool claw_copy_is_waited_for(struct claw_body *body, struct claw_node *call)
{
	struct claw_flow *flow;
	struct event event;
	bool sure = false, *seen;

	if (!find_event(body, call, &event) || event.is_array)
		return false;
	flow = claw_flow_new(body);
	seen = claw_calloc(flow->node_count, sizeof(*seen));
	for (unsigned int i = 0; i < flow->node_count; i++)
		if (flow->nodes[i].kind == CLAW_FLOW_MEETING &&
		    flow->nodes[i].at == call)
			sure = is_sure(flow, i, &event, seen);
	free(seen);
	claw_flow_free(flow);
	return sure;
}
