/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a soak: the table of series, charts, events, growing sites.
 */
#include "config.h"

#include "html_soak.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "html.h"
#include "html_chart.h"
#include "harness/base/memory.h"

enum { TABLE_ROWS = 24, SITES_SHOWN = 200, RESULTS_KEPT = 2000 };

void claw_html_soak_sample(struct claw_html_soak *soak,
			   const struct claw_sample *sample,
			   const struct claw_sample_site *sites,
			   size_t site_count)
{
	(void)sites;		/* those that grow are results */
	(void)site_count;
	claw_html_samples_add(&soak->samples, sample);
}

void claw_html_soak_event(struct claw_html_soak *soak,
			  const struct claw_soak_event *event)
{
	claw_html_events_add(&soak->events, event);
}

void claw_html_soak_result(struct claw_html_soak *soak,
			   const struct claw_result *result)
{
	struct claw_result *grown;

	if ((!claw_report_same(result->suite, "soak") &&
	     !claw_report_same(result->suite, "soak-site")) ||
	    soak->count >= RESULTS_KEPT)
		return;
	grown = claw_grow(soak->results, soak->count + 1, sizeof(*grown));
	soak->results = grown;
	claw_result_copy(result, &grown[soak->count]);
	soak->count++;
}

bool claw_html_is_soak(const struct claw_html_soak *soak)
{
	return soak->samples.samples > 0 || soak->events.row_count > 0;
}

void claw_html_soak_release(struct claw_html_soak *soak)
{
	claw_html_samples_release(&soak->samples);
	claw_html_events_release(&soak->events);
	for (size_t i = 0; i < soak->count; i++)
		claw_result_release(&soak->results[i]);
	free(soak->results);
}

/* ---- series ----------------------------------------------------------- */

static void put_value(FILE *out, enum claw_series_unit unit, double value)
{
	char text[64];

	claw_series_print(text, sizeof(text), unit, value);
	fprintf(out, "<td class=\"num\">%s</td>", isnan(value) ? "" : text);
}

static void put_slope(FILE *out, enum claw_series_unit unit,
		      const struct claw_result *result)
{
	const char *metrics = result ? result->metrics : NULL;
	double low = claw_result_metric(metrics, "low");
	double high = claw_result_metric(metrics, "high");
	char text[64];

	put_value(out, unit, claw_result_metric(metrics, "slope"));
	fputs("<td class=\"num\">", out);
	if (!isnan(low) && !isnan(high)) {
		claw_series_print(text, sizeof(text), unit, low);
		fprintf(out, "%s to ", text);
		claw_series_print(text, sizeof(text), unit, high);
		fputs(text, out);
	}
	fputs("</td>", out);
}

static void put_judged_row(FILE *out, const struct claw_result *result)
{
	int id = claw_series_find(result->name ? result->name : "");

	fputs("<tr><th scope=\"row\">", out);
	claw_html_text(out, id < 0 ? result->name : claw_series[id].title);
	fputs("</th><td>", out);
	claw_html_verdict(out, result->verdict);
	fputs("</td><td class=\"why\">", out);
	claw_html_text(out, result->message);
	fputs("</td>", out);
	put_slope(out, id < 0 ? CLAW_UNIT_COUNT : claw_series[id].unit, result);
	fputs("</tr>\n", out);
}

/* The worst first. */
static void put_judged(FILE *out, const struct claw_html_soak *soak,
		       const char *classes)
{
	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	      "aria-labelledby=\"series-title\"><table>\n<thead><tr><th scope="
	      "\"col\">Series</th><th scope=\"col\">Verdict</th><th scope="
	      "\"col\">Why</th><th scope=\"col\" class=\"num\">Per hour</th>"
	      "<th scope=\"col\" class=\"num\">95 % interval</th></tr></thead>"
	      "\n<tbody>\n", out);
	for (const char *class = classes; *class; class++)
		for (size_t i = 0; i < soak->count; i++)
			if (claw_report_same(soak->results[i].suite, "soak") &&
			    claw_verdict_class(soak->results[i].verdict) ==
			    *class)
				put_judged_row(out, &soak->results[i]);
	fputs("</tbody></table></div>\n", out);
}

static void put_number_row(FILE *out, const struct claw_html_samples *samples,
			   enum claw_series_id id)
{
	const struct claw_html_value *whole = &samples->whole[id];
	enum claw_series_unit unit = claw_series[id].unit;

	fprintf(out, "<tr><th scope=\"row\">%s</th>", claw_series[id].title);
	put_value(out, unit, whole->least);
	put_value(out, unit, claw_html_mean(whole));
	put_value(out, unit, whole->largest);
	put_value(out, unit, samples->last[id]);
	fputs("</tr>\n", out);
}

