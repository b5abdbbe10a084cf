/* SPDX-License-Identifier: Apache-2.0 */
/* Which function calls which: see coverage_private.h. */
#include "config.h"

#include "coverage_private.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

struct seeing {
	struct claw_calls *calls;
	const struct claw_unit *unit;
	struct claw_call_node *caller;
};

static struct claw_call_node *definition_of(struct claw_calls *calls,
					    CXCursor declared)
{
	CXCursor canonical = clang_getCanonicalCursor(declared);

	for (size_t i = 0; i < calls->count; i++)
		if (clang_equalCursors(calls->nodes[i].function->canonical,
				       canonical))
			return &calls->nodes[i];
	return NULL;
}

/* Is it another program's, or may it be? A definition that is just inline gives
 * way to one that is not. */
static bool is_of_others(const struct claw_unit *unit,
			 const struct claw_call_node *callee, CXCursor declared)
{
	CXCursor canonical = clang_getCanonicalCursor(declared);

	if (callee)
		return unit->request->is_separate &&
			clang_Cursor_isFunctionInlined(
				callee->function->cursor) &&
			clang_Cursor_getStorageClass(
				callee->function->cursor) == CX_SC_None;
	for (size_t i = 0; i < unit->function_count; i++)
		if (!unit->functions[i].is_foreign &&
		    clang_equalCursors(unit->functions[i].canonical,
				       canonical))
			return true;
	return false;
}

static void add_name(struct claw_call_node *caller, size_t number)
{
	size_t i = 0;

	while (i < caller->callee_count && caller->callees[i] != number)
		i++;
	if (i == caller->callee_count) {
		caller->callees = claw_one_more(caller->callees, i,
						sizeof(*caller->callees));
		caller->names = claw_one_more(caller->names, i,
					      sizeof(*caller->names));
		caller->callees[i] = number;
		caller->names[i] = 0;
		caller->callee_count++;
	}
	caller->names[i]++;
}

/* Any use of a function's name is taken for a call. */
static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent,
				   CXClientData data)
{
	struct seeing *seeing = data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
		return CXChildVisit_Recurse;
	CXCursor named = clang_getCursorReferenced(cursor);

	if (clang_Cursor_isNull(named) ||
	    clang_getCursorKind(named) != CXCursor_FunctionDecl)
		return CXChildVisit_Continue;
	const struct claw_call_node *callee = definition_of(seeing->calls, named);

	struct claw_call_node *caller = seeing->caller;

	caller->leaves = caller->leaves ||
		is_of_others(seeing->unit, callee, named);
	if (!callee)
		return CXChildVisit_Continue;
	size_t number = (size_t)(callee - seeing->calls->nodes);

	add_name(caller, number);
	return CXChildVisit_Continue;
}

/* Not to be seen from other programs. In C99 an inline function is not, either. */
static bool is_static(CXCursor function)
{
	return clang_Cursor_getStorageClass(function) == CX_SC_Static ||
		clang_Cursor_isFunctionInlined(function);
}

size_t claw_calls_reach(struct claw_calls *calls,
			const struct claw_call_node *from)
{
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < calls->count; i++)
		calls->nodes[i].distance = -1;
	calls->nodes[from - calls->nodes].distance = 0;
	calls->queue[tail++] = (size_t)(from - calls->nodes);
	while (head < tail) {
		const struct claw_call_node *node =
			&calls->nodes[calls->queue[head++]];

		for (size_t i = 0; i < node->callee_count; i++) {
			struct claw_call_node *callee =
				&calls->nodes[node->callees[i]];

			if (callee->distance >= 0)
				continue;
			callee->distance = node->distance + 1;
			calls->queue[tail++] = node->callees[i];
		}
	}
	return tail;
}

static void find_used(struct claw_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		if (calls->nodes[i].is_static || calls->nodes[i].is_used)
			continue;
		claw_calls_reach(calls, &calls->nodes[i]);
		for (size_t k = 0; k < calls->count; k++)
			if (calls->nodes[k].distance >= 0)
				calls->nodes[k].is_used = true;
	}
}

