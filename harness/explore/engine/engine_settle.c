/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before findings are judged: readings and lengths that would excuse them, and
 * that few cases were tried of, get their cases.
 */
#include "config.h"

#include "engine.h"

#include "faults/shared/clock.h"

enum { SECONDS = 60, ROUND = 16, TRIES = 400 };

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

static void try_length(struct claw_engine *engine, uint64_t *random)
{
	struct claw_explore_plan plan = engine->plan;
	unsigned int arg = (unsigned int)engine->verdict.open_arg, ran = 0;
	unsigned int rule = engine->verdict.open_rule;
	uint32_t *tried = &engine->state->tried[arg][rule];
	struct claw_explore_case what;

	plan.may_try = may_try;
	plan.choose_reading = always;
	plan.user = &engine->verdict.best;
	claw_explore_case_begin(&plan, &what);
	for (unsigned int tries = 0; *tried < CLAW_EXPLORE_TRIED &&
	     tries < TRIES && ran < ROUND; tries++) {
		claw_explore_case_mutate(&plan, random, &what);
		what.reading = engine->verdict.best;
		what.wild = 0;
		what.values[arg].rule = (uint16_t)rule;
		if (claw_explore_case_settle(&plan, &what) &&
		    what.reading == engine->verdict.best)
			ran += claw_engine_run(engine, &what);
	}
	/* No case has it: it is nobody's excuse. */
	if (*tried < CLAW_EXPLORE_TRIED)
		*tried = CLAW_EXPLORE_NEVER;
}

void claw_engine_settle(struct claw_engine *engine)
{
	uint64_t until_ns = claw_clock_mono_ns() + SECONDS *
		UINT64_C(1000000000);
	uint64_t random = engine->seed + 12345;

	steered = engine;
	claw_explore_judge(engine->state, &engine->plan, &engine->verdict);
	while (engine->verdict.is_open && claw_clock_mono_ns() < until_ns) {
		if (engine->verdict.open_arg >= 0)
			try_length(engine, &random);
		else
			try_reading(engine, engine->verdict.open, &random);
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
