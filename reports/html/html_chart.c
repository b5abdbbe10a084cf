/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draw charts: columns of the width of two pixels or so, however many samples
 * there are. Colours are attributes, which the page's style sheet overrides.
 */
#include "config.h"

#include "html_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_scale.h"
#include "html_text.h"
#include "harness/base/memory.h"

enum {
	WIDTH = 960, HEIGHT = 230, LEFT = 74, RIGHT = 12, TOP = 12,
	BOTTOM = 44, STRIP = 12,	/* marks of events, below the axis */
	COLUMNS = 480, LANE = 22, LEGEND = 20,
	LABEL = 12,			/* bytes of a lane's name */
};

static const char *const colors[CLAW_HTML_CHART_SERIES] = {
	"#0b62a4", "#b8400a", "#0c7448", "#7b3ff2", "#a3195b", "#5c5c5c",
	"#7a5900", "#00707a", "#b00020",
};
static const char *const dashes[CLAW_HTML_CHART_SERIES] = {
	"", "6 3", "2 2", "8 3 2 3", "10 4", "1 3", "4 4", "12 3 2 3 2 3",
	"3 1",
};

/* What all parts of a drawing need. */
struct drawing {
	FILE *out;
	const struct claw_html_samples *samples;
	const struct claw_html_events *events;
	struct claw_html_scale x, y;
	enum claw_series_unit unit;
	enum claw_series_id series[CLAW_HTML_CHART_SERIES];
	size_t count;
	struct claw_html_value (*columns)[CLAW_HTML_CHART_SERIES];
	bool *is_there;			/* a sample fell into the column */
	bool is_bands;
	double top, bottom;
};

static void begin_svg(FILE *out, double height, const char *title, bool is_file)
{
	if (is_file)
		fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	fprintf(out, "<svg%s viewBox=\"0 0 %d %.0f\"",
		is_file ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", WIDTH,
		height);
	if (is_file)
		fprintf(out, " width=\"%d\" height=\"%.0f\" role=\"img\">\n"
			"<title>%s</title>\n<rect width=\"100%%\" height="
			"\"100%%\" fill=\"#ffffff\"/>\n", WIDTH, height,
			title);
	else
		fputs(" aria-hidden=\"true\" focusable=\"false\">\n", out);
	fputs("<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\" "
	      "class=\"ink\">\n", out);
}

static void end_svg(FILE *out)
{
	fputs("</g>\n</svg>\n", out);
}

/* ---- axes ------------------------------------------------------------- */

static void tick_time(char *text, size_t size, double t_ms, double step_ms)
{
	uint64_t s = (uint64_t)(t_ms / 1000);

	if (t_ms <= 0)
		snprintf(text, size, "0");
	else if (step_ms >= 86400e3)
		snprintf(text, size, "%" PRIu64 " d", s / 86400);
	else if (step_ms >= 3600e3)
		snprintf(text, size, "%" PRIu64 " h", s / 3600);
	else if (t_ms >= 3600e3)
		snprintf(text, size, "%" PRIu64 ":%02" PRIu64 " h", s / 3600,
			 s / 60 % 60);
	else if (step_ms >= 60e3)
		snprintf(text, size, "%" PRIu64 " min", s / 60);
	else if (t_ms >= 60e3)
		snprintf(text, size, "%" PRIu64 ":%02" PRIu64 " min", s / 60,
			 s % 60);
	else
		snprintf(text, size, "%g s", t_ms / 1000);
}

static void put_time_axis(struct drawing *drawing)
{
	const struct claw_html_scale *x = &drawing->x;
	double step = x->tick_count > 1 ? x->ticks[1] - x->ticks[0] : x->to;
	char text[48];

	for (size_t i = 0; i < x->tick_count; i++) {
		double at = claw_html_scale_at(x, x->ticks[i]);

		tick_time(text, sizeof(text), x->ticks[i], step);
		fprintf(drawing->out, "<path class=\"grid\" stroke=\"#dddddd\" "
			"d=\"M%.1f %.1fV%.1f\"/>\n<text x=\"%.1f\" y=\"%.1f\" "
			"text-anchor=\"%s\">%s</text>\n", at, drawing->top,
			drawing->bottom, at, drawing->bottom + STRIP + 16,
			at > WIDTH - 40 ? "end" : "middle", text);
	}
}

