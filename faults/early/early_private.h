/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files about early loads share: the reads and what the program
 * knows of them (early.c), the calls (early_calls.c), who has to wait for them
 * (early_gates.c), their bytes (early_memory.c), closed pages (early_pages.c),
 * the signal (early_signal.c).
 *
 * A fault finds its read without a lock: all that it needs is set before the
 * read's state says so, and stays as long as that state does.
 */
#ifndef CLAW_EARLY_PRIVATE_H
#define CLAW_EARLY_PRIVATE_H

#include "faults/command/commands.h"
#include "faults/life/found.h"
#include "faults/ledger/ledger_turn.h"
#include "early.h"

enum {
	CLAW_EARLY_READS = 256,
	CLAW_EARLY_KEPT = 64,		/* of them for reads in the way of others */
	CLAW_EARLY_GATES = 64,
	CLAW_EARLY_RUNS = 64,		/* of pages of one read that are closed */
	CLAW_EARLY_STATE_BITS = 3,
};

enum claw_early_state {
	CLAW_EARLY_FREE,
	CLAW_EARLY_MADE,	/* known to nobody but the thread at its call */
	CLAW_EARLY_OPEN,
	CLAW_EARLY_CLOSED,
	CLAW_EARLY_OPENING,	/* by who found it closed */
};

/* What the driver has said of a command. */
enum claw_early_done { CLAW_EARLY_PENDING, CLAW_EARLY_DONE, CLAW_EARLY_FAILED };

/* Memory of ours in place of [low, high) of the program's. */
struct claw_early_block {
	char *memory;		/* NULL: none. That of low */
	void *base;		/* as it was mapped, and how much */
	size_t base_bytes;
	uint64_t low, high;
	uint32_t users;
	bool is_whole;		/* one run of bytes, all read */
};

/* A command whose host memory is ours for as long as it is pending. */
struct claw_early_read {
	uint64_t state;		/* how often it was used, and enum claw_early_state */
	struct claw_span span;	/* of the program's memory */
	uint64_t low, high;	/* all of it */
	uint64_t sequence;	/* among all of them */
	uint64_t number;	/* of its command in its queue */
	struct claw_early_block *block;
	uint64_t dropped;	/* as its use is counted + 1: its memory is gone */
	cl_event event;		/* of its command, ours to release */
	void *pointer;		/* that the program gave */
	uint32_t site;
	uint16_t api;
	uint8_t slot;		/* of its queue */
	uint8_t position;	/* of the pointer among the parameters */
	uint8_t done;		/* enum claw_early_done */
	bool gives;		/* bytes to the program */
	bool can_close;
	bool has_number;
	bool is_gated;		/* it waits for a user event, however indirectly */
	bool lent;		/* the program wanted no event */
	bool adrift;		/* known to be complete, and the driver is not */
	bool counted;		/* as watched */
	bool passed;		/* the driver writes a later one's bytes there
				 * itself: they are not in the block */
};

extern struct claw_early_read claw_own_early[CLAW_EARLY_READS] CLAW_HIDDEN;

static inline enum claw_early_state
claw_early_state(const struct claw_early_read *read)
{
	return (enum claw_early_state)
		(__atomic_load_n(&read->state, __ATOMIC_ACQUIRE) &
		 ((1 << CLAW_EARLY_STATE_BITS) - 1));
}

/* Calls of the driver that wait until the lock is left. */
struct claw_early_debts {
	cl_event events[CLAW_EARLY_READS + CLAW_EARLY_GATES];	/* to release */
	cl_event gates[CLAW_EARLY_GATES];	/* to open, and release */
	unsigned int event_count, gate_count;
};

/* ---- reads (early.c) */

/* The lock of all but what a fault looks at. False: this thread has it, and
 * is in a call of ours. */
CLAW_HIDDEN bool claw_early_enter(void);
CLAW_HIDDEN void claw_early_leave(struct claw_early_debts *debts);
/* No lock: is any read pending? */
CLAW_HIDDEN bool claw_early_any(void);
/* No lock: wait for what is adrift, for a while. */
CLAW_HIDDEN bool claw_early_await(uint64_t state,
				  const struct claw_early_read *read);
/* Under the lock, all below. MADE; NULL: no room, of which there is more for
 * one that is in the way of others. */
CLAW_HIDDEN struct claw_early_read *claw_early_take(bool is_in_way);
CLAW_HIDDEN void claw_early_give_back(struct claw_early_read *read,
				      struct claw_early_debts *debts);
CLAW_HIDDEN void claw_early_set_state(struct claw_early_read *read,
				      enum claw_early_state to);
CLAW_HIDDEN bool claw_early_overlaps(const struct claw_early_read *read,
				     uint64_t low, uint64_t high);
