/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every function, called with parameters from a trace: one macro over api.def
 * and api_sig.h, and the few calls that need more than their parameters.
 */
#include "config.h"

#include "player.h"

#include <dlfcn.h>
#include <string.h>

#include "harness/base/text.h"

/* What a function returned, as a word. */
typedef uint64_t call_function(struct claw_player *player,
			       const struct claw_trace_call *call,
			       void (*function)(void));

/* ---- the functions ----------------------------------------------------- */

static bool fill_all(struct claw_player *player,
		     const struct claw_trace_call *call, void *const *locals,
		     const size_t *sizes)
{
	for (unsigned int i = 0; locals[i]; i++)
		if (!claw_player_fill(player, call, i, locals[i], sizes[i]))
			return false;
	claw_player_shorten(player, call, locals);
	return !player->why[0];
}

#define RETURNED_STATUS(call_)	(uint32_t)(call_)
#define RETURNED_HANDLE(call_)	(uintptr_t)(call_)
#define RETURNED_POINTER(call_)	(uintptr_t)(call_)
#define RETURNED_VOID(call_)	((call_), 0)
#define ADDRESS(role_, name_, ...)	(void *)&name_,
#define SIZE(role_, name_, ...)	sizeof(name_),
#define API(name_, fails_, ...)						\
static uint64_t call_##name_(struct claw_player *player,		\
			     const struct claw_trace_call *call,	\
			     void (*function)(void))			\
{									\
	CLAW_FIELDS(name_)						\
	void *const locals_[] = { CLAW_SIG(name_, ADDRESS) NULL };	\
	const size_t sizes_[] = { CLAW_SIG(name_, SIZE) 0 };		\
	uint64_t returned;						\
									\
	if (!fill_all(player, call, locals_, sizes_))			\
		return 0;						\
	returned = RETURNED_##fails_(((claw_pfn_##name_)function)	\
				     CLAW_ARGS(name_));		\
	claw_player_made(player, call->made, returned);			\
	claw_player_take(player, call, locals_);				\
	return returned;						\
}
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API

static call_function *const functions[CLAW_API_COUNT] = {
#define API(name_, ...)	[CLAW_API_##name_] = call_##name_,
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API
};

/* ---- what cannot be done ----------------------------------------------- */

/* The loader's, or the driver's for an extension. */
static void (*find_function(struct claw_player *player,
			    enum claw_api api))(void)
{
	union {
		void *object;
		void (*function)(void);
	} found = { NULL };
	const char *name = claw_api_table[api].name;

	if (!claw_api_table[api].extension)
		found.object = dlsym(RTLD_DEFAULT, name);
	if (!found.object)
		found.object = clGetExtensionFunctionAddressForPlatform(
			player->platform, name);
	if (!found.object)
		claw_player_skip(player, "%s is not there", name);
	return found.function;
}

static bool can_be_done(struct claw_player *player,
			const struct claw_trace_call *call)
{
	const char *name = claw_api_table[call->api].name;

	if (call->api == CLAW_API_clEnqueueNativeKernel)
		claw_player_skip(player, "a native kernel is the program's "
				 "own code");
	else if (claw_begins(name, "clCommand") ||
		 claw_begins(name, "clUpdateMutable"))
		claw_player_skip(player, "the parameters of %s are not kept",
				 name);
	else if (call->arg_count > claw_api_table[call->api].param_count)
		claw_player_skip(player, "it has too many parameters");
	else if (!claw_player_may_release(player, call))
		claw_player_skip(player, "a reference was taken by a call "
				 "that is not known");
	return !player->why[0];
}

/* ---- a call ------------------------------------------------------------ */

/* What has to be there before it. */
static bool prepare(struct claw_player *player,
		    const struct claw_trace_call *call)
{
	if (claw_api_is_launch(call->api))
		return claw_player_set_arguments(player, call);
	if (call->api == CLAW_API_clEnqueueUnmapMemObject ||
	    call->api == CLAW_API_clEnqueueSVMUnmap)
		for (uint32_t i = 0; i < call->arg_count; i++)
			if (call->args[i].kind == CLAW_ARG_MAPPED ||
			    call->args[i].kind == CLAW_ARG_SVM)
				claw_player_write_mapping(player, call,
							  &call->args[i]);
	return true;
}

static cl_int result_of(const struct claw_player *player,
			const struct claw_trace_call *call, uint64_t returned)
{
	switch (claw_api_table[call->api].fails_as) {
	case CLAW_STATUS:
		return (cl_int)(uint32_t)returned;
	case CLAW_HANDLE:
	case CLAW_POINTER:
		if (returned || player->errcode)
			return player->errcode;
		/* The program did not ask for the reason. */
		return call->result != CL_SUCCESS ? call->result :
			CL_INVALID_VALUE;
	case CLAW_VOID:
	default:
		return CL_SUCCESS;
	}
}

static void note_user_event(struct claw_player *player,
			    const struct claw_trace_call *call)
{
	struct claw_played *event = NULL;

	if (call->api == CLAW_API_clCreateUserEvent && call->made &&
	    player->objects[call->made - 1].is_made) {
		player->objects[call->made - 1].is_waiting = true;
		player->waiting_events++;
	}
	if (call->api == CLAW_API_clSetUserEventStatus && call->args[0].count &&
	    call->args[0].objects[0])
		event = &player->objects[call->args[0].objects[0] - 1];
	if (event && event->is_waiting) {
		event->is_waiting = false;
		player->waiting_events--;
	}
}

static void look_after(struct claw_player *player,
		       const struct claw_trace_call *call, uint64_t returned)
{
	const cl_int result = result_of(player, call, returned);

	if (call->returned && result != call->result)
		claw_player_say(player, CLAW_PLAYER_DIFFERS, "%d instead of "
				"%d", result, call->result);
	claw_player_count(player, call, result == CL_SUCCESS);
	if (result != CL_SUCCESS)
		return;
	note_user_event(player, call);
	if (call->api == CLAW_API_clSetKernelArg ||
	    call->api == CLAW_API_clSetKernelArgSVMPointer)
		claw_player_argument_set(player, call);
	if (claw_begins(claw_api_table[call->api].name, "clEnqueueRead"))
		claw_player_read_done(player, call);
}

void claw_player_play(struct claw_player *player, uint32_t index)
{
	const struct claw_trace_call *call = &player->trace->calls[index];
	struct claw_player_armed armed = { .count = 0 };
	void (*function)(void) = NULL;
	uint64_t returned = 0;

	player->index = index;
	player->why[0] = '\0';
	player->errcode = CL_SUCCESS;
	if (call->api >= CLAW_API_COUNT)
		return;		/* an event's status: it comes by itself */
	player->arena = claw_arena_new();
	if (can_be_done(player, call) && prepare(player, call))
		function = find_function(player, call->api);
	if (function) {
		claw_player_arm(player, index + 1, &armed);
		returned = functions[call->api](player, call, function);
		claw_player_disarm(player, &armed);
	}
	if (player->why[0])
		claw_player_say(player, CLAW_PLAYER_SKIPPED, "%s",
				player->why);
	else
		look_after(player, call, returned);
	claw_arena_free(player->arena);
	player->arena = NULL;
}
