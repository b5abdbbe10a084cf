/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk through the body of one function in the order in which it runs: the
 * blocks of its flow, the lines that each has a statement of, and where the
 * counters are put in. The files coverage_walk.c (what all share),
 * coverage_conditions.c, coverage_values.c, coverage_statements.c, coverage_loops.c and
 * coverage_switch.c are a part of it each.
 *
 * A statement's line is the one that GCC gives it: an assignment's is that of
 * its =, an operator's that of the operator, a call's that of the function's
 * name, a condition's in an if that of its bracket, of what follows an && that of
 * the &&, of a ?: that of the colon.
 *
 * Counters: of a function's entry, of both ways of each condition (in count
 * mode the second one only where it is not what is left), of each case, of
 * each label, of loops that have no condition.
 */
#ifndef CLAW_INSTRUMENT_COVERAGE_WALK_H
#define CLAW_INSTRUMENT_COVERAGE_WALK_H

#include "coverage_flow.h"
#include "kernels/instrument/unit/rewrite.h"

extern const struct claw_probes_kind claw_probes_coverage;

struct claw_walk_label {
	char *name;
	int block;
	bool is_placed;
};

struct claw_walk {
	struct claw_rewrite *rewrite;
	const struct claw_function *function;
	struct claw_flow flow;
	int current;		/* block; CLAW_FLOW_NONE: nothing comes here */
	struct claw_flow_line place;	/* of the statement or operator around */
	int break_to, continue_to;	/* blocks */
	struct claw_switch *switch_in;
	bool has_return;	/* come by already */
	bool at_label;		/* ways met (or would have), nothing ran since */
	struct claw_walk_label *labels;
	size_t label_count;
	struct claw_walk_numbers *numbers;
	FILE *branches;		/* lines of the map */
	const char *why;	/* refused; where: */
	CXCursor why_at;
};

/* Numbers given to branches, of each file. */
struct claw_walk_numbers {
	unsigned int *given;
	size_t files;
};

/* The cursors right below one; free(list). */
struct claw_cursors {
	CXCursor *list;
	size_t count;
};

/* ---- what all share */

bool claw_walk_is_hit(const struct claw_walk *walk);
void claw_walk_refuse(struct claw_walk *walk, CXCursor cursor, const char *why);
struct claw_cursors claw_walk_children(CXCursor cursor);
/* Where a cursor is in the text; not there: refused, and false. */
bool claw_walk_range(struct claw_walk *walk, CXCursor cursor, size_t *start,
		     size_t *end);
struct claw_flow_line claw_walk_line(struct claw_walk *walk, size_t offset);
struct claw_flow_line claw_walk_line_of(struct claw_walk *walk, CXCursor cursor);
/* Of the bracket behind a statement's first word of so many letters. */
struct claw_flow_line claw_walk_bracket_line(struct claw_walk *walk,
					     CXCursor statement, size_t letters);
/* The current block has a statement of this line. */
void claw_walk_emit(struct claw_walk *walk, struct claw_flow_line line);
unsigned int claw_walk_counter(struct claw_walk *walk);
/* A block of which a counter of its own says how often. */
int claw_walk_counted_block(struct claw_walk *walk, unsigned int counter);
/* From the current block, if there is one, to another. */
size_t claw_walk_go(struct claw_walk *walk, int to);
/* The same by a statement that says so. */
size_t claw_walk_jump(struct claw_walk *walk, int to);
/* Behind a call a block begins, for it might not come back. */
void claw_walk_after_call(struct claw_walk *walk);
/* The block joins what came to it; nothing came: there is no current one. */
void claw_walk_join(struct claw_walk *walk, int block);
/* "branch ..." with one arm. kind: of map.h. */
unsigned int claw_walk_branch(struct claw_walk *walk, struct claw_flow_line line);
void claw_walk_arm(struct claw_walk *walk, struct claw_flow_line line,
		   unsigned int branch, unsigned int arm,
		   const struct claw_sum *count, const char *kind);
/* A counter in front of a statement: "{ counter; STATEMENT }". */
void claw_walk_count_statement(struct claw_walk *walk, CXCursor statement,
			       unsigned int counter);

/* ---- coverage_conditions.c */

const char *claw_walk_text(const struct claw_walk *walk, size_t offset);
/* Where the operator behind a left operand is; 0: nowhere. */
size_t claw_walk_behind(struct claw_walk *walk, CXCursor left);
bool claw_walk_is_vector(CXCursor cursor);
/* An operand without the brackets and the conversions around it. */
CXCursor claw_walk_bare(CXCursor cursor);
/* "&&" or "||" of numbers, whose right operand is not always looked at: its
 * offset; 0: it is something else. */
size_t claw_walk_short_circuit(struct claw_walk *walk, CXCursor cursor,
			       const struct claw_cursors *operands);
/* An expression that control goes on from to either block. kind: what it is
 * the condition of. Leaves no current block. */
void claw_walk_condition(struct claw_walk *walk, CXCursor cursor,
			 struct claw_flow_line line, int yes, int no,
			 const char *kind);
/* 0, 1: a condition that is always so; -1: it has to be seen. */
int claw_walk_constant(struct claw_walk *walk, CXCursor cursor);

/* ---- coverage_values.c */

/*
 * An expression. is_merged: what it does last is done by the statement around
 * it (its line is not its own). Returns whether it is a constant.
 */
bool claw_walk_value(struct claw_walk *walk, CXCursor cursor, bool is_merged);
/* The line of an expression's last operator, else that of its begin. */
struct claw_flow_line claw_walk_operator_line(struct claw_walk *walk,
					      CXCursor cursor);

/* ---- statements */

void claw_walk_statement(struct claw_walk *walk, CXCursor statement);
void claw_walk_while(struct claw_walk *walk, CXCursor statement);
void claw_walk_do(struct claw_walk *walk, CXCursor statement);
void claw_walk_for(struct claw_walk *walk, CXCursor statement);
void claw_walk_switch(struct claw_walk *walk, CXCursor statement);
void claw_walk_case(struct claw_walk *walk, CXCursor statement);
/* There is a break here, of a switch or not. */
void claw_walk_see_break(struct claw_walk *walk);

/* Walk the function's body; false: refused, why says what. */
bool claw_walk_run(struct claw_walk *walk);
void claw_walk_release(struct claw_walk *walk);

#endif
