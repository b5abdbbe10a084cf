/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run of the program left in its session: found by an errand, for that
 * takes symbols, and drivers that may hang.
 */
#ifndef CLAW_SOAK_LEFT_H
#define CLAW_SOAK_LEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/session/session.h"

struct claw_soak_left_config {
	const struct claw_session *session;
	const struct claw_run_result *result;
	const struct claw_program *program;	/* or NULL */
	size_t rule_count;
	bool failed;			/* its crash, or what it hangs in, is wanted */
	/* A dump is wanted of that signature (or key, without one)? Asked in the
	 * errand. NULL: of none. */
	bool (*wants_dump)(const char *name, void *user);
	void *user;
	const char *dumps;		/* folder for them */
	bool is_captured;		/* the program's calls were recorded */
	bool wants_leaks;		/* what it has forgotten */
};

/* What one site made, is alive, and a leak (CLAW_LEAK_DEFINITE). */
struct claw_soak_forgotten {
	char *site;			/* "clCreateBuffer < load < main" */
	char *place;			/* "load (tile.c:88)", or NULL */
	char *text;			/* one line */
	uint64_t objects;
};

struct claw_soak_left {
	bool known;			/* the errand came back */
	bool handshake;
	char *why_not;			/* there is none, or NULL */
	char *plan_error;		/* a rule was refused, or NULL */
	char *key, *signature, *code;	/* of the failure; NULL: not known */
	char *where;			/* "in tile (tile.c:88)", or NULL */
	char *dump;			/* path, or NULL */
	uint64_t fired;			/* all rules together */
	size_t rule_count;
	uint64_t *rule_matched, *rule_fired;
	bool leaks_known;		/* they were wanted, and looked for */
	struct claw_soak_forgotten *leaks;
	size_t leak_count;
	char *leaks_gap;		/* why there may be more of them, or NULL */
};

void claw_soak_left_find(const struct claw_soak_left_config *config,
			 struct claw_soak_left *ret_left);
void claw_soak_left_release(struct claw_soak_left *left);

/* The call that has not returned, malloced, or NULL: none. */
char *claw_soak_left_blocked(const struct claw_session *session);

#endif
