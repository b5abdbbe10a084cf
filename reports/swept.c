/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables in Markdown about a sweep. Each is cut where a page would become too
 * long for CI systems, and says by how much.
 */
#include "config.h"

#include "swept.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum {
	FINDINGS_BYTES = 400 * 1024,
	KNOWN_BYTES = 100 * 1024,
	PATHS_BYTES = 50 * 1024,	/* of each list */
	CELL_BYTES = 1024,
	LINE_BYTES = 16 * 1024,		/* to paste: whole or not at all */
};

void claw_report_swept_add(struct claw_report_swept *swept,
			   const struct claw_result *result)
{
	bool known = result->verdict == CLAW_XFAIL;
	int expected = known && result->expects ?
		claw_verdict_find(result->expects) : -1;

	claw_report_mistakes_add(known ? &swept->known : &swept->mistakes,
				 result);
	swept->points++;
	claw_sweep_handlers_add(&swept->handlers, result->first_run);
	if (result->fault)
		claw_sweep_shown_add(&swept->shown, result->fault,
				     expected < 0 ? result->verdict :
				     (enum claw_verdict)expected);
	if (claw_verdict_class(result->verdict) != 'u')
		return;
	if (swept->unknown_count < CLAW_REPORT_SWEPT_UNKNOWN)
		claw_result_copy(result,
				 &swept->unknown[swept->unknown_count]);
	swept->unknown_count++;
}

void claw_report_swept_release(struct claw_report_swept *swept)
{
	for (size_t i = 0; i < swept->unknown_count &&
	     i < CLAW_REPORT_SWEPT_UNKNOWN; i++)
		claw_result_release(&swept->unknown[i]);
	claw_report_mistakes_release(&swept->mistakes);
	claw_report_mistakes_release(&swept->known);
	claw_sweep_shown_release(&swept->shown);
	claw_sweep_handlers_release(&swept->handlers);
}

/* ---- findings --------------------------------------------------------- */

static void put_cell(FILE *out, const char *text)
{
	size_t length = strlen(text);
	char *cut;

	if (length <= CELL_BYTES) {
		claw_report_put_markdown(out, text);
		return;
	}
	for (length = CELL_BYTES; ((unsigned char)text[length] & 0xc0) == 0x80;)
		length--;
	cut = claw_strndup(text, length);
	claw_report_put_markdown(out, cut);
	fputs(" ...", out);
	free(cut);
}

static void put_place(FILE *out, const struct claw_report_head *head,
		      const struct claw_result *result)
{
	if (!result->file)
		return;
	put_cell(out, claw_report_path(head, result->file));
	if (result->line)
		fprintf(out, ":%u", result->line);
}

static void put_line(FILE *out, const char *line)
{
	if (line && strlen(line) > LINE_BYTES) {
		fputs("too long for this page, see records.jsonl", out);
		return;
	}
	if (!line)
		return;
	fputs("<code>", out);
	claw_report_put_markdown(out, line);
	fputs("</code>", out);
}

static void put_mistake(FILE *out, const struct claw_report_head *head,
			const struct claw_report_mistake *mistake)
{
	const struct claw_result *shown = &mistake->shown;

	fprintf(out, "| %s | ", claw_verdict_name(shown->verdict));
	put_cell(out, shown->name);
	fputs(" | ", out);
	put_place(out, head, shown);
	fputs(" | ", out);
	put_cell(out, shown->message ? shown->message : "");
	fprintf(out, " | %" PRIu64 " | ", mistake->points);
	put_line(out, shown->reproduce);
	fputs(" |\n", out);
}

static void put_mistakes(FILE *out, const char *title,
			 const struct claw_report_head *head,
			 const struct claw_report_mistakes *mistakes,
			 long room)
{
	long start = ftell(out);
	size_t i = 0;

	if (mistakes->count == 0)
		return;
	fprintf(out, "\n"
		"## %s\n\n"
		"| | fault | at | what happened | points | reproduce |\n"
		"| --- | --- | --- | --- | --- | --- |\n",
		title);
	while (i < mistakes->count && ftell(out) - start < room)
		put_mistake(out, head, &mistakes->items[i++]);
	if (i < mistakes->count)
		fprintf(out, "\n"
			"%zu more findings of %zu are omitted from this "
			"table.\n", mistakes->count - i,
			mistakes->count);
}

/* ---- the rest --------------------------------------------------------- */

static void put_unknown(FILE *out, const struct claw_report_swept *swept)
{
	if (swept->unknown_count == 0)
		return;
	fputs("\n## Inconclusive points\n\n", out);
	for (size_t i = 0; i < swept->unknown_count &&
	     i < CLAW_REPORT_SWEPT_UNKNOWN; i++) {
		const struct claw_result *result = &swept->unknown[i];

		fprintf(out, "- %s: ", claw_verdict_name(result->verdict));
		put_cell(out, result->name);
		if (result->message) {
			fputs(": ", out);
			put_cell(out, result->message);
		}
		fputc('\n', out);
	}
	if (swept->unknown_count > CLAW_REPORT_SWEPT_UNKNOWN)
		fprintf(out, "- and %" PRIu64 " more\n", swept->unknown_count -
			CLAW_REPORT_SWEPT_UNKNOWN);
}

