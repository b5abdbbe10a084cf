/* SPDX-License-Identifier: Apache-2.0 */
/* What a case may lose: one size, one number, the contents of one buffer. */
#include "config.h"

#include "engine.h"

#include <string.h>

enum { OF_SIZE = 4, OFFSETS = 3, OF_ARGUMENT = 7 };

static uint32_t smaller_size(uint32_t is, unsigned int step)
{
	const uint32_t sizes[OF_SIZE] = { 1, 2, is / 2, is - 1 };

	return sizes[step] ? sizes[step] : 1;
}

static void change_number(struct claw_explore_value *value, unsigned int step)
{
	int64_t is = value->number;
	const int64_t numbers[] = { 1, 2, is / 2, is > 0 ? is - 1 : is + 1 };

	if (step < sizeof(numbers) / sizeof(*numbers))
		value->number = numbers[step];
}

static void change_contents(struct claw_explore_value *value, unsigned int step)
{
	static const struct { uint8_t fill, keep; } fills[] = {
		{ CLAW_FILL_ZERO, 0 }, { CLAW_FILL_ONE, 255 },
		{ CLAW_FILL_ORDER, 255 },
	};
	unsigned int count = sizeof(fills) / sizeof(*fills);

	if (step >= count) {
		value->keep = (uint8_t)(step - count);
		return;
	}
	value->fill = fills[step].fill;
	value->keep = fills[step].keep;
	value->seed = 0;
}

unsigned int claw_engine_steps(const struct claw_explore_plan *plan)
{
	return plan->kernel.dimensions * OF_SIZE + plan->local_count + OFFSETS +
		plan->kernel.arg_count * OF_ARGUMENT;
}

void claw_engine_step(const struct claw_explore_plan *plan, unsigned int step,
		      struct claw_explore_case *what)
{
	unsigned int sizes = plan->kernel.dimensions * OF_SIZE, arg;

	if (step < sizes) {
		what->global[step / OF_SIZE] = smaller_size(
			what->global[step / OF_SIZE], step % OF_SIZE);
		return;
	}
	step -= sizes;
	if (step < plan->local_count) {
		memcpy(what->local, plan->locals[step], sizeof(what->local));
		return;
	}
	step -= plan->local_count;
	if (step < OFFSETS) {
		what->offset[step] = 0;
		return;
	}
	step -= OFFSETS;
	arg = step / OF_ARGUMENT;
	if (plan->kernel.args[arg].role == CLAW_ROLE_INTEGER)
		change_number(&what->values[arg], step % OF_ARGUMENT);
	else
		change_contents(&what->values[arg], step % OF_ARGUMENT);
}
