/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two lists: errors by function, and lines of code by function.
 */
#include "config.h"

#include "html_errors.h"

#include <inttypes.h>
#include <stdlib.h>

#include "html_text.h"

enum { PATHS_BYTES = 50 * 1024 };	/* of each list */

static void put_code(FILE *out, cl_int code)
{
	const char *name = claw_code_name(code);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%" PRId32, code);
}

static void put_pairs(FILE *out, const struct claw_sweep_shown *shown)
{
	if (shown->count == 0)
		return;
	fputs("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">"
	      "Function</th><th scope=\"col\">Error</th><th scope=\"col\">"
	      "Points</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < shown->count; i++) {
		fprintf(out, "<tr><th scope=\"row\">%s</th><td>",
			claw_api_table[shown->pairs[i].api].name);
		put_code(out, shown->pairs[i].code);
		fputs("</td><td>", out);
		claw_sweep_pair_print(out, &shown->pairs[i]);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void put_never(FILE *out, const struct claw_sweep_shown *shown)
{
	if (claw_sweep_shown_never(shown) == 0)
		return;
	fputs("<h3>Not tried, although the specification allows them for the "
	      "calls made (--kinds spec)</h3>\n"
	      "<ul>\n", out);
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
				fprintf(out, "<li>%s: ", info->name);
			put_code(out, info->codes[c]);
			before = ", ";
		}
		fputs(before ? "</li>\n" : "", out);
	}
	fputs("</ul>\n", out);
}

static void put_path(FILE *out, const char *path)
{
	fputs("<li><code>", out);
	claw_html_text(out, path);
	fputs("</code></li>\n", out);
}

static void put_paths(FILE *out, const char *title,
		      const struct claw_report_head *head, char *text)
{
	size_t more;

	if (!text || !*text) {
		free(text);
		return;
	}
	fprintf(out, "<h3>%s</h3>\n<ul class=\"files\">\n", title);
	more = claw_report_put_paths(out, head, text, PATHS_BYTES, put_path);
	fputs("</ul>\n", out);
	if (more > 0)
		fprintf(out, "<p class=\"cut\">%zu more are omitted.</p>\n",
			more);
	free(text);
}

static void put_handlers(FILE *out, const struct claw_report_head *head,
			 struct claw_sweep_handlers *handlers)
{
	claw_report_handlers_begin(head, handlers);
	if (!handlers->is_known)
		return;
	fputs("<section id=\"paths\" aria-labelledby=\"paths-title\">\n"
	      "<h2 id=\"paths-title\">Error paths</h2>\n"
	      "<p>Of the lines that no fault-free run executed: ", out);
	claw_sweep_handlers_put_counts(out, handlers, !head->is_part);
	fputs(".</p>\n", out);
	put_paths(out, "Reached only with a fault", head,
		  claw_sweep_handlers_first(handlers));
	if (!head->is_part)
		put_paths(out, handlers->unknown > 0 ? "Never reached" :
			  "Never run", head,
			  claw_sweep_handlers_never(handlers));
	fputs("</section>\n", out);
}

void claw_html_put_errors(FILE *out, const struct claw_report_head *head,
			  struct claw_report_swept *swept)
{
	size_t functions = claw_sweep_shown_functions(&swept->shown);

	fputs("<section id=\"errors\" aria-labelledby=\"errors-title\">\n"
	      "<h2 id=\"errors-title\">Injected error codes</h2>\n",
	      out);
	fprintf(out, "<p>Error codes injected: %zu, in %zu function%s.</p>\n",
		swept->shown.count, functions,
		functions == 1 ? "" : "s");
	put_pairs(out, &swept->shown);
	claw_report_swept_called(head, &swept->shown);
	/* What other shards show is not known here. */
	if (!head->is_part)
		put_never(out, &swept->shown);
	fputs("</section>\n", out);
	put_handlers(out, head, &swept->handlers);
}
