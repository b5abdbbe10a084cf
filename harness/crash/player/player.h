/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw-replay: does the calls of a captured program again, in one process
 * and one thread, with objects, memory and events of its own in the places of
 * the captured ones. What it leaves out or makes up it says in its report
 * (player_report.h). Nothing of the trace is believed: what cannot be done as
 * it was done is skipped.
 */
#ifndef CLAW_PLAYER_H
#define CLAW_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/api_sig.h"
#include "harness/base/arena.h"
#include "harness/crash/dump/dump.h"
#include "player_report.h"
#include "replay_order.h"

struct claw_played_kernel;

/* The substitute for a captured object. */
struct claw_played {
	bool is_made;
	bool is_waiting;	/* a user event whose status is not set */
	uint64_t value;		/* our handle, or a pointer to SVM or a mapping */
	int64_t references;	/* of ours, as far as the trace tells */
	struct claw_played_kernel *kernel;	/* of a kernel, or NULL */
	/* Of a mapping: */
	cl_command_queue queue;
	size_t row_pitch, slice_pitch, element_bytes, region[3];
	bool is_ready;		/* the host may use it */
};

struct claw_player {
	const struct claw_trace *trace;
	struct claw_played *objects;	/* number N is objects[N - 1] */
	cl_platform_id platform;
	cl_device_id device;		/* that was chosen */
	struct claw_arena *arena;	/* of the call that is done now */
	struct claw_arena *kept;	/* until the end */
	void *scratch;			/* tree of where reads go */
	unsigned char *made_up;		/* bytes of contents that are not known */
	size_t made_up_bytes;
	int report;			/* file, or -1 */
	const char *reads;		/* directory for what reads give, or NULL */
	const struct claw_replay_fault *faults;
	size_t fault_count;
	uint64_t waiting_events;	/* user events whose status is not set */
	claw_object_id filled;		/* that gets its contents now, or 0 */
	bool is_incomplete;		/* something was left out or made up */
	/* Of the call: */
	uint32_t index;
	cl_int errcode;
	char why[256];			/* it is skipped for this reason; "": not */
};

/* A rule for one call (player_faults.c). */
struct claw_replay_fault {
	uint32_t number;		/* of the call */
	char *rule;
};

__attribute__((format(printf, 2, 3)))
void claw_player_skip(struct claw_player *player, const char *format, ...);
/* A line in the report about the call. */
__attribute__((format(printf, 3, 4)))
void claw_player_say(struct claw_player *player, const char *word,
		     const char *format, ...);

/* ---- player_objects.c: handles --------------------------------------- */

/* The devices that are there, in place of those of the capture. NULL, or why
 * there are none. */
const char *claw_player_devices(struct claw_player *player);
/*
 * Our handle for an argument of the call that is done now.
 *
 * word: what the program passed, where no object is known.
 *
 * Returns false when the call has to be skipped (player->why).
 */
bool claw_player_handle(struct claw_player *player, claw_object_id object,
			uint64_t word, uint64_t *ret_value);
/* An object that had this handle when the call was made, or 0. */
claw_object_id claw_player_find(const struct claw_player *player,
				enum claw_obj type, uint64_t handle,
				uint64_t *ret_offset);
void claw_player_made(struct claw_player *player, claw_object_id object,
		      uint64_t value);
/* May the reference be given back? Calls that the ring forgot may have taken
 * others. */
bool claw_player_may_release(struct claw_player *player,
			     const struct claw_trace_call *call);
/* After the call, by what it does to references. */
void claw_player_count(struct claw_player *player,
		       const struct claw_trace_call *call, bool succeeded);
/* All that was enqueued is waited for. */
void claw_player_finish(struct claw_player *player);

/* ---- player_memory.c: bytes ------------------------------------------ */

/* Memory that stays, for what the program had at that address. NULL: none. */
void *claw_player_scratch(struct claw_player *player, uint64_t address,
			  size_t bytes);
/* Bytes of a content, from the dump or made up; number: index + 1, or 0. */
const void *claw_player_content(struct claw_player *player, uint32_t number,
				size_t length);
/* What a packed content is in the memory that a transfer's parameters tell
 * of; also for reads: how much memory they reach. */
const void *claw_player_source(struct claw_player *player,
			       const struct claw_trace_call *call,
			       const struct claw_trace_arg *arg);
size_t claw_player_reach(struct claw_player *player,
			 const struct claw_trace_call *call, size_t packed);
/* The program wrote into what was mapped before it gave it back. */
void claw_player_write_mapping(struct claw_player *player,
			       const struct claw_trace_call *call,
			       const struct claw_trace_arg *arg);
/* Memory objects that are older than the trace get what was in them. */
void claw_player_fill_memory(struct claw_player *player);
/* A memory object's content before a launch. */
void claw_player_fill_object(struct claw_player *player, claw_object_id object,
			     uint32_t content, bool lost);
/* Report the result of a read: now, or at the end. */
void claw_player_read_done(struct claw_player *player,
			   const struct claw_trace_call *call);
void claw_player_report_reads(struct claw_player *player);

/* ---- player_args.c, player_callbacks.c, player_kernels.c, player_calls.c */

/*
 * A parameter's value, from what was captured.
 *
 * local: variable of the parameter's type, of size bytes.
 *
 * Returns false when the call has to be skipped.
 */
bool claw_player_fill(struct claw_player *player,
		      const struct claw_trace_call *call, unsigned int param,
		      void *local, size_t size);
/*
 * The bytes of a list or value that the driver may look at: those that the dump
 * has, or more where the call's own count says so, with zeros then. Count and
 * list come from the dump, and need not fit.
 *
 * *room: bytes that there are; set to how many there have to be.
 *
 * Returns false when that is more than any call has, and it has to be skipped.
 */
bool claw_player_room(struct claw_player *player,
		      const struct claw_trace_call *call, unsigned int param,
		      size_t *room);
/* The same for lists of events with one that is not there: they are made
 * shorter, count being the parameter before. */
void claw_player_shorten(struct claw_player *player,
			 const struct claw_trace_call *call,
			 void *const *locals);
/* A function of the type that the parameter wants. */
void claw_player_fill_callback(enum claw_api api, void *local, size_t size);
/* After the call: what it gave out through its parameters. */
void claw_player_take(struct claw_player *player,
		      const struct claw_trace_call *call, void *const *locals);

/* The kernel's arguments are as they were at this launch. */
bool claw_player_set_arguments(struct claw_player *player,
			       const struct claw_trace_call *call);
/* The captured program set one. */
void claw_player_argument_set(struct claw_player *player,
			      const struct claw_trace_call *call);

/* Do one call. */
void claw_player_play(struct claw_player *player, uint32_t index);

/* Rules for calls, from a file of the host's; false: it cannot be read. */
bool claw_player_read_faults(struct claw_player *player, const char *path);
/* Around a call: its rules are armed, and disarmed again. */
struct claw_player_armed {
	int ids[8];
	unsigned int count;
};
void claw_player_arm(struct claw_player *player, uint32_t number,
		     struct claw_player_armed *ret_armed);
void claw_player_disarm(struct claw_player *player,
			const struct claw_player_armed *armed);

#endif
