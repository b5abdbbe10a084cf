/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the buffers of a context are guarded, found out at its first one.
 *
 * A device that is a processor, uses host memory where it is and calls our
 * functions gets buffers in memory of ours, of just the program's size: nothing
 * else about them is different. (pocl 3.1 needs that: it makes no image on a
 * part of a buffer, gives native kernels the address of the whole one, and does
 * not see where a copy from a part ends.) Everywhere else a buffer is made as a
 * part of a larger one.
 */
#include "config.h"

#include "guard_private.h"

#include <pthread.h>
#include <stdlib.h>

#include "faults/ledger/ledger.h"

enum { DEVICES_MAX = 64 };

static struct claw_guard_context *contexts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void free_context(struct claw_guard_context *context)
{
	struct claw_guard_home *home = context->homes, *next;

	for (; home; home = next) {
		next = home->next;
		free(home);
	}
	free(context);
}

static void put(struct claw_guard_context *context)
{
	if (context && !__atomic_sub_fetch(&context->references, 1,
					   __ATOMIC_ACQ_REL))
		free_context(context);
}

void claw_guard_context_put(struct claw_guard_context *context)
{
	put(context);
}

/* ---- what it can do; between claw_ours_begin() and claw_ours_end() */

static unsigned int devices_of(cl_context context, cl_device_id *devices)
{
	size_t bytes = 0;

	if (claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES,
				       DEVICES_MAX * sizeof(*devices), devices,
				       &bytes))
		return 0;
	return (unsigned int)(bytes / sizeof(*devices));
}

/* The narrowest of them decides. */
static bool read_limits(struct claw_guard_context *made, cl_device_id device)
{
	cl_uint bits = 0;
	cl_ulong largest = 0;
	cl_bool little = CL_FALSE;

	if (claw_next.clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
				      sizeof(bits), &bits, NULL) ||
	    claw_next.clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
				      sizeof(largest), &largest, NULL) ||
	    claw_next.clGetDeviceInfo(device, CL_DEVICE_ENDIAN_LITTLE,
				      sizeof(little), &little, NULL) || !little)
		return false;
	if (bits / 8 > made->align)
		made->align = bits / 8;
	if (!made->largest || largest < made->largest)
		made->largest = largest;
	return true;
}

static bool read_flags(cl_context context, cl_mem_flags given,
		       cl_mem_flags *ret_flags)
{
	char contents[64] = { 0 };
	cl_int err;
	cl_mem mem = claw_next.clCreateBuffer(context, given, sizeof(contents),
					      given ? contents : NULL, &err);

	if (!mem)
		return false;
	err = claw_next.clGetMemObjectInfo(mem, CL_MEM_FLAGS,
					   sizeof(*ret_flags), ret_flags, NULL);
	claw_next.clReleaseMemObject(mem);
	return !err;
}

/* What the program leaves out, drivers fill in, each in its own way. */
static bool read_plain_flags(struct claw_guard_context *made)
{
	return read_flags(made->context, 0, &made->plain_flags) &&
	       read_flags(made->context, CL_MEM_COPY_HOST_PTR,
			  &made->copy_flags);
}

static enum claw_guard_mode find_mode(struct claw_guard_context *made)
{
	cl_device_id devices[DEVICES_MAX];
	unsigned int count = devices_of(made->context, devices);
	bool native = true;

	made->in_place = true;
	made->align = 64;
	for (unsigned int i = 0; i < count; i++)
		if (!read_limits(made, devices[i]))
			return CLAW_GUARD_NONE;
	if (!count || made->align > CLAW_ZONE_LARGE ||
	    made->align & (made->align - 1) || !read_plain_flags(made))
		return CLAW_GUARD_NONE;
	for (unsigned int i = 0; i < count && made->in_place; i++) {
		made->in_place = claw_native_works(made->context, devices[i]);
		native = native && claw_native_is_processor(devices[i]);
	}
	if (native && made->in_place)
		return CLAW_GUARD_HOST;
	return claw_parts_work(made, devices, count) ? CLAW_GUARD_PART :
		CLAW_GUARD_NONE;
}

/* ---- the records */

static struct claw_guard_context **find(cl_context context)
{
	struct claw_guard_context **link = &contexts;

	while (*link && (*link)->context != context)
		link = &(*link)->next;
	return link;
}

static struct claw_guard_context *find_and_hold(cl_context context)
{
	struct claw_guard_context *found;

