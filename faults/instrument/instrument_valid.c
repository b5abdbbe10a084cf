/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes of buffers somebody wrote: see instrument_valid.h. */
#include "config.h"

#include "instrument_valid.h"

#include <stdlib.h>

enum {
	SHARE = 4,			/* of the device's memory: 1 in so many */
	LOOK_BYTES = 1 << 20,		/* that are looked at at once */
	PIECES_MAX = 1024,		/* of a rectangle, one by one */
};

enum state {
	FRESH,				/* nothing of it was written */
	WRITTEN,			/* all of it */
	PARTLY,				/* the shadow says it */
	GIVEN_UP,			/* nobody knows, nor will */
};

struct buffer {
	struct claw_probed_entry entry;
	struct buffer *whole;		/* that it is a part of, held; or itself */
	uint64_t origin, bytes;
	cl_context context;
	enum state state;		/* of a whole one, as is the shadow */
	cl_mem shadow;
	cl_device_id device;		/* that wrote to it last */
	uint32_t uses, next_look;	/* by kernels; claw_valid_look() */
	bool is_gathered;
	struct buffer *to_look;		/* of those that are, the next one */
	const char *why;		/* of GIVEN_UP */
};

static struct claw_probed_table buffers;
static pthread_mutex_t lock;		/* of states and shadows */
static uint32_t due;			/* shadows that are to be looked at */

static bool is_on(void)
{
	return claw_instrument_config.modes & CLAW_PROBE_UNWRITTEN;
}

/* ---- the table ------------------------------------------------------------ */

static struct buffer *buffer_of(struct claw_probed_entry *entry)
{
	return (struct buffer *)entry;
}

static void set_state(struct buffer *whole, enum state state, const char *why)
{
	if (whole->shadow)
		claw_next.clReleaseMemObject(whole->shadow);
	whole->shadow = NULL;
	whole->state = state;
	whole->why = why;
}

static void free_buffer(struct claw_probed_entry *entry)
{
	struct buffer *buffer = buffer_of(entry);

	if (buffer->whole == buffer)
		set_state(buffer, GIVEN_UP, NULL);
	else
		claw_probed_leave(&buffers, &buffer->whole->entry);
	free(buffer);
}

static struct buffer *hold(const void *mem)
{
	return mem ? buffer_of(claw_probed_hold(&buffers, mem)) : NULL;
}

static void leave(struct buffer *buffer)
{
	if (buffer)
		claw_probed_leave(&buffers, &buffer->entry);
}

static void enter(struct buffer *buffer, void *mem)
{
	if (!claw_probed_add(&buffers, &buffer->entry, mem))
		free_buffer(&buffer->entry);
}

static void add(cl_context context, void *mem, uint64_t bytes, bool is_written)
{
	struct buffer *buffer = calloc(1, sizeof(*buffer));

	if (!buffer)
		return;
	buffer->whole = buffer;
	buffer->context = context;
	buffer->bytes = bytes;
	buffer->state = is_written ? WRITTEN : FRESH;
	enter(buffer, mem);
}

static void add_part(cl_mem parent, void *mem, const cl_buffer_region *region)
{
	struct buffer *whole = hold(parent);
	struct buffer *buffer = whole ? calloc(1, sizeof(*buffer)) : NULL;

	if (!buffer) {
		leave(whole);
		return;
	}
	buffer->whole = whole;
	buffer->origin = region->origin;
	buffer->bytes = region->size;
	enter(buffer, mem);
}

/* Under the lock. */
static void lose(struct buffer *buffer, const char *why)
{
	if (buffer->whole->state != WRITTEN)
		set_state(buffer->whole, GIVEN_UP, why);
}

static void give_up(cl_mem mem, const char *why)
{
	struct buffer *buffer = hold(mem);

	pthread_mutex_lock(&lock);
	if (buffer)
		lose(buffer, why);
	pthread_mutex_unlock(&lock);
	leave(buffer);
}

