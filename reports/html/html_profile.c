/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile on a page, from DIR/profile.json (harness/soak/monitor/profile_json.c): the
 * peak and who owned it, fragments, kernels, transfers. What is not as it
 * should be there is left out.
 */
#include "config.h"

#include <limits.h>
#include <string.h>

#include "harness/records/result_json.h"

#include "html.h"

enum { ROWS_SHOWN = 200 };

/* ---- values ------------------------------------------------------------ */

static void put_number(FILE *out, const json_t *object, const char *name,
		       enum claw_series_unit unit)
{
	const json_t *value = json_object_get(object, name);
	char text[64] = "";

	if (json_is_number(value))
		claw_series_print(text, sizeof(text), unit,
				  json_number_value(value));
	fprintf(out, "<td class=\"num\">%s</td>", text);
}

static void put_name(FILE *out, const char *text)
{
	fputs("<th scope=\"row\">", out);
	claw_html_text(out, text);
	fputs("</th>", out);
}

static void begin_table(FILE *out, const char *caption,
			const char *const *columns)
{
	fprintf(out, "<h3>%s</h3>\n<div class=\"wide\" tabindex=\"0\" role="
		"\"region\" aria-label=\"%s\"><table>\n<thead><tr>", caption,
		caption);
	for (size_t i = 0; columns[i]; i++)
		fprintf(out, "<th scope=\"col\"%s>%s</th>", i ?
			" class=\"num\"" : "", columns[i]);
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out, size_t count)
{
	fputs("</tbody></table></div>\n", out);
	if (count > ROWS_SHOWN)
		fprintf(out, "<p class=\"cut\">%zu more are omitted.</p>\n",
			count - ROWS_SHOWN);
}

/* ---- owners ------------------------------------------------------------ */

static void put_owner(FILE *out, const json_t *owner, double all)
{
	const char *place = json_string_value(json_object_get(owner, "place"));
	const char *stack = json_string_value(json_object_get(owner, "stack"));
	double bytes = json_number_value(json_object_get(owner, "bytes"));

	fputs("<tr><th scope=\"row\">", out);
	claw_html_text(out, place ? place : "an unknown call site");
	fputs(" <span class=\"place\">", out);
	claw_html_text(out, json_string_value(json_object_get(owner, "site")));
	fputs("</span>", out);
	if (stack && *stack) {
		fputs("<details><summary>Stack</summary><pre>", out);
		claw_html_block(out, stack);
		fputs("</pre></details>", out);
	}
	fputs("</th>", out);
	put_number(out, owner, "bytes", CLAW_UNIT_BYTES);
	fprintf(out, "<td class=\"num\">%.0f %%</td>",
		all > 0 ? 100 * bytes / all : 0);
	put_number(out, owner, "made", CLAW_UNIT_COUNT);
	put_number(out, owner, "alive_at_end", CLAW_UNIT_COUNT);
	fputs("</tr>\n", out);
}

static void put_owners(FILE *out, const json_t *owners, const char *caption)
{
	static const char *const columns[] = {
		"Created at", "Bytes", "Part", "Made", "Alive at the end", NULL,
	};
	size_t count = json_array_size(owners), i;
	const json_t *owner;
	double all = 0;

	if (!count)
		return;
	json_array_foreach(owners, i, owner)
		all += json_number_value(json_object_get(owner, "bytes"));
	begin_table(out, caption, columns);
	json_array_foreach(owners, i, owner)
		if (i < ROWS_SHOWN)
			put_owner(out, owner, all);
	end_table(out, count);
}

