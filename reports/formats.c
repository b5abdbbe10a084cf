/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of report formats, what they share, and the way from
 * records.jsonl to one of them.
 */
#include "config.h"

#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/files/new_file.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "gather.h"

const struct claw_report_format *const claw_report_formats[] = {
	&claw_report_text,
	&claw_report_tap,
	&claw_report_junit,
	&claw_report_json,
	&claw_report_sarif,
	&claw_report_summary,
	&claw_report_matrix,
	&claw_report_detection,
	&claw_report_error_paths,
	&claw_report_soak,
	&claw_report_html,	/* links to the others */
	NULL,
};

const struct claw_report_format *claw_report_find(const char *name)
{
	for (size_t i = 0; claw_report_formats[i]; i++)
		if (strcmp(claw_report_formats[i]->name, name) == 0)
			return claw_report_formats[i];
	return NULL;
}

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
	char *text = NULL;
	int length = result->configuration ?
		asprintf(&text, "%s [%s]", suite, result->configuration) :
		asprintf(&text, "%s", suite);

	return length < 0 ? NULL : text;
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
	put_github(out, block ? block : "", true);
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
			fprintf(out, "%s... %zu lines left out ...\n", indent,
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
	snprintf(text, size, "%s: after %s and %" PRIu64 " sample%s%s "
		 "(\"openclaw run --resume %s\" goes on)",
		 head->complete ? "Interrupted" : "Incomplete", span,
		 head->sample_count, head->sample_count == 1 ? "" : "s",
		 head->complete ? "" : " the soak did not come to its end: "
		 "there is no verdict", quoted ? quoted : "DIR");
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
			 " results, and the run did not come to its end",
			 count, least, head->planned);
	else if (count < head->planned)
		snprintf(text, size, "Incomplete: %" PRIu64 " of %s%" PRIu64
			 " results", count, least, head->planned);
	else
		return false;
	return true;
}

/* ---- from records ---------------------------------------------------- */

/* The second reading: results, and what a soak has, to the format. */
struct passing {
	const struct claw_report_format *format;
	FILE *out;
	void *state;
	int error;
};

static void pass_result(void *user, const struct claw_result *result)
{
	struct passing *passing = user;

	if (passing->error == 0)
		passing->error = passing->format->result(passing->out,
							 passing->state,
							 result);
}

static void pass_segment(void *user, const struct claw_soak_segment *segment)
{
	struct passing *passing = user;

	if (passing->error == 0 && passing->format->segment)
		passing->error = passing->format->segment(passing->out,
							  passing->state,
							  segment);
}

static void pass_sample(void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites,
			size_t site_count)
{
	struct passing *passing = user;

	if (passing->error == 0 && passing->format->sample)
		passing->error = passing->format->sample(passing->out,
							 passing->state, sample,
							 sites, site_count);
}

static void pass_event(void *user, const struct claw_soak_event *event)
{
	struct passing *passing = user;

	if (passing->error == 0 && passing->format->event)
		passing->error = passing->format->event(passing->out,
							passing->state, event);
}

static int pass(const char *path, struct passing *passing,
		const struct claw_report_head *head)
{
	static const struct claw_records_visitor visitor = {
		.result = pass_result, .segment = pass_segment,
		.sample = pass_sample, .event = pass_event,
	};
	bool complete;
	uint64_t damaged;
	int ret = passing->format->begin(passing->out, head, &passing->state);
	int ended;

	if (ret < 0)
		return ret;
	ret = claw_records_read(path, &visitor, passing, &complete, &damaged);
	ended = passing->format->end(passing->out, passing->state);
	return ret < 0 ? ret : passing->error < 0 ? passing->error : ended;
}

int claw_report_write(const char *directory,
		      const struct claw_report_format *format, FILE *out,
		      const struct claw_report_head *options,
		      struct claw_report_head *ret_head)
{
	struct claw_report_gathering gathering = { 0 };
	struct passing passing = { .format = format, .out = out };
	char *path = NULL;
	int ret = -CLAW_E_NO_MEMORY;

	if (asprintf(&path, "%s/records.jsonl", directory) < 0) {
		path = NULL;
		goto out;
	}
	ret = claw_report_gather(path, &gathering);
	if (ret < 0)
		goto out;
	gathering.head.source_root = options->source_root;
	gathering.head.directory = directory;
	gathering.head.link_base = options->link_base ? options->link_base :
				   directory;
	gathering.head.durations = options->durations;
	gathering.head.verbose = options->verbose;
	gathering.head.color = options->color;
	ret = pass(path, &passing, &gathering.head);
	if (ret == 0 && (fflush(out) != 0 || ferror(out)))
		ret = -CLAW_E_IO;
	if (ret == 0 && ret_head) {
		*ret_head = gathering.head;
		ret_head->verb = ret_head->command_line = NULL;
		ret_head->started = NULL;
		ret_head->environment = NULL;
		ret_head->rules = NULL;
		ret_head->notes = NULL;
		ret_head->changes = NULL;
		ret_head->compared_with = ret_head->compared_started = NULL;
		ret_head->compared_text = NULL;
		ret_head->directory = ret_head->link_base = NULL;
	}
out:
	claw_report_gathering_release(&gathering);
	free(path);
	return ret;
}

int claw_report_write_path(const char *directory,
			   const struct claw_report_format *format,
			   const char *path,
			   const struct claw_report_head *options)
{
	struct claw_report_head linked = *options;
	struct claw_new_file file;
	char *base;
	int ret;

	if (!claw_new_file_begin(&file, path))
		return -CLAW_E_IO;
	linked.link_base = base = claw_report_link_base(path, directory);
	ret = claw_report_write(directory, format, file.out, &linked, NULL);
	if (claw_new_file_end(&file, ret == 0) < 0 && ret == 0)
		ret = -CLAW_E_IO;
	free(base);
	return ret;
}

/* Under another name first, so that nobody reads half a report. */
static int write_file(const char *directory,
		      const struct claw_report_format *format,
		      const struct claw_report_head *options)
{
	struct claw_report_head beside = *options;
	char *path = claw_path_in(directory, format->file);
	struct claw_new_file file;
	bool is_empty;
	int ret;

	if (!path)
		return -CLAW_E_NO_MEMORY;
	if (!claw_new_file_begin(&file, path)) {
		free(path);
		return -CLAW_E_IO;
	}
	beside.link_base = "";
	ret = claw_report_write(directory, format, file.out, &beside, NULL);
	is_empty = ftell(file.out) == 0;
	if (claw_new_file_end(&file, ret == 0 && !is_empty) < 0 && ret == 0)
		ret = -CLAW_E_IO;
	if (ret == 0 && is_empty)
		unlink(path);
	free(path);
	return ret;
}

/* Is the file one of those that the command always leaves? */
static bool is_written(const struct claw_report_format *format,
		       const char *verb)
{
	size_t length = verb ? strlen(verb) : 0;
	const char *word = format->verbs;

	if (!format->file || !word)
		return format->file != NULL;
	while (length > 0 && *word) {
		size_t size = strcspn(word, " ");

		if (size == length && strncmp(word, verb, size) == 0)
			return true;
		word += size;
		word += *word == ' ';
	}
	return false;
}

int claw_report_write_all(const char *directory,
			  const struct claw_report_head *options)
{
	int ret = 0;

	for (size_t i = 0; claw_report_formats[i]; i++) {
		int one = is_written(claw_report_formats[i], options->verb) ?
			write_file(directory, claw_report_formats[i],
				   options) : 0;

		if (ret == 0)
			ret = one;
	}
	return ret;
}
