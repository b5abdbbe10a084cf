/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of functions: a thread's frame that is gone while a command uses what
 * was in it.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>

#include "faults/shared/compat.h"
#include "host_memory.h"

enum {
	FAR = 64 << 20,		/* no stack is that large, as a rule */
	STEPS = 4096,
};

__thread uint32_t claw_host_frames_used;

/* This thread's stack. */
static __thread struct {
	uintptr_t low, high;	/* high 0: not looked up; 1: not known */
} self __attribute__((tls_model(CLAW_TLS_MODEL)));

CLAW_OLD_SYMBOL(pthread_getattr_np);
CLAW_OLD_SYMBOL(pthread_attr_getstack);

static void look_up_stack(void)
{
	pthread_attr_t attributes;
	int saved = errno;
	size_t bytes = 0;
	void *low = NULL;

	self.high = 1;
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
			self.low = (uintptr_t)low;
			self.high = (uintptr_t)low + bytes;
		}
		pthread_attr_destroy(&attributes);
	}
	errno = saved;
}

/* On a stack of another kind (a coroutine's, a signal's) nothing is said. */
static bool is_own_stack(uintptr_t address)
{
	return address >= self.low && address < self.high;
}

bool claw_host_is_on_stack(const struct claw_call *call, uint64_t start)
{
	uintptr_t here = (uintptr_t)call->args;

	if (start < here || start - here > FAR)
		return false;
	if (!self.high)
		look_up_stack();
	return is_own_stack(start) && is_own_stack(here);
}

bool claw_host_own_stack(uintptr_t *ret_low, uintptr_t *ret_high)
{
	if (!self.high)
		look_up_stack();
	*ret_low = self.low;
	*ret_high = self.high;
	return self.high > 1;
}

void claw_host_frame_used(void)
{
	claw_host_frames_used++;
}

static void add_frame(struct claw_found_list *list,
		      const struct claw_access *access,
		      struct claw_command *command)
{
	struct claw_found_entry *entry =
		claw_found_list_add(list, CLAW_FOUND_FRAME_GONE);

	command->no_source = true;
	if (!entry)
		return;
	entry->at = claw_command_place(command, CLAW_OBJ_NONE);
	entry->handle = access->span.start;
	entry->values[0] = claw_span_end(&access->span) - access->span.start;
}

/* What lies lower than a parameter of this call is in no frame that the
 * program still has. Returns how many are higher. */
static uint32_t look_in(uint32_t at, uintptr_t here,
			struct claw_found_list *list)
{
	uint32_t thread = claw_journal_thread_number(), left = 0;

	for (unsigned int i = 0; at && i < STEPS; i++) {
		struct claw_access *access = claw_access_at(at);
		struct claw_command *command = claw_command_at(access->command);

		at = access->older;
		if (!(access->use & CLAW_ON_STACK) || command->thread != thread)
			continue;
		if (access->span.start >= here) {
			left++;
			continue;
		}
		access->use &= (uint8_t)~CLAW_ON_STACK;
		add_frame(list, access, command);
	}
	return left;
}

void claw_host_frames_look(struct claw_call *call)
{
	struct claw_found_list list;
	uintptr_t here = (uintptr_t)call->args;

	claw_found_list_begin(&list);
	if (__builtin_expect(!claw_host_frames_used, 1) || !is_own_stack(here) ||
	    !claw_commands_enter())
		return;
	claw_host_frames_used = look_in(claw_accesses_of_host(false), here, &list) +
		look_in(claw_accesses_of_host(true), here, &list);
	claw_commands_leave();
	if (!list.count)
		return;
	if (!call->site)
		call->site = claw_found_here(call->api, CLAW_OBJ_NONE).site;
	for (unsigned int i = 0; i < list.count; i++)
		list.entries[i].second = claw_found_place(call->site, call->api,
							  CLAW_OBJ_NONE);
	claw_found_list_write(&list);
}
