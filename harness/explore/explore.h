/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of "openclaw explore" share: the kernels of a file, one
 * exploration, its result.
 */
#ifndef CLAW_EXPLORE_H
#define CLAW_EXPLORE_H

#include <jansson.h>

#include "case/explore_launches.h"
#include "case/explore_state.h"
#include "explore_against.h"
#include "harness/base/options.h"
#include "harness/base/shard.h"
#include "harness/cases/clw/init_kernels.h"
#include "harness/cover/coverage.h"
#include "harness/records/cmd_output.h"
#include "harness/session/session.h"

#define CLAW_EXPLORE_PROGRAM "openclaw-explore"

struct claw_explore_given {
	struct claw_strings kernels, against, launches;
	const char *build_options, *output, *seed_text, *device, *resume;
	uint64_t budget_ms, jobs, seed, ulp, random, error_exitcode;
	bool emit_suite, expect, force, quiet, unguided;
	const char *shard_text;
	struct claw_shard shard;
};

/* The file, and its kernels as the driver describes them. */
struct claw_explore_file {
	const char *path;
	char *source_path;		/* path, or that of program_source_file */
	char *source;			/* what is built */
	char *text;			/* what is read: macros and includes done */
	char *options;			/* or NULL */
	json_t *assume;			/* array of texts */
	struct claw_clw **launches;	/* of --launches, as many as given */
	struct claw_init_answer answer;
};

/* One kernel. */
struct claw_exploration {
	const struct claw_explore_given *given;
	const struct claw_explore_file *file;
	const json_t *about;		/* as the driver describes it */
	char *directory;		/* absolute */
	struct claw_session *session;
	struct claw_explore_plan plan;
	struct claw_explore_state *state;
	json_t *launches;		/* explore_launches.h, of this kernel */
	json_t *result;			/* result.json, or NULL */
	char *why_not;			/* it was not explored, or NULL */
	uint64_t start_ms, spent_ms, line_ms;
	uint64_t launches_before;	/* with --resume */
	unsigned int engines, restarts;
	bool is_cancelled, is_shown, is_known;
	bool is_written;		/* kernel files of cases without a finding */
	const char *to_shrink;		/* the case that is made smaller */
	struct claw_compared *compared;	/* of each --against */
	size_t compared_count;
	/* for the caller */
	unsigned int count, apart;	/* findings that count; that do not */
};

/* ---- explore_file.c: ends the command where that cannot be explored */

void claw_explore_file_open(const char *path,
			    const struct claw_explore_given *given,
			    struct claw_explore_file *ret_file);
void claw_explore_file_release(struct claw_explore_file *file);

/* ---- explore_run.c */

/* 0 or a negative error. */
int claw_exploration_run(struct claw_exploration *what);
void claw_exploration_release(struct claw_exploration *what);

/* ---- explore_missed.c */

/* "not reached: FILE:LINE: if never true: if (n < 0)": those whose condition
 * was evaluated. */
void claw_explore_put_missed(const struct claw_coverage *coverage, FILE *out);

/* ---- explore_say.c */

void claw_exploration_progress(struct claw_exploration *what, FILE *out);
/* After the search: what is done now. */
void claw_exploration_say_step(struct claw_exploration *what, const char *words,
			       const char *target, FILE *out);
/* On stdout, into the records, and as one object for a script. */
json_t * claw_exploration_say(struct claw_exploration *what,
			  const struct claw_cmd_output *output);

#endif
