/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shadow of data races (kernels/instrument/sanitizer/races.c): before a
 * launch its objects that a kernel changes are laid out in a buffer of words,
 * an object that several arguments lead to once, and the kernel's hidden
 * arguments are set. A launch has a tag of its own, so that what the last one
 * left counts as nothing; where the tags end the words are cleared. All of this
 * needs launches one after the other: each queue has words of its own, and a
 * queue that is not in order has none.
 */
#include "config.h"

#include "instrument_private.h"

#include <string.h>

enum {
	TAGS = 15,
	WORD_BYTES = 8,
	SHARE = 4,			/* of the device's memory: 1 in so many */
};

static pthread_mutex_t queues_lock = PTHREAD_MUTEX_INITIALIZER;	/* of shadows */

#define NO_SHADOW UINT64_MAX
#define LOCAL_SHADOW (UINT64_C(1) << 63)
#define ALONE (UINT64_C(1) << 62)	/* no other argument leads there */
#define ITEMS_MAX (UINT64_C(1) << 26)	/* that a word can tell apart */

/* An object: a buffer (the whole one of a part), or shared memory. */
struct object {
	const void *handle;
	uint64_t bytes, at;		/* its first word */
	uint32_t shift;			/* of a granule's bytes */
	bool is_changed;
	unsigned int arguments;		/* that lead to it */
};

/* Where an argument leads. */
struct place {
	unsigned int object;		/* of the list, or NONE */
	uint64_t offset;		/* in the object */
};

enum { NONE = CLAW_PROBE_ARGUMENTS };

struct layout {
	const struct claw_probed_kernel *kernel;
	struct claw_kernel_twin *twin;
	unsigned int count;
	struct object objects[CLAW_PROBE_ARGUMENTS];
	struct place places[CLAW_PROBE_ARGUMENTS];	/* of shades */
	uint64_t words;
	const char *why;		/* one that is changed has no words; or NULL */
};

/* ---- where arguments lead ------------------------------------------------ */

static cl_mem whole_of(cl_mem mem, uint64_t *ret_offset)
{
	cl_mem parent = NULL;
	size_t offset = 0;

	claw_next.clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT,
				     sizeof(parent), &parent, NULL);
	claw_next.clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof(offset),
				     &offset, NULL);
	*ret_offset = parent ? offset : 0;
	return parent ? parent : mem;
}

static bool find_buffer(cl_mem mem, struct object *object, uint64_t *offset)
{
	size_t bytes = 0;

	if (!mem)
		return false;
	mem = whole_of(mem, offset);
	object->handle = mem;
	if (claw_next.clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes),
					 &bytes, NULL))
		return false;
	object->bytes = bytes;
	return true;
}

static bool find_object(const struct claw_probed_kernel *kernel,
			uint32_t argument, struct object *object,
			uint64_t *offset)
{
	if (argument >= CLAW_PROBE_ARGUMENTS)
		return false;
	if (!kernel->is_shared[argument])
		return find_buffer(kernel->given[argument], object, offset);
	object->handle = claw_probed_svm_find(kernel->shared[argument],
					      &object->bytes);
	*offset = (uint64_t)((uintptr_t)kernel->shared[argument] -
			     (uintptr_t)object->handle);
	return object->handle != NULL;
}

/* Several arguments may lead to one object: the finest granule counts. */
static unsigned int add_object(struct layout *layout,
			       const struct object *object)
{
	unsigned int i = 0;

	while (i < layout->count &&
	       layout->objects[i].handle != object->handle)
		i++;
	if (i == layout->count)
		layout->objects[layout->count++] = *object;
	if (object->shift < layout->objects[i].shift)
		layout->objects[i].shift = object->shift;
	layout->objects[i].is_changed |= object->is_changed;
	layout->objects[i].arguments++;
	return i;
}

/* What an argument leads to that no object was found of; NULL: nothing. */
static const char *why_none(const struct claw_probed_kernel *kernel,
			    uint32_t argument)
{
	return argument >= CLAW_PROBE_ARGUMENTS ? "races: an argument behind "
		       "the 64th" :
	       kernel->given[argument] || kernel->shared[argument] ?
	       "races: memory that is not known" : NULL;
}

static void find_places(struct layout *layout)
{
	const struct claw_map_kernel *hidden = &layout->twin->hidden;

	for (unsigned int i = 0; i < hidden->shade_count; i++) {
		const struct claw_map_shade *shade = &hidden->shades[i];
		struct place *place = &layout->places[i];
		struct object object = {
			.shift = shade->shift, .is_changed = shade->is_changed,
		};

		place->object = NONE;
		if (shade->is_local)
			continue;
		if (!find_object(layout->kernel, shade->argument, &object,
				 &place->offset)) {
			if (shade->is_changed && !layout->why)
				layout->why = why_none(layout->kernel,
						       shade->argument);
			continue;
		}
		while (place->offset & ((1u << object.shift) - 1))
			object.shift--;
		place->object = add_object(layout, &object);
	}
}

