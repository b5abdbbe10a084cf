/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory that goes while a command or a buffer uses it. Told of by
 * libopenclaw-heap.so (heap.c), where that was preloaded and the program has
 * no allocator of its own. Each free() asks a small filter first, which says
 * "perhaps" of every 64 KiB in which something is watched.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/compat.h"
#include "faults/life/heap_watch.h"
#include "host_memory.h"

enum {
	GRANULE_BITS = 16,
	GRANULES = 4096,	/* in the filter: addresses beyond share them */
	WORDS = GRANULES / 64,
	STEPS = 4096,
	MISSES = 16,		/* until the filter is made anew */
};

static struct {
	claw_heap_tell *tell;	/* NULL: not preloaded, or not the program's */
	uint64_t filter[WORDS];
	unsigned int misses;
	bool told;
	bool any_released, any_freed;
} own;

static const struct claw_host_watcher *watcher;

static bool is_watched(const void *memory, size_t bytes);
static void freeing(const void *memory, size_t bytes);

static const struct claw_heap_watch watch = {
	.is_watched = is_watched, .freeing = freeing,
};

/* ---- the filter */

static void tell(bool wanted)
{
	if (own.told == wanted)
		return;
	own.told = wanted;
	own.tell(wanted ? &watch : NULL);
}

/* Granules from first to the last of it, at most all. */
static uint64_t granules_of(uint64_t start, uint64_t bytes, uint64_t *ret_first)
{
	uint64_t first = start >> GRANULE_BITS;
	uint64_t last = (start + (bytes ? bytes - 1 : 0)) >> GRANULE_BITS;

	*ret_first = first;
	return last - first < GRANULES ? last - first + 1 : GRANULES;
}

void claw_host_tell(const struct claw_host_watcher *to)
{
	watcher = to;
}

void claw_host_watch(uint64_t start, uint64_t bytes)
{
	uint64_t first, count;

	if (!own.tell)
		return;
	count = granules_of(start, bytes, &first);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t bit = (first + i) % GRANULES;

		__atomic_fetch_or(&own.filter[bit / 64],
				  UINT64_C(1) << bit % 64, __ATOMIC_RELAXED);
	}
	tell(true);
}

static bool passes_filter(uint64_t start, uint64_t bytes)
{
	uint64_t first, count = granules_of(start, bytes, &first);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t bit = (first + i) % GRANULES;

		if (__atomic_load_n(&own.filter[bit / 64], __ATOMIC_RELAXED) >>
		    bit % 64 & 1)
			return true;
	}
	return false;
}

static void watch_transfers(uint32_t at)
{
	for (; at; at = claw_access_at(at)->older) {
		const struct claw_access *access = claw_access_at(at);

		if (access->use & (CLAW_READS | CLAW_WRITES))
			claw_host_watch(access->span.start,
					claw_span_end(&access->span) -
					access->span.start);
	}
}

/* What was watched and is not any more is in the filter still. */
static void make_filter(void)
{
	const struct claw_host_buffer *buffer;
	bool any = false;

	memset(own.filter, 0, sizeof(own.filter));
	watch_transfers(claw_accesses_of_host(false));
	watch_transfers(claw_accesses_of_host(true));
	for (unsigned int i = 0; (buffer = claw_memory_host_buffer(i)); i++)
		if (buffer->handle && !buffer->freed)
			claw_host_watch(buffer->start, buffer->bytes);
	claw_host_mappings_watch();
	for (unsigned int i = 0; i < WORDS; i++)
		any |= own.filter[i] != 0;
	if (!any)
		tell(false);
	own.misses = 0;
}

/* ---- buffers in the program's memory */

void claw_host_released(void)
{
	own.any_released = true;
}

/* The newest pending command that uses it. */
static uint32_t user_of(const struct claw_host_buffer *buffer)
{
	uint64_t count;
	uint32_t user = claw_find_user(CLAW_IN_BUFFER, 0, buffer->handle,
				       buffer->serial, &count);

	return user ? user : claw_find_user(CLAW_IN_IMAGE, 0, buffer->handle,
					    buffer->serial, &count);
}

