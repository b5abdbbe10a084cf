/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels' arguments. A launch has all of them as they were, so that what the
 * ring forgot does not matter; only what differs from what is set is set.
 */
#include "config.h"

#include "player.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { MAX_ARGUMENTS = 1024, VALUE_BYTES = 4096 };

struct argument {
	bool is_set, has_value, is_svm;
	size_t size;
	unsigned char *value;
};

struct claw_played_kernel {
	struct argument arguments[MAX_ARGUMENTS];
};

static struct argument *find_argument(struct claw_player *player,
				      claw_object_id kernel, uint32_t index)
{
	struct claw_played *played;

	if (!kernel || kernel > player->trace->object_count ||
	    index >= MAX_ARGUMENTS)
		return NULL;
	played = &player->objects[kernel - 1];
	if (!played->kernel)
		played->kernel = claw_calloc(1, sizeof(*played->kernel));
	return &played->kernel->arguments[index];
}

static bool is_same(const struct argument *argument, size_t size,
		    const void *value, bool is_svm)
{
	return argument->is_set && argument->size == size &&
		argument->is_svm == is_svm &&
		argument->has_value == (value != NULL) &&
		(!value || size == 0 ||
		 memcmp(argument->value, value, size) == 0);
}

static void remember(struct argument *argument, size_t size,
		     const void *value, bool is_svm)
{
	unsigned char *copy = value ? claw_malloc(size + 1) : NULL;

	free(argument->value);
	*argument = (struct argument) {
		.is_set = true, .has_value = copy != NULL,
		.is_svm = is_svm, .size = size, .value = copy,
	};
	if (copy && size)
		memcpy(copy, value, size);
}

void claw_player_argument_set(struct claw_player *player,
			      const struct claw_trace_call *call)
{
	struct argument *argument;

	if (call->arg_count < 2 || call->args[0].count == 0)
		return;
	/* The next launch sets it again where it has to: nothing is known of
	 * it that way. */
	argument = find_argument(player, call->args[0].objects[0],
				 (uint32_t)call->args[1].word);
	if (argument)
		argument->is_set = false;
}

/* ---- a launch ---------------------------------------------------------- */

/* The value as the driver is to get it; NULL: local memory. */
static bool find_value(struct claw_player *player,
		       const struct claw_trace_kernel_arg *arg,
		       unsigned char *room, const void **ret_value)
{
	uint64_t handle;

	*ret_value = room;
	if (arg->is_local) {
		*ret_value = NULL;
		return true;
	}
	/* The sizes are the dump's to say, the room is ours. */
	if (arg->value ? arg->is_svm && arg->size < sizeof(void *) :
	    arg->size > VALUE_BYTES) {
		claw_player_skip(player, "argument %u is not known",
				 arg->index);
		return false;
	}
	memset(room, 0, VALUE_BYTES);
	if (arg->is_null)
		return true;
	if (arg->object) {
		if (!claw_player_handle(player, arg->object, 0, &handle))
			return false;
		handle += arg->offset;
		memcpy(room, &handle, sizeof(handle));
		return true;
	}
	if (arg->value) {
		*ret_value = arg->value;
		return true;
	}
	if (arg->is_svm) {
		claw_player_skip(player, "argument %u is not known",
				 arg->index);
		return false;
	}
	claw_player_say(player, CLAW_PLAYER_MADE_UP, "argument %u of the "
			"kernel: %llu bytes of 0", arg->index,
			(unsigned long long)arg->size);
	player->is_incomplete = true;
	return true;
}

static bool set_argument(struct claw_player *player, claw_object_id kernel,
			 const struct claw_trace_kernel_arg *arg)
{
	struct argument *argument = find_argument(player, kernel, arg->index);
	cl_kernel handle =
		(cl_kernel)(uintptr_t)player->objects[kernel - 1].value;
	unsigned char room[VALUE_BYTES];
	const void *value;
	void *pointer;
	cl_int err;

	if (!argument || !find_value(player, arg, room, &value))
		return false;
	if (is_same(argument, arg->size, value, arg->is_svm))
		return true;
	if (arg->is_svm) {
		memcpy(&pointer, value, sizeof(pointer));
		err = clSetKernelArgSVMPointer(handle, arg->index, pointer);
	} else {
		err = clSetKernelArg(handle, arg->index, arg->size, value);
	}
	if (err == CL_SUCCESS)
		remember(argument, arg->size, value, arg->is_svm);
	return true;	/* if it was refused the launch says so */
}

bool claw_player_set_arguments(struct claw_player *player,
			       const struct claw_trace_call *call)
{
	claw_object_id kernel = claw_trace_launched(call);

	if (!kernel || kernel > player->trace->object_count ||
	    !player->objects[kernel - 1].is_made)
		return true;	/* its own parameters say why */
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg =
			&call->kernel_args[i];

		if (!set_argument(player, kernel, arg))
			return false;
		if (arg->before && arg->object && player->is_incomplete &&
		    player->trace->objects[arg->object - 1].type ==
		    CLAW_OBJ_MEM) {
			claw_player_finish(player);
			claw_player_fill_object(player, arg->object,
						arg->before, false);
		}
	}
	return true;
}