/* There is not much room. */
static void tick_value(char *text, size_t size, enum claw_series_unit unit,
		       double value)
{
	size_t length;

	if (unit == CLAW_UNIT_MS) {
		snprintf(text, size, "%g ms", value);
		return;
	}
	claw_series_print(text, size, unit == CLAW_UNIT_PER_S ?
			  CLAW_UNIT_COUNT : unit, value);
	length = strlen(text);
	if (unit == CLAW_UNIT_PER_S)
		snprintf(text + length, size - length, "/s");
}

static void put_value_axis(struct drawing *drawing)
{
	const struct claw_html_scale *y = &drawing->y;
	char text[64];

	for (size_t i = 0; i < y->tick_count; i++) {
		double at = claw_html_scale_at(y, y->ticks[i]);

		tick_value(text, sizeof(text), drawing->unit, y->ticks[i]);
		fprintf(drawing->out, "<path class=\"grid\" stroke=\"#dddddd\" "
			"d=\"M%d %.1fH%d\"/>\n<text x=\"%d\" y=\"%.1f\" "
			"text-anchor=\"end\">%s</text>\n", LEFT, at,
			WIDTH - RIGHT, LEFT - 6, at + 4, text);
	}
}

/* ---- lines ------------------------------------------------------------ */

static void fill_columns(struct drawing *drawing)
{
	const struct claw_html_samples *samples = drawing->samples;

	for (size_t i = 0; i < samples->count; i++) {
		const struct claw_html_bucket *one = &samples->items[i];
		double part = (double)one->t_ms / drawing->x.to;
		size_t column = (size_t)(fmin(fmax(part, 0), 1) * (COLUMNS - 1));

		drawing->is_there[column] = true;
		for (size_t k = 0; k < drawing->count; k++)
			claw_html_value_join(&drawing->columns[column][k],
				&one->values[drawing->series[k]]);
	}
}

static double column_x(const struct drawing *drawing, size_t column)
{
	return claw_html_scale_at(&drawing->x, drawing->x.to * (double)column /
				  (COLUMNS - 1));
}

/* Columns from first on that a line goes through without a gap: between are
 * at most such that no sample fell into. Returns the one after the last. */
static size_t stretch_end(const struct drawing *drawing, size_t first, size_t k)
{
	size_t column = first;

	while (column < COLUMNS && (!drawing->is_there[column] ||
				    drawing->columns[column][k].count > 0))
		column++;
	return column;
}

/* The shade of a line: what it is the mean of, or of latencies what is up to
 * the next line. */
static bool find_shade(const struct drawing *drawing, size_t column, size_t k,
		       double *ret_least, double *ret_largest)
{
	const struct claw_html_value *value = &drawing->columns[column][k];

	*ret_least = value->least;
	*ret_largest = value->largest;
	if (drawing->is_bands) {
		if (k + 1 == drawing->count)
			return false;
		*ret_least = claw_html_chart_value(drawing->series[k], value);
		*ret_largest = claw_html_chart_value(drawing->series[k + 1],
			&drawing->columns[column][k + 1]);
	}
	return value->count > 0 && *ret_least < *ret_largest;
}

static void put_band(struct drawing *drawing, size_t first, size_t end,
		     size_t k)
{
	FILE *out = drawing->out;
	const char *letter = "M";
	double least, largest;
	bool is_flat = true;

	for (size_t c = first; c < end; c++)
		if (find_shade(drawing, c, k, &least, &largest))
			is_flat = false;
	if (is_flat)
		return;
	fprintf(out, "<path class=\"band s%zu\" fill=\"%s\" fill-opacity="
		"\"0.18\" d=\"", k, colors[k]);
	for (size_t c = first; c < end; c++) {
		if (drawing->columns[c][k].count == 0)
			continue;
		find_shade(drawing, c, k, &least, &largest);
		fprintf(out, "%s%.1f %.1f", letter, column_x(drawing, c),
			claw_html_scale_at(&drawing->y, fmax(least, largest)));
		letter = "L";
	}
	for (size_t c = end; c-- > first;) {
		if (drawing->columns[c][k].count == 0)
			continue;
		find_shade(drawing, c, k, &least, &largest);
		fprintf(out, "L%.1f %.1f", column_x(drawing, c),
			claw_html_scale_at(&drawing->y, least));
	}
	fputs("Z\"/>\n", out);
}

