/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: which of ours plays which of the capture. */
#include "config.h"

#include "player.h"

#include <stdio.h>
#include <sys/mman.h>

#include "suites/suite_device.h"

enum { MAX_DEVICES = 64 };

/* ---- devices ---------------------------------------------------------- */

/* The k-th device after the chosen one on its platform, or that one again. */
static cl_device_id other_device(const struct claw_player *player, uint32_t k)
{
	cl_device_id devices[MAX_DEVICES];
	cl_uint count = 0, at = 0;

	if (clGetDeviceIDs(player->platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES,
			   devices, &count) != CL_SUCCESS)
		return player->device;
	if (count > MAX_DEVICES)
		count = MAX_DEVICES;
	while (at < count && devices[at] != player->device)
		at++;
	return at < count && k < count ? devices[(at + k) % count] :
		player->device;
}

const char *claw_player_devices(struct claw_player *player)
{
	const struct claw_trace *trace = player->trace;
	const char *why = claw_device_find(&player->platform, &player->device);
	uint32_t device_count = 0;
	char name[256];

	if (why)
		return why;
	claw_device_text(player->device, CL_DEVICE_NAME, name, sizeof(name));
	claw_player_say(player, CLAW_PLAYER_DEVICE, "%s", name);
	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		const struct claw_trace_object *object = &trace->objects[id - 1];
		cl_device_id device;

		if (object->made_by && object->type != CLAW_OBJ_PLATFORM)
			continue;
		if (object->type == CLAW_OBJ_PLATFORM) {
			claw_player_made(player, id,
					 (uintptr_t)player->platform);
		} else if (object->type == CLAW_OBJ_DEVICE) {
			device = other_device(player, device_count);
			if (device_count > 0 && device == player->device)
				claw_player_say(player, CLAW_PLAYER_ADAPTED,
						"one device plays several");
			device_count++;
			claw_player_made(player, id, (uintptr_t)device);
		}
	}
	return NULL;
}

/* ---- handles ---------------------------------------------------------- */

/* Something that is no object: reading it is a fault, as it may have been. */
static uint64_t invalid_handle(void)
{
	static void *page;

	if (!page)
		page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	return (uintptr_t)page;
}

/* It never returned, or was refused: then the handle may be the reason. */
static bool call_failed(const struct claw_trace_call *call)
{
	return !call->returned || call->result != CL_SUCCESS;
}

bool claw_player_handle(struct claw_player *player, claw_object_id object,
			uint64_t word, uint64_t *ret_value)
{
	const struct claw_trace_call *call =
		&player->trace->calls[player->index];

	*ret_value = 0;
	if (object && object <= player->trace->object_count) {
		const struct claw_played *played = &player->objects[object - 1];

		if (!played->is_made) {
			claw_player_skip(player, "%s is not there",
				claw_trace_object_name(player->trace, object));
			return false;
		}
		*ret_value = played->value;
		return true;
	}
	if (!word)
		return true;
	if (!call_failed(call)) {
		claw_player_skip(player, "it is not known what the handle "
				 "0x%llx is", (unsigned long long)word);
		return false;
	}
	claw_player_say(player, CLAW_PLAYER_ADAPTED, "a handle that is none "
			"was passed for 0x%llx", (unsigned long long)word);
	*ret_value = invalid_handle();
	return true;
}

claw_object_id claw_player_find(const struct claw_player *player,
				enum claw_obj type, uint64_t handle,
				uint64_t *ret_offset)
{
	const struct claw_trace *trace = player->trace;
	claw_object_id found = 0;

	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		const struct claw_trace_object *object = &trace->objects[id - 1];

		if (object->type != type || handle < object->handle ||
		    (handle != object->handle &&
		     handle - object->handle >= object->bytes) ||
		    object->made_by > player->index ||
		    (type != CLAW_OBJ_SVM && handle != object->handle))
			continue;
		found = id;	/* the last one that was made by then */
	}
	if (found && ret_offset)
		*ret_offset = handle - trace->objects[found - 1].handle;
	return found;
}

void claw_player_made(struct claw_player *player, claw_object_id object,
		      uint64_t value)
{
	struct claw_played *played;

	if (!object || object > player->trace->object_count || !value)
		return;
	played = &player->objects[object - 1];
	played->is_made = true;
	played->value = value;
	played->references = 1;
}

/* ---- references ------------------------------------------------------- */

static struct claw_played *first_object(struct claw_player *player,
					const struct claw_trace_call *call,
					claw_object_id *ret_id)
{
	if (call->arg_count == 0 || call->args[0].kind != CLAW_ARG_OBJECT ||
	    call->args[0].count == 0 || !call->args[0].objects[0] ||
	    call->args[0].objects[0] > player->trace->object_count)
		return NULL;
	*ret_id = call->args[0].objects[0];
	return &player->objects[*ret_id - 1];
}

bool claw_player_may_release(struct claw_player *player,
			     const struct claw_trace_call *call)
{
	const struct claw_trace_object *object;
	const struct claw_played *played;
	claw_object_id id = 0;

	if (claw_api_table[call->api].effect != CLAW_RELEASES ||
	    player->trace->forgotten == 0)
		return true;
	played = first_object(player, call, &id);
	if (!played || played->references > 1)
		return true;
	object = &player->trace->objects[id - 1];
	return object->gone_by && player->index + 1 >= object->gone_by;
}

void claw_player_count(struct claw_player *player,
		       const struct claw_trace_call *call, bool succeeded)
{
	const enum claw_effect effect = claw_api_table[call->api].effect;
	struct claw_played *played;
	claw_object_id id = 0;

	if (!succeeded || (effect != CLAW_RETAINS && effect != CLAW_RELEASES))
		return;
	played = first_object(player, call, &id);
	if (played)
		played->references += effect == CLAW_RETAINS ? 1 : -1;
}

/* A queue that is blocked by an event which nobody will set never ends. */
void claw_player_finish(struct claw_player *player)
{
	const struct claw_trace *trace = player->trace;

	if (player->waiting_events > 0)
		return;
	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		const struct claw_played *played = &player->objects[id - 1];

		if (trace->objects[id - 1].type == CLAW_OBJ_QUEUE &&
		    played->is_made && played->references > 0)
			clFinish((cl_command_queue)(uintptr_t)played->value);
	}
}
