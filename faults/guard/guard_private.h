/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the guard zones share: contexts and how their buffers are
 * guarded (guard_contexts.c), the guarded buffers (found by
 * handle in guard_table.c, made in guard_create.c; in the program's memory:
 * guard_shadow.c, guard_sync.c, guard_maps.c), the pattern in their zones
 * (guard_pattern.c), launches (guard_launches.c) and how the zones are looked
 * at behind them: by a function of ours on a processor that shares our memory
 * (guard_native.c), by a kernel elsewhere (guard_kernel.c).
 */
#ifndef CLAW_GUARD_PRIVATE_H
#define CLAW_GUARD_PRIVATE_H

#include <pthread.h>

#include "faults/life/found.h"
#include "guard_shadow.h"
#include "faults/call/guest.h"

/* ---- the pattern (guard_pattern.c) */

enum {
	CLAW_ZONE_SMALL = 1024,		/* bytes on either side */
	CLAW_ZONE_LARGE = 4096,		/* of a buffer of at least */
	CLAW_ZONE_LARGE_FROM = 65536,	/* these bytes */
	CLAW_PATTERN_STARTS = 1 << 14,
	CLAW_PATTERN_BYTES = 1 << 17,	/* starts, and the largest two zones */
};

/* Words that depend on where they stand; a zone's begin at one of STARTS
 * words. No byte is one that programs often write (0, 0xff, ...). */
CLAW_HIDDEN const uint8_t *claw_pattern(void);
/* Another start for each buffer: what is copied from one buffer's zone to
 * another's is seen. */
CLAW_HIDDEN uint32_t claw_pattern_next_start(void);

/* ---- contexts (guard_contexts.c) */

enum claw_guard_mode {
	CLAW_GUARD_NONE,	/* this driver's buffers cannot be guarded */
	CLAW_GUARD_HOST,	/* buffers live in memory of ours, which the device uses */
	CLAW_GUARD_PART,	/* buffers are parts of larger ones */
};

struct claw_guard_context {
	struct claw_guard_context *next;
	cl_context context;
	enum claw_guard_mode mode;
	size_t align;			/* bytes, of all devices */
	cl_mem_flags plain_flags;	/* what the driver says of a buffer's flags 0, */
	cl_mem_flags copy_flags;	/* and of CL_MEM_COPY_HOST_PTR alone */
	uint64_t largest;		/* allocation of its smallest device */
	struct claw_guard_home *homes;	/* PART: of its devices */
	uint64_t serial;		/* in the ledger */
	uint32_t references;		/* atomic */
	uint32_t home_references;	/* to the context, that homes have: atomic */
	uint32_t parts;			/* buffers that are parts: atomic */
	uint32_t part_references;	/* to the context, that a part has besides
					 * its whole's */
	uint32_t whole_references;	/* that the driver counts for a part */
	bool lax;			/* the driver makes parts that reach past the end */
	bool in_place;			/* its devices use our memory, and call our functions */
	uint8_t apart;			/* enum claw_apart: atomic */
};

/* The context's record, made when it is the first time; NULL: no memory. The
 * caller gives it back. */
CLAW_HIDDEN struct claw_guard_context *claw_guard_context_get(cl_context context);
CLAW_HIDDEN void claw_guard_context_put(struct claw_guard_context *context);
/* A new context has that handle. */
CLAW_HIDDEN void claw_guard_context_forget(cl_context context);
/* Those that the program has nothing of any more give up what the guest has
 * made in them. */
CLAW_HIDDEN void claw_guard_contexts_sweep(void);
/* What the kernels found by now. now: whatever it costs. */
CLAW_HIDDEN void claw_guard_contexts_collect(bool now);
/* To the context, that are the guest's. */
CLAW_HIDDEN cl_uint claw_guard_context_references(cl_context context);
/* The buffer is about to lose a reference of the program's. */
CLAW_HIDDEN void claw_guard_contexts_let_go(const void *mem);
CLAW_HIDDEN void claw_guard_contexts_begin(void);

/* ---- guarded buffers */

/*
 * A buffer between two zones: front bytes, the program's bytes, back bytes, one
 * behind the other. In use as long as the driver has the program's buffer, and
 * as long as somebody has still to look at it.
 */
