/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose call is it that comes through a driver's table: the program's, the
 * loader's while it starts, or the driver's own?
 */
#include "config.h"

#include "icd.h"

#include <pthread.h>
#include <unwind.h>

struct claw_icd_look claw_icd_look;

/*
 * While the loader starts it asks the drivers what they are, through the
 * tables that are ours by then. Its own calls return into it, from below the
 * program's call that made it start; where that call's return address lies on
 * the stack, another one lies as soon as it has returned.
 */
static struct {
	uint32_t is_on;
	pthread_t thread;
	uintptr_t low, bytes;		/* the loader's code */
	const uintptr_t *place;		/* NULL: could not be found */
	uintptr_t pc;
} starting;

static bool is_in_loader(const void *pc)
{
	return (uintptr_t)pc - starting.low < starting.bytes;
}

/* The last frame that returns into the loader, then the one behind it. */
struct walk {
	bool in_loader;
	const uintptr_t *place;
	uintptr_t pc;
};

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context,
				      void *user)
{
	struct walk *walk = user;
	uintptr_t pc = _Unwind_GetIP(context);

	if (!pc)
		return _URC_END_OF_STACK;
	if (is_in_loader((const void *)pc)) {
		walk->in_loader = true;
	} else if (walk->in_loader) {
		/* A call pushes the address that it returns to just below the
		 * frame of its caller. */
		walk->in_loader = false;
		walk->pc = pc;
		walk->place = (const uintptr_t *)_Unwind_GetCFA(context) - 1;
	}
	return _URC_NO_REASON;
}

void claw_icd_note_loader(const void *caller)
{
	struct walk walk = { .place = NULL };
	struct claw_site site;

	claw_icd_code_of(caller, &starting.low, &starting.bytes);
	claw_site_capture(&site);	/* learns what has been loaded since */
	_Unwind_Backtrace(take_frame, &walk);
	if (walk.place && *walk.place == walk.pc) {
		starting.place = walk.place;
		starting.pc = walk.pc;
	} else {
		starting.place = NULL;
	}
	starting.thread = pthread_self();
	__atomic_store_n(&starting.is_on, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&claw_icd_look.always, 1, __ATOMIC_RELEASE);
}

static bool is_the_loaders(enum claw_api api, const void *caller)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (!is_in_loader(caller) ||
	    !(claw_api_table[api].groups & CLAW_G_QUERY))
		return false;
	return !starting.place || (here < (uintptr_t)starting.place &&
				   *starting.place == starting.pc);
}

/* From the program's first call on, one comparison a call is enough. */
static void end_start(void)
{
	__atomic_store_n(&starting.is_on, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&claw_icd_look.always, claw_icd_look.adopts ||
			 claw_icd_table_count > 1, __ATOMIC_RELAXED);
}

bool claw_icd_is_own(enum claw_api api, const void *caller)
{
	for (unsigned int i = 0; i < claw_icd_table_count; i++)
		if ((uintptr_t)caller - claw_icd_tables[i].low <
		    claw_icd_tables[i].bytes)
			return true;
	if (!__atomic_load_n(&starting.is_on, __ATOMIC_ACQUIRE))
		return false;
	if (pthread_equal(starting.thread, pthread_self()) &&
	    is_the_loaders(api, caller))
		return true;
	end_start();
	return false;
}
