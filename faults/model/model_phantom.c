/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers that the model's device has and this machine does not: a small one
 * of the driver's stands in for each, so that it has a handle and references.
 * Commands on it are not carried out: a marker, or the launch with no
 * work-items, takes their place. What is read of it is zeros. Images are in
 * model_phantom_image.c.
 */
#include "config.h"

#include "model_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	SMALL = 4096,		/* bytes of the driver's buffer */
	HOLDS_MAX = 64,
	PARENTS_MAX = 4,
};

/* Half of what was free of the machine, when the process began. */
int64_t claw_phantom_above CLAW_HIDDEN;
static bool any;		/* there was one */

/* ---- this machine */

static uint64_t available_bytes(void)
{
	static const char key[] = "MemAvailable:";
	char text[1024];
	int fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	const char *found;
	long pages, page;

	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	found = strstr(text, key);
	if (found)
		return strtoull(found + strlen(key), NULL, 10) * 1024;
	pages = sysconf(_SC_AVPHYS_PAGES);
	page = sysconf(_SC_PAGESIZE);
	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page :
		UINT64_MAX;
}

void claw_phantom_begin(void)
{
	claw_phantom_above = (int64_t)(available_bytes() / 2);
	any = false;
	claw_phantom_images_begin();
}

bool claw_phantom_is(const void *mem)
{
	struct claw_ledger_entry entry;

	for (unsigned int i = 0; mem && i < PARENTS_MAX; i++) {
		if (!claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry))
			return false;
		if (entry.mem_flags & CLAW_MODEL_PHANTOM)
			return true;
		mem = entry.flags & CLAW_LEDGER_SUB ?
			(const void *)(uintptr_t)entry.parent : NULL;
	}
	return false;
}

/* ---- creation */

/* The program takes it that the driver said so. */
void claw_phantom_answer(struct claw_call *call, void *ret, cl_int err)
{
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	call->injected = call->guarded = true;
	call->ret = ret;
	call->err = err;
	if (errcode)
		*errcode = err;
}

static cl_mem create_small(const struct claw_call *call)
{
	cl_mem_flags flags = claw_call_flags(call);
	size_t bytes = claw_call_bytes(call);
	cl_int err = CL_SUCCESS;
	cl_mem mem;

	flags &= ~(cl_mem_flags)(CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR);
	claw_ours_begin();
	mem = claw_next.clCreateBuffer(
		claw_arg_pointer(call, CLAW_P_CONTEXT), flags,
		bytes < SMALL ? bytes : SMALL, NULL, &err);
	claw_ours_end();
	return mem;
}

bool claw_phantom_create(struct claw_call *call)
{
	cl_mem mem = claw_api_makes_image(call->api) ?
		claw_phantom_image_create(call) : create_small(call);

	if (!mem)
		return false;
	call->model.bits |= CLAW_MODEL_PHANTOM;
	claw_phantom_answer(call, mem, CL_SUCCESS);
	if (!__atomic_exchange_n(&any, true, __ATOMIC_RELAXED)) {
		claw_say("the device model has more memory than this machine: "
			 "commands on buffers and images beyond it are not "
			 "carried out, reads of them give zeros");
		claw_watch_all();
	}
	return true;
}

/* Of a part there is a part of the small one. */
static void create_part(struct claw_call *call)
{
	const cl_buffer_region *wanted =
		CLAW_ARG(call, clCreateSubBuffer, buffer_create_info);
	cl_buffer_region small;
	cl_int err = CL_SUCCESS;
	cl_mem mem;

	if (!wanted || CLAW_ARG(call, clCreateSubBuffer, buffer_create_type) !=
	    CL_BUFFER_CREATE_TYPE_REGION || !wanted->size)
		return;
	small = (cl_buffer_region){
		.size = wanted->size < SMALL ? wanted->size : SMALL,
	};
	claw_ours_begin();
	mem = claw_next.clCreateSubBuffer(
		CLAW_ARG(call, clCreateSubBuffer, buffer),
		CLAW_ARG(call, clCreateSubBuffer, flags),
		CL_BUFFER_CREATE_TYPE_REGION, &small, &err);
	claw_ours_end();
	claw_phantom_answer(call, mem, err);
}