static void put_path(struct drawing *drawing, size_t first, size_t end,
		     size_t k)
{
	FILE *out = drawing->out;
	const char *letter = "M";

	fprintf(out, "<path class=\"line s%zu\" fill=\"none\" stroke=\"%s\" "
		"stroke-width=\"1.6\" stroke-linejoin=\"round\"", k, colors[k]);
	if (*dashes[k])
		fprintf(out, " stroke-dasharray=\"%s\"", dashes[k]);
	fputs(" d=\"", out);
	for (size_t c = first; c < end; c++) {
		double value = claw_html_chart_value(drawing->series[k],
						     &drawing->columns[c][k]);

		if (isnan(value))
			continue;
		fprintf(out, "%s%.1f %.1f", letter, column_x(drawing, c),
			claw_html_scale_at(&drawing->y, value));
		/* One alone would not be seen. */
		fputs(*letter == 'M' ? "h.1" : "", out);
		letter = "L";
	}
	fputs("\"/>\n", out);
}

static void put_series(struct drawing *drawing, size_t k)
{
	for (size_t column = 0; column < COLUMNS;) {
		size_t end;

		if (drawing->columns[column][k].count == 0) {
			column++;
			continue;
		}
		end = stretch_end(drawing, column, k);
		put_band(drawing, column, end, k);
		put_path(drawing, column, end, k);
		column = end;
	}
}

/* ---- events ----------------------------------------------------------- */

static const char *event_color(char class)
{
	return class == 'f' ? "#b00020" : class == 'i' ? "#7b3ff2" : "#5c5c5c";
}

/* Small triangles below the axis, and lines where the program failed. */
static void put_marks(struct drawing *drawing)
{
	for (size_t i = 0; i < drawing->events->lane_count; i++) {
		const struct claw_html_lane *lane = &drawing->events->lanes[i];
		char class = claw_html_lane_class(lane);

		fprintf(drawing->out, "<path class=\"mark %c\" fill=\"%s\" d=\"",
			class, event_color(class));
		for (size_t k = 0; k < lane->count; k++)
			fprintf(drawing->out, "M%.1f %.1fl4 8h-8z",
				claw_html_scale_at(&drawing->x,
					(double)lane->marks[k].t_ms),
				drawing->bottom + 2);
		fputs("\"/>\n", drawing->out);
		if (class != 'f')
			continue;
		fprintf(drawing->out, "<path class=\"fail\" stroke=\"%s\" "
			"stroke-opacity=\"0.45\" d=\"", event_color(class));
		for (size_t k = 0; k < lane->count && k < 60; k++)
			fprintf(drawing->out, "M%.1f %.1fV%.1f",
				claw_html_scale_at(&drawing->x,
					(double)lane->marks[k].t_ms),
				drawing->top, drawing->bottom);
		fputs("\"/>\n", drawing->out);
	}
}

/* ---- a chart ---------------------------------------------------------- */

static void put_legend(struct drawing *drawing)
{
	double x = LEFT;

	for (size_t k = 0; k < drawing->count; k++) {
		const char *title = claw_series[drawing->series[k]].title;

		fprintf(drawing->out, "<path stroke=\"%s\" stroke-width=\"2\" "
			"stroke-dasharray=\"%s\" d=\"M%.0f 14h24\"/>\n<text x="
			"\"%.0f\" y=\"18\">%s</text>\n", colors[k],
			*dashes[k] ? dashes[k] : "none", x, x + 28, title);
		x += 44 + 6.6 * (double)strlen(title);
	}
}

static void find_range(struct drawing *drawing, bool may_be_log)
{
	double least = INFINITY, largest = -INFINITY;

	for (size_t c = 0; c < COLUMNS; c++)
		for (size_t k = 0; k < drawing->count; k++) {
			const struct claw_html_value *value =
				&drawing->columns[c][k];

			if (value->count == 0)
				continue;
			least = fmin(least, may_be_log && value->least <= 0 ?
				     least : value->least);
			largest = fmax(largest, value->largest);
		}
	if (!(least <= largest))
		least = largest;
	claw_html_scale_values(&drawing->y, drawing->unit, least, largest,
			       may_be_log);
}

static double last_time(const struct claw_html_samples *samples,
			const struct claw_html_events *events)
{
	return fmax((double)samples->last_ms, (double)events->last_ms);
}

