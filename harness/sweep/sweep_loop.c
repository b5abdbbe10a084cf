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

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "sweep.h"
#include "sweep_known.h"
#include "sweep_look.h"
#include "sweep_same.h"
#include "sweep_slot.h"

enum {
	TICK_MS = 100,
	FAILURES_MAX = 3,	/* of the harness, before it gives up */
	SLOTS_A_JOB = 4,	/* runs that have ended and wait for their turn */
};

struct loop {
	struct claw_sweep *sweep;
	struct claw_sweep_slot *slots;
	unsigned int slot_count;
	unsigned int failures;	/* of the harness, one after the other */
	bool turning;		/* turn() is at work */
};

/* ---- one run ---------------------------------------------------------- */

/* Error paths that worked are looked into further. */
static bool is_explored(enum claw_verdict verdict)
{
	return verdict == CLAW_HANDLED || verdict == CLAW_DEGRADED ||
		verdict == CLAW_LEAK;
}

/* Lines that the fault has led to. What was ended leaves no data of gcov, and
 * without a fault there is nothing to tell. */
static void keep_first_run(struct claw_sweep *sweep,
			   const struct claw_sweep_slot *slot)
{
	bool ended = slot->verdict == CLAW_CRASH || slot->verdict == CLAW_HANG;
	const char *lines = slot->run.first_run;

	if (sweep->unrun && claw_verdict_class(slot->verdict) != 'u')
		claw_sweep_know_first_run(sweep, slot->point, ended || !lines ?
					  CLAW_GCOV_NOT_KNOWN : lines);
}

/* signature: NULL where it is no finding. is_shared: it is the run of another
 * point, which has been told of. */
static int tell(struct claw_sweep *sweep, struct claw_sweep_slot *slot,
		const char *signature, bool is_shared)
{
	struct claw_judgement *judgement = &slot->judgement;
	struct claw_sweep_outcome *outcome = &sweep->outcomes[slot->point];
	struct claw_sweep_news news = {
		.point = slot->point,
		.run = slot->look < 0 ? &slot->run : &slot->look_run,
		.judgement = judgement, .revealed_from = sweep->points.count,
		.is_shared = is_shared,
	};
	size_t groups = sweep->group_count;
	size_t counted = claw_sweep_counted_groups(sweep);

	if (outcome->recorded) {
		outcome->state = CLAW_SWEEP_DONE;
		news.recorded = true;
	} else {
		outcome->look = slot->look;
		keep_first_run(sweep, slot);
		claw_sweep_know(sweep, slot->point, judgement->output.verdict,
				signature, judgement->output.message,
				judgement->output.detail);
		news.signature = signature;
	}
	news.first_run = outcome->first_run;
	news.new_group = sweep->group_count > groups ||
		claw_sweep_counted_groups(sweep) > counted;
	if (!is_shared && is_explored(slot->verdict)) {
		claw_sweep_points_reveal(&sweep->points, slot->point,
					 &slot->run.evidence,
					 sweep->how->judge->symbolizer);
		claw_sweep_make_room(sweep);
	}
	return sweep->how->ended(sweep, &news, sweep->how->user);
}

/* Points for which this run stands, too. */
static void tell_same(struct claw_sweep *sweep, struct claw_sweep_slot *slot,
		      const char *signature)
{
	struct claw_verdict_output *output = &slot->judgement.output;
	size_t ran = slot->point, same = 0;
	enum claw_api api = sweep->points.sites[
		sweep->points.items[ran].site].api;
	char *message = output->message;

	output->message = claw_format("%s (same run as once, %s is not called "
				      "again)", message ? message : "",
				      claw_api_table[api].name);
	slot->judgement.duration_us = 0;
	while ((same = claw_sweep_same_next(sweep, ran, &slot->run, same)) !=
	       SIZE_MAX) {
		slot->point = same;
		sweep->shared++;
		sweep->outcomes[same].benign = sweep->outcomes[ran].benign;
		claw_sweep_fail(sweep, tell(sweep, slot, signature, true));
	}
	slot->point = ran;
	free(output->message);
	output->message = message;
}

/* A run that could not be made is a point about which nothing is known. */
static void note_infra(struct loop *loop,
		       const struct claw_judgement *judgement)
{
	struct claw_sweep *sweep = loop->sweep;

	if (judgement->output.verdict != CLAW_INFRA) {
		loop->failures = 0;
		return;
	}
	free(sweep->why);
	sweep->why = claw_strdup_or_null(judgement->output.message);
	if (++loop->failures == FAILURES_MAX)
		claw_sweep_fail(sweep, -CLAW_E_IO);
}

/* What the runs in the slot have come to, for their point and all for which
 * they stand. */
