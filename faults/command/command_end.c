/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that nothing has waited for when the process ends. */
#include "config.h"

#include <stdio.h>

#include "commands_private.h"

enum { LAUNCHES = 64 };

static void tell(const struct claw_command *command)
{
	struct claw_found_entry entry = {
		.kind = CLAW_FOUND_NEVER_WAITED,
		.sure = CLAW_SURE_CERTAIN,
		.at = claw_command_place(command, CLAW_OBJ_NONE),
		.second = claw_found_nowhere(), .third = claw_found_nowhere(),
	};

	snprintf(entry.name, sizeof(entry.name), "%s",
		 claw_kernels_name(command->name));
	claw_found_add(&entry);
}

static bool is_launch(const struct claw_command *command)
{
	return command->api == CLAW_API_clEnqueueNDRangeKernel ||
	       command->api == CLAW_API_clEnqueueTask;
}

/* One that waits for a user event is another matter (GATE_ABANDONED). */
void claw_commands_end(void)
{
	struct claw_command launches[LAUNCHES];
	unsigned int count = 0;

	if (!claw_commands_are_on() || !claw_commands_enter())
		return;
	for (uint64_t rest = claw_order_busy(); rest; rest &= rest - 1) {
		unsigned int slot = (unsigned int)__builtin_ctzll(rest);

		for (uint32_t at = claw_order_oldest(slot);
		     at && count < LAUNCHES; at = claw_command_at(at)->next)
			if (is_launch(claw_command_at(at)) &&
			    !claw_command_at(at)->gates)
				launches[count++] = *claw_command_at(at);
	}
	claw_commands_leave();
	for (unsigned int i = 0; i < count; i++)
		tell(&launches[i]);
}
