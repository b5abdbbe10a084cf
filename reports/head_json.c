/* SPDX-License-Identifier: Apache-2.0 */
/* What a report's head says, as JSON. */
#include "config.h"

#include "head_json.h"

#include "harness/records/result_json.h"

json_t *claw_report_environment_json(const struct claw_report_head *head)
{
	json_t *list = json_array();

	for (size_t i = 0; i < head->environment_count; i++) {
		json_t *entry = json_object();

		claw_json_add_text(entry, "configuration",
			 head->environment[i].configuration);
		claw_json_add_text(entry, "key", head->environment[i].key);
		claw_json_add_text(entry, "value", head->environment[i].value);
		json_array_append_new(list, entry);
	}
	return list;
}

json_t *claw_report_rules_json(const struct claw_report_head *head)
{
	json_t *list = json_array();

	for (size_t i = 0; i < head->rule_count; i++) {
		json_t *rule = json_object();

		claw_json_add_text(rule, "rule", head->rules[i].rule);
		claw_json_add_number(rule, "matched", head->rules[i].matched);
		claw_json_add_number(rule, "fired", head->rules[i].fired);
		json_array_append_new(list, rule);
	}
	return list;
}
