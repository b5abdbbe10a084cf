/* SPDX-License-Identifier: Apache-2.0 */
/* What the records of a soak say of its end. */
#include "config.h"

#include "soak_finished.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "harness/records/records_soak.h"
#include "harness/base/text.h"

struct reading {
	struct claw_soak_finished *finished;
	int64_t wall_ms;	/* of the last record */
	bool cancelled;
};

static void see_time(struct reading *reading, uint64_t t_ms, int64_t wall_ms)
{
	struct claw_soak_finished *finished = reading->finished;

	if (t_ms > finished->t_ms)
		finished->t_ms = t_ms;
	reading->wall_ms = wall_ms;
}

static void see_segment(void *user, const struct claw_soak_segment *segment)
{
	struct reading *reading = user;

	reading->finished->is_soak = true;
	see_time(reading, segment->t_ms, segment->wall_ms);
}

static void see_sample(void *user, const struct claw_sample *sample,
		       const struct claw_sample_site *sites, size_t site_count)
{
	struct reading *reading = user;
	double iterations = sample->values[CLAW_SERIES_ITERATIONS];

	(void)sites;
	(void)site_count;
	if (!isnan(iterations))
		reading->finished->iterations = iterations;
	see_time(reading, sample->t_ms, sample->wall_ms);
}

static void see_event(void *user, const struct claw_soak_event *event)
{
	see_time(user, event->t_ms, event->wall_ms);
}

/* What the end said goes before the last sample. */
static void see_result(void *user, const struct claw_result *result)
{
	struct reading *reading = user;
	double iterations = claw_soak_told(result, CLAW_TOLD_ITERATIONS);

	if (!isnan(iterations))
		reading->finished->iterations = iterations;
	if (result->duration_us / 1000 > reading->finished->t_ms)
		reading->finished->t_ms = result->duration_us / 1000;
}

static void see_end(void *user, int exit_status, bool cancelled)
{
	struct reading *reading = user;

	reading->finished->exit_status = exit_status;
	reading->cancelled = cancelled;
}

static void put_time(char *text, size_t size, int64_t wall_ms)
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
	    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		*text = '\0';
}

int claw_soak_finished_read(const char *directory,
			    struct claw_soak_finished *ret_finished)
{
	static const struct claw_records_visitor visitor = {
		.segment = see_segment, .sample = see_sample,
		.event = see_event, .result = see_result, .end = see_end,
	};
	struct reading reading = { .finished = ret_finished };
	char *path = claw_path_in(directory, "records.jsonl");
	uint64_t damaged;
	bool complete = false;
	int ret;

	*ret_finished = (struct claw_soak_finished){ .iterations = NAN };
	ret = claw_records_read(path, &visitor, &reading, &complete, &damaged);
	free(path);
	ret_finished->is_finished = complete && !reading.cancelled;
	put_time(ret_finished->at, sizeof(ret_finished->at), reading.wall_ms);
	return ret;
}
