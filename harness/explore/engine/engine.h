/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw-explore: runs cases of one kernel, as libFuzzer asks for them, on one
 * device with probes in the kernel, and keeps what it learns in the state
 * (explore_state.h). It may be ended by the kernel at any time. Run with
 * --finish, it makes the smallest case of each finding that counts.
 */
#ifndef CLAW_ENGINE_H
#define CLAW_ENGINE_H

#include "suites/suite_device.h"
#include "harness/explore/case/explore_state.h"

struct claw_engine {
	const char *directory;		/* of the exploration */
	unsigned int number;		/* of this engine */
	uint64_t seed, seconds;
	char *source, *options;
	char *given;			/* of options: the user's, or NULL */
	struct claw_assume *assumes;
	unsigned int assume_count;
	const char *smaller;		/* of --smaller, or NULL */
	bool emits, expects, compares, is_unguided;
	bool keeps_results;		/* of each launch */
	unsigned int ulp;		/* that results may be off */
	unsigned int repeats;		/* launches in a kernel file; 0: one */
	unsigned char *results[CLAW_EXPLORE_ARGS];	/* of the last launch, or NULL */
	struct claw_explore_plan plan;
	struct claw_explore_state *state;
	struct claw_explore_verdict verdict;	/* as it was some cases ago */
	uint64_t start_ms, offset_ms;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	claw_probes_clear clear;
	claw_probes_read read;
	claw_probes_reach reach;
	struct claw_probe_answer answer;	/* of the last launch */
};

/* Functions that return int: 0, or a negative error that was printed. */

/* The device, the program, the layer's functions. */
int claw_engine_open(struct claw_engine *engine);
/* One launch: engine->answer is filled. */
cl_int claw_engine_launch(struct claw_engine *engine,
			  const struct claw_explore_case *what);
/* A launch, and what it found goes into the state. False: it did not run. */
bool claw_engine_run(struct claw_engine *engine,
		     const struct claw_explore_case *what);
/* Milliseconds since the exploration began. */
uint64_t claw_engine_now(const struct claw_engine *engine);
/* What libFuzzer sees of the last launch. */
void claw_engine_count(const struct claw_engine *engine);
/* Until the time is over: libFuzzer's loop; does not return. */
int claw_engine_fuzz(struct claw_engine *engine, char *program);
/* Cases of readings that too few were tried of, and the verdict. */
void claw_engine_settle(struct claw_engine *engine);
/* What may make a case smaller: what becomes of it by that step, which may be the
 * same or larger, and is not settled. step: below claw_engine_steps(). */
unsigned int claw_engine_steps(const struct claw_explore_plan *plan);
void claw_engine_step(const struct claw_explore_plan *plan, unsigned int step,
		      struct claw_explore_case *what);
/* Lengths that fit; for the argument that none fits (-1: there is none), the most
 * natural. After claw_engine_settle(). */
void claw_engine_set_rules(const struct claw_engine *engine, int wrong,
			   struct claw_explore_case *what);
/* The smallest cases. */
int claw_engine_finish(struct claw_engine *engine);
/* Kernel files of cases without a finding: DIR/suite, DIR/compared. DIR/emitted.json
 * says how many. After claw_engine_finish(), in another process: a kernel may end
 * it. */
int claw_engine_emit(struct claw_engine *engine);
/* Kernel files of what the case in that file may become by one step, without a
 * finding, small ones first: DIR/smaller. DIR/smaller.json says how many.
 * In a process of its own, as claw_engine_emit(). */
int claw_engine_emit_smaller(struct claw_engine *engine, const char *path);
/* Write a case as a kernel file. about: comment lines behind "# ", or NULL. */
int claw_engine_write(const struct claw_engine *engine,
		      const struct claw_explore_case *what, const char *path,
		      const char *about, bool with_results);

#endif
