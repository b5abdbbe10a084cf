/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a diagnosis, a fault or an OpenCL error code, as JSON.
 */
#include "config.h"

#include "explain.h"

#include <string.h>

/* The pieces of a text between two separators. */
static json_t *split(const char *text, const char *separator)
{
	json_t *list = json_array();

	while (*text) {
		size_t length = strcspn(text, separator);

		json_array_append_new(list, json_stringn(text, length));
		text += length;
		text += strspn(text, separator);
	}
	return list;
}

static json_t *names(const struct claw_diagnosis *diagnosis,
		     const char *(*next)(const struct claw_diagnosis *,
					 unsigned int *))
{
	json_t *list = json_array();
	unsigned int at = 0;
	const char *name;

	while ((name = next(diagnosis, &at)))
		json_array_append_new(list, json_string(name));
	return list;
}

static json_t *how_json(const struct claw_diagnosis *diagnosis)
{
	json_t *list = json_array();

	for (unsigned int bit = 1; bit < CLAW_HOW_END; bit <<= 1)
		if (claw_explain_how(diagnosis) & bit)
			json_array_append_new(list, json_string(
				claw_how_name((enum claw_how)bit)));
	return list;
}

static json_t *diagnosis_json(const struct claw_diagnosis *diagnosis)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"kind", "diagnosis", "name", diagnosis->code,
		"summary", diagnosis->summary, "how", how_json(diagnosis),
		"faults", names(diagnosis, claw_explain_fault),
		"findings", names(diagnosis, claw_explain_finding),
		"codes", split(diagnosis->cl_codes, " "),
		"recognised", split(diagnosis->recognised, "\n"),
		"is_not", split(diagnosis->is_not, "\n"),
		"next", split(diagnosis->next, "\n"));
}

static json_t *fault_json(enum claw_fault fault)
{
	bool is_delay = fault == CLAW_FAULT_NONE;

	return json_pack("{s:s, s:s, s:s?, s:s}", "kind", "fault",
		"name", is_delay ? "delay" : claw_fault_table[fault].name,
		"summary", is_delay ? NULL : claw_fault_table[fault].summary,
		"code", claw_diagnosis_of_fault(fault));
}

static json_t *code_json(cl_int code)
{
	const struct claw_driver_number *number =
		claw_driver_number_find(code);
	const char *name = claw_code_name(code);
	json_t *calls = json_array(), *meanings = json_array();

	for (int i = 0; code != CL_SUCCESS && i < CLAW_API_COUNT; i++)
		if (claw_api_allows((enum claw_api)i, code))
			json_array_append_new(calls, json_string(
				claw_api_table[i].name));
	for (size_t i = 0; name && i < claw_diagnosis_count; i++)
		if (claw_diagnosis_has(&claw_diagnoses[i], name))
			json_array_append_new(meanings, json_string(
				claw_diagnoses[i].code));
	if (number)
		json_array_append_new(meanings, json_string(number->code));
	return json_pack("{s:s, s:s?, s:i, s:s?, s:s?, s:o, s:o}",
		"kind", "code", "name", name, "number", (int)code,
		"vendor", number ? number->whose : NULL,
		"summary", number ? number->text : NULL,
		"calls", calls, "diagnoses", meanings);
}

json_t *claw_explain_json(const struct claw_explained *explained)
{
	if (explained->diagnosis)
		return diagnosis_json(explained->diagnosis);
	return explained->is_fault ? fault_json(explained->fault) :
		code_json(explained->code);
}

json_t *claw_explain_list_json(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < claw_diagnosis_count; i++)
		json_array_append_new(list,
				      diagnosis_json(&claw_diagnoses[i]));
	for (int i = CLAW_FAULT_NONE; i < CLAW_FAULT_COUNT; i++)
		json_array_append_new(list, fault_json((enum claw_fault)i));
	return list;
}