void claw_host_sweep(void)
{
	struct claw_host_buffer *buffer;
	bool any = false;

	if (!own.any_released)
		return;
	for (unsigned int i = 0; (buffer = claw_memory_host_buffer(i)); i++) {
		if (!buffer->handle || !buffer->released)
			continue;
		if (user_of(buffer))
			any = true;
		else
			buffer->handle = 0;
	}
	own.any_released = any;
}

static struct claw_found_place made(const struct claw_host_buffer *buffer)
{
	return claw_found_place(buffer->site, buffer->api, CLAW_OBJ_MEM);
}

/* The program's own call: no OpenCL. */
static struct claw_found_place freed_at(uint32_t site)
{
	return claw_found_place(site, CLAW_FOUND_NO_API, CLAW_OBJ_NONE);
}

void claw_host_look_at_freed(const struct claw_call *call,
			     const struct claw_access *access,
			     struct claw_found_list *list)
{
	const struct claw_host_buffer *buffer = own.any_freed ?
		claw_memory_find_host_buffer(access->root, access->serial) :
		NULL;
	struct claw_found_entry *entry;

	if (!buffer || !buffer->freed || access->where == CLAW_IN_HOST)
		return;
	entry = claw_found_list_add(list, CLAW_FOUND_HOST_FREED);
	if (!entry)
		return;
	entry->at = claw_found_place(call->site, call->api, CLAW_OBJ_MEM);
	entry->second = made(buffer);
	entry->third = freed_at(buffer->freed_site);
	entry->handle = buffer->handle;
	entry->values[0] = buffer->start;
	entry->values[1] = buffer->bytes;
	entry->values[2] = 0;
}

/* ---- what goes */

/* The memory that goes. bytes 0: not known, from there on. */
struct going {
	uint64_t start, bytes;
	uint32_t site;
};

static bool meets(const struct going *going, uint64_t start, uint64_t end)
{
	uint64_t bytes = going->bytes ? going->bytes : 1;

	return going->start < end && start < going->start + bytes;
}

static void set_values(struct claw_found_entry *entry,
		       const struct going *going, uint64_t start,
		       uint64_t bytes)
{
	entry->values[0] = start;
	entry->values[1] = bytes;
	entry->values[2] = going->start > start ? going->start - start : 0;
}

static bool is_transfers(const struct claw_access *access,
			 const struct going *going)
{
	return access->use & (CLAW_READS | CLAW_WRITES) &&
	       meets(going, access->span.start, claw_span_end(&access->span));
}

static void transfer_loses(struct claw_access *access,
			   const struct going *going,
			   struct claw_found_list *list)
{
	struct claw_command *command = claw_command_at(access->command);
	struct claw_found_entry *entry =
		claw_found_list_add(list, CLAW_FOUND_HOST_FREED);

	access->gone = true;	/* once is enough */
	command->no_source = true;
	if (!entry)
		return;
	entry->at = claw_command_place(command, CLAW_OBJ_NONE);
	entry->second = freed_at(going->site);
	entry->handle = access->span.start;
	set_values(entry, going, access->span.start,
		   claw_span_end(&access->span) - access->span.start);
}

static void buffer_loses(struct claw_host_buffer *buffer,
			 const struct going *going,
			 struct claw_found_list *list)
{
	uint32_t user = user_of(buffer);
	struct claw_found_entry *entry = user ?
		claw_found_list_add(list, CLAW_FOUND_HOST_FREED) : NULL;

	if (entry) {
		struct claw_found_place command = claw_command_place(
			claw_command_at(user), CLAW_OBJ_MEM);

		entry->at = buffer->released ?
			claw_found_place(buffer->released_site,
					 CLAW_API_clReleaseMemObject,
					 CLAW_OBJ_MEM) : command;
		entry->second = buffer->released ? command : made(buffer);
		entry->third = freed_at(going->site);
		entry->handle = buffer->handle;
		set_values(entry, going, buffer->start, buffer->bytes);
	}
	if (buffer->released)
		buffer->handle = 0;
	buffer->freed = true;
	buffer->freed_site = going->site;
	own.any_freed = true;
}

