/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two soaks beside each other: series, latencies, sites that grow, crashes.
 * What a series came to is what the records of its run say; where it began and ended
 * is of its samples (means of at most 2000 stretches of time, html_samples.h).
 */
#include "config.h"

#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/report.h"

enum { PART = 10 };	/* of a soak's samples: begin, end */

/* ---- numbers of samples ------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The median of a series' stretches first to end, in tenths of them; NAN. */
static double median(const struct claw_html_samples *samples,
		     enum claw_series_id id, size_t first, size_t end)
{
	double *values = claw_calloc(CLAW_HTML_BUCKETS, sizeof(*values));
	size_t count = 0, kept = 0, from, to;
	double result = NAN;

	for (size_t i = 0; i < samples->count; i++)
		if (samples->items[i].values[id].count)
			values[count++] = claw_html_mean(
				&samples->items[i].values[id]);
	from = count * first / PART;
	to = (count * end + PART - 1) / PART;
	if (count && first == PART - 1 && from == count)
		from = count - 1;
	for (size_t i = from; i < to; i++)
		values[kept++] = values[i];
	if (kept) {
		qsort(values, kept, sizeof(*values), by_value);
		result = (values[(kept - 1) / 2] + values[kept / 2]) / 2;
	}
	free(values);
	return result;
}

/* ---- results ----------------------------------------------------------- */

static const struct claw_result *find_result(const struct claw_past_run *run,
					     const char *suite,
					     const char *name)
{
	return claw_past_run_find(run, (struct claw_case_key){ suite, name,
							       NULL });
}

static bool is_failure(const struct claw_result *result)
{
	return result && claw_verdict_class(result->verdict) == 'f';
}

/* What became of it, and whether that is worse, or not known. */
static const char *state_of(json_t *diff, const struct claw_result *old,
			    const struct claw_result *new)
{
	if (is_failure(new) && !is_failure(old)) {
		json_object_set_new(diff, "worse", json_true());
		return "newly failing";
	}
	if (is_failure(new))
		return "still failing";
	if (is_failure(old) && new &&
	    claw_verdict_class(new->verdict) == 'p')
		return "fixed";
	if (new && claw_verdict_class(new->verdict) == 'u' && old &&
	    claw_verdict_class(old->verdict) != 'u') {
		json_object_set_new(diff, "unknown", json_true());
		return "unknown now";
	}
	return is_failure(old) ? "gone" : "";
}

static void put_slope(json_t *object, const struct claw_result *result)
{
	static const char *const names[] = { "slope", "low", "high" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		json_object_set_new(object, names[i], claw_diff_number(
			claw_result_metric(result ? result->metrics : NULL,
					 names[i])));
	json_object_set_new(object, "verdict", result ?
		json_string(claw_verdict_name(result->verdict)) : json_null());
	json_object_set_new(object, "message", result && result->message ?
		json_string(result->message) : json_null());
}

/* ---- series ------------------------------------------------------------ */

static json_t *series_side(const struct claw_diff_side *side,
			   enum claw_series_id id,
			   const struct claw_result *result)
{
	json_t *object = json_pack("{s:o,s:o}",
		"start", claw_diff_number(median(&side->samples, id, 0, 1)),
		"end", claw_diff_number(median(&side->samples, id, PART - 1,
					       PART)));

	put_slope(object, result);
	return object;
}

static void add_series(json_t *diff, json_t *all,
		       const struct claw_diff_side *old,
		       const struct claw_diff_side *new,
		       enum claw_series_id id)
{
	const struct claw_series *series = &claw_series[id];
	const struct claw_result *before = find_result(old->run, "soak",
						       series->name);
	const struct claw_result *now = find_result(new->run, "soak",
						    series->name);

	if (before || now)
		json_array_append_new(all, json_pack(
			"{s:s,s:s,s:i,s:s,s:o,s:o}", "name", series->name,
			"title", series->title, "unit", (int)series->unit,
			"state", state_of(diff, before, now),
			"old", series_side(old, id, before),
			"new", series_side(new, id, now)));
}

static bool is_speed(enum claw_series_id id)
{
	return claw_series[id].group == CLAW_GROUP_LATENCY ||
	       claw_series[id].group == CLAW_GROUP_THROUGHPUT;
}

static double largest(const struct claw_html_samples *samples,
		      enum claw_series_id id)
{
	return claw_html_is_measured(samples, id) ?
		samples->whole[id].largest : NAN;
}

static json_t *medians_json(const struct claw_diff_side *old,
			    const struct claw_diff_side *new)
{
	json_t *all = json_array();

	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		enum claw_series_id id = (enum claw_series_id)i;

		if (is_speed(id) &&
		    (claw_html_is_measured(&old->samples, id) ||
		     claw_html_is_measured(&new->samples, id)))
			json_array_append_new(all, claw_diff_row(
				claw_series[id].name, claw_series[id].title,
				claw_series[id].unit,
				median(&old->samples, id, 0, PART),
				median(&new->samples, id, 0, PART)));
	}
	json_array_append_new(all, claw_diff_row("peak_device_bytes",
		"peak of device memory", CLAW_UNIT_BYTES,
		largest(&old->samples, CLAW_SERIES_DEVICE_BYTES),
		largest(&new->samples, CLAW_SERIES_DEVICE_BYTES)));
	return all;
}

