/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows a fault while it is being written down: the line that has been
 * begun, and what has been said so far.
 */
#ifndef CLAW_MODEL_FAILURE_PRIVATE_H
#define CLAW_MODEL_FAILURE_PRIVATE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/files/yaml_doc.h"

enum {
	CLAW_FOLLOWS_STATES = 8, CLAW_FOLLOWS_TRIGGERS = 16,
	CLAW_FOLLOWS_CALLS = 128, CLAW_FOLLOWS_NAME_BYTES = 31,
	CLAW_FOLLOWS_TEXT_BYTES = 127,
};

struct claw_follows {
	FILE *out;
	const char *states[CLAW_FOLLOWS_STATES];
	const char *ons[CLAW_FOLLOWS_TRIGGERS];
	/* a trigger that takes to the state and has no error, or NULL */
	const char *without_error[CLAW_FOLLOWS_STATES];
	unsigned int state_count, trigger_count, call_count;
	/* of the item that is being read */
	const char *text, *text_key;	/* goes to the end of its line */
	bool has_state, has_call, has_fault, has_says, has_error;
	unsigned int state;			/* that it names */
	const yaml_node_t *answers_error;	/* "answer: error", or NULL */
};

/* ---- model_failure_values.c: write " KEY=VALUE". 0 or as claw_yaml_fail(). */

/* One line of text, which end_line writes. */
int claw_follows_text(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key);
/* One of the words; yes is 1 and no is 0. */
int claw_follows_word(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key,
		      const char *words);
/* A CL_ name or a number; as well "error" where that is meant. */
int claw_follows_code(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key, bool or_error);
/* A duration, in nanoseconds. */
int claw_follows_span(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key);
/* The name of a state that has been read: writes nothing. */
int claw_follows_known_state(const struct claw_yaml *yaml,
			     const yaml_node_t *node, struct claw_follows *c,
			     const char **ret_name);
void claw_follows_end_line(struct claw_follows *c);

/* ---- model_failure_calls.c: the list "calls". user: the claw_follows. */
claw_yaml_take claw_follows_calls;

#endif
