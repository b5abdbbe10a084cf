/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A soak on a page: what it comes to by series, charts over time, what happened
 * when, which creation sites grow.
 */
#ifndef CLAW_HTML_SOAK_H
#define CLAW_HTML_SOAK_H

#include "html_events.h"
#include "html_samples.h"
#include "reports/report.h"

struct claw_html_soak {
	struct claw_html_samples samples;
	struct claw_html_events events;
	struct claw_result *results;	/* of suite "soak" and "soak-site" */
	size_t count;
};

/* A result of another suite is not taken. */
void claw_html_soak_sample(struct claw_html_soak *soak,
			   const struct claw_sample *sample,
			   const struct claw_sample_site *sites,
			   size_t site_count);
void claw_html_soak_event(struct claw_html_soak *soak,
			  const struct claw_soak_event *event);
void claw_html_soak_result(struct claw_html_soak *soak,
			   const struct claw_result *result);
/* Is there anything of a soak? */
bool claw_html_is_soak(const struct claw_html_soak *soak);
void claw_html_put_soak(FILE *out, const struct claw_report_head *head,
			const struct claw_html_soak *soak);
/* For the script: what is drawn, in numbers, as the contents of a <script>. */
void claw_html_put_soak_data(FILE *out, const struct claw_html_soak *soak);
void claw_html_soak_release(struct claw_html_soak *soak);

#endif
