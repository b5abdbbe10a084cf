/* SPDX-License-Identifier: Apache-2.0 */
/* What a merged run has of its parts besides their results. */
#include "config.h"

#include "report_merge.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/report.h"
#include "harness/records/baseline.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

char *claw_merge_open(const struct claw_report_words *words)
{
	char error[PATH_MAX + 256], *directory, *records;
	int ret;

	if (words->is_open) {
		/* They have no end. */
		records = claw_path_in(words->output, "records.jsonl");
		unlink(records);
		free(records);
		return claw_strdup(words->output);
	}
	ret = claw_output_open(words->output, "merge", words->force,
			       &directory, error, sizeof(error));
	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	return directory;
}

static bool is_known_fact(struct claw_past_run *const *runs, size_t run,
			  size_t fact)
{
	const struct claw_past_fact *one = &runs[run]->facts[fact];

	for (size_t i = 0; i <= run; i++)
		for (size_t j = 0; j < runs[i]->fact_count &&
		     (i < run || j < fact); j++) {
			const struct claw_past_fact *other =
				&runs[i]->facts[j];

			if (claw_report_same(one->configuration,
					     other->configuration) &&
			    claw_report_same(one->key, other->key) &&
			    claw_report_same(one->value, other->value))
				return true;
		}
	return false;
}

void claw_merge_facts(struct claw_records *records,
		      struct claw_past_run *const *runs, size_t run_count)
{
	for (size_t i = 0; i < run_count; i++)
		for (size_t j = 0; j < runs[i]->fact_count; j++) {
			const struct claw_past_fact *fact =
				&runs[i]->facts[j];

			/* The whole is no shard. */
			if (is_known_fact(runs, i, j) ||
			    claw_report_same(fact->key, CLAW_FACT_SHARD))
				continue;
			claw_records_environment(records,
						 fact->configuration,
						 fact->key, fact->value);
		}
}

static bool is_known_note(struct claw_past_run *const *runs, size_t run,
			  const char *note)
{
	for (size_t i = 0; i < run; i++)
		for (size_t j = 0; j < runs[i]->note_count; j++)
			if (strcmp(runs[i]->notes[j], note) == 0)
				return true;
	return false;
}

/* What a sweep says of its points ("9 points: ...") and findings ("finding 1: ...")
 * is of that part: the whole has others. That one did not reproduce stays. */
static bool is_of_part(const char *note)
{
	int points = 0, findings = 0;

	sscanf(note, "%*u point%n", &points);
	sscanf(note, "finding %*u: %n", &findings);
	return points > 0 ||
	       (findings > 0 && !strstr(note, "; did not reproduce: "));
}

void claw_merge_notes(struct claw_records *records,
		      struct claw_past_run *const *runs, size_t run_count)
{
	for (size_t i = 0; i < run_count; i++)
		for (size_t j = 0; j < runs[i]->note_count; j++)
			if (!is_of_part(runs[i]->notes[j]) &&
			    !is_known_note(runs, i, runs[i]->notes[j]))
				claw_records_note(records, runs[i]->notes[j]);
}

int claw_merge_status(struct claw_past_run *const *runs, size_t run_count,
		      const uint64_t *counts, uint64_t results, bool incomplete)
{
	uint64_t bad = 0, unknown = 0, skipped = 0;

	for (int i = 0; i < CLAW_VERDICT_COUNT; i++) {
		char class = claw_verdict_class((enum claw_verdict)i);

		bad += class == 'f' ? counts[i] : 0;
		unknown += class == 'u' ? counts[i] : 0;
		skipped += class == 's' ? counts[i] : 0;
	}
	for (size_t i = 0; i < run_count; i++)
		incomplete |= runs[i]->damaged > 0;
	if (incomplete)
		return CLAW_EXIT_UNKNOWN;
	if (counts[CLAW_INFRA] > 0)
		return CLAW_EXIT_INFRA;
	if (bad > 0)
		return CLAW_EXIT_FINDINGS;
	if (unknown > 0)
		return CLAW_EXIT_UNKNOWN;
	return skipped > 0 && skipped == results ? CLAW_EXIT_SKIPPED :
	       CLAW_EXIT_CLEAN;
}
