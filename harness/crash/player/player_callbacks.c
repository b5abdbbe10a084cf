/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the program's callbacks: the driver may call, nothing comes of
 * it. */
#include "config.h"

#include "player.h"

#include <string.h>

static uint64_t callbacks;

static void called(void)
{
	__atomic_fetch_add(&callbacks, 1, __ATOMIC_RELAXED);
}

static void CL_CALLBACK on_context(const char *text, const void *info,
				   size_t size, void *user)
{
	(void)text;
	(void)info;
	(void)size;
	(void)user;
	called();
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)status;
	(void)user;
	called();
}

/* Of programs, memory objects and contexts: an object and user data. */
static void CL_CALLBACK on_object(void *object, void *user)
{
	(void)object;
	(void)user;
	called();
}

static void CL_CALLBACK on_svm_free(cl_command_queue queue, cl_uint count,
				    void *pointers[], void *user)
{
	(void)queue;
	(void)count;
	(void)pointers;
	(void)user;
	called();
}

void claw_player_fill_callback(enum claw_api api, void *local,
			       size_t size)
{
	void (*function)(void) = (void (*)(void))on_object;

	if (claw_api_makes_context(api))
		function = (void (*)(void))on_context;
	else if (api == CLAW_API_clSetEventCallback)
		function = (void (*)(void))on_event;
	else if (api == CLAW_API_clEnqueueSVMFree)
		function = (void (*)(void))on_svm_free;
	if (size == sizeof(function))
		memcpy(local, &function, size);
}
