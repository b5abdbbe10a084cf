/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the export to C share (emit.h). */
#ifndef CLAW_EMIT_PARTS_H
#define CLAW_EMIT_PARTS_H

#include <stdio.h>

#include "emit.h"

enum {
	CLAW_EMIT_ARGUMENTS = 256,	/* of a kernel whose values are known */
	CLAW_EMIT_DATA = 1,
	CLAW_EMIT_TEXT = 2,		/* of a program */
};

struct claw_emit {
	const struct claw_trace *trace;
	FILE *out;		/* of the calls */
	char *text;		/* they, when all are there */
	size_t text_size;
	unsigned char *used;	/* contents that are loaded, index as in the trace:
				 * CLAW_EMIT_DATA, CLAW_EMIT_TEXT */
	struct claw_emit_kernel {
		const struct claw_trace_kernel_arg **arguments;
	} *kernels;		/* by object: what is set */
	/* What is injected is counted by function, ours included. */
	uint64_t counts[CLAW_API_COUNT];
	uint64_t *numbers;	/* by call: which one of its function it is; 0:
				 * it is not made */
	uint32_t made_up;	/* contents and values that are not known */
	bool has_gates;		/* user events: a wait may not end */
};

/* Functions of the program's own: in front of all others. */
extern const char claw_emit_frame[], claw_emit_device_finder[];

/* "buffer_3": in a buffer of its own, overwritten by the eighth call after. */
const char *claw_emit_name(const struct claw_trace *trace, claw_object_id id);
/* "cl_mem", or "void *" for what is a pointer. */
const char *claw_emit_type(enum claw_obj type);
/* A call's parameter, as C. */
void claw_emit_arg(struct claw_emit *emit, const struct claw_trace_call *call,
		   unsigned int param);
/* A value of so many bytes, as a pointer: "&(cl_int){ 7 }". */
void claw_emit_value(FILE *out, const void *bytes, size_t size);
/* "CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR"; false: it is a plain number. */
bool claw_emit_flags(FILE *out, enum claw_api api, unsigned int param,
		     uint64_t value);
/* "CL_RGBA", "0x1234" */
void claw_emit_number(FILE *out, uint64_t value);
/* A word of a list of properties, the value of a key or a key. */
void claw_emit_key(FILE *out, uint64_t key, uint64_t value, bool is_value);
/* Lines as they are, those that are too long in several. */
void claw_emit_wrap(FILE *out, const char *text);
/* Is it made before devices are looked for? */
bool claw_emit_is_early(const struct claw_trace_call *call);
/* One call with all that has to come before it and what is expected. */
void claw_emit_call(struct claw_emit *emit, uint32_t index);
/* Is it none that the program makes? Then why, for a comment; "": nothing is
 * to be said. */
const char *claw_emit_left_out(const struct claw_trace_call *call);

#endif
