/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From trends to verdicts: what counts as growth of each group of series, and
 * the words. The evidence of soak_evidence.h is collected before.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "soak_crowd.h"
#include "soak_evidence.h"
#include "soak_verdict.h"

/*
 * How much a group of series must grow over the samples before that is said:
 * so much at least, so much of where it began, and so many times its noise.
 */
static const struct rule {
	double least[CLAW_UNIT_WATT + 1];	/* by unit */
	double part, noises, effect;
	enum claw_soak_finding finding;
	bool is_level;		/* of a process: load raises and lowers it */
	bool falls;		/* less is bad */
} rules[] = {
	[CLAW_GROUP_LEDGER] = {
		.least = { [CLAW_UNIT_COUNT] = 3, [CLAW_UNIT_BYTES] = 1 },
		.part = 0.002, .noises = 3, .effect = 0.7,
		.finding = CLAW_SOAK_LEAK, .is_level = true },
	[CLAW_GROUP_HANDLES] = {
		.least = { [CLAW_UNIT_COUNT] = 3 },
		.part = 0.05, .noises = 3, .effect = 0.7,
		.finding = CLAW_SOAK_LEAK, .is_level = true },
	[CLAW_GROUP_HEAP] = {
		.least = { [CLAW_UNIT_BYTES] = 768 * 1024.0 },
		.part = 0.01, .noises = 3, .effect = 0.8,
		.finding = CLAW_SOAK_LEAK, .is_level = true },
	[CLAW_GROUP_RESIDENT] = {
		.least = { [CLAW_UNIT_BYTES] = 4 * 1024 * 1024.0 },
		.part = 0.02, .noises = 3, .effect = 0.8,
		.finding = CLAW_SOAK_UNKNOWN, .is_level = true },
	[CLAW_GROUP_LATENCY] = {
		.least = { [CLAW_UNIT_MS] = 0.02 },
		.part = 0.25, .noises = 3, .effect = 0.8,
		.finding = CLAW_SOAK_SLOWDOWN },
	[CLAW_GROUP_THROUGHPUT] = {
		.part = 0.20, .noises = 3, .effect = 0.8,
		.finding = CLAW_SOAK_SLOWDOWN, .falls = true },
	[CLAW_GROUP_EVENTS] = { .part = 0 },
};

/* A part of the slope over all that must still be there in the second half: a
 * cache that fills up levels off, a leak does not. */
static const double STILL_RISING = 0.3;

/* A level that falls back is judged by what it falls back to. That says nothing
 * where it rises by less than the first part of the range; more than the second
 * is evidence. */
static const double BOTTOMS_RISE = 0.1, BOTTOMS_RISE_CLEARLY = 0.25;

/* ---- words ------------------------------------------------------------- */

static void print_slope(char *text, size_t size,
			const struct claw_series *series, double slope)
{
	double shown = fabs(slope);

	claw_series_print(text, size, series->unit, shown);
}

/* "grows by 1.2 MiB an hour (1.1 to 1.3)" */
static void say_growth(char *text, size_t size, const struct claw_series *series,
		       const struct claw_trend *trend)
{
	char slope[64], low[64], high[64];
	bool falls = trend->slope < 0;

	print_slope(slope, sizeof(slope), series, trend->slope);
	print_slope(low, sizeof(low), series, falls ? trend->high : trend->low);
	print_slope(high, sizeof(high), series, falls ? trend->low : trend->high);
	snprintf(text, size, "%s by %s an hour (95 %%: %s to %s)",
		 falls ? "falls" : "grows", slope, low,
		 isinf(trend->low) || isinf(trend->high) ? "unbounded" : high);
}

static void append(char *text, size_t size, const char *words)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", words);
}

static void say_exhausted(struct claw_soak_series_verdict *verdict)
{
	char words[80];
	double hours = verdict->exhausted_hours;

	if (isnan(hours))
		return;
	if (hours < 48)
		snprintf(words, sizeof(words), "; memory is full in %.3g h",
			 hours);
	else
		snprintf(words, sizeof(words), "; memory is full in %.3g days",
			 hours / 24);
	append(verdict->why, sizeof(verdict->why), words);
}

/* ---- one trend --------------------------------------------------------- */