/* ---- shadows; under the lock ------------------------------------------------ */

static uint64_t bytes_max(cl_device_id device)
{
	cl_ulong memory = 0, most = 0;

	claw_next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
				  sizeof(memory), &memory, NULL);
	claw_next.clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
				  sizeof(most), &most, NULL);
	memory /= SHARE;
	return memory < most ? memory : most;
}

/* In a queue of ours, and done: whichever queue asks for it next. */
static bool fill_now(cl_context context, cl_device_id device, cl_mem shadow,
		     uint64_t bytes, cl_uchar value)
{
	cl_command_queue queue = claw_own_queue_get(context, device);
	bool done;

	if (!queue)
		return false;
	done = !claw_next.clEnqueueFillBuffer(queue, shadow, &value, 1, 0,
					      bytes, 0, NULL, NULL) &&
	       !claw_next.clFinish(queue);
	claw_own_queue_put(queue);
	return done;
}

static bool make_shadow(struct buffer *whole, cl_command_queue handle)
{
	static const char room[] = "init: no room for a shadow of a buffer";
	static const char order[] = "init: a queue that is not in order";
	cl_uchar value = whole->state == WRITTEN ? 0xff : 0;
	struct claw_probed_queue queue;
	cl_int err;

	claw_probed_queue_get(handle, &queue);
	if (!queue.in_order) {
		set_state(whole, GIVEN_UP, order);
		return false;
	}
	if (whole->state == PARTLY || whole->state == GIVEN_UP)
		return whole->state == PARTLY;
	/* To fill it is to wait. */
	if (claw_is_called_back()) {
		set_state(whole, GIVEN_UP, "init: a command of a driver's "
			  "callback");
		return false;
	}
	claw_words_learn(whole->context, queue.device);
	if (whole->bytes <= bytes_max(queue.device))
		whole->shadow = claw_next.clCreateBuffer(whole->context,
			CL_MEM_READ_WRITE, whole->bytes, NULL, &err);
	if (!whole->shadow || !fill_now(whole->context, queue.device,
					whole->shadow, whole->bytes, value)) {
		set_state(whole, GIVEN_UP, room);
		return false;
	}
	whole->state = PARTLY;
	return true;
}

struct waits {
	cl_uint count;
	const cl_event *list;
};

static struct waits waits_of(const struct claw_call *call)
{
	void *const *list;
	struct waits waits;

	waits.count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);
	if (!list)
		waits.count = 0;
	waits.list = waits.count ? (const cl_event *)(const void *)list : NULL;
	return waits;
}

static void fill(struct buffer *buffer, cl_command_queue queue, uint64_t at,
		 uint64_t bytes, const struct waits *waits)
{
	static const cl_uchar written = 0xff;
	struct buffer *whole = buffer->whole;

	if (!bytes || whole->state == WRITTEN || whole->state == GIVEN_UP)
		return;
	at += buffer->origin;
	if (at == 0 && bytes >= whole->bytes)
		set_state(whole, WRITTEN, NULL);
	else if (make_shadow(whole, queue) &&
		 claw_next.clEnqueueFillBuffer(queue, whole->shadow, &written,
			1, at, bytes, waits->count, waits->list, NULL))
		set_state(whole, GIVEN_UP, "init: a shadow was not written");
}

/* ---- what commands write ------------------------------------------------------ */

static cl_command_queue queue_of(const struct claw_call *call)
{
	return claw_arg_pointer(call, CLAW_P_QUEUE);
}

/* Pitches of 0 are what the region needs. Rows, or slices, without anything
 * between them are one piece. */
static void fill_rectangle(const struct claw_call *call,
			   const struct claw_touch *touch,
			   struct buffer *buffer)
{
	const size_t *origin = CLAW_ARG_AT(call, size_t *, touch->at);
	const size_t *region = CLAW_ARG_AT(call, size_t *, touch->size);
	size_t row = CLAW_ARG_AT(call, size_t, touch->row);
	size_t slice = CLAW_ARG_AT(call, size_t, touch->slice);
	struct waits waits = waits_of(call);
	uint64_t start, bytes;
	size_t rows, slices;

