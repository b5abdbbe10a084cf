/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw history: what changed over many runs. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/files/new_file.h"
#include "harness/session/user_config.h"
#include "history.h"
#include "history_page.h"
#include "history_tell.h"

enum { DAY = 86400 };

static struct {
	const char *file, *since, *name, *device, *before, *page;
	bool is_json;
} given;

static const struct claw_option history_options[] = {
	{ "history", 0, OPT_STRING, "FILE",
	  "the SQLite file [default: OPENCLAW_HISTORY, openclaw.db]",
	  &given.file },
	{ "since", 0, OPT_STRING, "TIME",
	  "only results since YYYY-MM-DD, or of so many days, as 30d",
	  &given.since },
	{ "case", 0, OPT_STRING, "PATTERN",
	  "only cases whose SUITE/NAME or NAME is like this", &given.name },
	{ "device", 0, OPT_STRING, "PATTERN",
	  "only devices whose name is like this", &given.device },
	{ "html", 0, OPT_STRING, "FILE",
	  "write a page with plots as well",
	  &given.page },
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &given.is_json },
	{ "before", 0, OPT_STRING, "TIME",
	  "of prune: remove the runs before this time", &given.before },
	{ 0 },
};

extern const struct claw_command claw_cmd_history;

/* "2026-11-28" or "30d": seconds since 1970. */
static int64_t time_of(const char *option, const char *text)
{
	struct tm when = { 0 };
	char *end = strptime(text, "%Y-%m-%d", &when);
	unsigned long days;

	if (end && !*end)
		return (int64_t)timegm(&when);
	errno = 0;
	days = strtoul(text, &end, 10);
	if (errno || end == text || strcmp(end, "d") != 0 || *text == '-' ||
	    days > 100000)
		claw_die(CLAW_EXIT_USAGE, "history: option %s: expected "
			 "YYYY-MM-DD or a number of days as 30d, found \"%s\"",
			 option, text);
	return (int64_t)time(NULL) - (int64_t)days * DAY;
}

