/* SPDX-License-Identifier: Apache-2.0 */
/* A case's launch: sizes, numbers, lengths. Contents are in explore_fill.c. */
#include "config.h"

#include "explore_case.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_KNOWN = 256, GROUP_MOST = 1024 };

enum { SMALL = 8, MIDDLE = 40, LARGE = 300, HUGE_SIZE = 2000 };

uint64_t claw_explore_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint32_t below(uint64_t *random, uint64_t limit)
{
	return (uint32_t)(claw_explore_random(random) % limit);
}

/* ---- the plan ------------------------------------------------------------- */

static void add_local(struct claw_explore_plan *plan, uint32_t x, uint32_t y,
		      uint32_t z)
{
	uint32_t local[3] = { x, y, z };

	for (unsigned int i = 0; i < plan->local_count; i++)
		if (memcmp(plan->locals[i], local, sizeof(local)) == 0)
			return;
	if (plan->local_count < 6)
		memcpy(plan->locals[plan->local_count++], local, sizeof(local));
}

/* Few: a driver may compile anew for each. What the readings want first. */
static void plan_locals(struct claw_explore_plan *plan)
{
	const struct claw_explore_kernel *kernel = &plan->kernel;
	static const uint32_t sizes[3][3][3] = {
		{ { 4, 1, 1 }, { 8, 1, 1 }, { 1, 1, 1 } },
		{ { 2, 2, 1 }, { 4, 2, 1 }, { 1, 1, 1 } },
		{ { 2, 2, 1 }, { 2, 2, 2 }, { 1, 1, 1 } },
	};
	unsigned int dimensions = kernel->dimensions;

	if (kernel->required[0]) {
		add_local(plan, kernel->required[0], kernel->required[1],
			  kernel->required[2]);
		return;
	}
	if (!kernel->has_groups) {
		/* Races within a group are of another kind than those between
		 * two. */
		add_local(plan, 1, 1, 1);
		if (!kernel->is_task)
			add_local(plan, 4, 1, 1);
		return;
	}
	add_local(plan, sizes[dimensions - 1][0][0],
		  sizes[dimensions - 1][0][1], sizes[dimensions - 1][0][2]);
	for (unsigned int i = 0; i < plan->reading_count; i++) {
		uint32_t size = plan->readings[i].fixed;

		if (size && plan->local_count < 3)
			add_local(plan, size, dimensions > 1 ? size : 1,
				  dimensions > 2 ? size : 1);
	}
	for (unsigned int i = 1; i < 3; i++)
		add_local(plan, sizes[dimensions - 1][i][0],
			  sizes[dimensions - 1][i][1],
			  sizes[dimensions - 1][i][2]);
	add_local(plan, 3, 1, 1);
}

void claw_explore_plan_make(const struct claw_explore_kernel *kernel,
			    size_t max_group, struct claw_explore_plan *ret_plan)
{
	memset(ret_plan, 0, sizeof(*ret_plan));
	ret_plan->kernel = *kernel;
	if (!max_group)
		max_group = GROUP_KNOWN;
	if (max_group > GROUP_MOST)
		max_group = GROUP_MOST;
	ret_plan->kernel.max_group = max_group;
	ret_plan->max_items = 4096;
	ret_plan->max_bytes = 8 << 20;
	ret_plan->reading_count = claw_explore_readings(&ret_plan->kernel,
							ret_plan->readings);
	for (unsigned int i = 0; i < kernel->arg_count; i++)
		if (kernel->args[i].role >= CLAW_ROLE_BUFFER &&
		    kernel->args[i].role != CLAW_ROLE_SAMPLER)
			ret_plan->length_counts[i] = claw_explore_lengths(
				kernel, i, ret_plan->lengths[i]);
	plan_locals(ret_plan);
}

/* ---- numbers ---------------------------------------------------------------- */

static uint32_t any_size(const struct claw_explore_plan *plan, uint64_t *random)
{
	const struct claw_explore_numbers *literals = &plan->kernel.literals;
	uint32_t kind = below(random, 100);

	if (kind < 55)
		return 1 + below(random, SMALL);
	if (kind < 75)
		return 1 + below(random, MIDDLE);
	if (kind < 85)
		return 1u << below(random, 9);
	if (kind < 93 && literals->count) {
		uint32_t number = literals->items[below(random, literals->count)];

		number += below(random, 3);
		return number > 1 && number < HUGE_SIZE ? number - 1 : 1;
	}
	return 1 + below(random, kind < 98 ? LARGE : HUGE_SIZE);
}

