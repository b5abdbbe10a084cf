/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run whose kernels' coverage is asked for. */
#include "config.h"

#include "cmd_coverage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cover/coverage_baseline.h"
#include "harness/cover/coverage_say.h"
#include "harness/base/errors.h"
#include "harness/files/outside_file.h"
#include "harness/session/instrument_program.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

/* ---- options ------------------------------------------------------------- */

const char *claw_cmd_coverage_option(const struct claw_coverage_given *given,
				     const char *html)
{
	return given->fail_under ? "fail-under" :
	       given->baseline ? "baseline" :
	       given->cobertura ? "cobertura" : given->html ? html : NULL;
}

/* An earlier run's directory stands for its tracefile. */
static char *baseline_path(const char *given)
{
	struct stat about;

	return stat(given, &about) == 0 && S_ISDIR(about.st_mode) ?
		claw_path_in(given, CLAW_COVERAGE_TRACEFILE) :
		claw_strdup(given);
}

static void read_baseline(struct claw_cmd_coverage *coverage)
{
	char error[1024];
	int ret;

	coverage->baseline_path = baseline_path(coverage->given->baseline);
	ret = claw_tracefile_read(coverage->baseline_path, &coverage->baseline,
				  error, sizeof(error));
	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_USAGE, "--baseline: %s: %s",
			 coverage->baseline_path,
			 claw_outside_why(coverage->baseline_path));
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "--baseline: %s", error);
}

void claw_cmd_coverage_check(struct claw_cmd_coverage *coverage,
			     const struct claw_coverage_given *given,
			     const char *output)
{
	coverage->given = given;
	coverage->least = claw_coverage_least_parse(given->fail_under);
	if (given->baseline)
		read_baseline(coverage);
	if (given->cobertura)
		claw_cmd_output_check_file("--cobertura", given->cobertura,
					   output);
}

void claw_cmd_coverage_need_helper(const char *verb)
{
	char *helper = claw_instrument_program();

	if (!helper)
		claw_die(CLAW_EXIT_SKIPPED, "%s: %s", verb,
			 claw_instrument_missing());
	free(helper);
}

void claw_cmd_coverage_release(struct claw_cmd_coverage *coverage)
{
	claw_coverage_release(&coverage->coverage);
	claw_code_lines_release(&coverage->baseline);
	free(coverage->baseline_path);
	coverage->baseline_path = NULL;
}

/* ---- files --------------------------------------------------------------- */

void claw_cmd_coverage_miss(struct claw_cmd_coverage *coverage,
			    const struct claw_cmd_output *output, char *why)
{
	if (!why)
		return;
	claw_warn("%s", why);
	claw_records_note(output->records, why);
	coverage->is_incomplete = true;
	free(why);
}

void claw_cmd_coverage_write(struct claw_cmd_coverage *coverage,
			     const struct claw_cmd_output *output,
			     const char *root, const char *title,
			     bool has_host)
{
	struct claw_coverage_output files = {
		.directory = output->directory, .root = root,
		.test_name = "openclaw",
		.cobertura = coverage->given->cobertura,
		.has_host = has_host,
	};
	char *path;
	int ret = claw_coverage_output_write(&coverage->coverage, &files,
					     &path);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, strerror(errno));
	if (coverage->given->html && coverage->coverage.count + has_host > 0)
		claw_cmd_coverage_miss(coverage, output,
			claw_coverage_make_page(output->directory,
						coverage->baseline_path,
						title));
}

/* ---- words --------------------------------------------------------------- */

static void say_lines(const struct claw_cmd_output *output, const char *what,
		      const char *lines, size_t count)
{
	char *text;

	text = claw_format("%zu line%s %s the baseline%s%s", count,
			   count == 1 ? "" : "s", what, count ? ":\n" : "",
			   lines);
	text[strlen(text) - (count > 0)] = '\0';
	claw_warn_lines(text);
	claw_records_note(output->records, text);
	free(text);
}

/* The tracefile that was just written has the host's sections, too; where it
 * has none at all, nothing is added. */
static void read_host(const struct claw_cmd_output *output,
		      struct claw_code_lines *host)
{
	char *path = claw_path_in(output->directory, CLAW_COVERAGE_TRACEFILE);
	char error[256];

	claw_tracefile_read(path, host, error, sizeof(error));
	free(path);
}

void claw_cmd_coverage_say_changes(const struct claw_cmd_coverage *coverage,
				   const struct claw_cmd_output *output,
				   bool has_host)
{
	struct claw_coverage_change change;
	struct claw_code_lines host = { .items = NULL };

	if (!coverage->given->baseline)
		return;
	if (has_host)
		read_host(output, &host);
	claw_coverage_compare(&coverage->coverage, &host, &coverage->baseline,
			      &change);
	claw_code_lines_release(&host);
	if (*change.files) {
		change.files[strlen(change.files) - 1] = '\0';
		claw_warn_lines(change.files);
		claw_records_note(output->records, change.files);
	}
	say_lines(output, "ran that did not in", change.covered,
		  change.covered_count);
	say_lines(output, "did not run that did in", change.uncovered,
		  change.uncovered_count);
	claw_coverage_change_release(&change);
}

static void say_table(const struct claw_coverage *coverage,
		      const struct claw_cmd_output *output, const char *root,
		      bool quiet, const char *why)
{
	char *headline = claw_coverage_headline(coverage);
	char *table = claw_coverage_table(coverage, root);

	claw_records_note(output->records, why ? why : headline);
	claw_warn("%s", headline);
	if (!quiet)
		fputs(table, stderr);
	if (why)
		claw_warn("coverage inconclusive: %s", why);
	free(headline);
	free(table);
}

static void say_gap(const struct claw_cmd_output *output, const char *gap)
{
	char *text;

	if (!gap)
		return;
	text = claw_format("coverage incomplete: %s", gap);
	claw_warn("%s", text);
	claw_records_note(output->records, text);
	free(text);
}

int claw_cmd_coverage_finish(struct claw_cmd_coverage *coverage,
			     const struct claw_cmd_output *output,
			     const char *root, const char *title, bool quiet,
			     int status, int error_exitcode)
{
	char *why = claw_coverage_why_nothing(&coverage->coverage);
	char *gap = claw_coverage_why_not_all(&coverage->coverage);
	char *little = NULL;
	bool is_unknown = why ||
		(gap && (coverage->needs_all || coverage->least >= 0));

	/* What is not known may be what is missing. */
	if (!gap)
		little = claw_coverage_too_little(&coverage->coverage,
						  coverage->least);
	claw_cmd_coverage_write(coverage, output, root, title, false);
	is_unknown |= coverage->is_incomplete;
	say_table(&coverage->coverage, output, root, quiet, why);
	say_gap(output, gap);
	claw_cmd_coverage_say_changes(coverage, output, false);
	if (little) {
		claw_records_note(output->records, little);
		claw_warn("%s", little);
	}
	if (status == CLAW_EXIT_CLEAN)
		status = little ? error_exitcode :
			is_unknown ? CLAW_EXIT_UNKNOWN : CLAW_EXIT_CLEAN;
	free(why);
	free(gap);
	free(little);
	return status;
}
