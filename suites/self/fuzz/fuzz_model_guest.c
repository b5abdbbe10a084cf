/* SPDX-License-Identifier: Apache-2.0 */
/* What the guest makes of the lines that say what follows a fault. */
#include "config.h"

#include "fuzz_model.h"

#include <string.h>

#include "faults/device/failure_private.h"

static const struct claw_fail_rules *rules(void)
{
	return claw_fail_rules_of(0);
}

void fuzz_guest_begin(void)
{
	/* Nobody else forgets them. */
	memset((void *)(uintptr_t)rules(), 0, sizeof(*rules()));
}

void fuzz_guest_read(const char *line)
{
	claw_failure_read_line(0, line);
}

static bool is_trigger(const struct claw_fail_trigger *trigger)
{
	return trigger->on != CLAW_FAULT_NONE &&
	       trigger->crash < CLAW_CRASH_KINDS &&
	       trigger->state < rules()->state_count;
}

/* It is for a function at least, and for a state or what the driver says. */
static bool is_answer(const struct claw_fail_answer *answer)
{
	bool has_target = false;

	for (int i = 0; i < CLAW_API_COUNT; i++)
		has_target |= claw_fail_targets(answer, (enum claw_api)i);
	return has_target && answer->state < (int)rules()->state_count &&
	       (answer->state >= 0 || answer->has_says);
}

bool fuzz_guest_understood(const struct fuzz_guest_lines *lines)
{
	bool all = rules()->state_count == lines->states &&
		   rules()->trigger_count == lines->triggers &&
		   rules()->answer_count == lines->answers;

	for (unsigned int i = 0; i < rules()->state_count; i++)
		all = all && *rules()->states[i].name;
	for (unsigned int i = 0; i < rules()->trigger_count; i++)
		all = all && is_trigger(&rules()->triggers[i]);
	for (unsigned int i = 0; i < rules()->answer_count; i++)
		all = all && is_answer(&rules()->answers[i]);
	return all;
}
