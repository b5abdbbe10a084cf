/* SPDX-License-Identifier: Apache-2.0 */
/* A soak, for people: its verdict, and what that comes from. */
#include "config.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

void claw_text_soak_add(struct claw_text_soak *soak,
			const struct claw_result *result)
{
	struct claw_result *results = claw_grow(soak->results,
						soak->count + 1,
						sizeof(*results));

	soak->results = results;
	claw_result_copy(result, &results[soak->count++]);
}

void claw_text_soak_release(struct claw_text_soak *soak)
{
	for (size_t i = 0; i < soak->count; i++)
		claw_result_release(&soak->results[i]);
	free(soak->results);
	claw_report_events_release(&soak->events);
}

/* A series by its words. */
static const char *name_of(const struct claw_result *result)
{
	int series = result->name && claw_report_same(result->suite, "soak") ?
		     claw_series_find(result->name) : -1;

	if (series < 0 && claw_report_same(result->name, "end_of_run"))
		return "objects leaked at the end of a run";
	return series >= 0 ? claw_series[series].title :
	       result->name ? result->name : "";
}

/* ---- the verdict ------------------------------------------------------- */

static const struct claw_result *first_of(const struct claw_text_soak *soak,
					  char class)
{
	for (size_t i = 0; i < soak->count; i++)
		if (claw_verdict_class(soak->results[i].verdict) == class)
			return &soak->results[i];
	return NULL;
}

static const char *word_of(const struct claw_report_head *head,
			   const struct claw_text_soak *soak)
{
	if (!head->complete || head->cancelled)
		return "incomplete";
	if (first_of(soak, 'f') || head->exit_status == CLAW_EXIT_FINDINGS)
		return "findings";
	if (head->exit_status == CLAW_EXIT_SKIPPED)
		return "skipped";
	if (first_of(soak, 'u') || head->exit_status != CLAW_EXIT_CLEAN)
		return "unknown";
	return "clean";
}

static void put_verdict(FILE *out, const struct claw_report_head *head,
			const struct claw_text_soak *soak)
{
	const struct claw_result *why = first_of(soak, 'f');
	const char *word = word_of(head, soak);
	char missing[CLAW_REPORT_MISSING];

	fprintf(out, "Verdict: %s: ", word);
	if (!why)
		why = first_of(soak, 'u');
	if (claw_report_missing(head, soak->count, missing, sizeof(missing))) {
		claw_report_put(out, missing);
	} else if (why) {
		claw_report_put(out, name_of(why));
		fputs(why->message ? ": " : "", out);
		claw_report_put(out, why->message ? why->message : "");
	} else {
		fputs(strcmp(word, "clean") == 0 ? "no leak, no slowdown, no "
		      "failure" : "nothing could be judged", out);
	}
	fputc('\n', out);
}

/* ---- what it comes from ------------------------------------------------ */

static bool is_steady(const struct claw_result *result)
{
	return claw_verdict_class(result->verdict) == 'p' &&
	       claw_report_same(result->suite, "soak") && result->name &&
	       claw_series_find(result->name) >= 0;
}

/* Whether an earlier one says the same, of another series. */
static bool is_repeated(const struct claw_text_soak *soak, size_t at)
{
	const struct claw_result *one = &soak->results[at];

	for (size_t i = 0; i < at && one->message; i++)
		if (soak->results[i].verdict == one->verdict &&
		    claw_report_same(soak->results[i].suite, one->suite) &&
		    claw_report_same(soak->results[i].message, one->message))
			return true;
	return false;
}

/* What one says is said once, and of which others it is true, too. */
static void put_others(FILE *out, const struct claw_text_soak *soak, size_t at)
{
	const char *before = "      so of: ";

	for (size_t i = at + 1; i < soak->count; i++) {
		if (soak->results[i].verdict != soak->results[at].verdict ||
		    !claw_report_same(soak->results[i].suite,
				      soak->results[at].suite) ||
		    !soak->results[at].message ||
		    !claw_report_same(soak->results[i].message,
				      soak->results[at].message))
			continue;
		fputs(before, out);
		claw_report_put(out, name_of(&soak->results[i]));
		before = ", ";
	}
	if (before[0] == ',')
		fputc('\n', out);
}

static void put_results(FILE *out, const struct claw_report_head *head,
			const struct claw_text_soak *soak, const char *title,
			const char *classes)
{
	for (size_t i = 0; i < soak->count; i++) {
		const struct claw_result *one = &soak->results[i];

		if (!strchr(classes, claw_verdict_class(one->verdict)) ||
		    is_steady(one) || is_repeated(soak, i))
			continue;
		fputs(title, out);
		title = "";
		claw_text_row(out, head, name_of(one), one);
		claw_text_detail(out, head, false, one);
		put_others(out, soak, i);
	}
}

static void put_steady(FILE *out, const struct claw_report_head *head,
		       const struct claw_text_soak *soak)
{
	size_t count = 0;

	for (size_t i = 0; i < soak->count; i++)
		count += is_steady(&soak->results[i]);
	if (count == 0)
		return;
	fprintf(out, "\nSteady: %zu series%s\n", count, head->verbose ? "" :
		" (-v names them)");
	for (size_t i = 0; head->verbose && i < soak->count; i++) {
		if (!is_steady(&soak->results[i]))
			continue;
		claw_text_row(out, head, name_of(&soak->results[i]),
			      &soak->results[i]);
		claw_text_detail(out, head, false, &soak->results[i]);
	}
}

void claw_text_soak_print(FILE *out, const struct claw_report_head *head,
			  const struct claw_text_soak *soak)
{
	put_verdict(out, head, soak);
	claw_report_events_print(out, head, &soak->events);
	put_results(out, head, soak, "\nFindings:\n", "f");
	put_results(out, head, soak, "\nNot known:\n", "u");
	put_results(out, head, soak, "\nThe rest:\n", "pns");
	put_steady(out, head, soak);
}
