/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two runs beside each other: what they are, what they ran on, what became of
 * cases; and what all of it comes to.
 */
#include "config.h"

#include "diff.h"

#include <math.h>
#include <string.h>

#include "harness/records/baseline.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "reports/report.h"

json_t *claw_diff_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *claw_diff_row(const char *name, const char *title,
		      enum claw_series_unit unit, double old, double new)
{
	return json_pack("{s:s,s:s,s:i,s:o,s:o,s:o}", "name", name,
			 "title", title, "unit", (int)unit,
			 "old", claw_diff_number(old),
			 "new", claw_diff_number(new),
			 "ratio", claw_diff_number(old > 0 ? new / old : NAN));
}

double claw_diff_get(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *claw_diff_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

const char *claw_diff_value(char *text, size_t size, const json_t *object,
			    const char *name, int unit)
{
	double value = claw_diff_get(object, name);

	*text = '\0';
	if (!isnan(value))
		claw_series_print(text, size, (enum claw_series_unit)unit,
				  value);
	return text;
}

static json_t *side_json(const struct claw_past_run *run)
{
	return json_pack("{s:s,s:s?,s:s?,s:s?,s:b,s:I}",
			 "directory", run->directory, "verb", run->verb,
			 "command", run->command, "started", run->started,
			 "complete", run->complete && !run->cancelled,
			 "damaged_lines", (json_int_t)run->damaged);
}

/* ---- what they ran on -------------------------------------------------- */

/* Long texts of a sweep are no environment. */
static bool is_compared(const struct claw_past_fact *fact)
{
	return strlen(fact->value) < 1000;
}

static void add_fact(json_t *all, const struct claw_past_fact *fact,
		     const char *old, const char *new)
{
	if (is_compared(fact) && !claw_report_same(old, new))
		json_array_append_new(all, json_pack(
			"{s:s,s:s?,s:s?,s:s?}", "key", fact->key,
			"configuration", fact->configuration,
			"old", old, "new", new));
}

static json_t *environment_json(const struct claw_past_run *old,
				const struct claw_past_run *new)
{
	json_t *all = json_array();

	for (size_t i = 0; i < old->fact_count; i++) {
		const struct claw_past_fact *fact = &old->facts[i];

		add_fact(all, fact, fact->value,
			 claw_past_run_fact(new, fact->configuration,
					    fact->key));
	}
	for (size_t i = 0; i < new->fact_count; i++) {
		const struct claw_past_fact *fact = &new->facts[i];

		if (!claw_past_run_fact(old, fact->configuration, fact->key))
			add_fact(all, fact, NULL, fact->value);
	}
	return all;
}

/* ---- cases ------------------------------------------------------------- */

static void add_changes(json_t *diff, const struct claw_past_run *old,
			const struct claw_past_run *new)
{
	struct claw_comparison comparison;
	json_t *all = json_array();
	bool is_worse = false;

	claw_comparison_init(&comparison, old, new);
	for (size_t i = 0; i < comparison.count; i++) {
		const struct claw_change *change = &comparison.changes[i];

		if (change->kind == CLAW_CHANGE_NEWLY_FAILING)
			is_worse = true;
		json_array_append_new(all, json_pack(
			"{s:s,s:s?,s:s?,s:s?,s:s?}",
			"change", claw_change_kind_name(change->kind),
			"suite", change->suite, "name", change->name,
			"configuration", change->configuration,
			"text", change->text));
	}
	json_object_set_new(diff, "changes", all);
	json_object_set_new(diff, "not_compared", comparison.text ?
			    json_string(comparison.text) : json_null());
	if (is_worse)
		json_object_set_new(diff, "worse", json_true());
	claw_comparison_release(&comparison);
}

/* ---- all --------------------------------------------------------------- */

json_t *claw_diff_find(const struct claw_diff_side *old,
		       const struct claw_diff_side *new)
{
	static const char *const kinds[] = {
		[CLAW_DIFF_CASES] = "cases", [CLAW_DIFF_SOAK] = "soak",
		[CLAW_DIFF_PROFILE] = "profile",
	};
	bool is_whole = new->run->complete && !new->run->damaged;
	json_t *diff = claw_made(json_pack("{s:s,s:o,s:o,s:o,s:b,s:b}",
		"kind", kinds[new->kind], "old", side_json(old->run),
		"new", side_json(new->run), "environment",
		environment_json(old->run, new->run), "worse", 0,
		"unknown", !is_whole));

	if (new->kind == CLAW_DIFF_SOAK)
		claw_diff_find_soak(diff, old, new);
	else
		add_changes(diff, old->run, new->run);
	if (new->kind == CLAW_DIFF_PROFILE)
		claw_diff_find_profile(diff, old, new);
	json_object_set_new(diff, "exit_status",
			    json_integer(claw_diff_status(diff)));
	return diff;
}

int claw_diff_status(const json_t *diff)
{
	if (json_is_true(json_object_get(diff, "worse")))
		return CLAW_EXIT_FINDINGS;
	return json_is_true(json_object_get(diff, "unknown")) ?
		CLAW_EXIT_UNKNOWN : CLAW_EXIT_CLEAN;
}
