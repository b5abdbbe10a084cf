/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with commands: two that touch the same bytes in no order,
 * objects that go while commands use them, gates that never open.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "host_memory.h"

enum { STEPS = 64, HOST_STEPS = 128, COUNT_STEPS = 1024 };

/* ---- writing them down */

struct claw_found_entry *claw_found_list_add(struct claw_found_list *list,
					     enum claw_found_kind kind)
{
	const unsigned int room = sizeof(list->entries) /
				  sizeof(*list->entries);
	struct claw_found_entry *entry;

	if (list->count == room)
		return NULL;
	entry = &list->entries[list->count++];
	memset(entry, 0, sizeof(*entry));
	entry->kind = (uint16_t)kind;
	entry->sure = CLAW_SURE_CERTAIN;
	entry->at = entry->second = entry->third = claw_found_nowhere();
	return entry;
}

void claw_found_list_write(const struct claw_found_list *list)
{
	for (unsigned int i = 0; i < list->count; i++)
		claw_found_add(&list->entries[i]);
}

struct claw_found_place claw_command_place(const struct claw_command *command,
					   enum claw_obj object)
{
	return claw_found_place(command->site, command->api, object);
}

static struct claw_found_place made_place(enum claw_obj object, uint64_t handle,
					  uint64_t serial)
{
	struct claw_ledger_entry entry;

	if (!claw_memory_look(object, handle, &entry) || entry.serial != serial)
		return claw_found_nowhere();
	return claw_found_place(entry.site, entry.api, object);
}

static void set_name(struct claw_found_entry *entry, uint16_t name)
{
	snprintf(entry->name, sizeof(entry->name), "%s",
		 claw_kernels_name(name));
}

/* ---- no order */

static bool touches(const struct claw_access *a, const struct claw_access *b)
{
	if (a->root != b->root || a->serial != b->serial ||
	    a->where != b->where)
		return false;
	return a->where == CLAW_IN_IMAGE ? claw_box_overlaps(&a->box, &b->box) :
		claw_span_overlaps(&a->span, &b->span);
}

static bool writes(const struct claw_access *access)
{
	return access->use & (CLAW_WRITES | CLAW_MAY_WRITE);
}

/* One of them changes what the other uses. What two kernels could do is not
 * enough. */
static bool conflicts(const struct claw_access *a, const struct claw_access *b)
{
	const unsigned int any = CLAW_READS | CLAW_WRITES | CLAW_MAY_WRITE;

	return (writes(a) || writes(b)) && a->use & any && b->use & any &&
	       !(a->use & CLAW_BY_KERNEL && b->use & CLAW_BY_KERNEL);
}

static void add_unordered(const struct claw_access *later,
			  const struct claw_access *earlier,
			  struct claw_found_list *list)
{
	const struct claw_command *then = claw_command_at(later->command);
	const struct claw_command *first = claw_command_at(earlier->command);
	enum claw_obj object = later->where == CLAW_IN_SVM ? CLAW_OBJ_SVM :
		CLAW_OBJ_MEM;
	struct claw_found_entry *entry = claw_found_list_add(list,
		then->queue == first->queue ? CLAW_FOUND_UNORDERED_COMMANDS :
		CLAW_FOUND_UNORDERED);

	if (!entry)
		return;
	if ((later->use | earlier->use) & CLAW_BY_KERNEL)
		entry->sure = CLAW_SURE_LIKELY;
	entry->at = claw_command_place(then, object);
	entry->second = claw_command_place(first, object);
	entry->third = made_place(object, later->root, later->serial);
	entry->handle = later->root;
	entry->values[0] = (writes(later) ? 1 : 0) | (writes(earlier) ? 2 : 0);
	snprintf(entry->name, sizeof(entry->name), "%.31s/%.31s",
		 claw_kernels_name(then->name), claw_kernels_name(first->name));
	if (!strcmp(entry->name, "/"))
		entry->name[0] = '\0';
}

/* Against one lane; the newest that is in no order is enough. */
static bool look_in(const struct claw_access *access, unsigned int slot,
		    bool earlier_only, struct claw_found_list *list)
{
	const struct claw_command *command = claw_command_at(access->command);
	uint32_t at = claw_accesses_of(access->root, slot);

	for (unsigned int i = 0; at && i < STEPS; i++) {
		const struct claw_access *other = claw_access_at(at);
		const struct claw_command *its = claw_command_at(other->command);

		at = other->older;
		if (its->slot != slot || other->root != access->root)
			continue;
		if (claw_order_is_before(its, command))
			return false;
		if (its->gates || claw_order_is_before(command, its) ||
		    (earlier_only && its->sequence > command->sequence) ||
		    !conflicts(access, other) || !touches(access, other))
			continue;
		if (its->sequence < command->sequence)
			add_unordered(access, other, list);
		else
			add_unordered(other, access, list);
		return true;
	}
	return false;
}

