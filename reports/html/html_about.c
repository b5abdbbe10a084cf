/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands at the end of a page: the command, what it ran on, its rules,
 * notes and raw files.
 */
#include "config.h"

#include "html.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/records/past_run.h"

enum { ROWS_SHOWN = 1000 };	/* of changes, notes and rules */

bool claw_html_has(const struct claw_report_head *head, const char *path)
{
	char whole[PATH_MAX];

	return head->directory &&
		snprintf(whole, sizeof(whole), "%s/%s", head->directory,
			 path) < (int)sizeof(whole) &&
		access(whole, F_OK) == 0;
}

static void put_command(FILE *out, const struct claw_report_head *head)
{
	fputs("<section id=\"command\" aria-labelledby=\"command-title\">\n"
	      "<h2 id=\"command-title\">Command</h2>\n", out);
	if (head->command_line && strlen(head->command_line) >
	    CLAW_HTML_LINE) {
		fputs("<p>Too long for this page, see records.jsonl.</p>\n",
		      out);
	} else if (head->command_line) {
		fputs("<div class=\"paste\"><code>openclaw ", out);
		claw_html_bytes(out, head->command_line,
				strlen(head->command_line));
		fputs("</code></div>\n", out);
	}
	fputs("<p>", out);
	if (head->started) {
		fputs("Started <time>", out);
		claw_html_text(out, head->started);
		fputs("</time>. ", out);
	}
	fprintf(out, "Seed %" PRIu64 ". ", head->seed);
	if (head->complete)
		fprintf(out, "Exit status %d%s.", head->exit_status,
			head->cancelled ? ", by a signal" : "");
	else
		fputs("The run is incomplete.", out);
	fputs("</p>\n</section>\n", out);
}

/* Long texts of a sweep, which are shown elsewhere. */
static bool is_shown(const struct claw_environment_entry *entry)
{
	return !claw_report_same(entry->key, CLAW_SWEEP_CALLED) &&
	       !claw_report_same(entry->key, CLAW_SWEEP_UNRUN) &&
	       !claw_report_same(entry->key, CLAW_SWEEP_UNRUN_ELSEWHERE);
}

static void put_environment(FILE *out, const struct claw_report_head *head)
{
	size_t shown = 0;

	for (size_t i = 0; i < head->environment_count && shown < ROWS_SHOWN;
	     i++) {
		const struct claw_environment_entry *entry =
			&head->environment[i];

		if (!is_shown(entry))
			continue;
		if (shown++ == 0)
			fputs("<section id=\"environment\" "
			      "aria-labelledby=\"environment-title\">\n"
			      "<h2 id=\"environment-title\">Environment</h2>\n"
			      "<div class=\"wide\"><table>\n"
			      "<thead><tr><th scope=\"col\">Tool</th><th "
			      "scope=\"col\">What</th><th "
			      "scope=\"col\">Value</th></tr></thead>\n"
			      "<tbody>\n", out);
		fputs("<tr><td>", out);
		claw_html_text(out, entry->configuration);
		fputs("</td><th scope=\"row\">", out);
		claw_html_text(out, entry->key);
		fputs("</th><td>", out);
		claw_html_text(out, entry->value);
		fputs("</td></tr>\n", out);
	}
	if (shown > 0)
		fputs("</tbody></table></div>\n</section>\n", out);
}

static void put_rules(FILE *out, const struct claw_report_head *head)
{
	if (head->rule_count == 0)
		return;
	fputs("<section id=\"rules\" aria-labelledby=\"rules-title\">\n<h2 id="
	      "\"rules-title\">Rules</h2>\n<div class=\"wide\"><table>\n<thead>"
	      "<tr><th scope=\"col\">Rule</th><th scope=\"col\">Matched</th>"
	      "<th scope=\"col\">Fired</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < head->rule_count && i < ROWS_SHOWN; i++) {
		fputs("<tr><th scope=\"row\"><code>", out);
		claw_html_text(out, head->rules[i].rule);
		fprintf(out, "</code></th><td>%" PRIu64 "</td><td>%" PRIu64
			"</td></tr>\n", head->rules[i].matched,
			head->rules[i].fired);
	}
	fputs("</tbody></table></div>\n", out);
	if (head->rule_count > ROWS_SHOWN)
		fprintf(out, "<p class=\"cut\">%zu more rules are "
			"omitted.</p>\n", head->rule_count - ROWS_SHOWN);
	fputs("</section>\n", out);
}

static void put_notes(FILE *out, const struct claw_report_head *head)
{
	if (head->note_count == 0)
		return;
	fputs("<section id=\"notes\" aria-labelledby=\"notes-title\">\n<h2 id="
	      "\"notes-title\">Notes</h2>\n<ul>\n", out);
	for (size_t i = 0; i < head->note_count && i < ROWS_SHOWN; i++) {
		fputs("<li>", out);
		claw_html_text(out, head->notes[i]);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
	if (head->note_count > ROWS_SHOWN)
		fprintf(out, "<p class=\"cut\">%zu more notes are "
			"omitted.</p>\n", head->note_count - ROWS_SHOWN);
	fputs("</section>\n", out);
}

/* What of ours is there beside the page. */
static void put_files(FILE *out, const struct claw_report_head *head)
{
	const char *name;
	size_t shown = 0;

	for (size_t i = 0; (name = claw_output_name(i)) != NULL; i++) {
		if (strcmp(name, "report.html") == 0 ||
		    !claw_html_has(head, name))
			continue;
		if (shown++ == 0)
			fputs("<section id=\"files\" aria-labelledby="
			      "\"files-title\">\n<h2 id=\"files-title\">Raw "
			      "files</h2>\n<ul class=\"files\">\n", out);
		fputs("<li><a href=\"", out);
		claw_html_address(out, head->link_base, name);
		fputs("\">", out);
		claw_html_text(out, name);
		fputs("</a></li>\n", out);
	}
	if (shown > 0)
		fputs("</ul>\n</section>\n", out);
}

void claw_html_put_changes(FILE *out, const struct claw_report_head *head)
{
	if (!head->compared_with)
		return;
	fputs("<section id=\"changes\" aria-labelledby=\"changes-title\">\n"
	      "<h2 id=\"changes-title\">Compared with ", out);
	claw_html_text(out, head->compared_with);
	fputs("</h2>\n<p>", out);
	claw_report_change_counts(out, head);
	fputs("</p>\n<ul>\n", out);
	for (size_t i = 0; i < head->change_count && i < ROWS_SHOWN; i++) {
		const struct claw_change *change = &head->changes[i];
		char *key = claw_case_key_text((struct claw_case_key){
			change->suite, change->name, change->configuration });

		fprintf(out, "<li>%s: ", claw_change_kind_name(change->kind));
		claw_html_text(out, key);
		fputs(change->text ? ": " : "", out);
		claw_html_text(out, change->text);
		fputs("</li>\n", out);
		free(key);
	}
	fputs("</ul>\n", out);
	if (head->change_count > ROWS_SHOWN)
		fprintf(out, "<p class=\"cut\">%zu more are omitted.</p>\n",
			head->change_count - ROWS_SHOWN);
	if (head->compared_text) {
		fputs("<p>", out);
		claw_html_text(out, head->compared_text);
		fputs("</p>\n", out);
	}
	fputs("</section>\n", out);
}

void claw_html_put_about(FILE *out, const struct claw_html *html)
{
	put_command(out, html->head);
	put_environment(out, html->head);
	put_rules(out, html->head);
	put_notes(out, html->head);
	put_files(out, html->head);
}