static void put_code(FILE *out, cl_int code)
{
	const char *name = claw_code_name(code);

	if (name)
		claw_report_put_markdown(out, name);
	else
		fprintf(out, "%" PRId32, code);
}

static void put_pairs(FILE *out, const struct claw_sweep_shown *shown)
{
	size_t functions = claw_sweep_shown_functions(shown);

	fprintf(out, "Error codes injected: %zu, in %zu function%s.\n",
		shown->count, functions, functions == 1 ? "" : "s");
	if (shown->count > 0)
		fputs("\n| function | error | points |\n| --- | --- | --- |\n",
		      out);
	for (size_t i = 0; i < shown->count; i++) {
		fprintf(out, "| %s | ",
			claw_api_table[shown->pairs[i].api].name);
		put_code(out, shown->pairs[i].code);
		fputs(" | ", out);
		claw_sweep_pair_print(out, &shown->pairs[i]);
		fputs(" |\n", out);
	}
}

static void put_never(FILE *out, const struct claw_sweep_shown *shown)
{
	const char *head = "\n"
		"Not tried, although the specification allows them for the "
		"calls made (--kinds spec):\n\n"
		"| function | errors |\n"
		"| --- | --- |\n";

	for (int i = 0; i < CLAW_API_COUNT; i++) {
		const struct claw_api_info *info = &claw_api_table[i];
		const char *before = NULL;

		for (size_t c = 0; shown->called[i] && c < info->code_count;
		     c++) {
			if (claw_sweep_shown_has(shown, (enum claw_api)i,
						 info->codes[c]))
				continue;
			if (before)
				fputs(before, out);
			else
				fprintf(out, "%s| %s | ", head, info->name);
			put_code(out, info->codes[c]);
			before = ", ";
			head = "";
		}
		if (before)
			fputs(" |\n", out);
	}
}

void claw_report_swept_called(const struct claw_report_head *head,
			      struct claw_sweep_shown *shown)
{
	for (size_t i = 0; i < head->environment_count; i++)
		if (head->environment[i].value &&
		    claw_report_same(head->environment[i].key,
				     CLAW_SWEEP_CALLED))
			claw_sweep_shown_call(shown,
					      head->environment[i].value);
}

void claw_report_handlers_begin(const struct claw_report_head *head,
				struct claw_sweep_handlers *handlers)
{
	for (size_t i = 0; i < head->environment_count; i++)
		claw_sweep_handlers_begin(handlers, head->environment[i].key,
					  head->environment[i].value);
}

size_t claw_report_put_paths(FILE *out, const struct claw_report_head *head,
			     char *text, long room,
			     void (*put)(FILE *out, const char *path))
{
	long start = ftell(out);
	size_t more = 0;

	for (char *line; (line = strsep(&text, "\n"));) {
		if (!*line)
			continue;
		if (more || ftell(out) - start > room)
			more++;
		else
			put(out, claw_report_path(head, line));
	}
	return more;
}

static void put_path(FILE *out, const char *path)
{
	fputs("- ", out);
	put_cell(out, path);
	fputc('\n', out);
}

static void put_paths(FILE *out, const char *title,
		      const struct claw_report_head *head, char *text)
{
	size_t more;

	if (text && *text) {
		fprintf(out, "\n%s:\n\n", title);
		more = claw_report_put_paths(out, head, text, PATHS_BYTES,
					     put_path);
		if (more)
			fprintf(out, "- and %zu more\n", more);
	}
	free(text);
}

static void put_handlers(FILE *out, const struct claw_report_head *head,
			 struct claw_sweep_handlers *handlers)
{
	claw_report_handlers_begin(head, handlers);
	if (!handlers->is_known)
		return;
	fputs("\n"
	      "## Error paths\n\n"
	      "Of the lines that no fault-free run executed: ", out);
	claw_sweep_handlers_put_counts(out, handlers, !head->is_part);
	fputs(".\n", out);
	put_paths(out, "Reached only with a fault", head,
		  claw_sweep_handlers_first(handlers));
	if (!head->is_part)
		put_paths(out, handlers->unknown > 0 ? "Never reached" :
			  "Never run", head,
			  claw_sweep_handlers_never(handlers));
}

void claw_report_swept_print(FILE *out, const struct claw_report_head *head,
			     struct claw_report_swept *swept)
{
	if (swept->points == 0)
		return;
	claw_report_mistakes_sort(&swept->mistakes);
	claw_report_mistakes_sort(&swept->known);
	put_mistakes(out, "Findings", head, &swept->mistakes, FINDINGS_BYTES);
	put_mistakes(out, "Known findings and hardening", head, &swept->known, KNOWN_BYTES);
	put_unknown(out, swept);
	fputs("\n## Injected error codes\n\n", out);
	put_pairs(out, &swept->shown);
	claw_report_swept_called(head, &swept->shown);
	/* What other shards show is not known here. */
	if (!head->is_part)
		put_never(out, &swept->shown);
	put_handlers(out, head, &swept->handlers);
}
