/* SPDX-License-Identifier: Apache-2.0 */
/* What report formats share. */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/baseline.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/text_clean.h"
#include "harness/base/memory.h"

bool claw_report_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

const char *claw_report_title(const struct claw_report_head *head)
{
	if (claw_report_same(head->verb, "test") && head->command_line &&
	    strncmp(head->command_line, "run ", 4) == 0)
		return "run";
	return head->verb ? head->verb : "";
}

const char *claw_report_program(const struct claw_report_head *head)
{
	for (size_t i = 0; i < head->environment_count; i++)
		if (claw_report_same(head->environment[i].key,
				     CLAW_FACT_PROGRAM))
			return head->environment[i].value;
	return NULL;
}

const char *claw_report_path(const struct claw_report_head *head,
			     const char *path)
{
	size_t root = head->source_root ? strlen(head->source_root) : 0;

	if (root > 0 && strncmp(path, head->source_root, root) == 0 &&
	    (path[root] == '/' || path[root - 1] == '/')) {
		path += root;
		while (*path == '/')
			path++;
	}
	while (strncmp(path, "../", 3) == 0)
		path += 3;
	return path;
}

char *claw_report_block(const struct claw_result *result)
{
	const char *suite = result->suite ? result->suite : "";
	const char *tool = result->configuration, *device = result->device;

	return claw_format("%s%s%s%s%s%s", suite, tool ? " [" : "",
			   tool ? tool : "", tool ? "]" : "",
			   device ? " on " : "", device ? device : "");
}

static bool is_github(void)
{
	const char *value = getenv("GITHUB_ACTIONS");

	return value && strcmp(value, "true") == 0;
}

/* The first byte of a text that GitHub's runner would take for a command of
 * ours ("::" at a line's begin, "##[" anywhere); length: there is none. */
static size_t find_command(const char *text, size_t length)
{
	size_t first = strspn(text, " \t");
	const char *old;

	if (!is_github())
		return length;
	if (first + 1 < length && text[first] == ':' && text[first + 1] == ':')
		return first;
	old = memmem(text, length, "##[", 3);
	return old ? (size_t)(old - text) : length;
}

static void put_part(FILE *out, const char *text, size_t length)
{
	size_t command = find_command(text, length);

	while (command < length) {
		claw_text_put(out, text, command, "");
		fprintf(out, "#x%02X", (unsigned char)text[command]);
		text += command + 1;
		length -= command + 1;
		command = find_command(text, length);
	}
	claw_text_put(out, text, length, "");
}

void claw_report_put(FILE *out, const char *text)
{
	put_part(out, text, strlen(text));
}

void claw_report_put_markdown(FILE *out, const char *text)
{
	claw_text_put(out, text, strlen(text), "\\`*_{}[]<>#|~&");
}

/* A workflow command's text (GitHub's runner: @actions/core). */
static void put_github(FILE *out, const char *text, bool property)
{
	const char *special = property ? "%\r\n:," : "%\r\n";

	for (size_t length; *text; text += length) {
		length = strcspn(text, special);
		claw_text_put(out, text, length, "");
		if (length == 0) {
			fprintf(out, "%%%02X", (unsigned char)*text);
			length = 1;
		}
	}
}

void claw_report_annotate(FILE *out, const struct claw_report_head *head,
			  const struct claw_result *result)
{
	char *block;

	if (!is_github())
		return;
	block = claw_report_block(result);
	fputs("::error ", out);
	if (result->file && result->line) {
		fputs("file=", out);
		put_github(out, claw_report_path(head, result->file), true);
		fprintf(out, ",line=%u,", result->line);
	}
	fputs("title=", out);
	put_github(out, block, true);
	fputs(" ", out);
	put_github(out, result->name ? result->name : "", true);
	fprintf(out, "::%s", claw_verdict_name(result->verdict));
	if (result->message) {
		fputs(": ", out);
		put_github(out, result->message, false);
	}
	fputc('\n', out);
	free(block);
}

void claw_report_lines(FILE *out, const char *indent, const char *text,
		       size_t max_lines)
{
	size_t lines = 1, line = 0;
	size_t length = strlen(text);

	while (length > 0 && text[length - 1] == '\n')
		length--;
	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	for (const char *at = text, *end = text + length; at < end ||
	     line == 0; line++) {
		size_t width = strcspn(at, "\n");
		bool shown = lines <= max_lines || line < max_lines / 2 ||
			     line >= lines - max_lines / 2;

		if (at + width > end)
			width = (size_t)(end - at);
		if (shown) {
			fputs(width > 0 ? indent : "", out);
			put_part(out, at, width);
			fputc('\n', out);
		} else if (line == max_lines / 2) {
			fprintf(out, "%s... %zu lines omitted ...\n", indent,
				lines - max_lines / 2 * 2);
		}
		at += width + 1;
	}
}

void claw_report_span(char *text, size_t size, uint64_t ms)
{
	uint64_t s = ms / 1000;

	snprintf(text, size, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
		 s / 3600, s / 60 % 60, s % 60);
}

/* Of a soak how long it ran counts, not how many results its verdict has. */
static void print_missing_soak(const struct claw_report_head *head, char *text,
			       size_t size)
{
	char span[48];
	char *quoted = head->directory ? claw_shell_quote(head->directory) :
		       NULL;

	claw_report_span(span, sizeof(span), head->soak_ms);
	snprintf(text, size, "%s: after %s and %" PRIu64 " sample%s%s (resume: "
		 "%s soak --resume %s)",
		 head->complete ? "Interrupted" : "Incomplete", span,
		 head->sample_count, head->sample_count == 1 ? "" : "s",
		 head->complete ? "" : " the soak is incomplete: there is no "
		 "verdict", claw_called(), quoted ? quoted : "DIR");
	free(quoted);
}

bool claw_report_missing(const struct claw_report_head *head, uint64_t count,
			 char *text, size_t size)
{
	const char *least = head->is_open ? "at least " : "";

	if (head->segment_count > 0 && (head->cancelled || !head->complete))
		print_missing_soak(head, text, size);
	else if (head->cancelled && head->complete)
		snprintf(text, size, "Interrupted: %" PRIu64 " of %s%" PRIu64
			 " results", count, least, head->planned);
	else if (!head->complete)
		snprintf(text, size, "Incomplete: %" PRIu64 " of %s%" PRIu64
			 " results, and the run is incomplete",
			 count, least, head->planned);
	else if (count < head->planned)
		snprintf(text, size, "Incomplete: %" PRIu64 " of %s%" PRIu64
			 " results", count, least, head->planned);
	else
		return false;
	return true;
}
