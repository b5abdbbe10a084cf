/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draw plots of a history. Results stand side by side in the order of their runs:
 * nights without runs would leave the rest no room.
 */
#include "config.h"

#include "history_plot.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "history_tell.h"
#include "reports/html/html_scale.h"

enum {
	WIDTH = 960, HEIGHT = 190, LEFT = 74, RIGHT = 12, TOP = 10, BOTTOM = 30,
	CELL = 160, CELL_HEIGHT = 14, DAYS = 6,
};

struct plot {
	FILE *out;
	struct claw_html_scale y;
	size_t count;			/* of places */
};

static double place(const struct plot *plot, double at)
{
	return LEFT + (at + 0.5) * (WIDTH - LEFT - RIGHT) / (double)plot->count;
}

static double height(const struct plot *plot, double value)
{
	return claw_html_scale_at(&plot->y, value);
}

static void put_value(char text[64], enum claw_series_unit unit, double value)
{
	if (unit == CLAW_UNIT_PERCENT)
		snprintf(text, 64, "%g %%", value);
	else
		claw_series_print(text, 64, unit, value);
}

/* Axes: values at the left. */
static void begin(struct plot *plot, FILE *out, size_t count,
		  enum claw_series_unit unit, double least, double largest)
{
	char text[64];

	*plot = (struct plot) { .out = out, .count = count ? count : 1 };
	claw_html_scale_values(&plot->y, unit, least, largest, false);
	plot->y.start = HEIGHT - BOTTOM;
	plot->y.end = TOP;
	fprintf(out, "<div class=\"plot\"><svg viewBox=\"0 0 %d %d\" aria-hidden="
		"\"true\" focusable=\"false\">\n<g font-family=\"sans-serif\" "
		"font-size=\"12\" class=\"ink\">\n", WIDTH, HEIGHT);
	for (size_t i = 0; i < plot->y.tick_count; i++) {
		double at = height(plot, plot->y.ticks[i]);

		put_value(text, unit, plot->y.ticks[i]);
		fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n<text "
			"x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4, text);
	}
}

static void put_day(const struct plot *plot, size_t at, int64_t started)
{
	const char *anchor = at == 0 ? "start" :
		at + 1 == plot->count ? "end" : "middle";
	char day[16];

	claw_history_put_day(day, started);
	fprintf(plot->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s"
		"</text>\n", at == 0 ? LEFT : at + 1 == plot->count ?
		WIDTH - RIGHT : place(plot, (double)at), HEIGHT - 10, anchor,
		day);
}

/* The i-th of some places that a day is put at. */
static size_t day_place(size_t i, size_t count)
{
	return count > DAYS ? i * (count - 1) / (DAYS - 1) : i;
}

static size_t day_count(size_t count)
{
	return count > DAYS ? DAYS : count;
}

static void end(const struct plot *plot)
{
	fputs("</g>\n</svg></div>\n", plot->out);
}

/* ---- runs ---------------------------------------------------------------------- */

static void put_part(const struct plot *plot, size_t at, double from, double to,
		     char class)
{
	double width = (double)(WIDTH - LEFT - RIGHT) / (double)plot->count;

	if (width > 24)
		width = 24;
	if (to > from)
		fprintf(plot->out, "<rect class=\"part %c\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"%.1f\" height=\"%.1f\"/>\n", class,
			place(plot, (double)at) - 0.45 * width, height(plot, to),
			0.9 * width, height(plot, from) - height(plot, to));
}

void claw_history_plot_runs(FILE *out, const struct claw_history_bar *bars,
			    size_t count)
{
	struct plot plot;
	double most = 1;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, (double)(bars[i].passed + bars[i].failed +
					   bars[i].other));
	begin(&plot, out, count, CLAW_UNIT_COUNT, 0, most);
	for (size_t i = 0; i < count; i++) {
		double failed = (double)bars[i].failed;
		double other = failed + (double)bars[i].other;

		put_part(&plot, i, 0, failed, 'f');
		put_part(&plot, i, failed, other, 's');
		put_part(&plot, i, other, other + (double)bars[i].passed, 'p');
	}
	for (size_t i = 0; i < day_count(count); i++)
		put_day(&plot, day_place(i, count),
			bars[day_place(i, count)].started);
	end(&plot);
}

