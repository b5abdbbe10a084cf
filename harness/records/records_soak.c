/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a soak: written one by one, found again by one that goes on. */
#include "config.h"

#include "records_soak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/clock.h"
#include "records_put.h"
#include "soak_json.h"

enum { SYNC_S = 10 };

int claw_records_put(struct claw_records *records, const char *type,
		     json_t *members)
{
	int ret = claw_records_try(records, type, members);

	if (ret < 0 || (int64_t)(claw_clock_mono_ms() / 1000u) < records->synced_s + SYNC_S)
		return ret;
	records->synced_s = (int64_t)(claw_clock_mono_ms() / 1000u);
	return claw_records_sync(records);
}

int claw_records_segment(struct claw_records *records,
			 const struct claw_soak_segment *segment)
{
	struct claw_soak_segment whole = *segment;
	char started[32];

	if (!whole.started) {
		claw_records_time(started, sizeof(started));
		whole.started = started;
	}
	return claw_records_put(records, "segment",
				claw_soak_segment_to_json(&whole));
}

int claw_records_sample(struct claw_records *records,
			const struct claw_sample *sample,
			const struct claw_sample_site *sites,
			size_t site_count)
{
	return claw_records_put(records, "sample",
				claw_sample_to_json(sample, sites, site_count));
}

int claw_records_event(struct claw_records *records,
		       const struct claw_soak_event *event)
{
	return claw_records_put(records, "event",
				claw_soak_event_to_json(event));
}

bool claw_soak_is_workload(const struct claw_result *result)
{
	return result->suite && strcmp(result->suite, "soak") == 0 &&
	       result->name && strcmp(result->name, "workload") == 0;
}

double claw_soak_told(const struct claw_result *result, const char *metric)
{
	return claw_soak_is_workload(result) ?
	       claw_result_metric(result->metrics, metric) : NAN;
}

/* ---- going on --------------------------------------------------------- */

/* Time does not fall, and neither do totals. */
static void see_time(struct claw_soak_past *past, uint64_t t_ms,
		     int64_t wall_ms, uint64_t run)
{
	if (t_ms > past->t_ms)
		past->t_ms = t_ms;
	if (run > past->runs)
		past->runs = run;
	past->wall_ms = wall_ms;
}

static void see_sample(struct claw_soak_past *past, const json_t *object)
{
	struct claw_sample sample;
	struct claw_sample_site *sites;
	size_t count;

	if (!claw_sample_from_json(object, &sample, &sites, &count))
		return;
	free(sites);
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		if (isnan(sample.values[i]))
			sample.values[i] = past->last.values[i];
	past->last = sample;
	past->samples++;
	see_time(past, sample.t_ms, sample.wall_ms, sample.run);
}

/* What a verdict adds at the end is not there any more when it goes on; a note is
 * of the end behind a result. */
static bool is_of_the_end(const char *type, bool is_at_end)
{
	static const char *const types[] = {
		"end", "result", "rule", "comparison", "change",
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return is_at_end && strcmp(type, "note") == 0;
}

static bool see(void *user, const char *type, const json_t *object)
{
	struct claw_soak_past *past = user;
	struct claw_soak_segment segment;
	struct claw_soak_event event;

	if (strcmp(type, "sample") == 0) {
		see_sample(past, object);
	} else if (strcmp(type, "event") == 0 &&
		   claw_soak_event_from_json(object, &event)) {
		past->events++;
		see_time(past, event.t_ms, event.wall_ms, event.run);
	} else if (strcmp(type, "segment") == 0 &&
		   claw_soak_segment_from_json(object, &segment)) {
		if (segment.segment >= past->segments)
			past->segments = segment.segment + 1;
		see_time(past, segment.t_ms, segment.wall_ms, 0);
	}
	past->is_at_end = is_of_the_end(type, past->is_at_end);
	return !past->is_at_end;
}

int claw_records_continue_soak(const char *directory,
			       struct claw_records **ret_records,
			       struct claw_soak_past *ret_past)
{
	struct claw_soak_past past = { 0 };
	int ret;

	claw_sample_init(&past.last);
	ret = claw_records_reopen(directory, see, &past, ret_records);
	if (ret == 0)
		*ret_past = past;
	return ret;
}
