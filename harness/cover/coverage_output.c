/* SPDX-License-Identifier: Apache-2.0 */
/* Write coverage's files, and run lcov's programs. */
#include "config.h"

#include "coverage_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage_files.h"
#include "harness/base/errors.h"
#include "gcov_files.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/files/outside_file.h"
#include "harness/process/runner.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { TIMEOUT_MS = 300 * 1000 };

/* ---- files --------------------------------------------------------------- */

static int append_file(FILE *out, const char *path)
{
	char chunk[65536];
	FILE *in = claw_outside_fopen(path);
	size_t got;
	int failed;

	if (!in)
		return -CLAW_E_IO;
	while ((got = fread(chunk, 1, sizeof(chunk), in)) > 0)
		fwrite(chunk, 1, got, out);
	failed = ferror(in);
	fclose(in);
	return failed ? -CLAW_E_IO : 0;
}

static int write_tracefile(const struct claw_coverage *coverage,
			   const struct claw_coverage_output *output,
			   const char *path)
{
	struct claw_new_file file;
	FILE *out = claw_new_file_begin(&file, path);
	int ret;

	if (!out)
		return -CLAW_E_IO;
	ret = claw_coverage_write_lcov(out, coverage, output->test_name);
	if (ret == 0 && output->has_host) {
		char *host = claw_path_in(output->directory,
					  CLAW_COVERAGE_HOST);

		ret = append_file(out, host);
		free(host);
	}
	return claw_new_file_end(&file, ret == 0) < 0 ? -CLAW_E_IO : ret;
}

int claw_coverage_output_write(const struct claw_coverage *coverage,
			       const struct claw_coverage_output *output,
			       char **reterr_path)
{
	char *tracefile = claw_path_in(output->directory,
				       CLAW_COVERAGE_TRACEFILE);
	char *cobertura = claw_path_in(output->directory,
				       CLAW_COVERAGE_COBERTURA);
	const char *at = tracefile;
	int ret = write_tracefile(coverage, output, tracefile);

	if (ret == 0)
		ret = claw_coverage_write_cobertura(at = cobertura, coverage,
						    output->root);
	if (ret == 0 && output->cobertura)
		ret = claw_coverage_write_cobertura(at = output->cobertura,
						    coverage, output->root);
	*reterr_path = ret < 0 ? claw_strdup(at) : NULL;
	free(tracefile);
	free(cobertura);
	return ret;
}

/* ---- lcov's programs ----------------------------------------------------- */

/* The last line of what it printed that has something in it. */
static const char *last_line(char *text)
{
	size_t length = strlen(text);
	char *newline;

	while (length > 0 && strchr(" \t\r\n", text[length - 1]))
		text[--length] = '\0';
	newline = length ? strrchr(text, '\n') : NULL;
	return newline ? newline + 1 : length ? text : "it printed nothing";
}

/* Run one of them to its end. Returns why it could not, malloced, or NULL. */
static char *run_tool(const char **words)
{
	struct claw_run_spec spec = {
		.argv = (char *const *)(uintptr_t)words,
		.timeout_ms = TIMEOUT_MS, .merge_stderr = true,
	};
	struct claw_run_result result;
	int ret = claw_run_once(&spec, &result);
	char *why = NULL;

	if (ret < 0)
		return claw_format("%s could not be run: %s", words[0],
				   claw_error_text(ret));
	if (result.end == CLAW_END_NOT_FOUND) {
		why = claw_format("%s is not here (Debian package lcov)",
				  words[0]);
	} else if (result.end != CLAW_END_EXIT || result.code != 0) {
		char *text = result.out.tail_bytes ?
			claw_strndup(result.out.tail, result.out.tail_bytes) :
			claw_strndup(result.out.head ? result.out.head : "",
				result.out.head_bytes);

		why = claw_format("%s failed: %s", words[0], last_line(text));
		free(text);
	}
	claw_run_result_release(&result);
	return why;
}

/* "LCOV version 1.16" has another option for branches than 2.x. */
static bool is_old(void)
{
	const char *words[] = { "lcov", "--version", NULL };
	struct claw_run_spec spec = {
		.argv = (char *const *)(uintptr_t)words, .timeout_ms = 10000,
	};
	struct claw_run_result result;
	bool old = false;

	if (claw_run_once(&spec, &result) < 0)
		return false;
	old = result.out.head && memmem(result.out.head, result.out.head_bytes,
					"version 1.", 10);
	claw_run_result_release(&result);
	return old;
}

/* Links from the data of a run to where the compiler left its notes. Returns
 * why none can be used, malloced, or NULL. */
static char *prepare_data(const char *folder, bool is_own)
{
	char **paths = claw_gcov_files_find(folder), *why = NULL;
	size_t usable = 0;
	unsigned int major;

	if (!paths)
		return claw_format("%s: no file of gcc --coverage (.gcda) is "
				   "there", folder);
	for (char **path = paths; *path; path++) {
		char *problem = is_own ?
			claw_gcov_files_prepare(folder, *path, &major) : NULL;

		usable += problem == NULL;
		if (!why)
			why = problem;
		else
			free(problem);
	}
	claw_list_free(paths);
	if (usable == 0)
		return why;
	free(why);
	return NULL;
}

char *claw_coverage_capture_host(const char *folder, bool is_own,
				 const char *directory)
{
	char *out = claw_path_in(directory, CLAW_COVERAGE_HOST);
	const char *words[] = {
		"lcov", "--quiet", "--capture", "--directory", folder,
		"--output-file", out, is_old() ? "--rc" : "--branch-coverage",
		NULL, NULL,
	};
	char *why = prepare_data(folder, is_own);

	if (strcmp(words[7], "--rc") == 0)
		words[8] = "lcov_branch_coverage=1";
	if (!why)
		why = run_tool(words);
	free(out);
	return why;
}

char *claw_coverage_make_page(const char *directory, const char *baseline,
			      const char *title)
{
	char *page = claw_path_in(directory, CLAW_COVERAGE_PAGE), *why;
	char *tracefile = claw_path_in(directory, CLAW_COVERAGE_TRACEFILE);
	const char *words[16] = {
		"genhtml", "--quiet", "--branch-coverage", "--legend",
		"--ignore-errors", "source", "--title", title,
		"--output-directory", page,
	};
	size_t count = 10;

	if (baseline) {
		words[count++] = "--baseline-file";
		words[count++] = baseline;
	}
	words[count] = tracefile;
	why = run_tool(words);
	free(page);
	free(tracefile);
	return why;
}
