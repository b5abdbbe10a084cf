/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of a SARIF log: what a finding is called there, what it means and
 * what to do next.
 */
#ifndef CLAW_SARIF_RULES_H
#define CLAW_SARIF_RULES_H

#include <jansson.h>

#include "harness/records/records.h"

/* result: of class 'f'. Which of several faults has shown a mistake first is
 * chance, so that a point of a sweep goes by its verdict. */
const char *claw_sarif_rule_id(const struct claw_result *result);

/* "error" or "warning". */
const char *claw_sarif_level(enum claw_verdict verdict);

/* A new object: the rule that the result's id names. */
json_t *claw_sarif_rule(const struct claw_result *result);

#endif