void claw_calls_init(struct claw_calls *calls, const struct claw_unit *unit)
{
	memset(calls, 0, sizeof(*calls));
	calls->nodes = claw_calloc(unit->function_count, sizeof(*calls->nodes));
	calls->queue = claw_calloc(unit->function_count, sizeof(*calls->queue));
	for (size_t i = 0; i < unit->function_count; i++) {
		const struct claw_function *function = &unit->functions[i];

		if (!function->is_definition)
			continue;
		struct claw_call_node *node = &calls->nodes[calls->count++];

		node->function = function;
		node->is_static = !function->is_kernel &&
			is_static(function->cursor);
	}
	for (size_t i = 0; i < calls->count; i++) {
		struct seeing seeing = { calls, unit, &calls->nodes[i] };

		clang_visitChildren(calls->nodes[i].function->body_cursor, see,
				    &seeing);
	}
	find_used(calls);
}

struct claw_call_node *claw_calls_callee(struct claw_calls *calls, CXCursor call)
{
	CXCursor called = clang_getCursorReferenced(call);

	return clang_Cursor_isNull(called) ? NULL :
		definition_of(calls, called);
}

void claw_calls_mention(struct claw_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		const struct claw_call_node *node = &calls->nodes[i];

		for (size_t k = 0; node->is_used && k < node->callee_count; k++)
			calls->nodes[node->callees[k]].mentions +=
				node->names[k];
	}
}

struct claw_call_node *claw_calls_find(const struct claw_calls *calls,
				       const struct claw_function *function)
{
	for (size_t i = 0; i < calls->count; i++)
		if (calls->nodes[i].function == function)
			return &calls->nodes[i];
	return NULL;
}

/* The members that a function's counters are in and nobody's before it. */
static unsigned int take_members(const struct claw_call_node *node,
				 unsigned int per, bool *taken)
{
	unsigned int first = node->first_counter / per, count = 0;
	unsigned int end = (node->first_counter + node->counters + per - 1) / per;

	for (unsigned int i = first; node->counters && i < end; i++) {
		count += !taken[i];
		taken[i] = true;
	}
	return count;
}

static unsigned int all_counters(const struct claw_calls *calls)
{
	unsigned int end = 0;

	for (size_t i = 0; i < calls->count; i++) {
		const struct claw_call_node *node = &calls->nodes[i];

		if (node->first_counter + node->counters > end)
			end = node->first_counter + node->counters;
	}
	return end;
}

/* From a kernel outwards, as many members as fit. */
static void choose_of_kernel(struct claw_calls *calls,
			     const struct claw_call_node *kernel,
			     unsigned int per, unsigned int limit)
{
	size_t reached = claw_calls_reach(calls, kernel);
	bool *taken = claw_calloc(all_counters(calls) / per + 1,
				  sizeof(*taken));
	unsigned int members = 0;

	for (size_t i = 0; i < reached; i++) {
		struct claw_call_node *node =
			&calls->nodes[calls->queue[i]];

		members += take_members(node, per, taken);
		if (members > limit)
			node->is_direct = true;
	}
	free(taken);
}

static void choose_separate(struct claw_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		if (calls->nodes[i].is_static ||
		    calls->nodes[i].function->is_kernel)
			continue;
		claw_calls_reach(calls, &calls->nodes[i]);
		for (size_t k = 0; k < calls->count; k++)
			if (calls->nodes[k].distance >= 0 &&
			    !calls->nodes[k].function->is_kernel)
				calls->nodes[k].is_direct = true;
	}
}

void claw_calls_choose_direct(struct claw_calls *calls, unsigned int per,
			      unsigned int limit, bool is_separate)
{
	for (size_t i = 0; i < calls->count; i++)
		if (calls->nodes[i].function->is_kernel)
			choose_of_kernel(calls, &calls->nodes[i], per, limit);
	if (is_separate)
		choose_separate(calls);
}

void claw_calls_release(struct claw_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		free(calls->nodes[i].callees);
		free(calls->nodes[i].names);
	}
	free(calls->nodes);
	free(calls->queue);
	memset(calls, 0, sizeof(*calls));
}
