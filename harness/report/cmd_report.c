/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report": make a report again from the records of a run, of several
 * runs (cmd_report_merge.c), or of what changed between two
 * (cmd_report_diff.c).
 */
#include "config.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/html/html_svg.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "cmd_report.h"
#include "harness/base/errors.h"
#include "faults/shared/nearest.h"
#include "harness/files/new_file.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "reports/write/report_files.h"

static struct {
	const char *format, *output, *source_root, *html, *svg, *json;
	bool durations, verbose, force;
} given;

static const struct claw_option report_options[] = {
	{ "format", 'f', OPT_STRING, "NAME",
	  "report format, see Formats [default: text]", &given.format },
	{ "html", 0, OPT_OPTIONAL, "FILE", "write the HTML report to FILE [default: DIR/report.html; diff: NEW/diff.html]", &given.html },
	{ "json", 0, OPT_OPTIONAL, "FILE", "diff: write JSON to FILE [default: stdout]", &given.json },
	{ "svg", 0, OPT_STRING, "OUTDIR", "write each chart as an SVG file to OUTDIR", &given.svg },
	{ "output", 'o', OPT_STRING, "FILE", "write the report to FILE; "
	  "merge: the run to a directory [default: stdout]", &given.output },
	{ "force", 0, OPT_FLAG, NULL, "merge: overwrite the DIR of a soak or of an interrupted run", &given.force },
	{ "follow", 0, OPT_FLAG, NULL, "merge: wait for a run started with --on and repeat lost pieces", NULL },
	{ "durations", 0, OPT_FLAG, NULL, "print the duration of each case (text)", &given.durations },
	{ "verbose", 'v', OPT_FLAG, NULL, "also print the output of passing cases (text)", &given.verbose },
	CLAW_SOURCE_ROOT_OPTION(&given.source_root),
	CLAW_SOURCE_URL_OPTION,
	{ NULL, 0, OPT_END, NULL, NULL, NULL },
};

static const struct claw_report_format *find_format(const char *name)
{
	const struct claw_report_format *format = claw_report_find(name);
	struct claw_nearest nearest;
	char known[256] = "";
	size_t length = 0;

	if (format)
		return format;
	claw_nearest_init(&nearest, name);
	for (size_t i = 0; claw_report_rows[i].name; i++) {
		claw_nearest_offer(&nearest, claw_report_rows[i].name);
		if (length < sizeof(known))
			length += (size_t)snprintf(known + length,
				sizeof(known) - length, "%s%s", i ? ", " : "",
				claw_report_rows[i].name);
	}
	claw_die(CLAW_EXIT_USAGE, "report: option --format: expected one of %s, "
		 "found \"%s\"%s%s%s", known, name,
		 nearest.best ? " (did you mean " : "",
		 nearest.best ? nearest.best : "", nearest.best ? "?)" : "");
}

static bool has_records(const char *directory)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/records.jsonl", directory) <
		(int)sizeof(path) && access(path, F_OK) == 0;
}

/* The directory beside a soak's FILE.json, FILE.d; NULL: none. */
static char *find_beside(const char *file)
{
	size_t length = strlen(file);
	char *beside;

	if (length < 5 || strcmp(file + length - 5, ".json") != 0)
		return NULL;
	beside = claw_format("%.*s.d", (int)length - 5, file);
	if (has_records(beside))
		return beside;
	free(beside);
	return NULL;
}

/* A directory without records: perhaps a soak's are in one below it. */
static void die_without_records(const char *directory)
{
	char pattern[PATH_MAX];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.d/records.jsonl", directory);
	if (glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1)
		claw_die(CLAW_EXIT_USAGE, "%s has no records.jsonl, did you "
			 "mean %s?", directory, dirname(found.gl_pathv[0]));
	claw_die(CLAW_EXIT_USAGE, "%s/records.jsonl: %s", directory,
		 strerror(ENOENT));
}

