/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of a page: what may run on it, the way to its parts, its parts in
 * order. No text but that of reports/html/ can run or style anything: the
 * page says their hashes, and that nothing is loaded.
 */
#include "config.h"

#include "html.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sha256.h>

#include "harness/base/memory.h"
#include "harness/base/source_url.h"
#include "harness/records/baseline.h"
#include "harness/records/commit.h"

enum { FEW_CASES = 30 };

static void put_base64(FILE *out, const unsigned char *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t three = (uint32_t)bytes[i] << 16;

		if (i + 1 < size)
			three |= (uint32_t)bytes[i + 1] << 8;
		if (i + 2 < size)
			three |= bytes[i + 2];
		fputc(digits[three >> 18], out);
		fputc(digits[three >> 12 & 63], out);
		fputc(i + 1 < size ? digits[three >> 6 & 63] : '=', out);
		fputc(i + 2 < size ? digits[three & 63] : '=', out);
	}
}

/* "'sha256-...'": what may run. */
static void put_hash(FILE *out, const char *text, size_t size)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, (const uint8_t *)text, size);
	SHA256Final(digest, &context);
	fputs("'sha256-", out);
	put_base64(out, digest, sizeof(digest));
	fputc('\'', out);
}

void claw_html_put_head(FILE *out, const char *verb, const char *subject,
			const char *conclusion)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n<meta http-equiv="
	      "\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "base-uri 'none'; form-action 'none'; style-src ", out);
	put_hash(out, claw_html_css, claw_html_css_size);
	fputs("; script-src ", out);
	put_hash(out, claw_html_js, claw_html_js_size);
	fputs("\">\n<meta name=\"viewport\" content=\"width=device-width, "
	      "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
	      "dark\">\n<title>openclaw ", out);
	claw_html_text(out, verb);
	if (*subject)
		fputc(' ', out);
	claw_html_text(out, subject);
	fprintf(out, ": %s</title>\n<style>", conclusion);
	fwrite(claw_html_css, 1, claw_html_css_size, out);
	fputs("</style>\n</head>\n", out);
}

/* Sections begin "<section id=ID ...>\n<h2 ...>HEADING</h2>". */
void claw_html_put_nav(FILE *out, const char *page)
{
	static const char begin[] = "<section id=\"", heading[] = "<h2 id=\"";
	const char *id, *title, *end;

	fputs("<nav aria-label=\"Parts of this page\"><ul>\n", out);
	while ((page = strstr(page, begin)) != NULL) {
		id = page += strlen(begin);
		title = strstr(id, heading);
		title = title ? strchr(title, '>') : NULL;
		end = title ? strstr(title, "</h2>") : NULL;
		if (end)
			fprintf(out, "<li><a href=\"#%.*s\">%.*s</a></li>\n",
				(int)strcspn(id, "\""), id,
				(int)(end - title - 1), title + 1);
	}
	fputs("</ul></nav>\n", out);
}

/* ---- the first lines --------------------------------------------------- */

enum { SUBJECT = 300, SUITES_NAMED = 3 };

static void add_subject(char *text, const char *before, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, SUBJECT - length, "%s%s", before, more);
}

/* "suite a, b and 3 more" */
static void name_suites(const struct claw_html *html, char *text)
{
	const struct claw_report_cases *cases = &html->cases;
	size_t count = 0;
	char more[32];

	for (size_t i = 0; i < cases->row_count; i++) {
		const char *suite = cases->rows[i].suite;

		if (i > 0 && strcmp(suite, cases->rows[i - 1].suite) == 0)
			continue;
		if (++count <= SUITES_NAMED)
			add_subject(text, count > 1 ? ", " : "", suite);
	}
	snprintf(more, sizeof(more), "%zu more", count - SUITES_NAMED);
	if (count > SUITES_NAMED)
		add_subject(text, " and ", more);
}

static const char *find_fact(const struct claw_report_head *head,
			     const char *key)
{
	for (size_t i = 0; i < head->environment_count; i++)
		if (claw_report_same(head->environment[i].key, key) &&
		    head->environment[i].value)
			return head->environment[i].value;
	return NULL;
}

/* What was tested: the suites, the workload of a soak, the program with its
 * arguments, or what the command was given. */
static void find_subject(const struct claw_html *html, char text[SUBJECT])
{
	const struct claw_report_head *head = html->head;
	const char *program = head->command_line ?
		strstr(head->command_line, " -- ") : NULL;
	const char *workload = find_fact(head, CLAW_FACT_WORKLOAD);

	*text = '\0';
	if (html->cases.row_count > 0)
		name_suites(html, text);
	else if (workload || program)
		add_subject(text, "", workload ? workload : program + 4);
	else if (head->command_line && strchr(head->command_line, ' '))
		add_subject(text, "", strchr(head->command_line, ' ') + 1);
}

