/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of report formats, and the way from records.jsonl to one of them.
 */
#include "config.h"

#include "report_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/new_file.h"
#include "gather.h"

const struct claw_report_row claw_report_rows[] = {
#define REPORT(id_, name_) { name_, NULL, NULL, &claw_report_##id_ },
#define REPORT_OPTION(id_, name_, file_, verbs_, help_) \
	REPORT_FILE(id_, name_, file_, verbs_)
#define REPORT_FILE(id_, name_, file_, verbs_) \
	{ name_, file_, verbs_, &claw_report_##id_ },
#include "harness/records/report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT
	{ NULL, NULL, NULL, NULL },
};

const struct claw_report_format *claw_report_find(const char *name)
{
	for (size_t i = 0; claw_report_rows[i].name; i++)
		if (strcmp(claw_report_rows[i].name, name) == 0)
			return claw_report_rows[i].format;
	return NULL;
}

/* ---- from records ---------------------------------------------------- */

/* A format on its way to a stream. */
struct passing {
	const struct claw_report_format *format;
	const char *link_base;
	FILE *out;
	struct claw_new_file file;	/* whose stream it is, where there is a */
	char *path;			/* path; an empty one is not there */
	struct claw_report_head head;
	void *state;
	bool is_begun;
	int error;
};

/* The second reading: results, and what a soak has, to all formats at once. */
struct passings {
	struct passing *items;
	size_t count;
};

#define PASS_EACH(user_, member_, ...) \
	for (struct passing *p = ((struct passings *)(user_))->items, \
	     *end = p + ((struct passings *)(user_))->count; p < end; p++) \
		if (p->error == 0 && p->format->member_) \
			p->format->member_(p->out, p->state, __VA_ARGS__)

static void pass_result(void *user, const struct claw_result *result)
{
	PASS_EACH(user, result, result);
}

static void pass_segment(void *user, const struct claw_soak_segment *segment)
{
	PASS_EACH(user, segment, segment);
}

static void pass_sample(void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites,
			size_t site_count)
{
	PASS_EACH(user, sample, sample, sites, site_count);
}

static void pass_event(void *user, const struct claw_soak_event *event)
{
	PASS_EACH(user, event, event);
}

static void begin(struct passing *passing, const char *directory,
		  const struct claw_report_head *read,
		  const struct claw_report_head *options)
{
	struct claw_report_head *head = &passing->head;

	*head = *read;
	head->source_root = options->source_root;
	head->directory = directory;
	head->link_base = passing->link_base ? passing->link_base : directory;
	head->durations = options->durations;
	head->verbose = options->verbose;
	head->color = options->color;
	passing->error = passing->format->begin(passing->out, head,
						&passing->state);
	passing->is_begun = passing->error == 0;
}

static void end_file(struct passing *passing)
{
	bool is_empty = ftell(passing->out) == 0;
	bool is_good = passing->error == 0;
	int ret = claw_new_file_end(&passing->file, is_good && !is_empty);

	if (is_good && is_empty)
		unlink(passing->path);
	if (is_good)
		passing->error = ret;
	free(passing->path);
}

static void end(struct passing *passing, int ret)
{
	int ended = passing->is_begun ?
		passing->format->end(passing->out, passing->state) : 0;

	if (ret < 0 || passing->error == 0)
		passing->error = ret < 0 ? ret : ended;
	if (passing->error == 0 &&
	    (fflush(passing->out) != 0 || ferror(passing->out)))
		passing->error = -CLAW_E_IO;
	if (passing->path)
		end_file(passing);
}

/* All of them, in that order: one may look whether those before it are there.
 * Each has its error then. ret_head: may be NULL. */
static void write_together(const char *directory, struct passings *passings,
			   const struct claw_report_head *options,
			   struct claw_report_head *ret_head)
{
	static const struct claw_records_visitor visitor = {
		.result = pass_result, .segment = pass_segment,
		.sample = pass_sample, .event = pass_event,
	};
	struct claw_report_gathering gathering = { 0 };
	char *path = claw_path_in(directory, "records.jsonl");
	int ret = claw_report_gather(path, &gathering);
	uint64_t damaged;
	bool complete;

	for (size_t i = 0; ret == 0 && i < passings->count; i++)
		begin(&passings->items[i], directory, &gathering.head, options);
	if (ret == 0)
		ret = claw_records_read(path, &visitor, passings, &complete,
					&damaged);
	for (size_t i = 0; i < passings->count; i++)
		end(&passings->items[i], ret);
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
	claw_report_gathering_release(&gathering);
	free(path);
}

int claw_report_write(const char *directory,
		      const struct claw_report_format *format, FILE *out,
		      const struct claw_report_head *options,
		      struct claw_report_head *ret_head)
{
	struct passing passing = {
		.format = format, .out = out, .link_base = options->link_base,
	};
	struct passings one = { &passing, 1 };

	write_together(directory, &one, options, ret_head);
	return passing.error;
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

/* Is the file one of those that the command always leaves? */
static bool is_written(const struct claw_report_row *row,
		       const char *verb)
{
	size_t length = verb ? strlen(verb) : 0;
	const char *word = row->verbs;

	if (!row->file || !word)
		return row->file != NULL;
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
	enum { ROWS = sizeof(claw_report_rows) / sizeof(*claw_report_rows) };
	struct passing items[ROWS] = { { .format = NULL } };
	struct passings passings = { items, 0 };
	int ret = 0;

	for (const struct claw_report_row *row = claw_report_rows; row->name;
	     row++) {
		struct passing *one = &items[passings.count];

		if (!is_written(row, options->verb))
			continue;
		one->format = row->format;
		one->link_base = "";
		one->path = claw_path_in(directory, row->file);
		one->out = claw_new_file_begin(&one->file, one->path);
		if (one->out) {
			passings.count++;
			continue;
		}
		free(one->path);
		ret = -CLAW_E_IO;
	}
	write_together(directory, &passings, options, NULL);
	for (size_t i = 0; i < passings.count; i++)
		ret = ret ? ret : items[i].error;
	return ret;
}
