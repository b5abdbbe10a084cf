/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files about commands share and nobody else uses: the lock
 * (command_lock.c), enqueues (command_enqueue.c), records and their order
 * (command_records.c, command_order.c), events (command_events.c), what a
 * command touches (command_accesses.c), what is known of kernels and of memory
 * (command_kernels.c, command_memory.c), and what is wrong with it
 * (command_findings.c). host_memory.h is about the program's own memory.
 *
 * Everything is bounded. What there is no room for is taken to be complete, or
 * in order with all others: it never makes a finding.
 *
 * Order is a clock a command: for each lane (command_order.c) the number of the
 * last command in it that is complete before this one begins.
 */
#ifndef CLAW_COMMANDS_PRIVATE_H
#define CLAW_COMMANDS_PRIVATE_H

#include <signal.h>
#include <string.h>

#include "commands.h"
#include "faults/life/found.h"
#include "faults/ledger/ledger.h"
#include "faults/ledger/ledger_turn.h"

enum {
	CLAW_QUEUES = 64,
	CLAW_LANES = 64,
	CLAW_FEW_LANES = 2,
	CLAW_COMMANDS = 8192,
	CLAW_ACCESSES = 32768,
	CLAW_EVENTS = 16384,
	CLAW_CALL_ACCESSES = 32,	/* of one command */
	CLAW_CHUNKS = 8,		/* of a source that is hashed */
	CLAW_OTHER_GATES = 63,		/* the bit for all that have none */
};

/* Elements of an image; region 0: all of it. */
struct claw_box {
	uint32_t origin[3], region[3];
};

enum claw_use {
	CLAW_READS = 1 << 0,
	CLAW_WRITES = 1 << 1,
	CLAW_MAY_WRITE = 1 << 2,
	CLAW_BY_KERNEL = 1 << 3,
	CLAW_MAPS = 1 << 4,	/* host memory that a map shows */
	CLAW_ON_STACK = 1 << 5,	/* host memory of the thread's own stack */
	CLAW_IN_CALL = 1 << 6,	/* a blocking command: no longer than the call */
};

enum claw_where { CLAW_IN_BUFFER, CLAW_IN_IMAGE, CLAW_IN_SVM, CLAW_IN_HOST };

struct claw_access {
	uint64_t object;	/* handle that was given, or an address */
	uint64_t root, serial;	/* what it is a part of, or itself */
	union {
		struct claw_span span;
		struct claw_box box;
	};
	uint32_t command;	/* index + 1 */
	uint32_t next;		/* of the command: index + 1 */
	uint32_t newer, older;	/* in its list: index + 1 */
	uint8_t where, use;	/* enum claw_where, enum claw_use */
	bool gone;		/* host memory that was freed: it has been said */
};

/* Nothing yet; as claw_call_begin(). */
static inline void claw_access_begin(struct claw_access *access,
				     enum claw_where where, unsigned int use)
{
	typedef uint64_t pair __attribute__((vector_size(16), aligned(8),
					     may_alias));
	pair *at = (pair *)access;

	enum { PAIRS = sizeof(*access) / sizeof(*at) };

#pragma GCC unroll 5
	for (unsigned int i = 0; i < PAIRS; i++)
		at[i] = (pair){ 0, 0 };
	/* A word of 32 bits makes the structure smaller. */
	memset(&at[PAIRS], 0, sizeof(*access) % sizeof(*at));
	access->where = (uint8_t)where;
	access->use = (uint8_t)use;
}

/* What a pending write reads, as it was. */
struct claw_source {
	uint64_t start, bytes;
	uint64_t hashes[CLAW_CHUNKS];
};

/* What every command needs is in one line of the cache; thousands of them may
 * be under way. */
struct claw_command {
	uint64_t sequence;	/* among all of the process; 0: free */
	uint64_t number;	/* in its lane, from 1 */
	uint64_t gates;		/* user events it waits for, however indirectly */
	uint32_t next;		/* in its list: index + 1 */
	uint32_t accesses;
	uint32_t site, thread;
	uint16_t api, name;	/* name: of the kernel, 0: none */
	uint8_t slot, queue;	/* its lane, and whose */
	uint8_t lanes;		/* of the clock: that of all others is 0 */
	bool holds : 1;		/* all later ones of its queue are behind it */
	bool direct_gate : 1;	/* its own wait list names a user event not set */
	bool uses_host : 1;	/* memory of the program's, by an access */
	bool has_source : 1;
	bool no_source : 1;	/* do not look at it */
	uint64_t few[CLAW_FEW_LANES];	/* its clock, if that is enough */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct claw_command) == 64, "one line");

