/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the export of a launch share (emit_clw.h). */
#ifndef CLAW_EMIT_CLW_PRIVATE_H
#define CLAW_EMIT_CLW_PRIVATE_H

#include <stdbool.h>
#include <stdio.h>

#include "emit_clw.h"
#include "emit_clw_memory.h"
#include "emit_clw_values.h"
#include "harness/cases/clw/init_args.h"
#include "harness/cases/clw/init_kernels.h"

struct claw_emit_launch {
	struct claw_emit_clw *spec;
	const struct claw_trace *trace;
	const struct claw_trace_call *call;
	claw_object_id kernel, program;
	struct claw_emit_memories memories;
	struct claw_init_answer answer;
	const json_t *args;		/* as the driver describes them, or NULL */
	char *source;
	char *options;			/* or NULL */
	char *why;			/* it cannot be said */
	int error;
	FILE *out;
};

/* Say why it cannot be said. Returns false. */
__attribute__((format(printf, 2, 3)))
bool claw_emit_refuse(struct claw_emit_launch *e, const char *format, ...);
/* What is known of an argument of the kernel's. */
struct claw_init_arg claw_emit_describe(const struct claw_emit_launch *e,
					uint32_t index);
/* The call that made it, or NULL. */
const struct claw_trace_call *claw_emit_maker(const struct claw_emit_launch *e,
					      claw_object_id object);
/* "float4" or "float". */
void claw_emit_type_text(char text[16], struct claw_clw_type type);

/* The lines of an argument that is a buffer (emit_clw_buffers.c). False: it
 * cannot be said. */
bool claw_emit_buffer(struct claw_emit_launch *e,
		      const struct claw_trace_kernel_arg *arg);

#endif
