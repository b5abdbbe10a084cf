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
#include "harness/base/name_index.h"
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

/* Is the text new? */
static bool is_first(struct claw_name_index *index, const char *text)
{
	size_t number;
	bool is_new = !claw_name_index_find(index, text, &number);

	if (is_new)
		claw_name_index_add(index, text, 0);
	return is_new;
}

static void put_fact(struct claw_records *records,
		     struct claw_name_index *known,
		     const struct claw_past_fact *fact)
{
	const char *configuration = fact->configuration;
	char *text = claw_format("%s\n%s\n%s",
				 configuration ? configuration : "",
				 fact->key ? fact->key : "",
				 fact->value ? fact->value : "");

	/* The whole is no shard, and its plan is its own. */
	if (is_first(known, text) &&
	    !claw_report_same(fact->key, CLAW_FACT_SHARD) &&
	    !claw_report_same(fact->key, CLAW_FACT_PLAN))
		claw_records_environment(records, configuration, fact->key,
					 fact->value);
	free(text);
}

void claw_merge_facts(struct claw_records *records,
		      struct claw_past_run *const *runs, size_t run_count)
{
	struct claw_name_index known = { NULL };

	for (size_t i = 0; i < run_count; i++)
		for (size_t j = 0; j < runs[i]->fact_count; j++)
			put_fact(records, &known, &runs[i]->facts[j]);
	claw_name_index_clear(&known);
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
		      struct claw_past_run *const *runs, size_t run_count,
		      const char *note)
{
	struct claw_name_index known = { NULL };

	for (size_t i = 0; i < run_count; i++)
		for (size_t j = 0; j < runs[i]->note_count; j++)
			if (!is_of_part(runs[i]->notes[j]) &&
			    is_first(&known, runs[i]->notes[j]))
				claw_records_note(records, runs[i]->notes[j]);
	if (note)
		claw_records_note(records, note);
	claw_name_index_clear(&known);
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
