/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --against: the kernel files in DIR/KERNEL/compared, which hold what the kernel
 * computed with probes, run as "openclaw test" runs them, without probes: on this
 * device, then on the other one. What this device computes differently from time
 * to time, or without probes, is left out. The smallest input that differs is made
 * smaller.
 */
#ifndef CLAW_EXPLORE_AGAINST_H
#define CLAW_EXPLORE_AGAINST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/records/cmd_output.h"

struct claw_explore_given;

/* One input whose results differ, or that crashes or hangs here without probes. */
struct claw_difference {
	char *case_path, *message, *reproduce;
};

/* What came of one kernel and one --against. */
struct claw_compared {
	const char *target;		/* as it was given; borrowed */
	unsigned int inputs;		/* kernel files */
	unsigned int left_out;		/* launches with a finding */
	unsigned int same, rounding, varies;
	unsigned int not_here, not_there;	/* skipped, or do not build */
	unsigned int crashes;		/* of differ: those on this device */
	size_t differ;			/* of list */
	struct claw_difference *list;	/* the smallest input first */
	bool is_whole;			/* the smallest could not be made smaller:
					 * a launch ended the process, say */
	char *why_not;			/* comparing ended early, or NULL */
};

/* Ends the command with one line: a text is none of those that --help names, is
 * there twice, or is this device itself; or, with status 77, a trivial kernel does
 * not run there. */
void claw_against_check(const struct claw_explore_given *given);

/* One kernel. */
struct claw_against {
	const struct claw_explore_given *given;
	const char *directory;		/* DIR/KERNEL */
	const char *kernel;
	unsigned int count;		/* kernel files in DIR/KERNEL/compared */
	/* Kernel files of what the case in the file path may become by one step, in
	 * DIR/KERNEL/smaller, small ones first. 0 or a negative error. */
	int (*make_smaller)(void *user, const char *path,
			    unsigned int *ret_count);
	/* What is done now, with which target. */
	void (*say)(void *user, const char *words, const char *target);
	void *user;
};

/* compared: one of each --against, with its target. 0 or -CLAW_E_CANCELLED; what
 * else fails is in why_not. */
int claw_against_run(const struct claw_against *what,
		     struct claw_compared *compared);
void claw_compared_release(struct claw_compared *compared);

/* Lines for people; an object for scripts. */
void claw_compared_put(const struct claw_compared *compared, FILE *out);
json_t *claw_compared_json(const struct claw_compared *compared);
/* Into the records; text: what was put. */
void claw_compared_record(const struct claw_compared *compared,
			  const char *kernel, const char *file,
			  const char *text,
			  const struct claw_cmd_output *output);

/* explore_changed.c: a kernel file with more build options, or (NULL) with wide
 * tolerances. No file where nothing is changed. 1: it is there; 0: nothing is
 * changed; or a negative error. */
int claw_changed_write(const char *from, const char *to, const char *more);

/* explore_compared.c */

/* Not all of the inputs were compared, and none differs. */
bool claw_compared_is_unknown(const struct claw_compared *compared);

#endif
