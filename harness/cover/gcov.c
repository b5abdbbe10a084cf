/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runs without faults have left: one gcov for all of it.
 */
#include "config.h"

#include "gcov_private.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "gcov_files.h"
#include "gcov_read.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { TIMEOUT_MS = 60 * 1000 };

struct claw_gcov *claw_gcov_new(const char *directory, const char *program)
{
	struct claw_gcov *gcov = claw_calloc(1, sizeof(*gcov));

	gcov->directory = claw_strdup(directory);
	gcov->wanted = claw_strdup_or_null(program);
	return gcov;
}

void claw_gcov_free(struct claw_gcov *gcov)
{
	if (!gcov)
		return;
	tdestroy(gcov->seen, claw_gcov_seen_free);
	claw_code_lines_release(&gcov->lines);
	claw_list_free(gcov->files);
	free(gcov->directory);
	free(gcov->wanted);
	free(gcov->program);
	free(gcov->why);
	free(gcov);
}

void claw_gcov_need_all(struct claw_gcov *gcov)
{
	gcov->needs_all = true;
}

const char *claw_gcov_directory(const struct claw_gcov *gcov)
{
	return gcov->directory;
}

const struct claw_code_lines *claw_gcov_lines(const struct claw_gcov *gcov)
{
	bool too_few = gcov->needs_all && gcov->left_out > 0;

	return gcov->lines.count > 0 && !too_few ? &gcov->lines : NULL;
}

/* ---- the runs without faults ------------------------------------------ */

/* The first reason stays. */
static void leave_out(struct claw_gcov *gcov, char *why)
{
	gcov->left_out++;
	if (gcov->why)
		free(why);
	else
		gcov->why = why;
}

void claw_gcov_begin_argv(const struct claw_gcov *gcov, char ***argv)
{
	static const char *const words[] = { "--json-format", "--stdout" };

	claw_list_add(argv, claw_strdup(gcov->program));
	for (size_t i = 0; i < 2; i++)
		claw_list_add(argv, claw_strdup(words[i]));
}

static char *find_program(const struct claw_gcov *gcov)
{
	char name[32], *path, *whole;
	int why;

	snprintf(name, sizeof(name), "gcov-%u", gcov->major);
	path = claw_program_find(gcov->wanted ? gcov->wanted : name, &why);
	if (!path && !gcov->wanted)
		path = claw_program_find("gcov", &why);
	whole = path ? realpath(path, NULL) : NULL;
	free(path);
	return whole;
}

static char *explain_missing(const struct claw_gcov *gcov)
{
	return gcov->wanted ?
		claw_format("--gcov=%s: no such program", gcov->wanted) :
		claw_strdup("gcov is not installed (Debian: package gcc); "
			    "--gcov=PROGRAM names another");
}

/* Those that gcov can read. */
static char **look_at_files(struct claw_gcov *gcov)
{
	size_t skip = strlen(gcov->directory);
	char **all = claw_gcov_files_find(gcov->directory), **usable = NULL;

	for (char **path = all; path && *path; path++) {
		char *why = claw_gcov_files_prepare(gcov->directory, *path,
						    &gcov->major);

		if (why) {
			leave_out(gcov, why);
			continue;
		}
		claw_list_add(&usable, claw_strdup(*path));
		claw_list_add(&gcov->files, claw_strdup(*path + skip));
	}
	claw_list_free(all);
	return usable;
}

static int take_lines(void *user, const char *data_file, const char *version,
		      const struct claw_code_lines *lines)
{
	struct claw_gcov *gcov = user;

	(void)data_file;
	if (strtoul(version, NULL, 10) != gcov->major) {
		leave_out(gcov, claw_format("%s is that of gcc %s, and gcc %u "
					    "built the program: name the right "
					    "one with --gcov=PROGRAM",
					    gcov->program, version,
					    gcov->major));
		return -CLAW_E_VERSION;
	}
	for (size_t i = 0; i < lines->count; i++) {
		const struct claw_code_line *line = &lines->items[i];

		claw_code_lines_add(&gcov->lines, line->file, line->function,
				    line->number, line->runs, false);
	}
	return 0;
}

/* Why it could not be read, or NULL; ret: of the reading. */
static char *explain(const struct claw_gcov *gcov, int ret,
		     const struct claw_run_result *result)
{
	char *said, *why;

	if (ret == -CLAW_E_VERSION || (ret == 0 && gcov->lines.count > 0))
		return NULL;
	said = claw_capture_text(&result->err);
	why = claw_format("%s printed nothing that can be read, and ended "
			  "with %d: %.*s", gcov->program, result->code,
			  (int)strcspn(said, "\n"), said);
	free(said);
	return why;
}

static void read_files(struct claw_gcov *gcov, struct claw_runner *runner,
		       char *const *usable)
{
	char **argv = NULL, *output = claw_path_in(gcov->directory,
						   "gcov.json"), *why;
	struct claw_run_result result = { .end = CLAW_END_EXIT };
	struct claw_run_spec spec = {
		.stdout_path = output, .timeout_ms = TIMEOUT_MS,
		.directory = gcov->directory,
	};
	int ret;

	claw_gcov_begin_argv(gcov, &argv);
	for (; *usable; usable++)
		claw_list_add(&argv, claw_strdup(*usable));
	spec.argv = argv;
	claw_runner_run_one(runner, &spec, &result);
	ret = claw_gcov_read(output, take_lines, gcov);
	why = explain(gcov, ret, &result);
	if (why)
		leave_out(gcov, why);
	if (ret < 0)
		claw_code_lines_release(&gcov->lines);
	claw_run_result_release(&result);
	claw_code_lines_sort(&gcov->lines);
	claw_list_free(argv);
	free(output);
}

void claw_gcov_begin(struct claw_gcov *gcov, struct claw_runner *runner,
		     char **ret_why)
{
	char **usable = look_at_files(gcov);

	if (usable) {
		gcov->program = find_program(gcov);
		if (gcov->program)
			read_files(gcov, runner, usable);
		else
			gcov->why = explain_missing(gcov);
	}
	claw_list_free(usable);
	gcov->lines.left_out = gcov->left_out;
	*ret_why = gcov->why ? claw_format("%s%s", gcov->why,
		gcov->left_out > 1 ? " (and more of that kind)" : "") : NULL;
}
