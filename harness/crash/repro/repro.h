/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does it happen again, and how often: up to so many runs, until it has been
 * seen three times.
 */
#ifndef CLAW_REPRO_H
#define CLAW_REPRO_H

#include <jansson.h>
#include <stdio.h>

#include "harness/crash/replay/replay.h"

enum claw_repro_verdict {
	CLAW_REPRO_REPRODUCED,	/* the same in at least 15 % of the runs */
	CLAW_REPRO_DIFFERENT,	/* something else went wrong */
	CLAW_REPRO_NOT,		/* nothing did */
	CLAW_REPRO_UNKNOWN,	/* no run says anything */
	CLAW_REPRO_NOWHERE,	/* there is nothing to run on */
};

enum { CLAW_REPRO_RUNS = 10, CLAW_REPRO_ENOUGH = 3, CLAW_REPRO_PERCENT = 15 };

struct claw_repro {
	enum claw_repro_verdict verdict;
	unsigned int runs, hits;
	char *shown;		/* another signature that was seen, or NULL */
	/* Of the run that tells most: the last with the same signature, else
	 * the last. */
	struct claw_replay_result last;
};

/* One run into *ret_result: number from 1. As claw_replay_run(). */
typedef int claw_repro_run(unsigned int number, void *user,
			   struct claw_replay_result *ret_result);

/* 0 or -CLAW_E_IO; release it in any case. */
int claw_repro_try(unsigned int max_runs, claw_repro_run *run, void *user,
		   struct claw_repro *ret_repro);
void claw_repro_release(struct claw_repro *repro);

/*
 * Report it, for people and as JSON (doc/openclaw-repro.man).
 *
 * wanted: signature of the capture. rules: that were injected, NULL-terminated.
 */
void claw_repro_print(const struct claw_repro *repro, const char *wanted,
		      char *const *rules, FILE *out);
json_t *claw_repro_json(const struct claw_repro *repro, const char *wanted,
			char *const *rules);

/*
 * A run of the program itself, with the captured failures.
 *
 * argv:      NULL-terminated.
 * rules:     claw_replay_schedule().
 * directory: its session stays there, or NULL.
 * result:    end, signature, why.
 */
struct claw_repro_live {
	const struct claw_dump *dump;
	const char *wanted;
	char *const *argv;
	char *const *rules;
	const char *models;		/* claw_models_compile(), or NULL */
	const char *directory;
	uint64_t timeout_ms;		/* 0: 60 s */
};
int claw_repro_live_run(const struct claw_repro_live *live,
			struct claw_replay_result *ret_result);

#endif