struct claw_zone {
	struct claw_zone *next;		/* in the table */
	struct claw_guard_context *context;
	cl_mem mem;			/* the program's handle */
	uint8_t *memory;		/* ours, from the front zone on; else NULL */
	struct claw_shadow *shadow;	/* of the program's memory, or NULL */
	uint8_t *host;			/* the program's, that mappings are in, or NULL */
	struct claw_map *maps;		/* of that */
	uint32_t maps_of;		/* the process that counts it there */
	uint32_t untaken;		/* nothing has used what is in there: atomic */
	cl_mem whole;			/* PART: what it is a part of */
	size_t front, bytes, back;
	cl_mem_flags flags;		/* as the program gave them */
	uint32_t start;			/* of its pattern, in words */
	uint32_t references;		/* atomic */
	uint32_t under_way;		/* launches with it that were not looked at: atomic */
	uint32_t unpainted;		/* PART: the zones are to be filled yet: atomic */
	uint32_t kept;			/* PART: by parts of it, of the program's: atomic */
	cl_command_queue queue;		/* of the last of them: atomic */
	uint32_t site;			/* that made it */
	uint16_t api;
	bool crossed;			/* nothing puts some of them in an order: atomic */
};

/* The pattern into memory that begins with the front zone. (guard_create.c) */
CLAW_HIDDEN void claw_zone_fill(const struct claw_zone *zone, uint8_t *memory);
/* Of a part of it, or of an image on it: where it begins in the program's
 * bytes. */
CLAW_HIDDEN size_t claw_zone_origin(const struct claw_zone *zone,
				    const void *mem);

/* ---- the table (guard_table.c) */

CLAW_HIDDEN void claw_zones_begin(void);
/* In place of another one with its handle; takes a reference of its own. */
CLAW_HIDDEN void claw_zones_add(struct claw_zone *zone);
/* If it is still there. */
CLAW_HIDDEN void claw_zones_remove(struct claw_zone *zone);
/* Whatever has that handle is gone. */
CLAW_HIDDEN void claw_zones_forget(const void *mem);
/* The guarded buffer with that handle, or NULL; the caller gives it back. */
CLAW_HIDDEN struct claw_zone *claw_zones_find(const void *mem);
/* The one that the object is, or is made on: a sub-buffer, an image. */
CLAW_HIDDEN struct claw_zone *claw_zones_find_under(const void *mem);
CLAW_HIDDEN void claw_zone_put(struct claw_zone *zone);
static inline void claw_zone_hold(struct claw_zone *zone)
{
	__atomic_fetch_add(&zone->references, 1, __ATOMIC_RELAXED);
}
CLAW_HIDDEN bool claw_zones_are_any(void);

/* ---- whole calls; before and after the driver */

/* guard_create.c */
CLAW_HIDDEN void claw_guard_create(struct claw_call *call);
CLAW_HIDDEN void claw_guard_created(struct claw_call *call);
/* guard_queries.c */
CLAW_HIDDEN void claw_guard_answer(struct claw_call *call);
CLAW_HIDDEN void claw_guard_answer_context(struct claw_call *call);
/* guard_ranges.c */
CLAW_HIDDEN void claw_guard_check_range(struct claw_call *call);
/* guard_images.c: the same of images, and of buffers beside them. */
CLAW_HIDDEN void claw_guard_check_images(struct claw_call *call);

/* What a transfer touches of one buffer: up to end bytes from offset. */
struct claw_range {
	const void *mem;
	unsigned int param;		/* where it is named */
	uint64_t offset, bytes;
	bool overflows;			/* more than can be counted */
};

CLAW_HIDDEN void claw_guard_check_one_range(struct claw_call *call,
					    const struct claw_range *range);
/* Of a transfer of buffers, or of a part that is made; how many of at most
 * CLAW_MAX_TOUCHES. */
CLAW_HIDDEN unsigned int claw_ranges_find(const struct claw_call *call,
					  struct claw_range *ret_ranges);

/* guard_maps.c: mappings of buffers that devices have apart from the program's
 * memory. */
enum claw_apart { CLAW_APART_UNKNOWN, CLAW_APART_YES, CLAW_APART_NO };