static void put_numbers(FILE *out, const struct claw_html_samples *samples)
{
	fputs("<details><summary>All series in numbers</summary>\n<div class="
	      "\"wide\"><table><caption>All series in numbers</caption>\n"
	      "<thead><tr><th scope=\"col\">Series</th><th scope=\"col\" "
	      "class=\"num\">Least</th><th scope=\"col\" class=\"num\">Mean"
	      "</th><th scope=\"col\" class=\"num\">Largest</th><th scope="
	      "\"col\" class=\"num\">Last</th></tr></thead>\n<tbody>\n", out);
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		if (claw_html_is_measured(samples, (enum claw_series_id)i))
			put_number_row(out, samples, (enum claw_series_id)i);
	fputs("</tbody></table></div></details>\n", out);
}

static void put_not_measured(FILE *out, const struct claw_html_samples *samples)
{
	const char *before = "<p class=\"constant\">Not measurable here: ";

	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		if (claw_html_is_measured(samples, (enum claw_series_id)i))
			continue;
		fprintf(out, "%s%s", before, claw_series[i].title);
		before = "; ";
	}
	fputs(*before == ';' ? ".</p>\n" : "", out);
}

static size_t count_judged(const struct claw_html_soak *soak,
			   const char *classes)
{
	size_t count = 0;

	for (size_t i = 0; i < soak->count; i++)
		count += claw_report_same(soak->results[i].suite, "soak") &&
			strchr(classes, claw_verdict_class(
				soak->results[i].verdict));
	return count;
}

static void put_series(FILE *out, const struct claw_html_soak *soak)
{
	const struct claw_html_samples *samples = &soak->samples;
	char text[64];

	if (samples->samples == 0)
		return;
	fputs("<section id=\"series\" aria-labelledby=\"series-title\">\n"
	      "<h2 id=\"series-title\">Verdict by series</h2>\n", out);
	claw_html_time(text, sizeof(text), samples->last_ms);
	fprintf(out, "<p>%s, %" PRIu64 " sample%s.</p>\n", text,
		samples->samples, samples->samples == 1 ? "" : "s");
	if (count_judged(soak, "funs") > 0)
		put_judged(out, soak, "funs");
	if (count_judged(soak, "p") > 0) {
		fprintf(out, "<details%s><summary>%zu without a finding"
			"</summary>\n", count_judged(soak, "funs") ? "" :
			" open", count_judged(soak, "p"));
		put_judged(out, soak, "p");
		fputs("</details>\n", out);
	}
	put_numbers(out, samples);
	put_not_measured(out, samples);
	fputs("</section>\n", out);
}

/* ---- charts ----------------------------------------------------------- */

static void put_legend(FILE *out, const enum claw_series_id *series,
		       size_t count)
{
	fputs("<ul class=\"legend\">", out);
	for (size_t k = 0; k < count; k++)
		fprintf(out, "<li><svg class=\"key\" viewBox=\"0 0 28 10\" "
			"aria-hidden=\"true\"><path class=\"line s%zu\" d=\"M0 "
			"5h28\"/></svg> %s</li>", k,
			claw_series[series[k]].title);
	fputs("</ul>\n", out);
}