static void put_peak(FILE *out, const json_t *profile)
{
	static const struct {
		const char *name, *title;
	} rows[] = {
		{ "peak_bytes", "Peak" }, { "end_bytes", "At the end" },
		{ "allocated_bytes", "Allocated in all" },
		{ "freed_bytes", "Freed in all" },
	};
	const json_t *processes = json_object_get(profile, "processes");

	fputs("<table>\n<tbody>\n", out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fputs("<tr>", out);
		put_name(out, rows[i].title);
		put_number(out, profile, rows[i].name, CLAW_UNIT_BYTES);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
	if (json_integer_value(processes) > 1)
		fprintf(out, "<p>Of the largest of %" JSON_INTEGER_FORMAT
			" processes.</p>\n",
			json_integer_value(processes));
}

/* ---- the rest ---------------------------------------------------------- */

static void put_moment(FILE *out, const json_t *moment, const char *title)
{
	double part = json_number_value(json_object_get(moment, "broken_up"));

	fputs("<tr>", out);
	put_name(out, title);
	put_number(out, moment, "used_bytes", CLAW_UNIT_BYTES);
	put_number(out, moment, "free_bytes", CLAW_UNIT_BYTES);
	put_number(out, moment, "largest_free_bytes", CLAW_UNIT_BYTES);
	fprintf(out, "<td class=\"num\">%.0f %%</td></tr>\n", 100 * part);
}

static void put_fragments(FILE *out, const json_t *fragments)
{
	static const char *const columns[] = {
		"Fragmentation", "In use", "Free", "Largest free extent",
		"Broken up", NULL,
	};
	char text[64];

	if (!json_is_object(fragments)) {
		fputs("<p class=\"constant\">Fragmentation: not measurable."
		      "</p>\n", out);
		return;
	}
	claw_series_print(text, sizeof(text), CLAW_UNIT_BYTES,
			  json_number_value(json_object_get(fragments,
							    "device_bytes")));
	begin_table(out, "Fragmentation", columns);
	put_moment(out, json_object_get(fragments, "at_most_use"),
		   "at most use seen");
	put_moment(out, json_object_get(fragments, "at_worst"), "at worst");
	end_table(out, 0);
	fprintf(out, "<p>Estimate for first-fit allocation in %s; no driver "
		"reports it.</p>\n", text);
}

static void put_kernels(FILE *out, const json_t *kernels)
{
	static const char *const columns[] = {
		"Kernel", "Launches", "Local", "Private", "Spilled",
		"Work-group", NULL,
	};
	size_t count = json_array_size(kernels), i;
	const json_t *kernel;

	if (!count)
		return;
	begin_table(out, "Kernels", columns);
	json_array_foreach(kernels, i, kernel) {
		if (i >= ROWS_SHOWN)
			break;
		fputs("<tr>", out);
		put_name(out, json_string_value(json_object_get(kernel,
								"name")));
		put_number(out, kernel, "launches", CLAW_UNIT_COUNT);
		put_number(out, kernel, "local_bytes", CLAW_UNIT_BYTES);
		put_number(out, kernel, "private_bytes", CLAW_UNIT_BYTES);
		put_number(out, kernel, "spill_bytes", CLAW_UNIT_BYTES);
		put_number(out, kernel, "work_group_size", CLAW_UNIT_COUNT);
		fputs("</tr>\n", out);
	}
	end_table(out, count);
}

static void put_calls(FILE *out, const json_t *profile)
{
	static const char *const columns[] = {
		"Transfers and allocations", "Calls", "Bytes", "Median",
		"90 % below", "99 % below", "Longest", NULL,
	};
	static const struct {
		const char *name, *title;
	} rows[] = {
		{ "host_to_device", "host to device" },
		{ "device_to_host", "device to host" },
		{ "on_device", "on the device" }, { "mapped", "mapped" },
		{ "allocations", "allocations" },
	};

	begin_table(out, "Transfers and allocations", columns);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const json_t *one = json_object_get(profile, rows[i].name);

		if (json_integer_value(json_object_get(one, "calls")) <= 0)
			continue;
		fputs("<tr>", out);
		put_name(out, rows[i].title);
		put_number(out, one, "calls", CLAW_UNIT_COUNT);
		put_number(out, one, "bytes", CLAW_UNIT_BYTES);
		put_number(out, one, "p50_ms", CLAW_UNIT_MS);
		put_number(out, one, "p90_ms", CLAW_UNIT_MS);
		put_number(out, one, "p99_ms", CLAW_UNIT_MS);
		put_number(out, one, "max_ms", CLAW_UNIT_MS);
		fputs("</tr>\n", out);
	}
	end_table(out, 0);
}

void claw_html_put_profile(FILE *out, const struct claw_report_head *head)
{
	char path[PATH_MAX];
	json_t *profile;

	if (!claw_report_same(head->verb, "profile") || !head->directory ||
	    snprintf(path, sizeof(path), "%s/profile.json", head->directory) >=
	    (int)sizeof(path))
		return;
	profile = claw_json_read(path, NULL);
	if (!json_is_object(profile)) {
		json_decref(profile);
		return;
	}
	fputs("<section id=\"memory\" aria-labelledby=\"memory-title\">\n<h2 "
	      "id=\"memory-title\">Device memory</h2>\n", out);
	put_peak(out, profile);
	put_owners(out, json_object_get(profile, "owners_at_peak"),
		   "Owners at the peak");
	put_owners(out, json_object_get(profile, "owners_at_end"),
		   "Owners at exit");
	put_fragments(out, json_object_get(profile, "fragmentation"));
	put_kernels(out, json_object_get(profile, "kernels"));
	put_calls(out, profile);
	fputs("</section>\n", out);
	json_decref(profile);
}
