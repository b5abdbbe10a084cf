/* SPDX-License-Identifier: Apache-2.0 */
/* Write coverage's files, and run lcov's programs. */
#include "config.h"

#include "coverage_output.h"

#include <errno.h>
#include <stdarg.h>
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

		ret = host ? append_file(out, host) : -CLAW_E_NO_MEMORY;
		free(host);
	}
	return (claw_new_file_end(&file, ret == 0) < 0 || ret < 0) &&
		ret != -CLAW_E_NO_MEMORY ? -CLAW_E_IO : ret;
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
	int ret = tracefile && cobertura ? 0 : -CLAW_E_NO_MEMORY;

	if (ret == 0)
		ret = write_tracefile(coverage, output, tracefile);
	if (ret == 0)
		ret = claw_coverage_write_cobertura(at = cobertura, coverage,
						    output->root);
	if (ret == 0 && output->cobertura)
		ret = claw_coverage_write_cobertura(at = output->cobertura,
						    coverage, output->root);
	*reterr_path = ret < 0 && at ? claw_strdup(at) : NULL;
	free(tracefile);
	free(cobertura);
	return ret;
}

/* ---- lcov's programs ----------------------------------------------------- */

static int say(char **ret_why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int say(char **ret_why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*ret_why = claw_vformat(format, args);
	va_end(args);
	return 0;
}

/* The last line of what it printed that has something in it. */
static const char *last_line(char *text)
{
	size_t length = text ? strlen(text) : 0;
	char *newline;

	while (length > 0 && strchr(" \t\r\n", text[length - 1]))
		text[--length] = '\0';
	newline = length ? strrchr(text, '\n') : NULL;
	return newline ? newline + 1 : length ? text : "it printed nothing";
}

/* Run one of them to its end. ret_why: it is not here, or failed. */
static int run_tool(const char **words, char **ret_why)
{
	struct claw_run_spec spec = {
		.argv = (char *const *)(uintptr_t)words,
		.timeout_ms = TIMEOUT_MS, .merge_stderr = true,
	};
	struct claw_run_result result;
	int ret = claw_run_once(&spec, &result);

	if (ret < 0)
		return say(ret_why, "%s could not be run: %s", words[0],
			   claw_error_text(ret));
	if (result.end == CLAW_END_NOT_FOUND) {
		ret = say(ret_why, "%s is not here (Debian package lcov)",
			  words[0]);
	} else if (result.end != CLAW_END_EXIT || result.code != 0) {
		char *text = result.out.tail_bytes ?
			claw_strndup(result.out.tail, result.out.tail_bytes) :
			claw_strndup(result.out.head ? result.out.head : "",
				result.out.head_bytes);

		ret = say(ret_why, "%s failed: %s", words[0], last_line(text));
		free(text);
	} else {
		ret = 0;
	}
	claw_run_result_release(&result);
	return ret;
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

/* Links from the data of a run to where the compiler left its notes; 0 when
 * any can be used. */
static int prepare_data(const char *folder, bool is_own, char **ret_why)
{
	char **paths, *why = NULL;
	size_t usable = 0;
	unsigned int major;
	int ret = claw_gcov_files_find(folder, &paths);

	if (ret < 0)
		return ret;
	for (char **path = paths; path && *path; path++) {
		char *problem = is_own ?
			claw_gcov_files_prepare(folder, *path, &major) : NULL;

		usable += problem == NULL;
		if (!why)
			why = problem;
		else
			free(problem);
	}
	if (!paths)
		ret = say(ret_why, "%s: no file of gcc --coverage (.gcda) is "
			  "there", folder);
	else if (usable == 0)
		ret = say(ret_why, "%s", why ? why : "no data can be read");
	free(why);
	claw_list_free(paths);
	return ret;
}

int claw_coverage_capture_host(const char *folder, bool is_own,
			       const char *directory, char **ret_why)
{
	char *out = claw_path_in(directory, CLAW_COVERAGE_HOST);
	const char *words[] = {
		"lcov", "--quiet", "--capture", "--directory", folder,
		"--output-file", out, is_old() ? "--rc" : "--branch-coverage",
		NULL, NULL,
	};
	int ret = out ? prepare_data(folder, is_own, ret_why) :
		-CLAW_E_NO_MEMORY;

	if (strcmp(words[7], "--rc") == 0)
		words[8] = "lcov_branch_coverage=1";
	if (ret == 0 && !*ret_why)
		ret = run_tool(words, ret_why);
	free(out);
	return ret;
}

int claw_coverage_make_page(const char *directory, const char *baseline,
			    const char *title, char **ret_why)
{
	char *page = claw_path_in(directory, CLAW_COVERAGE_PAGE);
	char *tracefile = claw_path_in(directory, CLAW_COVERAGE_TRACEFILE);
	const char *words[16] = {
		"genhtml", "--quiet", "--branch-coverage", "--legend",
		"--ignore-errors", "source", "--title", title,
		"--output-directory", page,
	};
	size_t count = 10;
	int ret = -CLAW_E_NO_MEMORY;

	if (baseline) {
		words[count++] = "--baseline-file";
		words[count++] = baseline;
	}
	words[count] = tracefile;
	if (page && tracefile)
		ret = run_tool(words, ret_why);
	free(page);
	free(tracefile);
	return ret;
}
