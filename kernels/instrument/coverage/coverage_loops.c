/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of a walk: see coverage_private.h. The condition of a loop is behind its
 * body, as GCC has it: a while goes to it first, which is a jump on the line
 * of the while.
 */
#include "config.h"

#include <stdlib.h>

#include "coverage_private.h"

struct loop {
	int break_to, continue_to;	/* of the loop around */
};

static struct loop enter(struct claw_walk *walk, int break_to, int continue_to)
{
	struct loop around = { walk->break_to, walk->continue_to };

	walk->break_to = break_to;
	walk->continue_to = continue_to;
	return around;
}

static void leave(struct claw_walk *walk, const struct loop *around)
{
	walk->break_to = around->break_to;
	walk->continue_to = around->continue_to;
}

/* The block of a condition: what comes to it is known by what leaves it. */
static int condition_block(struct claw_walk *walk)
{
	int number = claw_flow_add_block(&walk->flow);

	walk->flow.blocks[number].is_fixed = true;
	walk->flow.blocks[number].is_unknown = true;
	return number;
}

/* A loop without a condition has a counter where one would be. */
static void count_rounds(struct claw_walk *walk, size_t at, size_t end,
			 unsigned int counter)
{
	char before[48];

	snprintf(before, sizeof(before), "(__claw_c%u, ", counter);
	if (end > at)
		claw_edits_wrap(&walk->rewrite->edits, at, end, before, ")");
	else
		claw_edits_insert(&walk->rewrite->edits, at, "(__claw_c%u, 1)",
				  counter);
}

struct parts {
	CXCursor condition, step, body;
	bool has_condition, has_step;
	size_t condition_at, condition_end;	/* without one equal: where it goes */
	struct claw_flow_line line;
	const char *kind;
};

static void body_of(struct claw_walk *walk, const struct parts *parts, int head,
		    int around_to, int end)
{
	struct loop around = enter(walk, end, around_to);

	claw_walk_statement(walk, parts->body);
	if (around_to != head) {
		claw_walk_go(walk, around_to);
		claw_walk_join(walk, around_to);
		if (walk->current != CLAW_FLOW_NONE && parts->has_step) {
			walk->place = parts->line;
			claw_walk_value(walk, parts->step, false);
		}
	}
	leave(walk, &around);
}

/* All ways back to the head that the body has made. */
static void close_loop(struct claw_walk *walk, int head, size_t first_arc)
{
	claw_walk_go(walk, head);
	for (size_t i = first_arc; i < walk->flow.arc_count; i++)
		if (walk->flow.arcs[i].to == head)
			claw_flow_close_loop(&walk->flow, i);
}

/* while (1), for (;;): the body is the head. */
static void endless(struct claw_walk *walk, const struct parts *parts)
{
	if (walk->current == CLAW_FLOW_NONE) {
		claw_walk_statement(walk, parts->body);
		return;
	}
	unsigned int counter = claw_walk_counter(walk);
	int head = claw_walk_counted_block(walk, counter);
	int step = parts->has_step ? claw_flow_add_block(&walk->flow) : head;
	int end = claw_flow_add_block(&walk->flow);

	count_rounds(walk, parts->condition_at, parts->condition_end, counter);
	claw_walk_go(walk, head);
	size_t first = walk->flow.arc_count;

	walk->current = head;
	body_of(walk, parts, head, step, end);
	close_loop(walk, head, first);
	claw_walk_join(walk, end);
}

/* while (0): only a label can lead into it. */
static void never(struct claw_walk *walk, const struct parts *parts)
{
	int end = claw_flow_add_block(&walk->flow);
	int step = claw_flow_add_block(&walk->flow);

	claw_walk_emit(walk, parts->line);
	claw_walk_go(walk, end);
	body_of(walk, parts, CLAW_FLOW_NONE, step, end);
	claw_walk_go(walk, end);
	claw_walk_join(walk, end);
}

static void conditional(struct claw_walk *walk, const struct parts *parts)
{
	bool is_dead = walk->current == CLAW_FLOW_NONE;
	int head = condition_block(walk);
	int step = parts->has_step ? claw_flow_add_block(&walk->flow) : head;
	int body = claw_flow_add_block(&walk->flow);
	int end = claw_flow_add_block(&walk->flow);

	claw_walk_emit(walk, parts->line);
	claw_walk_go(walk, head);
	size_t first = walk->flow.arc_count;

	walk->current = is_dead ? CLAW_FLOW_NONE : head;
	walk->place = parts->line;
	claw_walk_condition(walk, parts->condition,
			    claw_walk_operator_line(walk, parts->condition),
			    body, end, parts->kind);
	claw_walk_join(walk, body);
	body_of(walk, parts, head, step, end);
	close_loop(walk, head, first);
	claw_walk_join(walk, end);
}

