/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often lines ran, from the flow of control: blocks as GCC has them are
 * made of ours first. See coverage_private.h.
 */
#include "config.h"

#include <stdlib.h>

#include "coverage_private.h"
#include "harness/base/memory.h"

enum { NONE = -1 };

/* The arcs of each block, as lists of numbers. */
struct ways {
	int *first_to, *next_to;	/* of a block, of an arc */
	int *first_from, *next_from;
};

static int *numbers(size_t count)
{
	int *list = claw_malloc((count + 1) * sizeof(*list));

	for (size_t i = 0; i <= count; i++)
		list[i] = NONE;
	return list;
}

static void gather_ways(const struct claw_flow *flow, struct ways *ways)
{
	ways->first_to = numbers(flow->block_count);
	ways->first_from = numbers(flow->block_count);
	ways->next_to = numbers(flow->arc_count);
	ways->next_from = numbers(flow->arc_count);
	for (size_t i = flow->arc_count; i-- > 0;) {
		const struct claw_flow_arc *arc = &flow->arcs[i];

		ways->next_to[i] = ways->first_to[arc->to];
		ways->first_to[arc->to] = (int)i;
		if (arc->from == CLAW_FLOW_NONE)
			continue;
		ways->next_from[i] = ways->first_from[arc->from];
		ways->first_from[arc->from] = (int)i;
	}
}

static void release_ways(struct ways *ways)
{
	free(ways->first_to);
	free(ways->first_from);
	free(ways->next_to);
	free(ways->next_from);
}

/* The one arc that leaves a block, or NONE. */
static int only_way_on(const struct ways *ways, int block)
{
	int first = ways->first_from[block];

	return first != NONE && ways->next_from[first] == NONE ? first : NONE;
}

/* What comes to a block without lines comes to the one behind it. */
static void pass_over_empty(struct claw_flow *flow)
{
	struct ways ways;

	gather_ways(flow, &ways);
	for (size_t i = 0; i < flow->arc_count; i++) {
		struct claw_flow_arc *arc = &flow->arcs[i];
		size_t steps = 0;

		while (flow->blocks[arc->to].line_count == 0 &&
		       steps++ < flow->block_count) {
			int on = only_way_on(&ways, arc->to);

			if (on == NONE || flow->arcs[on].to == arc->to)
				break;
			if (flow->arcs[on].loop_end)
				arc->loop_end = flow->arcs[on].loop_end;
			arc->to = flow->arcs[on].to;
		}
	}
	release_ways(&ways);
}

static void find_reached(struct claw_flow *flow)
{
	struct ways ways;
	int *left = numbers(flow->block_count), count = 0;

	gather_ways(flow, &ways);
	for (size_t i = 0; i < flow->arc_count; i++)
		if (flow->arcs[i].from == CLAW_FLOW_NONE) {
			flow->blocks[flow->arcs[i].to].is_reached = true;
			left[count++] = flow->arcs[i].to;
		}
	while (count > 0) {
		int block = left[--count];

		for (int i = ways.first_from[block]; i != NONE;
		     i = ways.next_from[i]) {
			struct claw_flow_block *to =
				&flow->blocks[flow->arcs[i].to];

			if (!to->is_reached)
				left[count++] = flow->arcs[i].to;
			to->is_reached = true;
		}
	}
	release_ways(&ways);
	free(left);
}

static bool comes(const struct claw_flow *flow, const struct claw_flow_arc *arc)
{
	return arc->from == CLAW_FLOW_NONE ||
		flow->blocks[arc->from].is_reached;
}

static bool is_only_way(const struct claw_flow *flow, const struct ways *ways,
			int block)
{
	unsigned int count = 0;

	for (int i = ways->first_to[block]; i != NONE && count < 2;
	     i = ways->next_to[i])
		count += comes(flow, &flow->arcs[i]);
	return count == 1;
}

/* The second block's lines and ways on become the first one's. */
static void append(struct claw_flow *flow, struct ways *ways,
		   struct claw_flow_arc *arc)
{
	int first = arc->from, second = arc->to;
	const struct claw_flow_block *block = &flow->blocks[second];

	for (size_t i = 0; i < block->line_count; i++)
		claw_flow_add_line(flow, first, block->lines[i].file,
				   block->lines[i].line);
	ways->first_from[first] = ways->first_from[second];
	ways->first_from[second] = NONE;
	for (int i = ways->first_from[first]; i != NONE; i = ways->next_from[i])
		flow->arcs[i].from = first;
	arc->from = second;	/* nothing comes there any more */
	flow->blocks[second].is_reached = false;
}

/* A block that only the one before leads to is a part of it. */
static void merge_straight(struct claw_flow *flow)
{
	struct ways ways;

	gather_ways(flow, &ways);
	for (size_t i = 0; i < flow->arc_count; i++) {
		struct claw_flow_arc *arc = &flow->arcs[i];

		if (arc->from == CLAW_FLOW_NONE || arc->from == arc->to ||
		    arc->is_jump || arc->is_condition || arc->loop_end ||
		    !flow->blocks[arc->from].is_reached ||
		    flow->blocks[arc->to].is_label ||
		    only_way_on(&ways, arc->from) != (int)i ||
		    !is_only_way(flow, &ways, arc->to))
			continue;
		append(flow, &ways, arc);
	}
	release_ways(&ways);
}

