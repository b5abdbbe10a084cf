/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captured failures: a rule is armed right before the call that it is for, and
 * disarmed behind it, so that nothing has to be counted. The host's file has a
 * line "NUMBER<tab>RULE" each, in the order of the replay.
 */
#include "config.h"

#include "player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/openclaw.h"
#include "harness/files/outside_file.h"

bool claw_player_read_faults(struct claw_player *player, const char *path)
{
	struct claw_replay_fault *faults = NULL;
	FILE *in = claw_outside_fopen(path);
	char *line = NULL, *end;
	size_t room = 0, count = 0;
	ssize_t length;

	if (!in)
		return false;
	while ((length = claw_getline(&line, &room, in)) > 0) {
		faults = claw_grow(faults, count + 1, sizeof(*faults));
		line[strcspn(line, "\n")] = '\0';
		faults[count].number = (uint32_t)strtoul(line, &end, 10);
		faults[count].rule = *end == '\t' ? claw_strdup(end + 1) : NULL;
		if (!faults[count].rule)
			break;
		count++;
	}
	free(line);
	player->faults = faults;
	player->fault_count = count;
	length = feof(in) ? 0 : -1;
	fclose(in);
	return length == 0;
}

void claw_player_arm(struct claw_player *player, uint32_t number,
		     struct claw_player_armed *ret_armed)
{
	const size_t most = sizeof(ret_armed->ids) / sizeof(*ret_armed->ids);
	char error[512];

	ret_armed->count = 0;
	for (size_t i = 0; i < player->fault_count; i++) {
		int id;

		if (player->faults[i].number != number ||
		    ret_armed->count == most)
			continue;
		id = claw_arm(player->faults[i].rule, error, sizeof(error));
		if (id >= 0)
			ret_armed->ids[ret_armed->count++] = id;
		else
			claw_player_say(player, CLAW_PLAYER_UNFIRED, "%s: %s",
					player->faults[i].rule, error);
	}
}

void claw_player_disarm(struct claw_player *player,
			const struct claw_player_armed *armed)
{
	for (unsigned int i = 0; i < armed->count; i++) {
		if (claw_fired(armed->ids[i]) == 0)
			claw_player_say(player, CLAW_PLAYER_UNFIRED, "the "
					"failure did not come about");
		claw_disarm(armed->ids[i]);
	}
}
