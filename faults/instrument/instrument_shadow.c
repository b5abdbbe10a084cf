/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shadow of data races (kernels/instrument/sanitizer/races.c): before a
 * launch its objects that a kernel changes are laid out in a buffer of words,
 * an object that several arguments lead to once, and the kernel's hidden
 * arguments are set. A launch has a tag of its own, so that what the last one
 * left counts as nothing; where the tags end the words are cleared.
 */
#include "config.h"

#include "instrument_private.h"

#include <string.h>

enum {
	TAGS = 15,
	WORD_BYTES = 8,
	SHARE = 4,			/* of the device's memory: 1 in so many */
};

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
		if (shade->is_local || !find_object(layout->kernel,
				shade->argument, &object, &place->offset))
			continue;
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

static void retire(struct claw_words *words)
{
	if (words->old_shadow)
		claw_next.clReleaseMemObject(words->old_shadow);
	words->old_shadow = words->shadow;
	words->shadow = NULL;
	words->shadow_words = 0;
}

void claw_shadow_drop(struct claw_words *words)
{
	retire(words);
	retire(words);
}

static bool clear(struct claw_words *words, cl_command_queue queue)
{
	static const cl_ulong zero;

	words->shadow_tag = 1;
	return !claw_next.clEnqueueFillBuffer(queue, words->shadow, &zero,
		sizeof(zero), 0, words->shadow_words * WORD_BYTES, 0, NULL,
		NULL);
}

static bool have_words(struct claw_words *words, uint64_t count,
		       cl_command_queue queue)
{
	cl_int err;

	if (count > words_max(words->device))
		return false;
	if (count <= words->shadow_words)
		return words->shadow_tag++ < TAGS || clear(words, queue);
	retire(words);
	words->shadow = claw_next.clCreateBuffer(words->context,
		CL_MEM_READ_WRITE, count * WORD_BYTES, NULL, &err);
	words->shadow_words = words->shadow ? count : 0;
	return words->shadow && clear(words, queue);
}

static bool get_words(struct claw_words *words, uint64_t count,
		      cl_command_queue queue)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	bool done;

	pthread_mutex_lock(&lock);
	done = have_words(words, count, queue);
	pthread_mutex_unlock(&lock);
	return done;
}

/* ---- a launch ---------------------------------------------------------------- */

static uint64_t items_of(const struct claw_call *call)
{
	const size_t *sizes;
	uint64_t items = 1;

	if (call->api == CLAW_API_clEnqueueTask)
		return 1;
	sizes = CLAW_ARG(call, clEnqueueNDRangeKernel, global_work_size);
	for (cl_uint i = 0; sizes && i < CLAW_ARG(call, clEnqueueNDRangeKernel,
						  work_dim); i++)
		if (__builtin_mul_overflow(items, sizes[i], &items))
			return UINT64_MAX;
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

static bool set_all(const struct layout *layout, bool has_words)
{
	const struct claw_kernel_twin *twin = layout->twin;
	const struct claw_words *words = twin->twin->words;
	uint64_t local = twin->hidden.shadow_local;
	cl_mem shadow = has_words ? words->shadow : words->buffer;
	cl_uint index = (cl_uint)twin->hidden.shadow;
	cl_uint2 numbers = { .s = { words->shadow_tag } };

	for (unsigned int i = 0; i < twin->hidden.shade_count; i++)
		if (!set_shade(layout, i, has_words, &local))
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

static void say_why(struct claw_words *words, const char *why)
{
	if (!*words->file->why)
		snprintf(words->file->why, sizeof(words->file->why), "%s", why);
}

bool claw_shadow_set(const struct claw_call *call,
		     const struct claw_probed_kernel *kernel,
		     struct claw_kernel_twin *twin, cl_command_queue queue,
		     bool *ret_whole)
{
	struct layout layout = { .kernel = kernel, .twin = twin };
	struct claw_words *words = twin->twin->words;
	bool has_words = true;

	*ret_whole = true;
	if (twin->hidden.shadow < 0)
		return true;
	if (twin->hidden.has_orders || twin->hidden.has_globals) {
		say_why(words, twin->hidden.has_orders ? "races: atomics order "
			"its work-items, which is not followed" : "races: it "
			"has variables of the program's, which have no shadow");
		*ret_whole = false;
	}
	find_places(&layout);
	place_objects(&layout);
	if (layout.words && items_of(call) > ITEMS_MAX) {
		say_why(words, "races: more work-items than can be told apart");
		*ret_whole = has_words = false;
	} else if (layout.words && !get_words(words, layout.words, queue)) {
		say_why(words, "races: no room for a shadow of the buffers");
		*ret_whole = has_words = false;
	} else if (!layout.words) {
		has_words = false;
	}
	return set_all(&layout, has_words);
}
