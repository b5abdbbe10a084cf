/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which global memory the text may write to, by the arguments that lead there:
 * what is const under one name may be written under another one.
 */
#include "config.h"

#include "harness/base/memory.h"
#include "sanitizer_private.h"

static bool is_global(CXType type)
{
	enum claw_space space = claw_type_space(type);

	return space == CLAW_SPACE_GLOBAL || space == CLAW_SPACE_GENERIC;
}

/* Whether that is new. */
static bool note(struct claw_body *body, const struct claw_roots *roots)
{
	struct claw_sanitizer *sanitizer = body->sanitizer;
	bool more = false;

	if (claw_roots_unknown(roots)) {
		more = !sanitizer->writes_anywhere;
		sanitizer->writes_anywhere = true;
	}
	for (size_t i = 0; i < roots->count; i++) {
		const struct claw_root *root = &roots->list[i];

		if (root->kind != CLAW_ROOT_PARAMETER)
			continue;
		if (!body->writes)
			body->writes = claw_calloc(body->function->parameters,
						   sizeof(*body->writes));
		more |= !body->writes[root->parameter];
		body->writes[root->parameter] = true;
	}
	return more;
}

static bool note_place(struct claw_body *body, struct claw_node *place)
{
	struct claw_roots roots = { .count = 0 };

	if (!place || !is_global(place->type))
		return false;
	claw_roots_of_place(body, place, &roots);
	return note(body, &roots);
}

/* What a function of the text does to its parameters it does to what it is
 * given; others write wherever they are let. */
static bool note_call(struct claw_body *body, struct claw_node *call)
{
	const struct claw_function *function = claw_unit_callee(
		body->sanitizer->rewrite->unit, call->cursor);
	const struct claw_body *callee = function ?
		claw_body_of(body->sanitizer, function) : NULL;
	bool more = false;

	for (unsigned int i = 0; claw_argument(call, i); i++) {
		struct claw_node *argument = claw_argument(call, i);
		struct claw_roots roots = { .count = 0 };
		CXType to = claw_type_pointee(argument->type);

		if (!claw_type_is_pointer(argument->type) || !is_global(to) ||
		    (callee ? !callee->writes || i >= callee->function->
		     parameters || !callee->writes[i] :
		     clang_isConstQualifiedType(clang_getCanonicalType(to))))
			continue;
		claw_roots_of_pointer(body, argument, &roots);
		more |= note(body, &roots);
	}
	return more;
}

static bool note_node(struct claw_body *body, struct claw_node *node)
{
	if (node->kind == CXCursor_CallExpr)
		return note_call(body, node);
	if (node->kind == CXCursor_CompoundAssignOperator ||
	    (node->kind == CXCursor_BinaryOperator &&
	     node->op == CLAW_OP_ASSIGN) ||
	    (node->kind == CXCursor_UnaryOperator &&
	     (node->op == CLAW_OP_INC || node->op == CLAW_OP_DEC)))
		return note_place(body, node->first);
	return false;
}

void claw_writes_find(struct claw_sanitizer *sanitizer)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < sanitizer->body_count; i++) {
			struct claw_body *body = &sanitizer->bodies[i];

			for (struct claw_node *node = body->root;
			     node && body->is_reached;
			     node = claw_nodes_next(body->root, node))
				more |= note_node(body, node);
		}
	}
}

/* By the function, or by whoever gives it the memory. */
static bool is_written(struct claw_body *body, const struct claw_roots *roots,
		       unsigned int depth)
{
	if (claw_roots_unknown(roots) || depth == 8)
		return true;
	for (size_t i = 0; i < roots->count; i++) {
		unsigned int parameter = roots->list[i].parameter;

		if (roots->list[i].kind != CLAW_ROOT_PARAMETER)
			continue;
		if (body->writes && body->writes[parameter])
			return true;
		for (size_t k = 0; k < body->caller_count; k++) {
			struct claw_node *argument = claw_argument(
				body->callers[k].call, parameter);
			struct claw_roots given = { .count = 0 };

			if (argument)
				claw_roots_of_pointer(body->callers[k].caller,
						      argument, &given);
			if (is_written(body->callers[k].caller, &given,
				       depth + 1))
				return true;
		}
	}
	return false;
}

bool claw_writes_may_be(const struct claw_body *body, struct claw_node *place)
{
	struct claw_body *own = claw_body_of(body->sanitizer, body->function);
	struct claw_roots roots = { .count = 0 };

	claw_roots_of_place(own, place, &roots);
	return body->sanitizer->writes_anywhere || is_written(own, &roots, 0);
}
