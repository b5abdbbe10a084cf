/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs beside each other, for a terminal. */
#include "config.h"

#include "diff.h"

#include <math.h>
#include <string.h>

#include "reports/report.h"

enum { ROWS_SHOWN = 40 };

static int unit_of(const json_t *object)
{
	return (int)json_integer_value(json_object_get(object, "unit"));
}

#define VALUE(object_, name_, unit_) \
	claw_diff_value((char[64]){ "" }, 64, (object_), (name_), (unit_))

static const char *or_dash(const char *text)
{
	return *text ? text : "-";
}

/* ---- what they are ----------------------------------------------------- */

static void put_side(FILE *out, const json_t *diff, const char *name)
{
	const json_t *side = json_object_get(diff, name);

	fprintf(out, "  %s  ", name);
	claw_report_put(out, claw_diff_text(side, "directory"));
	if (*claw_diff_text(side, "started")) {
		fputs(" of ", out);
		claw_report_put(out, claw_diff_text(side, "started"));
	}
	fputs(json_is_true(json_object_get(side, "complete")) ? "" :
	      " (incomplete)", out);
	fputs(": openclaw ", out);
	claw_report_put(out, claw_diff_text(side, "command"));
	fputc('\n', out);
}

static void put_environment(FILE *out, const json_t *all)
{
	const json_t *fact;
	size_t i;

	if (json_array_size(all))
		fputs("\nDifferent environment:\n", out);
	json_array_foreach(all, i, fact) {
		fputs("  ", out);
		claw_report_put(out, claw_diff_text(fact, "key"));
		if (*claw_diff_text(fact, "configuration")) {
			fputs(" [", out);
			claw_report_put(out, claw_diff_text(fact,
							"configuration"));
			fputs("]", out);
		}
		fputs(": ", out);
		claw_report_put(out, or_dash(claw_diff_text(fact, "old")));
		fputs(" -> ", out);
		claw_report_put(out, or_dash(claw_diff_text(fact, "new")));
		fputc('\n', out);
	}
}

/* ---- rows -------------------------------------------------------------- */

static void put_rows(FILE *out, const char *title, const json_t *rows)
{
	const json_t *row;
	size_t i;

	if (!json_array_size(rows))
		return;
	fprintf(out, "\n%-32s %14s %14s %7s\n", title, "old", "new", "ratio");
	json_array_foreach(rows, i, row) {
		int unit = unit_of(row);
		double ratio = claw_diff_get(row, "ratio");

		fprintf(out, "%-32s %14s %14s ", claw_diff_text(row, "title"),
			or_dash(VALUE(row, "old", unit)),
			or_dash(VALUE(row, "new", unit)));
		if (isnan(ratio))
			fputs("      -\n", out);
		else
			fprintf(out, "%7.2f\n", ratio);
	}
}

static void put_owners(FILE *out, const json_t *owners)
{
	const json_t *owner;
	size_t i;

	if (!json_array_size(owners))
		return;
	fprintf(out, "\nOwners at the peak\n    %14s %14s\n", "old", "new");
	json_array_foreach(owners, i, owner) {
		if (i >= ROWS_SHOWN)
			break;
		fprintf(out, "    %14s %14s  ",
			or_dash(VALUE(owner, "old", unit_of(owner))),
			or_dash(VALUE(owner, "new", unit_of(owner))));
		claw_report_put(out, claw_diff_text(owner, "title"));
		fprintf(out, "\n%35s", "");
		claw_report_put(out, claw_diff_text(owner, "name"));
		fputc('\n', out);
	}
	if (i < json_array_size(owners))
		fprintf(out, "    and %zu more\n", json_array_size(owners) - i);
}

/* ---- soaks ------------------------------------------------------------- */

static void put_slope(FILE *out, const json_t *side, int unit)
{
	if (isnan(claw_diff_get(side, "slope")))
		return;
	fprintf(out, ", %s an hour", VALUE(side, "slope", unit));
	if (!isnan(claw_diff_get(side, "low")) &&
	    !isnan(claw_diff_get(side, "high")))
		fprintf(out, " (95 %%: %s to %s)", VALUE(side, "low", unit),
			VALUE(side, "high", unit));
}

static void put_series_side(FILE *out, const json_t *row, const char *name)
{
	const json_t *side = json_object_get(row, name);
	const char *verdict = claw_diff_text(side, "verdict");
	int unit = unit_of(row);

	fprintf(out, "    %s  %s: ", name, *verdict ? verdict : "not judged");
	if (isnan(claw_diff_get(side, "start"))) {
		fputs("not measured", out);
	} else {
		fprintf(out, "%s to %s", VALUE(side, "start", unit),
			VALUE(side, "end", unit));
		put_slope(out, side, unit);
	}
	fputc('\n', out);
}

static void put_series(FILE *out, const json_t *series)
{
	const json_t *row;
	size_t i;

	if (json_array_size(series))
		fputs("\nSeries, from the first tenth to the last\n", out);
	json_array_foreach(series, i, row) {
		const char *state = claw_diff_text(row, "state");

		fprintf(out, "  %s%s%s\n", claw_diff_text(row, "title"),
			*state ? ": " : "", state);
		put_series_side(out, row, "old");
		put_series_side(out, row, "new");
	}
}

static void put_named(FILE *out, const char *title, const json_t *all)
{
	const json_t *row;
	size_t i;

	if (json_array_size(all))
		fprintf(out, "\n%s\n", title);
	json_array_foreach(all, i, row) {
		const json_t *side = json_object_get(row, "new");
		const char *state = claw_diff_text(row, "state");

		if (i >= ROWS_SHOWN) {
			fprintf(out, "  and %zu more\n",
				json_array_size(all) - i);
			return;
		}
		if (!*claw_diff_text(side, "verdict"))
			side = json_object_get(row, "old");
		fprintf(out, "  %-15s ", *state ? state : "as before");
		claw_report_put(out, claw_diff_text(row, "name"));
		fprintf(out, "\n    %s", claw_diff_text(side, "verdict"));
		if (*claw_diff_text(side, "message")) {
			fputs(": ", out);
			claw_report_put(out, claw_diff_text(side, "message"));
		}
		fputc('\n', out);
	}
}

void claw_diff_print(FILE *out, const json_t *diff)
{
	if (strcmp(claw_diff_text(diff, "kind"), "soak") == 0) {
		fputs("Two soaks:\n", out);
		put_side(out, diff, "old");
		put_side(out, diff, "new");
	}
	put_environment(out, json_object_get(diff, "environment"));
	put_named(out, "Workload", json_object_get(diff, "workload"));
	put_named(out, "Crashes and failures",
		  json_object_get(diff, "crashes"));
	put_named(out, "Growing call sites", json_object_get(diff, "sites"));
	put_series(out, json_object_get(diff, "series"));
	put_rows(out, "Medians", json_object_get(diff, "medians"));
	put_rows(out, "Device memory", json_object_get(diff, "sizes"));
	put_owners(out, json_object_get(diff, "owners"));
}
