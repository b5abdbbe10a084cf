/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codes that a run can be diagnosed with ("clw-out-of-memory"), from
 * faults/shared/diagnosis.def, and what is known of each.
 */
#ifndef CLAW_DIAGNOSIS_H
#define CLAW_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "faults/shared/plan.h"

/* By what it is recognised. */
enum claw_how {
	CLAW_HOW_FAULT = 1 << 0,	/* an injected fault fired */
	CLAW_HOW_CODE = 1 << 1,		/* an error code of OpenCL */
	CLAW_HOW_TIME = 1 << 2,		/* something takes too long */
	CLAW_HOW_SIGNAL = 1 << 3,	/* a fatal signal */
	CLAW_HOW_FINDING = 1 << 4,	/* a finding of the layer or a tool */
	CLAW_HOW_LIMIT = 1 << 5,	/* a limit that the user has set */
	CLAW_HOW_SYSTEM = 1 << 6,	/* what the system or the driver logs */
	CLAW_HOW_LIBRARY = 1 << 7,	/* an error of libclw */
	CLAW_HOW_END = 1 << 8,
};
/* "an error code of OpenCL" */
const char *claw_how_name(enum claw_how bit);

struct claw_diagnosis {
	const char *code;
	unsigned int how;	/* enum claw_how, but FAULT and FINDING: which
				 * have the code, other tables say */
	const char *cl_codes;	/* names with blanks between them, or "" */
	const char *summary;
	/* Sentences with newlines between them. */
	const char *recognised, *is_not, *next;
};
extern const struct claw_diagnosis claw_diagnoses[];
extern const size_t claw_diagnosis_count;

/* The same codes alone: all that a kernel file or a description may expect;
 * ends with NULL. */
extern const char *const claw_diagnosis_codes[];

/* NULL: there is none. */
const struct claw_diagnosis *claw_diagnosis_find(const char *code);
/* May the code with that name mean it? */
bool claw_diagnosis_has(const struct claw_diagnosis *diagnosis,
			const char *cl_code);

/* "clw-memory-timeout" of a rule that only delays (CLAW_FAULT_NONE). */
const char *claw_diagnosis_of_fault(enum claw_fault fault);

/* A number that a driver gives and no header has. */
struct claw_driver_number {
	cl_int number;
	const char *whose, *code, *text;
};
/* NULL: not known. */
const struct claw_driver_number *claw_driver_number_find(cl_int number);

#endif
