/* SPDX-License-Identifier: Apache-2.0 */
/* What a program's launches rule out: see explore_launches.h. */
#include "config.h"

#include "explore_launches.h"

#include <string.h>

#include "harness/base/memory.h"

enum { TIMES_MAX = 64 };

/* ---- a test as a launch ------------------------------------------------- */

static json_t *sizes_of(const size_t sizes[3], unsigned int dimensions)
{
	json_t *list = claw_made(json_array());

	for (unsigned int i = 0; i < 3; i++)
		json_array_append_new(list, json_integer(
			i < dimensions ? (json_int_t)sizes[i] : 1));
	return list;
}

json_t *claw_explore_launch_of(const struct claw_explore_kernel *kernel,
			       const struct claw_clw_test *test)
{
	json_t *launch = claw_made(json_object());
	json_t *numbers = claw_made(json_array());
	json_t *bytes = claw_made(json_array());

	for (unsigned int i = 0; i < kernel->arg_count; i++) {
		json_array_append_new(numbers, json_integer(0));
		json_array_append_new(bytes, json_integer(-1));
	}
	for (size_t i = 0; i < test->in_count + test->out_count; i++) {
		const struct claw_clw_arg *arg = i < test->in_count ?
			&test->in[i] : &test->out[i - test->in_count];
		int64_t number = 0;

		if (arg->index >= kernel->arg_count)
			continue;
		if (arg->kind == CLAW_CLW_VALUE && arg->data) {
			memcpy(&number, arg->data,
			       claw_clw_base_bytes(arg->type.base));
			json_array_set_new(numbers, arg->index, json_integer(
				claw_explore_fit(arg->type.base, number)));
		} else if (arg->kind == CLAW_CLW_BUFFER ||
			   arg->kind == CLAW_CLW_LOCAL) {
			json_array_set_new(bytes, arg->index, json_integer(
				(json_int_t)arg->size_bytes));
		}
	}
	json_object_set_new(launch, "global", sizes_of(test->global,
						       test->dimensions));
	if (test->has_local)
		json_object_set_new(launch, "local", sizes_of(
			test->local, test->dimensions));
	json_object_set_new(launch, "numbers", numbers);
	json_object_set_new(launch, "bytes", bytes);
	return launch;
}

/* ---- what it rules out ----------------------------------------------------- */

/* One launch, as a case of the plan has it. */
struct known {
	int64_t terms[CLAW_TERM_COUNT];
	uint32_t local[3];
	bool has_local;
};

static int64_t number_at(const json_t *launch, const char *name, size_t at,
			 int64_t otherwise)
{
	const json_t *number = json_array_get(json_object_get(launch, name), at);

	return json_is_integer(number) ? json_integer_value(number) : otherwise;
}

static struct known read_launch(const struct claw_explore_plan *plan,
				const json_t *launch)
{
	struct known known = {
		.has_local = json_object_get(launch, "local") != NULL,
	};
	int64_t groups = 1, items = 1;

	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		known.terms[i] = number_at(launch, "numbers", i, 0);
	for (unsigned int i = 0; i < 3; i++) {
		int64_t local = number_at(launch, "local", i, 1);
		int64_t global = number_at(launch, "global", i, 1);

		local = local < 1 || local > INT32_MAX ? 1 : local;
		global = global < 1 || global > INT32_MAX ? 1 : global;
		known.terms[CLAW_TERM_GLOBAL + i] = global;
		known.local[i] = (uint32_t)local;
		if (__builtin_mul_overflow(groups, (global + local - 1) / local,
					   &groups) ||
		    __builtin_mul_overflow(items, local, &items))
			groups = items = INT32_MAX;
	}
	known.terms[CLAW_TERM_GROUPS] = groups;
	known.terms[CLAW_TERM_LOCAL] = items;
	return known;
}

