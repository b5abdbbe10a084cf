/* SPDX-License-Identifier: Apache-2.0 */
/* The program openclaw-kernel: its command line, and the run from end to end. */
#include "config.h"

#include "kernel.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suites/case_result.h"
#include "faults/shared/clock.h"
#include "harness/base/errors.h"

/* ---- the run --------------------------------------------------------- */

static void run_launches(struct claw_kernel_run *run)
{
	unsigned int wanted = run->options.repeat ? run->options.repeat :
			      run->test->repeat ? run->test->repeat : 1;

	while (run->launches < wanted && run->status == CLAW_KERNEL_HELD) {
		if (claw_kernel_launch(run)) {
			claw_kernel_compare(run);
			/* A failed read says nothing about the guards. */
			if (run->status != CLAW_KERNEL_USAGE)
				claw_kernel_guard_check(run);
			run->is_launched = false;
		}
		claw_kernel_release(run);
	}
}

void claw_kernel_close(struct claw_kernel_run *run)
{
	if (run->context)
		claw_kernel_at(run, NULL);
	if (run->kernel)
		clReleaseKernel(run->kernel);
	if (run->program)
		clReleaseProgram(run->program);
	if (run->queue)
		clReleaseCommandQueue(run->queue);
	if (run->context)
		clReleaseContext(run->context);
}

static void write_test(const struct claw_kernel_run *run, uint64_t took_us)
{
	const char *name = run->test->case_name;
	bool held = run->status == CLAW_KERNEL_HELD;
	const char *path = run->is_source_line ? run->clw->source_path :
						 run->clw->path;
	char took[32], place[4096] = "";

	snprintf(took, sizeof(took), "%" PRIu64, took_us);
	if (!held && run->line)
		snprintf(place, sizeof(place), "%s:%u", path, run->line);
	else if (!held)
		snprintf(place, sizeof(place), "%s", path);
	claw_case_result_line("test", name, held ? "PASSED" : "FAILED", took,
			      run->line ? place : "", run->message, "", NULL);
	printf("%-6s %s\n", held ? "PASSED" : "FAILED", name);
	if (!held)
		printf("%s: %s\n", place, run->message);
	claw_kernel_measure(run);
	claw_case_result_line("end", name, "1", held ? "0" : "1", NULL);
}

/* "file:line: ..." on stderr. */
static void say_refusal(const struct claw_kernel_run *run)
{
	if (run->line)
		fprintf(stderr, "%s:%u: %s\n", run->clw->path, run->line,
			run->message);
	else
		fprintf(stderr, "%s: %s\n", run->clw->path, run->message);
}

static enum claw_kernel_status run_test(struct claw_kernel_run *run)
{
	uint64_t start = claw_clock_mono_ns() / 1000u;

	claw_case_result_line("case", run->clw->name, run->test->case_name,
			      NULL);
	if (claw_kernel_open(run) && claw_kernel_build(run) && run->kernel)
		run_launches(run);
	claw_kernel_close(run);
	switch (run->status) {
	case CLAW_KERNEL_SKIPPED:
		printf("SKIPPED %s: %s\n", run->test->case_name, run->message);
		claw_case_result_line("skip", run->message, NULL);
		break;
	case CLAW_KERNEL_USAGE:
	case CLAW_KERNEL_BROKEN:
		say_refusal(run);
		break;
	default:
		write_test(run, claw_clock_mono_ns() / 1000u - start);
	}
	return run->status;
}

/* ---- the command line ------------------------------------------------ */

static int usage(FILE *out, int status)
{
	fputs("usage: openclaw-kernel --file FILE [--test NAME] [--seed N]\n"
	      "                       [--repeat N] [--metrics] [--loop N] |\n"
	      "                       --file FILE --list\n"
	      "Runs one test of a kernel file (openclaw test runs many).\n",
	      out);
	return status;
}

