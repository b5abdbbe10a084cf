/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report diff OLD NEW": two runs of a kind beside each other. Of runs
 * with a list of cases it says what "openclaw test --baseline" says.
 */
#include "config.h"

#include "cmd_report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "reports/diff/diff.h"
#include "reports/report.h"
#include "harness/records/baseline.h"
#include "harness/base/errors.h"
#include "harness/files/new_file.h"

static struct claw_new_file file;	/* of the one output, or none */

static FILE *open_output(const char *path)
{
	FILE *out = claw_new_file_begin(&file, path);

	if (!out)
		claw_die(CLAW_EXIT_INFRA, "report diff: %s: %s", path,
			 strerror(errno));
	return out;
}

static void close_output(FILE *out, const char *path)
{
	if (fflush(out) != 0 || ferror(out) ||
	    (out != stdout && claw_new_file_end(&file, true) < 0))
		claw_die(CLAW_EXIT_INFRA, "report diff: %s: %s", path,
			 strerror(errno));
}

static void read_side(struct claw_diff_side *side, const char *directory)
{
	struct claw_past_run *run = claw_cmd_report_read("diff", directory);
	int ret = claw_diff_side_init(side, run);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "report diff: %s: %s", directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
}

/* ---- each way of saying it --------------------------------------------- */

static void print_changes(FILE *out, const struct claw_past_run *old,
			  const struct claw_past_run *new)
{
	struct claw_report_head head = { 0 };
	struct claw_comparison comparison;

	claw_comparison_init(&comparison, old, new);
	head.compared_with = old->directory;
	head.compared_started = old->started;
	head.compared_text = comparison.text;
	head.changes = comparison.changes;
	head.change_count = comparison.count;
	claw_report_changes(out, &head);
	claw_comparison_release(&comparison);
}

static void print_text(const struct claw_report_words *words,
		       const json_t *diff, const struct claw_diff_side *sides)
{
	FILE *out = words->output ? open_output(words->output) : stdout;

	if (sides[1].kind != CLAW_DIFF_SOAK)
		print_changes(out, sides[0].run, sides[1].run);
	claw_diff_print(out, diff);
	close_output(out, words->output ? words->output : "standard output");
}

static void print_json(const struct claw_report_words *words,
		       const json_t *diff)
{
	const char *path = *words->json ? words->json : words->output;
	FILE *out = path ? open_output(path) : stdout;

	if (json_dumpf(diff, out, JSON_INDENT(2)) < 0)
		claw_die(CLAW_EXIT_INFRA, "report diff: %s: cannot be "
			 "written", path ? path : "standard output");
	fputc('\n', out);
	close_output(out, path ? path : "standard output");
}

static void print_page(const struct claw_report_words *words,
		       const json_t *diff, const struct claw_diff_side *sides)
{
	const char *path = words->html;
	char own[PATH_MAX];
	FILE *out;

	if (!*path) {
		if (snprintf(own, sizeof(own), "%s/diff.html",
			     sides[1].run->directory) >= (int)sizeof(own))
			claw_die(CLAW_EXIT_USAGE, "report diff: %s: %s",
				 sides[1].run->directory,
				 strerror(ENAMETOOLONG));
		path = own;
		/* Not into what a program reads. */
		fprintf(words->json ? stderr : stdout, "%s\n", path);
	}
	out = open_output(path);
	claw_diff_page(out, diff, &sides[0], &sides[1]);
	close_output(out, path);
}

static void warn_of(const struct claw_past_run *run)
{
	if (!run->complete || run->damaged > 0)
		claw_warn("report diff: %s is %s", run->directory, run->complete ?
			  "damaged" : "incomplete");
}

int claw_cmd_report_diff(const struct claw_report_words *words)
{
	struct claw_diff_side sides[2];
	json_t *diff;
	int status;

	if (words->count != 2)
		claw_die(CLAW_EXIT_USAGE, "report diff: expected OLD NEW, the "
			 "output directories of two runs, found %d",
			 words->count);
	for (size_t i = 0; i < 2; i++)
		read_side(&sides[i], words->items[i]);
	if (sides[0].kind != sides[1].kind)
		claw_die(CLAW_EXIT_USAGE, "report diff: expected two runs of "
			 "the same kind, found %s in %s and %s in %s",
			 claw_diff_kind_name(sides[0].kind), words->items[0],
			 claw_diff_kind_name(sides[1].kind), words->items[1]);
	diff = claw_diff_find(&sides[0], &sides[1]);
	if (words->html)
		print_page(words, diff, sides);
	if (words->json)
		print_json(words, diff);
	if (!words->html && !words->json)
		print_text(words, diff, sides);
	warn_of(sides[1].run);
	status = claw_diff_status(diff);
	json_decref(diff);
	for (size_t i = 0; i < 2; i++) {
		claw_past_run_free((struct claw_past_run *)(uintptr_t)
				   sides[i].run);
		claw_diff_side_release(&sides[i]);
	}
	return status;
}
