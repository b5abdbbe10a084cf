/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the counters share. */
#ifndef CLAW_INSTRUMENT_COVERAGE_PRIVATE_H
#define CLAW_INSTRUMENT_COVERAGE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "kernels/instrument/unit/unit.h"
#include "kernels/instrument/unit/rewrite.h"

/*
 * Which function of the text calls which: whose counters a kernel has to have
 * with it, and which functions nothing calls.
 */

struct claw_call_node {
	const struct claw_function *function;	/* a definition */
	size_t *callees;			/* numbers of nodes */
	unsigned int *names;			/* how often it names each */
	size_t callee_count;
	bool is_static;
	bool is_used;		/* a kernel, or other programs may call it, or these do */
	bool is_direct;		/* counts into the words at once */
	bool leaves;		/* calls what the text does not define */
	unsigned int mentions, told;	/* its name in code that is used; calls
					 * of it whose blocks are counted */
	bool is_implied;	/* its callers' counters count its entry */
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
/* The definition that a call calls, or NULL. */
struct claw_call_node *claw_calls_callee(struct claw_calls *calls, CXCursor call);
/* Set mentions of all nodes. */
void claw_calls_mention(struct claw_calls *calls);
/*
 * Choose what is direct: what is furthest from a kernel when its functions have
 * more than limit members of per counters each; with is_separate, too, what
 * another program's kernel may come to, whose context has other members.
 */
void claw_calls_choose_direct(struct claw_calls *calls, unsigned int per,
			      unsigned int limit, bool is_separate);
void claw_calls_release(struct claw_calls *calls);

/*
 * How often something ran, as a sum of counters: "3+4-5". In hit mode a counter
 * is a bit, and nothing is ever taken away.
 */

struct claw_sum_term {
	unsigned int counter;
	int times;
};

/* All zeroes: nothing ever. Terms are in the order of their counters. */
struct claw_sum {
	struct claw_sum_term *terms;
	size_t count;
};

void claw_sum_add_counter(struct claw_sum *sum, unsigned int counter, int times);
void claw_sum_add(struct claw_sum *sum, const struct claw_sum *other, int times);
/* "3+4-5"; as bits: each counter once. */
void claw_sum_write(const struct claw_sum *sum, bool as_bits, FILE *out);
void claw_sum_release(struct claw_sum *sum);

/*
 * The flow of control of one function: blocks, which run from their first to
 * their last statement, and the arcs between them. How often a line ran is
 * said as gcov says it: blocks whose last line it is count how often control
 * came to them from elsewhere, and how often it went round among them; a line
 * that is no block's last counts the blocks that it is in.
 */

enum { CLAW_FLOW_NONE = -1 };	/* in place of a block: nothing comes here */

struct claw_flow_line {
	unsigned int file, line;
};

struct claw_flow_block {
	struct claw_flow_line *lines;	/* each once, as they came */
	size_t line_count;
	struct claw_sum count;
	unsigned int ways_to;	/* arcs */
	bool is_fixed;		/* its count is said, not the sum of its arcs */
	bool is_unknown;	/* not yet said */
	bool is_label;		/* begins anew even where nothing else comes there */
	bool is_reached;
};

struct claw_flow_arc {
	int from, to;		/* from CLAW_FLOW_NONE: the function is entered */
	struct claw_sum count;
	int loop_end;		/* of an arc back: blocks to .. loop_end - 1 are its
				 * loop; else 0 */
	bool is_condition;	/* one of the two ways on from a condition */
	bool is_jump;		/* written as one; or behind a call: two blocks even
				 * where nothing else comes there */
};

struct claw_flow {
	struct claw_flow_block *blocks;
	size_t block_count;
	struct claw_flow_arc *arcs;
	size_t arc_count;
};

int claw_flow_add_block(struct claw_flow *flow);
/* Control goes from one to the other so often. to's count grows by it, unless
 * it is fixed. Returns its number. */
size_t claw_flow_add_arc(struct claw_flow *flow, int from, int to,
			 const struct claw_sum *count);
/*
 * A block with no line of its own goes on to a label. GCC has a block for each
 * condition's way there, and these are what the label's line counts.
 */
void claw_flow_add_label(struct claw_flow *flow, int block,
			 const struct claw_flow_line *label);
/* The arc is its loop's way back; all blocks there are belong to it. */
void claw_flow_close_loop(struct claw_flow *flow, size_t arc);
/* A block has a statement of a line; block may be CLAW_FLOW_NONE. */
void claw_flow_add_line(struct claw_flow *flow, int block, unsigned int file,
			unsigned int line);
/* coverage_lines.c: tell how often each line that can be reached ran. */
void claw_flow_tell_lines(struct claw_flow *flow, bool as_bits,
			  void (*tell)(void *data,
				       const struct claw_flow_line *line,
				       const struct claw_sum *count),
			  void *data);
void claw_flow_release(struct claw_flow *flow);

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

struct claw_walk_label {
	char *name;
	int block;
	bool is_placed;
};

/* A call of a function of the text. */
struct claw_walk_call {
	size_t callee;		/* number of a node */
	int block;
};

struct claw_walk {
	struct claw_rewrite *rewrite;
	struct claw_calls *calls;	/* NULL: of no interest */
	struct claw_walk_call *made;
	size_t made_count;
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

/* Note a call, which the current block makes. */
void claw_walk_tell_call(struct claw_walk *walk, CXCursor call);

/*
 * In hit mode a function all of whose calls stand in blocks that are counted
 * has no counter of its entry: whatever counts such a block sets its bit, too.
 * A small function that is called in each step of a long one costs nothing so.
 */

struct claw_implied_entry {
	unsigned int counter;		/* where it counts, */
	size_t callee;			/* this node is entered */
};

struct claw_implied {
	struct claw_implied_entry *list;
	size_t count;
};

/* The calls of a function that was walked. */
void claw_implied_add(struct claw_implied *implied, const struct claw_walk *walk);
/* When all were: set is_implied of all nodes. */
void claw_implied_choose(struct claw_implied *implied, struct claw_calls *calls);
/* Add a counter and all that are set with it. */
void claw_implied_of(const struct claw_implied *implied,
		     const struct claw_calls *calls, unsigned int counter,
		     struct claw_sum *sum);
void claw_implied_release(struct claw_implied *implied);

/* Walk the function's body; false: refused, why says what. */
bool claw_walk_run(struct claw_walk *walk);
void claw_walk_release(struct claw_walk *walk);

#endif