	if (!origin || !region || !region[0] || !region[1] || !region[2])
		return;
	row = row ? row : region[0];
	slice = slice ? slice : row * region[1];
	start = origin[2] * slice + origin[1] * row + origin[0];
	rows = row == region[0] ? 1 : region[1];
	bytes = region[0] * region[1] / rows;
	slices = rows == 1 && slice == bytes ? 1 : region[2];
	bytes *= region[2] / slices;
	if (slices > PIECES_MAX / rows) {
		lose(buffer, "init: a rectangle of too many pieces");
		return;
	}
	for (size_t z = 0; z < slices; z++)
		for (size_t y = 0; y < rows; y++)
			fill(buffer, queue_of(call), start + z * slice + y * row,
			     bytes, &waits);
}

static void fill_pixels(const struct claw_call *call,
			const struct claw_touch *touch, struct buffer *buffer)
{
	const struct claw_touch *image =
		claw_api_find_touch(call->api, CLAW_TOUCH_IMAGE);
	const size_t *region = CLAW_ARG_AT(call, size_t *, touch->size);
	struct waits waits = waits_of(call);
	size_t element = 0;

	if (region && !claw_next.clGetImageInfo(
			CLAW_ARG_AT(call, cl_mem, image->memory),
			CL_IMAGE_ELEMENT_SIZE, sizeof(element), &element, NULL))
		fill(buffer, queue_of(call),
		     CLAW_ARG_AT(call, size_t, touch->at), (uint64_t)element *
		     region[0] * region[1] * region[2], &waits);
}

/* Both shadows are there. */
static bool copy_shadow(const struct claw_call *call, struct buffer *from,
			struct buffer *to)
{
	struct waits waits = waits_of(call);
	cl_command_queue queue = queue_of(call);

	if (call->api == CLAW_API_clEnqueueCopyBuffer)
		return !claw_next.clEnqueueCopyBuffer(queue,
			from->whole->shadow, to->whole->shadow, from->origin +
			CLAW_ARG(call, clEnqueueCopyBuffer, src_offset),
			to->origin +
			CLAW_ARG(call, clEnqueueCopyBuffer, dst_offset),
			CLAW_ARG(call, clEnqueueCopyBuffer, size),
			waits.count, waits.list, NULL);
#define RECT(name_) CLAW_ARG(call, clEnqueueCopyBufferRect, name_)
	return !from->origin && !to->origin &&
		!claw_next.clEnqueueCopyBufferRect(queue, from->whole->shadow,
			to->whole->shadow, RECT(src_origin), RECT(dst_origin),
			RECT(region), RECT(src_row_pitch),
			RECT(src_slice_pitch), RECT(dst_row_pitch),
			RECT(dst_slice_pitch), waits.count, waits.list, NULL);
#undef RECT
}

/* Where a copy comes from says what is written where it goes. False: all is. */
static bool copy(const struct claw_call *call, struct buffer *from,
		 struct buffer *to)
{
	static const char why[] = "init: a copy that is not followed";

	if (from && from->whole->state == WRITTEN)
		return false;
	if (to->whole->state == GIVEN_UP)
		return true;
	if (!from || !make_shadow(from->whole, queue_of(call)) ||
	    !make_shadow(to->whole, queue_of(call)) ||
	    !copy_shadow(call, from, to))
		set_state(to->whole, GIVEN_UP, from && from->whole->why ?
			  from->whole->why : why);
	return true;
}

static bool copies(enum claw_api api)
{
	return api == CLAW_API_clEnqueueCopyBuffer ||
	       api == CLAW_API_clEnqueueCopyBufferRect;
}

