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
	/* What the file says of it, or NULL: the program gave it. */
	const struct claw_clw_arg *in, *out;
	struct clw_buffer *buffer;	/* of an alias: the other argument's */
	size_t offset;			/* where it begins there */
	cl_mem memory;			/* an image, or a part of the buffer */
	cl_sampler sampler;
};

struct claw_worker_run {
	const char *path, *function, *test;
	uint64_t seed;
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
int claw_worker_take(struct clw_wire *request, struct claw_worker_run *run,
		     struct claw_worker_error *error);
/* Make the kernel and the buffers, launch, wait. stage(user, stage) is called
 * as it goes. */
int claw_worker_launch(struct clw_context *context, struct claw_worker_run *run,
		       void (*stage)(enum clw_stage stage),
		       struct claw_worker_error *error);
/* Arguments that are more than a whole buffer (worker_objects.c): is it one, and
 * make it, with its contents, for the run's kernel. */
bool claw_worker_is_object(const struct claw_worker_arg *arg);
/* It is the memory of another one, which has to be there before. */
bool claw_worker_is_alias(const struct claw_worker_arg *arg);
int claw_worker_set_object(struct clw_context *context,
			   struct claw_worker_run *run, unsigned int index,
			   struct claw_worker_error *error);
/* All but the buffer. */
void claw_worker_free_object(struct claw_worker_arg *arg);
/* Put into a buffer or an image what is said of it, or zeros; read it. */
int claw_worker_fill(struct clw_context *context,
		     const struct claw_worker_run *run,
		     const struct claw_worker_arg *arg,
		     struct claw_worker_error *error);
int claw_worker_get(struct clw_context *context,
		    const struct claw_worker_arg *arg, void *bytes,
		    struct claw_worker_error *error);

/* Append the outputs, read from the device. */
int claw_worker_results(struct clw_context *context,
			const struct claw_worker_run *run,
			struct clw_wire *reply, struct claw_worker_error *error);
/* Of the device, for this argument alone. */
uint64_t claw_worker_bytes(const struct claw_worker_arg *arg);
void claw_worker_release(struct claw_worker_run *run);

#endif