/* Of the newest of all. */
CLAW_HIDDEN uint64_t claw_early_sequence(void);
CLAW_HIDDEN void claw_early_set_adrift(struct claw_early_read *read);
/* Too many are adrift, and we do not know why: nothing is closed any more. */
CLAW_HIDDEN bool claw_early_has_lost(void);
/* What the program knows to be complete and the driver is done with. */
CLAW_HIDDEN void claw_early_deliver(struct claw_early_debts *debts);
CLAW_HIDDEN void claw_early_keep_from_children(void);

/* ---- calls (early_calls.c) */

CLAW_HIDDEN void claw_early_stacks_begin(void);
/* At each call: this thread's stack is known from now on. */
CLAW_HIDDEN void claw_early_stack_look(void);

/* ---- gates (early_gates.c); under the lock, but for claw_early_gate_after()
 * and claw_early_flush() */

CLAW_HIDDEN void claw_early_gates_begin(void);
enum { CLAW_EARLY_QUEUES = 32 };

/* Queues that have to be flushed; the program's callbacks may be called then. */
struct claw_early_queues {
	cl_command_queue queues[CLAW_EARLY_QUEUES];	/* ours to release */
	unsigned int count;
};

/* Of the pending reads there; all: not only where a gate is no help. */
CLAW_HIDDEN void claw_early_queues_of(uint64_t low, uint64_t high, bool all,
				      struct claw_early_queues *queues);
CLAW_HIDDEN void claw_early_flush(struct claw_early_queues *queues);
/* The call uses this memory: it waits for all that is to come there. writes:
 * the driver writes there itself. False: it does not wait, and should. */
CLAW_HIDDEN bool claw_early_gate(struct claw_call *call, uint64_t low,
				 uint64_t high, bool writes,
				 struct claw_early_debts *debts);
CLAW_HIDDEN void claw_early_gate_after(struct claw_call *call);
/* Reads are given back: whose gates open? */
CLAW_HIDDEN void claw_early_gates_look(struct claw_early_debts *debts);

/* ---- bytes (early_memory.c); under the lock */

CLAW_HIDDEN void claw_early_memory_begin(void);
/* One run of bytes where it is one. */
CLAW_HIDDEN void claw_early_flatten(struct claw_span *span);
/* One that has all of it; or a new one. NULL: there is no room. is_needed: a
 * pending read is in the way. */
CLAW_HIDDEN struct claw_early_block *
claw_early_block_take(const struct claw_span *span, bool is_needed);
CLAW_HIDDEN struct claw_early_block *
claw_early_block_find(const struct claw_span *span);
CLAW_HIDDEN void claw_early_block_give(struct claw_early_block *block);
/* What was read, to where the program wants it; false: that is not there. */
CLAW_HIDDEN bool claw_early_copy(const struct claw_early_read *read);
/* Can its pages be closed: memory of the program's own to read and write? */
CLAW_HIDDEN bool claw_early_is_plain(uint64_t low, uint64_t high);

/* ---- pages (early_pages.c); no lock */

/* Close them: the read is CLOSED. False: not all of them, or none. */
CLAW_HIDDEN bool claw_early_close(struct claw_early_read *read);
/* Open them, whoever closed them; whoever does it is done when this
 * returns. */
CLAW_HIDDEN void claw_early_open(struct claw_early_read *read);
/* Does it write a page to the last byte? *ret_low, *ret_high: the first and
 * the last of such pages. */
CLAW_HIDDEN bool claw_early_has_pages(const struct claw_span *span,
				      uint64_t *ret_low, uint64_t *ret_high);
/* A fault at this address: true when it is ours, and open now. *ret_touched:
 * by whom it was opened, if that is the one who asks; its api is
 * CLAW_FOUND_NO_API otherwise. */
CLAW_HIDDEN bool claw_early_find_fault(uint64_t address,
				       struct claw_early_read *ret_touched);
CLAW_HIDDEN void claw_early_open_all(void);
/* In a forked child, which has no other thread: none is left. */
CLAW_HIDDEN void claw_early_wipe(void);

/* ---- the signal (early_signal.c) */

/* False: libopenclaw-heap.so is not there. */
CLAW_HIDDEN bool claw_early_signal_begin(void);
/* Its functions are in the table that the handle begins with; before the first
 * page is closed. */
CLAW_HIDDEN void claw_early_driver_is(const void *handle);
/* Ours is in front from now on. */
CLAW_HIDDEN void claw_early_signal_install(void);
/* Copy to where nothing may be: false. */
CLAW_HIDDEN bool claw_early_copy_bytes(void *to, const void *from,
				       size_t bytes);

#endif
