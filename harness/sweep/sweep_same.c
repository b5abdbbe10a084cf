/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fault that stays differs from one that comes once only in what it does to
 * the calls of the function that follow. Where there are none the program has
 * been given the same answers, call by call.
 */
#include "config.h"

#include "sweep_same.h"

#include <stdlib.h>
#include <string.h>

#include "harness/judge/verdict.h"

/* Is all known of the run's calls, up to its own end? */
static bool is_whole(const struct claw_judged_run *run)
{
	const struct claw_evidence *evidence = &run->evidence;
	char *gap;

	if (run->end != CLAW_JUDGED_DONE || run->unseen ||
	    (run->result.end != CLAW_END_EXIT &&
	     run->result.end != CLAW_END_SIGNAL) ||
	    run->result.stragglers_killed > 0 || evidence->count != 1 ||
	    evidence->unreadable > 0 || evidence->dropped_calls > 0 ||
	    evidence->damaged > 0)
		return false;
	gap = claw_evidence_gap(evidence);
	free(gap);
	return !gap;
}

/* Which call of its function the last rule was carried out at, from 1; 0: it
 * is not the last call of that function, or that is not known. */
static uint64_t last_failed_call(const struct claw_judged_run *run,
				 enum claw_api api)
{
	const struct claw_journal *journal = run->evidence.journals[0];
	size_t count = claw_journal_get_call_count(journal);
	uint64_t calls = 0, failed = 0;
	uint32_t thread = 0;

	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *record =
			claw_journal_get_call(journal, i);

		if (!record)
			return 0;
		if (strcmp(claw_journal_get_api_name(journal, record->api),
			   claw_api_table[api].name) != 0)
			continue;
		if (failed || (calls > 0 && record->thread != thread))
			return 0;
		thread = record->thread;
		calls++;
		if (record->rule == run->evidence.rule_count)
			failed = calls;
	}
	return failed;
}

static bool is_open(const struct claw_sweep_outcome *outcome)
{
	return !outcome->recorded && (outcome->state == CLAW_SWEEP_WAITING ||
				      outcome->state == CLAW_SWEEP_RUNNING);
}

/* Does the other one last, and is all else of it the same? */
static bool is_lasting_twin(const struct claw_sweep_point *point,
			    const struct claw_sweep_point *other)
{
	return other->kind.mode != CLAW_SWEEP_ONCE && other->of_api > 0 &&
		other->site == point->site &&
		other->at_site == point->at_site &&
		other->revealed_by == point->revealed_by &&
		other->kind.hardening == point->kind.hardening &&
		strcmp(other->kind.action, point->kind.action) == 0;
}

size_t claw_sweep_same_next(const struct claw_sweep *sweep, size_t index,
			    const struct claw_judged_run *run, size_t from)
{
	const struct claw_sweep_points *points = &sweep->points;
	const struct claw_sweep_point *point = &points->items[index];
	enum claw_api api = points->sites[point->site].api;

	if (point->kind.mode != CLAW_SWEEP_ONCE || points->choice.compound)
		return SIZE_MAX;
	for (size_t i = from; i < points->count; i++) {
		const struct claw_sweep_point *other = &points->items[i];

		if (is_open(&sweep->outcomes[i]) &&
		    is_lasting_twin(point, other) && is_whole(run) &&
		    last_failed_call(run, api) == other->of_api)
			return i;
	}
	return SIZE_MAX;
}
