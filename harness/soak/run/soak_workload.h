/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a soak runs: a program of the user's, a kernel file in one process that
 * loops, or a suite again and again.
 */
#ifndef CLAW_SOAK_WORKLOAD_H
#define CLAW_SOAK_WORKLOAD_H

#include <stdint.h>

#include "harness/cases/clw/clw.h"
#include "harness/base/options.h"

enum claw_soak_kind {
	CLAW_SOAK_PROGRAM,	/* an iteration is a clean end, unless it counts */
	CLAW_SOAK_KERNEL,	/* openclaw-kernel --loop, which counts */
	CLAW_SOAK_SUITE,	/* openclaw test, an iteration is a clean end */
};

struct claw_soak_workload {
	enum claw_soak_kind kind;
	char *name;		/* "tile", "saxpy.clw", "kernel_memory" */
	char **argv;		/* NULL-terminated */
	char *shape;		/* of a kernel's output: "(512, 512)", or NULL */
	size_t loop_word;	/* KERNEL: place in argv of its number of iterations */
};

/* What a suite's command is given, too. */
struct claw_soak_suite_words {
	const struct claw_strings *models;
	const char *device;
	const char *directory;	/* where its results go */
	uint64_t timeout_ms;	/* of a case, 0: as it says */
};

/* argv of a program: up to its NULL. */
void claw_soak_workload_program(char *const *argv,
				struct claw_soak_workload *ret_workload);
/* test: one of the file's, or NULL: each in turn. */
void claw_soak_workload_kernel(const struct claw_clw *clw, const char *test,
			       uint64_t seed,
			       struct claw_soak_workload *ret_workload);
/* name: a suite's name, or a file or folder. */
int claw_soak_workload_suite(const char *name,
			     const struct claw_soak_suite_words *words,
			     struct claw_soak_workload *ret_workload);
void claw_soak_workload_release(struct claw_soak_workload *workload);

/* A kernel's process is to end by itself after so many iterations; 0: never. */
void claw_soak_workload_limit(struct claw_soak_workload *workload,
			      uint64_t iterations);

#endif
