/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which findings count: those of the reading that has the fewest. A reading that
 * few cases were tried of is no excuse.
 */
#include "config.h"

#include "explore_state.h"

#include <limits.h>
#include <string.h>

/* In elements; what is larger has wrapped. */
enum { FAR = 64, FAR_TIMES = 16, FAR_MOST = 1 << 28 };

/* Often enough to be an excuse. */
static bool is_tried(const struct claw_explore_state *state, unsigned int arg,
		     unsigned int length)
{
	return state->tried[arg][length] >= CLAW_EXPLORE_TRIED &&
	       state->tried[arg][length] < CLAW_EXPLORE_NEVER;
}

/* All lengths are too short under that reading. */
static bool is_wrong_length(const struct claw_explore_state *state,
			    const struct claw_explore_plan *plan,
			    const struct claw_explore_verdict *verdict,
			    unsigned int arg, unsigned int reading)
{
	for (unsigned int i = 0; i < plan->length_counts[arg]; i++)
		if (!claw_explore_set_has(&verdict->dead[arg][i], reading) &&
		    is_tried(state, arg, i))
			return false;
	return plan->length_counts[arg] > 0;
}

uint64_t claw_explore_needed(const struct claw_explore_plan *plan,
			     const struct claw_explore_case *what,
			     unsigned int arg, int64_t offset, uint64_t times)
{
	uint64_t known = 1, index;

	if (offset < 0)
		return 0;
	index = (uint64_t)offset / claw_explore_element(&plan->kernel.args[arg]);
	for (unsigned int i = 0; i < plan->kernel.dimensions; i++)
		known *= what->global[i];
	for (unsigned int i = 0; i < plan->kernel.arg_count && known < FAR_MOST;
	     i++)
		if (plan->kernel.args[i].role == CLAW_ROLE_INTEGER &&
		    what->values[i].number > 1)
			known *= (uint64_t)what->values[i].number;
	return index >= FAR && index < FAR_MOST && index / times > known ?
		index + 1 : 0;
}

/* By the smallest case, or by far. */
static uint64_t elements_needed(const struct claw_explore_plan *plan,
				const struct claw_explore_found *found,
				unsigned int arg)
{
	uint64_t needed = found->has_case ? claw_explore_needed(plan,
		&found->tame, arg, found->offset, FAR_TIMES) : 0;

	return needed > found->needed ? needed : found->needed;
}

/* Which lengths are too short, and how long constants say that a buffer is. */
static void gather_lengths(const struct claw_explore_state *state,
			const struct claw_explore_plan *plan,
			struct claw_explore_verdict *verdict)
{
	for (uint32_t i = 0; i < state->found_count; i++) {
		const struct claw_explore_found *found = &state->found[i];
		int arg = claw_explore_found_arg(plan, &found->what);
		uint64_t needed = arg < 0 ? 0 :
			elements_needed(plan, found, (unsigned int)arg);

		if (arg >= 0 && needed > verdict->needed[arg])
			verdict->needed[arg] = needed;
		for (unsigned int j = 0; arg >= 0 &&
		     j < plan->length_counts[arg]; j++)
			for (unsigned int k = 0; k < CLAW_EXPLORE_READING_WORDS;
			     k++)
				verdict->dead[arg][j].words[k] |=
					found->dead[j].words[k];
	}
}

static unsigned int count_problems(const struct claw_explore_state *state,
				   const struct claw_explore_plan *plan,
				   const struct claw_explore_verdict *verdict,
				   unsigned int reading)
{
	unsigned int problems = 0;

	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		problems += is_wrong_length(state, plan, verdict, i, reading);
	for (uint32_t i = 0; i < state->found_count; i++)
		if (claw_explore_found_arg(plan, &state->found[i].what) < 0)
			problems += claw_explore_set_has(&state->found[i].seen,
							 reading);
	return problems;
}

/* Of an argument that no length fits: the places that no length fits alone; if
 * there is none, all of them. */
static bool is_cause(const struct claw_explore_state *state,
		     const struct claw_explore_plan *plan,
		     const struct claw_explore_found *found, unsigned int arg,
		     unsigned int reading)
{
	for (unsigned int i = 0; i < plan->length_counts[arg]; i++)
		if (!claw_explore_set_has(&found->dead[i], reading) &&
		    is_tried(state, arg, i))
			return false;
	return true;
}

/* Why one that the best reading has is none: callers have longer buffers, a larger
 * offset, or indices that differ. */
