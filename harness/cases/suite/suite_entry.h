/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry of "cases" in a suite's description, and the keys that a suite may
 * give for all of its entries. For suite_yaml.c.
 */
#ifndef CLAW_SUITE_ENTRY_H
#define CLAW_SUITE_ENTRY_H

#include "suite.h"
#include "harness/files/yaml_doc.h"

/* What one entry, or the suite for all, says. */
struct claw_suite_words {
	struct claw_suite_case like;
	/* Where the cases come from; at most one of an entry. */
	const yaml_node_t *kernels, *libcheck, *command, *sim;
	const yaml_node_t *exit, *opencl;	/* for mistakes */
};

struct claw_suite_reading {
	struct claw_suite *suite;
	struct claw_suite_words defaults;
	const yaml_node_t *cases;
};

/* Keys that both have; user is a struct claw_suite_words. */
claw_yaml_take claw_suite_take_timeout, claw_suite_take_under,
	claw_suite_take_needs, claw_suite_take_tags, claw_suite_take_faults;

/* Of an entry alone; user is the same. */
claw_yaml_take claw_suite_take_model;

/* A name fit for files, JUnit and command lines, in place of *name. */
int claw_suite_take_name(const struct claw_yaml *yaml, const yaml_node_t *node,
			 char **name);

/* One entry; user is a struct claw_suite_reading. */
int claw_suite_take_entry(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user);

/* Add what an entry's source gives; node is the entry. */
int claw_suite_add_cases(const struct claw_yaml *yaml, const yaml_node_t *node,
			 struct claw_suite *suite,
			 struct claw_suite_words *words);

#endif