/* A trend of what should not fall, turned round. */
static struct claw_trend upwards(const struct claw_trend *trend, bool falls)
{
	struct claw_trend turned = *trend;

	if (!falls)
		return turned;
	turned.slope = -trend->slope;
	turned.low = -trend->high;
	turned.high = -trend->low;
	turned.late_slope = -trend->late_slope;
	turned.effect = -trend->effect;
	turned.start = -trend->start;
	turned.end = -trend->end;
	return turned;
}

static double least_growth(const struct rule *rule,
			   const struct claw_series *series,
			   const struct claw_trend *trend)
{
	return fmax(fmax(rule->least[series->unit],
			 rule->part * fabs(trend->start)),
		    rule->noises * trend->noise);
}

/* NULL: what rises is a finding; or why nothing is said of it. */
static const char *doubt(const struct rule *rule,
			 const struct claw_trend *up, size_t falls)
{
	enum { BOTTOMS = 3 };

	if (falls && up->end - up->start < BOTTOMS_RISE_CLEARLY * up->range)
		return "little of its variation: run it longer";
	if (falls && falls < BOTTOMS)
		return "it dropped in between, too rarely to tell whether to "
		       "its old level: run it longer";
	if (up->effect < rule->effect)
		return "its last third is not clearly above its first: run it "
		       "longer";
	if (!rule->falls && up->cusum < 1)
		return "the sum of its changes raises no alarm: run it longer";
	if (up->late_slope < STILL_RISING * up->slope)
		return "the growth is decreasing: run it longer";
	return NULL;
}

/* Does it grow at all, and by so much that it is worth a word? */
static bool rises(const struct rule *rule, const struct claw_series *series,
		  const struct claw_trend *up, size_t falls)
{
	double growth = up->end - up->start;

	return up->low > 0 && growth >= least_growth(rule, series, up) &&
	       (!falls || growth >= BOTTOMS_RISE * up->range);
}

static enum claw_soak_finding judge_trend(const struct rule *rule,
					  const struct claw_series *series,
					  const struct claw_soak_trend *found,
					  char *why, size_t size)
{
	struct claw_trend up = upwards(&found->trend, rule->falls);
	char words[200];
	const char *reason;

	if (!rises(rule, series, &up, found->falls)) {
		snprintf(why, size, "steady over %zu sample%s", up.count,
			 up.count == 1 ? "" : "s");
		return CLAW_SOAK_STEADY;
	}
	say_growth(why, size, series, &found->trend);
	reason = doubt(rule, &up, found->falls);
	if (!reason && rule->finding == CLAW_SOAK_UNKNOWN)
		reason = "that alone is no evidence of a leak";
	if (!reason)
		return rule->finding;
	snprintf(words, sizeof(words), "; %s", reason);
	append(why, size, words);
	return CLAW_SOAK_UNKNOWN;
}

/* ---- series ------------------------------------------------------------ */

static bool is_of_host(enum claw_series_id id)
{
	return id == CLAW_SERIES_RSS || id == CLAW_SERIES_HEAP;
}

static bool is_of_device(enum claw_series_id id)
{
	return id == CLAW_SERIES_DEVICE_BYTES || id == CLAW_SERIES_VENDOR_BYTES;
}

static double hours_left(enum claw_series_id id, const struct claw_trend *trend,
			 const struct claw_soak_limits *limits)
{
	double limit = is_of_host(id) ? limits->host_bytes :
		is_of_device(id) ? limits->device_bytes : NAN;

	/* A comparison with NAN is false. */
	return trend->slope > 0 && limit > trend->end ?
		(limit - trend->end) / trend->slope : NAN;
}

/* A slowdown that the rest of the machine may have made is none. Throughput
 * without the time that it waited is what it is; of a latency nobody knows how
 * much of that time was in such calls. */
static void weigh_crowd(const struct claw_soak_evidence *evidence,
			const struct rule *rule,
			struct claw_soak_series_verdict *verdict)
{
	const struct claw_trend *trend = &verdict->trend;
	double end = claw_soak_crowd_correct(evidence, rule->falls, trend->end);
	double worse = rule->falls ? trend->start - end : end - trend->start;
	char words[200];

