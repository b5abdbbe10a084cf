/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw-clw-worker: runs workloads for a program that uses libclw, in a
 * process that may crash. It reads the workload's file, which the library
 * leaves to it, and does the rest through the library.
 */
#ifndef CLAW_CLW_WORKER_H
#define CLAW_CLW_WORKER_H

#define CLW_NO_PLACES
#include "libclw/clw.h"
#include "libclw/wire.h"

#include <stdbool.h>

#include "harness/cases/clw/clw.h"

enum { CLAW_WORKER_ARGS = 256 };

/* An argument of the launch: what the program gave, else what the file says. */
struct claw_worker_arg {
	bool is_there;
	enum clw_arg_kind kind;
	bool is_output;
	size_t size;			/* bytes */
	const void *data;		/* of the request or the file; NULL: zeros */
	bool is_null;			/* a NULL buffer */
	char type[16];			/* "float4", or "" */
	size_t count;			/* elements */
	struct clw_buffer *buffer;
};

struct claw_worker_run {
	const char *path, *function, *test;
	struct claw_clw *file;		/* NULL: it has no header */
	unsigned int dimensions;
	bool has_local;
	size_t global[3], local[3];
	struct claw_worker_arg args[CLAW_WORKER_ARGS];
	unsigned int count;
	struct clw_kernel *kernel;
	uint64_t elapsed_ns;
};

/* What could not be done; where it was not the library that said so. */
struct claw_worker_error {
	int status;			/* enum clw_status */
	cl_int cl_code;
	char message[1024];
};
int claw_worker_fail(struct claw_worker_error *error, int status,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What the library's last call failed with. */
int claw_worker_fail_clw(struct claw_worker_error *error);

/* Read a request: run's texts and data are in it. */
int claw_worker_read(struct clw_wire *request, struct claw_worker_run *run,
		     struct claw_worker_error *error);
/* Make the kernel and the buffers, launch, wait. stage(user, stage) is called
 * as it goes. */
int claw_worker_launch(struct clw_context *context, struct claw_worker_run *run,
		       void (*stage)(enum clw_stage stage),
		       struct claw_worker_error *error);
/* Append the outputs, read from the device. */
int claw_worker_results(const struct claw_worker_run *run,
			struct clw_wire *reply, struct claw_worker_error *error);
void claw_worker_release(struct claw_worker_run *run);

#endif
