/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends: releases, retains of what has ended, frees and unmaps, and the graves
 * that they leave. The ledger alone knows which release of several threads'
 * is the last one; what has to be found out before it is told, is kept for
 * the thread until then.
 */
#include "config.h"

#include "life_private.h"

#include <string.h>

#include "hold_back.h"
#include "faults/ledger/ledger_turn.h"
#include "faults/journal/site_cache.h"

enum { NESTED = 8 };

static __thread struct {
	const void *handle;	/* whose release may be held back, or NULL */
	uint64_t bytes;
	/* What the driver is destroying on this thread, inside of each other: a
	 * destructor's callback may come now. */
	const void *dying[NESTED];
	unsigned int dying_count;
} self __attribute__((tls_model(CLAW_TLS_MODEL)));

enum kind { NOTHING, RELEASE, RETAIN, FREE, FREE_LIST, UNMAP };

static enum kind kind_of(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	if (api == CLAW_API_clEnqueueSVMFree)
		return FREE_LIST;
	if (api == CLAW_API_clEnqueueUnmapMemObject)
		return UNMAP;
	if (info->effect == CLAW_RETAINS)
		return RETAIN;
	if (info->effect == CLAW_RELEASES)
		return info->object == CLAW_OBJ_SVM ? FREE : RELEASE;
	return NOTHING;
}

/* What the call ends, and of which class it is. */
static const void *handle_of(const struct claw_call *call,
			     enum claw_obj *ret_object)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	switch (kind_of(call->api)) {
	case UNMAP:
		*ret_object = CLAW_OBJ_MAPPING;
		return CLAW_ARG(call, clEnqueueUnmapMemObject, mapped_ptr);
	case FREE:
		*ret_object = CLAW_OBJ_SVM;
		return CLAW_ARG_AT(call, void *, info->param_count - 1);
	case RELEASE: case RETAIN:
		*ret_object = info->object;
		return CLAW_ARG_FIRST(call);
	default:
		*ret_object = CLAW_OBJ_NONE;
		return NULL;
	}
}

/* ---- before */

static struct claw_found_entry begin_found(const struct claw_call *call,
					   enum claw_found_kind kind,
					   enum claw_obj object,
					   const void *handle)
{
	return (struct claw_found_entry){
		.kind = (uint16_t)kind,
		.at = claw_found_here(call->api, object),
		.second = claw_found_nowhere(),
		.third = claw_found_nowhere(),
		.handle = (uintptr_t)handle,
	};
}

static bool is_dying(const void *handle)
{
	for (unsigned int i = 0; i < self.dying_count && i < NESTED; i++)
		if (self.dying[i] == handle)
			return true;
	return false;
}

/* A reference more or less of what has none. */
static void accuse_ended(struct claw_call *call, enum claw_found_kind kind,
			 enum claw_obj object, const void *handle,
			 const struct claw_ledger_entry *entry,
			 const struct claw_grave *grave)
{
	struct claw_found_entry found = begin_found(call, kind, object, handle);
	int role = claw_api_table[call->api].roles[0];

	claw_life_place(&found, entry, grave);
	if (kind == CLAW_FOUND_RETAIN_RELEASED)
		found.values[0] = is_dying(handle);
	if (!entry && !claw_life_is_certain(grave))
		found.sure = CLAW_SURE_LIKELY;
	claw_life_accuse(call, &found,
			 object == CLAW_OBJ_SVM ? CL_INVALID_VALUE :
			 claw_handles_code((enum claw_role)role),
			 CLAW_ANSWER_ALWAYS);
}

/* Everything about the last release but whether it is that. */
static void prepare(const void *handle, struct claw_ledger_entry *entry)
{
	uint64_t bytes;

	if (!claw_life_may_wait(entry, &bytes))
		return;
	if (entry->object == CLAW_OBJ_QUEUE) {
		/* A release flushes, and the driver is not told of it yet. It
		 * may call the program back. */
		claw_next.clFlush((cl_command_queue)(uintptr_t)handle);
		if (!claw_ledger_copy(CLAW_OBJ_QUEUE, handle, entry) ||
		    !claw_life_may_wait(entry, &bytes))
			return;
	}
	self.handle = handle;
	self.bytes = bytes;
}

