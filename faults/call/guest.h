/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of the guest: the dispatch table below it, the
 * flags that the wrappers test, and a call in progress.
 */
#ifndef CLAW_GUEST_H
#define CLAW_GUEST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "faults/journal/journal.h"
#include "faults/shared/ledger_format.h"
#include "faults/shared/api_sig.h"
#include "faults/shared/plan.h"
#include "faults/journal/site.h"

/* Alone on its page: sizeof is a multiple of the largest page size. */
#if defined(__x86_64__) || defined(__i386__)
#define CLAW_PAGE_BYTES 4096
#else
#define CLAW_PAGE_BYTES 65536
#endif

/*
 * How a wrapper goes about a call of its function. LONG is 0, because that
 * is what a forked child reads; of the others, those that do more are greater.
 *
 * What each is for, in ns: clRetainMemObject() and clReleaseMemObject(), and a
 * launch, on the stub driver in make bench's sessions, this way and the long
 * way by turns (best of six rounds, on a busy machine):
 *
 *	SHORT	  idle			32 : 65		75 : 98
 *	COUNTED	  one rule, when=	35 : 68		75 : 100
 *	THREADS	  20 rules, thread=	36 : 99		71 : 132
 *	RECORDED  all calls recorded	49 : 99		82 : 139
 *	TRACKED	  ledger		36 : 73
 *	EVENT_OUT the same			68 : 104
 *	METERED	  and meters		40 : 80		114 : 143
 *	TRACED	  capture		46 : 91		99 : 192
 *
 * TIMED was not measured apart: it is SHORT and a clock.
 */
enum claw_way {
	CLAW_LONG,	/* marshal, claw_enter(), call, claw_leave() */
	CLAW_SHORT,	/* count and call */
	CLAW_COUNTED,	/* rules without conditions but when= look at it */
	CLAW_THREADS,	/* rules for other threads look at it */
	CLAW_RECORDED,	/* count, call, write a record */
	CLAW_TRACKED,	/* count, call, tell the ledger */
	CLAW_EVENT_OUT,	/* the same, if there is an event to tell of */
	CLAW_TIMED,	/* count, call, maybe look how long it took (slow.h) */
	CLAW_METERED,	/* count, call, tell the ledger and the meters */
	CLAW_TRACED,	/* count, record, call, tell the ledger and the trace */
	CLAW_CHECKED,	/* the ledger knows it all: count, call; else LONG (checked.h) */
};

/*
 * The page that every wrapper reads once: the way of each function. In a
 * forked child the kernel shows the page as
 * zeros (MADV_WIPEONFORK), which sends each call the long way round, where
 * alive tells that this process has not begun yet.
 */
struct claw_page {
	uint8_t way[CLAW_JOURNAL_MAX_APIS];	/* enum claw_way */
	uint32_t alive;
	uint32_t beginning;	/* a thread of the child is at it */
} __attribute__((aligned(CLAW_PAGE_BYTES)));
extern struct claw_page claw_page;

/* The ways COUNTED and THREADS: is there nothing to do about this call?
 * Else it takes the long way. */
bool claw_is_quiet(enum claw_api api, enum claw_way way);

/* The way RECORDED: write the record of a call that has just returned. */
void claw_record_short(enum claw_api api, const void *handle, uint64_t bytes,
		       cl_int result);

/* The table below us, a private copy; slots that the loader lacks are NULL. */
extern struct _cl_icd_dispatch claw_next;

/* A call on its way through the guest. Zeroed by claw_call_begin() and nowhere
 * else, on every way. */
struct claw_call {
	const void *const *args;	/* addresses of the parameters, in order */
	void *ret;		/* HANDLE or POINTER result */
	struct claw_journal_thread *thread;
	uint64_t start_ticks, ordinal;
	uint64_t blocked_record;	/* number of the record that says BLOCKS */
	const struct claw_call *outer;	/* that this thread was in before */

