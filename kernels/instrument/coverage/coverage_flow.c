/* SPDX-License-Identifier: Apache-2.0 */
/* Flow of control as it is gathered: see coverage_private.h. */
#include "config.h"

#include "coverage_private.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { DEEPEST = 32 };	/* blocks with no lines behind each other */

int claw_flow_add_block(struct claw_flow *flow)
{
	flow->blocks = claw_one_more(flow->blocks, flow->block_count,
				     sizeof(*flow->blocks));
	memset(&flow->blocks[flow->block_count], 0, sizeof(*flow->blocks));
	return (int)flow->block_count++;
}

size_t claw_flow_add_arc(struct claw_flow *flow, int from, int to,
			 const struct claw_sum *count)
{
	flow->arcs = claw_one_more(flow->arcs, flow->arc_count,
				   sizeof(*flow->arcs));
	struct claw_flow_arc *arc = &flow->arcs[flow->arc_count];

	memset(arc, 0, sizeof(*arc));
	arc->from = from;
	arc->to = to;
	flow->blocks[to].ways_to++;
	claw_sum_add(&arc->count, count, 1);
	if (!flow->blocks[to].is_fixed)
		claw_sum_add(&flow->blocks[to].count, count, 1);
	return flow->arc_count++;
}

void claw_flow_close_loop(struct claw_flow *flow, size_t arc)
{
	flow->arcs[arc].loop_end = (int)flow->block_count;
}

void claw_flow_add_line(struct claw_flow *flow, int number, unsigned int file,
			unsigned int line)
{
	if (number == CLAW_FLOW_NONE)
		return;
	struct claw_flow_block *block = &flow->blocks[number];

	for (size_t i = block->line_count; i-- > 0;)
		if (block->lines[i].line == line && block->lines[i].file == file)
			return;
	block->lines = claw_one_more(block->lines, block->line_count,
				     sizeof(*block->lines));
	block->lines[block->line_count].file = file;
	block->lines[block->line_count++].line = line;
}

static void part_arc(struct claw_flow *flow, size_t arc,
		     const struct claw_flow_line *label)
{
	int to = flow->arcs[arc].to, between = claw_flow_add_block(flow);
	struct claw_sum count = { NULL, 0 };
	bool is_fixed = flow->blocks[to].is_fixed;

	claw_sum_add(&count, &flow->arcs[arc].count, 1);
	claw_flow_add_line(flow, between, label->file, label->line);
	claw_sum_add(&flow->blocks[between].count, &count, 1);
	flow->arcs[arc].to = between;
	flow->blocks[between].ways_to++;
	flow->blocks[to].ways_to--;
	flow->blocks[to].is_fixed = true;	/* it is counted already */
	claw_flow_add_arc(flow, between, to, &count);
	flow->blocks[to].is_fixed = is_fixed;
	claw_sum_release(&count);
}

static void add_label(struct claw_flow *flow, int block,
		      const struct claw_flow_line *label, int depth)
{
	size_t count = flow->arc_count;

	if (flow->blocks[block].line_count || depth == DEEPEST)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct claw_flow_arc *arc = &flow->arcs[i];

		if (arc->to != block || arc->from == CLAW_FLOW_NONE)
			continue;
		if (arc->is_condition)
			part_arc(flow, i, label);
		else if (!arc->loop_end)
			add_label(flow, arc->from, label, depth + 1);
	}
}

void claw_flow_add_label(struct claw_flow *flow, int block,
			 const struct claw_flow_line *label)
{
	add_label(flow, block, label, 0);
}

void claw_flow_release(struct claw_flow *flow)
{
	for (size_t i = 0; i < flow->block_count; i++) {
		free(flow->blocks[i].lines);
		claw_sum_release(&flow->blocks[i].count);
	}
	for (size_t i = 0; i < flow->arc_count; i++)
		claw_sum_release(&flow->arcs[i].count);
	free(flow->blocks);
	free(flow->arcs);
	memset(flow, 0, sizeof(*flow));
}