static __attribute__((noinline)) void
check_ended(struct claw_call *call, enum claw_found_kind kind,
	    enum claw_obj object, const void *handle,
	    const struct claw_ledger_entry *entry)
{
	struct claw_grave grave;
	bool has_grave;

	if (entry && entry->object != object && entry->references) {
		claw_life_check_wrong_type(call, object, entry, 0,
			claw_handles_code((enum claw_role)
				claw_api_table[call->api].roles[0]));
		return;
	}
	has_grave = claw_graves_find(object, handle, &grave);
	if (entry && entry->object == object)
		accuse_ended(call, kind, object, handle, entry,
			     has_grave ? &grave : NULL);
	else if (has_grave &&
		 (grave.object == object || claw_hold_back_has(grave.ticket)))
		accuse_ended(call, kind, object, handle, NULL, &grave);
}

static void check_release(struct claw_call *call, enum claw_obj object,
			  const void *handle)
{
	struct claw_ledger_entry entry;
	bool known = claw_ledger_copy(object, handle, &entry);

	self.handle = NULL;
	if (!known || entry.object != object || !entry.references)
		check_ended(call, CLAW_FOUND_RELEASE_RELEASED, object, handle,
			    known ? &entry : NULL);
	else if (entry.references == 1 && claw_class_of(object) == 0)
		prepare(handle, &entry);
}

/* The program may retain what it has no reference to, if it was given the
 * handle again. What is held back is its own again. */
static bool is_given_again(struct claw_call *call, enum claw_obj object,
			   const void *handle,
			   const struct claw_ledger_entry *entry)
{
	struct claw_grave grave;
	bool has = claw_graves_find(object, handle, &grave);
	uint8_t flags = entry ? entry->flags : has ? grave.flags : 0;

	if (!(flags & (CLAW_LEDGER_LENT | CLAW_LEDGER_NOTIFIED)))
		return false;
	if (has && entry && grave.serial == entry->serial &&
	    claw_hold_back_cancel(grave.ticket)) {
		call->injected = call->held = true;
		call->err = CL_SUCCESS;
	}
	claw_graves_remove(object, handle);
	return true;
}

static void check_retain(struct claw_call *call, enum claw_obj object,
			 const void *handle)
{
	struct claw_ledger_entry entry;
	bool known = claw_ledger_copy(object, handle, &entry);

	if (known && entry.object == object && entry.references)
		return;
	if ((!known || entry.object == object) &&
	    is_given_again(call, object, handle, known ? &entry : NULL))
		return;
	check_ended(call, CLAW_FOUND_RETAIN_RELEASED, object, handle,
		    known ? &entry : NULL);
}

static void check_list(struct claw_call *call)
{
	void *const *list;
	cl_uint count = claw_call_freed(call, &list);

	for (cl_uint i = 0; i < count; i++)
		if (list[i])
			check_release(call, CLAW_OBJ_SVM, list[i]);
}

void claw_life_check_ends(struct claw_call *call)
{
	enum kind kind = kind_of(call->api);
	enum claw_obj object;
	const void *handle;

	if (kind == NOTHING)
		return;
	handle = handle_of(call, &object);
	if (kind == FREE_LIST)
		check_list(call);
	else if (!handle)
		return;
	else if (kind == RETAIN)
		check_retain(call, object, handle);
	else if (kind == UNMAP)
		claw_life_check_unmap(call, handle);
	else
		check_release(call, object, handle);
}

/* ---- the last release */

static struct claw_grave grave_of(enum claw_api api,
				  const struct claw_ledger_entry *entry,
				  const void *handle)
{
	return (struct claw_grave){
		.handle = claw_number(handle),
		.serial = entry->serial,
		.parent = entry->parent,
		.made_site = entry->site,
		.made_api = entry->api,
		.api = (uint16_t)api,
		.object = entry->object,
		.flags = entry->flags,
	};
}

static uint32_t site_of(const struct claw_call *call)
{
	return call->site ? call->site : claw_site_cached();
}

