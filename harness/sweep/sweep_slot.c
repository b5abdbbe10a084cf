/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of one point, and what they come to. */
#include "config.h"

#include "sweep_slot.h"

#include <stdio.h>
#include <stdlib.h>

#include "faults/shared/clock.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"
#include "sweep_benign.h"
#include "sweep_look.h"

bool claw_sweep_may_begin(struct claw_sweep *sweep)
{
	if (sweep->error || sweep->cancelled)
		return false;
	if (!sweep->how->deadline_ms ||
	    claw_clock_mono_ms() < sweep->how->deadline_ms)
		return true;
	sweep->out_of_time = true;
	return false;
}

/* ---- what a run comes to ---------------------------------------------- */

/* The rules of a point as the verdict wants them; malloced. */
static struct claw_rule *parse_rules(const struct claw_sweep *sweep,
				     size_t point)
{
	size_t count = 0;
	char **texts = claw_sweep_point_rules(&sweep->points, point, &count);
	struct claw_rule *rules = claw_calloc(count, sizeof(*rules));
	struct claw_plan_error why;

	for (size_t i = 0; i < count; i++)
		claw_rule_parse(texts[i], true, &rules[i], &why);
	free(texts);
	return rules;
}

static void forgive(struct claw_sweep *sweep, size_t point,
		    struct claw_judgement *judgement)
{
	struct claw_verdict_output *output = &judgement->output;
	char *message;

	if ((output->verdict != CLAW_SWALLOWED &&
	     output->verdict != CLAW_DEGRADED) ||
	    !claw_sweep_is_benign(&sweep->how->benign, &sweep->points, point))
		return;
	message = claw_format("%s (allowed by --benign)", output->message);
	free(output->message);
	output->message = message;
	output->verdict = CLAW_HANDLED;
	sweep->outcomes[point].benign = true;
}

/* By the baseline of the look that is under way. */
static void decide(const struct claw_sweep_slot *slot,
		   const struct claw_judged_run *run,
		   struct claw_judgement *ret_judgement)
{
	struct claw_sweep *sweep = slot->sweep;
	struct claw_rule *rules = parse_rules(sweep, slot->point);

	*ret_judgement = (struct claw_judgement) { .end = CLAW_JUDGE_INFRA };
	claw_judge_decide(claw_sweep_runs_of(sweep, slot->look).baseline, run,
			  rules, ret_judgement);
	free(rules);
	if (ret_judgement->end != CLAW_JUDGE_DONE) {
		ret_judgement->output.verdict = CLAW_INFRA;
		ret_judgement->output.message =
			claw_strdup_or_null(ret_judgement->why);
	}
	forgive(sweep, slot->point, ret_judgement);
}

void claw_sweep_slot_empty(struct claw_sweep_slot *slot)
{
	slot->state = CLAW_SWEEP_SLOT_FREE;
	slot->look = CLAW_SWEEP_NO_LOOK;
	free(slot->hung);
	slot->hung = NULL;
	claw_judgement_release(&slot->judgement);
	claw_judged_release(&slot->run);
	claw_judged_release(&slot->look_run);
}

void claw_sweep_slot_give_up(struct claw_sweep_slot *slot)
{
	struct claw_sweep_outcome *outcome =
		&slot->sweep->outcomes[slot->point];

	if (outcome->state == CLAW_SWEEP_RUNNING)
		outcome->state = CLAW_SWEEP_WAITING;
	claw_sweep_slot_empty(slot);
}

/* Was it cancelled? Then it was as if nothing had been begun. */
static bool is_cancelled(struct claw_sweep_slot *slot,
			 const struct claw_judged_run *run)
{
	if (run->end != CLAW_JUDGED_CANCELLED)
		return false;
	slot->sweep->cancelled = true;
	claw_sweep_slot_give_up(slot);
	return true;
}

/* ---- second looks ----------------------------------------------------- */

static void look_ended(struct claw_judged_run *run, void *user);

/* Has the program done so far what it should? What is on record was looked at
 * then. */
static bool is_looked_at(const struct claw_sweep_slot *slot)
{
	const struct claw_sweep *sweep = slot->sweep;
	enum claw_verdict verdict = slot->judgement.output.verdict;

	return (verdict == CLAW_HANDLED || verdict == CLAW_DEGRADED) &&
		!claw_sweep_is_finding(sweep->how, verdict) &&
		!sweep->outcomes[slot->point].recorded;
}

/* The next look; where there is none, or none is wanted, the slot is ready. */
static void look_on(struct claw_sweep_slot *slot)
{
	struct claw_sweep *sweep = slot->sweep;
	struct claw_sweep_runs runs;
	size_t count = 0;
	char **rules;

	if (!is_looked_at(slot) ||
	    (size_t)slot->look + 1 == sweep->look_count) {
		slot->look = CLAW_SWEEP_NO_LOOK;
		slot->state = CLAW_SWEEP_SLOT_READY;
		return;
	}
	if (!claw_sweep_may_begin(sweep)) {
		claw_sweep_slot_give_up(slot);
		return;
	}
	rules = claw_sweep_point_rules(&sweep->points, slot->point, &count);
	runs = claw_sweep_runs_of(sweep, ++slot->look);
	claw_judged_begin(&runs.baseline->setup, slot->look_directory, rules,
			  count, runs.limit_ms, look_ended, slot,
			  &slot->look_run);
	free(rules);
}