static void write_touch(const struct claw_call *call,
			const struct claw_touch *touch, struct buffer *buffer)
{
	struct waits waits = waits_of(call);

	if (touch->kind == CLAW_TOUCH_BUFFER)
		fill(buffer, queue_of(call), CLAW_ARG_AT(call, size_t, touch->at),
		     CLAW_ARG_AT(call, size_t, touch->size), &waits);
	else if (touch->kind == CLAW_TOUCH_BUFFER_RECT)
		fill_rectangle(call, touch, buffer);
	else
		fill_pixels(call, touch, buffer);
}

static bool is_of_buffer(const struct claw_touch *touch)
{
	return touch->kind == CLAW_TOUCH_BUFFER ||
	       touch->kind == CLAW_TOUCH_BUFFER_RECT ||
	       touch->kind == CLAW_TOUCH_BUFFER_PIXELS;
}

static bool writes(const struct claw_call *call, const struct claw_touch *touch)
{
	const cl_map_flags *flags = claw_arg_address(call, CLAW_P_MAP_FLAGS);

	return touch->access == CLAW_TOUCH_WRITES ||
	       (touch->access == CLAW_TOUCH_MAPS && flags && *flags &
		(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION));
}

static void see_touch(struct claw_call *call, const struct claw_touch *touch)
{
	struct buffer *from = NULL, *to;

	if (!is_of_buffer(touch) || !writes(call, touch))
		return;
	to = hold(CLAW_ARG_AT(call, void *, touch->memory));
	if (copies(call->api))
		from = hold(CLAW_ARG(call, clEnqueueCopyBuffer, src_buffer));
	pthread_mutex_lock(&lock);
	call->instrument.was_written = to && to->whole->state == WRITTEN;
	if (to && !(copies(call->api) && copy(call, from, to)))
		write_touch(call, touch, to);
	pthread_mutex_unlock(&lock);
	leave(from);
	leave(to);
}

/* The driver refused it: nobody knows how far it came. */
static void take_back(const struct claw_call *call,
		      const struct claw_touch *touch)
{
	struct buffer *to;

	if (!is_of_buffer(touch) || !writes(call, touch) ||
	    call->instrument.was_written)
		return;
	to = hold(CLAW_ARG_AT(call, void *, touch->memory));
	pthread_mutex_lock(&lock);
	if (to)
		set_state(to->whole, GIVEN_UP, "init: a command that the "
			  "driver refused");
	pthread_mutex_unlock(&lock);
	leave(to);
}

/* ---- what is not followed --------------------------------------------------- */

/* Commands that take buffers where nobody knows them. */
static bool is_opaque(enum claw_api api)
{
	switch (api) {
	case CLAW_API_clEnqueueNativeKernel:
	case CLAW_API_clEnqueueAcquireGLObjects:
	case CLAW_API_clEnqueueAcquireEGLObjectsKHR:
	case CLAW_API_clEnqueueAcquireExternalMemObjectsKHR:
	case CLAW_API_clCommandCopyBufferKHR:
	case CLAW_API_clCommandCopyBufferRectKHR:
	case CLAW_API_clCommandCopyImageToBufferKHR:
	case CLAW_API_clCommandFillBufferKHR:
		return true;
	default:
		return false;
	}
}

static void give_up_all(const struct claw_call *call)
{
	static const char why[] = "init: a command that is not followed";
	const struct claw_api_info *info = &claw_api_table[call->api];
	void *const *list;
	uint32_t count = claw_arg_list(call, CLAW_P_MEMS, &list);

	for (uint32_t i = 0; list && i < count; i++)
		give_up(list[i], why);
	for (unsigned int i = 0; i < info->param_count; i++)
		if (info->roles[i] == CLAW_P_MEM)
			give_up(CLAW_ARG_AT(call, cl_mem, (int)i), why);
}

void claw_valid_lose(cl_mem mem, const char *why)
{
	if (is_on())
		give_up(mem, why);
}