/* So there is a small image on it. */
static void create_on_part(struct claw_call *call)
{
	cl_mem mem = claw_phantom_image_create(call);

	if (mem)
		claw_phantom_answer(call, mem, CL_SUCCESS);
}

/* ---- commands */

struct waits {
	cl_uint count;
	const cl_event *list;
	cl_event *event;
};

static struct waits waits_of(const struct claw_call *call)
{
	void *const *list;
	struct waits waits = { .event = claw_arg_pointer(call,
							 CLAW_P_EVENT_OUT) };

	waits.count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);
	waits.list = waits.count ? (const cl_event *)list : NULL;
	return waits;
}

/* In its place, and done when it would be. */
static cl_int put_marker(const struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct waits waits = waits_of(call);
	cl_event own = NULL;
	cl_event *event = waits.event ? waits.event : &own;
	cl_int err;

	claw_ours_begin();
	if (claw_next.clEnqueueMarkerWithWaitList)
		err = claw_next.clEnqueueMarkerWithWaitList(queue, waits.count,
							    waits.list, event);
	else
		err = claw_next.clEnqueueMarker(queue, event);
	if (!err && claw_call_is_blocking(call))
		err = claw_next.clWaitForEvents(1, event);
	if (own)
		claw_next.clReleaseEvent(own);
	claw_ours_end();
	return err;
}

/* The same launch without work-items, where the driver has that. */
static cl_int put_launch(const struct claw_call *call)
{
	static const size_t nothing[3];
	struct waits waits = waits_of(call);
	cl_uint dimensions = CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim);
	cl_int err;

	claw_ours_begin();
	err = claw_next.clEnqueueNDRangeKernel(
		claw_arg_pointer(call, CLAW_P_QUEUE),
		claw_arg_pointer(call, CLAW_P_KERNEL), dimensions, NULL,
		nothing, NULL, waits.count, waits.list, waits.event);
	claw_ours_end();
	return err ? put_marker(call) : err;
}

/* What is copied of it is zeros. Where to, or NULL: to nothing that the driver
 * has, or can fill. */
static const struct claw_touch *copied_to(const struct claw_call *call)
{
	const struct claw_touch *to = &claw_api_table[call->api].touches[1];
	bool fills = to->kind == CLAW_TOUCH_IMAGE ?
			     claw_next.clEnqueueFillImage != NULL :
			     (to->kind == CLAW_TOUCH_BUFFER ||
			      to->kind == CLAW_TOUCH_BUFFER_PIXELS) &&
				     claw_next.clEnqueueFillBuffer;

	return fills && to->access == CLAW_TOUCH_WRITES &&
	       !claw_phantom_is(CLAW_ARG_AT(call, void *, to->memory)) ?
		       to : NULL;
}

static cl_int put_zeros(const struct claw_call *call,
			const struct claw_touch *to)
{
	static const cl_uint zero[4];
	const struct claw_touch *from = claw_api_table[call->api].touches;
	struct waits waits = waits_of(call);
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	cl_mem mem = CLAW_ARG_AT(call, cl_mem, to->memory);
	size_t bytes = 0;
	cl_int err;

	if (to->kind == CLAW_TOUCH_BUFFER)
		bytes = CLAW_ARG_AT(call, size_t, to->size);
	else if (to->kind == CLAW_TOUCH_BUFFER_PIXELS &&
		 !claw_phantom_image_bytes(
			 CLAW_ARG_AT(call, void *, from->memory),
			 CLAW_ARG_AT(call, size_t *, to->size), &bytes))
		return put_marker(call);
	claw_ours_begin();
	if (to->kind == CLAW_TOUCH_IMAGE)
		err = claw_next.clEnqueueFillImage(
			queue, mem, zero, CLAW_ARG_AT(call, size_t *, to->at),
			CLAW_ARG_AT(call, size_t *, to->size), waits.count,
			waits.list, waits.event);
	else
		err = claw_next.clEnqueueFillBuffer(
			queue, mem, zero, 1, CLAW_ARG_AT(call, size_t, to->at),
			bytes, waits.count, waits.list, waits.event);
	claw_ours_end();
	return err;
}