/* Values of the fact, each once: of several commits or devices all. */
static void put_facts(FILE *out, const struct claw_report_head *head,
		      const char *key, const char *before)
{
	for (size_t i = 0; i < head->environment_count; i++) {
		const char *value = head->environment[i].value;
		size_t j = 0;

		if (!claw_report_same(head->environment[i].key, key) || !value)
			continue;
		while (!claw_report_same(head->environment[j].key, key) ||
		       !claw_report_same(head->environment[j].value, value))
			j++;
		if (j < i)
			continue;
		fputs(before, out);
		claw_html_text(out, value);
		before = ", ";
	}
}

/* The commit, when and where. */
static void put_tested(FILE *out, const struct claw_report_head *head)
{
	size_t length;

	fputs("<p class=\"tested\">", out);
	if (head->started) {
		fputs("Started <time>", out);
		claw_html_text(out, head->started);
		fputs("</time>", out);
	}
	put_facts(out, head, CLAW_FACT_COMMIT, "; commit ");
	put_facts(out, head, "device", "; device ");
	if (!find_fact(head, "device"))
		put_facts(out, head, CLAW_FACT_MACHINE, "; machine ");
	if (claw_source_url && strstr(claw_source_url, "{commit}") &&
	    !claw_html_commit(head, &length))
		fputs("; source lines are not linked (no single commit)", out);
	fputs("</p>\n", out);
}

static void put_header(FILE *out, const struct claw_html *html,
		       const char *subject)
{
	fputs("<header>\n<h1>openclaw ", out);
	claw_html_text(out, claw_report_title(html->head));
	if (*subject) {
		fputs(" <code>", out);
		claw_html_text(out, subject);
		fputs("</code>", out);
	}
	fputs("</h1>\n", out);
	put_tested(out, html->head);
	claw_html_put_verdict(out, html);
	fputs("</header>\n", out);
}

/* Hidden until the script enables it. */
static void put_filter(FILE *out, const struct claw_report_head *head)
{
	fputs("<form id=\"filter\" role=\"search\" aria-label=\"Filter\" hidden>"
	      "\n<label>Filter <input type=\"search\" id=\"filter-text\" "
	      "autocomplete=\"off\" spellcheck=\"false\"></label>\n<fieldset>"
	      "<legend>Verdicts</legend>\n", out);
	for (int i = 0; i < CLAW_VERDICT_COUNT; i++) {
		const char *name = claw_verdict_name((enum claw_verdict)i);

		if (head->counts[i] > 0)
			fprintf(out, "<label><input type=\"checkbox\" value="
				"\"%s\" checked> %s</label>\n", name, name);
	}
	fputs("</fieldset>\n<output id=\"filter-count\" aria-live=\"polite\">"
	      "</output>\n</form>\n", out);
}

static void put_parts(FILE *out, struct claw_html *html)
{
	claw_html_put_profile(out, html->head);
	claw_html_put_soak(out, html->head, &html->soak);
	if (html->findings.count > 0 || html->cases.row_count > 0 ||
	    html->swept.points > 0)
		put_filter(out, html->head);
	/* A table that is seen at one glance comes before what it leads to. */
	if (html->cases.row_count <= FEW_CASES)
		claw_html_put_tests(out, html);
	claw_html_put_findings(out, html->head, &html->findings);
	claw_html_put_sweep(out, html);
	if (html->cases.row_count > FEW_CASES)
		claw_html_put_tests(out, html);
	claw_html_put_coverage(out, html->head);
	claw_html_put_changes(out, html->head);
	claw_html_put_about(out, html);
}

static void put_data(FILE *out, const struct claw_html *html)
{
	if (!claw_html_is_soak(&html->soak))
		return;
	fputs("<script type=\"application/json\" id=\"data\">", out);
	claw_html_put_soak_data(out, &html->soak);
	fputs("</script>\n", out);
}

void claw_html_page(FILE *out, struct claw_html *html)
{
	char *page = NULL, text[256], subject[SUBJECT], class;
	size_t size;
	FILE *to_page = claw_text_begin(&page, &size);

	put_parts(to_page, html);
	claw_text_end(to_page);
	claw_html_conclude(html, text, sizeof(text), &class);
	find_subject(html, subject);
	claw_html_put_head(out, claw_report_title(html->head), subject, text);
	fputs("<body>\n<a class=\"skip\" href=\"#main\">To the results</a>\n",
	      out);
	put_header(out, html, subject);
	claw_html_put_nav(out, page);
	fputs("<main id=\"main\" tabindex=\"-1\">\n", out);
	fwrite(page, 1, size, out);
	fputs("</main>\n<footer><p>Generated by openclaw ", out);
	claw_html_text(out, PACKAGE_VERSION);
	fputs(" from records.jsonl. This page is "
	      "self-contained.</p></footer>\n", out);
	put_data(out, html);
	fputs("<script>", out);
	fwrite(claw_html_js, 1, claw_html_js_size, out);
	fputs("</script>\n</body>\n</html>\n", out);
	free(page);
}
