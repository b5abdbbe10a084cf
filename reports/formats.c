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

#include "../harness/errors.h"

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

/* Control characters are below 0x20, 0x7f, and U+0080 to U+009F. */
static void put_part(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];
		unsigned char next = i + 1 < length ?
			(unsigned char)text[i + 1] : 0;

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			fprintf(out, "#x%02X", c);
		else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			fprintf(out, "#x%02X", (unsigned char)text[++i]);
		else
			fputc(c, out);
	}
}

void claw_report_put(FILE *out, const char *text)
{
	put_part(out, text, strlen(text));
}

void claw_report_put_markdown(FILE *out, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (strchr("\\`*_{}[]<>#|~&", *c))
			fprintf(out, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			fprintf(out, "\\#x%02X", *c);
		else
			fputc(*c, out);
	}
}

/* A workflow command's text (GitHub's runner: @actions/core). */
static void put_github(FILE *out, const char *text, bool property)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (property && (*text == ':' || *text == ',')))
			fprintf(out, "%%%02X", (unsigned char)*text);
		else
			put_part(out, text, 1);
	}
}

void claw_report_annotate(FILE *out, const struct claw_report_head *head,
			  const struct claw_result *result)
{
	const char *github = getenv("GITHUB_ACTIONS");
	char *block;

	if (!github || strcmp(github, "true") != 0)
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

bool claw_report_missing(const struct claw_report_head *head, uint64_t count,
			 char *text, size_t size)
{
	const char *least = head->is_open ? "at least " : "";

	if (head->cancelled && head->complete)
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

/* The first reading: everything but the results, which are counted. Texts
 * are copies. */
struct gathering {
	struct claw_report_head head;
	struct claw_environment_entry *environment;
	struct claw_report_rule *rules;
	const char **notes;
	struct claw_change *changes;
	bool failed;		/* out of memory */
};

static const char *copy(struct gathering *gathering, const char *text)
{
	char *own = text ? strdup(text) : NULL;

	if (text && !own)
		gathering->failed = true;
	return own;
}

static void drop(const char *text)
{
	free((char *)(uintptr_t)text);
}

/* Room for one more in an array, which may move; NULL without memory. */
static void *grow(struct gathering *gathering, void *array, size_t count,
		  size_t bytes)
{
	void *grown = realloc(array, (count + 1) * bytes);

	if (!grown)
		gathering->failed = true;
	return grown;
}

static void gather_plan(void *user, const char *verb, const char *command,
			uint64_t planned, uint64_t seed, const char *started)
{
	struct gathering *gathering = user;
	struct claw_report_head *head = &gathering->head;

	head->verb = copy(gathering, verb);
	head->command_line = copy(gathering, command);
	head->started = copy(gathering, started);
	head->planned = planned;
	head->seed = seed;
}

static void gather_planned(void *user, const struct claw_planned *planned)
{
	struct gathering *gathering = user;

	gathering->head.is_open |= planned->many && !planned->elsewhere;
	gathering->head.is_part |= planned->elsewhere;
}

static void gather_comparison(void *user, const char *directory,
			      const char *started, const char *text)
{
	struct gathering *gathering = user;
	struct claw_report_head *head = &gathering->head;

	if (head->compared_with)
		return;
	head->compared_with = copy(gathering, directory ? directory : "");
	head->compared_started = copy(gathering, started);
	head->compared_text = copy(gathering, text);
}

static void gather_change(void *user, const struct claw_change *change)
{
	struct gathering *gathering = user;
	struct claw_change *changes = grow(gathering, gathering->changes,
		gathering->head.change_count, sizeof(*changes));

	if (!changes)
		return;
	gathering->changes = changes;
	changes[gathering->head.change_count++] = (struct claw_change){
		.kind = change->kind, .suite = copy(gathering, change->suite),
		.name = copy(gathering, change->name),
		.configuration = copy(gathering, change->configuration),
		.text = copy(gathering, change->text) };
}

static void gather_environment(void *user, const char *configuration,
			       const char *key, const char *value)
{
	struct gathering *gathering = user;
	struct claw_environment_entry *entries = grow(gathering,
		gathering->environment, gathering->head.environment_count,
		sizeof(*entries));

	if (!entries)
		return;
	gathering->environment = entries;
	entries[gathering->head.environment_count++] =
		(struct claw_environment_entry){
			copy(gathering, configuration), copy(gathering, key),
			copy(gathering, value) };
}

static void gather_result(void *user, const struct claw_result *result)
{
	struct gathering *gathering = user;

	gathering->head.counts[result->verdict]++;
	gathering->head.result_count++;
}

static void gather_rule(void *user, const char *rule, uint64_t matched,
			uint64_t fired)
{
	struct gathering *gathering = user;
	struct claw_report_rule *rules = grow(gathering, gathering->rules,
		gathering->head.rule_count, sizeof(*rules));

	if (!rules)
		return;
	gathering->rules = rules;
	rules[gathering->head.rule_count++] = (struct claw_report_rule){
		copy(gathering, rule), matched, fired };
}

static void gather_note(void *user, const char *text)
{
	struct gathering *gathering = user;
	const char **notes = grow(gathering, gathering->notes,
				  gathering->head.note_count, sizeof(*notes));

	if (!notes)
		return;
	gathering->notes = notes;
	notes[gathering->head.note_count++] = copy(gathering, text);
}

static void gather_end(void *user, int exit_status, bool cancelled)
{
	struct gathering *gathering = user;

	gathering->head.exit_status = exit_status;
	gathering->head.cancelled = cancelled;
}

static void gathering_release(struct gathering *gathering)
{
	struct claw_report_head *head = &gathering->head;

	for (size_t i = 0; i < head->environment_count; i++) {
		drop(gathering->environment[i].configuration);
		drop(gathering->environment[i].key);
		drop(gathering->environment[i].value);
	}
	for (size_t i = 0; i < head->rule_count; i++)
		drop(gathering->rules[i].rule);
	for (size_t i = 0; i < head->note_count; i++)
		drop(gathering->notes[i]);
	for (size_t i = 0; i < head->change_count; i++) {
		drop(gathering->changes[i].suite);
		drop(gathering->changes[i].name);
		drop(gathering->changes[i].configuration);
		drop(gathering->changes[i].text);
	}
	free(gathering->environment);
	free(gathering->rules);
	free(gathering->notes);
	free(gathering->changes);
	drop(head->compared_with);
	drop(head->compared_started);
	drop(head->compared_text);
	drop(head->verb);
	drop(head->command_line);
	drop(head->started);
}

/* The second reading: results, to the format. */
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

static int gather(const char *path, struct gathering *gathering)
{
	static const struct claw_records_visitor visitor = {
		.plan = gather_plan, .planned = gather_planned,
		.environment = gather_environment,
		.result = gather_result, .rule = gather_rule,
		.note = gather_note, .comparison = gather_comparison,
		.change = gather_change, .end = gather_end,
	};
	struct claw_report_head *head = &gathering->head;
	int ret = claw_records_read(path, &visitor, gathering,
				    &head->complete, &head->damaged_lines);

	head->environment = gathering->environment;
	head->rules = gathering->rules;
	head->notes = gathering->notes;
	head->changes = gathering->changes;
	return ret == 0 && gathering->failed ? -CLAW_E_NO_MEMORY : ret;
}

static int pass(const char *path, struct passing *passing,
		const struct claw_report_head *head)
{
	static const struct claw_records_visitor visitor = {
		.result = pass_result,
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
	struct gathering gathering = { 0 };
	struct passing passing = { .format = format, .out = out };
	char *path = NULL;
	int ret = -CLAW_E_NO_MEMORY;

	if (asprintf(&path, "%s/records.jsonl", directory) < 0) {
		path = NULL;
		goto out;
	}
	ret = gather(path, &gathering);
	if (ret < 0)
		goto out;
	gathering.head.source_root = options->source_root;
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
	}
out:
	gathering_release(&gathering);
	free(path);
	return ret;
}

int claw_report_write_path(const char *directory,
			   const struct claw_report_format *format,
			   const char *path,
			   const struct claw_report_head *options)
{
	FILE *out = fopen(path, "we");
	int ret = out ? claw_report_write(directory, format, out, options,
					  NULL) : -CLAW_E_IO;

	if (out && fclose(out) != 0 && ret == 0)
		ret = -CLAW_E_IO;
	return ret;
}

/* Under another name first, so that nobody reads half a report. */
static int write_file(const char *directory,
		      const struct claw_report_format *format,
		      const struct claw_report_head *options)
{
	char *path = NULL, *fresh = NULL;
	FILE *out = NULL;
	bool is_empty;
	int ret = -CLAW_E_NO_MEMORY;

	if (asprintf(&path, "%s/%s", directory, format->file) < 0)
		path = NULL;
	if (!path || asprintf(&fresh, "%s.part", path) < 0) {
		fresh = NULL;
		goto out;
	}
	ret = -CLAW_E_IO;
	out = fopen(fresh, "we");
	if (!out)
		goto out;
	ret = claw_report_write(directory, format, out, options, NULL);
	is_empty = ftell(out) == 0;
	if (fclose(out) != 0 && ret == 0)
		ret = -CLAW_E_IO;
	if (ret == 0 && is_empty) {
		unlink(path);
		unlink(fresh);
	} else if (ret == 0 && rename(fresh, path) < 0) {
		ret = -CLAW_E_IO;
	}
	if (ret < 0) {
		int error = errno;

		unlink(fresh);
		errno = error;
	}
out:
	free(fresh);
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