/* DIR, or the records file in it, or the JSON file of a soak beside it. */
static char *find_directory(const char *operand)
{
	static const char file[] = "/records.jsonl";
	size_t length = strlen(operand), tail = sizeof(file) - 1;
	struct stat about;

	if (length > tail && strcmp(operand + length - tail, file) == 0)
		return claw_strndup(operand, length - tail);
	if (stat(operand, &about) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s: %s", operand, strerror(errno));
	if (S_ISDIR(about.st_mode) && !has_records(operand))
		die_without_records(operand);
	if (S_ISDIR(about.st_mode))
		return claw_strdup(operand);
	char *beside = find_beside(operand);

	if (!beside)
		claw_die(CLAW_EXIT_USAGE, "%s: expected the output "
			 "directory of a run, found a file",
			 operand);
	return beside;
}

static void die_unread(const char *directory, int error)
{
	bool is_usage = errno == ENOENT || errno == EINVAL;
	char path[PATH_MAX + sizeof("/records.jsonl")];

	switch (error) {
	case -CLAW_E_IO:
		snprintf(path, sizeof(path), "%s/records.jsonl", directory);
		claw_die(is_usage ? CLAW_EXIT_USAGE : CLAW_EXIT_INFRA, "%s: %s",
			 path, claw_outside_why(path));
	case -CLAW_E_DAMAGED:
		claw_die(CLAW_EXIT_UNKNOWN, "%s/records.jsonl: no readable "
			 "run found", directory);
	case -CLAW_E_VERSION:
		claw_die(CLAW_EXIT_UNKNOWN, "%s/records.jsonl: %s", directory,
			 claw_error_text(error));
	default:
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 claw_error_text(error));
	}
}

struct claw_past_run *claw_cmd_report_read(const char *word,
					   const char *directory)
{
	struct claw_past_run *run = NULL;
	char error[PATH_MAX + 256];
	int ret = claw_past_run_read(directory, &run, error, sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 ret == -CLAW_E_DAMAGED || ret == -CLAW_E_VERSION ?
			 CLAW_EXIT_UNKNOWN : CLAW_EXIT_INFRA, "report %s: "
			 "expected the output directory of a run; %s", word,
			 error);
	return run;
}

extern const struct claw_command claw_cmd_report;

static int run_word(const char *word, int argc, char *const *argv, int first)
{
	struct claw_report_words words = {
		.count = argc - first, .items = argv + first,
		.output = given.output, .source_root = given.source_root,
		.html = given.html, .json = given.json,
		.force = given.force, .argc = argc, .argv = argv,
	};

	return strcmp(word, "merge") == 0 ? claw_cmd_report_merge(&words) :
	       claw_cmd_report_diff(&words);
}

/* --html is a format and where to write it. */
static void choose_html(const char *directory)
{
	static char path[PATH_MAX];

	if (!given.html)
		return;
	if (given.output || (given.format && strcmp(given.format, "html") != 0))
		claw_die(CLAW_EXIT_USAGE, "--html is a format and a file: "
			 "--%s cannot be given, too",
			 given.output ? "output" : "format");
	given.format = "html";
	given.output = given.html;
	if (*given.html)
		return;
	if (snprintf(path, sizeof(path), "%s/report.html", directory) >=
	    (int)sizeof(path))
		claw_die(CLAW_EXIT_USAGE, "%s: %s", directory,
			 strerror(ENAMETOOLONG));
	given.output = path;
	printf("%s\n", path);
}

static void write_svg(const char *directory)
{
	bool is_output;
	int ret = given.svg ? claw_html_svg(directory, given.svg, stdout,
					    &is_output) : 0;

	if (ret < 0 && is_output)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", given.svg,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	if (ret < 0)
		die_unread(directory, ret);
}

/* Where the links of a report lead from; NULL: from here. */
static char *find_link_base(const char *directory)
{
	return given.output ? claw_report_link_base(given.output, directory) :
			      NULL;
}

