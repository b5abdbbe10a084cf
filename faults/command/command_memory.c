/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What has to be known of memory beyond the ledger: where a part of a buffer
 * begins, which buffers live in the program's own memory, where shared memory
 * is.
 */
#include "config.h"

#include <string.h>

#include "host_memory.h"

enum {
	PARTS = 4096, WAYS = 4, HOST_BUFFERS = 1024, SHARED = 1024,
	CALLBACKS = 256,
};

struct part {
	uint64_t handle, serial;
	uint64_t root, root_serial;
	uint64_t origin;
};

struct shared {
	uint64_t start, bytes, serial;	/* bytes 0: free */
};

static struct {
	struct part parts[PARTS];
	struct claw_host_buffer buffers[HOST_BUFFERS];
	struct shared shared[SHARED];
	uint64_t callbacks[CALLBACKS];	/* memory objects that have one */
	unsigned int buffer_count, shared_count;	/* in use or used once */
	unsigned int callback_count;
	unsigned int turn;
	bool has_parts;
	bool lost;		/* there was no room for some: all may be special */
	bool watched;
} own;

void claw_memory_begin(void)
{
	if (own.has_parts)
		memset(own.parts, 0, sizeof(own.parts));
	own.buffer_count = own.shared_count = own.callback_count = 0;
	own.has_parts = own.lost = own.watched = false;
}

bool claw_memory_look(enum claw_obj object, uint64_t handle,
		      struct claw_ledger_entry *ret_entry)
{
	return claw_ledger_copy(object, (const void *)(uintptr_t)handle,
				ret_entry) && ret_entry->object == object;
}

/* ---- parts of buffers */

static struct part *ways_of(uint64_t handle)
{
	uint64_t mix = handle * UINT64_C(0x9e3779b97f4a7c15);

	return &own.parts[(mix >> 52) & ~(uint64_t)(WAYS - 1)];
}

static void add_part(const struct claw_ledger_entry *entry,
		     const struct claw_ledger_entry *parent, uint64_t origin)
{
	struct part *way = ways_of(entry->handle);
	unsigned int i = 0;

	while (i < WAYS && way[i].handle && way[i].handle != entry->handle)
		i++;
	if (i == WAYS)
		i = own.turn++ % WAYS;
	own.has_parts = true;
	way[i] = (struct part){
		.handle = entry->handle, .serial = entry->serial,
		.root = parent->handle, .root_serial = parent->serial,
		.origin = origin,
	};
}

static const struct part *find_part(uint64_t handle, uint64_t serial)
{
	const struct part *way = ways_of(handle);

	for (unsigned int i = 0; i < WAYS; i++)
		if (way[i].handle == handle && way[i].serial == serial)
			return &way[i];
	return NULL;
}

/* ---- shared memory */

static struct shared *find_shared(uint64_t address)
{
	for (unsigned int i = 0; i < own.shared_count; i++) {
		struct shared *shared = &own.shared[i];

		if (address - shared->start < shared->bytes)
			return shared;
	}
	return NULL;
}

static void add_shared(uint64_t start, uint64_t bytes, uint64_t serial)
{
	unsigned int i = 0;

	claw_memory_svm_freed(start);	/* whoever was there is gone */
	while (i < own.shared_count && own.shared[i].bytes)
		i++;
	if (i == SHARED) {
		own.lost = true;
		return;
	}
	own.shared[i] = (struct shared){ start, bytes, serial };
	if (i == own.shared_count)
		own.shared_count++;
}

void claw_memory_svm_freed(uint64_t start)
{
	struct shared *shared = find_shared(start);

	if (shared && shared->start == start)
		shared->bytes = 0;
}

bool claw_memory_is_watched(void)
{
	return own.watched;
}

void claw_memory_system_svm(void)
{
	own.lost = own.watched = true;
}

/* ---- buffers in the program's memory */

struct claw_host_buffer *claw_memory_host_buffer(unsigned int i)
{
	return i < own.buffer_count ? &own.buffers[i] : NULL;
}

struct claw_host_buffer *claw_memory_find_host_buffer(uint64_t handle,
						      uint64_t serial)
{
	for (unsigned int i = 0; i < own.buffer_count; i++)
		if (own.buffers[i].handle == handle &&
		    own.buffers[i].serial == serial)
			return &own.buffers[i];
	return NULL;
}