/* A row a stretch of time, for those who do not see the chart. */
static void put_chart_table(FILE *out, const struct claw_html_samples *samples,
			    const char *title,
			    const enum claw_series_id *series, size_t count)
{
	size_t step = (samples->count + TABLE_ROWS - 1) / TABLE_ROWS;
	char text[64];

	fprintf(out, "<details><summary>Table</summary><div class=\"wide\">"
		"<table><caption>%s</caption>\n<thead><tr><th scope=\"col\" "
		"class=\"num\">From</th>", title);
	for (size_t k = 0; k < count; k++)
		fprintf(out, "<th scope=\"col\" class=\"num\">%s</th>",
			claw_series[series[k]].title);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < samples->count; i += step) {
		claw_html_time(text, sizeof(text), samples->items[i].t_ms);
		fprintf(out, "<tr><th scope=\"row\" class=\"num\">%s</th>",
			text);
		for (size_t k = 0; k < count; k++) {
			struct claw_html_value sum = { .count = 0 };

			for (size_t j = i; j < i + step && j < samples->count;
			     j++)
				claw_html_value_join(&sum,
					&samples->items[j].values[series[k]]);
			put_value(out, claw_series[series[k]].unit,
				  claw_html_chart_value(series[k], &sum));
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div></details>\n", out);
}

static void put_constant(FILE *out, const struct claw_html_chart *chart,
			 const struct claw_html_samples *samples)
{
	const char *before = "<p class=\"constant\">Unchanged: ";
	char text[64];

	for (size_t i = 0; i < chart->count; i++) {
		enum claw_series_id id = chart->series[i];

		if (!claw_html_is_constant(samples, id) || chart->is_bands)
			continue;
		claw_series_print(text, sizeof(text), claw_series[id].unit,
				  samples->whole[id].least);
		fprintf(out, "%s%s %s", before, claw_series[id].title, text);
		before = ", ";
	}
	fputs(*before == ',' ? ".</p>\n" : "", out);
}

static void put_chart(FILE *out, const struct claw_html_soak *soak,
		      const struct claw_html_chart *chart)
{
	enum claw_series_id series[CLAW_HTML_CHART_SERIES];
	size_t count = claw_html_chart_lines(chart, &soak->samples, series);

	if (count == 0)
		return;
	fprintf(out, "<figure class=\"chart\" id=\"chart-%s\">\n<figcaption>"
		"<h3>%s</h3></figcaption>\n", chart->id, chart->title);
	put_legend(out, series, count);
	fprintf(out, "<div class=\"plot\" data-chart=\"%s\">\n", chart->id);
	claw_html_chart_draw(out, chart, &soak->samples, &soak->events, false);
	fputs("</div>\n", out);
	put_constant(out, chart, &soak->samples);
	put_chart_table(out, &soak->samples, chart->title, series, count);
	fputs("</figure>\n", out);
}

static void put_charts(FILE *out, const struct claw_html_soak *soak)
{
	if (soak->samples.count == 0)
		return;
	fputs("<section id=\"charts\" aria-labelledby=\"charts-title\">\n"
	      "<h2 id=\"charts-title\">Over time</h2>\n"
	      "<p>Lines show the mean per interval, shading the range from "
	      "minimum to maximum. Triangles below an axis are events: "
	      "failures of the program (with a line), injected faults, and "
	      "others.</p>\n"
	      "<div id=\"zoom\" role=\"toolbar\" aria-label=\"Stretch of time "
	      "that the charts show\" hidden></div>\n", out);
	for (size_t i = 0; i < claw_html_chart_count; i++)
		put_chart(out, soak, &claw_html_charts[i]);
	fputs("</section>\n", out);
}

/* ---- events and sites ------------------------------------------------- */

static void put_events(FILE *out, const struct claw_report_head *head,
		       const struct claw_html_soak *soak)
{
	if (soak->events.row_count == 0)
		return;
	fputs("<section id=\"events\" aria-labelledby=\"events-title\">\n<h2 "
	      "id=\"events-title\">Events</h2>\n<div class=\"plot\" data-chart="
	      "\"timeline\">\n", out);
	claw_html_timeline_draw(out, &soak->samples, &soak->events, false);
	fputs("</div>\n", out);
	claw_html_put_events(out, head, &soak->events);
	fputs("</section>\n", out);
}

static void put_site(FILE *out, const struct claw_report_head *head,
		     const struct claw_result *site)
{
	bool is_bytes = claw_report_same(site->seen, "bytes");

	fputs("<tr><th scope=\"row\">", out);
	claw_html_text(out, site->name);
	if (site->file) {
		fputs(" <span class=\"place\">", out);
		claw_html_place(out, head, site->file, site->line, 0);
		fputs("</span>", out);
	}
	fputs("</th>", out);
	put_slope(out, is_bytes ? CLAW_UNIT_BYTES : CLAW_UNIT_COUNT, site);
	fputs("<td class=\"why\">", out);
	claw_html_text(out, site->message);
	fputs("</td></tr>\n", out);
}

static void put_sites(FILE *out, const struct claw_report_head *head,
		      const struct claw_html_soak *soak)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < soak->count; i++) {
		const struct claw_result *one = &soak->results[i];

		if (!claw_report_same(one->suite, "soak-site") ||
		    all++ >= SITES_SHOWN)
			continue;
		if (shown++ == 0)
			fputs("<section id=\"leaks\" aria-labelledby="
			      "\"leaks-title\">\n<h2 id=\"leaks-title\">Growing "
			      "call sites</h2>\n<div class=\"wide\" tabindex="
			      "\"0\" role=\"region\" aria-labelledby="
			      "\"leaks-title\"><table>\n<thead><tr><th scope="
			      "\"col\">Created at</th><th scope=\"col\" class="
			      "\"num\">Per hour</th><th scope=\"col\" class="
			      "\"num\">95 % interval</th><th scope=\"col\">What"
			      "</th></tr></thead>\n<tbody>\n", out);
		put_site(out, head, one);
	}
	if (shown == 0)
		return;
	fputs("</tbody></table></div>\n", out);
	if (all > shown)
		fprintf(out, "<p class=\"cut\">%zu more are omitted.</p>\n",
			all - shown);
	fputs("</section>\n", out);
}

void claw_html_put_soak(FILE *out, const struct claw_report_head *head,
			const struct claw_html_soak *soak)
{
	if (!claw_html_is_soak(soak))
		return;
	put_sites(out, head, soak);
	put_series(out, soak);
	put_charts(out, soak);
	put_events(out, head, soak);
}