static int64_t any_number(const struct claw_explore_plan *plan, uint64_t *random)
{
	static const int64_t numbers[] = {
		0, -1, 1, 2, -2, INT32_MAX, INT32_MIN, 0x7fff, 0x8000, 0xffff,
		0x10000, 255, 256, 1 << 20, 30000, UINT32_MAX,
	};
	const struct claw_explore_numbers *literals = &plan->kernel.literals;
	uint32_t kind = below(random, 4);

	if (kind < 2)
		return numbers[below(random, sizeof(numbers) / sizeof(*numbers))];
	if (kind == 2 && literals->count)
		return (int64_t)literals->items[below(random, literals->count)] +
			below(random, 3) - 1;
	return (int64_t)claw_explore_random(random) >> below(random, 60);
}

/* What the kernel sees of a number. */
int64_t claw_explore_fit(enum claw_clw_base base, int64_t number)
{
	switch (base) {
	case CLAW_CLW_CHAR:	return (int8_t)number;
	case CLAW_CLW_UCHAR:	return (uint8_t)number;
	case CLAW_CLW_SHORT:	return (int16_t)number;
	case CLAW_CLW_USHORT:	return (uint16_t)number;
	case CLAW_CLW_INT:	return (int32_t)number;
	case CLAW_CLW_UINT:	return (uint32_t)number;
	default:		return number;
	}
}

void claw_explore_case_begin(const struct claw_explore_plan *plan,
			     struct claw_explore_case *ret_case)
{
	memset(ret_case, 0, sizeof(*ret_case));
	for (unsigned int i = 0; i < 3; i++) {
		ret_case->global[i] = i < plan->kernel.dimensions ? 4 : 1;
		ret_case->local[i] = plan->locals[0][i];
	}
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		ret_case->values[i].number = plan->kernel.args[i].is_size ? 8 : 1;
		ret_case->values[i].fill = CLAW_FILL_ORDER;
		ret_case->values[i].keep = 255;
	}
	claw_explore_case_settle(plan, ret_case);
}

/* ---- settling --------------------------------------------------------------- */

static bool is_integer(const struct claw_explore_plan *plan, unsigned int arg,
		       bool size)
{
	return plan->kernel.args[arg].role == CLAW_ROLE_INTEGER &&
	       plan->kernel.args[arg].is_size == size;
}

/* A local size that the reading allows; the plan has one, or the case gives
 * its reading up. */
static void settle_local(const struct claw_explore_plan *plan,
			 struct claw_explore_case *what)
{
	const struct claw_explore_reading *reading =
		&plan->readings[what->reading];
	unsigned int wanted = what->local[0] % 64 % plan->local_count;

	for (unsigned int i = 0; i < plan->local_count; i++)
		if (memcmp(plan->locals[i], what->local, sizeof(what->local)) == 0)
			wanted = i;
	for (unsigned int i = 0; i < plan->local_count; i++) {
		const uint32_t *local =
			plan->locals[(wanted + i) % plan->local_count];
		bool fits = true;

		for (unsigned int j = 0; j < plan->kernel.dimensions; j++)
			fits &= reading->local == CLAW_LOCAL_FREE ||
				(reading->local == CLAW_LOCAL_POWER &&
				 !(local[j] & (local[j] - 1))) ||
				local[j] == reading->fixed;
		if (fits) {
			memcpy(what->local, local, sizeof(what->local));
			return;
		}
	}
	what->reading = 0;
	memcpy(what->local, plan->locals[wanted], sizeof(what->local));
}

static uint32_t largest(const uint32_t *numbers)
{
	uint32_t most = numbers[0] > numbers[1] ? numbers[0] : numbers[1];

	return most > numbers[2] ? most : numbers[2];
}

static int64_t up(int64_t number, uint32_t unit)
{
	return (number + unit - 1) / unit * unit;
}

static void settle_numbers(const struct claw_explore_plan *plan,
			   struct claw_explore_case *what)
{
	const struct claw_explore_reading *reading =
		&plan->readings[what->reading];
	bool has_others = false;
	int64_t least = INT64_MAX;

	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		has_others |= is_integer(plan, i, false);
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		int64_t *number = &what->values[i].number;