void claw_html_chart_draw(FILE *out, const struct claw_html_chart *chart,
			  const struct claw_html_samples *samples,
			  const struct claw_html_events *events, bool is_file)
{
	struct drawing drawing = {
		.out = out, .samples = samples, .events = events,
		.x = { .start = LEFT, .end = WIDTH - RIGHT },
		.top = TOP + (is_file ? LEGEND : 0),
		.is_bands = chart->is_bands,
		.columns = claw_calloc(COLUMNS, sizeof(*drawing.columns)),
		.is_there = claw_calloc(COLUMNS, sizeof(*drawing.is_there)),
	};

	drawing.count = claw_html_chart_lines(chart, samples, drawing.series);
	if (drawing.count == 0 || !drawing.columns || !drawing.is_there)
		goto out;
	drawing.unit = claw_series[drawing.series[0]].unit;
	drawing.bottom = drawing.top + HEIGHT - TOP - BOTTOM;
	drawing.y.start = drawing.bottom;
	drawing.y.end = drawing.top;
	claw_html_scale_time(&drawing.x, (uint64_t)last_time(samples, events));
	fill_columns(&drawing);
	find_range(&drawing, chart->is_bands);
	begin_svg(out, drawing.bottom + BOTTOM, chart->title, is_file);
	if (is_file)
		put_legend(&drawing);
	put_time_axis(&drawing);
	put_value_axis(&drawing);
	for (size_t k = 0; k < drawing.count; k++)
		put_series(&drawing, k);
	put_marks(&drawing);
	end_svg(out);
out:
	free(drawing.columns);
	free(drawing.is_there);
}

static void fill_one(struct drawing *drawing,
		     const struct claw_html_samples *samples, size_t k)
{
	for (size_t i = 0; i < samples->count; i++) {
		const struct claw_html_bucket *one = &samples->items[i];
		double part = (double)one->t_ms / drawing->x.to;
		size_t column = (size_t)(fmin(fmax(part, 0), 1) * (COLUMNS - 1));

		claw_html_value_join(&drawing->columns[column][k],
				     &one->values[drawing->series[k]]);
	}
}

void claw_html_chart_draw_pair(FILE *out, enum claw_series_id series,
			       const struct claw_html_samples *old,
			       const struct claw_html_samples *new)
{
	struct drawing drawing = {
		.out = out, .unit = claw_series[series].unit, .count = 2,
		.series = { series, series }, .top = TOP,
		.bottom = HEIGHT - BOTTOM,
		.x = { .start = LEFT, .end = WIDTH - RIGHT },
		.y = { .start = HEIGHT - BOTTOM, .end = TOP },
		.columns = claw_calloc(COLUMNS, sizeof(*drawing.columns)),
		/* None: lines go on between a run's own samples. */
		.is_there = claw_calloc(COLUMNS, sizeof(*drawing.is_there)),
	};

	if (!drawing.columns || !drawing.is_there ||
	    (!claw_html_is_measured(old, series) &&
	     !claw_html_is_measured(new, series)))
		goto out;
	claw_html_scale_time(&drawing.x, old->last_ms > new->last_ms ?
			     old->last_ms : new->last_ms);
	fill_one(&drawing, old, 0);
	fill_one(&drawing, new, 1);
	find_range(&drawing, false);
	begin_svg(out, HEIGHT, claw_series[series].title, false);
	put_time_axis(&drawing);
	put_value_axis(&drawing);
	put_series(&drawing, 0);
	put_series(&drawing, 1);
	end_svg(out);
out:
	free(drawing.columns);
	free(drawing.is_there);
}

void claw_html_timeline_draw(FILE *out, const struct claw_html_samples *samples,
			     const struct claw_html_events *events,
			     bool is_file)
{
	struct drawing drawing = {
		.out = out, .events = events, .top = TOP,
		.x = { .start = LEFT + 20, .end = WIDTH - RIGHT },
		.bottom = TOP + (double)events->lane_count * LANE,
	};

	if (events->lane_count == 0)
		return;
	claw_html_scale_time(&drawing.x, (uint64_t)last_time(samples, events));
	begin_svg(out, drawing.bottom + BOTTOM - STRIP, "Events", is_file);
	put_time_axis(&drawing);
	for (size_t i = 0; i < events->lane_count; i++) {
		const struct claw_html_lane *lane = &events->lanes[i];
		double y = TOP + ((double)i + 0.5) * LANE;
		char class = claw_html_lane_class(lane);

		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
			LEFT + 12, y + 4);
		claw_html_bytes(out, lane->kind, strnlen(lane->kind, LABEL));
		fputs("</text>\n", out);
		for (size_t k = 0; k < lane->count; k++) {
			const struct claw_html_mark *mark = &lane->marks[k];
			double size = fmin(4 + log2((double)mark->count), 9);

			fprintf(out, "<circle class=\"event %c\" fill=\"%s\" "
				"fill-opacity=\"0.75\" cx=\"%.1f\" cy=\"%.1f\" "
				"r=\"%.1f\"/>\n", class, event_color(class),
				claw_html_scale_at(&drawing.x,
						   (double)mark->t_ms), y,
				size);
		}
	}
	end_svg(out);
}
