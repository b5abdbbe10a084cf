/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A block a finding: verdict, case, message, place, source, what to paste.
 */
#include "config.h"

#include "html_findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/records/series.h"
#include "html.h"

enum { TOOL_FINDINGS = 20, KEY_PART = 300 };

bool claw_html_is_finding(const struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);

	/* Series of a soak have a table of their own. */
	if (claw_report_same(result->suite, "soak") && result->name &&
	    claw_series_find(result->name) >= 0)
		return false;
	return class == 'f' || class == 'u' ||
		(result->verdict == CLAW_DEGRADED && result->seen);
}

/* ---- equal ones ------------------------------------------------------- */

static void put_part(FILE *out, const char *text)
{
	size_t size = text ? strlen(text) : 0;

	fprintf(out, "%zu:", size);
	if (size > 0)
		fwrite(text, 1, size < KEY_PART ? size : KEY_PART, out);
}

/* What two results must have in common; malloced. A reproducing line differs
 * between cases, a soak's names are different findings. */
static char *make_key(const struct claw_result *result)
{
	bool is_soak = result->suite && strncmp(result->suite, "soak", 4) == 0;
	char *key = NULL;
	size_t size;
	FILE *out = claw_text_begin(&key, &size);

	put_part(out, claw_verdict_name(result->verdict));
	put_part(out, result->suite);
	put_part(out, result->configuration);
	put_part(out, result->message);
	put_part(out, result->seen);
	put_part(out, result->file);
	put_part(out, is_soak ? result->name : NULL);
	fprintf(out, "%u", result->line);
	for (size_t i = 0; result->findings && i < result->findings->count &&
	     i < TOOL_FINDINGS; i++) {
		const struct claw_finding *finding = &result->findings->items[i];

		put_part(out, finding->what);
		put_part(out, finding->file);
		fprintf(out, "%d %u", (int)finding->kind, finding->line);
	}
	claw_text_end(out);
	return key;
}

size_t claw_html_findings_find(const struct claw_html_findings *findings,
			       const struct claw_result *result)
{
	char *key = make_key(result);
	json_t *number = json_object_get(findings->index, key);

	free(key);
	return number ? (size_t)json_integer_value(number) : 0;
}

static void add_alike(struct claw_html_finding *finding,
		      const struct claw_result *result)
{
	if (finding->count - 1 < CLAW_HTML_ALIKE) {
		char *name = claw_strndup(result->name ? result->name : "",
				     CLAW_HTML_WORD + 1);

		finding->names[finding->count - 1] = name;
	}
	finding->count++;
}

static void add_new(struct claw_html_findings *findings, const char *key,
		    const struct claw_result *result)
{
	struct claw_html_finding *grown;

	if (!findings->index)
		findings->index = claw_made(json_object());
	grown = claw_grow(findings->items, findings->count + 1,
			  sizeof(*grown));
	findings->items = grown;
	grown += findings->count;
	*grown = (struct claw_html_finding){ .count = 1 };
	claw_result_copy(result, &grown->shown);
	findings->count++;
	if (json_object_set_new_nocheck(findings->index, key,
			json_integer((json_int_t)findings->count)) < 0)
		claw_made(NULL);
}

void claw_html_findings_add(struct claw_html_findings *findings,
			    const struct claw_result *result)
{
	char *key = make_key(result);
	json_t *number = json_object_get(findings->index, key);

	if (number)
		add_alike(&findings->items[json_integer_value(number) - 1],
			  result);
	else if (findings->count >= CLAW_HTML_FINDINGS)
		findings->left_out++;
	else
		add_new(findings, key, result);
	free(key);
}

void claw_html_findings_release(struct claw_html_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		for (size_t j = 0; j < CLAW_HTML_ALIKE; j++)
			free(findings->items[i].names[j]);
		claw_result_release(&findings->items[i].shown);
	}
	free(findings->items);
	json_decref(findings->index);
}

/* ---- a block ---------------------------------------------------------- */

static void put_tool_findings(FILE *out, const struct claw_report_head *head,
			      const struct claw_result *result)
{
	size_t count = result->findings ? result->findings->count : 0;

	for (size_t i = 0; i < count && i < TOOL_FINDINGS; i++) {
		const struct claw_finding *shown = &result->findings->items[i];

		fputs("<p class=\"seen\">", out);
		claw_html_sentence(out, head, result, shown);
		fputs("</p>\n", out);
		if (shown->line > 0 && *shown->file)
			claw_html_excerpt(out, head, result, shown->file,
					  shown->line, shown->column);
	}
	if (count > TOOL_FINDINGS)
		fprintf(out, "<p>%zu more reported by the tool.</p>\n",
			count - TOOL_FINDINGS);
}