static bool keeps_reading(const struct claw_explore_plan *plan,
			  const struct known *known,
			  struct claw_explore_reading reading)
{
	if (!known->has_local) {
		reading.local = CLAW_LOCAL_FREE;
		reading.is_one_group = reading.is_multiple = false;
	}
	return claw_explore_reading_holds(&plan->kernel, &reading, known->terms,
					  known->local);
}

static bool is_of_groups(const struct claw_explore_length *length)
{
	bool found = false;

	for (unsigned int i = 0; i < length->count; i++)
		found |= length->terms[i] >= CLAW_TERM_GROUPS;
	return found;
}

static void restrict_readings(struct claw_explore_plan *plan,
			      const struct known *known)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < plan->reading_count; i++)
		if (keeps_reading(plan, known, plan->readings[i]))
			plan->readings[kept++] = plan->readings[i];
	/* The first has no relation at all. */
	plan->reading_count = kept ? kept : 1;
}

/* What explains the first launch's buffer, although the text does not show it:
 * "4 * n", "n + 12", "16". */
static void add_explanations(struct claw_explore_plan *plan,
			     const struct known *known, unsigned int arg,
			     uint64_t has)
{
	struct claw_explore_length *lengths = plan->lengths[arg];
	unsigned int *count = &plan->length_counts[arg], basic = *count;
	const struct claw_explore_length constant = {
		.times = 1, .plus = (uint32_t)has,
	};

	for (unsigned int i = 0; i < basic; i++) {
		struct claw_explore_length one = lengths[i];
		uint64_t value = claw_explore_length_value(&one, known->terms);

		if (one.times != 1 || one.plus || one.each || one.is_sum ||
		    !one.count || !value || value >= has ||
		    (!known->has_local && is_of_groups(&one)))
			continue;
		one.times = (uint32_t)(has / value);
		if (has % value == 0 && has / value <= TIMES_MAX &&
		    *count < CLAW_EXPLORE_LENGTHS)
			lengths[(*count)++] = one;
		one.times = 1;
		one.plus = (uint32_t)(has - value);
		if (has - value <= TIMES_MAX && *count < CLAW_EXPLORE_LENGTHS)
			lengths[(*count)++] = one;
	}
	if (has && has <= UINT16_MAX && *count < CLAW_EXPLORE_LENGTHS)
		lengths[(*count)++] = constant;
}

static void restrict_lengths(struct claw_explore_plan *plan,
			     const struct known *known, unsigned int arg,
			     uint64_t has)
{
	struct claw_explore_length *lengths = plan->lengths[arg];
	unsigned int kept = 0;

	for (unsigned int i = 0; i < plan->length_counts[arg]; i++)
		if ((!known->has_local && is_of_groups(&lengths[i])) ||
		    claw_explore_length_value(&lengths[i], known->terms) <= has)
			lengths[kept++] = lengths[i];
	/* None explains it: as long as it is. */
	if (!kept)
		lengths[kept++] = (struct claw_explore_length) {
			.times = 1, .plus = has < 1 ? 1 : has < UINT32_MAX ?
				(uint32_t)has : UINT32_MAX,
		};
	plan->length_counts[arg] = kept;
}

static uint64_t elements_of(const struct claw_explore_plan *plan,
			    unsigned int arg, int64_t bytes)
{
	return (uint64_t)bytes / claw_explore_element(&plan->kernel.args[arg]);
}

void claw_explore_plan_restrict(struct claw_explore_plan *plan,
				const json_t *launches)
{
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		struct known known = read_launch(plan, launch);

		restrict_readings(plan, &known);
		for (unsigned int j = 0; j < plan->kernel.arg_count; j++) {
			int64_t bytes = number_at(launch, "bytes", j, -1);

			if (bytes < 0 || !plan->length_counts[j])
				continue;
			if (i == 0)
				add_explanations(plan, &known, j,
						 elements_of(plan, j, bytes));
			restrict_lengths(plan, &known, j,
					 elements_of(plan, j, bytes));
		}
	}
}
