/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walk the entries of a ledger. Parents are named by their handles alone,
 * holds by handle and serial: the object may be gone, and another one there.
 */
#include "config.h"

#include "leak_graph.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum { PARENTS_MAX = 16 };	/* event, queue, context; buffer in buffer */

static int compare_handles(const void *a, const void *b, void *user)
{
	const struct claw_ledger_entry *entries = user;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	uint64_t x = entries[first].handle, y = entries[second].handle;

	if (x != y)
		return x < y ? -1 : 1;
	return (first > second) - (first < second);
}

/* Addresses of shared memory and of mappings are other numbers than handles,
 * though they may be equal. */
static bool can_be_parent(const struct claw_ledger_entry *entry)
{
	return entry->object != CLAW_OBJ_SVM &&
		entry->object != CLAW_OBJ_MAPPING;
}

int claw_leak_graph_init(struct claw_leak_graph *graph,
			 const struct claw_ledger *ledger)
{
	struct claw_leak_graph new = { .ledger = ledger };
	size_t count = ledger->count;

	if (count > UINT32_MAX)
		return -CLAW_E_LIMIT;
	new.by_handle = claw_calloc(count, sizeof(*new.by_handle));
	new.seen = claw_calloc(count, sizeof(*new.seen));
	new.stack = claw_calloc(count, sizeof(*new.stack));
	for (size_t i = 0; i < count; i++)
		if (can_be_parent(&ledger->entries[i]))
			new.by_handle[new.handle_count++] = (uint32_t)i;
	qsort_r(new.by_handle, new.handle_count, sizeof(*new.by_handle),
		compare_handles, ledger->entries);
	*graph = new;
	return 0;
}

void claw_leak_graph_release(struct claw_leak_graph *graph)
{
	free(graph->by_handle);
	free(graph->seen);
	free(graph->stack);
	*graph = (struct claw_leak_graph) { .ledger = NULL };
}

/* Is the one at that place of by_handle no further than handle and serial? */
static bool is_before(const struct claw_leak_graph *graph, size_t place,
		      uint64_t handle, uint64_t serial)
{
	const struct claw_ledger_entry *entry =
		&graph->ledger->entries[graph->by_handle[place]];

	return entry->handle < handle ||
		(entry->handle == handle && entry->serial < serial);
}

/* Of those with the parent's handle the youngest that is older than the
 * child. */
static const struct claw_ledger_entry *
parent_of(const struct claw_leak_graph *graph,
	  const struct claw_ledger_entry *entry)
{
	const struct claw_ledger_entry *found;
	size_t low = 0, high = graph->handle_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(graph, middle, entry->parent, entry->serial))
			low = middle + 1;
		else
			high = middle;
	}
	if (entry->parent == 0 || low == 0)
		return NULL;
	found = &graph->ledger->entries[graph->by_handle[low - 1]];
	return found->handle == entry->parent ? found : NULL;
}

const struct claw_ledger_entry *
claw_leak_graph_context(const struct claw_leak_graph *graph,
			const struct claw_ledger_entry *entry)
{
	for (int i = 0; i < PARENTS_MAX; i++) {
		entry = parent_of(graph, entry);
		if (!entry || entry->object == CLAW_OBJ_CONTEXT)
			return entry;
	}
	return NULL;
}

void claw_leak_graph_start(struct claw_leak_graph *graph)
{
	if (++graph->walk != 0)
		return;
	memset(graph->seen, 0, graph->ledger->count * sizeof(*graph->seen));
	graph->walk = 1;
}

/* Everything is put on the stack once, so it has room. */
static void push(struct claw_leak_graph *graph,
		 const struct claw_ledger_entry *entry, size_t *depth)
{
	size_t index;

	if (!entry)
		return;
	index = (size_t)(entry - graph->ledger->entries);
	if (graph->seen[index] == graph->walk)
		return;
	graph->seen[index] = graph->walk;
	graph->stack[(*depth)++] = (uint32_t)index;
}

static void push_neighbours(struct claw_leak_graph *graph,
			    const struct claw_ledger_entry *entry,
			    size_t *depth)
{
	const struct claw_ledger *ledger = graph->ledger;

	push(graph, parent_of(graph, entry), depth);
	for (uint32_t link = entry->hold; link != 0;) {
		const struct claw_ledger_hold *hold = &ledger->holds[link - 1];

		push(graph, claw_ledger_find(ledger, hold->handle,
					     hold->serial), depth);
		link = hold->next;
	}
}

void claw_leak_graph_walk(struct claw_leak_graph *graph,
			  const struct claw_ledger_entry *entry,
			  claw_leak_visit *visit, void *user)
{
	size_t depth = 0;

	push_neighbours(graph, entry, &depth);
	while (depth > 0) {
		const struct claw_ledger_entry *next =
			&graph->ledger->entries[graph->stack[--depth]];

		visit(next, user);
		push_neighbours(graph, next, &depth);
	}
}