		*number = claw_explore_fit(plan->kernel.args[i].type.base, *number);
		if (!is_integer(plan, i, true) || what->wild & CLAW_WILD_SCALARS)
			continue;
		if (*number < 1 + has_others || *number > 1 << 16)
			*number = 1 + has_others + (*number & 7);
		if (reading->is_multiple)
			*number = up(*number, largest(what->local));
		least = *number < least ? *number : least;
	}
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		int64_t *number = &what->values[i].number;

		if (!is_integer(plan, i, false) || what->wild & CLAW_WILD_SCALARS)
			continue;
		if (least == INT64_MAX)
			least = 9;
		if (*number < 1 || *number >= least)
			*number = least > 1 ? 1 + (*number & INT64_MAX) %
				(least - 1) : 1;
	}
}

static void settle_dimension(const struct claw_explore_plan *plan,
			     struct claw_explore_case *what, unsigned int at)
{
	const struct claw_explore_reading *reading =
		&plan->readings[what->reading];
	uint32_t *global = &what->global[at], local = what->local[at];
	int8_t scalar = reading->scalars[at];
	int64_t *number = scalar >= 0 ? &what->values[scalar].number : NULL;
	int64_t factor = at == 0 && reading->second >= 0 ?
		what->values[reading->second].number : 1;

	if (*global < 1 || *global > 1 << 20)
		*global = 1 + *global % 16;
	*global = reading->is_one_group ? local : (uint32_t)up(*global, local);
	if (!number || what->wild & CLAW_WILD_SCALARS)
		return;
	if (*number < 1 || factor < 1)
		return;
	/* The argument follows the launch where that may be anything. */
	if (reading->relation == CLAW_RELATION_SAME && factor == 1 &&
	    *number % local)
		*number = up(*number, local);
	if (reading->is_one_group && factor == 1 &&
	    reading->relation == CLAW_RELATION_SAME)
		*number = local;
	if (reading->relation == CLAW_RELATION_SAME)
		*global = (uint32_t)(*number * factor);
	if (*number * factor < local)
		*number = up(local, (uint32_t)factor) / factor;
	if (*global > *number * factor)
		*global = (uint32_t)(*number * factor / local * local);
}

/* Behind the sizes: what follows them, and what bounds them. */
static void settle_rows(const struct claw_explore_plan *plan,
			struct claw_explore_case *what)
{
	const struct claw_explore_reading *reading =
		&plan->readings[what->reading];
	uint32_t *global = &what->global[0];
	int64_t *number = reading->pitch >= 0 ?
		&what->values[reading->pitch].number : NULL;

	if (reading->limit && *global > reading->limit)
		*global = reading->limit / what->local[0] * what->local[0];
	if (number && !(what->wild & CLAW_WILD_SCALARS)) {
		if (*number < (int64_t)*global * reading->unit)
			*number = (int64_t)*global * reading->unit;
		*number = up(*number, reading->unit);
	}
}

/* The argument follows what it has to be above. */
static void settle_bounds(const struct claw_explore_plan *plan,
			  struct claw_explore_case *what)
{
	const struct claw_explore_reading *reading =
		&plan->readings[what->reading];
	struct claw_explore_bound bound;

	for (unsigned int i = 0; !(what->wild & CLAW_WILD_SCALARS) &&
	     claw_explore_reading_bound(&plan->kernel, reading, i, &bound); i++) {
		int64_t *number = &what->values[bound.arg %
						CLAW_EXPLORE_ARGS].number;
		int64_t least = bound.plus + (bound.dimension < 0 ? 0 :
			(int64_t)what->global[bound.dimension]);

		if (bound.arg == CLAW_EXPLORE_ARGS || *number >= least)
			continue;
		*number = reading->is_multiple ?
			up(least, largest(what->local)) : least;
	}
}

static bool settle_lengths(const struct claw_explore_plan *plan,
			   struct claw_explore_case *what)
{
	int64_t terms[CLAW_TERM_COUNT];
	uint64_t bytes = 0;

	claw_explore_case_terms(plan, what, terms);
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		struct claw_explore_value *value = &what->values[i];
		uint64_t length;

		if (!plan->length_counts[i])
			continue;
		value->rule = (uint16_t)(value->rule % plan->length_counts[i]);
		length = claw_explore_length_value(
			&plan->lengths[i][value->rule], terms);
		if (length > plan->max_bytes)
			return false;
		value->length = (uint32_t)length;
		bytes += length * claw_explore_element(&plan->kernel.args[i]);
		if (plan->kernel.args[i].role == CLAW_ROLE_LOCAL &&
		    length * claw_explore_element(&plan->kernel.args[i]) >
		    16384)
			return false;
	}
	return bytes <= plan->max_bytes;
}