static void run_loop(struct claw_walk *walk, const struct parts *parts)
{
	int always = parts->has_condition ?
		claw_walk_constant(walk, parts->condition) : 1;

	if (always == 1)
		endless(walk, parts);
	else if (always == 0)
		never(walk, parts);
	else
		conditional(walk, parts);
}

void claw_walk_while(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors list = claw_walk_children(statement);
	struct parts parts = {
		.has_condition = true, .kind = "while",
		.line = claw_walk_bracket_line(walk, statement, 5),
	};

	if (list.count == 2) {
		parts.condition = list.list[0];
		parts.body = list.list[1];
		if (claw_walk_range(walk, parts.condition, &parts.condition_at,
				    &parts.condition_end))
			run_loop(walk, &parts);
	} else {
		claw_walk_refuse(walk, statement, "a while of a kind that is not known");
	}
	free(list.list);
}

void claw_walk_do(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors list = claw_walk_children(statement);

	if (list.count != 2) {
		claw_walk_refuse(walk, statement, "a do of a kind that is not known");
		free(list.list);
		return;
	}
	int always = claw_walk_constant(walk, list.list[1]);
	bool is_loop = always != 0 && walk->current != CLAW_FLOW_NONE;
	unsigned int counter = is_loop ? claw_walk_counter(walk) : 0;
	int head = is_loop ? claw_walk_counted_block(walk, counter) :
		claw_flow_add_block(&walk->flow);
	int test = claw_flow_add_block(&walk->flow);
	int end = claw_flow_add_block(&walk->flow);
	struct loop around = enter(walk, end, test);

	if (is_loop) {
		claw_walk_count_statement(walk, list.list[0], counter);
		claw_walk_go(walk, head);
		walk->current = head;
	}
	size_t first = walk->flow.arc_count;

	claw_walk_statement(walk, list.list[0]);
	leave(walk, &around);
	claw_walk_go(walk, test);
	claw_walk_join(walk, test);
	if (always == 0)
		claw_walk_go(walk, end);
	else
		claw_walk_condition(walk, list.list[1],
				    claw_walk_operator_line(walk, list.list[1]),
				    head, end, "do");
	close_loop(walk, head, first);
	claw_walk_join(walk, end);
	free(list.list);
}

/* Which of "for (FIRST; CONDITION; STEP) BODY" the parts are is told by where
 * the semicolons are. */
void claw_walk_for(struct claw_walk *walk, CXCursor statement)
{
	struct claw_unit *unit = walk->rewrite->unit;
	struct claw_cursors list = claw_walk_children(statement);
	size_t start, end, at, first, second, closing;
	struct parts parts = { .kind = "for" };

	if (list.count == 0 || !claw_walk_range(walk, statement, &start, &end))
		goto out;
	size_t open = claw_unit_skip_blank(unit, start + 3);

	closing = claw_unit_closing(unit, open);
	first = claw_unit_semicolon(unit, open + 1);
	second = first == unit->bytes ? first :
		claw_unit_semicolon(unit, first + 1);
	if (unit->text[open] != '(' || second >= closing ||
	    closing == unit->bytes) {
		claw_walk_refuse(walk, statement, "a for that is not written as one");
		goto out;
	}
	parts.line = claw_walk_line(walk, start);
	parts.body = list.list[list.count - 1];
	parts.condition_at = parts.condition_end = second;
	walk->place = parts.line;
	for (size_t i = 0; i + 1 < list.count; i++) {
		CXCursor part = list.list[i];

		if (!claw_walk_range(walk, part, &at, &end))
			goto out;
		if (at < first) {
			claw_walk_statement(walk, part);
		} else if (at < second) {
			parts.has_condition = true;
			parts.condition = part;
			parts.condition_at = at;
			parts.condition_end = end;
		} else {
			parts.has_step = true;
			parts.step = part;
		}
	}
	run_loop(walk, &parts);
out:
	free(list.list);
}