/* Of lines of so many bytes each. */
static void clear_box(const struct claw_call *call,
		      const struct claw_touch *host, size_t bytes)
{
	const size_t *region = CLAW_ARG_AT(call, size_t *, host->size);
	const size_t *origin = host->at < 0 ? NULL :
		CLAW_ARG_AT(call, size_t *, host->at);
	size_t row = CLAW_ARG_AT(call, size_t, host->row);
	size_t slice = CLAW_ARG_AT(call, size_t, host->slice);
	char *out = CLAW_ARG_AT(call, char *, host->memory);

	row = row ? row : bytes;
	slice = slice ? slice : row * region[1];
	if (origin)
		out += origin[2] * slice + origin[1] * row + origin[0];
	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			memset(out + z * slice + y * row, 0, bytes);
}

/* What is read of it is zeros, too. */
static void read_zeros(struct claw_call *call, const struct claw_touch *host)
{
	const struct claw_touch *from = claw_api_table[call->api].touches;
	void *out = CLAW_ARG_AT(call, void *, host->memory);
	const size_t *region;
	size_t bytes;

	claw_phantom_answer(call, NULL, put_marker(call));
	if (call->err || !out)
		return;
	if (host->kind == CLAW_TOUCH_HOST) {
		memset(out, 0, CLAW_ARG_AT(call, size_t, host->size));
		return;
	}
	region = CLAW_ARG_AT(call, size_t *, host->size);
	if (!region ||
	    (host->at >= 0 && !CLAW_ARG_AT(call, size_t *, host->at)))
		return;
	bytes = region[0];
	if (host->kind == CLAW_TOUCH_HOST_RECT ||
	    claw_phantom_image_bytes(CLAW_ARG_AT(call, void *, from->memory),
				     (const size_t[]){ bytes, 1, 1 }, &bytes))
		clear_box(call, host, bytes);
}

/* Pages that are there when they are used. */
void claw_phantom_map(struct claw_call *call, size_t bytes)
{
	void *pages = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				   -1, 0) : MAP_FAILED;
	cl_int err = pages == MAP_FAILED ? CL_MAP_FAILURE : put_marker(call);

	if (err && pages != MAP_FAILED)
		munmap(pages, bytes);
	claw_phantom_answer(call, err ? NULL : pages, err);
}

static void unmap(struct claw_call *call)
{
	void *pages = CLAW_ARG(call, clEnqueueUnmapMemObject, mapped_ptr);
	struct claw_ledger_entry entry;
	cl_int err;

	if (!claw_ledger_copy(CLAW_OBJ_MAPPING, pages, &entry))
		return;		/* the driver says that it is none */
	err = put_marker(call);
	if (!err && entry.bytes)
		munmap(pages, entry.bytes);
	claw_phantom_answer(call, NULL, err);
}

static bool uses_one(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const void *kernel = claw_arg_pointer(call, CLAW_P_KERNEL);
	struct claw_ledger_hold holds[HOLDS_MAX];
	void *const *list;
	unsigned int count;
	bool found = false, all;

	for (unsigned int i = 0; i < info->param_count && !found; i++)
		found = info->roles[i] == CLAW_P_MEM &&
			claw_phantom_is(CLAW_ARG_AT(call, void *, i));
	count = claw_arg_list(call, CLAW_P_MEMS, &list);
	for (unsigned int i = 0; i < count && !found; i++)
		found = claw_phantom_is(list[i]);
	if (found || !kernel)
		return found;
	count = claw_ledger_holds(CLAW_OBJ_KERNEL, kernel, holds, HOLDS_MAX,
				  &all);
	for (unsigned int i = 0; i < count && !found; i++)
		found = claw_phantom_is((const void *)(uintptr_t)
					holds[i].handle);
	return found;
}

