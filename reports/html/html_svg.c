/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write plots into files.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/base/text.h"
#include "html_chart.h"
#include "html_soak.h"
#include "html_svg.h"

enum { BAR_LEFT = 110, BAR_WIDTH = 520, BAR_ROW = 24 };

struct plots {
	struct claw_html_soak soak;
	uint64_t counts[CLAW_VERDICT_COUNT], most;
	size_t kinds;
};

/* ---- gather ----------------------------------------------------------- */

static void take_result(void *user, const struct claw_result *result)
{
	struct plots *plots = user;

	plots->kinds += plots->counts[result->verdict] == 0;
	if (++plots->counts[result->verdict] > plots->most)
		plots->most = plots->counts[result->verdict];
}

static void take_sample(void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites, size_t site_count)
{
	struct plots *plots = user;

	claw_html_soak_sample(&plots->soak, sample, sites, site_count);
}

static void take_event(void *user, const struct claw_soak_event *event)
{
	struct plots *plots = user;

	claw_html_soak_event(&plots->soak, event);
}

/* ---- plots ------------------------------------------------------------ */

/* How many results of each verdict. */
static void draw_verdicts(FILE *out, const struct plots *plots)
{
	static const char classes[] = "funsp";
	static const char *const colors[] = {
		"#b3001b", "#7a2fb8", "#8a5300", "#545b66", "#0b6b3a",
	};
	double height = 16.0 + BAR_ROW * (double)plots->kinds, y = 8;

	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns="
		"\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 %.0f\" width="
		"\"720\" height=\"%.0f\" role=\"img\">\n<title>Results by "
		"verdict</title>\n<rect width=\"100%%\" height=\"100%%\" fill="
		"\"#ffffff\"/>\n<g font-family=\"sans-serif\" font-size=\"12\" "
		"fill=\"#333333\">\n", height, height);
	for (size_t k = 0; classes[k]; k++)
		for (int i = 0; i < CLAW_VERDICT_COUNT; i++) {
			if (plots->counts[i] == 0 || classes[k] !=
			    claw_verdict_class((enum claw_verdict)i))
				continue;
			fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor="
				"\"end\">%s</text>\n<rect x=\"%d\" y=\"%.0f\" "
				"width=\"%.1f\" height=\"16\" fill=\"%s\"/>\n"
				"<text x=\"%.1f\" y=\"%.0f\">%" PRIu64
				"</text>\n", BAR_LEFT - 8, y + 13,
				claw_verdict_name((enum claw_verdict)i),
				BAR_LEFT, y, BAR_WIDTH *
				(double)plots->counts[i] /
				(double)plots->most, colors[k], BAR_LEFT + 6 +
				BAR_WIDTH * (double)plots->counts[i] /
				(double)plots->most, y + 13, plots->counts[i]);
			y += BAR_ROW;
		}
	fputs("</g>\n</svg>\n", out);
}

static FILE *create(struct claw_new_file *plot, const char *path,
		    const char *name, FILE *list)
{
	char file[64], *whole;
	FILE *out;

	snprintf(file, sizeof(file), "%s.svg", name);
	whole = claw_path_in(path, file);
	out = claw_new_file_begin(plot, whole);
	if (out)
		fprintf(list, "%s\n", whole);
	free(whole);
	return out;
}

static int write_charts(const struct plots *plots, const char *path, FILE *list)
{
	const struct claw_html_soak *soak = &plots->soak;
	struct claw_new_file plot;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < claw_html_chart_count; i++) {
		enum claw_series_id series[CLAW_HTML_CHART_SERIES];
		FILE *out;

		if (claw_html_chart_lines(&claw_html_charts[i], &soak->samples,
					  series) == 0)
			continue;
		out = create(&plot, path, claw_html_charts[i].id, list);
		if (!out)
			return -CLAW_E_IO;
		claw_html_chart_draw(out, &claw_html_charts[i], &soak->samples,
				     &soak->events, true);
		ret = claw_new_file_end(&plot, true);
	}
	return ret;
}

static int write_all(const struct plots *plots, const char *path, FILE *list)
{
	struct claw_new_file plot;
	FILE *out;
	int ret = 0;

	if (claw_make_directory(path) < 0)
		return -CLAW_E_IO;
	if (plots->kinds > 0) {
		out = create(&plot, path, "verdicts", list);
		if (!out)
			return -CLAW_E_IO;
		draw_verdicts(out, plots);
		ret = claw_new_file_end(&plot, true);
	}
	if (ret == 0 && plots->soak.events.lane_count > 0) {
		out = create(&plot, path, "events", list);
		if (!out)
			return -CLAW_E_IO;
		claw_html_timeline_draw(out, &plots->soak.samples,
					&plots->soak.events, true);
		ret = claw_new_file_end(&plot, true);
	}
	return ret < 0 ? ret : write_charts(plots, path, list);
}

int claw_html_svg(const char *directory, const char *path, FILE *list,
		  bool *ret_is_output)
{
	static const struct claw_records_visitor visitor = {
		.result = take_result, .sample = take_sample,
		.event = take_event,
	};
	struct plots *plots = claw_calloc(1, sizeof(*plots));
	char *records = claw_path_in(directory, "records.jsonl");
	bool complete;
	uint64_t damaged;
	int ret;

	*ret_is_output = false;
	ret = claw_records_read(records, &visitor, plots, &complete, &damaged);
	if (ret == 0) {
		*ret_is_output = true;
		ret = write_all(plots, path, list);
	}
	claw_html_soak_release(&plots->soak);
	free(plots);
	free(records);
	return ret;
}
