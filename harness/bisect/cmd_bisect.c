/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw bisect: the commit, or driver, with which something went wrong. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bisect.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/base/words.h"
#include "harness/records/cmd_output.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"

/*
 * Times of one program, N and N, are apart by chance in 1 of (2N)!/(N!)^2 pairs:
 * 6 for two, 20 for three, 252 for five.
 */
enum { SLOWER_PERCENT = 20, SLOWER_PERCENT_MAX = 10000, SLOWER_REPEAT = 5 };
/* Statuses of git bisect run. */
enum { GIT_SKIP = 125, GIT_ABORT = 128 };

static struct {
	const char *good, *bad, *build, *finding, *slower, *resume, *output;
	struct claw_strings icds;
	uint64_t repeat, timeout_ms;
	bool is_first_parent, is_step;
} given;

static const struct claw_option bisect_options[] = {
	{ "good", 0, OPT_STRING, "REV", "a commit without the finding",
	  &given.good },
	{ "bad", 0, OPT_STRING, "REV",
	  "a later commit with the finding [default: HEAD]", &given.bad },
	{ "build", 0, OPT_STRING, "CMD",
	  "run this shell command in each commit first", &given.build },
	{ "icd", 0, OPT_STRINGS, "DRIVER",
	  "search drivers in this order, the good one first; may be repeated\n"
	  "Each is oclgrind, rusticl, NAME of a NAME.icd, an .icd file or a "
	  "library.",
	  &given.icds },
	{ "finding", 0, OPT_STRING, "TEXT",
	  "only this finding is bad: part of its text, or its fingerprint\n"
	  "Numbers in the text may differ. The fingerprint is that of "
	  "report.sarif.", &given.finding },
	{ "slower", 0, OPT_OPTIONAL, "PERCENT",
	  "search for a slowdown of at least PERCENT [default: 20]",
	  &given.slower },
	{ "repeat", 0, OPT_COUNT, "N",
	  "judge each N times, skip if answers differ [default: 1, --slower 5]\n"
	  "With --slower expected to be 5 or more.",
	  &given.repeat },
	{ "timeout", 't', OPT_DURATION, "TIME",
	  "kill a build or a run after this time and skip [default: none]",
	  &given.timeout_ms },
	{ "first-parent", 0, OPT_FLAG, NULL,
	  "follow only the first parent of merges", &given.is_first_parent },
	{ "step", 0, OPT_FLAG, NULL,
	  "judge what is checked out, with the statuses of git bisect run",
	  &given.is_step },
	{ "resume", 0, OPT_STRING, "DIR",
	  "resume an interrupted search with its saved options", &given.resume },
	CLAW_OUTPUT_OPTION("bisect", &given.output),
	{ 0 },
};

extern const struct claw_command claw_cmd_bisect;

/* ---- options ------------------------------------------------------------- */

/* What belongs to one kind of search is refused with another. */
static void check_options(void)
{
	const struct {
		const char *name;
		bool is_given;
	} commits[] = {
		{ "--good", given.good }, { "--bad", given.bad },
		{ "--build", given.build },
		{ "--first-parent", given.is_first_parent },
	};
	bool has_icds = given.icds.count > 0;

	for (size_t i = 0; has_icds && i < sizeof(commits) / sizeof(*commits); i++)
		if (commits[i].is_given)
			claw_die(CLAW_EXIT_USAGE, "bisect: %s is for commits, "
				 "--icd for drivers: choose one of them",
				 commits[i].name);
	if (given.icds.count == 1)
		claw_die(CLAW_EXIT_USAGE, "bisect: expected at least two --icd");
	if (given.finding && given.slower)
		claw_die(CLAW_EXIT_USAGE, "bisect: --finding and --slower exclude "
			 "each other");
	if (given.finding && !*given.finding)
		claw_die(CLAW_EXIT_USAGE, "bisect: --finding: expected a text");
	if (given.is_step && (given.good || given.bad || has_icds || given.slower ||
			      given.is_first_parent))
		claw_die(CLAW_EXIT_USAGE, "bisect: --step judges one commit: "
			 "--good, --bad, --icd, --slower and --first-parent are "
			 "for a search");
	if (given.slower && given.repeat && given.repeat < SLOWER_REPEAT)
		claw_die(CLAW_EXIT_USAGE, "bisect: --slower: expected a --repeat "
			 "of at least %d, found %llu: with fewer, chance "
			 "looks like a slowdown", SLOWER_REPEAT,
			 (unsigned long long)given.repeat);
	if (!given.is_step && !has_icds && !given.good)
		claw_die(CLAW_EXIT_USAGE, "bisect: expected --good, or several "
			 "--icd (see openclaw bisect --help)");
}

static uint64_t percent_of(const char *text)
{
	char *end = NULL;
	unsigned long percent = SLOWER_PERCENT;

	if (!text || !*text)
		return percent;
	percent = strtoul(text, &end, 10);
	if (*end == '%')
		end++;
	if (*text < '0' || *text > '9' || *end || percent < 1 ||
	    percent > SLOWER_PERCENT_MAX)
		claw_die(CLAW_EXIT_USAGE, "bisect: option --slower: expected 1 to "
			 "%d, found \"%s\"", SLOWER_PERCENT_MAX, text);
	return percent;
}

