/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stub driver's objects. One fat struct serves every kind: the first word
 * is the loader's dispatch table (cl_khr_icd), the second a magic number by
 * which an invalid handle is told from a valid one. Dead objects are kept
 * for a while with another magic, so that using one is an error, not a crash.
 */
#ifndef STUB_OBJECT_H
#define STUB_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "faults/shared/api.h"
#include "faults/shared/api_sig.h"

enum { STUB_MAGIC = 0x53547562, STUB_DEAD = 0x6445614d };
enum { STUB_MUTABLE_COMMAND = CLAW_OBJ_COUNT };	/* beyond enum claw_obj */
enum { STUB_MAX_ARGS = 16, STUB_ARG_BYTES = 64, STUB_MAX_DEVICES = 8 };

struct stub_callback {
	struct stub_callback *next;
	cl_int trigger;			/* events: CL_COMPLETE ... */
	void (*function)(void);		/* as registered, by kind of object */
	void *user_data;
};

struct stub_arg {
	bool set;
	bool is_pointer;		/* an SVM or USM address */
	size_t bytes;
	unsigned char value[STUB_ARG_BYTES];
};

struct stub_object {
	const struct _cl_icd_dispatch *dispatch;
	cl_uint magic;
	int kind;			/* enum claw_obj */
	atomic_int refs;		/* the program's */
	atomic_int uses;		/* other objects that need this one */
	struct stub_object *next_dead;

	struct stub_object *context, *queue, *parent;
	struct stub_object *devices[STUB_MAX_DEVICES];
	cl_uint device_count;
	struct stub_callback *callbacks;
	cl_ulong flags;			/* memory, queue, sampler properties */
	cl_ulong *properties;		/* as given, with the final 0 */
	size_t property_count;

	/* memory */
	size_t size, offset;
	unsigned char *bytes;
	void *host_ptr;
	bool owns_bytes;
	cl_mem_object_type mem_type;
	cl_image_format format;
	cl_image_desc desc;
	cl_uint map_count, packet_bytes, packet_count;

	/* program, kernel */
	char *text;			/* source, or the kernel's name */
	char *options;
	cl_build_status build_status;
	cl_program_binary_type binary_type;
	struct stub_arg args[STUB_MAX_ARGS];

	/* event */
	cl_int status;
	cl_command_type command;
	cl_ulong time_ns;
	struct stub_object **waits_for;
	cl_uint wait_count;
	struct stub_object *next_pending;

	/* command buffer, sampler, semaphore */
	cl_uint state;
	cl_addressing_mode addressing;
	cl_filter_mode filter;
};

/* Copy an answer out as the clGet*Info functions do. */
cl_int stub_answer(const void *answer, size_t bytes, size_t param_value_size,
		   void *param_value, size_t *param_value_size_ret);

#endif
