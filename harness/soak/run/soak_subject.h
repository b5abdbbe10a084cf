/* SPDX-License-Identifier: Apache-2.0 */
/* What a soak is of, as its records have it (CLAW_FACT_*, records_soak.h). */
#ifndef CLAW_SOAK_SUBJECT_H
#define CLAW_SOAK_SUBJECT_H

#include "cmd_soak.h"
#include "harness/records/records_soak.h"

/* program: its words, or NULL: given's workload. */
void claw_soak_subject_record(const struct claw_soak_given *given,
			      char *const *program,
			      const struct claw_fault_plan *plan,
			      struct claw_records *records);

#endif
