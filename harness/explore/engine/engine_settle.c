/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before findings are judged: readings and lengths that would excuse them, and
 * that few cases were tried of, get their cases.
 */
#include "config.h"

#include "engine.h"

#include "faults/shared/clock.h"

enum { SECONDS = 60, ROUND = 16, TRIES = 400, ROUNDS = 3 };

static unsigned int always(const void *user, uint64_t *random)
{
	(void)random;
	return *(const unsigned int *)user;
}

/* Of the verdict, whose readings the engine asks for. */
static const struct claw_engine *steered;

static bool may_try(const void *user, unsigned int arg, unsigned int rule,
		    unsigned int reading)
{
	(void)user;
	return !claw_explore_set_has(&steered->verdict.dead[arg][rule], reading);
}

static void try_reading(struct claw_engine *engine, unsigned int reading,
			uint64_t *random)
{
	struct claw_explore_plan plan = engine->plan;
	struct claw_explore_case what;
	unsigned int ran = 0;

	plan.may_try = may_try;
	plan.choose_reading = always;
	plan.user = &reading;
	claw_explore_case_begin(&plan, &what);
	for (unsigned int tries = 0; ran < ROUND && tries < TRIES; tries++) {
		claw_explore_case_mutate(&plan, random, &what);
		what.reading = reading;
		what.wild = 0;
		if (claw_explore_case_settle(&plan, &what) &&
		    what.reading == reading)
			ran += claw_engine_run(engine, &what);
	}
	/* No local size is tried that it allows: it is nobody's excuse. */
	if (!ran)
		engine->state->runs[reading] = CLAW_EXPLORE_ENOUGH +
			CLAW_EXPLORE_NEVER;
}

/* A case that had a finding of the argument. */
static void begin_near(const struct claw_engine *engine, unsigned int arg,
		       struct claw_explore_case *what)
{
	claw_explore_case_begin(&engine->plan, what);
	for (uint32_t i = 0; i < engine->state->found_count; i++)
		if (engine->state->found[i].has_case &&
		    claw_explore_found_arg(&engine->plan,
			&engine->state->found[i].what) == (int)arg)
			*what = engine->state->found[i].tame;
}

static void try_length(struct claw_engine *engine, unsigned int arg,
		       unsigned int rule, uint64_t *random)
{
	struct claw_explore_plan plan = engine->plan;
	uint32_t *tried = &engine->state->tried[arg][rule];
	struct claw_explore_case what;
	unsigned int fits = 0;

	plan.may_try = may_try;
	plan.choose_reading = always;
	plan.user = &engine->verdict.best;
	begin_near(engine, arg, &what);
	for (unsigned int tries = 0; *tried < CLAW_EXPLORE_TRIED &&
	     tries < TRIES && fits < ROUND; tries++) {
		if (tries)
			claw_explore_case_mutate(&plan, random, &what);
		what.reading = engine->verdict.best;
		what.wild = 0;
		what.values[arg].rule = (uint16_t)rule;
		if (claw_explore_case_settle(&plan, &what) &&
		    what.reading == engine->verdict.best) {
			fits++;
			claw_engine_run(engine, &what);
		}
	}
	/* No case has it: it is nobody's excuse. */
	if (!fits)
		*tried = CLAW_EXPLORE_NEVER;
}

static void try_lengths(struct claw_engine *engine, uint64_t until_ns,
			uint64_t *random)
{
	const struct claw_explore_plan *plan = &engine->plan;

	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		for (unsigned int j = 0; engine->verdict.open_args >> i & 1 &&
		     j < plan->length_counts[i] &&
		     claw_clock_mono_ns() < until_ns; j++)
			if (claw_explore_length_is_open(engine->state,
							&engine->verdict, i, j))
				try_length(engine, i, j, random);
}

/* With --resume there may be cases that have it. */
static void forget_never(struct claw_engine *engine)
{
	for (unsigned int i = 0; i < CLAW_EXPLORE_ARGS; i++)
		for (unsigned int j = 0; j < CLAW_EXPLORE_LENGTHS; j++)
			if (engine->state->tried[i][j] >= CLAW_EXPLORE_NEVER)
				engine->state->tried[i][j] = 0;
}

void claw_engine_settle(struct claw_engine *engine)
{
	uint64_t until_ns = claw_clock_mono_ns() + SECONDS *
		UINT64_C(1000000000);
	uint64_t random = engine->seed + 12345;
	unsigned int rounds = 0;

	steered = engine;
	forget_never(engine);
	claw_explore_judge(engine->state, &engine->plan, &engine->verdict);
	while ((engine->verdict.is_open ||
		(engine->verdict.open_args && rounds < ROUNDS)) &&
	       claw_clock_mono_ns() < until_ns) {
		if (engine->verdict.is_open)
			try_reading(engine, engine->verdict.open, &random);
		else
			try_lengths(engine, until_ns, &random);
		rounds += !engine->verdict.is_open;
		claw_explore_judge(engine->state, &engine->plan,
				   &engine->verdict);
	}
}

void claw_engine_set_rules(const struct claw_engine *engine, int wrong,
			   struct claw_explore_case *what)
{
	for (unsigned int i = 0; i < engine->plan.kernel.arg_count; i++)
		what->values[i].rule = (uint16_t)(engine->verdict.rules[i] > 0 &&
			(int)i != wrong ? engine->verdict.rules[i] : 0);
}
