/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codes that a run can be diagnosed with ("clw-out-of-memory").
 */
#ifndef CLAW_DIAGNOSIS_H
#define CLAW_DIAGNOSIS_H

/* All that a kernel file or a description may expect; ends with NULL. */
extern const char *const claw_diagnosis_codes[];

#endif
