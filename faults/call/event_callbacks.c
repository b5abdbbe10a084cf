/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks of events: who is to know that the driver makes one, before the
 * program does.
 */
#include "config.h"

#include "event_callbacks.h"

#include "callback_places.h"

typedef void (CL_CALLBACK *claw_notify)(cl_event event, cl_int status,
					void *user);

enum { LISTENERS = 8 };

static claw_event_told *listeners[LISTENERS];

void claw_event_callbacks_begin(claw_event_told *told)
{
	unsigned int i = 0;

	claw_callback_places_begin();
	while (listeners[i] && listeners[i] != told)
		i++;
	listeners[i] = told;
}

/* Within a call of the guest's own the program's function is still its own. */
static void CL_CALLBACK on_event(cl_event event, cl_int status, void *name)
{
	claw_any_notify notify;
	void *user;

	if (!claw_callback_place_give_back(name, &notify, &user))
		return;
	for (unsigned int i = 0; listeners[i]; i++)
		listeners[i](event, status);

	unsigned int depth = claw_ours_leave();

	((claw_notify)notify)(event, status, user);
	claw_ours_return(depth);
}

bool claw_event_callbacks_wrap(struct claw_call *call)
{
	claw_notify *notify =
		CLAW_ARG_PLACE(call, clSetEventCallback, pfn_notify);
	void **user = CLAW_ARG_PLACE(call, clSetEventCallback, user_data);
	void *name;

	if (!*notify || *notify == on_event)
		return true;	/* the driver will refuse it; it is ours */
	name = claw_callback_place_take((claw_any_notify)*notify, *user);
	if (!name)
		return false;
	*notify = on_event;
	*user = name;
	return true;
}

void claw_event_callbacks_end(struct claw_call *call)
{
	claw_notify *notify =
		CLAW_ARG_PLACE(call, clSetEventCallback, pfn_notify);
	void **user = CLAW_ARG_PLACE(call, clSetEventCallback, user_data);
	claw_any_notify given;

	if (*notify == on_event && call->err &&
	    claw_callback_place_give_back(*user, &given, user))
		*notify = (claw_notify)given;
}
