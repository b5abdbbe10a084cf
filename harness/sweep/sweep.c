/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The beginning of a sweep, and its findings in groups.
 */
#include "config.h"

#include "sweep.h"

#include <stdlib.h>

#include "harness/base/errors.h"
#include "sweep_unrun.h"
#include "harness/base/memory.h"
#include "sweep_look.h"
#include "reports/points.h"

enum { TIMEOUT_EXTRA_MS = 5000 };

bool claw_sweep_is_finding(const struct claw_sweep_how *how,
			   enum claw_verdict verdict)
{
	return claw_verdict_class(verdict) == 'f' ||
		(how->strict && verdict == CLAW_DEGRADED);
}

/* ---- groups ----------------------------------------------------------- */

/* A call that fails unheeded may be told by what is done with what it did not
 * give, or by the result alone. */
static bool is_worse(enum claw_verdict verdict, enum claw_verdict other)
{
	return verdict == CLAW_MISUSE && other != CLAW_MISUSE;
}

/* The point is the one by which its group is shown. */
static void show_point(struct claw_sweep_group *group, size_t point,
		       enum claw_verdict verdict, const char *message,
		       const char *detail)
{
	free(group->message);
	free(group->detail);
	group->first = point;
	group->verdict = verdict;
	group->message = claw_strdup(message ? message : "");
	group->detail = claw_strdup_or_null(detail);
}

struct claw_sweep_group *claw_sweep_find_group(const struct claw_sweep *sweep,
					       const char *signature)
{
	for (size_t i = 0; i < sweep->group_count; i++)
		if (claw_sweep_same_signature(sweep->groups[i].signature,
					      signature))
			return &sweep->groups[i];
	return NULL;
}

/* The group of a finding, a new one where there is none. */
static int take_group(struct claw_sweep *sweep, size_t point,
		      enum claw_verdict verdict, const char *signature,
		      const char *message, const char *detail)
{
	bool hardening = sweep->points.items[point].kind.hardening, counts;
	struct claw_sweep_group *group = claw_sweep_find_group(sweep,
							       signature);

	if (group) {
		group->count++;
		counts = group->hardening && !hardening;
		if (counts || (group->hardening == hardening &&
			       is_worse(verdict, group->verdict)))
			show_point(group, point, verdict, message, detail);
		group->hardening = group->hardening && !counts;
		return (int)(group - sweep->groups);
	}
	sweep->groups = claw_one_more(sweep->groups, sweep->group_count,
				      sizeof(*sweep->groups));
	group = &sweep->groups[sweep->group_count];
	*group = (struct claw_sweep_group) {
		.signature = claw_strdup(signature), .count = 1,
		.hardening = hardening,
	};
	show_point(group, point, verdict, message, detail);
	return (int)sweep->group_count++;
}

static void mark_site(struct claw_sweep_points *points, size_t point)
{
	size_t site = points->items[point].site;

	points->sites[points->sites[site].alike].has_finding = true;
}

void claw_sweep_know(struct claw_sweep *sweep, size_t point,
		     enum claw_verdict verdict, const char *signature,
		     const char *message, const char *detail)
{
	struct claw_sweep_outcome *outcome = &sweep->outcomes[point];

	outcome->state = CLAW_SWEEP_DONE;
	outcome->verdict = verdict;
	free(outcome->why);
	outcome->why = claw_verdict_class(verdict) == 'u' ?
		claw_strdup(message ? message : "") : NULL;
	outcome->group = signature ? take_group(sweep, point, verdict,
						signature, message, detail) :
		CLAW_SWEEP_NO_GROUP;
	if (signature)
		mark_site(&sweep->points, point);
	sweep->done++;
	sweep->counts[verdict]++;
}

void claw_sweep_know_first_run(struct claw_sweep *sweep, size_t point,
			       const char *first_run)
{
	struct claw_sweep_outcome *outcome = &sweep->outcomes[point];

	free(outcome->first_run);
	outcome->first_run = claw_strdup_or_null(first_run);
}

size_t claw_sweep_counted_groups(const struct claw_sweep *sweep)
{
	size_t count = 0;

	for (size_t g = 0; g < sweep->group_count; g++)
		count += !sweep->groups[g].hardening;
	return count;
}

uint64_t claw_sweep_counted(const struct claw_sweep *sweep,
			    enum claw_verdict verdict)
{
	uint64_t count = 0;

	for (size_t i = 0; i < sweep->points.count; i++)
		count += sweep->outcomes[i].state == CLAW_SWEEP_DONE &&
			sweep->outcomes[i].verdict == verdict &&
			!sweep->points.items[i].kind.hardening;
	return count;
}