/* What few commands need. */
struct claw_command_rest {
	uint64_t clock[CLAW_LANES];
	struct claw_source source;
};

/* A command that is being enqueued. */
struct claw_demand {
	struct claw_access accesses[CLAW_CALL_ACCESSES];
	unsigned int count;
	uint16_t name;
	bool lost;		/* there was no room for all of them */
	bool opaque;		/* the program may learn by it that others are done */
};

/* ---- the lock (command_lock.c) */

CLAW_HIDDEN void claw_commands_lock_begin(void);

struct claw_found_list;

/*
 * The lock, to say of commands that the program knows by now that they are
 * complete. At the end their sources are looked at, before any other thread can
 * go on with knowing it: what was changed is in list, and the call (NULL: none
 * of the program's) is where that was seen.
 */
CLAW_HIDDEN bool claw_learning_begin(void);
CLAW_HIDDEN void claw_learning_end(struct claw_found_list *list);
CLAW_HIDDEN void claw_learning_write(struct claw_found_list *list,
				     struct claw_call *call);

/* ---- calls (commands.c, command_enqueue.c); outside of the lock */

CLAW_HIDDEN void claw_commands_take_site(struct claw_call *call);
CLAW_HIDDEN void claw_enqueue_before(struct claw_call *call);
CLAW_HIDDEN void claw_enqueue_after(struct claw_call *call);
/* Under the lock: may another pending command use this host memory, too? */
CLAW_HIDDEN bool claw_enqueue_is_shared(const struct claw_call *call,
					uint64_t low, uint64_t high);

/* ---- all below under the lock, but where said */

/* ---- records and accesses (command_records.c) */

CLAW_HIDDEN void claw_records_begin(void);
extern struct claw_command claw_own_commands[CLAW_COMMANDS] CLAW_HIDDEN;
extern struct claw_access claw_own_accesses[CLAW_ACCESSES] CLAW_HIDDEN;
extern struct claw_command_rest claw_own_rests[CLAW_COMMANDS] CLAW_HIDDEN;
/* By index + 1. */
static inline struct claw_command *claw_command_at(uint32_t index)
{
	return &claw_own_commands[index - 1];
}
static inline struct claw_source *
claw_command_source(const struct claw_command *command)
{
	return &claw_own_rests[command - claw_own_commands].source;
}
static inline struct claw_access *claw_access_at(uint32_t index)
{
	return &claw_own_accesses[index - 1];
}
/* A free record, or 0. */
CLAW_HIDDEN uint32_t claw_command_take(void);
/* Its accesses with it. */
CLAW_HIDDEN void claw_command_free(uint32_t index);
CLAW_HIDDEN void claw_command_drop_accesses(struct claw_command *command);
/* A copy, in the lists. False: no room. */
CLAW_HIDDEN bool claw_access_add(uint32_t command,
				 const struct claw_access *access);
/* The newest of one root's accesses in one lane; and the one before (others
 * may be among them). */
CLAW_HIDDEN uint32_t claw_accesses_of(uint64_t root, unsigned int slot);
/* Lanes in which commands may use that root: bits. But by kernels, if others_only
 * says so. */
CLAW_HIDDEN uint64_t claw_accesses_lanes(uint64_t root, bool others_only);
/* The newest in host memory that commands read (false), or that commands write
 * or show (true). */
CLAW_HIDDEN uint32_t claw_accesses_of_host(bool written);
/* Is there a newer one of the same lane that uses the same, and more? */
CLAW_HIDDEN bool claw_access_is_covered(const struct claw_access *access);
CLAW_HIDDEN bool claw_span_overlaps(const struct claw_span *a,
				    const struct claw_span *b);
CLAW_HIDDEN bool claw_box_overlaps(const struct claw_box *a,
				   const struct claw_box *b);

/* ---- order (command_order.c) */

CLAW_HIDDEN void claw_order_begin(void);
/* A new command: its record (index + 1), in no lane yet. joins: behind all that
 * is in its queue, holds: before all that comes into it. 0: not followed. */
CLAW_HIDDEN uint32_t claw_order_add(const void *queue, bool joins, bool holds);
/* Forget the oldest command of the lane that has the most of them, unless it
 * is this one: then false. */
