/* SPDX-License-Identifier: Apache-2.0 */
/* What a person sees of a soak: a line while it runs, and its end. */
#include "config.h"

#include "soak.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/session/called.h"
#include "harness/session/icd_names.h"
#include "harness/base/memory.h"
#include "reports/report.h"

enum { LOG_LINE_MS = 10 * 60 * 1000, SCREEN_LINE_MS = 500 };

/* "24:00:00" */
static void put_time(char *text, size_t size, uint64_t ms)
{
	uint64_t seconds = ms / 1000;

	snprintf(text, size, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
		 seconds / 3600, seconds / 60 % 60, seconds % 60);
}

void claw_soak_progress_clear(struct claw_soak *soak)
{
	if (!soak->progress.is_shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	soak->progress.is_shown = false;
}

static void put_value(const struct claw_soak *soak, enum claw_series_id id,
		      const char *words)
{
	char text[64];

	if (!soak->samples || isnan(soak->sample.values[id]))
		return;
	claw_series_print(text, sizeof(text), claw_series[id].unit,
			  soak->sample.values[id]);
	fprintf(stderr, words, text);
}

static void put_progress(const struct claw_soak *soak)
{
	uint64_t duration = soak->config->duration_ms;
	uint64_t iterations = claw_soak_iterations(soak);
	char elapsed[32], left[32];

	put_time(elapsed, sizeof(elapsed), soak->t_ms);
	fputs(elapsed, stderr);
	if (duration) {
		put_time(left, sizeof(left), duration > soak->t_ms ?
			 duration - soak->t_ms : 0);
		fprintf(stderr, ", %s left", left);
	}
	fprintf(stderr, ", %" PRIu64, iterations);
	if (soak->config->iterations)
		fprintf(stderr, " of %" PRIu64, soak->config->iterations);
	fprintf(stderr, " iteration%s", iterations == 1 ? "" : "s");
	put_value(soak, CLAW_SERIES_ITERATION_RATE, " (%s)");
	put_value(soak, CLAW_SERIES_DEVICE_BYTES, ", %s alive");
	fprintf(stderr, ", %" PRIu64 " event%s", soak->events,
		soak->events == 1 ? "" : "s");
}

void claw_soak_progress(struct claw_soak *soak)
{
	bool terminal = isatty(STDERR_FILENO);

	if (soak->t_ms < soak->progress.ms + (terminal ? SCREEN_LINE_MS :
					      LOG_LINE_MS))
		return;
	soak->progress.ms = soak->t_ms;
	claw_soak_progress_clear(soak);
	put_progress(soak);
	if (!terminal)
		fputc('\n', stderr);
	soak->progress.is_shown = terminal;
	fflush(stderr);
}

/* ---- the end ----------------------------------------------------------- */

static void say_paste(const char *line)
{
	if (line)
		printf("    reproduce: %s\n", line);
}

static void put_text(const char *text)
{
	claw_report_put(stdout, text);
}

static void say_signature(const struct claw_soak *soak,
			  const struct claw_soak_signature *signature)
{
	char *quoted, *full, *icd;

	printf("%s, %" PRIu64 " time%s%s: ", signature->kind, signature->count,
	       signature->count == 1 ? "" : "s", signature->injected ==
	       signature->count ? ", as a fault asks for" : "");
	put_text(signature->text ? signature->text : signature->signature);
	putchar('\n');
	if (!signature->path)
		return;
	full = claw_format("%s/%s", soak->shown_directory, signature->path);
	quoted = claw_shell_quote(full);
	icd = claw_icd_option();
	if (claw_soak_is_dump(signature->path))
		printf("    next: %s crash-analyze %s\n"
		       "    reproduce: %s repro %s%s\n",
		       claw_called(), quoted, claw_called(), quoted, icd);
	else
		printf("    next: less %s\n", quoted);
	free(icd);
	free(quoted);
	free(full);
}

/* because: NULL: only findings of their own. */
static bool is_said(const struct claw_soak *soak,
		    const struct claw_soak_series_verdict *one,
		    enum claw_soak_finding finding, const char *because)
{
	return one->finding == finding && claw_soak_is_judged(soak, one) &&
		claw_report_same(one->because, because);
}

/* Have both of them the same to say? */
static bool is_alike(const struct claw_soak *soak,
		     const struct claw_soak_series_verdict *one,
		     const struct claw_soak_series_verdict *other)
{
	return is_said(soak, other, one->finding, one->because) &&
		strcmp(one->why, other->why) == 0;
}

static bool is_repeated(const struct claw_soak *soak,
			const struct claw_soak_verdict *verdict, int at)
{
	for (int i = 0; i < at; i++)
		if (is_alike(soak, &verdict->series[at], &verdict->series[i]))
			return true;
	return false;
}

/* Series with the same to say are one line. */
static void say_series(const struct claw_soak *soak,
		       const struct claw_soak_verdict *verdict,
		       enum claw_soak_finding finding, const char *because,
		       const char *word)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		const struct claw_soak_series_verdict *one =
			&verdict->series[i];

		if (!is_said(soak, one, finding, because) ||
		    is_repeated(soak, verdict, i))
			continue;
		printf("%s: %s", word, claw_series[i].title);
		for (int j = i + 1; j < CLAW_SERIES_COUNT; j++)
			if (is_alike(soak, one, &verdict->series[j]))
				printf(", %s", claw_series[j].title);
		printf(": %s\n", one->why);
		for (int j = i; !because && j < CLAW_SERIES_COUNT; j++)
			if (is_alike(soak, one, &verdict->series[j]))
				say_series(soak, verdict, CLAW_SOAK_LEAK,
					   claw_series[j].title,
					   "    also grows");
	}
}