void claw_valid_give_up(const struct claw_probed_kernel *kernel)
{
	for (unsigned int i = 0; i < CLAW_PROBE_ARGUMENTS; i++)
		if (kernel->given[i])
			give_up(kernel->given[i], "init: a kernel that is not "
				"followed writes to a buffer");
}

/* ---- all of it ------------------------------------------------------------------ */

/* What a kernel has written whole needs no shadow any more. It is looked at when
 * the program has waited anyway, after the first use, the second, the fourth. */
static void note_use(struct buffer *whole, cl_command_queue handle)
{
	struct claw_probed_queue queue;

	claw_probed_queue_get(handle, &queue);
	whole->device = queue.device;
	if (whole->uses++ == whole->next_look)
		__atomic_add_fetch(&due, 1, __ATOMIC_RELAXED);
}

static bool is_full(const unsigned char *bytes, uint64_t count)
{
	while (count && bytes[count - 1] == 0xff)
		count--;
	return !count;
}

static bool is_all_written(struct buffer *whole, cl_command_queue queue)
{
	unsigned char *bytes = malloc(LOOK_BYTES);
	bool is_full_yet = bytes;

	for (uint64_t at = 0; is_full_yet && at < whole->bytes;
	     at += LOOK_BYTES) {
		uint64_t count = whole->bytes - at < LOOK_BYTES ?
			whole->bytes - at : LOOK_BYTES;

		is_full_yet = !claw_next.clEnqueueReadBuffer(queue,
				whole->shadow, CL_TRUE, at, count, bytes, 0,
				NULL, NULL) && is_full(bytes, count);
	}
	free(bytes);
	return is_full_yet;
}

static bool is_due(const struct buffer *whole)
{
	return whole->state == PARTLY && whole->uses > whole->next_look;
}

static void look_at(struct buffer *whole)
{
	cl_command_queue queue;

	if (!is_due(whole))
		return;
	whole->next_look = 2 * whole->uses;
	queue = claw_own_queue_get(whole->context, whole->device);
	if (queue && is_all_written(whole, queue))
		set_state(whole, WRITTEN, NULL);
	if (queue)
		claw_own_queue_put(queue);
}

/* Those that are to be looked at, held; a list of their own. */
static struct buffer *gather(void)
{
	struct buffer *list = NULL;

	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&buffers.lock);
	for (unsigned int i = 0; i < CLAW_PROBED_BUCKETS; i++)
		for (struct claw_probed_entry *entry = buffers.buckets[i];
		     entry; entry = entry->next) {
			struct buffer *whole = buffer_of(entry);

			if (whole->whole != whole || !is_due(whole) ||
			    whole->is_gathered)
				continue;
			entry->users++;
			whole->is_gathered = true;
			whole->to_look = list;
			list = whole;
		}
	pthread_mutex_unlock(&buffers.lock);
	pthread_mutex_unlock(&lock);
	return list;
}

void claw_valid_look(void)
{
	struct buffer *list, *next;

	if (claw_is_called_back() ||
	    !__atomic_exchange_n(&due, 0, __ATOMIC_RELAXED))
		return;
	for (list = gather(); list; list = next) {
		next = list->to_look;
		pthread_mutex_lock(&lock);
		look_at(list);
		list->is_gathered = false;
		pthread_mutex_unlock(&lock);
		leave(list);
	}
}

/* ---- a launch ----------------------------------------------------------------- */

cl_mem claw_valid_shadow(cl_mem mem, cl_command_queue queue,
			 uint64_t *ret_offset, const char **why)
{
	struct buffer *buffer = hold(mem);
	cl_mem shadow = NULL;

	if (!buffer) {
		*why = "init: a buffer that is not known";
		return NULL;
	}
	pthread_mutex_lock(&lock);
	if (buffer->whole->state != WRITTEN &&
	    make_shadow(buffer->whole, queue)) {
		shadow = buffer->whole->shadow;
		*ret_offset = buffer->origin;
		claw_next.clRetainMemObject(shadow);
		note_use(buffer->whole, queue);
	} else if (buffer->whole->state == GIVEN_UP) {
		*why = buffer->whole->why;
	}
	pthread_mutex_unlock(&lock);
	leave(buffer);
	return shadow;
}

