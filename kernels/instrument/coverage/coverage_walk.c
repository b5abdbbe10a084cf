/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a walk share: see coverage_private.h. */
#include "config.h"

#include "coverage_private.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"

bool claw_walk_is_hit(const struct claw_walk *walk)
{
	return !(walk->rewrite->request->modes & CLAW_PROBE_COUNT);
}

void claw_walk_refuse(struct claw_walk *walk, CXCursor cursor, const char *why)
{
	if (walk->why)
		return;
	walk->why = why;
	walk->why_at = cursor;
}

static enum CXChildVisitResult gather(CXCursor cursor, CXCursor parent,
				      CXClientData data)
{
	struct claw_cursors *cursors = data;

	(void)parent;
	CXCursor *grown = claw_grow(cursors->list, cursors->count + 1,
				    sizeof(*grown));
	cursors->list = grown;
	cursors->list[cursors->count++] = cursor;
	return CXChildVisit_Continue;
}

struct claw_cursors claw_walk_children(CXCursor cursor)
{
	struct claw_cursors cursors = { NULL, 0 };

	clang_visitChildren(cursor, gather, &cursors);
	return cursors;
}

bool claw_walk_range(struct claw_walk *walk, CXCursor cursor, size_t *start,
		     size_t *end)
{
	if (claw_unit_range(walk->rewrite->unit, cursor, start, end))
		return true;
	claw_walk_refuse(walk, cursor, "something that is not in the text");
	return false;
}

struct claw_flow_line claw_walk_line(struct claw_walk *walk, size_t offset)
{
	struct claw_place place;

	claw_unit_place_line(walk->rewrite->unit, offset, &place);
	return (struct claw_flow_line){
		claw_rewrite_file(walk->rewrite, place.file), place.line,
	};
}

struct claw_flow_line claw_walk_line_of(struct claw_walk *walk, CXCursor cursor)
{
	size_t start, end;

	if (!claw_walk_range(walk, cursor, &start, &end))
		return walk->place;
	return claw_walk_line(walk, start);
}

struct claw_flow_line claw_walk_bracket_line(struct claw_walk *walk,
					     CXCursor statement, size_t letters)
{
	size_t start, end;

	if (!claw_walk_range(walk, statement, &start, &end))
		return walk->place;
	return claw_walk_line(walk, claw_unit_skip_blank(walk->rewrite->unit,
							 start + letters));
}

void claw_walk_emit(struct claw_walk *walk, struct claw_flow_line line)
{
	claw_flow_add_line(&walk->flow, walk->current, line.file, line.line);
	walk->at_label = false;
}

unsigned int claw_walk_counter(struct claw_walk *walk)
{
	return walk->rewrite->counters++;
}

int claw_walk_counted_block(struct claw_walk *walk, unsigned int counter)
{
	int number = claw_flow_add_block(&walk->flow);
	struct claw_flow_block *block = &walk->flow.blocks[number];

	block->is_fixed = true;
	claw_sum_add_counter(&block->count, counter, 1);
	return number;
}

size_t claw_walk_go(struct claw_walk *walk, int to)
{
	if (walk->current == CLAW_FLOW_NONE)
		return 0;
	struct claw_sum count = { NULL, 0 };

	/* A copy, for adding a block moves them. */
	claw_sum_add(&count, &walk->flow.blocks[walk->current].count, 1);
	size_t arc = claw_flow_add_arc(&walk->flow, walk->current, to, &count);

	claw_sum_release(&count);
	walk->current = CLAW_FLOW_NONE;
	return arc;
}

size_t claw_walk_jump(struct claw_walk *walk, int to)
{
	bool is_going = walk->current != CLAW_FLOW_NONE;
	size_t arc = claw_walk_go(walk, to);

	if (is_going)
		walk->flow.arcs[arc].is_jump = true;
	return arc;
}

void claw_walk_after_call(struct claw_walk *walk)
{
	if (walk->current == CLAW_FLOW_NONE ||
	    walk->flow.blocks[walk->current].is_unknown)
		return;
	int next = claw_flow_add_block(&walk->flow);

	claw_walk_jump(walk, next);
	walk->current = next;
}

void claw_walk_join(struct claw_walk *walk, int block)
{
	walk->current = walk->flow.blocks[block].ways_to ? block :
		CLAW_FLOW_NONE;
	walk->at_label = true;
}

unsigned int claw_walk_branch(struct claw_walk *walk, struct claw_flow_line line)
{
	struct claw_walk_numbers *numbers = walk->numbers;

	for (; numbers->files <= line.file; numbers->files++) {
		numbers->given = claw_grow(numbers->given,
					   (numbers->files + 1),
					   sizeof(*numbers->given));
		numbers->given[numbers->files] = 0;
	}
	return numbers->given[line.file]++;
}

void claw_walk_arm(struct claw_walk *walk, struct claw_flow_line line,
		   unsigned int branch, unsigned int arm,
		   const struct claw_sum *count, const char *kind)
{
	fprintf(walk->branches, "branch %u %u %u %u ", line.file, line.line,
		branch, arm);
	claw_sum_write(count, claw_walk_is_hit(walk), walk->branches);
	fprintf(walk->branches, " %s\n", kind);
}

void claw_walk_count_statement(struct claw_walk *walk, CXCursor statement,
			       unsigned int counter)
{
	size_t start, end;
	char *before;

	if (!claw_walk_range(walk, statement, &start, &end))
		return;
	if (clang_getCursorKind(statement) == CXCursor_CompoundStmt) {
		claw_edits_insert(&walk->rewrite->edits, start + 1,
				  "__claw_c%u;", counter);
		return;
	}
	end = claw_unit_statement_end(walk->rewrite->unit, statement, end);
	start = claw_unit_before_pragmas(walk->rewrite->unit, start);
	before = claw_format("{__claw_c%u; ", counter);
	claw_edits_wrap(&walk->rewrite->edits, start, end, before, " }");
	free(before);
}

void claw_walk_release(struct claw_walk *walk)
{
	for (size_t i = 0; i < walk->label_count; i++)
		free(walk->labels[i].name);
	free(walk->labels);
	free(walk->made);
	claw_flow_release(&walk->flow);
}