static enum claw_explore_excuse excuse_of(const struct claw_explore_plan *plan,
					  const struct claw_explore_verdict
					  *verdict,
					  const struct claw_explore_found *found,
					  int arg)
{
	if (!found->has_case)
		return CLAW_EXCUSE_NONE;
	if (arg >= 0)
		return verdict->needed[arg] ? CLAW_EXCUSE_CONSTANTS :
			plan->kernel.subtracted && found->offset < 0 ?
			CLAW_EXCUSE_BEFORE : CLAW_EXCUSE_NONE;
	return found->what.why == CLAW_WHY_RACE &&
		strcmp(found->what.kind, "write") == 0 &&
		plan->kernel.has_loaded_index && !found->has_distinct ?
		CLAW_EXCUSE_EQUAL : CLAW_EXCUSE_NONE;
}

static void decide(const struct claw_explore_state *state,
		   const struct claw_explore_plan *plan,
		   struct claw_explore_verdict *verdict)
{
	bool has_cause[CLAW_EXPLORE_ARGS] = { false };

	for (uint32_t i = 0; i < state->found_count; i++) {
		int arg = claw_explore_found_arg(plan, &state->found[i].what);

		if (arg >= 0)
			has_cause[arg] |= is_cause(state, plan,
				&state->found[i], (unsigned int)arg, verdict->best);
	}
	for (uint32_t i = 0; i < state->found_count; i++) {
		const struct claw_explore_found *found = &state->found[i];
		int arg = claw_explore_found_arg(plan, &found->what);
		bool is_wrong = !verdict->is_open &&
			(arg < 0 || !(verdict->open_args >> arg & 1)) &&
			claw_explore_set_has(&found->seen, verdict->best) &&
			(arg < 0 || (is_wrong_length(state, plan, verdict,
						     (unsigned int)arg,
						     verdict->best) &&
			 (!has_cause[arg] ||
			  is_cause(state, plan, found, (unsigned int)arg,
				   verdict->best))));

		if (is_wrong)
			verdict->excuses[i] = excuse_of(plan, verdict, found,
							arg);
		verdict->counts[i] = is_wrong && !verdict->excuses[i];
	}
}

static bool is_found(const struct claw_explore_state *state,
		     const struct claw_explore_plan *plan, unsigned int arg)
{
	for (uint32_t i = 0; i < state->found_count; i++)
		if (claw_explore_found_arg(plan, &state->found[i].what) ==
		    (int)arg)
			return true;
	return false;
}

bool claw_explore_length_is_open(const struct claw_explore_state *state,
				 const struct claw_explore_verdict *verdict,
				 unsigned int arg, unsigned int length)
{
	return state->tried[arg][length] < CLAW_EXPLORE_TRIED &&
	       !claw_explore_set_has(&verdict->dead[arg][length], verdict->best);
}

/* Arguments that no length seems to fit, where one may. */
static void find_open(const struct claw_explore_state *state,
		      const struct claw_explore_plan *plan,
		      struct claw_explore_verdict *verdict)
{
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		if (!is_found(state, plan, i) || verdict->needed[i] ||
		    !is_wrong_length(state, plan, verdict, i, verdict->best))
			continue;
		for (unsigned int j = 0; j < plan->length_counts[i]; j++)
			if (claw_explore_length_is_open(state, verdict, i, j))
				verdict->open_args |= 1u << i;
	}
}

static int32_t first_rule(const struct claw_explore_state *state,
			  const struct claw_explore_plan *plan,
			  const struct claw_explore_verdict *verdict,
			  unsigned int arg)
{
	for (unsigned int i = 0; i < plan->length_counts[arg]; i++)
		if (!claw_explore_set_has(&verdict->dead[arg][i],
					  verdict->best) &&
		    is_tried(state, arg, i))
			return (int32_t)i;
	return -1;
}

void claw_explore_judge(const struct claw_explore_state *state,
			const struct claw_explore_plan *plan,
			struct claw_explore_verdict *ret_verdict)
{
	unsigned int fewest = UINT_MAX, open = UINT_MAX;

	memset(ret_verdict, 0, sizeof(*ret_verdict));
	ret_verdict->least = UINT_MAX;
	gather_lengths(state, plan, ret_verdict);
	for (unsigned int i = 0; i < plan->reading_count; i++) {
		unsigned int problems = count_problems(state, plan, ret_verdict,
						       i);
		bool is_enough = state->runs[i] >= CLAW_EXPLORE_ENOUGH;

		ret_verdict->problems[i] = problems;
		if (state->runs[i] >= CLAW_EXPLORE_NEVER) {
			ret_verdict->problems[i] = UINT_MAX;
			continue;
		}

		if (problems < ret_verdict->least)
			ret_verdict->least = problems;
		if (problems < fewest && is_enough) {
			fewest = problems;
			ret_verdict->best = i;
		}
		if (!is_enough && problems < open) {
			open = problems;
			ret_verdict->open = i;
		}
	}
	ret_verdict->is_open = open < fewest && state->found_count;
	find_open(state, plan, ret_verdict);
	decide(state, plan, ret_verdict);
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		ret_verdict->rules[i] = first_rule(state, plan,
						   ret_verdict, i);
}