static void tell_all(struct claw_sweep *sweep, struct claw_sweep_slot *slot)
{
	const struct claw_sweep_outcome *outcome =
		&sweep->outcomes[slot->point];
	const struct claw_judged_run *run = slot->look < 0 ? &slot->run :
		&slot->look_run;
	enum claw_verdict verdict = slot->judgement.output.verdict;
	bool recorded = outcome->recorded;
	char *signature = recorded ||
		!claw_sweep_is_finding(sweep->how, verdict) ? NULL :
		claw_sweep_look_signature(sweep, slot->point, slot->look, run,
					  &slot->judgement);

	claw_sweep_fail(sweep, tell(sweep, slot, signature, false));
	if (!recorded && claw_verdict_class(verdict) != 'u')
		tell_same(sweep, slot, signature);
	free(signature);
}

/* The runs that have ended in the slot are told of, and it is free then. */
static void tell_slot(struct loop *loop, struct claw_sweep_slot *slot)
{
	struct claw_sweep *sweep = loop->sweep;
	bool unreached = slot->look < 0 &&
		slot->judgement.output.verdict == CLAW_NOT_REACHED;

	note_infra(loop, &slot->judgement);
	slot->state = CLAW_SWEEP_SLOT_FREE;
	if (unreached &&
	    claw_sweep_point_turn(&sweep->points.items[slot->point]))
		sweep->outcomes[slot->point].state = CLAW_SWEEP_WAITING;
	else
		tell_all(sweep, slot);
	claw_sweep_slot_empty(slot);
}

/* ---- whose turn it is ------------------------------------------------- */

/* Was it shown on a way that only a fault leads to? */
static bool is_on_new_way(const struct claw_sweep *sweep, size_t point)
{
	size_t parent = sweep->points.items[point].revealed_by;
	const char *lines = parent == CLAW_SWEEP_NOT_REVEALED ? NULL :
		sweep->outcomes[parent].first_run;

	return lines && *lines && strcmp(lines, CLAW_GCOV_NOT_KNOWN) != 0;
}

/* When it is a point's turn, the lowest first. */
enum turn {
	TURN_RECORDED,	/* only for what it shows, as it has shown it before */
	TURN_NEW_WAY,	/* of what faults have shown: lines were never run */
	TURN_SHOWN,	/* nobody has ever run it */
	TURN_CALLED,
	TURN_FOUND,	/* where a fault was a finding others are mostly, too */
	TURN_COUNT,
};

static enum turn turn_of(const struct claw_sweep *sweep, size_t point)
{
	const struct claw_sweep_site *sites = sweep->points.sites;
	size_t site = sweep->points.items[point].site;

	if (sweep->outcomes[point].recorded)
		return TURN_RECORDED;
	if (sites[sites[site].alike].has_finding)
		return TURN_FOUND;
	if (point < sweep->first_count)
		return TURN_CALLED;
	return sweep->unrun && is_on_new_way(sweep, point) ? TURN_NEW_WAY :
		TURN_SHOWN;
}

/* The first point in such a state, or SIZE_MAX. Which one that is depends on
 * what was judged alone, not on what is under way. */
static size_t first_point(const struct claw_sweep *sweep,
			  bool (*is_it)(enum claw_sweep_state state))
{
	const struct claw_sweep_outcome *outcomes = sweep->outcomes;
	enum turn first_turn = TURN_COUNT;
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < sweep->points.count; i++) {
		enum turn turn;

		if (!is_it(outcomes[i].state))
			continue;
		turn = turn_of(sweep, i);
		if (turn < first_turn ||
		    (turn == TURN_RECORDED && turn == first_turn &&
		     outcomes[i].recorded < outcomes[first].recorded)) {
			first_turn = turn;
			first = i;
		}
	}
	return first;
}

static bool is_waiting(enum claw_sweep_state state)
{
	return state == CLAW_SWEEP_WAITING;
}

static bool is_open(enum claw_sweep_state state)
{
	return state == CLAW_SWEEP_WAITING || state == CLAW_SWEEP_RUNNING;
}

/* Runs that have ended, of points for which another run stood meanwhile. */
static void drop_shared(struct loop *loop)
{
	for (unsigned int i = 0; i < loop->slot_count; i++) {
		struct claw_sweep_slot *slot = &loop->slots[i];

		if (slot->state == CLAW_SWEEP_SLOT_READY &&
		    loop->sweep->outcomes[slot->point].state ==
		    CLAW_SWEEP_DONE)
			claw_sweep_slot_empty(slot);
	}
}

/* The slot with the run that is to be judged next, or NULL: it has not ended. So
 * it is also when nothing begins any more: what has ended out of its turn runs
 * again with --resume, for what it shows could otherwise be another thing. */
