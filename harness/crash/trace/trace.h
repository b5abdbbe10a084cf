/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A captured program in memory: its OpenCL calls in order, with handles told
 * apart as objects and pointers as what they pointed at. Made from a trace
 * (trace_read.h) or from a dump (dump.h); analysed, replayed, made smaller
 * and written out as C by others. Nothing in it is an address of ours.
 */
#ifndef CLAW_TRACE_H
#define CLAW_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/api.h"
#include "faults/shared/trace_format.h"

/* An object, by its number from 1; 0 is NULL, or a handle that none of the
 * known objects has (the argument keeps its word then). */
typedef uint32_t claw_object_id;

struct claw_trace_object {
	enum claw_obj type;
	uint64_t handle;	/* in the captured process, for people only */
	uint32_t made_by;	/* call (index + 1); 0: older than the trace (devices,
				 * platforms; what was dropped) */
	uint32_t gone_by;	/* call (index + 1) after which it is gone, 0: alive */
	uint32_t released_by;	/* call (index + 1) of the program's last release, 0: none;
				 * what is not gone by that is kept by another object */
	claw_object_id parent;	/* context of a queue, program of a kernel, ... */
	uint64_t bytes;		/* of memory */
	/* Of memory: what was in it before the first call that is known:
	 * content (index + 1), or 0 and why. */
	uint32_t first_content;
	bool first_content_lost;	/* it had one that is not known */
};

/* Kinds of arguments, by the parameter's type and role. */
enum claw_arg_kind {
	CLAW_ARG_WORD,		/* a number, flags, an enum: word */
	CLAW_ARG_NULL,		/* a pointer or handle that was NULL */
	CLAW_ARG_OBJECT,	/* objects[0]; unknown handle: 0 and word */
	CLAW_ARG_OBJECTS,	/* a list: objects, count */
	CLAW_ARG_BYTES,		/* bytes, size: a const input (sizes, a pattern, text) */
	CLAW_ARG_PROPERTIES,	/* bytes: words with a 0 at the end; a word that is a
				 * handle has its object in objects (same index) */
	CLAW_ARG_CONTENT,	/* content: bytes that the host gave (write, host_ptr) */
	CLAW_ARG_TEXTS,		/* texts of clCreateProgramWith*: contents, count */
	CLAW_ARG_LENGTHS,	/* the lengths of those: bytes */
	CLAW_ARG_OUT,		/* where the driver writes: size bytes (a read's
				 * destination, an info query), word is the address */
	CLAW_ARG_MADE,		/* where it writes handles: objects, count */
	CLAW_ARG_ERRCODE,
	CLAW_ARG_CALLBACK,	/* a function of the program's */
	CLAW_ARG_USER_DATA,
	CLAW_ARG_MAPPED,	/* objects[0]: a mapping; word: offset in it */
	CLAW_ARG_SVM,		/* objects[0]: an SVM allocation; word: offset in it */
	/*
	 * Beside these: OBJECTS has the handles as bytes, too. BYTES that hold
	 * one handle have its object in objects[0] (clSetKernelArg's value,
	 * cl_image_desc), clSetKernelExecInfo's one a word. MAPPED and SVM have
	 * in contents[0] what the program put there, when contents is not
	 * NULL. CONTENT and TEXTS whose bytes were not kept: contents[0] is 0.
	 * OUT's size is what the call says, however large; 0: cannot be told.
	 * A handle of what is gone is the object that it was (gone_by tells).
	 * An asynchronous record has one argument: the event or context, and
	 * the text that it was told as bytes.
	 */
};

struct claw_trace_arg {
	enum claw_arg_kind kind;
	uint64_t word;
	uint32_t count;			/* of objects or contents */
	claw_object_id *objects;	/* of the trace's memory */
	const void *bytes;		/* of the trace's memory, or NULL */
	size_t size;			/* bytes */
	uint32_t *contents;		/* index + 1 each; 0: not known */
};