/* Reads alone are no race. */
static void place_objects(struct layout *layout)
{
	for (unsigned int i = 0; i < layout->count; i++) {
		struct object *object = &layout->objects[i];

		object->at = layout->words;
		if (object->is_changed)
			layout->words += (object->bytes >> object->shift) + 1;
	}
}

/* ---- the words ------------------------------------------------------------- */

static uint64_t words_max(cl_device_id device)
{
	cl_ulong memory = 0, most = 0;

	claw_next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
				  sizeof(memory), &memory, NULL);
	claw_next.clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
				  sizeof(most), &most, NULL);
	memory /= SHARE;
	return (memory < most ? memory : most) / WORD_BYTES;
}

/* That other queues have. */
static uint64_t words_of_others(const struct claw_words *words,
				const struct claw_race_shadow *shadow)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < CLAW_WORDS_QUEUES; i++)
		if (&words->shadows[i] != shadow)
			sum += __atomic_load_n(&words->shadows[i].words,
					       __ATOMIC_RELAXED);
	return sum;
}

static void retire(struct claw_race_shadow *shadow)
{
	if (shadow->old)
		claw_next.clReleaseMemObject(shadow->old);
	shadow->old = shadow->buffer;
	shadow->buffer = NULL;
	__atomic_store_n(&shadow->words, 0, __ATOMIC_RELAXED);
}

static bool clear(struct claw_race_shadow *shadow)
{
	static const cl_ulong zero;

	shadow->tag = 1;
	return !claw_next.clEnqueueFillBuffer(shadow->queue, shadow->buffer,
		&zero, sizeof(zero), 0, shadow->words * WORD_BYTES, 0, NULL,
		NULL);
}

static bool have_words(struct claw_words *words,
		       struct claw_race_shadow *shadow, uint64_t count)
{
	uint64_t most = words_max(words->device);
	cl_int err;

	if (count <= shadow->words)
		return shadow->tag++ < TAGS || clear(shadow);
	if (count > most || count + words_of_others(words, shadow) > most)
		return false;
	retire(shadow);
	shadow->buffer = claw_next.clCreateBuffer(words->context,
		CL_MEM_READ_WRITE, count * WORD_BYTES, NULL, &err);
	if (!shadow->buffer)
		return false;
	__atomic_store_n(&shadow->words, count, __ATOMIC_RELAXED);
	return clear(shadow);
}

/* The queue's, or one that no queue has. */
static struct claw_race_shadow *find_shadow(struct claw_words *words,
					    cl_command_queue queue)
{
	struct claw_race_shadow *found = NULL;

	pthread_mutex_lock(&queues_lock);
	for (unsigned int i = 0; i < CLAW_WORDS_QUEUES; i++) {
		struct claw_race_shadow *shadow = &words->shadows[i];

		if (shadow->queue == queue || (!found && !shadow->queue))
			found = shadow;
		if (shadow->queue == queue)
			break;
	}
	if (found)
		found->queue = queue;
	pthread_mutex_unlock(&queues_lock);
	return found;
}

/* With pthread_mutexattr_settype() the layer needs glibc 2.34. */
static void make_recursive(pthread_mutex_t *lock)
{
#ifdef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
	static const pthread_mutex_t again =
		PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

	*lock = again;
#else
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &recursive);
#endif
}

/* A driver's callback within a launch may release the queue. */
void claw_shadow_begin(struct claw_words *words)
{
	for (unsigned int i = 0; i < CLAW_WORDS_QUEUES; i++)
		make_recursive(&words->shadows[i].lock);
}

void claw_shadow_leave(struct claw_words *words, cl_command_queue queue)
{
	for (unsigned int i = 0; i < CLAW_WORDS_QUEUES; i++) {
		struct claw_race_shadow *shadow = &words->shadows[i];

		pthread_mutex_lock(&queues_lock);
		if (!queue || shadow->queue == queue) {
			pthread_mutex_lock(&shadow->lock);
			retire(shadow);
			if (!queue)
				retire(shadow);
			shadow->queue = NULL;
			pthread_mutex_unlock(&shadow->lock);
		}
		pthread_mutex_unlock(&queues_lock);
	}
}

cl_uint claw_shadow_buffers(const struct claw_words *words)
{
	cl_uint count = 0;

	for (unsigned int i = 0; i < CLAW_WORDS_QUEUES; i++)
		count += (words->shadows[i].buffer != NULL) +
			(words->shadows[i].old != NULL);
	return count;
}

/* ---- a launch ---------------------------------------------------------------- */

/* As they are numbered: as if the last groups were whole. */
static uint64_t items_of(const struct claw_call *call)
{
	const size_t *sizes, *groups;
	uint64_t items = 1;

	if (call->api == CLAW_API_clEnqueueTask)
		return 1;
	sizes = CLAW_ARG(call, clEnqueueNDRangeKernel, global_work_size);
	groups = CLAW_ARG(call, clEnqueueNDRangeKernel, local_work_size);
	for (cl_uint i = 0; sizes && i < CLAW_ARG(call, clEnqueueNDRangeKernel,
						  work_dim); i++) {
		uint64_t one = groups && groups[i] ? groups[i] : 1;

		one *= sizes[i] / one + (sizes[i] % one != 0);
		if (__builtin_mul_overflow(items, one, &items))
			return UINT64_MAX;
	}
	return items;
}