	if (worse < fmax(rule->part * trend->start,
			 rule->least[claw_series[verdict->series].unit])) {
		verdict->finding = rule->falls ? CLAW_SOAK_STEADY :
			CLAW_SOAK_UNKNOWN;
		append(verdict->why, sizeof(verdict->why), rule->falls ?
		       ", no more than its waiting time for a processor" :
		       "; it also waited longer for a processor, which may "
		       "explain it; repeat on a quiet machine");
	} else if (claw_soak_crowd_changed(evidence, words, sizeof(words))) {
		verdict->finding = CLAW_SOAK_UNKNOWN;
		append(verdict->why, sizeof(verdict->why), "; ");
		append(verdict->why, sizeof(verdict->why), words);
	}
}

static void judge_series(const struct claw_soak_evidence *evidence,
			 enum claw_series_id id,
			 struct claw_soak_series_verdict *verdict)
{
	const struct claw_series *series = &claw_series[id];
	const struct rule *rule = &rules[series->group];
	struct claw_soak_trend found;

	*verdict = (struct claw_soak_series_verdict){
		.series = id, .exhausted_hours = NAN,
	};
	claw_soak_evidence_trend(evidence, id, rule->is_level, rule->falls,
				 &found);
	verdict->trend = found.trend;
	if (!found.values) {
		verdict->finding = CLAW_SOAK_NOT_MEASURED;
		snprintf(verdict->why, sizeof(verdict->why), "not measurable "
			 "here");
	} else if (series->group == CLAW_GROUP_NONE ||
		   series->group == CLAW_GROUP_EVENTS) {
		snprintf(verdict->why, sizeof(verdict->why), "shown only");
	} else if (found.trend.count < CLAW_TREND_LEAST) {
		verdict->finding = CLAW_SOAK_UNKNOWN;
		snprintf(verdict->why, sizeof(verdict->why), "%zu sample%s%s "
			 "after the warm-up, at least %d are needed: use a "
			 "longer --duration or a shorter --monitor-interval",
			 found.trend.count, found.trend.count == 1 ? "" : "s",
			 found.one_run ?
			 " of the program's longest run" : "",
			 CLAW_TREND_LEAST);
	} else {
		verdict->finding = judge_trend(rule, series, &found,
					       verdict->why,
					       sizeof(verdict->why));
	}
	if (verdict->finding == CLAW_SOAK_SLOWDOWN)
		weigh_crowd(evidence, rule, verdict);
	if (verdict->finding == CLAW_SOAK_LEAK ||
	    verdict->finding == CLAW_SOAK_UNKNOWN)
		verdict->exhausted_hours = hours_left(id, &found.trend,
						      evidence->limits);
	if (verdict->finding == CLAW_SOAK_LEAK)
		say_exhausted(verdict);
}

/* What is a leak by better evidence needs no doubt by weaker. */
static void settle(struct claw_soak_verdict *verdict)
{
	struct claw_soak_series_verdict *rss =
		&verdict->series[CLAW_SERIES_RSS];
	struct claw_soak_series_verdict *vendor =
		&verdict->series[CLAW_SERIES_VENDOR_BYTES];
	bool host = verdict->series[CLAW_SERIES_HEAP].finding ==
		    CLAW_SOAK_LEAK;
	bool device = verdict->series[CLAW_SERIES_DEVICE_BYTES].finding ==
		      CLAW_SOAK_LEAK;

	if (rss->finding == CLAW_SOAK_UNKNOWN && host &&
	    rss->trend.count >= CLAW_TREND_LEAST) {
		rss->finding = CLAW_SOAK_LEAK;
		say_growth(rss->why, sizeof(rss->why),
			   &claw_series[CLAW_SERIES_RSS], &rss->trend);
		append(rss->why, sizeof(rss->why), ", as anonymous memory does");
		say_exhausted(rss);
	}
	if (vendor->finding == CLAW_SOAK_UNKNOWN && device &&
	    vendor->trend.count >= CLAW_TREND_LEAST) {
		vendor->finding = CLAW_SOAK_LEAK;
		say_growth(vendor->why, sizeof(vendor->why),
			   &claw_series[CLAW_SERIES_VENDOR_BYTES],
			   &vendor->trend);
		append(vendor->why, sizeof(vendor->why), ", as the ledger does");
		say_exhausted(vendor);
	}
}