/* ---- times ----------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

static bool has_time(const struct claw_history_point *point)
{
	return point->class == 'p' && point->duration_us;
}

static double ms_of(const struct claw_history_point *point)
{
	return (double)point->duration_us / 1000;
}

/* Of the points that have a time; 0: there are none. */
static double median_of(const struct claw_history_point *points, size_t count)
{
	double *list = claw_calloc(count, sizeof(*list)), median;
	size_t there = 0;

	for (size_t i = 0; i < count; i++)
		if (has_time(&points[i]))
			list[there++] = ms_of(&points[i]);
	qsort(list, there, sizeof(*list), by_value);
	median = there ? (list[(there - 1) / 2] + list[there / 2]) / 2 : 0;
	free(list);
	return median;
}

static void put_median(const struct plot *plot, double ms, size_t from, size_t to)
{
	if (ms > 0)
		fprintf(plot->out, "<path class=\"line s1\" d=\"M%.1f %.1fH%.1f\""
			"/>\n", place(plot, (double)from - 0.5),
			height(plot, ms), place(plot, (double)to - 0.5));
}

static void put_change(const struct plot *plot, size_t at)
{
	fprintf(plot->out, "<path class=\"change\" d=\"M%.1f %dV%d\"/>\n",
		place(plot, (double)at - 0.5), TOP, HEIGHT - BOTTOM);
}

void claw_history_plot_times(FILE *out, const struct claw_history_point *points,
			     size_t count, int64_t at)
{
	double least = INFINITY, largest = 0;
	size_t change = 0;
	struct plot plot;

	for (size_t i = 0; i < count; i++) {
		if (points[i].run == at)
			change = i;
		if (!has_time(&points[i]))
			continue;
		least = fmin(least, ms_of(&points[i]));
		largest = fmax(largest, ms_of(&points[i]));
	}
	begin(&plot, out, count, CLAW_UNIT_MS, fmin(least, largest), largest);
	for (size_t i = 0; i < count; i++)
		if (has_time(&points[i]))
			fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy="
				"\"%.1f\" r=\"2\"/>\n", place(&plot, (double)i),
				height(&plot, ms_of(&points[i])));
	put_median(&plot, median_of(points, change), 0, change);
	put_median(&plot, median_of(points + change, count - change), change,
		   count);
	put_change(&plot, change);
	for (size_t i = 0; i < day_count(count); i++)
		put_day(&plot, day_place(i, count),
			points[day_place(i, count)].started);
	end(&plot);
}

/* ---- coverage --------------------------------------------------------------------- */

void claw_history_plot_coverage(FILE *out,
				const struct claw_history_covered *points,
				size_t count)
{
	struct plot plot;

	begin(&plot, out, count, CLAW_UNIT_PERCENT, 0, 100);
	fputs("<path class=\"line s0\" d=\"", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M',
			place(&plot, (double)i), height(&plot, 100 *
			(double)points[i].hit / (double)points[i].total));
	fputs("\"/>\n", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" "
			"r=\"2\"/>\n", place(&plot, (double)i), height(&plot,
			100 * (double)points[i].hit / (double)points[i].total));
	for (size_t i = 0; i < day_count(count); i++)
		put_day(&plot, day_place(i, count),
			points[day_place(i, count)].started);
	end(&plot);
}

/* ---- cells ------------------------------------------------------------------------ */

static void put_cell(FILE *out, double from, double to, const char *class)
{
	double width = fmax((to - from) * CELL, 3);
	double start = fmin(from * CELL, CELL - width);

	fprintf(out, "<svg class=\"cell\" viewBox=\"0 0 %d %d\" aria-hidden="
		"\"true\" focusable=\"false\"><rect class=\"track\" width=\"%d\" "
		"height=\"%d\"/><rect class=\"%s\" x=\"%.1f\" y=\"2\" width="
		"\"%.1f\" height=\"%d\"/>", CELL, CELL_HEIGHT, CELL, CELL_HEIGHT,
		class, start, width, CELL_HEIGHT - 4);
}

void claw_history_plot_interval(FILE *out, double low, double high, double at)
{
	put_cell(out, low, high, "range");
	fprintf(out, "<path class=\"change\" d=\"M%.1f 0V%d\"/></svg>",
		at * CELL, CELL_HEIGHT);
}

void claw_history_plot_span(FILE *out, int64_t first, int64_t last,
			    int64_t from, int64_t to)
{
	double all = to > from ? (double)(to - from) : 1;

	put_cell(out, fmax((double)(first - from) / all, 0),
		 fmax((double)(last - from) / all, 0), "part f");
	fputs("</svg>", out);
}
