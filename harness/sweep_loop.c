/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keep some runs going. They end in any order, but are judged in the order of
 * their points, and what a run shows comes next: so that the same points come
 * of it however many run at a time.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "errors.h"
#include "sweep.h"
#include "sweep_benign.h"
#include "sweep_signature.h"

enum {
	TICK_MS = 100,
	FAILURES_MAX = 3,	/* of the harness, before it gives up */
	SLOTS_A_JOB = 4,	/* runs that have ended and wait for their turn */
};

/* A place for one run at a time. */
struct slot {
	struct loop *loop;
	char *directory;
	struct claw_judged_run run;
	size_t point;
	enum { SLOT_FREE, SLOT_RUNNING, SLOT_READY } state;
};

struct loop {
	struct claw_sweep *sweep;
	struct slot *slots;
	unsigned int slot_count, running;
	unsigned int failures;	/* of the harness, one after the other */
	bool turning;		/* turn() is at work */
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static int fail(struct claw_sweep *sweep, int error)
{
	if (error < 0 && sweep->error == 0)
		sweep->error = error;
	return error;
}

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* ---- one run ---------------------------------------------------------- */

/* The rules of a point as the verdict wants them; malloced. */
static struct claw_rule *parse_rules(const struct claw_sweep *sweep,
				     size_t point, size_t *ret_count)
{
	char **texts = claw_sweep_point_rules(&sweep->points, point, ret_count);
	struct claw_rule *rules = texts ? calloc(*ret_count, sizeof(*rules)) :
		NULL;
	struct claw_plan_error why;

	for (size_t i = 0; rules && i < *ret_count; i++)
		claw_rule_parse(texts[i], true, &rules[i], &why);
	free(texts);
	return rules;
}

static void forgive(struct claw_sweep *sweep, size_t point,
		    struct claw_judgement *judgement)
{
	struct claw_verdict_output *output = &judgement->output;
	char *message = NULL;

	if ((output->verdict != CLAW_SWALLOWED &&
	     output->verdict != CLAW_DEGRADED) ||
	    !claw_sweep_is_benign(&sweep->how->benign, &sweep->points, point))
		return;
	if (asprintf(&message, "%s (allowed by --benign)",
		     output->message) < 0)
		return;
	free(output->message);
	output->message = message;
	output->verdict = CLAW_HANDLED;
	sweep->outcomes[point].benign = true;
}

/* Error paths that worked are looked into further. */
static bool is_explored(enum claw_verdict verdict)
{
	return verdict == CLAW_HANDLED || verdict == CLAW_DEGRADED ||
		verdict == CLAW_LEAK;
}

static int tell(struct claw_sweep *sweep, struct slot *slot,
		struct claw_judgement *judgement)
{
	struct claw_sweep_news news = {
		.point = slot->point, .run = &slot->run,
		.judgement = judgement, .revealed_from = sweep->points.count,
	};
	enum claw_verdict verdict = judgement->output.verdict;
	size_t groups = sweep->group_count;
	char *signature = NULL;
	int ret = 0;