/* What a kernel file's assumption asks for. */
struct asked {
	const struct claw_explore_plan *plan;
	const struct claw_explore_case *what;
};

static bool value_of(const void *user, const struct claw_assume_node *node,
		     int64_t *ret_value)
{
	const struct asked *asked = user;
	const struct claw_explore_kernel *kernel = &asked->plan->kernel;

	if (node->what == CLAW_ASSUME_GLOBAL || node->what == CLAW_ASSUME_LOCAL) {
		*ret_value = node->what == CLAW_ASSUME_GLOBAL ?
			asked->what->global[node->number] :
			asked->what->local[node->number];
		return true;
	}
	for (unsigned int i = 0; i < kernel->arg_count; i++) {
		bool is_length = node->what == CLAW_ASSUME_LENGTH;

		if (strcmp(kernel->args[i].name, node->name) != 0 ||
		    is_length != (asked->plan->length_counts[i] > 0))
			continue;
		*ret_value = is_length ? asked->what->values[i].length :
			asked->what->values[i].number;
		return true;
	}
	return false;
}

static bool assumptions_hold(const struct claw_explore_plan *plan,
			     const struct claw_explore_case *what)
{
	struct asked asked = { plan, what };

	for (unsigned int i = 0; i < plan->assume_count; i++)
		if (!claw_assume_holds(&plan->assumes[i], value_of, &asked))
			return false;
	return true;
}

bool claw_explore_case_settle(const struct claw_explore_plan *plan,
			      struct claw_explore_case *what)
{
	uint64_t items = 1;

	what->reading %= plan->reading_count;
	what->wild &= (1u << CLAW_WILD_COUNT) - 1;
	settle_local(plan, what);
	settle_numbers(plan, what);
	for (unsigned int i = 0; i < 3; i++) {
		if (i < plan->kernel.dimensions) {
			settle_dimension(plan, what, i);
		} else {
			what->global[i] = what->local[i] = 1;
		}
		if (plan->kernel.is_task)
			what->global[i] = what->local[i];
		if (i == 0)
			settle_rows(plan, what);
		what->offset[i] = what->wild & CLAW_WILD_OFFSET &&
			i < plan->kernel.dimensions ? what->offset[i] % 17 : 0;
		items *= what->global[i];
		if (!what->global[i] || what->global[i] % what->local[i] ||
		    items > plan->max_items)
			return false;
	}
	settle_bounds(plan, what);
	return settle_lengths(plan, what) &&
	       assumptions_hold(plan, what);
}

void claw_explore_case_terms(const struct claw_explore_plan *plan,
			     const struct claw_explore_case *what,
			     int64_t ret_terms[CLAW_TERM_COUNT])
{
	int64_t groups = 1, local = 1;

	memset(ret_terms, 0, CLAW_TERM_COUNT * sizeof(*ret_terms));
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		ret_terms[i] = what->values[i].number;
	for (unsigned int i = 0; i < 3; i++) {
		ret_terms[CLAW_TERM_GLOBAL + i] = (int64_t)what->global[i] +
			what->offset[i];
		groups *= what->global[i] / what->local[i];
		local *= what->local[i];
	}
	ret_terms[CLAW_TERM_GROUPS] = groups;
	ret_terms[CLAW_TERM_LOCAL] = local;
}

uint64_t claw_explore_case_cost(const struct claw_explore_plan *plan,
				const struct claw_explore_case *what)
{
	uint64_t cost = 0, items = 1;

	for (unsigned int i = 0; i < 3; i++) {
		items *= what->global[i];
		cost += 4 * what->offset[i];
	}
	cost += 8 * items + what->local[0] * what->local[1] * what->local[2];
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		int64_t number = what->values[i].number;

		cost += what->values[i].length;
		cost += what->values[i].fill +
			(what->values[i].keep == 255 ? 1 : 0);
		if (plan->kernel.args[i].role == CLAW_ROLE_INTEGER)
			cost += (uint64_t)llabs(number % (1 << 20));
	}
	return cost;
}

/* ---- mutation ----------------------------------------------------------------- */