/* Where it may meet what conflicts with it: lanes. */
static uint64_t lanes_to_meet(const struct claw_access *access)
{
	return access->where == CLAW_IN_HOST ? 0 :
		claw_accesses_lanes(access->root, access->use & CLAW_BY_KERNEL);
}

/* Once for each lane that it meets. */
static void look_at(const struct claw_command *command, bool earlier_only,
		    struct claw_found_list *list)
{
	uint64_t others = claw_order_busy() & ~(UINT64_C(1) << command->slot);
	uint64_t rest = 0;

	if (!others)
		return;
	for (uint32_t at = command->accesses; at; at = claw_access_at(at)->next)
		rest |= lanes_to_meet(claw_access_at(at));
	rest &= others;
	while (rest) {
		unsigned int slot = (unsigned int)__builtin_ctzll(rest);

		rest &= rest - 1;
		for (uint32_t at = command->accesses; at;
		     at = claw_access_at(at)->next)
			if (lanes_to_meet(claw_access_at(at)) >> slot & 1 &&
			    look_in(claw_access_at(at), slot, earlier_only,
				    list))
				break;
	}
}

/* What still waits for a gate may be let go only when the other is done. */
void claw_find_unordered(const struct claw_command *command,
			 struct claw_found_list *list)
{
	if (!command->gates)
		look_at(command, true, list);
}

void claw_find_opened(uint64_t bit, struct claw_found_list *list)
{
	uint64_t rest = claw_order_busy();

	while (rest) {
		unsigned int slot = (unsigned int)__builtin_ctzll(rest);

		rest &= rest - 1;
		for (uint32_t at = claw_order_oldest(slot); at;
		     at = claw_command_at(at)->next) {
			struct claw_command *command = claw_command_at(at);

			if (!(command->gates & bit))
				continue;
			command->gates &= ~bit;
			if (!command->gates)
				look_at(command, false, list);
		}
	}
}

/* ---- host memory that a command has not given back yet */

static bool is_used_early(const struct claw_access *access,
			  const struct claw_access *other)
{
	const struct claw_command *command = claw_command_at(access->command);
	const struct claw_command *its = claw_command_at(other->command);

	return its->slot != command->slot &&
	       other->use & (CLAW_WRITES | CLAW_MAPS) &&
	       !(other->use & CLAW_IN_CALL) &&
	       its->sequence < command->sequence &&
	       !(command->gates & ~its->gates) &&
	       !claw_order_is_before(its, command) &&
	       claw_span_overlaps(&access->span, &other->span);
}

static void add_used_early(const struct claw_access *access,
			   const struct claw_access *other,
			   struct claw_found_list *list)
{
	struct claw_found_entry *entry =
		claw_found_list_add(list, CLAW_FOUND_USED_EARLY);

	if (!entry)
		return;
	entry->at = claw_command_place(claw_command_at(access->command),
				       CLAW_OBJ_NONE);
	entry->second = claw_command_place(claw_command_at(other->command),
					   CLAW_OBJ_NONE);
	entry->handle = access->span.start;
	if (access->span.start > other->span.start)
		entry->values[0] = access->span.start - other->span.start;
	entry->values[1] = claw_span_end(&access->span) - access->span.start;
}

void claw_find_used_early(const struct claw_command *command,
			  struct claw_found_list *list)
{
	for (uint32_t at = command->uses_host ? command->accesses : 0; at;
	     at = claw_access_at(at)->next) {
		const struct claw_access *access = claw_access_at(at);
		uint32_t other = claw_accesses_of_host(true);

		if (access->where != CLAW_IN_HOST || access->use & CLAW_MAPS)
			continue;
		for (unsigned int i = 0; other && i < HOST_STEPS; i++) {
			if (is_used_early(access, claw_access_at(other))) {
				add_used_early(access, claw_access_at(other),
					       list);
				return;
			}
			other = claw_access_at(other)->older;
		}
	}
}

/* ---- what goes while it is in use */

uint32_t claw_find_user(enum claw_where where, uint64_t object, uint64_t root,
			uint64_t serial, uint64_t *ret_count)
{
	uint64_t rest = claw_order_busy() & claw_accesses_lanes(root, false);
	uint64_t newest = 0;
	uint32_t found = 0, last = 0;

	*ret_count = 0;
	while (rest) {
		unsigned int slot = (unsigned int)__builtin_ctzll(rest);
		uint32_t at = claw_accesses_of(root, slot);

		rest &= rest - 1;
		for (unsigned int i = 0; at && i < COUNT_STEPS; i++) {
			const struct claw_access *access = claw_access_at(at);
			const struct claw_command *command =
				claw_command_at(access->command);

			at = access->older;
			if (access->where != where || access->root != root ||
			    access->serial != serial || command->slot != slot ||
			    (object && access->object != object) ||
			    access->command == last)
				continue;
			last = access->command;
			++*ret_count;
			if (command->sequence > newest)
				found = last;
			if (command->sequence > newest)
				newest = command->sequence;
		}
	}
	return found;
}

