/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keep the samples of a soak in bounded memory, and find the trend of a series
 * or of a creation site in them.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "soak_evidence.h"

struct claw_soak_judge {
	struct claw_soak_limits limits;
	struct claw_soak_evidence evidence;
};

/* ---- memory ------------------------------------------------------------ */

struct claw_soak_judge *claw_soak_judge_new(const struct claw_soak_limits *limits)
{
	struct claw_soak_judge *judge = claw_calloc(1, sizeof(*judge));
	struct claw_soak_evidence *evidence;

	evidence = &judge->evidence;
	judge->limits = *limits;
	evidence->limits = &judge->limits;
	evidence->merged = evidence->site_merged = 1;
	evidence->hours = claw_calloc(CLAW_EVIDENCE_SAMPLES,
				      sizeof(*evidence->hours));
	evidence->runs = claw_calloc(CLAW_EVIDENCE_SAMPLES,
				     sizeof(*evidence->runs));
	evidence->values = claw_calloc(CLAW_EVIDENCE_SAMPLES,
				       sizeof(*evidence->values));
	evidence->sites = claw_calloc(CLAW_EVIDENCE_SITES,
				      sizeof(*evidence->sites));
	return judge;
}

void claw_soak_judge_free(struct claw_soak_judge *judge)
{
	if (!judge)
		return;
	for (size_t i = 0; i < judge->evidence.site_count; i++) {
		free(judge->evidence.sites[i].site);
		free(judge->evidence.sites[i].place);
	}
	free(judge->evidence.sites);
	free(judge->evidence.values);
	free(judge->evidence.runs);
	free(judge->evidence.hours);
	free(judge);
}

/* ---- samples ----------------------------------------------------------- */

/* Of two neighbours: a level's lowest, as load only adds to it; a total's last;
 * a rate's mean. */
static double merge(enum claw_series_shape shape, double first, double second)
{
	if (isnan(first) || isnan(second))
		return isnan(first) ? second : first;
	if (shape == CLAW_SHAPE_TOTAL)
		return second;
	return shape == CLAW_SHAPE_LEVEL ? fmin(first, second) :
		(first + second) / 2;
}

static void merge_values(double *into, const double *first,
			 const double *second)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		into[i] = merge(claw_series[i].shape, first[i], second[i]);
}

/* Half of them: neighbours of one run become one; of others the second goes. */
static void thin_samples(struct claw_soak_evidence *evidence)
{
	size_t kept = 0;

	for (size_t i = 0; i + 1 < evidence->count; i += 2, kept++) {
		bool same = evidence->runs[i] == evidence->runs[i + 1];

		merge_values(evidence->values[kept], evidence->values[i],
			     evidence->values[same ? i + 1 : i]);
		evidence->hours[kept] = evidence->hours[i];
		evidence->runs[kept] = evidence->runs[i];
	}
	evidence->count = kept;
	evidence->merged *= 2;
}

static void add_sample(struct claw_soak_evidence *evidence,
		       const struct claw_sample *sample)
{
	size_t last;

	if (evidence->pending && evidence->pending < evidence->merged &&
	    evidence->runs[evidence->count - 1] == sample->run) {
		last = evidence->count - 1;
		merge_values(evidence->values[last], evidence->values[last],
			     sample->values);
		evidence->pending++;
		return;
	}
	if (evidence->count == CLAW_EVIDENCE_SAMPLES)
		thin_samples(evidence);
	last = evidence->count++;
	evidence->hours[last] = (double)sample->t_ms / CLAW_SOAK_HOUR_MS;
	evidence->runs[last] = sample->run;
	memcpy(evidence->values[last], sample->values, sizeof(sample->values));
	evidence->pending = 1;
}

