/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do probes change what a kernel writes? They must not, but a driver may make
 * something else of the rewritten text. The first launch of each kernel runs
 * both ways on copies of what it could write to, which are compared; a kernel
 * whose results differ has no probes from then on.
 */
#ifndef CLAW_INSTRUMENT_VERIFY_H
#define CLAW_INSTRUMENT_VERIFY_H

#include "instrument_private.h"

enum claw_verified_state {
	CLAW_VERIFIED_NOT,	/* not looked yet, or it cannot be */
	CLAW_VERIFIED_SAME,
	CLAW_VERIFIED_CHANGED,
};

/* ---- copies of what a kernel could write to (instrument_verify_copies.c) */

struct claw_verify_copy {
	cl_mem of, mem;
	bool is_image;
	size_t bytes;
	size_t region[3];		/* an image's */
};

struct claw_verify_argument {
	cl_uint index;
	cl_mem given, instead;		/* NULL: stays */
};

struct claw_verify_copies {
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;		/* ours */
	uint64_t bytes, most;		/* of all of them */
	unsigned int count, argument_count;
	struct claw_verify_copy list[CLAW_PROBE_ARGUMENTS];
	struct claw_verify_argument arguments[CLAW_PROBE_ARGUMENTS];
};

/* Of what the launch could write to. 0, or enum claw_probe_unverified. */
CLAW_HIDDEN uint32_t
claw_verify_copies_make(struct claw_verify_copies *copies,
			const struct claw_probed_kernel *kernel,
			const struct claw_kernel_twin *twin);
CLAW_HIDDEN void claw_verify_copies_release(struct claw_verify_copies *copies);
/* Have the kernel's arguments be the copies, or the program's own again. */
CLAW_HIDDEN bool
claw_verify_copies_set(const struct claw_verify_copies *copies, cl_kernel kernel,
		       bool to_copies);
/* Have them be as the originals are. */
CLAW_HIDDEN bool
claw_verify_copies_fill(const struct claw_verify_copies *copies);
/* Of what is in all of them. */
CLAW_HIDDEN bool
claw_verify_copies_hash(const struct claw_verify_copies *copies,
			uint64_t ret_hash[2]);

/* ---- */

CLAW_HIDDEN void claw_verify_begin(void);
/* What is known of the kernel of that name; as long as the process. NULL: no
 * memory. */
CLAW_HIDDEN struct claw_verified *claw_verified_of(struct claw_words *words,
						   const char *name);
/* Before a launch with probes, with the kernel's lock; the first one is tried
 * out. False: the program's own kernel has to run. */
CLAW_HIDDEN bool claw_verify_launch(const struct claw_call *call,
				    struct claw_probed_kernel *kernel,
				    struct claw_kernel_twin *twin);

#endif