CLAW_HIDDEN bool claw_maps_work(struct claw_guard_context *context);
/* It has zone->host, and is made; is being freed. */
CLAW_HIDDEN void claw_maps_add(struct claw_zone *zone);
CLAW_HIDDEN void claw_maps_free(struct claw_zone *zone);
CLAW_HIDDEN void claw_maps_before(struct claw_call *call);
CLAW_HIDDEN void claw_maps_after(struct claw_call *call);
CLAW_HIDDEN void claw_maps_begin(void);

/* guard_sync.c: of those that have a shadow. */
CLAW_HIDDEN void claw_guard_sync_before(struct claw_call *call);
/* For a launch, before claw_guard_launched(). */
CLAW_HIDDEN void claw_guard_sync_after(struct claw_call *call);
/* The program will be told that a buffer is gone, and that its memory is its
 * own again. */
CLAW_HIDDEN void claw_guard_sync_destruction(const struct claw_call *call);
/* guard_arguments.c */
enum { CLAW_ARGUMENTS_MAX = 128 };

/* The guarded buffers of a launch, each referenced. */
struct claw_arguments {
	bool all;			/* that is all of them */
	bool has_part;			/* a sub-buffer ends inside its buffer */
	unsigned int count;
	struct claw_zone *zones[CLAW_ARGUMENTS_MAX];
	uint32_t indices[CLAW_ARGUMENTS_MAX];
};

CLAW_HIDDEN void claw_arguments_find(const struct claw_call *call,
				     struct claw_arguments *ret_arguments);
CLAW_HIDDEN void claw_arguments_put(const struct claw_arguments *arguments);

/* guard_launches.c */
CLAW_HIDDEN void claw_guard_launches_begin(void);
CLAW_HIDDEN void claw_guard_launching(struct claw_call *call);
CLAW_HIDDEN void claw_guard_launched(struct claw_call *call);

/* The driver is not asked: it was, or need not be. */
static inline void claw_guard_give(struct claw_call *call, void *handle)
{
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	call->injected = call->guarded = true;
	call->ret = handle;
	call->err = CL_SUCCESS;
	if (errcode)
		*errcode = CL_SUCCESS;
}

/* ---- the event of the program's call (guard_events.c) */

/* Out of order, what is put behind the call has to wait for it: an event of
 * ours where the program asks for none. */
CLAW_HIDDEN void claw_guard_event_lend(struct claw_call *call,
				       cl_command_queue queue);
CLAW_HIDDEN bool claw_guard_event_is_lent(const struct claw_call *call);
CLAW_HIDDEN void claw_guard_event_take_back(struct claw_call *call);
/* The one that the call gave out, to whomever, or NULL. */
CLAW_HIDDEN cl_event claw_guard_event_of(const struct claw_call *call);
/* Has it already failed? What waits for such an event hangs on pocl 3.1. */
CLAW_HIDDEN bool claw_guard_event_is_lost(cl_event event);

/* ---- what waits for a launch (guard_order.c) */

CLAW_HIDDEN void claw_guard_order_begin(void);
/* A launch has given out its event; the check's is ours to release from now
 * on. */
CLAW_HIDDEN void claw_guard_order_add(cl_event launch, cl_event check);
/* The launch's event is released. */
CLAW_HIDDEN void claw_guard_order_forget(cl_event launch);
/* Checks that are done are nothing to wait for. */
CLAW_HIDDEN void claw_guard_order_prune(void);
/* The call's wait list, with the checks of the launches in it; and as it
 * was. */
CLAW_HIDDEN void claw_guard_order_lengthen(struct claw_call *call);
CLAW_HIDDEN void claw_guard_order_put_back(struct claw_call *call);
/* It waits for such a check. */
CLAW_HIDDEN bool claw_guard_order_is_behind(const struct claw_call *call);
/* Let it wait for an event of ours, too, which is given up in any case. */
CLAW_HIDDEN void claw_guard_order_wait_for(struct claw_call *call,
					   cl_event event);

/* ---- looking at zones (guard_checks.c) */

enum { CLAW_CHECK_ZONES = 8 };