	enum claw_api api;
	cl_int err;		/* STATUS result; else the code of a failed creation */
	uint32_t site;		/* number in the journal, 0: not captured */
	cl_uint made_count;	/* of a list, when the program did not ask */

	uint16_t flags;		/* enum claw_record_flags */
	uint16_t rule;		/* index + 1 */
	uint16_t fault;
	bool injected;		/* the guest has the result, the driver is not called */
	bool ours;		/* made by the guest itself: let it be */
	bool post;		/* claw_leave() has to look at the result */
	bool held;		/* injected, and a success for all but the driver (life.h) */
	bool guarded;		/* injected, because the guest asked the driver itself */

	/* What each feature keeps of it. */
#define SLOT(name_, ...) struct { __VA_ARGS__ } name_;
#include "stages.def"
} __attribute__((aligned(16)));

/* A record of a call that has not been looked at yet. Of memset() compilers
 * make a string instruction here, which takes 10 ns. */
static inline void claw_call_begin(struct claw_call *call, enum claw_api api,
				   const void *const *args)
{
	typedef uint64_t pair __attribute__((vector_size(16), may_alias));
	pair *at = (pair *)call;

#pragma GCC unroll 32
	for (unsigned int i = 0; i < sizeof(*call) / sizeof(*at); i++)
		at[i] = (pair){ 0, 0 };
	call->api = api;
	call->args = args;
}

/* Does the program take it that the driver did this? */
static inline bool claw_call_is_real(const struct claw_call *call)
{
	return !call->injected || call->held || call->guarded;
}

/*
 * The long way: everything that is decided about a call before and after
 * the driver is called. args: the addresses of the parameters.
 */
void claw_enter(struct claw_call *call);
/* The program's call that this thread is in, or NULL. A program that left it by
 * a jump or an exception leaves the address of a frame that is no more. */
extern __thread const struct claw_call *claw_call_under_way
	__attribute__((tls_model(CLAW_TLS_MODEL))) CLAW_HIDDEN;
void claw_leave(struct claw_call *call);
/* Between them, when the driver has said no: is it to be asked once more? */
bool claw_call_again(struct claw_call *call);

/* Parameter by role: its value (or 0), its address (or NULL). */
/* A parameter by its name, of a function that has that one in that place; and
 * one by its position. */
