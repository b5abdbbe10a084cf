/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples of a soak as a judge keeps them: never more than so many, for a
 * day of seconds too.
 */
#ifndef CLAW_SOAK_EVIDENCE_H
#define CLAW_SOAK_EVIDENCE_H

#include "soak_verdict.h"

enum {
	CLAW_EVIDENCE_SAMPLES = 2048,
	CLAW_EVIDENCE_SITES = 256,	/* beyond them no site is looked at */
	CLAW_EVIDENCE_SITE_SAMPLES = 128,
};

struct claw_soak_site_points {
	char *site, *place;
	uint64_t last_objects, last_bytes, run;
	size_t count;
	float hours[CLAW_EVIDENCE_SITE_SAMPLES];
	double objects[CLAW_EVIDENCE_SITE_SAMPLES];
	double bytes[CLAW_EVIDENCE_SITE_SAMPLES];
};

struct claw_soak_evidence {
	const struct claw_soak_limits *limits;
	/* Of [CLAW_EVIDENCE_SAMPLES]: */
	double *hours;
	uint64_t *runs;
	double (*values)[CLAW_SERIES_COUNT];
	size_t count;
	size_t merged;		/* samples that one of these stands for */
	size_t pending;		/* samples in the last one */
	struct claw_soak_site_points *sites;
	size_t site_count;
	size_t site_merged, site_pending;
};

/* What was found of a series. */
struct claw_soak_trend {
	struct claw_trend trend;
	size_t values;		/* samples that have one */
	size_t falls;		/* of a level */
	bool one_run;		/* of the program's longest run alone */
};

struct claw_soak_site_trends {
	struct claw_trend objects, bytes;
	size_t object_falls, byte_falls;
};

void claw_soak_evidence_trend(const struct claw_soak_evidence *evidence,
			      enum claw_series_id id, bool is_level,
			      bool falls, struct claw_soak_trend *ret_trend);
void claw_soak_evidence_site_trends(const struct claw_soak_evidence *evidence,
				    size_t index,
				    struct claw_soak_site_trends *ret_trends);

/* soak_verdict.c. */
void claw_soak_evidence_judge(const struct claw_soak_evidence *evidence,
			      struct claw_soak_verdict *ret_verdict);

/* soak_causes.c: sets because of all series that leak. */
void claw_soak_find_causes(struct claw_soak_verdict *verdict);

#endif
