/* SPDX-License-Identifier: Apache-2.0 */
/* Records of what any command has to say: the members of each type. */
#include "config.h"

#include "records_put.h"

#include <inttypes.h>
#include <stdio.h>

#include "result_json.h"

int claw_records_planned(struct claw_records *records,
			 const struct claw_planned *planned)
{
	json_t *members;

	if (records->is_planning) {
		records->plan_count++;
		records->plan_sum += claw_shard_hash(
			planned->suite ? planned->suite : "", planned->name,
			planned->configuration ? planned->configuration : "");
	}
	if (records->only_own && planned->elsewhere)
		return 0;
	members = json_object();
	claw_json_add_text(members, "suite", planned->suite);
	claw_json_add_text(members, "name", planned->name);
	claw_json_add_text(members, "configuration", planned->configuration);
	claw_json_add_text(members, "operand", planned->operand);
	if (planned->elsewhere)
		json_object_set_new(members, "elsewhere", json_true());
	if (planned->many)
		json_object_set_new(members, "many", json_true());
	return claw_records_write(records, "planned", members);
}

void claw_records_plan_begin(struct claw_records *records,
			     const struct claw_shard *shard)
{
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 "/%" PRIu64, shard->number,
		 shard->count);
	if (shard->count)
		claw_records_environment(records, NULL, CLAW_FACT_SHARD, text);
	records->is_planning = shard->own;
	records->only_own = shard->own && shard->number > 1;
}

int claw_records_plan_end(struct claw_records *records)
{
	char text[64];

	if (!records->is_planning)
		return 0;
	records->is_planning = false;
	snprintf(text, sizeof(text), "%" PRIu64 " cases, sum %016" PRIx64,
		 records->plan_count, records->plan_sum);
	return claw_records_environment(records, NULL, CLAW_FACT_PLAN, text);
}

int claw_records_environment(struct claw_records *records,
			     const char *configuration, const char *key,
			     const char *value)
{
	json_t *members = json_object();

	claw_json_add_text(members, "configuration", configuration);
	claw_json_add_text(members, "key", key);
	claw_json_add_text(members, "value", value);
	return claw_records_write(records, "environment", members);
}

int claw_records_result(struct claw_records *records,
			const struct claw_result *result)
{
	return claw_records_write(records, "result", claw_result_to_json(result));
}

int claw_records_rule(struct claw_records *records, const char *rule,
		      uint64_t matched, uint64_t fired)
{
	json_t *members = json_object();

	claw_json_add_text(members, "rule", rule);
	claw_json_add_number(members, "matched", matched);
	claw_json_add_number(members, "fired", fired);
	return claw_records_write(records, "rule", members);
}

int claw_records_note(struct claw_records *records, const char *text)
{
	json_t *members = json_object();

	claw_json_add_text(members, "text", text);
	return claw_records_write(records, "note", members);
}

int claw_records_comparison(struct claw_records *records,
			    const char *directory, const char *started,
			    const char *text)
{
	json_t *members = json_object();

	claw_json_add_text(members, "directory", directory);
	claw_json_add_text(members, "started", started);
	claw_json_add_text(members, "text", text);
	return claw_records_write(records, "comparison", members);
}

int claw_records_change(struct claw_records *records,
			const struct claw_change *change)
{
	json_t *members = json_object();

	claw_json_add_text(members, "change",
			   claw_change_kind_name(change->kind));
	claw_json_add_text(members, "suite", change->suite);
	claw_json_add_text(members, "name", change->name);
	claw_json_add_text(members, "configuration", change->configuration);
	claw_json_add_text(members, "text", change->text);
	return claw_records_write(records, "change", members);
}