	if (sweep->outcomes[slot->point].recorded) {
		sweep->outcomes[slot->point].state = CLAW_SWEEP_DONE;
		news.recorded = true;
	} else if (claw_sweep_is_finding(sweep->how, verdict)) {
		signature = claw_sweep_signature(&sweep->points, slot->point,
						 &slot->run, &sweep->leaks,
						 judgement);
		ret = signature ? 0 : -CLAW_E_NO_MEMORY;
	}
	if (ret == 0 && !news.recorded)
		ret = claw_sweep_know(sweep, slot->point, verdict, signature,
				      judgement->output.message,
				      judgement->output.detail);
	news.signature = signature;
	news.new_group = sweep->group_count > groups;
	if (ret == 0 && is_explored(verdict)) {
		ret = claw_sweep_points_reveal(&sweep->points, slot->point,
					       &slot->run.evidence,
					       sweep->how->judge->symbolizer);
		if (ret == 0)
			ret = claw_sweep_make_room(sweep);
	}
	if (ret == 0)
		ret = sweep->how->ended(sweep, &news, sweep->how->user);
	free(signature);
	return ret;
}

/* A run that could not be made is a point about which nothing is known. */
static void note_infra(struct loop *loop, struct claw_judgement *judgement)
{
	struct claw_sweep *sweep = loop->sweep;

	if (judgement->end != CLAW_JUDGE_DONE) {
		judgement->output.verdict = CLAW_INFRA;
		judgement->output.message = copy(judgement->why);
	}
	if (judgement->output.verdict != CLAW_INFRA) {
		loop->failures = 0;
		return;
	}
	free(sweep->why);
	sweep->why = copy(judgement->output.message);
	if (++loop->failures == FAILURES_MAX)
		fail(sweep, -CLAW_E_IO);
}

/* Judge the run that has ended in the slot, which is free then. */
static void judge_slot(struct loop *loop, struct slot *slot)
{
	struct claw_sweep *sweep = loop->sweep;
	struct claw_judgement judgement = { .end = CLAW_JUDGE_INFRA };
	size_t count = 0;
	struct claw_rule *rules = parse_rules(sweep, slot->point, &count);

	slot->state = SLOT_FREE;
	if (!rules) {
		fail(sweep, -CLAW_E_NO_MEMORY);
		return;
	}
	claw_judge_decide(&sweep->baseline, &slot->run, rules, &judgement);
	free(rules);
	note_infra(loop, &judgement);
	forgive(sweep, slot->point, &judgement);
	if (judgement.output.verdict == CLAW_NOT_REACHED &&
	    claw_sweep_point_turn(&sweep->points.items[slot->point]))
		sweep->outcomes[slot->point].state = CLAW_SWEEP_WAITING;
	else
		fail(sweep, tell(sweep, slot, &judgement));
	claw_judgement_release(&judgement);
	claw_judged_release(&slot->run);
}

/* ---- whose turn it is ------------------------------------------------- */

/* The first point in such a state, or SIZE_MAX: what faults have shown comes
 * first, nobody has ever run it. */
static size_t first_point(const struct claw_sweep *sweep,
			  bool (*is_it)(enum claw_sweep_state state))
{
	for (size_t i = sweep->first_count; i < sweep->points.count; i++)
		if (is_it(sweep->outcomes[i].state))
			return i;
	for (size_t i = 0; i < sweep->first_count; i++)
		if (is_it(sweep->outcomes[i].state))
			return i;
	return SIZE_MAX;
}

static bool is_waiting(enum claw_sweep_state state)
{
	return state == CLAW_SWEEP_WAITING;
}

static bool is_open(enum claw_sweep_state state)
{
	return state == CLAW_SWEEP_WAITING || state == CLAW_SWEEP_RUNNING;
}

static bool may_begin(struct claw_sweep *sweep)
{
	if (sweep->error || sweep->cancelled)
		return false;
	if (!sweep->how->deadline_ms || now_ms() < sweep->how->deadline_ms)
		return true;
	sweep->out_of_time = true;
	return false;
}

/* The slot with the run that is to be judged next, or NULL: it has not ended.
 * When nothing begins any more, any that has. */
static struct slot *next_ready(struct loop *loop)
{
	struct claw_sweep *sweep = loop->sweep;
	bool any = sweep->cancelled || sweep->out_of_time;
	size_t point = first_point(sweep, is_open);

	if (sweep->error)
		return NULL;
	for (unsigned int i = 0; i < loop->slot_count; i++)
		if (loop->slots[i].state == SLOT_READY &&
		    (any || loop->slots[i].point == point))
			return &loop->slots[i];
	return NULL;
}

/* A slot for the point; the last one is kept for the point that all wait
 * for. */
static struct slot *find_slot(struct loop *loop, size_t point)
{
	struct slot *found = NULL;
	unsigned int count = 0;

