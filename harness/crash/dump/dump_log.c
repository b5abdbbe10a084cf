/* SPDX-License-Identifier: Apache-2.0 */
/* See dump_log.h. */
#include "config.h"

#include "dump_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { COMM_MAX = 15 };		/* characters of a process's name */

/* The kernel's clock of its log is not corrected as the other one is: seconds
 * a day apart. */
#define DRIFT	1e-4

const char *claw_log_fit_name(enum claw_log_fit fit)
{
	return fit == CLAW_LOG_OURS ? "ours" :
		fit == CLAW_LOG_OTHER ? "other-process" :
		fit == CLAW_LOG_OLDER ? "older" : "unknown";
}

/* A failure of the machine's is everybody's, whoever was at work. */
static bool is_of_machine(const struct claw_dmesg_line *line)
{
	return line->whose && strcmp(line->whose, "hardware") == 0;
}

/* Numbers are others in a container; names are not. */
static bool is_name_of(const struct claw_dmesg_line *line, const char *program)
{
	return *line->name && program &&
		strncmp(line->name, claw_base_name(program), COMM_MAX) == 0;
}

static bool is_older(const struct claw_dump *dump,
		     const struct claw_dmesg_line *line)
{
	double start;

	if (!dump->journal || !line->has_stamp)
		return false;
	start = (double)claw_journal_get_header(
		dump->journal)->start_mono_ns * 1e-9;
	return line->stamp + 1.0 + start * DRIFT < start;
}

enum claw_log_fit claw_dump_log_fit(const struct claw_dump *dump,
				    const struct claw_dmesg_line *line)
{
	uint64_t pid = (uint64_t)json_integer_value(
		json_object_get(dump->meta, "pid"));
	bool is_timed = line->has_stamp && dump->journal;

	if (is_older(dump, line))
		return CLAW_LOG_OLDER;
	if (is_of_machine(line) || !line->pid || !pid)
		return is_timed ? CLAW_LOG_OURS : CLAW_LOG_UNKNOWN;
	if (line->pid == pid)
		return CLAW_LOG_OURS;
	if (!is_name_of(line, json_string_value(
			json_object_get(dump->meta, "program"))))
		return CLAW_LOG_OTHER;
	return is_timed ? CLAW_LOG_OURS : CLAW_LOG_UNKNOWN;
}

bool claw_dump_log_next(const struct claw_dump *dump, const char **at,
			struct claw_dmesg_line *ret_line)
{
	while (claw_dmesg_next(at, ret_line))
		if (claw_dump_log_fit(dump, ret_line) < CLAW_LOG_OTHER)
			return true;
	return false;
}

bool claw_dump_log_has_code(const struct claw_dump *dump, const char *code)
{
	const char *at = dump->dmesg;
	struct claw_dmesg_line line;

	while (claw_dump_log_next(dump, &at, &line))
		if (line.code && strcmp(line.code, code) == 0)
			return true;
	return false;
}

/* ---- what is kept ----------------------------------------------------- */

static bool is_of_session(const struct claw_dmesg_line *line,
			  struct claw_journal *const *journals, size_t count)
{
	if (!line->pid || is_of_machine(line))
		return true;
	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_header *header = journals[i] ?
			claw_journal_get_header(journals[i]) : NULL;

		if (header && (line->pid == header->pid ||
			       is_name_of(line, claw_journal_get_string(
					journals[i], header->exe_string))))
			return true;
	}
	return false;
}

static bool is_kept(const char *text, double after,
		    struct claw_journal *const *journals, size_t count)
{
	struct claw_dmesg_line line;
	double stamp;

	if (claw_dmesg_stamp(text, &stamp) && stamp <= after)
		return false;
	return !claw_dmesg_next(&text, &line) ||
	       is_of_session(&line, journals, count);
}

char *claw_dump_log_choose(const char *log, double after,
			   struct claw_journal *const *journals, size_t count)
{
	char *text = NULL, *line;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	while (log && *log) {
		size_t length = strcspn(log, "\n");

		line = claw_strndup(log, length);
		if (line && is_kept(line, after, journals, count))
			fprintf(out, "%s\n", line);
		free(line);
		log += length + (log[length] == '\n');
	}
	claw_text_end(out);
	return text;
}
