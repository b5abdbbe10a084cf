/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices that are shown and are not there, and what contexts, queues and
 * programs were made for. What a driver knows of an object is kept only where
 * one of ours is concerned.
 */
#include "config.h"

#include "model_alias.h"

#include <pthread.h>
#include <string.h>

#include "model.h"

enum { MAX_ALIASES = 256, MAX_OBJECTS = 512, MAX_PLATFORMS = 32,
       MAX_DEVICES = 64 };

/* What a loader looks at in an object: the driver's table, and since
 * cl_khr_icd 2.0.0 the word behind it. */
static struct alias {
	const void *words[2];
	cl_device_id real;	/* NULL: free */
	struct alias *parent;	/* a part of that one */
} aliases[MAX_ALIASES];
static unsigned int alias_count;
static bool are_made;

static const void *objects[MAX_OBJECTS];
static struct made {
	bool is_gone;
	struct claw_alias_list shown;
} made[MAX_OBJECTS];
static unsigned int object_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_alias_reset(void)
{
	pthread_mutex_init(&lock, NULL);
}

/* ---- devices */

bool claw_alias_is(const void *device)
{
	uintptr_t place = (uintptr_t)device - (uintptr_t)aliases;

	return place < sizeof(aliases) && place % sizeof(*aliases) == 0 &&
	       aliases[place / sizeof(*aliases)].real;
}

static struct alias *alias_of(cl_device_id device)
{
	return claw_alias_is(device) ? (struct alias *)(void *)device : NULL;
}

cl_device_id claw_alias_real(cl_device_id device)
{
	const struct alias *alias = alias_of(device);

	return alias ? alias->real : device;
}

cl_device_id claw_alias_parent(cl_device_id device)
{
	const struct alias *alias = alias_of(device);

	return alias ? (cl_device_id)(void *)alias->parent : NULL;
}

/* Under the lock. NULL: there is no room. */
static struct alias *add(cl_device_id real, struct alias *parent)
{
	struct alias *place = NULL;

	for (unsigned int i = 0; i < alias_count && !place; i++)
		if (!aliases[i].real)
			place = &aliases[i];
	if (!place && alias_count < MAX_ALIASES)
		place = &aliases[alias_count++];
	if (!place)
		return NULL;
	memcpy(place->words, (const void *)real, sizeof(place->words));
	place->parent = parent;
	place->real = real;
	return place;
}

cl_device_id claw_alias_part(cl_device_id parent, cl_device_id real)
{
	static bool said;
	struct alias *part;

	pthread_mutex_lock(&lock);
	part = add(real, alias_of(parent));
	pthread_mutex_unlock(&lock);
	if (!part && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		claw_say("more parts of devices than it can follow; the rest "
			 "are the real device's");
	return part ? (cl_device_id)(void *)part : real;
}

/* All devices of all platforms; those of the first platform that has any are
 * *ret_first. */
static unsigned int count_real(struct claw_alias_list *ret_first)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint count = 0;
	unsigned int all = 0;

	ret_first->count = 0;
	if (claw_alias_beneath.clGetPlatformIDs(MAX_PLATFORMS, platforms,
						&count))
		return 0;
	for (cl_uint i = 0; i < count && i < MAX_PLATFORMS; i++) {
		cl_device_id devices[MAX_DEVICES];
		cl_uint found = 0;

		if (claw_alias_beneath.clGetDeviceIDs(platforms[i],
				CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices,
				&found))
			continue;
		if (!all && found) {
			ret_first->count = found < CLAW_ALIAS_LIST ? found :
				CLAW_ALIAS_LIST;
			memcpy(ret_first->devices, devices,
			       ret_first->count * sizeof(*devices));
		}
		all += found;
	}
	return all;
}

/* Each real device of the first platform has its share of what is missing. */
static void make_aliases(void)
{
	struct claw_alias_list first;
	unsigned int have, i = 0;

	claw_ours_begin();
	have = count_real(&first);
	for (; first.count && have < claw_models_known; have++)
		add(first.devices[i++ % first.count], NULL);
	claw_ours_end();
}