#define CLAW_ARG(call_, fn_, name_) CLAW_ARG_IN((call_)->args, fn_, name_)
#define CLAW_ARG_AT(call_, type_, i_) (*(type_ const *)(call_)->args[i_])
/* Address of the wrapper's own copy of an argument, which may be changed. */
#define CLAW_ARG_PLACE(call_, fn_, name_)				\
	((__typeof__(((struct claw_args_##fn_ *)0)->name_) *)		\
	 (uintptr_t)(call_)->args[CLAW_AT(fn_, name_)])
/* The object that it retains, releases or is about. */
#define CLAW_ARG_FIRST(call_) CLAW_ARG_AT(call_, void *, 0)
void *claw_arg_pointer(const struct claw_call *call, enum claw_role role);
const void *claw_arg_address(const struct claw_call *call, enum claw_role role);
/* Has it a parameter blocking_..., that is not CL_FALSE? */
bool claw_call_is_blocking(const struct claw_call *call);
/* Is it a command that blocks, or a call of CLAW_G_SYNC that is no command? */
bool claw_call_waits(const struct claw_call *call);
/* Is its result a fault's, or what follows of one? Not so that of guard zones. */
bool claw_call_is_injected(const struct claw_call *call);
/* Entries of a list parameter: its count, and the first entry. */
uint32_t claw_arg_list(const struct claw_call *call, enum claw_role role,
		       void *const **ret_list);
/* Bytes that the call asks for or moves; 0 where it does neither. */
uint64_t claw_call_bytes(const struct claw_call *call);
cl_mem_flags claw_call_flags(const struct claw_call *call);
/* The pointers that clEnqueueSVMFree() frees; how many. With a function of the
 * program's own it is that which frees them: 0. */
uint32_t claw_call_freed(const struct claw_call *call,
			 void *const **ret_list);
/* The image that a call is to make, however it describes it. False: it makes
 * none. Pointers are the program's; desc may be that of the structure. */
struct claw_new_image {
	cl_mem_flags flags;
	const cl_image_format *format;
	const cl_image_desc *desc;
	cl_image_desc old;
};
bool claw_call_new_image(const struct claw_call *call,
			 struct claw_new_image *ret);
/* The object that the call is about, for the record. */
uint64_t claw_call_handle(const struct claw_call *call);

/* Make the call fail with this code; nothing reaches the driver. */
void claw_fail(struct claw_call *call, cl_int code);

/* Guest calls its own driver calls between these two; what they reach
 * through the loader again is not the program's. */
void claw_ours_begin(void);
void claw_ours_end(void);
extern __thread unsigned int claw_ours_depth
	__attribute__((tls_model(CLAW_TLS_MODEL))) CLAW_HIDDEN;
static inline bool claw_ours_is_on(void)
{
	return claw_ours_depth != 0;
}
/* Around a function of the program's that the driver calls back: its calls are
 * the program's, even within a call of ours. */
unsigned int claw_ours_leave(void);
void claw_ours_return(unsigned int depth);
/* Is this thread within such a function? It must not wait for the driver then:
 * the thread may be the one that everybody waits for. */
bool claw_is_called_back(void);

/* Make every call go the long way (state that concerns all calls exists). */
void claw_watch_all(void);
extern _Atomic bool claw_watching CLAW_HIDDEN;
static inline bool claw_is_watching(void)
{
	return atomic_load_explicit(&claw_watching, memory_order_relaxed);
}
/* Set the ways anew from the rules, the record mode and claw_is_watching()
 * (ways.c); each call recomputes all of them. */
void claw_set_ways(void);
extern pthread_mutex_t claw_ways_lock CLAW_HIDDEN;

/* Find out where the program made the call, once. */
CLAW_HIDDEN void claw_call_site(struct claw_call *call);
/* Fill in a record of a call, as far as it is known. */
CLAW_HIDDEN void claw_call_record(struct claw_journal_record *record,
				  const struct claw_call *call, uint16_t flags);
/* Set the observer of events about calls, called before each is written; one,
 * or NULL. */
CLAW_HIDDEN void
claw_call_events_tell(void (*listener)(const struct claw_call *call,
				       uint16_t flags));
/* The same of each event's record. */
CLAW_HIDDEN void
claw_records_tell(void (*listener)(const struct claw_journal_record *record));
/* Write an event about this call; returns its number. */
uint64_t claw_write_event(struct claw_call *call, uint16_t extra_flags);
CLAW_HIDDEN uint64_t
claw_write_record(const struct claw_journal_record *record);
/* The same with a string of the journal in place of the handle, for no rule;
 * of the call, only api, args, ret and err are looked at. */
void claw_write_slow(const struct claw_call *call, uint16_t flags,
		     uint32_t string);

/* Monotonic time, ns. */
uint64_t claw_now_ns(void);
/* Sleep at least that long, whatever signals come. */
void claw_sleep_ns(uint64_t ns);

/* ---- the process (process.c) */
extern struct claw_guest {
	uint64_t seed, nonce;
	bool allow_illegal;
	enum claw_record_mode record;
	bool record_queries;
	bool all_sites;
	enum claw_ledger_mode ledger;
	bool meters;
	uint32_t find;			/* enum claw_found_mode: what is looked for */
	uint64_t mem_timeout_ns;	/* CLW_MEM_TIMEOUT_MS; 0: allocations may take for ever */
	uint64_t first_call_ns;		/* CLOCK_MONOTONIC of the process's first call */
	bool begun;			/* calls may be going on: rules come one by one */
	char exe[256];			/* base name of the program */
} claw_guest;

/*
 * Claim an attach method for this process; the first caller gets it. It must
 * then fill in claw_next and start.
 *
 * caller: an address in the loader.
 *
 * Returns false, with a message, if the guest is already attached by the other
 * method: the caller must pass calls through.
 */
bool claw_door_take(enum claw_door door, const void *caller);
/* Calls come from now on. hooked: slots that are ours. */
void claw_door_open(unsigned int hooked);

/* Start in this process, or anew in a forked child; end (begin.c). */
void claw_guest_begin(bool forked);
void claw_guest_end(void);
/* clawArmOPENCLAW and its sisters (arm.c), or NULL. */
CLAW_HIDDEN void *claw_arm_find(const char *name);
/* As much of it as fits, ended. */
CLAW_HIDDEN void claw_copy_text(char *to, size_t size, const char *from,
				size_t length);
/* One line on stderr, "openclaw: ...". */
void claw_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- crashes (watch.c) */
/* From now on a fatal signal's frames are written before it is delivered. */
void claw_watch_begin(bool with_registers);
/* A driver may have put its own handler of SIGABRT in place of ours. */
void claw_watch_again(void);

/* ---- objects (handles.c) */
void claw_handles_reset(void);
/* A handle that is not valid, of the same driver as parent. NULL: no more. */
void *claw_handles_make_invalid(const void *parent);
/* A NULL was handed out as a success: NULL handles are watched from now on. */
void claw_handles_gave_null(void);
/* Does the call use a NULL or an invalid handle? Then it is answered. */
bool claw_handles_check(struct claw_call *call);
/* The code for a bad handle of that role; 0: none is. */
cl_int claw_handles_code(enum claw_role role);
/* Live memory objects, for null=arg. */
void claw_handles_track_mems(void);
/* Before the driver is called: afterwards another may have that address.
 * True: the object was known, and a release that fails has to be taken back
 * with claw_handles_kept_mem(). */
bool claw_handles_releasing_mem(void *mem);
void claw_handles_kept_mem(void *mem);
/* A call was a success. */
CLAW_HIDDEN void claw_handles_after(const struct claw_call *call);
bool claw_handles_is_live_mem(const void *mem);
bool claw_handles_are_tracked(void);

/* ---- whose a call is (device_whose.c) */
CLAW_HIDDEN void claw_whose_reset(void);
/* Index of a device as `openclaw info --list` counts, or -1. */
int claw_device_index(cl_device_id device);
unsigned int claw_device_count(void);
/* The device with that index, or NULL. */
cl_device_id claw_device_at(unsigned int index);
/* The device that this is a part of, or itself. */
cl_device_id claw_device_whole(cl_device_id device);
/* Of what follows from no rule. */
#define CLAW_NO_RULE UINT32_MAX
/* Devices that the call concerns, at most max; 0 when none can be told. Parts
 * of a device count as the device. */
unsigned int claw_device_of_call(const struct claw_call *call,
				 cl_device_id *devices, unsigned int max);
/* Does it name its devices, or the queue of one, or take memory on them? Else
 * they are those of its context, and one that is well is enough for it. */
bool claw_device_needs_each(const struct claw_call *call);
/* The queue that the call goes into, also one that its event belongs to; and
 * its context. The caller is within claw_ours_begin(). */
CLAW_HIDDEN cl_command_queue claw_device_queue_of(const struct claw_call *call);
CLAW_HIDDEN cl_context claw_device_context_of(const struct claw_call *call);
/* Who knows of events that are not of the queue that the driver says: that
 * queue, or NULL. */
CLAW_HIDDEN void
claw_device_queue_tell(cl_command_queue (*teller)(cl_event event));
CLAW_HIDDEN cl_command_queue_properties
claw_queue_properties(cl_command_queue queue);
/* May the queue's commands run in any order? */
bool claw_device_is_out_of_order(cl_command_queue queue);

/* ---- kinds of commands (command_types.c) */
/* The command type of a function's event; CL_COMMAND_USER: unknown. */
cl_command_type claw_command_type(enum claw_api api);
/* "CL_COMMAND_READ_BUFFER", or NULL. */
const char *claw_command_name(enum claw_api api);

#endif