int claw_sweep_fail(struct claw_sweep *sweep, int error)
{
	if (error < 0 && sweep->error == 0)
		sweep->error = error;
	return error;
}

/* ---- the whole -------------------------------------------------------- */

void claw_sweep_make_room(struct claw_sweep *sweep)
{
	while (sweep->outcome_count < sweep->points.count) {
		sweep->outcomes = claw_one_more(sweep->outcomes,
						sweep->outcome_count,
						sizeof(*sweep->outcomes));
		sweep->outcomes[sweep->outcome_count++] =
			(struct claw_sweep_outcome) {
				.group = CLAW_SWEEP_NO_GROUP,
				.look = CLAW_SWEEP_NO_LOOK,
			};
	}
}

static void choose_shard(struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->points.count; i++) {
		if (claw_shard_has(&sweep->how->shard, "sweep",
				   sweep->points.items[i].name, "native"))
			continue;
		sweep->outcomes[i].state = CLAW_SWEEP_ELSEWHERE;
		sweep->elsewhere++;
	}
}

uint64_t claw_sweep_limit_ms(const struct claw_judge_baseline *baseline)
{
	const struct claw_judged_run *runs = baseline->runs;
	uint64_t slower_us = runs[0].result.duration_us >
		runs[1].result.duration_us ? runs[0].result.duration_us :
		runs[1].result.duration_us;

	return slower_us / 100 + TIMEOUT_EXTRA_MS;
}

/* What the runs without faults have executed, where they tell. */
static void look_at_gcov(struct claw_sweep *sweep)
{
	const struct claw_judge *judge = sweep->how->judge;
	const struct claw_code_lines *lines;

	if (!judge->gcov)
		return;
	claw_gcov_begin(judge->gcov, judge->runner, &sweep->gcov_why);
	lines = claw_gcov_lines(judge->gcov);
	if (lines)
		claw_sweep_unrun(lines, &sweep->points, &sweep->unrun,
				 &sweep->unrun_elsewhere);
}

int claw_sweep_begin(const struct claw_sweep_how *how,
		     struct claw_sweep *ret_sweep,
		     struct claw_judgement *ret_judgement)
{
	struct claw_sweep *sweep = ret_sweep;
	int ret;

	*sweep = (struct claw_sweep) { .how = how };
	if (claw_judge_begin(how->judge, &sweep->baseline, ret_judgement) < 0)
		return -1;
	sweep->limit_ms = how->timeout_ms ? how->timeout_ms :
		claw_sweep_limit_ms(&sweep->baseline);
	ret = claw_leak_scan(sweep->baseline.runs[0].session, &sweep->leaks);
	if (ret < 0) {
		ret_judgement->end = CLAW_JUDGE_INFRA;
		ret_judgement->why = claw_strdup(claw_error_text(ret));
		return -1;
	}
	claw_sweep_points_find(&how->choice, &sweep->baseline.runs[0].evidence,
			       how->judge->symbolizer, &sweep->points);
	claw_sweep_make_room(sweep);
	look_at_gcov(sweep);
	if (how->needs_gcov && !sweep->unrun) {
		ret_judgement->end = CLAW_JUDGE_UNKNOWN;
		ret_judgement->why = claw_strdup(sweep->gcov_why ?
			sweep->gcov_why : "--gcov: the program left no gcov "
			"data; build it with gcc --coverage");
		return -1;
	}
	sweep->first_count = sweep->points.count;
	choose_shard(sweep);
	return claw_sweep_looks_begin(sweep, ret_judgement);
}

void claw_sweep_release(struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->group_count; i++) {
		free(sweep->groups[i].signature);
		free(sweep->groups[i].message);
		free(sweep->groups[i].detail);
		free(sweep->groups[i].again);
		free(sweep->groups[i].not_again);
	}
	free(sweep->groups);
	for (size_t i = 0; i < sweep->outcome_count; i++) {
		free(sweep->outcomes[i].first_run);
		free(sweep->outcomes[i].why);
	}
	free(sweep->outcomes);
	free(sweep->why);
	free(sweep->unrun);
	free(sweep->unrun_elsewhere);
	free(sweep->gcov_why);
	claw_sweep_points_release(&sweep->points);
	claw_leak_scan_release(&sweep->leaks);
	claw_sweep_looks_release(sweep);
	if (sweep->how)
		claw_judge_end(&sweep->baseline);
	*sweep = (struct claw_sweep) { .how = NULL };
}