	for (unsigned int i = 0; i < loop->slot_count; i++) {
		if (loop->slots[i].state != SLOT_FREE)
			continue;
		found = &loop->slots[i];
		count++;
	}
	return count > 1 || point == first_point(loop->sweep, is_open) ?
		found : NULL;
}

static void run_ended(struct claw_judged_run *run, void *user);

/* Begin the next run if there may be one more; false: not now. */
static bool begin_next(struct loop *loop)
{
	struct claw_sweep *sweep = loop->sweep;
	size_t point = first_point(sweep, is_waiting), count;
	struct slot *slot = point == SIZE_MAX ? NULL : find_slot(loop, point);
	char **rules;

	if (!slot || loop->running == sweep->how->jobs || !may_begin(sweep))
		return false;
	rules = claw_sweep_point_rules(&sweep->points, point, &count);
	if (!rules) {
		fail(sweep, -CLAW_E_NO_MEMORY);
		return false;
	}
	slot->point = point;
	slot->state = SLOT_RUNNING;
	loop->running++;
	sweep->outcomes[point].state = CLAW_SWEEP_RUNNING;
	claw_judged_begin(&sweep->baseline.setup, slot->directory, rules, count,
			  sweep->limit_ms, run_ended, slot, &slot->run);
	free(rules);
	return true;
}

/* Judge what can be judged, begin what can begin. */
static void turn(struct loop *loop)
{
	struct slot *slot;
	bool more = true;

	if (loop->turning)
		return;
	loop->turning = true;
	while (more) {
		more = begin_next(loop);
		slot = next_ready(loop);
		if (slot)
			judge_slot(loop, slot);
		more = more || slot;
	}
	loop->turning = false;
}

static void run_ended(struct claw_judged_run *run, void *user)
{
	struct slot *slot = user;
	struct loop *loop = slot->loop;

	loop->running--;
	slot->state = SLOT_READY;
	if (run->end == CLAW_JUDGED_CANCELLED) {
		loop->sweep->cancelled = true;
		loop->sweep->outcomes[slot->point].state = CLAW_SWEEP_WAITING;
		slot->state = SLOT_FREE;
		claw_judged_release(run);
	}
	turn(loop);
}

/* ---- the whole -------------------------------------------------------- */

static int make_slots(struct loop *loop)
{
	const struct claw_sweep_how *how = loop->sweep->how;

	loop->slot_count = how->jobs > 1 ? how->jobs * SLOTS_A_JOB : 1;
	loop->slots = calloc(loop->slot_count, sizeof(*loop->slots));
	if (!loop->slots)
		return -CLAW_E_NO_MEMORY;
	for (unsigned int i = 0; i < loop->slot_count; i++) {
		struct slot *slot = &loop->slots[i];

		slot->loop = loop;
		if (asprintf(&slot->directory, "%s/slot-%u",
			     how->judge->directory, i + 1) < 0) {
			slot->directory = NULL;
			return -CLAW_E_NO_MEMORY;
		}
	}
	return 0;
}

static void free_slots(struct loop *loop)
{
	for (unsigned int i = 0; loop->slots && i < loop->slot_count; i++) {
		struct slot *slot = &loop->slots[i];

		claw_judged_release(&slot->run);
		if (slot->directory)
			claw_directory_remove(slot->directory);
		free(slot->directory);
	}
	free(loop->slots);
}

int claw_sweep_run(struct claw_sweep *sweep)
{
	struct claw_runner *runner = sweep->how->judge->runner;
	struct loop loop = { .sweep = sweep };

	if (fail(sweep, make_slots(&loop)) == 0) {
		if (sweep->how->tick)
			claw_runner_set_tick(runner, TICK_MS, sweep->how->tick,
					     sweep->how->user);
		turn(&loop);
		if (claw_runner_run(runner) != 0)
			sweep->cancelled = true;
		turn(&loop);
		claw_runner_set_tick(runner, 0, NULL, NULL);
	}
	free_slots(&loop);
	return sweep->error;
}