/* ---- calls ---------------------------------------------------------------------- */

cl_uint claw_valid_shadows(cl_context context)
{
	cl_uint count = 0;

	if (!is_on())
		return 0;
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&buffers.lock);
	for (unsigned int i = 0; i < CLAW_PROBED_BUCKETS; i++)
		for (struct claw_probed_entry *entry = buffers.buckets[i];
		     entry; entry = entry->next)
			count += buffer_of(entry)->context == context &&
				buffer_of(entry)->shadow;
	pthread_mutex_unlock(&buffers.lock);
	pthread_mutex_unlock(&lock);
	return count;
}

bool claw_valid_interest(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	bool touches = false;

	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
		touches |= is_of_buffer(&info->touches[i]) &&
			info->touches[i].access != CLAW_TOUCH_READS;
	return is_on() && (touches || is_opaque(api) ||
			   (info->object == CLAW_OBJ_MEM &&
			    info->effect != CLAW_NOTHING));
}

void claw_valid_before(struct claw_call *call)
{
	if (!claw_valid_interest(call->api) || call->injected)
		return;
	if (call->api == CLAW_API_clReleaseMemObject)
		claw_probed_release(&buffers,
				    claw_arg_pointer(call, CLAW_P_MEM));
	else if (is_opaque(call->api))
		give_up_all(call);
	else
		for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
			see_touch(call, &claw_api_table[call->api].touches[i]);
}

void claw_valid_failed(const struct claw_call *call)
{
	if (is_on() && !call->injected && !is_opaque(call->api))
		for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
			take_back(call, &claw_api_table[call->api].touches[i]);
}

static bool has_contents(cl_mem_flags flags)
{
	return flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
}

/* Imported memory, say, is what others wrote. */
static bool has_properties(const struct claw_call *call)
{
	const cl_mem_properties *list = CLAW_ARG(call,
		clCreateBufferWithProperties, properties);

	return list && *list;
}

/* Pixels that are written to a buffer are not followed. */
static void made_image(const struct claw_call *call)
{
	const cl_image_desc *const *desc =
		claw_arg_address(call, CLAW_P_IMAGE_DESC);

	if (desc && *desc && (*desc)->mem_object)
		give_up((*desc)->mem_object, "init: an image of a buffer");
}

void claw_valid_after(const struct claw_call *call)
{
#define MADE(name_) CLAW_ARG(call, clCreateBuffer, name_)
#define WITH(name_) CLAW_ARG(call, clCreateBufferWithProperties, name_)
	if (!is_on())
		return;
	if (call->api == CLAW_API_clCreateBuffer)
		add(MADE(context), call->ret, MADE(size),
		    has_contents(MADE(flags)));
	else if (call->api == CLAW_API_clCreateBufferWithProperties)
		add(WITH(context), call->ret, WITH(size),
		    has_contents(WITH(flags)) || has_properties(call));
	else if (call->api == CLAW_API_clCreateSubBuffer)
		add_part(CLAW_ARG(call, clCreateSubBuffer, buffer), call->ret,
			 CLAW_ARG(call, clCreateSubBuffer, buffer_create_info));
	else if (call->api == CLAW_API_clRetainMemObject)
		claw_probed_retain(&buffers,
				   claw_arg_pointer(call, CLAW_P_MEM));
	else
		made_image(call);
#undef MADE
#undef WITH
}

void claw_valid_begin(void)
{
	claw_probed_table_begin(&buffers, free_buffer);
	pthread_mutex_init(&lock, NULL);
}
