/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call: its parameters by their roles, whose it is, how it is made to fail;
 * and the clock.
 */
#include "config.h"

#include "guest.h"

#include <errno.h>
#include <time.h>

#include "faults/shared/image_bytes.h"

__thread unsigned int claw_ours_depth;

/* Functions of the program's that were called back and have not returned. */
static __thread unsigned int callback_depth
	__attribute__((tls_model(CLAW_TLS_MODEL)));

/* What a driver does to errno in a call that is not the program's is nothing
 * that the program may see. */
static __thread int errno_before_ours
	__attribute__((tls_model(CLAW_TLS_MODEL)));

__thread const struct claw_call *claw_call_under_way;

void claw_ours_begin(void)
{
	if (!claw_ours_depth++)
		errno_before_ours = errno;
}

void claw_ours_end(void)
{
	if (!--claw_ours_depth)
		errno = errno_before_ours;
}

unsigned int claw_ours_leave(void)
{
	unsigned int depth = claw_ours_depth;

	claw_ours_depth = 0;
	callback_depth++;
	return depth;
}

void claw_ours_return(unsigned int depth)
{
	claw_ours_depth = depth;
	callback_depth--;
}

bool claw_is_called_back(void)
{
	return callback_depth;
}

uint64_t claw_now_ns(void)
{
	return claw_clock_mono_ns();
}

void claw_sleep_ns(uint64_t ns)
{
	uint64_t end = claw_now_ns() + ns;
	struct timespec until = {
		.tv_sec = (time_t)(end / 1000000000u),
		.tv_nsec = (long)(end % 1000000000u),
	};
	int saved = errno;

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
	       EINTR)
		;
	errno = saved;
}

/* ---------------------------------------------------------- parameters */

const void *claw_arg_address(const struct claw_call *call, enum claw_role role)
{
	int i = claw_api_find_param(call->api, role);

	return i < 0 ? NULL : call->args[i];
}

bool claw_call_is_blocking(const struct claw_call *call)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);

	return blocking && *blocking;
}

bool claw_call_waits(const struct claw_call *call)
{
	uint32_t groups = claw_api_table[call->api].groups;

	return groups & CLAW_G_ENQUEUE ? claw_call_is_blocking(call) :
	       groups & CLAW_G_SYNC;
}

bool claw_call_is_injected(const struct claw_call *call)
{
	return (call->injected && !call->guarded) ||
	       call->flags & (CLAW_REC_INJECTED | CLAW_REC_CONSEQUENCE);
}

void *claw_arg_pointer(const struct claw_call *call, enum claw_role role)
{
	void *const *address = claw_arg_address(call, role);

	return address ? *address : NULL;
}

uint32_t claw_arg_list(const struct claw_call *call, enum claw_role role,
		       void *const **ret_list)
{
	int i = claw_api_find_param(call->api, role);

	*ret_list = NULL;
	if (i < 1)
		return 0;
	*ret_list = *(void *const *const *)call->args[i];
	return *ret_list ? *(const cl_uint *)call->args[i - 1] : 0;
}

cl_mem_flags claw_call_flags(const struct claw_call *call)
{
	const cl_mem_flags *flags = claw_arg_address(call, CLAW_P_FLAGS);

	return flags ? *flags : 0;
}

uint32_t claw_call_freed(const struct claw_call *call,
			 void *const **ret_list)
{
	*ret_list = CLAW_ARG(call, clEnqueueSVMFree, svm_pointers);
	return *ret_list && !CLAW_ARG(call, clEnqueueSVMFree, pfn_free_func) ?
		CLAW_ARG(call, clEnqueueSVMFree, num_svm_pointers) : 0;
}

static size_t size_of(const struct claw_call *call, enum claw_role role)
{
	const size_t *size = claw_arg_address(call, role);

	return size ? *size : 0;
}

bool claw_call_new_image(const struct claw_call *call,
			 struct claw_new_image *ret)
{
	int desc = claw_api_find_param(call->api, CLAW_P_IMAGE_DESC);
	int depth = claw_api_find_param(call->api, CLAW_P_IMAGE_DEPTH);

	if (!claw_api_makes_image(call->api))
		return false;
	ret->flags = claw_call_flags(call);
	ret->format = claw_arg_pointer(call, CLAW_P_IMAGE_FORMAT);
	ret->desc = &ret->old;
	if (desc >= 0)
		ret->desc = CLAW_ARG_AT(call, cl_image_desc *, desc);
	else
		ret->old = (cl_image_desc){
			.image_type = depth < 0 ? CL_MEM_OBJECT_IMAGE2D :
				CL_MEM_OBJECT_IMAGE3D,
			.image_width = size_of(call, CLAW_P_IMAGE_WIDTH),
			.image_height = size_of(call, CLAW_P_IMAGE_HEIGHT),
			.image_depth = size_of(call, CLAW_P_IMAGE_DEPTH),
			.image_row_pitch = size_of(call, CLAW_P_ROW_PITCH),
			.image_slice_pitch = size_of(call, CLAW_P_SLICE_PITCH),
		};
	return true;
}

static uint64_t image_bytes(const struct claw_new_image *image)
{
	uint64_t region[3];

	if (!image->desc)
		return 0;
	claw_image_region(image->desc, region);
	return claw_image_element_bytes(image->format) * region[0] *
		region[1] * region[2];
}

/* Of what has no parameter that is its size. */
static __attribute__((noinline)) uint64_t
bytes_otherwise(const struct claw_call *call)
{
	const struct claw_touch *box =
		claw_api_find_touch(call->api, CLAW_TOUCH_BUFFER_RECT);
	const size_t *region = box ? CLAW_ARG_AT(call, size_t *, box->size) :
		NULL;
	const cl_buffer_region *part = claw_arg_pointer(call, CLAW_P_PART);
	const cl_uint *packet = claw_arg_address(call, CLAW_P_PACKET_SIZE);
	const cl_uint *packets = claw_arg_address(call, CLAW_P_PACKET_COUNT);
	struct claw_new_image image;

	if (claw_call_new_image(call, &image))
		return image_bytes(&image);
	if (region)
		return (uint64_t)region[0] * region[1] * region[2];
	if (packet && packets)
		return (uint64_t)*packet * *packets;
	return part ? part->size : 0;
}

uint64_t claw_call_bytes(const struct claw_call *call)
{
	const size_t *size = claw_arg_address(call, CLAW_P_SIZE);

	return size ? *size : bytes_otherwise(call);
}

uint64_t claw_call_handle(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (info->effect == CLAW_CREATES && call->ret)
		return (uintptr_t)call->ret;
	for (unsigned int i = 0; i < info->param_count; i++)
		if (info->roles[i] >= CLAW_P_PLATFORM &&
		    info->roles[i] <= CLAW_P_OPTIONAL_QUEUE)
			return (uintptr_t)*(void *const *)call->args[i];
	return 0;
}

/* ------------------------------------------------------------- outcome */

void claw_fail(struct claw_call *call, cl_int code)
{
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	call->injected = true;
	call->flags |= CLAW_REC_INJECTED;
	call->ret = NULL;
	call->err = code;
	if (errcode)
		*errcode = code;
}