static void do_command(struct claw_call *call)
{
	const struct claw_touch *host = claw_api_find_host(call->api);
	const struct claw_touch *to = copied_to(call);

	switch (call->api) {
	case CLAW_API_clEnqueueMapBuffer:
		claw_phantom_map(call,
				 CLAW_ARG(call, clEnqueueMapBuffer, size));
		return;
	case CLAW_API_clEnqueueMapImage:
		claw_phantom_image_map(call);
		return;
	case CLAW_API_clEnqueueUnmapMemObject:
		unmap(call);
		return;
	case CLAW_API_clEnqueueNDRangeKernel:
		claw_phantom_answer(call, NULL, put_launch(call));
		return;
	default:
		break;
	}
	if (host && host->access == CLAW_TOUCH_WRITES)
		read_zeros(call, host);
	else if (claw_api_table[call->api].fails_as == CLAW_STATUS)
		claw_phantom_answer(call, NULL, to ? put_zeros(call, to) :
				    put_marker(call));
}

void claw_phantom_before(struct claw_call *call)
{
	if (!__atomic_load_n(&any, __ATOMIC_RELAXED))
		return;
	if (call->api == CLAW_API_clCreateSubBuffer &&
	    claw_phantom_is(CLAW_ARG(call, clCreateSubBuffer, buffer)))
		create_part(call);
	else if (claw_api_makes_image(call->api) &&
		 claw_phantom_is(claw_phantom_image_parent(call)))
		create_on_part(call);
	else if (claw_api_table[call->api].groups & CLAW_G_ENQUEUE &&
		 claw_arg_pointer(call, CLAW_P_QUEUE) && uses_one(call))
		do_command(call);
}

/* ---- queries */

/* The size that the program asked for. */
static void patch_size(struct claw_call *call)
{
	const void *mem = CLAW_ARG(call, clGetMemObjectInfo, memobj);
	struct claw_ledger_entry entry;
	size_t bytes;

	if (CLAW_ARG(call, clGetMemObjectInfo, param_name) != CL_MEM_SIZE ||
	    !claw_phantom_is(mem) ||
	    !claw_ledger_copy(CLAW_OBJ_MEM, mem, &entry))
		return;
	bytes = (size_t)entry.bytes;
	claw_model_answer(call, 2, &bytes, sizeof(bytes));
}

/* A marker stands where the program has put another command. */
static void patch_type(struct claw_call *call)
{
	cl_command_type *type = CLAW_ARG(call, clGetEventInfo, param_value);
	struct claw_ledger_entry entry;
	cl_command_type wanted;

	if (CLAW_ARG(call, clGetEventInfo, param_name) !=
		    CL_EVENT_COMMAND_TYPE ||
	    !type || *type != CL_COMMAND_MARKER ||
	    !claw_ledger_copy(CLAW_OBJ_EVENT,
			      CLAW_ARG(call, clGetEventInfo, event), &entry))
		return;
	wanted = claw_command_type((enum claw_api)entry.api);
	if (wanted != CL_COMMAND_USER)
		claw_model_answer(call, 2, &wanted, sizeof(wanted));
}

void claw_phantom_after(struct claw_call *call)
{
	if (!__atomic_load_n(&any, __ATOMIC_RELAXED) || call->err)
		return;
	if (call->api == CLAW_API_clGetMemObjectInfo)
		patch_size(call);
	else if (call->api == CLAW_API_clGetImageInfo)
		claw_phantom_image_patch(call);
	else if (call->api == CLAW_API_clGetEventInfo)
		patch_type(call);
}