/* Say of which run that is. */
static void name_tool(const struct claw_sweep_slot *slot,
		      struct claw_judgement *judgement)
{
	struct claw_sweep_runs runs = claw_sweep_runs_of(slot->sweep,
							 slot->look);
	const char *old = judgement->output.message;
	char *text = claw_format("under %s: %s", runs.tool->under.row->name,
				 old ? old : "");

	free(judgement->output.message);
	judgement->output.message = text;
}

/* It tells when it is worse than what is known, and when it leaves open
 * whether it would be. */
static void judge_look(struct claw_sweep_slot *slot)
{
	struct claw_sweep *sweep = slot->sweep;
	struct claw_judgement judgement;
	enum claw_verdict verdict;

	decide(slot, &slot->look_run, &judgement);
	verdict = judgement.output.verdict;
	if (claw_sweep_is_finding(sweep->how, verdict) ||
	    claw_verdict_class(verdict) == 'u') {
		name_tool(slot, &judgement);
		claw_judgement_release(&slot->judgement);
		slot->judgement = judgement;
		slot->state = CLAW_SWEEP_SLOT_READY;
		return;
	}
	claw_judgement_release(&judgement);
	claw_judged_release(&slot->look_run);
	look_on(slot);
}

static void look_ended(struct claw_judged_run *run, void *user)
{
	struct claw_sweep_slot *slot = user;

	if (!is_cancelled(slot, run))
		judge_look(slot);
	if (slot->state != CLAW_SWEEP_SLOT_RUNNING)
		slot->moved(slot->user);
}

/* ---- the first run ---------------------------------------------------- */

/* It has hung, and now it ended: which of them is as the program is? What is no
 * result either says why by itself. */
static void doubt(struct claw_sweep_slot *slot)
{
	struct claw_verdict_output *output = &slot->judgement.output;
	enum claw_verdict verdict = output->verdict;

	if (!slot->hung || claw_verdict_class(verdict) == 'u' ||
	    claw_sweep_is_finding(slot->sweep->how, verdict))
		return;
	free(output->message);
	output->message = claw_format("hung once (%s), but ended when it was run "
				      "again (%s): a race, or the machine was "
				      "too busy", slot->hung,
				      claw_verdict_name(verdict));
	output->verdict = CLAW_INCONCLUSIVE;
}

static void run_ended(struct claw_judged_run *run, void *user)
{
	struct claw_sweep_slot *slot = user;

	if (!is_cancelled(slot, run)) {
		decide(slot, run, &slot->judgement);
		slot->verdict = slot->judgement.output.verdict;
		doubt(slot);
		look_on(slot);
	}
	if (slot->state != CLAW_SWEEP_SLOT_RUNNING)
		slot->moved(slot->user);
}

static void start(struct claw_sweep_slot *slot)
{
	struct claw_sweep *sweep = slot->sweep;
	size_t count;
	char **rules = claw_sweep_point_rules(&sweep->points, slot->point,
					      &count);

	slot->state = CLAW_SWEEP_SLOT_RUNNING;
	claw_judged_begin(&sweep->baseline.setup, slot->directory, rules, count,
			  sweep->limit_ms, run_ended, slot, &slot->run);
	free(rules);
}

void claw_sweep_slot_begin(struct claw_sweep_slot *slot, size_t point)
{
	slot->point = point;
	slot->look = CLAW_SWEEP_NO_LOOK;
	slot->sweep->outcomes[point].state = CLAW_SWEEP_RUNNING;
	start(slot);
}

void claw_sweep_slot_again(struct claw_sweep_slot *slot)
{
	const char *message = slot->judgement.output.message;
	char *hung = claw_strdup(message ? message : "");

	claw_sweep_slot_empty(slot);
	slot->hung = hung;
	start(slot);
}

void claw_sweep_slot_init(struct claw_sweep_slot *slot,
			  struct claw_sweep *sweep, unsigned int number,
			  void (*moved)(void *user), void *user)
{
	const char *directory = sweep->how->judge->directory;

	*slot = (struct claw_sweep_slot) {
		.sweep = sweep, .look = CLAW_SWEEP_NO_LOOK, .moved = moved,
		.user = user,
		.directory = claw_format("%s/slot-%u", directory, number),
		.look_directory = claw_format("%s/look-%u", directory, number),
	};
}

void claw_sweep_slot_release(struct claw_sweep_slot *slot)
{
	claw_sweep_slot_empty(slot);
	claw_directory_remove(slot->directory);
	claw_directory_remove(slot->look_directory);
	free(slot->directory);
	free(slot->look_directory);
}