static int report_run(int argc, char *const *argv)
{
	const struct claw_report_format *format;
	struct claw_report_head options = { 0 }, head = { 0 };
	struct claw_new_file file = { .out = NULL };
	FILE *out = stdout;
	char *directory, *link_base;
	int first, ret;

	memset(&given, 0, sizeof(given));
	first = claw_command_start(&claw_cmd_report, argc, argv, false);
	given.source_root = claw_report_source_root(given.source_root);
	if (first < argc && (strcmp(argv[first], "merge") == 0 ||
			     strcmp(argv[first], "diff") == 0))
		return run_word(argv[first], argc, argv, first + 1);
	if (given.json)
		claw_die(CLAW_EXIT_USAGE, "--json is for report diff; of one "
			 "run --format json");
	if (argc - first != 1)
		claw_die(CLAW_EXIT_USAGE, "report: expected one output directory "
			 "of a run (openclaw-out/latest is the newest), found "
			 "%d operands", argc - first);
	if (given.format)
		find_format(given.format);	/* or the end */
	directory = find_directory(argv[first]);
	choose_html(directory);
	format = find_format(given.format ? given.format : "text");
	write_svg(directory);
	options.source_root = given.source_root;
	options.durations = given.durations;
	options.verbose = given.verbose;
	options.color = !given.output && claw_color_enabled(STDOUT_FILENO);
	/* Plots alone: nothing else was asked for. */
	if (given.svg && !given.format && !given.output)
		out = fopen("/dev/null", "we");
	else if (given.output)
		out = claw_new_file_begin(&file, given.output);
	if (!out)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", given.output,
			 strerror(errno));
	options.link_base = link_base = find_link_base(directory);
	ret = claw_report_write(directory, format, out, &options, &head);
	if (ret == -CLAW_E_IO && ferror(out))
		claw_die(CLAW_EXIT_INFRA, "%s: %s", given.output ?
			 given.output : "stdout", strerror(errno));
	free(link_base);
	if (out != stdout && (file.out ? claw_new_file_end(&file, ret == 0) :
			      fclose(out)) != 0 && ret == 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", given.output,
			 strerror(errno));
	if (ret < 0)
		die_unread(directory, ret);
	if (!head.complete && head.segment_count > 0)
		claw_warn("%s is incomplete: %" PRIu64 " sample%s and no end",
			  directory, head.sample_count,
			  head.sample_count == 1 ? "" : "s");
	else if (!head.complete)
		claw_warn("%s is incomplete: %" PRIu64 " of %" PRIu64
			  " results and no end", directory, head.result_count,
			  head.planned);
	else if (head.damaged_lines > 0)
		claw_warn("%s is damaged: %" PRIu64 " lines are ignored",
			  directory, head.damaged_lines);
	free(directory);
	return head.complete && !head.cancelled && head.damaged_lines == 0 ?
	       CLAW_EXIT_CLEAN : CLAW_EXIT_UNKNOWN;
}

const struct claw_command claw_cmd_report = {
	.name = "report",
	.summary = "write reports from the records of a run",
	.usage = "DIR | merge DIR... | diff OLD NEW",
	.description =
		"Writes reports from DIR/records.jsonl, at any time after the "
		"run. \"merge\" combines the parts of one run (test --shard, "
		"segments of a soak); \"diff\" compares two runs of the same "
		"kind (tests, sweeps, checks; soaks; profiles).\n\nFormats:"
#define REPORT(id_, name_) " " name_
#define REPORT_FILE(id_, name_, ...) " " name_
#define REPORT_OPTION REPORT_FILE
#include "harness/records/report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT
		".\n\n"
		"Exit status: 0 the report is complete, 2 the run is "
		"incomplete or records are damaged, 64 usage error, 99 the "
		"report could not be written. merge: that of the whole run, 2 "
		"if a planned case has no result or a segment is missing. "
		"diff: 1 if something got worse (a case newly fails; a soak "
		"newly leaks, slows down, crashes or fails), 2 if "
		"inconclusive.",
	.options = report_options,
	.reads_config = true,
	.run = report_run,
};