/* A function of ours in a queue (guard_native.c); first in what it is about. */
struct claw_native {
	struct claw_native *next;
	void (*run)(struct claw_native *native);	/* the driver is not called there */
	void (*free)(struct claw_native *native);
	cl_event event;			/* its own, kept as long as it is */
	uint32_t users;			/* who enqueued it, and who runs it: atomic */
};

/* What a launch could have written to. */
struct claw_check {
	struct claw_native native;
	struct claw_check *next, *previous;
	cl_command_queue queue;
	bool in_order;			/* the queue is */
	bool is_behind;			/* its launch waits for a former check */
	bool lost;			/* a later one in that queue is done */
	bool is_rest;			/* of a launch that counts elsewhere */
	uint32_t slot, mark;		/* on a board */
	struct claw_found_place at;
	uint64_t number;		/* of the launch, in the process */
	char kernel[64];
	unsigned int count;
	struct {
		struct claw_zone *zone;	/* referenced */
		uint32_t argument;
	} items[CLAW_CHECK_ZONES];
};

/* What is wrong with one zone. */
struct claw_damage {
	uint64_t bytes;			/* that are not as they were; 0: none */
	int64_t offset;			/* of the first, from the buffer's begin */
	uint8_t value;			/* there */
};

CLAW_HIDDEN void claw_checks_begin(void);
/* An empty one, or NULL: too many are under way. It counts as a launch that is
 * not checked until it is; one of the rest of a launch's zones, once it is, as
 * none. */
CLAW_HIDDEN struct claw_check *claw_check_new(void);
/* Take a zone in, and its reference. */
CLAW_HIDDEN void claw_check_add(struct claw_check *check, struct claw_zone *zone,
				uint32_t argument);
/* One of its zones was looked at. */
CLAW_HIDDEN void claw_check_found(const struct claw_check *check, unsigned int item,
				  const struct claw_damage *damage);
/* All of them were, or none was and nobody will: its zones are given back. */
CLAW_HIDDEN void claw_check_close(struct claw_check *check, bool was_done);
/* After that, it is, too. */
CLAW_HIDDEN void claw_check_free(struct claw_check *check);

/* ---- by a function of ours (guard_native.c) */

/* Put it into the queue, behind those events; *ret_event, if not NULL, is its
 * own. run is called once, and free some time later. False: the driver did not
 * take it, and neither is. */
CLAW_HIDDEN bool claw_native_put(struct claw_native *native,
				 cl_command_queue queue, cl_uint wait_count,
				 const cl_event *wait_list,
				 cl_event *ret_event);
/* What was done meanwhile is freed; is there anything? */
CLAW_HIDDEN bool claw_natives_are_waiting(void);
CLAW_HIDDEN void claw_natives_settle(void);
CLAW_HIDDEN void claw_natives_begin(void);
/* Put it into the queue, behind the launch whose event (or NULL) it has to
 * wait for; *ret_event, if not NULL, is its own. False: the driver did not take
 * it. */
CLAW_HIDDEN bool claw_native_enqueue(struct claw_check *check, cl_event launch,
				     cl_event *ret_event);
/* Does such a device use our memory, and call our functions? */
CLAW_HIDDEN bool claw_native_works(cl_context context, cl_device_id device);
/* Is it nothing but a processor? A simulator says that it is one and anything
 * else, too; what a kernel writes outside of a buffer does not reach our memory
 * there. */
CLAW_HIDDEN bool claw_native_is_processor(cl_device_id device);

/* ---- parts of larger buffers (guard_part.c) */

/* Does the driver make such buffers, and images on them as on others? */
CLAW_HIDDEN bool claw_parts_work(struct claw_guard_context *context,
				 const cl_device_id *devices, unsigned int count);
/* Make zone->whole and zone->mem: in zone->memory, if it is not NULL; else the
 * program's bytes are copied from host, if that is not NULL. */
CLAW_HIDDEN bool claw_part_make(struct claw_zone *zone, const void *host);
CLAW_HIDDEN bool claw_part_is_too_large(const struct claw_guard_context *context,
					size_t bytes, const void *host);
/* It is being freed. */
CLAW_HIDDEN void claw_part_gone(struct claw_zone *zone);
/* clCreateSubBuffer of a guarded buffer: made on its whole. */
CLAW_HIDDEN void claw_part_make_sub(struct claw_call *call);
/* Handles that were kept for parts of the program's are given back; are there
 * any? */