/* A kernel's argument at a launch. */
struct claw_trace_kernel_arg {
	uint32_t index;
	claw_object_id object;	/* memory, sampler, queue, SVM; or 0 */
	uint64_t offset;	/* SVM: in the allocation */
	bool is_local, is_svm, is_null;	/* is_null: a NULL memory object */
	uint64_t size;		/* arg_size */
	const void *value;	/* size bytes; NULL for local memory and objects */
	uint32_t before;	/* content read back before the launch (index + 1), or 0 */
};

struct claw_trace_call {
	enum claw_api api;	/* CLAW_API_COUNT: an event's status arrived */
	uint64_t position;	/* in the ring: unique, for people ("#12") see number */
	uint32_t number;	/* from 1, in this trace */
	uint64_t ordinal;
	uint32_t thread;
	uint32_t site;		/* in the journal, or 0 */
	uint16_t flags;		/* enum claw_record_flags */
	uint16_t rule, fault;
	int32_t result;
	bool returned;		/* false: still in it at the end */
	bool kept;		/* older than the ring: known because what it made lives */
	uint64_t begin_ticks, end_ticks;
	claw_object_id made;	/* by its return value, or 0 */
	uint32_t arg_count;
	struct claw_trace_arg args[CLAW_MAX_PARAMS];
	/* A launch: the kernel's arguments, by index; count 0 with
	 * args_unknown where they could not be kept. */
	uint32_t kernel_arg_count;
	bool args_unknown;
	struct claw_trace_kernel_arg *kernel_args;
};

struct claw_trace_bytes {
	uint64_t hash[2];
	uint64_t length;
	const void *bytes;	/* NULL: only the hash is known */
	/* A text that came from the program's file system is found by hash. */
};

struct claw_trace {
	struct claw_trace_call *calls;	/* in order of entry: kept ones first */
	uint32_t call_count;
	struct claw_trace_object *objects;	/* number N is objects[N - 1] */
	uint32_t object_count;
	struct claw_trace_bytes *contents;	/* index + 1 names one */
	uint32_t content_count;
	uint32_t first_ring_call;	/* index of the first that is not kept */
	uint64_t forgotten;		/* calls that the ring has lost */
	uint64_t damaged;		/* records that were not intact */
	uint64_t contents_lost;
	/* Chosen launches whose arguments were not read back, by why. */
	uint64_t unread[CLAW_UNREAD_REASONS];
	uint32_t trigger;		/* call (index + 1), or 0 */
	bool redacted;
	enum claw_capture_buffers buffers;
	void *memory;			/* private: where all of it lives */
};

void claw_trace_free(struct claw_trace *trace);

static inline const struct claw_trace_object *
claw_trace_object_get(const struct claw_trace *trace, claw_object_id id)
{
	return id && id <= trace->object_count ? &trace->objects[id - 1] : NULL;
}

/* "buffer 3", "kernel 2 'blur'": in a buffer of its own, overwritten by the
 * eighth call after it. */
const char *claw_trace_object_name(const struct claw_trace *trace,
				   claw_object_id id);
/* The name that a kernel was made with, or "". */
const char *claw_trace_kernel_name(const struct claw_trace *trace,
				   claw_object_id kernel);
/* The kernel that a launch launches, or 0. */
claw_object_id claw_trace_launched(const struct claw_trace_call *call);
/* The argument whose parameter has that role, or NULL. */
const struct claw_trace_arg *
claw_trace_arg_find(const struct claw_trace_call *call, enum claw_role role);

/*
 * A copy without some calls: keep[i] is for calls[i]. Objects that are not
 * made any more are 0 wherever they were used; numbers of the others change.
 *
 * The copy borrows the bytes of contents from trace, which has to stay.
 */
struct claw_trace *claw_trace_select(const struct claw_trace *trace,
				     const bool *keep);

#endif