static void say_site(const struct claw_soak *soak,
		     const struct claw_soak_verdict *verdict,
		     const struct claw_soak_site_verdict *site)
{
	char slope[64];
	bool has_bytes = site->bytes.slope > 0;

	claw_series_print(slope, sizeof(slope), has_bytes ? CLAW_UNIT_BYTES :
			  CLAW_UNIT_COUNT, has_bytes ? site->bytes.slope :
			  site->objects.slope);
	fputs("leak: created at ", stdout);
	put_text(site->place ? site->place : "an unknown call site");
	printf(": %s%s an hour, %" PRIu64 " alive at the end\n    site: ",
	       slope, has_bytes ? "" : " objects", site->last_objects);
	put_text(site->site);
	putchar('\n');
	say_series(soak, verdict, CLAW_SOAK_LEAK, site->site,
		   "    also grows");
}

static void say_ends(const struct claw_soak *soak,
		     const struct claw_soak_verdict *verdict)
{
	char why[CLAW_SOAK_TEXT];

	for (size_t i = 0; i < soak->leaks.count; i++) {
		const struct claw_soak_leak *leak = &soak->leaks.items[i];
		char *text;

		if (claw_soak_is_growing(verdict, leak->site))
			continue;
		text = claw_soak_leak_text(leak, soak->runs);
		fputs("leak: ", stdout);
		put_text(text ? text : leak->text);
		fputs("\n    site: ", stdout);
		put_text(leak->site);
		putchar('\n');
		free(text);
	}
	if (claw_soak_ends_verdict(soak, why, sizeof(why)) == CLAW_UNKNOWN) {
		fputs("unknown: ", stdout);
		put_text(why);
		putchar('\n');
	}
}

static void say_findings(const struct claw_soak *soak,
			 const struct claw_soak_verdict *verdict)
{
	uint64_t wrong = claw_sampler_get_totals(soak->sampler)->wrong_results;
	bool leaks = soak->leaks.count || verdict->worst == CLAW_SOAK_LEAK ||
		verdict->worst == CLAW_SOAK_SLOWDOWN;

	if (wrong)
		printf("wrong result: in %" PRIu64 " of %" PRIu64
		       " iterations\n", wrong, claw_soak_iterations(soak));
	for (size_t i = 0; i < verdict->site_count; i++)
		say_site(soak, verdict, &verdict->sites[i]);
	say_ends(soak, verdict);
	say_series(soak, verdict, CLAW_SOAK_LEAK, NULL, "leak");
	say_series(soak, verdict, CLAW_SOAK_SLOWDOWN, NULL, "slowdown");
	say_series(soak, verdict, CLAW_SOAK_UNKNOWN, NULL, "unknown");
	if (leaks || wrong)
		say_paste(soak->again);
}

static void say_head(const struct claw_soak *soak)
{
	uint64_t iterations = claw_soak_iterations(soak);
	uint64_t wanted = soak->config->iterations;
	char text[64];

	printf("Workload: ");
	put_text(soak->workload->name);
	put_time(text, sizeof(text), soak->end_ms);
	printf("\nElapsed: %s\nIterations: %" PRIu64, text, iterations);
	if (!iterations && soak->workload->kind == CLAW_SOAK_PROGRAM)
		fputs(" (unknown: the program did not exit successfully and "
		      "does not call CLAW_ITERATION)", stdout);
	else if (wanted && iterations > wanted)
		printf(" (%" PRIu64 " requested; the program counts its own "
		       "and ran on until the next sample)", wanted);
	putchar('\n');
	if (soak->runs > 1)
		printf("Starts: %" PRIu64 "\n", soak->runs);
	if (soak->workload->shape)
		printf("Output shape: %s\n", soak->workload->shape);
	claw_series_print(text, sizeof(text), CLAW_UNIT_BYTES,
			  claw_soak_peak(soak));
	printf("Peak device memory: %s\n", text);
	printf("Samples: %" PRIu64 ", events: %" PRIu64 "\n", soak->samples,
	       soak->events);
}

void claw_soak_say(const struct claw_soak *soak,
		   const struct claw_soak_verdict *verdict,
		   const struct claw_soak_summary *summary)
{
	char *resume = NULL;

	printf("Verdict: %s: ", summary->word);
	put_text(summary->text);
	putchar('\n');
	say_head(soak);
	for (size_t i = 0; i < soak->signature_count; i++)
		say_signature(soak, &soak->signatures[i]);
	if (soak->handshake)
		say_findings(soak, verdict);
	for (size_t i = 0; i < soak->plan->rules.count; i++)
		printf("fault %s: fired %" PRIu64 " of %" PRIu64 " matches "
		       "(INJECTED)\n", soak->plan->given[i],
		       soak->rule_fired[i], soak->rule_matched[i]);
	printf("Results: %s\n", soak->shown_directory);
	if (strcmp(summary->word, "incomplete") == 0 ||
	    soak->end == CLAW_SOAK_CANCELLED)
		resume = claw_soak_resume_line(soak);
	if (resume)
		printf("resume: %s\n", resume);
	free(resume);
	fflush(stdout);
}
