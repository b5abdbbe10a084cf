/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the samples of a soak say: does it leak, does it slow down (the
 * exact ledger first; a slope against a warmed-up baseline with an
 * effect size and a CUSUM alarm, else unknown).
 */
#ifndef CLAW_SOAK_VERDICT_H
#define CLAW_SOAK_VERDICT_H

#include "harness/records/series.h"
#include "harness/base/trend.h"

/* Hours of a sample's t_ms. */
#define CLAW_SOAK_HOUR_MS	3600000.0

enum claw_soak_finding {
	CLAW_SOAK_STEADY,	/* it was looked at, and does not grow */
	CLAW_SOAK_UNKNOWN,	/* too few samples, or they do not agree: why */
	CLAW_SOAK_LEAK,
	CLAW_SOAK_SLOWDOWN,
	CLAW_SOAK_NOT_MEASURED,	/* no value at all */
};

struct claw_soak_series_verdict {
	enum claw_series_id series;
	enum claw_soak_finding finding;
	struct claw_trend trend;	/* x: hours of t_ms */
	double exhausted_hours;	/* from the end on until the device's (or the
				 * machine's) memory is full at that slope; NAN */
	/* A leak that accounts for this growth and is a finding of its own: a
	 * site of sites, or the title of another series; or NULL. */
	const char *because;
	char why[400];		/* one line: "grows by 1.2 MiB an hour (1.1 to 1.3), ..." */
};

/* One creation site that grows. */
struct claw_soak_site_verdict {
	char *site, *place;	/* malloced; place may be NULL */
	struct claw_trend objects, bytes;
	uint64_t last_objects, last_bytes;
};

struct claw_soak_limits {
	double device_bytes;	/* memory of the device or its model, NAN: not known */
	double host_bytes;	/* of the machine, or its cgroup */
	double processors;	/* that are shared with others; 0: not known */
};

struct claw_soak_verdict {
	struct claw_soak_series_verdict series[CLAW_SERIES_COUNT];
	struct claw_soak_site_verdict *sites;	/* growing ones, fastest first */
	size_t site_count;
	enum claw_soak_finding worst;	/* LEAK over SLOWDOWN over UNKNOWN over STEADY */
};

/*
 * Collects the samples of a soak, in less than 1.5 MiB however many there are
 * (neighbours of the same run of the program are put together), then judges.
 * Levels of memory and handles are those of one process: where the program was
 * started again they are judged in its longest run, the rest over all.
 */
struct claw_soak_judge;
struct claw_soak_judge *claw_soak_judge_new(const struct claw_soak_limits *limits);
/* sites: of this sample; a site that was there before and is not now is as it
 * was. Strings are copied. */
void claw_soak_judge_add(struct claw_soak_judge *judge,
			 const struct claw_sample *sample,
			 const struct claw_sample_site *sites,
			 size_t site_count);
/* May be called more than once (--stop-on leak). */
void claw_soak_judge_say(struct claw_soak_judge *judge,
			 struct claw_soak_verdict *ret_verdict);
void claw_soak_judge_free(struct claw_soak_judge *judge);
void claw_soak_verdict_release(struct claw_soak_verdict *verdict);

#endif