/* ---- sites ------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static struct claw_soak_site_points *
find_site(const struct claw_soak_evidence *evidence,
	  const struct claw_sample_site *site)
{
	for (size_t i = 0; i < evidence->site_count; i++)
		if (strcmp(evidence->sites[i].site, site->site) == 0 &&
		    same_text(evidence->sites[i].place, site->place))
			return &evidence->sites[i];
	return NULL;
}

static void note_site(struct claw_soak_evidence *evidence,
		      const struct claw_sample_site *site)
{
	struct claw_soak_site_points *points = find_site(evidence, site);

	if (!points && evidence->site_count == CLAW_EVIDENCE_SITES)
		return;
	if (!points) {
		points = &evidence->sites[evidence->site_count++];
		points->site = claw_strdup(site->site);
		points->place = claw_strdup_or_null(site->place);
	}
	points->last_objects = site->objects;
	points->last_bytes = site->bytes;
}

static void thin_site(struct claw_soak_site_points *points)
{
	size_t kept = 0;

	for (size_t i = 0; i < points->count; i += 2, kept++) {
		size_t other = i + 1 < points->count ? i + 1 : i;

		points->hours[kept] = points->hours[i];
		points->objects[kept] = fmin(points->objects[i],
					     points->objects[other]);
		points->bytes[kept] = fmin(points->bytes[i],
					   points->bytes[other]);
	}
	points->count = kept;
}

/* Levels of a process: with a new one they begin again. */
static void add_site_point(struct claw_soak_site_points *points,
			   const struct claw_sample *sample, bool is_new)
{
	size_t at;

	if (points->run != sample->run) {
		points->run = sample->run;
		points->count = 0;
	}
	if (!is_new && points->count) {
		at = points->count - 1;
		points->objects[at] = fmin(points->objects[at],
					   (double)points->last_objects);
		points->bytes[at] = fmin(points->bytes[at],
					 (double)points->last_bytes);
		return;
	}
	at = points->count++;
	points->hours[at] = (float)((double)sample->t_ms / CLAW_SOAK_HOUR_MS);
	points->objects[at] = (double)points->last_objects;
	points->bytes[at] = (double)points->last_bytes;
}

static void add_site_points(struct claw_soak_evidence *evidence,
			    const struct claw_sample *sample)
{
	bool is_new = evidence->site_pending % evidence->site_merged == 0;
	bool is_full = false;

	for (size_t i = 0; i < evidence->site_count; i++) {
		add_site_point(&evidence->sites[i], sample, is_new);
		is_full |= evidence->sites[i].count ==
			CLAW_EVIDENCE_SITE_SAMPLES;
	}
	evidence->site_pending++;
	if (!is_full)
		return;
	for (size_t i = 0; i < evidence->site_count; i++)
		thin_site(&evidence->sites[i]);
	evidence->site_merged *= 2;
	evidence->site_pending = 0;
}

void claw_soak_judge_add(struct claw_soak_judge *judge,
			 const struct claw_sample *sample,
			 const struct claw_sample_site *sites,
			 size_t site_count)
{
	add_sample(&judge->evidence, sample);
	for (size_t i = 0; i < site_count; i++)
		note_site(&judge->evidence, &sites[i]);
	add_site_points(&judge->evidence, sample);
}

void claw_soak_judge_say(struct claw_soak_judge *judge,
			 struct claw_soak_verdict *ret_verdict)
{
	claw_soak_evidence_judge(&judge->evidence, ret_verdict);
}

/* ---- trends ------------------------------------------------------------ */

/* Where the run of the program begins and ends that has most samples. */
static void find_longest_run(const struct claw_soak_evidence *evidence,
			     size_t *ret_first, size_t *ret_count)
{
	size_t first = 0;

	*ret_first = *ret_count = 0;
	for (size_t i = 0; i < evidence->count; i++) {
		if (evidence->runs[i] != evidence->runs[first])
			first = i;
		if (i + 1 - first > *ret_count) {
			*ret_first = first;
			*ret_count = i + 1 - first;
		}
	}
}

static size_t count_values(const double *values, size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += !isnan(values[i]);
	return found;
}

void claw_soak_evidence_trend(const struct claw_soak_evidence *evidence,
			      enum claw_series_id id, bool is_level,
			      bool falls, struct claw_soak_trend *ret_trend)
{
	double column[CLAW_EVIDENCE_SAMPLES];
	size_t first = 0, count = evidence->count;

	*ret_trend = (struct claw_soak_trend){ .values = 0 };
	for (size_t i = 0; i < evidence->count; i++)
		column[i] = evidence->values[i][id];
	ret_trend->values = count_values(column, count);
	if (is_level)
		find_longest_run(evidence, &first, &count);
	ret_trend->one_run = count != evidence->count;
	if (is_level && !falls)
		claw_trend_find_floor(evidence->hours + first, column + first,
				      count, &ret_trend->trend,
				      &ret_trend->falls);
	else
		claw_trend_find(evidence->hours + first, column + first, count,
				CLAW_TREND_MEDIANS, &ret_trend->trend);
}

void claw_soak_evidence_site_trends(const struct claw_soak_evidence *evidence,
				    size_t index,
				    struct claw_soak_site_trends *ret_trends)
{
	const struct claw_soak_site_points *points = &evidence->sites[index];
	double hours[CLAW_EVIDENCE_SITE_SAMPLES];

	for (size_t i = 0; i < points->count; i++)
		hours[i] = points->hours[i];
	claw_trend_find_floor(hours, points->objects, points->count,
			      &ret_trends->objects, &ret_trends->object_falls);
	claw_trend_find_floor(hours, points->bytes, points->count,
			      &ret_trends->bytes, &ret_trends->byte_falls);
}
