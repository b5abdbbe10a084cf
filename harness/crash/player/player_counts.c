/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and the counts that a call gives with them. */
#include "config.h"

#include "player.h"

#include "faults/shared/api.h"

enum {
	LEAST_BYTES = 256,	/* any one structure, or the sizes of a launch */
	MOST_BYTES = 16 << 20,	/* of lists and values that are not there */
};

bool claw_player_room(struct claw_player *player,
		      const struct claw_trace_call *call, unsigned int param,
		      size_t *room)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	int count = info->counts[param];
	const char *name = count >= 0 ? info->params[count] : "";
	bool is_list = count >= 0 && info->bytes[count] == sizeof(cl_uint);
	uint64_t bytes = 0;

	if (count >= 0 && (uint32_t)count < call->arg_count)
		bytes = call->args[count].word;
	if (is_list)		/* items have at most eight bytes */
		bytes = (uint32_t)bytes * UINT64_C(8);
	if (bytes > MOST_BYTES && !is_list)
		bytes = 0;	/* such a value is for the driver to refuse */
	if (bytes > *room && bytes > MOST_BYTES) {
		claw_player_skip(player, "%s is more than there is", name);
		return false;
	}
	if (bytes > *room)
		*room = bytes;
	if (*room < LEAST_BYTES)
		*room = LEAST_BYTES;
	return true;
}
