/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw repro" makes of a dump beside a verdict: a smaller one, a C
 * program, a fault plan, a test. These end the process where the harness itself
 * fails.
 */
#ifndef CLAW_CMD_REPRO_H
#define CLAW_CMD_REPRO_H

#include <jansson.h>

#include "repro.h"
#include "repro_smaller.h"

#define CLAW_STEPS_NOT_SAID	UINT64_MAX

struct claw_exporting {
	/* options */
	bool minimise;
	uint64_t max_steps;		/* or CLAW_STEPS_NOT_SAID */
	const char *c, *plan, *test;
	/* what it is about */
	const struct claw_dump *dump;
	const char *path;
	const struct claw_crash *crash;
	const struct claw_replay_spec *replay;
	const char *output;		/* --output: of --minimise, or NULL */
	/* of claw_exporting_minimise() */
	struct claw_minimised minimised;
	struct claw_smaller smaller;
	char *name;
};

static inline bool claw_exporting_is_wanted(const struct claw_exporting *e)
{
	return e->minimise || e->c || e->plan || e->test;
}

/* Before anything runs: can it be written? */
void claw_exporting_check(const struct claw_exporting *exporting,
			  const char *dump_path, bool has_program);

/* The smaller dump, where the whole one has been seen to reproduce; the
 * verdict is that of the smaller one then. */
void claw_exporting_minimise(struct claw_exporting *exporting,
			     struct claw_repro *repro);
/* NULL where there is none. */
json_t *claw_exporting_json(const struct claw_exporting *exporting);
void claw_exporting_print(const struct claw_exporting *exporting);

/* The other files; a line each on out. Returns the exit status: that one, or
 * CLAW_EXIT_UNKNOWN where one of them cannot be made. */
int claw_exporting_write(const struct claw_exporting *exporting, FILE *out,
			 int status);
void claw_exporting_release(struct claw_exporting *exporting);

#endif
