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

void claw_html_put_head(FILE *out, const char *verb, const char *conclusion)
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
	fprintf(out, ": %s</title>\n<style>", conclusion);
	fwrite(claw_html_css, 1, claw_html_css_size, out);
	fputs("</style>\n</head>\n", out);
}

void claw_html_put_ways(FILE *out, const char *page)
{
	static const struct {
		const char *id, *name;
	} parts[] = {
		{ "runs", "Two runs" }, { "workload", "Workload" },
		{ "crashes", "Crashes" },
		{ "memory", "Memory" }, { "series", "Series" }, { "charts", "Charts" },
		{ "events", "Events" }, { "leaks", "Leaks" },
		{ "medians", "Medians" }, { "owners", "Owners" },
		{ "findings", "Findings" }, { "unknown", "Unknown" },
		{ "coverage", "Coverage" },
		{ "changes", "Changes" }, { "cases", "Cases" },
		{ "faults", "Faults" }, { "known", "Known" },
		{ "errors", "Errors" }, { "paths", "Error paths" },
		{ "command", "Command" }, { "environment", "Environment" },
		{ "rules", "Rules" }, { "notes", "Notes" },
		{ "files", "Raw files" },
	};

	fputs("<nav aria-label=\"Parts of this page\"><ul>\n", out);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		char section[64];

		snprintf(section, sizeof(section), "<section id=\"%s\"",
			 parts[i].id);
		if (strstr(page, section))
			fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n",
				parts[i].id, parts[i].name);
	}
	fputs("</ul></nav>\n", out);
}

/* What was tested, when and where. */
static void put_tested(FILE *out, const struct claw_report_head *head)
{
	const char *command = head->command_line, *program;

	fputs("<p class=\"tested\">", out);
	if (command && strlen(command) <= 300) {
		program = strstr(command, " -- ");
		fputs("<code>", out);
		claw_html_text(out, program ? program + 4 : command);
		fputs("</code>", out);
	}
	if (head->started) {
		fputs(", <time>", out);
		claw_html_text(out, head->started);
		fputs("</time>", out);
	}
	for (size_t i = 0; i < head->environment_count; i++) {
		if (!head->environment[i].value ||
		    !claw_report_same(head->environment[i].key, "device"))
			continue;
		fputs(", on ", out);
		claw_html_text(out, head->environment[i].value);
		break;
	}
	fputs("</p>\n", out);
}

static void put_header(FILE *out, const struct claw_html *html)
{
	fputs("<header>\n<h1>openclaw ", out);
	claw_html_text(out, claw_report_title(html->head));
	fputs("</h1>\n", out);
	put_tested(out, html->head);
	claw_html_put_verdict(out, html);
	fputs("</header>\n", out);
}

/* It works with a script only, which shows it. */
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
	char *page = NULL, text[256], class;
	size_t size;
	FILE *to_page = claw_text_begin(&page, &size);

	put_parts(to_page, html);
	claw_text_end(to_page);
	claw_html_conclude(html, text, sizeof(text), &class);
	claw_html_put_head(out, claw_report_title(html->head), text);
	fputs("<body>\n<a class=\"skip\" href=\"#main\">To the results</a>\n",
	      out);
	put_header(out, html);
	claw_html_put_ways(out, page);
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
