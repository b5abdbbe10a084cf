/* SPDX-License-Identifier: Apache-2.0 */
/* What single runs of a kernel file came to, as JSON. */
#include "config.h"

#include "cmd_run_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/files/new_file.h"

static json_t *facts_json(const struct claw_workload_result *result)
{
	json_t *object = json_object();

	for (size_t i = 0; i < result->report.fact_count; i++)
		json_object_set_new(object, result->report.facts[i].key,
			json_string(result->report.facts[i].value));
	return object;
}

static void add_number(json_t *object, const char *name,
		       const struct claw_workload_result *result,
		       const char *key)
{
	const char *text = claw_workload_metric(result, key);

	json_object_set_new(object, name, !text ? json_null() :
			    text[strspn(text, "0123456789")] ?
			    json_real(strtod(text, NULL)) :
			    json_integer(strtoll(text, NULL, 10)));
}

static json_t *findings_json(const struct claw_findings *findings)
{
	json_t *list = json_array();

	for (size_t i = 0; i < findings->count; i++) {
		const struct claw_finding *one = &findings->items[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}",
			"kind", claw_finding_kind_name(one->kind),
			"space", claw_space_name(one->space),
			"kernel", one->kernel, "text", one->text));
	}
	return list;
}

json_t *claw_run_json(const struct claw_clw_test *test,
		      const struct claw_workload_result *result,
		      uint64_t attempts)
{
	json_t *object = json_pack(
		"{s:s, s:s?, s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:f, s:I}",
		"test", test->case_name, "kernel", test->kernel,
		"result", claw_workload_end_name(result->end),
		"code", result->code,
		"message", *result->message ? result->message : NULL,
		"place", result->place, "dump", result->dump,
		"faults", result->faults,
		"duration_ms", (double)result->duration_us / 1000,
		"attempts", (json_int_t)attempts);

	if (!object)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	add_number(object, "launches", result, "launches");
	add_number(object, "kernel_ms", result, "kernel_ms");
	add_number(object, "bytes", result, "bytes");
	add_number(object, "gb_per_s", result, "gb_per_s");
	json_object_set_new(object, "environment", facts_json(result));
	json_object_set_new(object, "findings",
			    findings_json(&result->report.findings));
	return object;
}

void claw_run_write_json(const char *path, const char *workload, uint64_t seed,
			 bool has_probes, json_t *runs, enum claw_workload_end worst,
			 const char *code)
{
	struct claw_new_file file;
	FILE *out = claw_new_file_begin(&file, path);
	bool written = false;
	json_t *object = json_pack("{s:s, s:s, s:s, s:s?, s:I, s:b, s:O}",
		"openclaw", PACKAGE_VERSION, "workload", workload,
		"result", claw_workload_end_name(worst), "code", code,
		"seed", (json_int_t)seed, "with_probes", has_probes,
		"runs", runs);

	if (!object)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	if (out)
		written = json_dumpf(object, out, JSON_INDENT(2) |
				     JSON_REAL_PRECISION(6)) == 0 &&
			  fputc('\n', out) != EOF;
	if (!out || claw_new_file_end(&file, written) < 0 || !written)
		claw_die(CLAW_EXIT_INFRA, "run: cannot write %s: %s", path,
			 strerror(errno));
	json_decref(object);
}
