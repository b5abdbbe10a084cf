/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result as a JSON object, in records.jsonl and in the JSON report.
 */
#ifndef CLAW_RESULT_JSON_H
#define CLAW_RESULT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "records.h"

/* A text that is not UTF-8 is cleaned (claw_text_clean()); a NULL one is left
 * out. */
void claw_json_add_text(json_t *object, const char *name, const char *text);
void claw_json_add_number(json_t *object, const char *name, uint64_t number);

/* What json_load_file() does, of a file that others wrote (outside_file.h). */
json_t *claw_json_read(const char *path, json_error_t *reterr);

/* A member, NULL and 0 where it is none of that kind, or below 0. */
const char *claw_json_text(const json_t *object, const char *name);
uint64_t claw_json_number(const json_t *object, const char *name);

/* A new object. */
json_t *claw_result_to_json(const struct claw_result *result);

/*
 * The result's texts are the object's; its findings are ret_findings, which
 * the caller releases. false when the object is no result; then there is
 * nothing to release.
 */
bool claw_result_from_json(const json_t *object, struct claw_result *ret_result,
			   struct claw_findings *ret_findings);

#endif