static void set_question(struct claw_bisect *all, char *const *command)
{
	char error[1024];

	check_options();
	if (!*command)
		claw_die(CLAW_EXIT_USAGE, "bisect: expected a command of openclaw "
			 "after --");
	if (!claw_bisect_command_fits(command, error, sizeof(error)))
		claw_die(CLAW_EXIT_USAGE, "bisect: %s", error);
	all->percent = percent_of(given.slower);
	all->question = (struct claw_bisect_question) {
		.command = command, .build = given.build,
		.finding = given.finding, .is_slower = given.slower != NULL,
		.repeat = given.repeat ? given.repeat :
			given.slower ? SLOWER_REPEAT : 1,
		.timeout_ms = given.timeout_ms,
	};
}

/* ---- one step ------------------------------------------------------------ */

static bool is_judged;

/* Whatever ends us before there is an answer (an option that is wrong, no memory)
 * must be none for git: 1 to 127 would mean bad. */
static void abort_search(void)
{
	if (is_judged)
		return;
	fflush(NULL);
	_exit(GIT_ABORT);
}

static bool asks_for_step(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--step") == 0)
			return true;
	return false;
}

static int run_step(const struct claw_bisect *all)
{
	struct claw_cmd_output output;
	struct claw_bisect_place place = { .directory = NULL };
	int signal, status;
	json_t *object;

	claw_cmd_output_directory(given.output, "bisect", false, &output);
	place.outputs = output.directory;
	object = claw_bisect_judge(&all->question, &place, &signal);
	if (!object)
		return GIT_ABORT + signal;
	printf("openclaw bisect: %s%s%s; logs and reports: %s\n",
	       claw_bisect_text(object, "answer"),
	       *claw_bisect_text(object, "why") ? ": " : "",
	       claw_bisect_text(object, "why"), output.shown);
	if (claw_bisect_is(object, "good"))
		status = CLAW_EXIT_CLEAN;
	else if (claw_bisect_is(object, "bad"))
		status = CLAW_EXIT_FINDINGS;
	else
		status = json_integer_value(json_object_get(object, "status")) ==
			CLAW_EXIT_USAGE ? GIT_ABORT : GIT_SKIP;
	is_judged = fflush(stdout) == 0;
	json_decref(object);
	claw_cmd_output_release(&output);
	return status;
}

/* ---- a search ------------------------------------------------------------ */

static json_t *head_of(int argc, char *const *argv, const char *good,
		       const char *bad)
{
	char *here = getcwd(NULL, 0);
	json_t *head, *words = json_array();

	for (int i = 0; i < argc; i++)
		if (json_array_append_new(words, json_string(argv[i])) < 0)
			claw_die(CLAW_EXIT_USAGE, "bisect: argument %d is not "
				 "UTF-8", i);
	head = claw_made(json_pack("{s:s, s:o, s:s*, s:s*}", "directory",
				   here ? here : "", "arguments", words, "good",
				   good, "bad", bad));
	free(here);
	return head;
}

static void release(struct claw_bisect *all)
{
	if (all->log)
		fclose(all->log);
	json_decref(all->known);
	claw_bisect_limits_release(&all->limits);
	claw_list_free(all->question.keys);
	free(all->old_tree);
}

static int finish(struct claw_bisect *all, int status)
{
	char *quoted;

	if (!all->signal)
		all->signal = claw_interrupt_take();
	claw_interrupt_end();
	if (all->signal) {
		quoted = claw_shell_quote(all->shown);
		claw_warn("interrupted by %s; resume: %s bisect --resume %s",
			  claw_signal_name(all->signal), claw_called(), quoted);
		free(quoted);
		status = CLAW_EXIT_UNKNOWN;
	}
	if (all->log_errno) {
		claw_warn("%s/bisect.jsonl: %s", all->shown,
			  strerror(all->log_errno));
		status = CLAW_EXIT_INFRA;
	}
	printf("%u judged, %u skipped; logs and reports: %s\n", all->judged,
	       all->skipped, all->shown);
	release(all);
	return status;
}

static int search(struct claw_bisect *all, const char *good, const char *bad)
{
	struct claw_bisect_commits commits = {
		good, bad, given.is_first_parent,
	};
	char *good_label, *bad_label;
	int status;

	claw_interrupt_begin();
	claw_interrupt_catch_writes();
	if (given.icds.count)
		return finish(all, claw_bisect_drivers_run(all, given.icds.items,
							   given.icds.count));
	good_label = claw_format("--good %s", given.good);
	bad_label = claw_format("--bad %s", given.bad ? given.bad : "HEAD");
	status = finish(all, claw_bisect_commits_run(all, &commits, good_label,
						     bad_label));
	free(good_label);
	free(bad_label);
	return status;
}

/* --output names one; it has no records by which it would be known. */
static void refuse_search(void)
{
	char *log = given.output ? claw_path_in(given.output, "bisect.jsonl") :
		NULL;

	if (log && access(log, F_OK) == 0)
		claw_die(CLAW_EXIT_USAGE, "bisect: %s holds a search; resume it "
			 "with --resume, or choose another directory",
			 given.output);
	free(log);
}

