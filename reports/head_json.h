/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a report's head as JSON. */
#ifndef CLAW_REPORT_HEAD_JSON_H
#define CLAW_REPORT_HEAD_JSON_H

#include <jansson.h>

#include "report.h"

/* New arrays of objects. */
json_t *claw_report_environment_json(const struct claw_report_head *head);
json_t *claw_report_rules_json(const struct claw_report_head *head);

#endif