	pthread_mutex_lock(&lock);
	found = *find(context);
	if (found)
		__atomic_fetch_add(&found->references, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	return found;
}

/* Another thread may have been quicker: then it is that one's. */
static struct claw_guard_context *enter(struct claw_guard_context *made)
{
	struct claw_guard_context **link, *found;

	pthread_mutex_lock(&lock);
	link = find(made->context);
	found = *link;
	if (!found)
		*link = found = made;
	__atomic_fetch_add(&found->references, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	if (found != made)
		put(made);
	return found;
}

struct claw_guard_context *claw_guard_context_get(cl_context context)
{
	struct claw_guard_context *found = find_and_hold(context);
	struct claw_ledger_entry entry;

	/* What is no context is for the driver to say. */
	if (found || !claw_ledger_copy(CLAW_OBJ_CONTEXT, context, &entry) ||
	    entry.object != CLAW_OBJ_CONTEXT)
		return found;
	found = calloc(1, sizeof(*found));
	if (!found)
		return NULL;
	found->context = context;
	found->serial = entry.serial;
	found->references = 1;
	claw_ours_begin();
	found->mode = find_mode(found);
	claw_ours_end();
	return enter(found);
}

/* Without the lock. */
static void clear_out(struct claw_guard_context *context)
{
	claw_ours_begin();
	for (struct claw_guard_home *home = context->homes; home;
	     home = home->next)
		claw_home_release(home);
	claw_ours_end();
	put(context);
}

void claw_guard_context_forget(cl_context context)
{
	struct claw_guard_context **link, *old;

	pthread_mutex_lock(&lock);
	link = find(context);
	old = *link;
	if (old)
		*link = old->next;
	pthread_mutex_unlock(&lock);
	if (old)
		clear_out(old);
}

/* ---- all of them */

enum { SOME = 16 };

/* Those that have homes, referenced. Locks are not held while drivers are
 * called. */
static unsigned int take_some(struct claw_guard_context **ret_some)
{
	unsigned int count = 0;

	pthread_mutex_lock(&lock);
	for (struct claw_guard_context *at = contexts; at && count < SOME;
	     at = at->next)
		if (__atomic_load_n(&at->homes, __ATOMIC_RELAXED)) {
			__atomic_fetch_add(&at->references, 1,
					   __ATOMIC_RELAXED);
			ret_some[count++] = at;
		}
	pthread_mutex_unlock(&lock);
	return count;
}

/* The ledger knows what the program has of it: any object is enough. */
static bool is_gone(const struct claw_guard_context *context)
{
	struct claw_ledger_entry entry;

	return !claw_ledger_copy(CLAW_OBJ_CONTEXT, context->context, &entry) ||
	       entry.serial != context->serial;
}

void claw_guard_contexts_sweep(void)
{
	struct claw_guard_context *some[SOME];
	unsigned int count;

	if (!claw_homes_are_any())
		return;
	count = take_some(some);
	for (unsigned int i = 0; i < count; i++) {
		if (is_gone(some[i]))
			claw_guard_context_forget(some[i]->context);
		put(some[i]);
	}
}

void claw_guard_contexts_collect(bool now)
{
	struct claw_guard_context *some[SOME];
	unsigned int count;

	if (!claw_homes_are_any())
		return;
	count = take_some(some);
	claw_ours_begin();
	for (unsigned int i = 0; i < count; i++) {
		for (struct claw_guard_home *home = some[i]->homes; home;
		     home = home->next)
			claw_home_collect(home, now);
		put(some[i]);
	}
	claw_ours_end();
}

cl_uint claw_guard_context_references(cl_context context)
{
	struct claw_guard_context *found = find_and_hold(context);
	cl_uint count = 0;

	if (found && found->mode == CLAW_GUARD_PART)
		count = found->home_references +
			found->parts * found->part_references;
	put(found);
	return count;
}

void claw_guard_contexts_let_go(const void *mem)
{
	struct claw_zone *zone;

	if (!claw_homes_are_any())
		return;
	zone = claw_zones_find(mem);
	claw_ours_begin();
	for (struct claw_guard_home *home = zone && zone->whole ?
	     zone->context->homes : NULL; home; home = home->next)
		claw_home_let_go(home, zone->whole);
	claw_ours_end();
	claw_zone_put(zone);
}

void claw_guard_contexts_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	contexts = NULL;
}