/* A line in a block, all of which are sorted. */
struct use {
	struct claw_flow_line at;
	int block;
	bool is_last;
};

static int compare(const void *one, const void *two)
{
	const struct use *a = one, *b = two;

	if (a->at.file != b->at.file)
		return a->at.file < b->at.file ? -1 : 1;
	if (a->at.line != b->at.line)
		return a->at.line < b->at.line ? -1 : 1;
	return a->block - b->block;
}

static size_t gather(const struct claw_flow *flow, struct use **ret_uses)
{
	size_t count = 0, at = 0;

	for (size_t i = 0; i < flow->block_count; i++)
		count += flow->blocks[i].line_count;
	struct use *uses = claw_calloc(count + 1, sizeof(*uses));

	for (size_t i = 0; i < flow->block_count; i++) {
		const struct claw_flow_block *block = &flow->blocks[i];

		for (size_t k = 0; block->is_reached && k < block->line_count;
		     k++) {
			uses[at].at = block->lines[k];
			uses[at].block = (int)i;
			uses[at++].is_last = k + 1 == block->line_count;
		}
	}
	qsort(uses, at, sizeof(*uses), compare);
	*ret_uses = uses;
	return at;
}

/* What all lines are summed with. */
struct sums {
	const struct claw_flow *flow;
	struct ways ways;
	bool *of_line;		/* of each block, whether the line is its last */
	bool as_bits;
};

/* Of a way back within the line: what came into its loop's part of the line
 * from the loop's other lines did not go round within it. */
static void add_rounds(const struct sums *sums, const struct claw_flow_arc *back,
		       const struct use *uses, size_t count,
		       struct claw_sum *sum)
{
	const struct claw_flow *flow = sums->flow;

	claw_sum_add(sum, &back->count, 1);
	for (size_t u = 0; u < count; u++) {
		int block = uses[u].block;

		if (!sums->of_line[block] || block <= back->to ||
		    block >= back->loop_end)
			continue;
		for (int i = sums->ways.first_to[block]; i != NONE;
		     i = sums->ways.next_to[i]) {
			const struct claw_flow_arc *arc = &flow->arcs[i];

			if (arc->from >= back->to &&
			    arc->from < back->loop_end && comes(flow, arc) &&
			    !sums->of_line[arc->from])
				claw_sum_add(sum, &arc->count, -1);
		}
	}
}

static void add_entries(const struct sums *sums, const struct use *uses,
			size_t count, int block, struct claw_sum *sum)
{
	for (int i = sums->ways.first_to[block]; i != NONE;
	     i = sums->ways.next_to[i]) {
		const struct claw_flow_arc *arc = &sums->flow->arcs[i];

		if (!comes(sums->flow, arc))
			continue;
		if (arc->from == CLAW_FLOW_NONE || !sums->of_line[arc->from])
			claw_sum_add(sum, &arc->count, 1);
		else if (arc->loop_end && !sums->as_bits)
			add_rounds(sums, arc, uses, count, sum);
	}
}

static void sum_line(const struct sums *sums, const struct use *uses,
		     size_t count, struct claw_sum *sum)
{
	bool any = false;

	for (size_t i = 0; i < count; i++)
		if (uses[i].is_last)
			any = sums->of_line[uses[i].block] = true;
	for (size_t i = 0; i < count; i++) {
		int block = uses[i].block;

		if (!any)
			claw_sum_add(sum, &sums->flow->blocks[block].count, 1);
		else if (uses[i].is_last)
			add_entries(sums, uses, count, block, sum);
	}
	for (size_t i = 0; i < count; i++)
		sums->of_line[uses[i].block] = false;
}

void claw_flow_tell_lines(struct claw_flow *flow, bool as_bits,
			  void (*tell)(void *data,
				       const struct claw_flow_line *line,
				       const struct claw_sum *count),
			  void *data)
{
	struct sums sums = { .flow = flow, .as_bits = as_bits };
	struct use *uses;

	pass_over_empty(flow);
	find_reached(flow);
	merge_straight(flow);
	gather_ways(flow, &sums.ways);
	sums.of_line = claw_calloc(flow->block_count + 1, sizeof(bool));
	size_t count = gather(flow, &uses), from = 0;

	for (size_t to = 1; to <= count; to++) {
		if (to < count && uses[to].at.file == uses[from].at.file &&
		    uses[to].at.line == uses[from].at.line)
			continue;
		struct claw_sum sum = { NULL, 0 };

		sum_line(&sums, &uses[from], to - from, &sum);
		tell(data, &uses[from].at, &sum);
		claw_sum_release(&sum);
		from = to;
	}
	release_ways(&sums.ways);
	free(sums.of_line);
	free(uses);
}
