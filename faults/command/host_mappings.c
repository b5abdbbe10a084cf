/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings that the program has given up, as long as nobody else can have
 * their memory: until the driver frees it, the memory object goes, or the same
 * is mapped again.
 */
#include "config.h"

#include "host_memory.h"

enum { MAPPINGS = 256 };

struct mapping {
	uint64_t mem;		/* 0: free */
	uint64_t start, bytes, age;
	uint32_t site, unmap_site;
	uint16_t api, unmap_api;
	bool gone;
};

static struct {
	struct mapping mappings[MAPPINGS];
	uint64_t age;
	unsigned int used, gone_count;	/* of them; of those */
} own;

void claw_host_mappings_begin(void)
{
	for (unsigned int i = 0; i < MAPPINGS; i++) {
		own.mappings[i].mem = 0;
		own.mappings[i].gone = false;
	}
	own.used = own.gone_count = 0;
}

static bool is_inside(const struct mapping *mapping, uint64_t address)
{
	return mapping->mem && address - mapping->start < mapping->bytes;
}

static void forget(struct mapping *mapping)
{
	own.gone_count -= mapping->gone;
	own.used -= mapping->mem != 0;
	mapping->mem = 0;
	mapping->gone = false;
}

/* A free one, or the one that has been gone for longest. */
static struct mapping *find_place(void)
{
	struct mapping *oldest = NULL;

	for (unsigned int i = 0; i < MAPPINGS; i++) {
		struct mapping *mapping = &own.mappings[i];

		if (!mapping->mem)
			return mapping;
		if (mapping->gone && (!oldest || mapping->age < oldest->age))
			oldest = mapping;
	}
	if (oldest)
		forget(oldest);
	return oldest;
}

void claw_host_mapped(const struct claw_call *call,
		      const struct claw_access *access)
{
	uint64_t end = claw_span_end(&access->span);
	struct mapping *place;

	for (unsigned int i = 0; own.gone_count && i < MAPPINGS; i++)
		if (own.mappings[i].gone && own.mappings[i].start < end &&
		    access->span.start < own.mappings[i].start +
					 own.mappings[i].bytes)
			forget(&own.mappings[i]);
	/* The program's own memory stays when the mapping goes. */
	if (!claw_host_frees_are_seen() ||
	    claw_memory_is_special(access->span.start, end - access->span.start))
		return;
	place = find_place();
	if (!place)
		return;
	own.used++;
	*place = (struct mapping){
		.mem = claw_number(CLAW_ARG(call, clEnqueueMapBuffer, buffer)),
		.start = access->span.start,
		.bytes = end - access->span.start,
		.site = call->site, .api = (uint16_t)call->api,
	};
}

void claw_host_unmapped(const struct claw_call *call)
{
	uint64_t mem =
		claw_number(CLAW_ARG(call, clEnqueueUnmapMemObject, memobj));
	uint64_t start = claw_number(
		CLAW_ARG(call, clEnqueueUnmapMemObject, mapped_ptr));

	for (unsigned int i = 0; i < MAPPINGS; i++) {
		struct mapping *mapping = &own.mappings[i];

		if (mapping->mem != mem || mapping->start != start ||
		    mapping->gone)
			continue;
		mapping->gone = true;
		mapping->age = ++own.age;
		mapping->unmap_site = call->site;
		mapping->unmap_api = (uint16_t)call->api;
		own.gone_count++;
		claw_host_watch(mapping->start, mapping->bytes);
		return;
	}
}

bool claw_host_is_mapped(uint64_t start, uint64_t end)
{
	for (unsigned int i = 0; own.used && i < MAPPINGS; i++)
		if (own.mappings[i].mem && own.mappings[i].start < end &&
		    start < own.mappings[i].start + own.mappings[i].bytes)
			return true;
	return false;
}

bool claw_host_any_mapped(void)
{
	return __atomic_load_n(&own.used, __ATOMIC_RELAXED);
}

void claw_host_mem_gone(uint64_t mem)
{
	for (unsigned int i = 0; own.used && i < MAPPINGS; i++)
		if (own.mappings[i].mem == mem)
			forget(&own.mappings[i]);
}

/* The driver has let go of it: it is anybody's now. */
void claw_host_mappings_freed(uint64_t start, uint64_t end)
{
	for (unsigned int i = 0; own.gone_count && i < MAPPINGS; i++)
		if (own.mappings[i].gone && own.mappings[i].start < end &&
		    start < own.mappings[i].start + own.mappings[i].bytes)
			forget(&own.mappings[i]);
}

void claw_host_mappings_watch(void)
{
	for (unsigned int i = 0; own.gone_count && i < MAPPINGS; i++)
		if (own.mappings[i].gone)
			claw_host_watch(own.mappings[i].start,
					own.mappings[i].bytes);
}

void claw_host_look_at_mappings(const struct claw_call *call,
				const struct claw_access *access,
				struct claw_found_list *list)
{
	uint64_t address = access->span.start;
	const struct mapping *gone = NULL;
	struct claw_found_entry *entry;

	for (unsigned int i = 0; own.gone_count && i < MAPPINGS; i++) {
		const struct mapping *mapping = &own.mappings[i];

		if (!is_inside(mapping, address))
			continue;
		if (!mapping->gone)
			return;
		if (!gone || mapping->age > gone->age)
			gone = mapping;
	}
	entry = gone ? claw_found_list_add(list, CLAW_FOUND_MAPPING_USED) :
		NULL;
	if (!entry)
		return;
	entry->at = claw_found_place(call->site, call->api, CLAW_OBJ_NONE);
	entry->second = claw_found_place(gone->unmap_site, gone->unmap_api,
					 CLAW_OBJ_MAPPING);
	entry->third = claw_found_place(gone->site, gone->api,
					CLAW_OBJ_MAPPING);
	entry->handle = address;
	entry->values[0] = address - gone->start;
	entry->values[1] = claw_span_end(&access->span) - access->span.start;
}