static void add_buffer(const struct claw_ledger_entry *entry, const void *host)
{
	unsigned int i = 0;

	while (i < own.buffer_count && own.buffers[i].handle)
		i++;
	if (i == HOST_BUFFERS) {
		own.lost = true;
		return;
	}
	own.buffers[i] = (struct claw_host_buffer){
		.handle = entry->handle, .serial = entry->serial,
		.start = claw_number(host), .bytes = entry->bytes,
		.site = entry->site, .api = entry->api,
	};
	if (i == own.buffer_count)
		own.buffer_count++;
	claw_host_watch(claw_number(host), entry->bytes);
}

/* ---- destructor callbacks */

void claw_memory_has_callback(uint64_t handle)
{
	unsigned int i = 0;

	while (i < own.callback_count && own.callbacks[i] &&
	       own.callbacks[i] != handle)
		i++;
	if (i == CALLBACKS)
		return;		/* full: all are taken to have one */
	own.callbacks[i] = handle;
	if (i == own.callback_count)
		own.callback_count++;
}

bool claw_memory_take_callback(uint64_t handle)
{
	if (own.callback_count == CALLBACKS)
		return true;
	for (unsigned int i = 0; i < own.callback_count; i++)
		if (own.callbacks[i] == handle) {
			own.callbacks[i] = 0;
			return true;
		}
	return false;
}

/* ---- all of them */

static void memory_object_made(const struct claw_call *call,
			       const struct claw_ledger_entry *entry)
{
	const cl_buffer_region *region;
	struct claw_ledger_entry parent;
	const void *host = claw_arg_pointer(call, CLAW_P_HOST_PTR);

	if (claw_api_makes_part(call->api)) {
		region = claw_arg_pointer(call, CLAW_P_PART);
		if (!region || !claw_memory_look(CLAW_OBJ_MEM, entry->parent,
						 &parent) ||
		    !claw_commands_enter())
			return;
		add_part(entry, &parent, region->origin);
		claw_commands_leave();
	} else if (host && entry->mem_flags & CL_MEM_USE_HOST_PTR &&
		   claw_commands_enter()) {
		add_buffer(entry, host);
		claw_commands_leave();
	}
}

void claw_memory_created(const struct claw_call *call)
{
	enum claw_obj object = claw_api_table[call->api].object;
	struct claw_ledger_entry entry;

	if (!claw_memory_look(object, claw_number(call->ret), &entry))
		return;
	if (object == CLAW_OBJ_MEM) {
		memory_object_made(call, &entry);
	} else if (claw_commands_enter()) {
		add_shared(entry.handle, entry.bytes, entry.serial);
		claw_host_mappings_freed(entry.handle,
					 entry.handle + entry.bytes);
		if (call->api == CLAW_API_clSVMAlloc &&
		    CLAW_ARG(call, clSVMAlloc, flags) &
		    CL_MEM_SVM_FINE_GRAIN_BUFFER)
			own.watched = true;
		claw_commands_leave();
	}
}

bool claw_memory_resolve(struct claw_access *access)
{
	const struct shared *shared;
	const struct part *part;

	if (access->where == CLAW_IN_SVM) {
		shared = find_shared(access->object);
		if (shared) {
			access->root = shared->start;
			access->serial = shared->serial;
			return true;
		}
		if (access->use & CLAW_BY_KERNEL)
			claw_memory_system_svm();
		/* A host pointer where shared memory could be, too. */
		access->where = CLAW_IN_HOST;
		return !(access->use & CLAW_BY_KERNEL) &&
		       access->use & (CLAW_READS | CLAW_WRITES);
	}
	if (access->where != CLAW_IN_BUFFER || !own.has_parts)
		return true;
	part = find_part(access->object, access->serial);
	if (part) {
		access->root = part->root;
		access->serial = part->root_serial;
		access->span.start += part->origin;
	}
	return true;
}

bool claw_memory_is_special(uint64_t start, uint64_t bytes)
{
	uint64_t end = start + bytes;

	if (own.lost)
		return true;
	for (unsigned int i = 0; i < own.shared_count; i++)
		if (own.shared[i].start < end &&
		    start < own.shared[i].start + own.shared[i].bytes)
			return true;
	for (unsigned int i = 0; i < own.buffer_count; i++)
		if (own.buffers[i].handle && own.buffers[i].start < end &&
		    start < own.buffers[i].start + own.buffers[i].bytes)
			return true;
	return false;
}
