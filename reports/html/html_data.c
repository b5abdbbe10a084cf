/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A soak in numbers, for the script that zooms: the buckets' times once, of
 * each line the values, of each lane the marks.
 */
#include "config.h"

#include <inttypes.h>

#include "html_chart.h"
#include "html_soak.h"
#include "html_text.h"

static void put_times(FILE *out, const struct claw_html_samples *samples)
{
	fputs("\"t\":[", out);
	for (size_t i = 0; i < samples->count; i++)
		fprintf(out, "%s%" PRIu64, i ? "," : "",
			samples->items[i].t_ms);
	fputs("]", out);
}

enum which { VALUE, LEAST, LARGEST };

static void put_values(FILE *out, const char *name, enum which which,
		       const struct claw_html_samples *samples,
		       enum claw_series_id id)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < samples->count; i++) {
		const struct claw_html_value *value =
			&samples->items[i].values[id];

		if (i > 0)
			fputc(',', out);
		if (value->count == 0)
			fputs("null", out);
		else
			claw_html_number(out, which == LEAST ? value->least :
				which == LARGEST ? value->largest :
				claw_html_chart_value(id, value));
	}
	fputs("]", out);
}

/* Least and largest only where they say more. */
static bool has_band(const struct claw_html_samples *samples,
		     enum claw_series_id id)
{
	if (claw_html_is_peak(id))
		return false;
	for (size_t i = 0; i < samples->count; i++)
		if (samples->items[i].values[id].least <
		    samples->items[i].values[id].largest)
			return true;
	return false;
}

static void put_line(FILE *out, const struct claw_html_samples *samples,
		     enum claw_series_id id)
{
	fputs("{\"title\":", out);
	claw_html_json(out, claw_series[id].title);
	fprintf(out, ",\"peak\":%d", claw_html_is_peak(id));
	put_values(out, "v", VALUE, samples, id);
	if (has_band(samples, id)) {
		put_values(out, "l", LEAST, samples, id);
		put_values(out, "h", LARGEST, samples, id);
	}
	fputs("}", out);
}

static void put_charts(FILE *out, const struct claw_html_samples *samples)
{
	static const char *const units[] = {
		[CLAW_UNIT_BYTES] = "bytes", [CLAW_UNIT_COUNT] = "",
		[CLAW_UNIT_MS] = "ms", [CLAW_UNIT_PER_S] = "a second",
		[CLAW_UNIT_CELSIUS] = "C", [CLAW_UNIT_MHZ] = "MHz",
		[CLAW_UNIT_PERCENT] = "%", [CLAW_UNIT_WATT] = "W",
	};
	const char *comma = "";

	fputs(",\"charts\":[", out);
	for (size_t i = 0; i < claw_html_chart_count; i++) {
		const struct claw_html_chart *chart = &claw_html_charts[i];
		enum claw_series_id series[CLAW_HTML_CHART_SERIES];
		size_t count = claw_html_chart_lines(chart, samples, series);

		if (count == 0)
			continue;
		fprintf(out, "%s{\"id\":\"%s\",\"title\":\"%s\",\"unit\":"
			"\"%s\",\"log\":%d,\"lines\":[", comma, chart->id,
			chart->title, units[claw_series[series[0]].unit],
			chart->is_bands);
		for (size_t k = 0; k < count; k++) {
			fputs(k ? "," : "", out);
			put_line(out, samples, series[k]);
		}
		fputs("]}", out);
		comma = ",";
	}
	fputs("]", out);
}

static void put_lane(FILE *out, const struct claw_html_lane *lane)
{
	fputs("{\"kind\":", out);
	claw_html_json(out, lane->kind);
	fprintf(out, ",\"class\":\"%c\",\"marks\":[",
		claw_html_lane_class(lane));
	for (size_t k = 0; k < lane->count; k++) {
		const struct claw_html_mark *mark = &lane->marks[k];

		fprintf(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			",", k ? "," : "", mark->t_ms, mark->last_ms,
			mark->count, mark->injected);
		claw_html_json(out, mark->text);
		fputs("]", out);
	}
	fputs("]}", out);
}

void claw_html_put_soak_data(FILE *out, const struct claw_html_soak *soak)
{
	uint64_t end = soak->samples.last_ms > soak->events.last_ms ?
		       soak->samples.last_ms : soak->events.last_ms;

	fprintf(out, "{\"end\":%" PRIu64 ",", end ? end : 1);
	put_times(out, &soak->samples);
	put_charts(out, &soak->samples);
	fputs(",\"lanes\":[", out);
	for (size_t i = 0; i < soak->events.lane_count; i++) {
		fputs(i ? "," : "", out);
		put_lane(out, &soak->events.lanes[i]);
	}
	fputs("]}", out);
}