/* The local arguments' words are behind those of the kernel's arrays. */
static uint64_t local_words(const struct layout *layout, uint32_t argument,
			    uint32_t shift)
{
	const struct claw_kernel_twin *twin = layout->twin;

	for (unsigned int i = 0; i < twin->hidden.size_count; i++)
		if (twin->hidden.sizes[i].argument == argument &&
		    twin->sizes[i] < UINT64_MAX - 1)
			return (twin->sizes[i] >> shift) + 1;
	return 0;
}

static bool set_shade(const struct layout *layout, unsigned int i,
		      bool has_words, uint64_t *local)
{
	const struct claw_map_shade *shade = &layout->twin->hidden.shades[i];
	const struct place *place = &layout->places[i];
	const struct object *object = &layout->objects[place->object];
	cl_ulong value = NO_SHADOW;

	if (shade->is_local && shade->is_changed) {
		value = LOCAL_SHADOW | *local << 3 | shade->shift;
		*local += local_words(layout, shade->argument, shade->shift);
	} else if (has_words && place->object != NONE && object->is_changed) {
		value = (object->at + (place->offset >> object->shift)) << 3 |
			object->shift | (object->arguments == 1 ? ALONE : 0);
	}
	return !claw_next.clSetKernelArg(layout->twin->kernel, shade->index,
					 sizeof(value), &value);
}

static bool set_all(const struct layout *layout)
{
	const struct claw_kernel_twin *twin = layout->twin;
	const struct claw_race_shadow *own = twin->shadow;
	uint64_t local = twin->hidden.shadow_local;
	cl_mem shadow = own ? own->buffer : twin->twin->words->buffer;
	cl_uint index = (cl_uint)twin->hidden.shadow;
	cl_uint2 numbers = { .s = { own ? own->tag : 0 } };

	for (unsigned int i = 0; i < twin->hidden.shade_count; i++)
		if (!set_shade(layout, i, own != NULL, &local))
			return false;
	numbers.s[1] = (cl_uint)local;
	return !claw_next.clSetKernelArg(twin->kernel, index, sizeof(shadow),
					 &shadow) &&
	       !claw_next.clSetKernelArg(twin->kernel, index + 1,
					 (local ? local : 1) * WORD_BYTES,
					 NULL) &&
	       !claw_next.clSetKernelArg(twin->kernel, index + 2,
					 sizeof(numbers), &numbers);
}

/* NULL: the launch can have words. */
static const char *no_words(const struct claw_call *call,
			    cl_command_queue handle)
{
	struct claw_probed_queue queue;

	claw_probed_queue_get(handle, &queue);
	return !queue.in_order ? "races: a queue that is not in order" :
	       items_of(call) > ITEMS_MAX ? "races: more work-items than can "
		       "be told apart" : NULL;
}

/* Has twin->shadow, and its lock, from then on. NULL: it does. */
static const char *take_words(const struct layout *layout,
			      cl_command_queue queue)
{
	struct claw_words *words = layout->twin->twin->words;
	struct claw_race_shadow *shadow = find_shadow(words, queue);

	if (!shadow)
		return "races: more queues than have a shadow";
	pthread_mutex_lock(&shadow->lock);
	if (have_words(words, shadow, layout->words)) {
		layout->twin->shadow = shadow;
		return NULL;
	}
	pthread_mutex_unlock(&shadow->lock);
	return "races: no room for a shadow of the buffers";
}

void claw_shadow_end(struct claw_kernel_twin *twin)
{
	if (twin->shadow)
		pthread_mutex_unlock(&twin->shadow->lock);
	twin->shadow = NULL;
}

/* What of it is not looked at, though the rest is; or NULL. */
static const char *what_is_beyond(const struct claw_map_kernel *hidden)
{
	return hidden->has_orders ? "races: atomics order its work-items, "
		       "which is not followed" :
	       hidden->has_globals ? "races: it has variables of the "
		       "program's, which have no shadow" : NULL;
}

bool claw_shadow_set(const struct claw_call *call,
		     const struct claw_probed_kernel *kernel,
		     struct claw_kernel_twin *twin, cl_command_queue queue,
		     bool *ret_whole)
{
	struct layout layout = { .kernel = kernel, .twin = twin };
	const char *why, *missing = NULL;

	*ret_whole = true;
	if (twin->hidden.shadow < 0)
		return true;
	why = what_is_beyond(&twin->hidden);
	find_places(&layout);
	place_objects(&layout);
	if (layout.words)
		missing = no_words(call, queue);
	if (layout.words && !missing)
		missing = take_words(&layout, queue);
	why = why ? why : layout.why ? layout.why : missing;
	if (why)
		claw_words_why(twin->twin->words, why);
	*ret_whole = !why;
	return set_all(&layout);
}
