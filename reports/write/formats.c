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
	char *path = claw_path_in(directory, "records.jsonl");
	int ret;

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
		      const struct claw_report_row *row,
		      const struct claw_report_head *options)
{
	struct claw_report_head beside = *options;
	char *path = claw_path_in(directory, row->file);
	struct claw_new_file file;
	bool is_empty;
	int ret;

	if (!claw_new_file_begin(&file, path)) {
		free(path);
		return -CLAW_E_IO;
	}
	beside.link_base = "";
	ret = claw_report_write(directory, row->format, file.out, &beside,
				NULL);
	is_empty = ftell(file.out) == 0;
	if (claw_new_file_end(&file, ret == 0 && !is_empty) < 0 && ret == 0)
		ret = -CLAW_E_IO;
	if (ret == 0 && is_empty)
		unlink(path);
	free(path);
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
	int ret = 0;

	for (size_t i = 0; claw_report_rows[i].name; i++) {
		int one = is_written(&claw_report_rows[i], options->verb) ?
			write_file(directory, &claw_report_rows[i],
				   options) : 0;

		if (ret == 0)
			ret = one;
	}
	return ret;
}
