/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw-kernel: run one test of a kernel file (clw.h) on one device, in a
 * process of its own, and say what it did as a suite's program does
 * (suites/case_result.h). What the kernel may bring down with it is written
 * before the launch.
 *
 * Functions that return bool say whether to go on; when not, the run's
 * outcome has been set by claw_kernel_skip(), _fail(), _fail_call() or
 * _refuse().
 */
#ifndef CLAW_KERNEL_H
#define CLAW_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suites/suite_device.h"
#include "harness/cases/clw/clw.h"

/* As suites/suite_main.h says. */
enum claw_kernel_status {
	CLAW_KERNEL_HELD = 0, CLAW_KERNEL_FAILED = 1, CLAW_KERNEL_USAGE = 64,
	CLAW_KERNEL_SKIPPED = 77, CLAW_KERNEL_BROKEN = 99,
};

struct claw_kernel_options {
	const char *file, *test;
	uint64_t seed;
	unsigned int repeat;	/* launches, 0: as the file says */
	bool metrics;
	bool bare;		/* OPENCLAW_GUARD=0: nothing but the test's own bytes */
	bool loop;		/* again and again (kernel_loop.c) */
	uint64_t iterations;	/* of the loop, 0: until it is ended */
};

/* The memory or sampler of one argument. */
struct claw_kernel_object {
	const struct claw_clw_arg *in, *out;	/* one of them may be NULL */
	cl_mem memory;		/* what the kernel is given, or NULL */
	cl_mem parent;		/* of a sub-buffer made for this argument, or NULL */
	cl_sampler sampler;
	void *host;		/* of CL_MEM_USE_HOST_PTR and _COPY_HOST_PTR */
	size_t size_bytes;
	size_t front_bytes;	/* of ours before it, in the parent */
	size_t guard_bytes;	/* of ours behind it */
	unsigned int pattern;	/* of the zones' two, 0 or 1 */
	bool is_image, is_freed, is_null;
};

struct claw_kernel_run {
	struct claw_kernel_options options;
	const struct claw_clw *clw;
	const struct claw_clw_test *test;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	struct claw_kernel_object *objects;
	size_t object_count;
	bool is_launched;	/* and not yet known to have ended well */
	/* what it measured */
	unsigned int launches, timed;
	double kernel_ms;	/* sum over the timed ones */
	/* how it ended: the first thing that went wrong */
	enum claw_kernel_status status;
	unsigned int line;	/* of the file, 0: none */
	bool is_source_line;	/* of the file that the source is in */
	bool is_call;		/* a call gave an error */
	char message[1024];
};

/* ---- kernel_outcome.c ------------------------------------------------ */

/* All return false. line: of the kernel file, 0: none. */
bool claw_kernel_fail(struct claw_kernel_run *run, unsigned int line,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* call gave err for arg (NULL: for none); what that means is found out. */
bool claw_kernel_fail_call(struct claw_kernel_run *run, const char *call,
			   const struct claw_clw_arg *arg, cl_int err);
bool claw_kernel_skip(struct claw_kernel_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The file asks for what cannot be: exit status 64. */
bool claw_kernel_refuse(struct claw_kernel_run *run, unsigned int line,
			const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* More about the failure that has just been set, in words. */
void claw_kernel_add(struct claw_kernel_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The host has no memory for what the kernel file asks for: a case that could
 * not run, not the end of openclaw-kernel (harness/base/memory.h). */
bool claw_kernel_break(struct claw_kernel_run *run, const char *what);

/* "CL_INVALID_VALUE (-30)": a buffer that lives until the fourth next call. */
const char *claw_kernel_code(cl_int code);
/* "int3[15]": the same. */
const char *claw_kernel_type(const struct claw_clw_arg *arg);
/* The argument's line: arg_in, or arg_out where that is all there is. */
const struct claw_clw_arg *
claw_kernel_about(const struct claw_kernel_object *object);

/* ---- kernel_place.c -------------------------------------------------- */

/* Attribute the following calls to this argument (NULL: the test) in messages
 * of the layer. */
void claw_kernel_at(const struct claw_kernel_run *run,
		    const struct claw_kernel_object *object);
/* Before the kernel file goes. */
void claw_kernel_at_nothing(void);

/* ---- kernel_device.c ------------------------------------------------- */

/* Choose the device, say what it is, compare it with what the file and the
 * test need; then open a context and a queue. */
bool claw_kernel_open(struct claw_kernel_run *run);

/* ---- kernel_build.c -------------------------------------------------- */

/* Build the program, and make the test's kernel if it has one. */
bool claw_kernel_build(struct claw_kernel_run *run);
/* Make the kernel of a program that is built. */
bool claw_kernel_create(struct claw_kernel_run *run);

/* ---- kernel_args.c --------------------------------------------------- */

/* Make and fill what the arguments need. */
bool claw_kernel_make(struct claw_kernel_run *run);
/* Hand everything to the kernel; then release what is to be freed. */
bool claw_kernel_set(struct claw_kernel_run *run);
void claw_kernel_release(struct claw_kernel_run *run);

/* ---- kernel_buffer.c, kernel_image.c --------------------------------- */

bool claw_kernel_make_buffer(struct claw_kernel_run *run,
			     struct claw_kernel_object *object);
/* The memory of target, a buffer that has been made, or a part of it. alias:
 * the line that says so. */
bool claw_kernel_make_alias(struct claw_kernel_run *run,
			    struct claw_kernel_object *object,
			    const struct claw_clw_arg *alias,
			    const struct claw_kernel_object *target);

bool claw_kernel_make_image(struct claw_kernel_run *run,
			    struct claw_kernel_object *object);
bool claw_kernel_read_image(struct claw_kernel_run *run,
			    const struct claw_kernel_object *object,
			    void *bytes);

/* ---- kernel_guard.c -------------------------------------------------- */

/* The bytes of the zone before or behind an argument's memory, and those of
 * memory that the test does not write. */
void claw_kernel_guard_fill(const struct claw_kernel_object *object,
			    bool is_front, unsigned char *bytes);
void claw_kernel_poison(unsigned char *bytes, size_t count);
/* A guard zone's size for an argument that the file gives one. */
size_t claw_kernel_guard_bytes(const struct claw_kernel_run *run,
			       const struct claw_kernel_object *object);
/* Look at all guard zones; what was written to is a finding and a failure. */
void claw_kernel_guard_check(struct claw_kernel_run *run);

/* ---- kernel_launch.c ------------------------------------------------- */

/* One launch with fresh arguments, waited for and timed. The objects are
 * there afterwards. */
bool claw_kernel_launch(struct claw_kernel_run *run);
/* The metric lines. */
void claw_kernel_measure(const struct claw_kernel_run *run);

/* ---- kernel_loop.c --------------------------------------------------- */

/* The test of options, or each of the file in turn, launched and compared again
 * and again in this process, each time with fresh objects; every one is told to
 * the layer (clawIterationOPENCLAW). Ends after so many, or when nothing but
 * errors of calls comes. */
enum claw_kernel_status claw_kernel_loop(const struct claw_kernel_options *options,
					 const struct claw_clw *clw);
/* Release what a run has. */
void claw_kernel_close(struct claw_kernel_run *run);

/* ---- kernel_compare.c ------------------------------------------------ */

/* Read back every arg_out and compare. */
bool claw_kernel_compare(struct claw_kernel_run *run);

#endif
