/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a diagnosis, a fault or an OpenCL error code, for a person
 * and as JSON. All of it is from the tables that the rest of openclaw uses.
 */
#ifndef CLAW_EXPLAIN_H
#define CLAW_EXPLAIN_H

#include <jansson.h>

#include "diagnosis.h"

/* What a word stands for: one of these. */
struct claw_explained {
	const struct claw_diagnosis *diagnosis;
	enum claw_fault fault;
	bool is_fault;		/* fault NONE: "delay" */
	bool is_code;
	cl_int code;
};

/* Is it the name of a diagnosis, of a fault or of a code, or the number of
 * a code that is known? */
bool claw_explain_find(const char *word, struct claw_explained *ret_explained);
/* The nearest name that is known, or NULL. */
const char *claw_explain_nearest(const char *word);

/* On stdout. */
void claw_explain_print(const struct claw_explained *explained);
void claw_explain_list(void);

json_t *claw_explain_json(const struct claw_explained *explained);
json_t *claw_explain_list_json(void);

/* By what it is recognised: bits of enum claw_how. */
unsigned int claw_explain_how(const struct claw_diagnosis *diagnosis);
/* The findings that have the diagnosis, one after the other from *at = 0;
 * NULL: no more. */
const char *claw_explain_finding(const struct claw_diagnosis *diagnosis,
				 unsigned int *at);
/* The same for the faults. */
const char *claw_explain_fault(const struct claw_diagnosis *diagnosis,
			       unsigned int *at);

#endif