static struct claw_sweep_slot *next_ready(struct loop *loop)
{
	struct claw_sweep *sweep = loop->sweep;
	size_t point = first_point(sweep, is_open);

	if (sweep->error)
		return NULL;
	drop_shared(loop);
	for (unsigned int i = 0; i < loop->slot_count; i++)
		if (loop->slots[i].state == CLAW_SWEEP_SLOT_READY &&
		    loop->slots[i].point == point)
			return &loop->slots[i];
	return NULL;
}

/* A slot for the point; the last one is kept for the point that all wait
 * for. */
static struct claw_sweep_slot *find_slot(struct loop *loop, size_t point)
{
	struct claw_sweep_slot *found = NULL;
	unsigned int count = 0;

	for (unsigned int i = 0; i < loop->slot_count; i++) {
		if (loop->slots[i].state != CLAW_SWEEP_SLOT_FREE)
			continue;
		found = &loop->slots[i];
		count++;
	}
	return count > 1 || point == first_point(loop->sweep, is_open) ?
		found : NULL;
}

/* As many runs as there may be? */
static bool is_full(const struct loop *loop)
{
	unsigned int running = 0;

	for (unsigned int i = 0; i < loop->slot_count; i++)
		running += loop->slots[i].state == CLAW_SWEEP_SLOT_RUNNING;
	return running == loop->sweep->how->jobs;
}

/* Begin the next run if there may be one more; false: not now. */
static bool begin_next(struct loop *loop)
{
	struct claw_sweep *sweep = loop->sweep;
	size_t point = first_point(sweep, is_waiting);
	struct claw_sweep_slot *slot = point == SIZE_MAX ? NULL :
		find_slot(loop, point);

	if (!slot || is_full(loop) || !claw_sweep_may_begin(sweep))
		return false;
	claw_sweep_slot_begin(slot, point);
	return true;
}

/* Is it a hang that would be a new finding? */
static bool is_doubtful(const struct claw_sweep *sweep,
			struct claw_sweep_slot *slot)
{
	const struct claw_sweep_group *group;
	char *signature;
	bool is_told;

	if (slot->look >= 0 || slot->hung ||
	    slot->judgement.output.verdict != CLAW_HANG ||
	    sweep->points.items[slot->point].kind.hardening ||
	    sweep->outcomes[slot->point].recorded)
		return false;
	signature = claw_sweep_look_signature(sweep, slot->point, slot->look,
					      &slot->run, &slot->judgement);
	group = claw_sweep_find_group(sweep, signature);
	is_told = (group && !group->hardening && !group->known) ||
		claw_sweep_known_find(sweep->how->known, sweep, slot->point,
				      signature);
	free(signature);
	return !is_told;
}

/* Judge what can be judged, begin what can begin. */
static void turn(void *user)
{
	struct loop *loop = user;
	struct claw_sweep_slot *slot;
	bool more = true, doubtful;

	if (loop->turning)
		return;
	loop->turning = true;
	while (more) {
		slot = next_ready(loop);
		doubtful = slot && is_doubtful(loop->sweep, slot);
		if (doubtful && is_full(loop))
			break;		/* until one of them has ended */
		if (doubtful && claw_sweep_may_begin(loop->sweep))
			claw_sweep_slot_again(slot);
		else if (doubtful)
			claw_sweep_slot_give_up(slot);
		else if (slot)
			tell_slot(loop, slot);
		more = begin_next(loop) || slot;
	}
	loop->turning = false;
}

/* ---- the whole -------------------------------------------------------- */

static void make_slots(struct loop *loop)
{
	const struct claw_sweep_how *how = loop->sweep->how;

	loop->slot_count = how->jobs > 1 ? how->jobs * SLOTS_A_JOB : 1;
	loop->slots = claw_calloc(loop->slot_count, sizeof(*loop->slots));
	for (unsigned int i = 0; i < loop->slot_count; i++)
		claw_sweep_slot_init(&loop->slots[i], loop->sweep, i + 1, turn,
				     loop);
}

static void free_slots(struct loop *loop)
{
	for (unsigned int i = 0; i < loop->slot_count; i++)
		claw_sweep_slot_release(&loop->slots[i]);
	free(loop->slots);
}

int claw_sweep_run(struct claw_sweep *sweep)
{
	struct claw_runner *runner = sweep->how->judge->runner;
	struct loop loop = { .sweep = sweep };

	make_slots(&loop);
	if (sweep->how->tick)
		claw_runner_set_tick(runner, TICK_MS, sweep->how->tick,
				     sweep->how->user);
	turn(&loop);
	if (claw_runner_run(runner) != 0)
		sweep->cancelled = true;
	turn(&loop);
	claw_runner_set_tick(runner, 0, NULL, NULL);
	free_slots(&loop);
	return sweep->error;
}