/* ---- sites, crashes, the workload -------------------------------------- */

/* Of a site that grows in both: intervals that lie apart. */
static const char *compare_growth(json_t *diff, const struct claw_result *old,
				  const struct claw_result *new)
{
	if (claw_result_metric(new->metrics, "low") >
	    claw_result_metric(old->metrics, "high")) {
		json_object_set_new(diff, "worse", json_true());
		return "grows faster";
	}
	return claw_result_metric(new->metrics, "high") <
	       claw_result_metric(old->metrics, "low") ? "grows slower" :
	       "grows as before";
}

static const char *named_state(json_t *diff, const char *suite,
			       const struct claw_result *old,
			       const struct claw_result *new)
{
	const char *state = state_of(diff, old, new);

	if (is_failure(new) && !is_failure(old))
		return "new";
	if (is_failure(old) && !is_failure(new))
		return "gone";
	if (is_failure(new) && strcmp(suite, "soak-site") == 0)
		return compare_growth(diff, old, new);
	return state;
}

static void add_named(json_t *diff, json_t *all, const char *suite,
		      const struct claw_result *old,
		      const struct claw_result *new)
{
	const struct claw_result *any = new ? new : old;
	json_t *object = json_pack("{s:s?,s:s?,s:i,s:s,s:{},s:{}}", "name",
		any->name, "file", any->file, "line", (int)any->line,
		"state", named_state(diff, suite, old, new), "old", "new");

	put_slope(json_object_get(object, "old"), old);
	put_slope(json_object_get(object, "new"), new);
	json_array_append_new(all, object);
}

/* All results of that suite, by name. */
static json_t *named_json(json_t *diff, const char *suite,
			  const struct claw_past_run *old,
			  const struct claw_past_run *new)
{
	json_t *all = json_array();

	for (size_t i = 0; i < new->result_count; i++) {
		const struct claw_result *one = &new->results[i];

		if (claw_report_same(one->suite, suite))
			add_named(diff, all, suite,
				  find_result(old, suite, one->name), one);
	}
	for (size_t i = 0; i < old->result_count; i++) {
		const struct claw_result *one = &old->results[i];

		if (claw_report_same(one->suite, suite) &&
		    !find_result(new, suite, one->name))
			add_named(diff, all, suite, one, NULL);
	}
	return all;
}

void claw_diff_find_soak(json_t *diff, const struct claw_diff_side *old,
			 const struct claw_diff_side *new)
{
	json_t *series = json_array(), *workload = json_array();
	const struct claw_result *before, *now;

	before = find_result(old->run, "soak", "workload");
	now = find_result(new->run, "soak", "workload");
	if (before || now)
		add_named(diff, workload, "soak", before, now);
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		add_series(diff, series, old, new, (enum claw_series_id)i);
	json_object_set_new(diff, "workload", workload);
	json_object_set_new(diff, "series", series);
	json_object_set_new(diff, "medians", medians_json(old, new));
	json_object_set_new(diff, "sites", named_json(diff, "soak-site",
						      old->run, new->run));
	json_object_set_new(diff, "crashes", named_json(diff, "soak-crash",
							old->run, new->run));
}
