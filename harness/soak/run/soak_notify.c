/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is told while a soak goes on: the command of --notify, at the first
 * finding and at the end, the file of --metrics, and the report for scripts.
 */
#include "config.h"

#include "soak.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/soak/monitor/metrics_file.h"
#include "harness/base/words.h"
#include "reports/write/report_files.h"

enum { NOTIFY_MS = 30 * 1000, NOTIFY_BYTES = 4096, REPORT_PART = 100 };

/* ---- the command ------------------------------------------------------- */

struct notice {
	char *verdict, *directory, *text;
	char *argv[4], *environment[4];
};

static void release(struct notice *notice)
{
	free(notice->verdict);
	free(notice->directory);
	free(notice->text);
}

static bool fill(struct notice *notice, const struct claw_soak *soak,
		 const char *verdict, const char *text)
{
	*notice = (struct notice){
		.argv = { (char *)"/bin/sh", (char *)"-c",
			  (char *)soak->config->notify, NULL },
	};
	notice->verdict = claw_format("OPENCLAW_VERDICT=%s", verdict);
	notice->directory = claw_format("OPENCLAW_DIR=%s", soak->directory);
	notice->text = claw_format("OPENCLAW_TEXT=%s", text);
	notice->environment[0] = notice->verdict;
	notice->environment[1] = notice->directory;
	notice->environment[2] = notice->text;
	return notice->verdict && notice->directory && notice->text;
}

static struct claw_run_spec spec_of(struct notice *notice)
{
	return (struct claw_run_spec){
		.argv = notice->argv, .set_env = notice->environment,
		.timeout_ms = NOTIFY_MS, .head_bytes = NOTIFY_BYTES,
		.tail_bytes = NOTIFY_BYTES,
	};
}

/* "" : it did what it should. */
static void say_failure(const struct claw_run_result *result, char *text,
			size_t size)
{
	*text = '\0';
	if (result->end == CLAW_END_EXIT && result->code != 0)
		snprintf(text, size, "the command of --notify exited with "
			 "status %d", result->code);
	else if (result->end == CLAW_END_SIGNAL)
		snprintf(text, size, "the --notify command was killed by %s",
			 claw_signal_name(result->code));
	else if (result->end == CLAW_END_TIMEOUT)
		snprintf(text, size, "the --notify command did not exit "
			 "within %d s", NOTIFY_MS / 1000);
	else if (result->end != CLAW_END_EXIT)
		snprintf(text, size, "the --notify command was not run");
}

struct told {
	struct notice notice;
	struct claw_soak *soak;
};

static void done(struct claw_run_result *result, void *user)
{
	struct told *told = user;
	char text[128];

	say_failure(result, text, sizeof(text));
	if (*text)
		claw_soak_note(told->soak, "note", NULL, "%s", text);
	release(&told->notice);
	free(told);
}

void claw_soak_notify(struct claw_soak *soak, const char *verdict,
		      const char *text)
{
	struct claw_run_spec spec;
	struct told *told;

	if (!soak->config->notify || soak->notified || !soak->runner)
		return;
	soak->notified = true;
	told = claw_calloc(1, sizeof(*told));
	told->soak = soak;
	spec = spec_of(&told->notice);
	if (!fill(&told->notice, soak, verdict, text)) {
		release(&told->notice);
		free(told);
		return;
	}
	claw_runner_add(soak->runner, &spec, done, told);
}

void claw_soak_notify_end(struct claw_soak *soak, const char *verdict,
			  const char *text)
{
	struct claw_run_result result;
	struct notice notice;
	char why[128];

	if (!soak->config->notify)
		return;
	if (fill(&notice, soak, verdict, text)) {
		struct claw_run_spec spec = spec_of(&notice);

		if (claw_run_once(&spec, &result) >= 0) {
			say_failure(&result, why, sizeof(why));
			if (*why)
				claw_records_note(soak->records, why);
			claw_run_result_release(&result);
		}
	}
	release(&notice);
}

/* ---- the file ---------------------------------------------------------- */

/* As metrics_file.h has it. */
static const char *metrics_verdict(const struct claw_soak *soak,
				   const char *word)
{
	if (strcmp(word, "findings") == 0)
		return soak->worst == CLAW_SOAK_LEAK ? "leak" :
			soak->worst == CLAW_SOAK_SLOWDOWN ? "slowdown" :
			"failed";
	return strcmp(word, "running") == 0 || strcmp(word, "clean") == 0 ?
		word : "unknown";
}

void claw_soak_metrics(struct claw_soak *soak, const char *verdict)
{
	struct claw_metrics_event events[CLAW_SOAK_TALLIES];
	const struct claw_metrics_label label = {
		.name = "workload", .value = soak->workload->name,
	};
	const struct claw_metrics metrics = {
		.sample = soak->samples ? &soak->sample : NULL,
		.labels = &label, .label_count = 1,
		.events = events, .event_count = soak->tally_count,
		.verdict = metrics_verdict(soak, verdict),
	};

	if (!soak->config->metrics)
		return;
	for (size_t i = 0; i < soak->tally_count; i++)
		events[i] = (struct claw_metrics_event){
			.kind = soak->tallies[i].kind,
			.code = *soak->tallies[i].code ?
				soak->tallies[i].code : NULL,
			.injected = soak->tallies[i].injected,
			.count = soak->tallies[i].count,
		};
	if (claw_metrics_write(soak->config->metrics, &metrics) == 0) {
		soak->metrics_failed = false;
	} else if (!soak->metrics_failed) {
		soak->metrics_failed = true;
		claw_soak_note(soak, "note", NULL, "--metrics: %s: %s",
			       soak->config->metrics, strerror(errno));
	}
}

/* ---- the report for scripts -------------------------------------------- */

void claw_soak_report(struct claw_soak *soak)
{
	const struct claw_report_head head = { .verb = "run" };
	uint64_t began_ms = soak->t_ms;
	int ret;

	if (soak->t_ms < soak->report_ms)
		return;
	ret = claw_report_write_path(soak->directory, claw_report_find("soak"),
				     soak->config->report, &head);
	claw_soak_tick(soak);
	soak->report_ms = soak->t_ms + (soak->t_ms - began_ms) * REPORT_PART;
	if (ret < 0 && !soak->report_failed)
		claw_soak_note(soak, "note", NULL, "%s: %s",
			       soak->config->report, strerror(errno));
	soak->report_failed = ret < 0;
}
