/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report for people who have a browser: gather what the records say, then
 * print one page.
 */
#include "config.h"

#include "html.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "reports/points.h"

static void html_free(struct claw_html *html)
{
	claw_html_findings_release(&html->findings);
	claw_report_cases_release(&html->cases);
	claw_report_swept_release(&html->swept);
	claw_html_soak_release(&html->soak);
	json_decref(html->faults);
	free(html);
}

static int html_begin(FILE *out, const struct claw_report_head *head,
		      void **ret_state)
{
	struct claw_html *html = claw_calloc(1, sizeof(*html));

	(void)out;
	html->head = head;
	*ret_state = html;
	return 0;
}

static void html_result(FILE *out, void *user, const struct claw_result *result)
{
	struct claw_html *html = user;

	(void)out;
	html->results++;
	if (claw_report_is_point(result)) {
		claw_html_sweep_add(html, result);
		return;
	}
	claw_html_soak_result(&html->soak, result);
	if (claw_html_is_finding(result))
		claw_html_findings_add(&html->findings, result);
	if (claw_report_same(html->head->verb, "test"))
		claw_html_tests_add(html, result);
}

static void html_sample(FILE *out, void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites, size_t site_count)
{
	struct claw_html *html = user;

	(void)out;
	claw_html_soak_sample(&html->soak, sample, sites, site_count);
}

static void html_event(FILE *out, void *user,
		       const struct claw_soak_event *event)
{
	struct claw_html *html = user;

	(void)out;
	claw_html_soak_event(&html->soak, event);
}

static int html_end(FILE *out, void *user)
{
	struct claw_html *html = user;

	claw_html_page(out, html);
	html_free(html);
	return 0;
}

const struct claw_report_format claw_report_html = {
	.summary = "a self-contained HTML page",
	.begin = html_begin, .result = html_result, .end = html_end,
	.sample = html_sample, .event = html_event,
};