/* The pointers of a list are not gone yet for the ledger. */
static void bury_list(const struct claw_call *call)
{
	void *const *list;
	cl_uint count = claw_call_freed(call, &list);
	struct claw_ledger_entry entry;
	uint32_t site = count ? site_of(call) : 0;

	for (cl_uint i = 0; i < count; i++)
		if (claw_ledger_copy(CLAW_OBJ_SVM, list[i], &entry) &&
		    !entry.references) {
			struct claw_grave grave = grave_of(call->api, &entry,
							   list[i]);

			grave.site = site;
			claw_graves_add(&grave);
		}
}

/* Held back, or about to be destroyed. */
static void end_object(struct claw_call *call, struct claw_grave *grave,
		       const void *handle)
{
	if (self.handle == handle)
		grave->ticket = claw_hold_back_add(&(struct claw_held){
			.handle = grave->handle,
			.bytes = self.bytes,
			.api = (uint16_t)call->api,
			.object = grave->object,
		});
	self.handle = NULL;
	claw_found_count(grave->ticket ? CLAW_COUNT_HELD_BACK :
			 CLAW_COUNT_NOT_HELD, 1);
	if (grave->ticket) {
		call->injected = call->held = true;
		call->err = CL_SUCCESS;
	} else {
		if (grave->object == CLAW_OBJ_MEM)
			claw_hold_back_end_keepers();
		if (self.dying_count < NESTED)
			self.dying[self.dying_count] = handle;
		self.dying_count++;
	}
}

/* The program has less of the device's memory. */
static void lose(const struct claw_ledger_entry *entry)
{
	if (entry->object == CLAW_OBJ_MEM &&
	    !(entry->flags & (CLAW_LEDGER_SUB | CLAW_LEDGER_HOST_PTR)))
		claw_hold_back_lose(entry->bytes);
}

bool claw_life_hold(enum claw_api api, const struct claw_ledger_entry *entry,
		    uint64_t bytes)
{
	enum claw_obj object = (enum claw_obj)entry->object;
	const void *handle = (const void *)(uintptr_t)entry->handle;
	struct claw_grave grave = grave_of(api, entry, handle);
	struct claw_ledger_entry ended;

	grave.site = claw_site_cached();
	grave.ticket = claw_hold_back_add(&(struct claw_held){
		.handle = entry->handle, .bytes = bytes,
		.api = (uint16_t)api, .object = entry->object,
	});
	if (!grave.ticket)
		return false;
	if (!claw_ledger_releasing_last(object, handle, entry->serial, &ended)) {
		/* Another thread has retained it, or released it. */
		if (claw_hold_back_cancel(grave.ticket))
			return false;
		claw_ledger_releasing(object, handle, &ended);
		return true;
	}
	claw_found_count(CLAW_COUNT_HELD_BACK, 1);
	lose(entry);
	claw_graves_add(&grave);
	return true;
}

void claw_life_releasing(struct claw_call *call)
{
	const struct claw_ledger_entry *entry = claw_ledger_last(call);
	struct claw_grave grave;
	enum claw_obj object;
	const void *handle;

	if (call->api == CLAW_API_clEnqueueSVMFree)
		bury_list(call);
	handle = handle_of(call, &object);
	if (object == CLAW_OBJ_MAPPING && claw_life_keep_mapping(call, entry))
		return;
	if (!entry)
		return;
	grave = grave_of(call->api, entry, handle);
	lose(entry);
	grave.site = site_of(call);
	if (claw_class_of(object) == 0)
		end_object(call, &grave, handle);
	claw_graves_add(&grave);
}

/* ---- after */

static void end_dying(const void *handle)
{
	unsigned int last = self.dying_count - 1;

	if (self.dying_count &&
	    (last >= NESTED || self.dying[last] == handle))
		self.dying_count = last;
}

void claw_life_ended(struct claw_call *call)
{
	enum kind kind = kind_of(call->api);
	enum claw_obj object;
	const void *handle;
	void *const *list;
	cl_uint count;

	if (kind == NOTHING || kind == RETAIN)
		return;
	if (call->held) {
		claw_hold_back_settle();
		return;
	}
	handle = handle_of(call, &object);
	if (kind == RELEASE)
		end_dying(handle);
	if (!call->err)
		return;
	if (handle)
		claw_graves_remove(object, handle);
	count = kind == FREE_LIST ? claw_call_freed(call, &list) : 0;
	for (cl_uint i = 0; i < count; i++)
		claw_graves_remove(CLAW_OBJ_SVM, list[i]);
}