static void put_alike(FILE *out, const struct claw_html_finding *finding)
{
	uint64_t named = finding->count - 1 < CLAW_HTML_ALIKE ?
			 finding->count - 1 : CLAW_HTML_ALIKE;

	if (finding->count < 2)
		return;
	fprintf(out, "<p>Same in %" PRIu64 " more: ", finding->count - 1);
	for (uint64_t i = 0; i < named; i++) {
		fputs(i > 0 ? ", " : "", out);
		claw_html_text(out, finding->names[i]);
	}
	if (finding->count - 1 > named)
		fprintf(out, ", and %" PRIu64 " not named here",
			finding->count - 1 - named);
	fputs("</p>\n", out);
}

/* Logs of test: cases/TOOL/SUITE/CASE[.TRY]. */
static void put_log(FILE *out, const struct claw_report_head *head,
		    const struct claw_result *result)
{
	const char *name = result->item ? result->item : result->name;
	char path[2048], number[32] = "";

	if (!result->suite || !name)
		return;
	if (result->attempt > 1)
		snprintf(number, sizeof(number), ".%u", result->attempt);
	if (snprintf(path, sizeof(path), "cases/%s/%s/%s%s",
		     result->configuration ? result->configuration : "native",
		     result->suite, name, number) >= (int)sizeof(path) ||
	    strstr(path, "..") || !claw_html_has(head, path))
		return;
	fputs("<p class=\"raw\"><a href=\"", out);
	claw_html_address(out, head->link_base, path);
	fputs("\">Raw files of this case</a></p>\n", out);
}

static void put_details(FILE *out, const struct claw_result *result)
{
	if (!result->detail || !*result->detail)
		return;
	fputs("<details><summary>Details</summary><pre>", out);
	claw_html_block(out, result->detail);
	fputs("</pre></details>\n", out);
}

/* Does a tool's finding, which comes next, show that line? */
static bool is_found_at(const struct claw_result *result)
{
	const struct claw_findings *findings = result->findings;

	return findings && findings->count > 0 &&
	       findings->items[0].line == result->line &&
	       strcmp(claw_base_name(findings->items[0].file),
		      claw_base_name(result->file)) == 0;
}

static void put_finding(FILE *out, const struct claw_report_head *head,
			const struct claw_html_finding *finding, size_t number)
{
	const struct claw_result *shown = &finding->shown;

	fprintf(out, "<article class=\"finding\" id=\"finding-%zu\" "
		"data-v=\"%s\">\n<h3>", number,
		claw_verdict_name(shown->verdict));
	claw_html_verdict(out, shown->verdict);
	fputc(' ', out);
	if (shown->suite) {
		claw_html_text(out, shown->suite);
		fputs("/<wbr>", out);
	}
	claw_html_text(out, shown->name);
	if (shown->configuration) {
		fputs(" <span class=\"tool\">", out);
		claw_html_text(out, shown->configuration);
		fputs("</span>", out);
	}
	fputs("</h3>\n", out);
	if (shown->message) {
		fputs("<p class=\"message\">", out);
		claw_html_text(out, shown->message);
		fputs("</p>\n", out);
	}
	if (shown->fault) {
		fputs("<p>Fault: <code>", out);
		claw_html_text(out, shown->fault);
		fputs("</code></p>\n", out);
	}
	if (shown->code) {
		fputs("<p>Diagnosis: <code>", out);
		claw_html_text(out, shown->code);
		fputs("</code></p>\n", out);
	}
	if (shown->file && !is_found_at(shown)) {
		fputs("<p class=\"place\">", out);
		claw_html_place(out, head, shown->file, shown->line, 0);
		fputs("</p>\n", out);
		if (shown->line)
			claw_html_excerpt(out, head, shown, shown->file,
					  shown->line, 0);
	}
	put_tool_findings(out, head, shown);
	put_alike(out, finding);
	claw_html_paste(out, shown->reproduce);
	put_details(out, shown);
	put_log(out, head, shown);
	fputs("</article>\n", out);
}

void claw_html_put_findings(FILE *out, const struct claw_report_head *head,
			    const struct claw_html_findings *findings)
{
	if (findings->count == 0)
		return;
	fputs("<section id=\"findings\" aria-labelledby=\"findings-title\">\n"
	      "<h2 id=\"findings-title\">Failures</h2>\n", out);
	for (size_t i = 0; i < findings->count; i++)
		put_finding(out, head, &findings->items[i], i + 1);
	if (findings->left_out > 0) {
		fprintf(out, "<p class=\"cut\">%" PRIu64 " more are omitted "
			"from this page; see <a href=\"", findings->left_out);
		claw_html_address(out, head->link_base, "records.jsonl");
		fputs("\">records.jsonl</a>.</p>\n", out);
	}
	fputs("</section>\n", out);
}
