/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flow of control of one function: blocks, which run from their first to
 * their last statement, and the arcs between them. How often a line ran is
 * said as gcov says it: blocks whose last line it is count how often control
 * came to them from elsewhere, and how often it went round among them; a line
 * that is no block's last counts the blocks that it is in.
 */
#ifndef CLAW_INSTRUMENT_COVERAGE_FLOW_H
#define CLAW_INSTRUMENT_COVERAGE_FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "coverage_sums.h"

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

#endif