CLAW_HIDDEN bool claw_order_make_room(uint32_t keep);
/* The driver did not take it. */
CLAW_HIDDEN void claw_order_inert(uint32_t index);
/* It begins behind that event; or behind everything that is known. */
CLAW_HIDDEN void claw_order_wait(struct claw_command *command, uint64_t event);
/* It is behind all that it waits for. False: it is freed, and not followed. */
CLAW_HIDDEN bool claw_order_settle(uint32_t index);
CLAW_HIDDEN bool claw_order_is_before(const struct claw_command *first,
				      const struct claw_command *then);
/* The program knows: this one is done, all in that queue, all of them. */
CLAW_HIDDEN void claw_order_complete(const struct claw_command *command);
CLAW_HIDDEN void claw_order_complete_before(const struct claw_command *command);
CLAW_HIDDEN void claw_order_complete_number(unsigned int slot,
					    uint64_t number);
CLAW_HIDDEN void claw_order_complete_queue(const void *queue);
CLAW_HIDDEN void claw_order_complete_all(void);
/* The queue's last reference is given up; another has its handle now; it may be
 * in order from now on. */
CLAW_HIDDEN void claw_order_queue_released(const void *queue);
CLAW_HIDDEN void claw_order_queue_made(const void *queue, bool out_of_order);
CLAW_HIDDEN void claw_order_queue_changed(const void *queue);
/* Lanes with pending commands: bits. Without the lock, too: as of any time that
 * the program could tell from another. */
CLAW_HIDDEN uint64_t claw_order_busy(void);
/* Oldest pending command of a lane; its next is command->next. */
CLAW_HIDDEN uint32_t claw_order_oldest(unsigned int slot);
/* New commands do not wait for that gate any more. */
CLAW_HIDDEN void claw_order_open_gate(uint64_t bit);
/*
 * What is completed between these two the program learns of just now, not at
 * some time: a chain by next of those whose source is to be looked at, which
 * the caller frees.
 */
CLAW_HIDDEN void claw_order_learn(void);
CLAW_HIDDEN uint32_t claw_order_take_finished(void);

/* ---- events (command_events.c) */

struct claw_event {
	uint64_t handle;
	uint64_t number, sequence;	/* of its command */
	uint64_t gate;			/* user event that is waited for: its bit */
	uint32_t next, record;
	uint32_t site;
	uint16_t api;
	uint8_t slot;
	bool is_user, is_set;
};

CLAW_HIDDEN void claw_events_begin(void);
/* NULL: not known. */
CLAW_HIDDEN struct claw_event *claw_event_find(uint64_t handle);
/* The same; if there was no room for it, what it is of counts as lost. */
CLAW_HIDDEN struct claw_event *claw_event_waited(uint64_t handle);
CLAW_HIDDEN void claw_event_add(uint64_t handle, uint32_t command);
CLAW_HIDDEN void claw_event_add_user(uint64_t handle, uint32_t site);
/* One that is not followed has that handle now. */
CLAW_HIDDEN void claw_event_forget(uint64_t handle);
/* The last reference is given up: what it was. False: not known. */
CLAW_HIDDEN bool claw_event_released(uint64_t handle, struct claw_event *ret);
/* A bit for the gate that it is. */
CLAW_HIDDEN uint64_t claw_event_gate(struct claw_event *event);
CLAW_HIDDEN void claw_event_give_gate(struct claw_event *event);
/* The program knows that it is complete. */
CLAW_HIDDEN void claw_event_complete(uint64_t handle);

/* ---- parameters by role (command_parameters.c); NULL and 0: none */

CLAW_HIDDEN const void *claw_parameter_queue(const struct claw_call *call);
CLAW_HIDDEN uint64_t claw_parameter_event(const struct claw_call *call);
CLAW_HIDDEN bool claw_parameter_blocks(const struct claw_call *call);
/* Of clWaitForEvents, or the wait list of a command. */
CLAW_HIDDEN uint32_t claw_parameter_waits(const struct claw_call *call,
					  void *const **ret_list);

/* ---- what a command touches (command_accesses.c); outside of the lock */

CLAW_HIDDEN void claw_demand_find(const struct claw_call *call,
				  struct claw_demand *ret_demand);
/* What the driver gave by a map. False: nothing. */
CLAW_HIDDEN bool claw_demand_mapped(const struct claw_call *call,
				    struct claw_access *ret_access);

/* ---- kernels (command_kernels.c); outside of the lock */

