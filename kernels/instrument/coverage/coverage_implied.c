/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that their callers count: see coverage_private.h. */
#include "config.h"

#include "coverage_private.h"

#include <stdlib.h>

#include "harness/base/memory.h"

void claw_walk_tell_call(struct claw_walk *walk, CXCursor call)
{
	struct claw_call_node *callee = walk->calls && claw_walk_is_hit(walk) ?
		claw_calls_callee(walk->calls, call) : NULL;
	struct claw_walk_call *made;

	if (!callee || walk->current == CLAW_FLOW_NONE)
		return;
	walk->made = claw_one_more(walk->made, walk->made_count,
				   sizeof(*walk->made));
	made = &walk->made[walk->made_count++];
	made->callee = (size_t)(callee - walk->calls->nodes);
	made->block = walk->current;
}

/* Each of its counters is a way there, and nothing is taken away. */
static bool is_known(const struct claw_flow_block *block)
{
	for (size_t i = 0; i < block->count.count; i++)
		if (block->count.terms[i].times < 0)
			return false;
	return block->count.count && !block->is_unknown;
}

void claw_implied_add(struct claw_implied *implied, const struct claw_walk *walk)
{
	for (size_t i = 0; i < walk->made_count; i++) {
		const struct claw_walk_call *made = &walk->made[i];
		const struct claw_flow_block *block =
			&walk->flow.blocks[made->block];

		if (!is_known(block))
			continue;
		walk->calls->nodes[made->callee].told++;
		for (size_t k = 0; k < block->count.count; k++) {
			implied->list = claw_one_more(implied->list,
						      implied->count,
						      sizeof(*implied->list));
			implied->list[implied->count].counter =
				block->count.terms[k].counter;
			implied->list[implied->count++].callee = made->callee;
		}
	}
}

static int compare(const void *one, const void *two)
{
	const struct claw_implied_entry *a = one, *b = two;

	if (a->counter != b->counter)
		return a->counter < b->counter ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

void claw_implied_choose(struct claw_implied *implied, struct claw_calls *calls)
{
	if (implied->count)
		qsort(implied->list, implied->count, sizeof(*implied->list),
		      compare);
	claw_calls_mention(calls);
	for (size_t i = 0; i < calls->count; i++) {
		struct claw_call_node *node = &calls->nodes[i];

		node->is_implied = node->counters && node->told &&
			node->told == node->mentions &&
			!node->function->is_kernel;
	}
}

/* The first of that counter, or where it would be. */
static size_t find(const struct claw_implied *implied, unsigned int counter)
{
	size_t low = 0, high = implied->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (implied->list[middle].counter < counter)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void claw_implied_of(const struct claw_implied *implied,
		     const struct claw_calls *calls, unsigned int counter,
		     struct claw_sum *sum)
{
	size_t before = sum->count;

	claw_sum_add_counter(sum, counter, 1);
	if (sum->count == before)
		return;		/* it is there, and all that it implies */
	for (size_t i = find(implied, counter); i < implied->count &&
	     implied->list[i].counter == counter; i++) {
		const struct claw_call_node *callee =
			&calls->nodes[implied->list[i].callee];

		if (callee->is_implied)
			claw_implied_of(implied, calls, callee->first_counter,
					sum);
	}
}

void claw_implied_release(struct claw_implied *implied)
{
	free(implied->list);
	implied->list = NULL;
	implied->count = 0;
}