static void mutate_rule(const struct claw_explore_plan *plan, uint64_t *random,
			struct claw_explore_case *what, unsigned int arg)
{
	unsigned int count = plan->length_counts[arg];

	for (unsigned int tries = 0; tries < 32; tries++) {
		uint32_t rule = below(random, count);

		if (below(random, 2))
			rule = below(random, rule + 1);
		what->values[arg].rule = (uint16_t)rule;
		if (!plan->may_try || plan->may_try(plan->user, arg, rule,
						    what->reading))
			return;
	}
}

static void mutate_arg(const struct claw_explore_plan *plan, uint64_t *random,
		       struct claw_explore_case *what, unsigned int arg)
{
	struct claw_explore_value *value = &what->values[arg];

	switch (plan->kernel.args[arg].role) {
	case CLAW_ROLE_INTEGER:
		value->number = what->wild & CLAW_WILD_SCALARS ?
			any_number(plan, random) : any_size(plan, random);
		break;
	case CLAW_ROLE_SAMPLER:
		value->seed = (uint32_t)claw_explore_random(random);
		break;
	default:
		if (below(random, 2) && plan->length_counts[arg])
			mutate_rule(plan, random, what, arg);
		if (below(random, 2))
			value->seed = (uint32_t)claw_explore_random(random);
		if (below(random, 2))
			value->fill = (uint8_t)below(random, CLAW_FILL_COUNT);
		value->keep = below(random, 2) ? 255 :
			(uint8_t)below(random, 8);
		break;
	}
}

/* All arguments; one time in two no buffer holds an index twice then. */
static void mutate_all(const struct claw_explore_plan *plan, uint64_t *random,
		       struct claw_explore_case *what)
{
	bool is_distinct = below(random, 2);

	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		mutate_arg(plan, random, what, i);
		if (!is_distinct)
			continue;
		what->values[i].fill = CLAW_FILL_ORDER;
		what->values[i].keep = 255;
	}
}

/* Another reading asks for other lengths. */
static void mutate_reading(const struct claw_explore_plan *plan,
			   uint64_t *random, struct claw_explore_case *what)
{
	what->reading = plan->choose_reading ?
		plan->choose_reading(plan->user, random) :
		below(random, plan->reading_count);
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		if (plan->length_counts[i])
			mutate_rule(plan, random, what, i);
}

static void mutate_once(const struct claw_explore_plan *plan, uint64_t *random,
			struct claw_explore_case *what)
{
	uint32_t kind = below(random, 16);

	if (kind < 6 && plan->kernel.arg_count)
		mutate_arg(plan, random, what,
			   below(random, plan->kernel.arg_count));
	else if (kind < 10)
		what->global[below(random, plan->kernel.dimensions)] =
			any_size(plan, random);
	else if (kind < 12)
		mutate_reading(plan, random, what);
	else if (kind == 12 && below(random, 4) == 0)
		memcpy(what->local,
		       plan->locals[below(random, plan->local_count)],
		       sizeof(what->local));
	else if (kind == 13)
		what->wild = below(random, 2) ? 0 :
			1u << below(random, CLAW_WILD_COUNT);
	else if (kind == 14)
		what->offset[below(random, plan->kernel.dimensions)] =
			below(random, 9);
	else
		mutate_all(plan, random, what);
}

void claw_explore_case_mutate(const struct claw_explore_plan *plan,
			      uint64_t *random,
			      struct claw_explore_case *what)
{
	struct claw_explore_case before = *what;

	for (int tries = 0; tries < (plan->assume_count ? 64 : 8); tries++) {
		uint32_t steps = 1 + below(random, 4);

		*what = before;
		/* Half of all cases are for the readings that nothing is known
		 * against. */
		if (below(random, 4) == 0) {
			what->wild = 0;
			mutate_reading(plan, random, what);
		}
		while (steps--)
			mutate_once(plan, random, what);
		if (claw_explore_case_settle(plan, what))
			return;
	}
	*what = before;
	claw_explore_case_settle(plan, what);
}

void claw_explore_case_cross(const struct claw_explore_plan *plan,
			     uint64_t *random,
			     const struct claw_explore_case *other,
			     struct claw_explore_case *what)
{
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		if (below(random, 2))
			what->values[i] = other->values[i];
	if (below(random, 2))
		memcpy(what->global, other->global, sizeof(what->global));
	if (below(random, 2))
		memcpy(what->local, other->local, sizeof(what->local));
	claw_explore_case_settle(plan, what);
}