cl_uint claw_alias_append(cl_device_id *devices, cl_uint count, cl_uint max)
{
	cl_uint real = count;

	pthread_mutex_lock(&lock);
	if (!are_made)
		make_aliases();
	are_made = true;
	for (unsigned int i = 0; i < alias_count && count < max; i++)
		for (cl_uint j = 0; j < real && !aliases[i].parent; j++)
			if (aliases[i].real == devices[j] && count < max)
				devices[count++] =
					(cl_device_id)(void *)&aliases[i];
	pthread_mutex_unlock(&lock);
	return count;
}

/* ---- lists */

static bool has(const struct claw_alias_list *list, cl_device_id device)
{
	for (cl_uint i = 0; i < list->count; i++)
		if (list->devices[i] == device)
			return true;
	return false;
}

static void append(struct claw_alias_list *list, cl_device_id device)
{
	static bool said;

	if (list->count < CLAW_ALIAS_LIST)
		list->devices[list->count++] = device;
	else if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		claw_say("a list of more than %d devices, with some of device "
			 "models: the rest are left out", CLAW_ALIAS_LIST);
}

void claw_alias_translate(const cl_device_id *devices, cl_uint count,
			  struct claw_alias_given *ret_given)
{
	ret_given->has_list = devices && count;
	for (cl_uint i = 0; devices && i < count; i++) {
		cl_device_id real = claw_alias_real(devices[i]);
		bool again = has(&ret_given->shown, devices[i]);

		ret_given->has_alias |= real != devices[i];
		/* What the program has given twice is the driver's to judge. */
		if (again || !has(&ret_given->real, real))
			append(&ret_given->real, real);
		if (!again)
			append(&ret_given->shown, devices[i]);
	}
}

/* ---- objects */

/* Under the lock: its place, or -1. */
static int find(const void *object)
{
	for (unsigned int i = 0; object && i < object_count; i++)
		if (objects[i] == object)
			return (int)i;
	return -1;
}

/* Under the lock: a place for one more, or -1. */
static int place_of_new(void)
{
	if (object_count < MAX_OBJECTS)
		return (int)object_count++;
	for (unsigned int i = 0; i < MAX_OBJECTS; i++)
		if (made[i].is_gone)
			return (int)i;
	return -1;
}

/* Under the lock. */
static void keep(const void *object, const struct claw_alias_list *shown)
{
	static bool said;
	int i = find(object);

	if (i < 0)
		i = place_of_new();
	if (i >= 0) {
		objects[i] = object;
		made[i] = (struct made){ .shown = *shown };
	} else if (!said) {
		said = true;
		claw_journal_add_damaged();
		claw_say("more contexts, queues and programs of models' "
			 "devices than it can follow; the rest are the real "
			 "device's");
	}
}

void claw_alias_made(const void *object, const void *context,
		     const struct claw_alias_given *given)
{
	int i;

	if (!object)
		return;
	pthread_mutex_lock(&lock);
	/* Within a context of ours a part of its devices is told of, too. */
	if (given->has_alias || (given->has_list && find(context) >= 0)) {
		keep(object, &given->shown);
	} else if ((i = find(object)) >= 0) {	/* of what was there before */
		objects[i] = NULL;
		made[i].is_gone = true;
	}
	pthread_mutex_unlock(&lock);
}

bool claw_alias_shown(const void *object, struct claw_alias_list *ret_shown)
{
	int i;

	pthread_mutex_lock(&lock);
	i = find(object);
	if (i >= 0)
		*ret_shown = made[i].shown;
	pthread_mutex_unlock(&lock);
	return i >= 0;
}

void claw_alias_gone(const void *object)
{
	int i;

	pthread_mutex_lock(&lock);
	i = find(object);
	if (i >= 0)
		made[i].is_gone = true;
	else if (claw_alias_parent((cl_device_id)(uintptr_t)object))
		alias_of((cl_device_id)(uintptr_t)object)->real = NULL;
	pthread_mutex_unlock(&lock);
}

cl_int claw_alias_give(const void *value, size_t bytes, size_t room, void *out,
		       size_t *ret_bytes)
{
	if (out && room < bytes)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, bytes);
	if (ret_bytes)
		*ret_bytes = bytes;
	return CL_SUCCESS;
}