/* Its place in the lists: a part's is its parent's. */
static uint32_t find_memory_user(const struct claw_ledger_entry *entry,
				 uint64_t *ret_count)
{
	struct claw_access access = {
		.object = entry->handle, .root = entry->handle,
		.serial = entry->serial, .where = CLAW_IN_BUFFER,
	};
	uint32_t found;

	*ret_count = 0;
	if (!claw_order_busy())
		return 0;
	claw_memory_resolve(&access);
	found = claw_find_user(CLAW_IN_BUFFER, access.object, access.root,
			       access.serial, ret_count);
	if (!found)
		found = claw_find_user(CLAW_IN_IMAGE, entry->handle,
				       entry->handle, entry->serial, ret_count);
	return found;
}

bool claw_find_is_used(const struct claw_ledger_entry *entry)
{
	uint64_t count;

	return find_memory_user(entry, &count);
}

static void add_release(const struct claw_call *call,
			const struct claw_ledger_entry *entry, uint32_t user,
			uint64_t count, struct claw_found_list *list)
{
	struct claw_found_entry *found =
		claw_found_list_add(list, CLAW_FOUND_RELEASE_PENDING);

	if (!found)
		return;
	found->at = claw_found_place(call->site, call->api, CLAW_OBJ_MEM);
	found->second = claw_command_place(claw_command_at(user), CLAW_OBJ_MEM);
	found->handle = entry->handle;
	found->values[0] = count;
	set_name(found, claw_command_at(user)->name);
}

void claw_find_release(const struct claw_call *call,
		       const struct claw_ledger_entry *entry,
		       struct claw_found_list *list)
{
	struct claw_host_buffer *buffer =
		claw_memory_find_host_buffer(entry->handle, entry->serial);
	uint64_t count;
	uint32_t user = find_memory_user(entry, &count);

	/* Its callback will tell the program that all of them are done. */
	if (claw_memory_take_callback(entry->handle)) {
		for (; user; user = find_memory_user(entry, &count))
			claw_order_complete(claw_command_at(user));
	}
	if (user)
		add_release(call, entry, user, count, list);
	if (!buffer)
		return;
	if (user && !buffer->freed) {
		buffer->released = true;
		claw_host_released();
		buffer->released_site = call->site;
	} else {
		buffer->handle = 0;
	}
}

void claw_find_svm_free(const struct claw_call *call, uint64_t start,
			struct claw_found_list *list)
{
	struct claw_access access = {
		.object = start, .where = CLAW_IN_SVM, .use = CLAW_READS,
	};
	struct claw_found_entry *found;
	uint64_t count;
	uint32_t user;

	if (!claw_memory_resolve(&access) || access.where != CLAW_IN_SVM)
		return;
	user = claw_find_user(CLAW_IN_SVM, 0, access.root, access.serial,
			      &count);
	found = user ? claw_found_list_add(list, CLAW_FOUND_FREE_PENDING) :
		NULL;
	if (!found)
		return;
	found->at = claw_found_place(call->site, call->api, CLAW_OBJ_SVM);
	found->second = claw_command_place(claw_command_at(user), CLAW_OBJ_SVM);
	found->handle = start;
	set_name(found, claw_command_at(user)->name);
}

/* ---- gates */

/* Those that wait for it; *ret_first: one that names it. */
static uint64_t count_waiting(uint64_t bit,
			      const struct claw_command **ret_first)
{
	uint64_t rest = claw_order_busy(), count = 0;
	const struct claw_command *first = NULL;

	while (rest) {
		unsigned int slot = (unsigned int)__builtin_ctzll(rest);

		rest &= rest - 1;
		for (uint32_t at = claw_order_oldest(slot); at;
		     at = claw_command_at(at)->next) {
			const struct claw_command *command =
				claw_command_at(at);

			if (!(command->gates & bit))
				continue;
			count++;
			if (command->direct_gate &&
			    (!first || command->sequence < first->sequence))
				first = command;
		}
	}
	*ret_first = first;
	return count;
}

void claw_find_abandoned(const struct claw_call *call,
			 const struct claw_event *event,
			 struct claw_found_list *list)
{
	const struct claw_command *first;
	struct claw_found_entry *entry;
	uint64_t count;

	if (!event->gate ||
	    event->gate == UINT64_C(1) << CLAW_OTHER_GATES)
		return;
	count = count_waiting(event->gate, &first);
	if (!first)
		return;
	entry = claw_found_list_add(list, CLAW_FOUND_GATE_ABANDONED);
	if (!entry)
		return;
	entry->at = claw_found_place(call->site, call->api, CLAW_OBJ_EVENT);
	entry->second = claw_command_place(first, CLAW_OBJ_NONE);
	entry->third = claw_found_place(event->site, event->api,
					CLAW_OBJ_EVENT);
	entry->handle = event->handle;
	entry->values[0] = count;
}