/* Both: list NULL: only whether there is something to say. */
static bool look_at_transfers(uint32_t at, const struct going *going,
			      struct claw_found_list *list)
{
	bool any = false;

	for (unsigned int i = 0; at && i < STEPS; i++) {
		struct claw_access *access = claw_access_at(at);

		at = access->older;
		if (access->gone || !is_transfers(access, going))
			continue;
		any = true;
		if (list)
			transfer_loses(access, going, list);
	}
	return any;
}

static bool look(const struct going *going, struct claw_found_list *list)
{
	struct claw_host_buffer *buffer;
	bool any = look_at_transfers(claw_accesses_of_host(false), going, list);

	any |= look_at_transfers(claw_accesses_of_host(true), going, list);
	for (unsigned int i = 0; (buffer = claw_memory_host_buffer(i)); i++) {
		if (!buffer->handle || buffer->freed ||
		    !meets(going, buffer->start,
			   buffer->start + buffer->bytes))
			continue;
		any = true;
		if (list)
			buffer_loses(buffer, going, list);
	}
	return any;
}

/* Is there something to say? is_gone: then a driver's mapping that was there
 * is anybody's memory now. */
static bool is_known(const struct going *going, bool is_gone)
{
	bool any;

	if (!passes_filter(going->start, going->bytes) ||
	    !claw_commands_enter())
		return false;
	if (is_gone)
		claw_host_mappings_freed(going->start, going->start +
					 (going->bytes ? going->bytes : 1));
	any = look(going, NULL);
	if (!any && ++own.misses == MISSES)
		make_filter();
	claw_commands_leave();
	return any;
}

/* A forked child that has not begun has its parent's lists. */
static bool is_alive(void)
{
	return __atomic_load_n(&claw_page.alive, __ATOMIC_ACQUIRE);
}

static bool is_watched(const void *memory, size_t bytes)
{
	struct going going = { claw_number(memory), bytes, 0 };

	if (!is_alive())
		return false;
	/* It may be moved as it is. */
	if (watcher)
		watcher->touching(going.start, going.bytes);
	return is_known(&going, false);
}

/* The program frees this memory now (faults/life/heap_watch.h); 0 bytes: not
 * known. */
static void freeing(const void *memory, size_t bytes)
{
	struct going going = { claw_number(memory), bytes, 0 };
	struct claw_found_list list;
	int saved = errno;

	claw_found_list_begin(&list);
	if (!is_alive())
		return;
	claw_found_count(CLAW_COUNT_FREES, 1);
	if (watcher)
		watcher->freeing(going.start, going.bytes);
	if (is_known(&going, true)) {
		going.site = claw_found_here(CLAW_API_COUNT,
					     CLAW_OBJ_NONE).site;
		if (claw_commands_enter()) {
			look(&going, &list);
			claw_commands_leave();
		}
		claw_found_list_write(&list);
	}
	errno = saved;
}

/* ---- the process */

bool claw_host_frees_are_seen(void)
{
	return own.tell != NULL;
}

static uint32_t heard;

static bool listen_is_watched(const void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
	return false;
}

static void listen_freeing(const void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
	__atomic_store_n(&heard, 1, __ATOMIC_RELAXED);
}

/* With an allocator in the program itself nothing is heard. (Addresses cannot
 * tell: that of free() may be of the program's own jump table.) */
static bool is_heard(claw_heap_tell *found)
{
	static const struct claw_heap_watch listener = {
		.is_watched = listen_is_watched, .freeing = listen_freeing,
	};
	void *volatile memory = malloc(1);

	heard = 0;
	found(&listener);
	free(memory);
	found(NULL);
	return __atomic_load_n(&heard, __ATOMIC_RELAXED);
}

void claw_host_freed_begin(void)
{
	claw_heap_tell *found = __extension__ (claw_heap_tell *)dlsym(
		RTLD_DEFAULT, CLAW_HEAP_SYMBOL);

	memset(&own, 0, sizeof(own));
	if (!found || !is_heard(found))
		return;
	own.tell = found;
	claw_found_add_mode(CLAW_FOUND_HEAP);
}
