/* SPDX-License-Identifier: Apache-2.0 */
/* Read what a comparison needs of a run beyond its results. */
#include "config.h"

#include "diff.h"

#include <limits.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/records/result_json.h"
#include "reports/report.h"

struct reading {
	struct claw_html_samples *samples;
};

static void read_sample(void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites, size_t site_count)
{
	struct reading *reading = user;

	(void)sites;
	(void)site_count;
	claw_html_samples_add(reading->samples, sample);
}

static int read_samples(struct claw_diff_side *side)
{
	static const struct claw_records_visitor visitor = {
		.sample = read_sample,
	};
	struct reading reading = { .samples = &side->samples };
	char path[PATH_MAX];
	uint64_t damaged;
	bool complete;

	if (snprintf(path, sizeof(path), "%s/records.jsonl",
		     side->run->directory) >= (int)sizeof(path))
		return -CLAW_E_IO;
	return claw_records_read(path, &visitor, &reading, &complete, &damaged);
}

static json_t *read_profile(const struct claw_past_run *run)
{
	char path[PATH_MAX];
	json_t *profile;

	if (snprintf(path, sizeof(path), "%s/profile.json", run->directory) >=
	    (int)sizeof(path))
		return NULL;
	profile = claw_json_read(path, NULL);
	if (json_is_object(profile))
		return profile;
	json_decref(profile);
	return NULL;
}

int claw_diff_side_init(struct claw_diff_side *side,
			const struct claw_past_run *run)
{
	*side = (struct claw_diff_side){ .run = run };
	if (run->segment_count > 0)
		side->kind = CLAW_DIFF_SOAK;
	else if (claw_report_same(run->verb, "profile"))
		side->kind = CLAW_DIFF_PROFILE;
	else
		return 0;
	if (side->kind == CLAW_DIFF_PROFILE)
		side->profile = read_profile(run);
	return read_samples(side);
}

void claw_diff_side_release(struct claw_diff_side *side)
{
	claw_html_samples_release(&side->samples);
	json_decref(side->profile);
}

const char *claw_diff_kind_name(enum claw_diff_kind kind)
{
	return kind == CLAW_DIFF_SOAK ? "a soak" :
	       kind == CLAW_DIFF_PROFILE ? "a profile" :
	       "a run with a list of cases";
}
