/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw crash-analyze": what went wrong in a captured process, in the
 * words of a report.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "reports/report.h"
#include "harness/crash/facts/crash_input.h"
#include "crash_report.h"
#include "harness/readers/dwfl_offline.h"
#include "harness/base/errors.h"
#include "harness/base/options.h"
#include "harness/files/outside_file.h"
#include "harness/base/text_clean.h"

enum { CALLS_SHOWN = 20, DMESG_MAX_BYTES = 64 << 20 };

static bool json_wanted, contents_wanted, deep_wanted;
static const char *calls, *dmesg;
static struct claw_strings symbols;

static const struct claw_option crash_analyze_options[] = {
	{ "deep", 0, OPT_FLAG, NULL,
	  "replay the calls under oclgrind and report the first invalid access",
	  &deep_wanted },
	{ "calls", 'n', OPT_STRING, "N",
	  "show the last N calls, or all [default: 20]", &calls },
	{ "contents", 0, OPT_FLAG, NULL,
	  "only list the contents of the dump and mark personal data",
	  &contents_wanted },
	{ "dmesg", 0, OPT_STRING, "FILE",
	  "also read the kernel log of that machine, - for standard input",
	  &dmesg },
	{ "symbols", 0, OPT_STRINGS, "DIR",
	  "search here for the program's files and symbols; may be repeated\n"
	  "Symbols are debug information, which is then looked up at "
	  "DEBUGINFOD_URLS.", &symbols },
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &json_wanted },
	{ 0 },
};

static int crash_analyze_run(int argc, char *const *argv);

const struct claw_command claw_cmd_crash_analyze = {
	.name = "crash-analyze",
	.summary = "find the likely cause of a crash in a dump",
	.usage = "FILE",
	.description =
		"Reads a dump of \"openclaw capture\"; runs nothing from it. "
		"Reports the kind and place of the fault, the diagnosis and "
		"its confidence, the likely causes with their evidence, the "
		"last calls, the live objects, and what to do next. Facts "
		"that OpenCL does not expose read \"not available\".\n\n"
		"  openclaw crash-analyze crashes/latest.dmp\n"
		"  openclaw crash-analyze --deep --dmesg dmesg.txt "
		"latest.dmp\n"
		"  openclaw-crash-analyze latest.dmp",
	.options = crash_analyze_options,
	.run = crash_analyze_run,
};

static uint32_t parse_calls(void)
{
	char *end;
	unsigned long number;

	if (!calls)
		return CALLS_SHOWN;
	if (strcmp(calls, "all") == 0)
		return UINT32_MAX;
	errno = 0;
	number = strtoul(calls, &end, 10);
	if (errno || end == calls || *end || *calls == '-' ||
	    number >= UINT32_MAX)
		claw_die(CLAW_EXIT_USAGE, "crash-analyze: option --calls: "
			 "expected a number or all, found \"%s\"", calls);
	return (uint32_t)number;
}

static void choose_symbols(void)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	for (size_t i = 0; i < symbols.count; i++)
		if (access(symbols.items[i], R_OK | X_OK) < 0)
			claw_die(CLAW_EXIT_USAGE, "crash-analyze: --symbols "
				 "%s: %s", symbols.items[i], strerror(errno));
	claw_dwfl_set_search(symbols.items, symbols.count,
			     servers && *servers);
}

static _Noreturn void die_of_input(const char *path, int error)
{
	int status;
	char *text = claw_crash_input_refusal("crash-analyze", path, error,
					      &status);

	claw_die(status, "%s", text);
}

static struct claw_dump *read_dump(const char *path)
{
	struct claw_dump *dump;
	int ret = claw_dump_read(path, NULL, &dump);

	if (ret < 0)
		die_of_input(path, ret);
	return dump;
}

/* The dump's lines, and the file's behind them; malloced. */
static char *join_dmesg(const struct claw_dump *dump)
{
	char *text = NULL, *log = NULL;
	size_t size, log_size = 0;
	int ret = claw_outside_read(dmesg, CLAW_OUTSIDE_GIVEN,
				    CLAW_OUTSIDE_TEXT_MAX, &log, &log_size);
	FILE *out = claw_text_begin(&text, &size);

	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "crash-analyze: --dmesg %s: %s",
			 dmesg, claw_outside_why(dmesg));
	if (dump->dmesg)
		fprintf(out, "%s\n", dump->dmesg);
	/* Texts end at a NUL. */
	for (size_t i = 0; i < log_size && i < DMESG_MAX_BYTES; i++)
		fputc(log[i] ? log[i] : ' ', out);
	free(log);
	claw_text_end(out);
	return text;
}

/* Names in it are the dump's: nothing of them may reach a terminal as it
 * is. */
static void print_clean(const char *text, size_t size)
{
	char *clean = claw_text_clean(text, size);

	claw_report_lines(stdout, "", clean, SIZE_MAX);
	free(clean);
}

static void print_text(struct claw_crash_view *view)
{
	char *text = NULL;
	size_t size;

	view->out = claw_text_begin(&text, &size);
	if (contents_wanted)
		claw_crash_print_contents(view);
	else
		claw_crash_print(view);
	claw_text_end(view->out);
	print_clean(text, size);
	free(text);
}

static void print_json(const struct claw_crash_view *view)
{
	json_t *value = contents_wanted ? claw_crash_contents_json(view) :
		claw_crash_json(view);

	if (!value)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	json_dumpf(value, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(value);
}

static void look_deep(const struct claw_crash_view *view,
		      struct claw_crash_deep *deep)
{
	int ret = claw_crash_deep_look(view->dump, view->path, view->crash,
				       deep);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "--deep: %s", ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
}

static int analyse(const struct claw_dump *dump, const char *path)
{
	struct claw_crash crash;
	struct claw_crash_facts facts;
	struct claw_crash_deep deep = { .argument = -1 };
	struct claw_crash_view view = {
		.path = path, .dump = dump, .crash = &crash, .facts = &facts,
		.calls = parse_calls(),
	};
	int status;

	claw_crash_find(dump, &crash);
	claw_crash_facts_gather(dump, &facts);
	if (deep_wanted) {
		look_deep(&view, &deep);
		view.deep = &deep;
	}
	if (json_wanted)
		print_json(&view);
	else
		print_text(&view);
	status = (contents_wanted ? dump->whole :
		  claw_crash_is_answered(&view)) ?
		CLAW_EXIT_CLEAN : CLAW_EXIT_UNKNOWN;
	claw_crash_deep_release(&deep);
	claw_crash_facts_release(&facts);
	claw_crash_release(&crash);
	return status;
}

static int crash_analyze_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_crash_analyze, argc, argv,
				       false);
	struct claw_dump *dump, with_log;
	char *log = NULL;
	int status;

	if (first >= argc)
		claw_die(CLAW_EXIT_USAGE, "crash-analyze: expected a dump, "
			 "found none (see openclaw crash-analyze --help)");
	if (first + 1 < argc)
		claw_die(CLAW_EXIT_USAGE, "crash-analyze: one dump at a time; "
			 "found \"%s\", too", argv[first + 1]);
	if (deep_wanted && contents_wanted)
		claw_die(CLAW_EXIT_USAGE, "crash-analyze: --deep and "
			 "--contents exclude each other");
	parse_calls();
	choose_symbols();
	dump = read_dump(argv[first]);
	with_log = *dump;
	if (dmesg) {
		log = join_dmesg(dump);
		with_log.dmesg = log;
		with_log.dmesg_size = strlen(log);
	}
	status = analyse(&with_log, argv[first]);
	free(log);
	claw_dump_free(dump);
	return status;
}