static char *find_history(void)
{
	struct claw_user_config config;
	char error[1024], *found;

	if (given.file)
		return claw_strdup(given.file);
	if (claw_user_config_read(&config, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	found = claw_history_find(getenv(CLAW_HISTORY_VARIABLE), &config);
	claw_user_config_release(&config);
	return found ? found : claw_strdup(CLAW_HISTORY_FILE);
}

static int status_of(int ret)
{
	return ret == -CLAW_E_IO || ret == -CLAW_E_LOCKED ? CLAW_EXIT_INFRA :
		CLAW_EXIT_USAGE;
}

static struct claw_history *open_history(bool is_new)
{
	struct claw_history *history;
	char error[4096], *path = find_history();
	int ret = claw_history_open(path, is_new, &history, error,
				    sizeof(error));

	if (ret < 0)
		claw_die(status_of(ret), "history: %s%s", error,
			 ret == -CLAW_E_NOT_FOUND ?
			 "; openclaw history import DIR makes one" : "");
	free(path);
	return history;
}

/* ---- import, prune ----------------------------------------------------------- */

static void settle(struct claw_history *history)
{
	char error[4096];

	if (claw_history_settle(history, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_INFRA, "history: %s", error);
}

static int import(int count, char *const *directories)
{
	struct claw_history *history;
	unsigned int added = 0, known = 0, failed = 0, merged = 0;

	if (count < 1)
		claw_die(CLAW_EXIT_USAGE, "history: import: expected the output "
			 "directories of runs");
	history = open_history(true);
	claw_history_bulk(history);
	for (int i = 0; i < count; i++) {
		char error[4096];
		bool is_new;
		int ret = claw_history_add(history, directories[i], &is_new,
					   error, sizeof(error));

		if (ret == -CLAW_E_LOCKED || ret == -CLAW_E_IO)
			claw_die(CLAW_EXIT_INFRA, "history: %s", error);
		if (ret < 0) {
			fprintf(stderr, "openclaw: history: %s\n", error);
			failed++;
		} else if (ret > 0) {
			merged++;
		} else {
			added += is_new;
			known += !is_new;
		}
	}
	settle(history);
	printf("%u run%s added, %u already there, %u could not be read", added,
	       added == 1 ? "" : "s", known, failed);
	if (merged)
		printf(", %u merged of others left out", merged);
	putchar('\n');
	claw_history_close(history);
	return failed ? CLAW_EXIT_USAGE : CLAW_EXIT_CLEAN;
}

static int prune(int count)
{
	struct claw_history *history;
	char error[4096];
	uint64_t removed;

	if (count || !given.before)
		claw_die(CLAW_EXIT_USAGE, "history: prune: expected --before, "
			 "and nothing else");
	history = open_history(false);
	if (claw_history_prune(history, time_of("--before", given.before),
			       &removed, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_INFRA, "history: %s", error);
	printf("%" PRIu64 " run%s removed, %" PRIu64 " left\n", removed,
	       removed == 1 ? "" : "s", claw_history_runs(history));
	claw_history_close(history);
	return CLAW_EXIT_CLEAN;
}

/* ---- what changed ---------------------------------------------------------------- */

static void write_page(struct claw_history *history,
		       const struct claw_history_query *query)
{
	struct claw_new_file file;
	char error[4096];
	FILE *out = claw_new_file_begin(&file, given.page);

	if (!out)
		claw_die(CLAW_EXIT_USAGE, "history: --html: %s: %s", given.page,
			 strerror(errno));
	if (claw_history_page(history, query, out, error, sizeof(error)) < 0) {
		claw_new_file_end(&file, false);
		claw_die(CLAW_EXIT_INFRA, "history: %s", error);
	}
	if (claw_new_file_end(&file, true) < 0)
		claw_die(CLAW_EXIT_INFRA, "history: --html: %s: %s", given.page,
			 strerror(errno));
}

static int tell(int count)
{
	const struct claw_history_form *form = given.is_json ?
		&claw_history_json : &claw_history_say;
	struct claw_history_answer answer = { .known = 0 };
	const struct claw_history_query query = {
		.since = given.since ? time_of("--since", given.since) :
			INT64_MIN,
		.name = given.name, .device = given.device,
	};
	struct claw_history *history;
	char error[4096];
	uint64_t runs;

	if (count)
		claw_die(CLAW_EXIT_USAGE, "history: expected import, prune or "
			 "nothing (see openclaw history --help)");
	if (given.before)
		claw_die(CLAW_EXIT_USAGE, "history: option --before: expected "
			 "prune as well");
	history = open_history(false);
	runs = claw_history_runs(history);
	if (given.page)
		write_page(history, &query);
	form->begin(&answer);
	if (claw_history_each(history, &query, form->series, &answer, error,
			      sizeof(error)) < 0 ||
	    claw_history_each_finding(history, &query, form->finding, &answer,
				      error, sizeof(error)) < 0 ||
	    claw_history_each_coverage(history, &query, form->coverage,
				       &answer, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_INFRA, "history: %s", error);
	form->end(&answer, runs);
	claw_history_close(history);
	return runs && answer.known ? CLAW_EXIT_CLEAN : CLAW_EXIT_UNKNOWN;
}

static int history_run(int argc, char *const *argv)
{
	int first, last;
	const char *verb;

	memset(&given, 0, sizeof(given));
	first = claw_command_start(&claw_cmd_history, argc, argv, false);
	last = argc - first;
	verb = last > 0 ? argv[first] : "";
	if (strcmp(verb, "import") == 0)
		return import(last - 1, argv + first + 1);
	if (strcmp(verb, "prune") == 0)
		return prune(last - 1);
	return tell(last);
}

const struct claw_command claw_cmd_history = {
	.name = "history",
	.summary = "tell what changed over many runs",
	.usage = "[import DIR... | prune --before TIME]",
	.description =
		"Tells which cases fail since when, which failures came back, "
		"which cases are flaky and how often, which became slower and "
		"with which commit or driver, when each finding was seen first "
		"and last, and how much of the kernels was covered.\n\n"
		"  openclaw history import openclaw-out/*/\n"
		"  openclaw history --since 30d --case 'bounds/*'\n\n"
		"Runs go into the file of their --history, of OPENCLAW_HISTORY or "
		"of \"history:\" in openclaw.yaml, else into openclaw.db if it "
		"exists (beside openclaw.yaml, or in the working "
		"directory).\n\n"
		"Exit status: 0, 2 no run is like what was asked for, 64 usage "
		"error or no history, 99 the file is locked, or openclaw itself "
		"failed.",
	.options = history_options,
	.run = history_run,
};