CLAW_HIDDEN bool claw_parts_are_waiting(void);
CLAW_HIDDEN void claw_parts_settle(void);
/* Fill those zones that are not yet, for a launch in that queue. */
CLAW_HIDDEN void claw_parts_paint(struct claw_zone *const *zones,
				  unsigned int count, cl_command_queue queue);
CLAW_HIDDEN bool claw_parts_are_unpainted(void);
CLAW_HIDDEN void claw_parts_begin(void);

/* ---- by a kernel (guard_kernel.c, guard_source.h) */

/* Where things are on a board, in words. */
enum {
	CLAW_BOARD_SLOTS = 4096,
	CLAW_BOARD_DONE = 1,		/* word 0: how often anything was wrong */
	CLAW_BOARD_RESULTS = CLAW_BOARD_DONE + CLAW_BOARD_SLOTS,
	CLAW_BOARD_SLOT_WORDS = 2 * CLAW_CHECK_ZONES,	/* firsts, counts */
	CLAW_BOARD_WORDS = CLAW_BOARD_RESULTS +
			   CLAW_BOARD_SLOTS * CLAW_BOARD_SLOT_WORDS,
};

/* What the guest has on one device of a context. */
struct claw_guard_home {
	struct claw_guard_home *next;
	cl_device_id device;
	cl_command_queue queue;		/* in order, for nothing but short transfers */
	cl_program program;
	cl_kernel kernel;
	cl_mem board;
	cl_mem set[CLAW_CHECK_ZONES];	/* what the kernel's arguments are */
	size_t group;			/* work-items */
	bool works, shares;		/* shares: the device writes to words */
	uint32_t *words;		/* the board as we see it */
	pthread_mutex_t lock;		/* of all from here on, and of the kernel's
					 * arguments */
	struct claw_check *oldest, *newest;	/* under way */
	uint32_t mark, seen, free_count;
	uint64_t collected_ns;
	uint16_t free_slots[CLAW_BOARD_SLOTS];
};

/* Of the queue's device, made when it is the first time; NULL: it cannot be,
 * or we are inside of it. */
CLAW_HIDDEN struct claw_guard_home *
claw_home_of(struct claw_guard_context *context, cl_command_queue queue);
CLAW_HIDDEN void claw_homes_begin(void);
CLAW_HIDDEN bool claw_homes_are_any(void);
/* As claw_native_enqueue(). */
CLAW_HIDDEN bool claw_home_enqueue(struct claw_guard_home *home,
				   struct claw_check *check, cl_event launch,
				   cl_event *ret_event);
CLAW_HIDDEN void claw_home_collect(struct claw_guard_home *home, bool now);
/* Fill the zones, now: it waits for nothing of the program's. */
CLAW_HIDDEN bool claw_home_paint(struct claw_guard_home *home,
				 struct claw_zone *const *zones,
				 unsigned int count);
/* Those of the program's bytes, now. */
CLAW_HIDDEN bool claw_home_write(struct claw_guard_home *home,
				 const struct claw_zone *zone,
				 const void *from);
/* The program releases it: no argument of ours is to keep it. */
CLAW_HIDDEN void claw_home_let_go(struct claw_guard_home *home, cl_mem whole);
CLAW_HIDDEN void claw_home_release(struct claw_guard_home *home);

/* ---- what the kernel wrote (guard_board.c); under the lock */

/* Is the device a processor, that may write to our memory? */
CLAW_HIDDEN bool claw_board_is_shared(const struct claw_guard_home *home);
CLAW_HIDDEN bool claw_board_make(struct claw_guard_home *home, cl_context context);
CLAW_HIDDEN void claw_board_add(struct claw_guard_home *home,
				struct claw_check *check);
CLAW_HIDDEN bool claw_board_read(struct claw_guard_home *home);
CLAW_HIDDEN void claw_board_clear(struct claw_guard_home *home, uint32_t slot);
CLAW_HIDDEN void claw_board_collect(struct claw_guard_home *home, bool now);
/* Nobody will know of the others. */
CLAW_HIDDEN void claw_board_give_up(struct claw_guard_home *home);

#endif