/* ---- sites ------------------------------------------------------------- */

static bool site_grows(const struct claw_trend *trend, enum claw_series_id id,
		       size_t falls)
{
	const struct rule *rule = &rules[CLAW_GROUP_LEDGER];

	return trend->count >= CLAW_TREND_LEAST &&
	       rises(rule, &claw_series[id], trend, falls) &&
	       !doubt(rule, trend, falls);
}

static int by_growth(const void *a, const void *b)
{
	const struct claw_soak_site_verdict *left = a, *right = b;

	if (left->bytes.slope != right->bytes.slope)
		return (left->bytes.slope < right->bytes.slope) -
		       (left->bytes.slope > right->bytes.slope);
	return (left->objects.slope < right->objects.slope) -
	       (left->objects.slope > right->objects.slope);
}

static void add_site(struct claw_soak_verdict *verdict,
		     const struct claw_soak_site_points *points,
		     const struct claw_soak_site_trends *found)
{
	verdict->sites = claw_grow(verdict->sites, verdict->site_count + 1,
				   sizeof(*verdict->sites));
	verdict->sites[verdict->site_count++] = (struct claw_soak_site_verdict){
		.site = claw_strdup(points->site),
		.place = claw_strdup_or_null(points->place),
		.objects = found->objects, .bytes = found->bytes,
		.last_objects = points->last_objects,
		.last_bytes = points->last_bytes,
	};
}

static void judge_sites(const struct claw_soak_evidence *evidence,
			struct claw_soak_verdict *verdict)
{
	for (size_t i = 0; i < evidence->site_count; i++) {
		struct claw_soak_site_trends found;

		claw_soak_evidence_site_trends(evidence, i, &found);
		if (site_grows(&found.objects, CLAW_SERIES_BUFFERS,
			       found.object_falls) ||
		    site_grows(&found.bytes, CLAW_SERIES_DEVICE_BYTES,
			       found.byte_falls))
			add_site(verdict, &evidence->sites[i], &found);
	}
	if (verdict->site_count)
		qsort(verdict->sites, verdict->site_count,
		      sizeof(*verdict->sites), by_growth);
}

/* ---- all --------------------------------------------------------------- */

static int badness(enum claw_soak_finding finding)
{
	static const int order[] = {
		[CLAW_SOAK_NOT_MEASURED] = 0, [CLAW_SOAK_STEADY] = 0,
		[CLAW_SOAK_UNKNOWN] = 1, [CLAW_SOAK_SLOWDOWN] = 2,
		[CLAW_SOAK_LEAK] = 3,
	};

	return order[finding];
}

/* Doubt about resident memory alone is for people to see. */
static enum claw_soak_finding
worse(enum claw_soak_finding worst,
      const struct claw_soak_series_verdict *verdict)
{
	if (verdict->finding == CLAW_SOAK_UNKNOWN &&
	    claw_series[verdict->series].group == CLAW_GROUP_RESIDENT)
		return worst;
	return badness(verdict->finding) > badness(worst) ? verdict->finding :
		worst;
}

void claw_soak_evidence_judge(const struct claw_soak_evidence *evidence,
			      struct claw_soak_verdict *ret_verdict)
{
	*ret_verdict = (struct claw_soak_verdict){
		.worst = CLAW_SOAK_STEADY,
	};
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		judge_series(evidence, (enum claw_series_id)i,
			     &ret_verdict->series[i]);
	settle(ret_verdict);
	judge_sites(evidence, ret_verdict);
	claw_soak_find_causes(ret_verdict);
	if (ret_verdict->site_count)
		ret_verdict->worst = CLAW_SOAK_LEAK;
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		ret_verdict->worst = worse(ret_verdict->worst,
					   &ret_verdict->series[i]);
}

void claw_soak_verdict_release(struct claw_soak_verdict *verdict)
{
	for (size_t i = 0; i < verdict->site_count; i++) {
		free(verdict->sites[i].site);
		free(verdict->sites[i].place);
	}
	free(verdict->sites);
	verdict->sites = NULL;
	verdict->site_count = 0;
}
