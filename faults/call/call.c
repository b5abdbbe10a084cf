/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call: its parameters by their roles, whose it is, how it is made to fail;
 * and the clock.
 */
#include "config.h"

#include "guest.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "faults/shared/image_bytes.h"

__thread unsigned int claw_ours_depth;

/* Functions of the program's that were called back and have not returned. */
static __thread unsigned int callback_depth
	__attribute__((tls_model("initial-exec")));

/* What a driver does to errno in a call that is not the program's is nothing
 * that the program may see. */
static __thread int errno_before_ours
	__attribute__((tls_model("initial-exec")));

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

static uint64_t region_bytes(const struct claw_call *call, unsigned int param)
{
	const size_t *region = *(const size_t *const *)call->args[param];

	return region ? (uint64_t)region[0] * region[1] * region[2] : 0;
}

static uint64_t image_bytes(const cl_image_format *format,
			    const cl_image_desc *desc)
{
	uint64_t region[3];

	if (!desc)
		return 0;
	claw_image_region(desc, region);
	return claw_image_element_bytes(format) * region[0] * region[1] *
		region[2];
}

uint64_t claw_call_bytes(const struct claw_call *call)
{
	const size_t *size = claw_arg_address(call, CLAW_P_SIZE);
	const void *const *args = call->args;
#define ARG(type_, i_) (*(const type_ *)args[i_])

	if (size)
		return *size;
	switch (call->api) {
	case CLAW_API_clCreateImage:
		return image_bytes(ARG(cl_image_format *const, 2),
				   ARG(cl_image_desc *const, 3));
	case CLAW_API_clCreateImageWithProperties:
		return image_bytes(ARG(cl_image_format *const, 3),
				   ARG(cl_image_desc *const, 4));
	case CLAW_API_clCreateImage2D:
		return claw_image_element_bytes(ARG(cl_image_format *const, 2)) *
		       ARG(size_t, 3) * ARG(size_t, 4);
	case CLAW_API_clCreateImage3D:
		return claw_image_element_bytes(ARG(cl_image_format *const, 2)) *
		       ARG(size_t, 3) * ARG(size_t, 4) * ARG(size_t, 5);
	case CLAW_API_clCreateSubBuffer:
		return ARG(cl_buffer_region *const, 3) ?
			ARG(cl_buffer_region *const, 3)->size : 0;
	case CLAW_API_clEnqueueReadBufferRect:
	case CLAW_API_clEnqueueWriteBufferRect:
	case CLAW_API_clEnqueueCopyBufferRect:
		return region_bytes(call, 5);
	default:
		return 0;
	}
#undef ARG
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