CLAW_HIDDEN void claw_kernels_begin(void);
CLAW_HIDDEN void claw_kernels_look(const struct claw_call *call,
				   struct claw_demand *demand);
CLAW_HIDDEN void claw_kernels_set_arg(const struct claw_call *call);
/* Under the lock: the same of a launch, as far as the kernel is known already
 * and uses nothing but that. False: it is not. */
CLAW_HIDDEN bool claw_kernels_demand(const struct claw_launch *launch,
				     struct claw_demand *demand);
/* Text of a name's number. */
CLAW_HIDDEN const char *claw_kernels_name(uint16_t name);

/* ---- memory (command_memory.c) */

/* Outside of the lock, this one: the ledger's entry, if it is there. */
CLAW_HIDDEN bool claw_memory_look(enum claw_obj object, uint64_t handle,
				  struct claw_ledger_entry *ret_entry);
CLAW_HIDDEN void claw_memory_begin(void);
/* A memory object or shared memory was made, as far as it is special. */
CLAW_HIDDEN void claw_memory_created(const struct claw_call *call);
/* A destructor callback tells the program of the end of all that uses it. */
CLAW_HIDDEN void claw_memory_has_callback(uint64_t handle);
CLAW_HIDDEN bool claw_memory_take_callback(uint64_t handle);
/* A part's accesses become its parent's. False: not known whose. */
CLAW_HIDDEN bool claw_memory_resolve(struct claw_access *access);
/* Host memory behind a buffer, shared memory: does it lie in there? */
CLAW_HIDDEN bool claw_memory_is_special(uint64_t start, uint64_t bytes);
CLAW_HIDDEN void claw_memory_svm_freed(uint64_t start);
/* Fine-grained shared memory: the host may watch kernels at work. */
CLAW_HIDDEN bool claw_memory_is_watched(void);
/* Kernels use memory that no call has named. */
CLAW_HIDDEN void claw_memory_system_svm(void);

/* A buffer in the program's own memory. */
struct claw_host_buffer {
	uint64_t handle, serial, start, bytes;
	uint32_t site, released_site, freed_site;
	uint16_t api;
	bool released, freed;
};
/* By index from 0; NULL: behind the last. handle 0: none. */
CLAW_HIDDEN struct claw_host_buffer *claw_memory_host_buffer(unsigned int i);
CLAW_HIDDEN struct claw_host_buffer *
claw_memory_find_host_buffer(uint64_t handle, uint64_t serial);

/* ---- what is wrong (command_findings.c) */

/* Findings that wait until the lock is left. */
struct claw_found_list {
	struct claw_found_entry entries[4];
	unsigned int count;
};
/* There is nothing in it; what an entry is to be is set when it is added. */
static inline void claw_found_list_begin(struct claw_found_list *list)
{
	list->count = 0;
}
CLAW_HIDDEN void claw_found_list_write(const struct claw_found_list *list);
CLAW_HIDDEN struct claw_found_entry *
claw_found_list_add(struct claw_found_list *list, enum claw_found_kind kind);
CLAW_HIDDEN struct claw_found_place
claw_command_place(const struct claw_command *command, enum claw_obj object);

/* Against what was enqueued before it. */
CLAW_HIDDEN void claw_find_unordered(const struct claw_command *command,
				     struct claw_found_list *list);
CLAW_HIDDEN void claw_find_used_early(const struct claw_command *command,
				      struct claw_found_list *list);
/* Does a pending command use that memory object? */
CLAW_HIDDEN bool claw_find_is_used(const struct claw_ledger_entry *entry);
/* Commands that stood behind that gate begin now. */
CLAW_HIDDEN void claw_find_opened(uint64_t bit, struct claw_found_list *list);
/* The last reference of a memory object is given up. */
CLAW_HIDDEN void claw_find_release(const struct claw_call *call,
				   const struct claw_ledger_entry *entry,
				   struct claw_found_list *list);
CLAW_HIDDEN void claw_find_svm_free(const struct claw_call *call,
				    uint64_t start,
				    struct claw_found_list *list);
CLAW_HIDDEN void claw_find_abandoned(const struct claw_call *call,
				     const struct claw_event *event,
				     struct claw_found_list *list);
/* The newest pending command that uses it (index + 1, 0: none); the number
 * of them. serial: of its root. */
CLAW_HIDDEN uint32_t claw_find_user(enum claw_where where, uint64_t object,
				    uint64_t root, uint64_t serial,
				    uint64_t *ret_count);

#endif