static int begin(struct claw_bisect *all, int argc, char *const *argv)
{
	const struct claw_bisect_commits commits = {
		given.good, given.bad ? given.bad : "HEAD", false,
	};
	char *good = NULL, *bad = NULL, error[4096];
	struct claw_cmd_output output;
	json_t *head;
	int status = 0;

	if (!claw_bisect_drivers_fit(given.icds.items, given.icds.count, error,
				     sizeof(error)))
		claw_die(CLAW_EXIT_USAGE, "bisect: --icd: %s", error);
	if (!given.icds.count)
		status = claw_bisect_commits_find(&commits, &good, &bad, error,
						  sizeof(error));
	if (status)
		claw_die(status, "bisect: %s", error);
	refuse_search();
	head = head_of(argc, argv, good, bad);
	claw_cmd_output_directory(given.output, "bisect", false, &output);
	all->directory = output.directory;
	all->shown = output.shown;
	if (!claw_bisect_log_new(all, head))
		claw_die(CLAW_EXIT_INFRA, "bisect: %s: %s", output.shown,
			 strerror(errno));
	status = search(all, good, bad);
	json_decref(head);
	claw_cmd_output_release(&output);
	free(good);
	free(bad);
	return status;
}

/* ---- a search that is resumed -------------------------------------------- */

/* Its arguments, NULL-terminated; the texts are head's. */
static char **arguments_of(const json_t *head, int *ret_count)
{
	const json_t *words = json_object_get(head, "arguments");
	size_t count = json_array_size(words);
	char **argv = claw_calloc(count + 1, sizeof(*argv));

	for (size_t i = 0; i < count; i++) {
		const char *word = json_string_value(json_array_get(words, i));

		argv[i] = (char *)(uintptr_t)(word ? word : "");
	}
	*ret_count = (int)count;
	return argv;
}

static int resume(struct claw_bisect *all)
{
	char error[4096], *shown = claw_strdup(given.resume), **argv;
	char *directory = realpath(shown, NULL);
	const char *here;
	int argc, first, status;
	json_t *head;

	if (!directory)
		claw_die(CLAW_EXIT_USAGE, "bisect: --resume %s: %s", shown,
			 strerror(errno));
	all->directory = directory;
	all->shown = shown;
	if (!claw_bisect_log_open(all, &head, error, sizeof(error)))
		claw_die(CLAW_EXIT_USAGE, "bisect: %s", error);
	here = claw_bisect_text(head, "directory");
	if (chdir(here) < 0)
		claw_die(CLAW_EXIT_USAGE, "bisect: %s: %s", here, strerror(errno));
	argv = arguments_of(head, &argc);
	memset(&given, 0, sizeof(given));
	first = claw_command_start(&claw_cmd_bisect, argc, argv, false);
	set_question(all, argv + first);
	status = search(all, claw_bisect_text(head, "good"),
			claw_bisect_text(head, "bad"));
	json_decref(head);
	free(argv);
	free(directory);
	free(shown);
	return status;
}

static int bisect_run(int argc, char *const *argv)
{
	struct claw_bisect all = { .known = json_object() };
	int first;

	if (asks_for_step(argc, argv))
		atexit(abort_search);
	memset(&given, 0, sizeof(given));
	first = claw_command_start(&claw_cmd_bisect, argc, argv, false);
	if (given.resume && (argc > 3 || first < argc))
		claw_die(CLAW_EXIT_USAGE, "bisect: --resume takes all other "
			 "options from DIR");
	if (given.resume)
		return resume(&all);
	set_question(&all, argv + first);
	if (given.is_step) {
		json_decref(all.known);
		return run_step(&all);
	}
	return begin(&all, argc, argv);
}

const struct claw_command claw_cmd_bisect = {
	.name = "bisect",
	.summary = "find the commit or driver with which something went wrong",
	.usage = "-- COMMAND [ARG...]",
	.description =
		"Runs a command of openclaw in commits that git bisect chooses, "
		"and reports the first one with a finding, or with a slowdown. "
		"Commits are checked out in a work tree of its own; your checkout "
		"is not touched.\n\n"
		"  openclaw bisect --good v1.0 --build make -- test t.yaml\n"
		"  openclaw bisect --good v1.0 --build make -- check -- "
		"./program\n"
		"  openclaw bisect --good v1.0 --build make --slower -- test "
		"k.clw\n"
		"  openclaw bisect --icd old.icd --icd new.icd -- test k.clw\n\n"
		"A commit that cannot be built or judged (inconclusive, killed, "
		"not installed) is skipped.\n\n"
		"Exit status: 0 the first bad one was found, 2 inconclusive (an "
		"end is not good or bad as it should be, only skipped commits "
		"are left, interrupted), "
		"64 usage error, 77 nothing could run here, 99 openclaw itself "
		"failed. With --step: 0 good, 1 bad, 125 skip, 128 and more "
		"abort.",
	.options = bisect_options,
	.run = bisect_run,
};