static bool read_number(const char *option, const char *text, uint64_t max,
			uint64_t *ret_number)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && errno == 0 &&
	    number <= max) {
		*ret_number = number;
		return true;
	}
	fprintf(stderr, "openclaw-kernel: option --%s: expected a number, "
		"found \"%s\"\n", option, text);
	return false;
}

static bool read_options(int argc, char **argv,
			 struct claw_kernel_options *options, bool *list,
			 int *ret_status)
{
	static const struct option words[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "test", required_argument, NULL, 't' },
		{ "seed", required_argument, NULL, 's' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "metrics", no_argument, NULL, 'm' },
		{ "loop", required_argument, NULL, 'o' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t repeat = 0;
	int letter;

	*ret_status = CLAW_KERNEL_USAGE;
	while ((letter = getopt_long(argc, argv, "h", words, NULL)) != -1) {
		if (letter == 'f')
			options->file = optarg;
		else if (letter == 't')
			options->test = optarg;
		else if (letter == 'm')
			options->metrics = true;
		else if (letter == 'l')
			*list = true;
		else if (letter == 's' &&
			 !read_number("seed", optarg, UINT64_MAX,
				      &options->seed))
			return false;
		else if (letter == 'r' &&
			 !read_number("repeat", optarg, 1000000, &repeat))
			return false;
		else if (letter == 'o' &&
			 !read_number("loop", optarg, UINT64_MAX,
				      &options->iterations))
			return false;
		else if (letter == 'h')
			*ret_status = usage(stdout, CLAW_KERNEL_HELD);
		else if (letter == '?')
			usage(stderr, CLAW_KERNEL_USAGE);
		options->loop = options->loop || letter == 'o';
		if (letter == 'h' || letter == '?')
			return false;
	}
	options->repeat = (unsigned int)repeat;
	if (options->file && optind == argc)
		return true;
	usage(stderr, CLAW_KERNEL_USAGE);
	return false;
}

/* The test by name, or the only one there is. */
static const struct claw_clw_test *
find_test(const struct claw_clw *clw, const char *name)
{
	const struct claw_clw_test *test = NULL;

	if (name)
		test = claw_clw_find(clw, name);
	else if (clw->test_count == 1)
		test = &clw->tests[0];
	if (test)
		return test;
	fprintf(stderr, "%s: expected --test with one of", clw->path);
	for (size_t i = 0; i < clw->test_count; i++)
		fprintf(stderr, "%s %s", i ? "," : "",
			clw->tests[i].case_name);
	fprintf(stderr, ", found %s\n", name ? name : "none");
	return NULL;
}

static int run_file(struct claw_kernel_run *run, const struct claw_clw *clw)
{
	int status;

	run->clw = clw;
	run->test = find_test(clw, run->options.test);
	if (!run->test)
		return CLAW_KERNEL_USAGE;
	if (claw_case_result_open() < 0)
		return CLAW_KERNEL_BROKEN;
	status = (int)run_test(run);
	if (claw_case_result_close() < 0)
		status = CLAW_KERNEL_BROKEN;
	return status;
}

int main(int argc, char **argv)
{
	const char *guard = getenv("OPENCLAW_GUARD");
	struct claw_kernel_run run = { 0 };
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	bool list = false;
	int status;

	if (!read_options(argc, argv, &run.options, &list, &status))
		return status;
	run.options.bare = guard && strcmp(guard, "0") == 0;
	if (claw_clw_read(run.options.file, &clw, &error) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return CLAW_KERNEL_USAGE;
	}
	status = CLAW_KERNEL_HELD;
	for (size_t i = 0; list && i < clw->test_count; i++)
		puts(clw->tests[i].case_name);
	if (run.options.loop && !list)
		status = (int)claw_kernel_loop(&run.options, clw);
	else if (!list)
		status = run_file(&run, clw);
	claw_kernel_at_nothing();
	claw_clw_free(clw);
	return status;
}
