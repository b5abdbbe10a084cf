/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeps what alive in one ledger: its entries as a graph, whose edges are
 * parents and holds.
 */
#ifndef CLAW_LEAK_GRAPH_H
#define CLAW_LEAK_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "harness/readers/ledger_reader.h"

struct claw_leak_graph {
	const struct claw_ledger *ledger;	/* outlives the graph */
	uint32_t *by_handle;	/* indices of its entries that can be parents */
	size_t handle_count;
	uint32_t *seen;		/* the walk that was there last */
	uint32_t *stack;
	uint32_t walk;
};

/* 0 or -CLAW_E_LIMIT (more entries than an index has numbers). */
int claw_leak_graph_init(struct claw_leak_graph *graph,
			 const struct claw_ledger *ledger);
void claw_leak_graph_release(struct claw_leak_graph *graph);

/* The context that the object belongs to, or NULL: not known, or it is one. */
const struct claw_ledger_entry *
claw_leak_graph_context(const struct claw_leak_graph *graph,
			const struct claw_ledger_entry *entry);

/*
 * Visit what the object keeps alive, but not the object itself. Between two
 * calls of claw_leak_graph_start() each entry is visited once, whatever leads
 * to it.
 */
typedef void claw_leak_visit(const struct claw_ledger_entry *entry, void *user);
void claw_leak_graph_start(struct claw_leak_graph *graph);
void claw_leak_graph_walk(struct claw_leak_graph *graph,
			  const struct claw_ledger_entry *entry,
			  claw_leak_visit *visit, void *user);

#endif
