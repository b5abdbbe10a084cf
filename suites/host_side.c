/* SPDX-License-Identifier: Apache-2.0 */
/* What the suites about the host's code share. */
#include "config.h"

#include "host_side.h"

#include <sched.h>
#include <stdlib.h>

enum { PATIENCE_SECONDS = 10 };

#define REFERENCES(type_, name_, query_, what_)				\
	cl_uint claw_##name_##_references(type_ object)			\
	{								\
		cl_uint count = 0;					\
									\
		claw_must(query_(object, what_, sizeof(count), &count,	\
				 NULL));				\
		return count;						\
	}
REFERENCES(cl_mem, mem, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)
REFERENCES(cl_event, event, clGetEventInfo, CL_EVENT_REFERENCE_COUNT)
REFERENCES(cl_kernel, kernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT)
REFERENCES(cl_program, program, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT)
REFERENCES(cl_command_queue, queue, clGetCommandQueueInfo,
	   CL_QUEUE_REFERENCE_COUNT)
REFERENCES(cl_context, context, clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT)
#undef REFERENCES

cl_uint claw_mem_maps(cl_mem mem)
{
	cl_uint count = 0;

	claw_must(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(count),
				     &count, NULL));
	return count;
}

cl_int claw_event_status(cl_event event)
{
	cl_int status = CL_QUEUED;

	claw_must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				 sizeof(status), &status, NULL));
	return status;
}

struct claw_patience claw_patience_new(void)
{
	struct claw_patience patience;

	/* The clock of sem_timedwait(). */
	clock_gettime(CLOCK_REALTIME, &patience.until);
	patience.until.tv_sec += PATIENCE_SECONDS;
	return patience;
}

bool claw_patience_left(const struct claw_patience *patience)
{
	struct timespec now;

	sched_yield();
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec < patience->until.tv_sec;
}

cl_mem claw_new_ints(size_t count)
{
	cl_int err = CL_SUCCESS, *zeros = calloc(count, sizeof(*zeros));
	cl_mem mem;

	ck_assert_ptr_nonnull(zeros);
	mem = clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE |
			     CL_MEM_COPY_HOST_PTR, count * sizeof(*zeros),
			     zeros, &err);
	free(zeros);
	claw_expect_code("clCreateBuffer", err, CL_SUCCESS);
	return mem;
}

cl_command_queue claw_new_queue(cl_context context)
{
	cl_int err = CL_SUCCESS;
	cl_command_queue queue = clCreateCommandQueue(context, claw_dev.device,
						      0, &err);

	claw_expect_code("clCreateCommandQueue", err, CL_SUCCESS);
	return queue;
}

cl_event claw_new_gate(void)
{
	cl_int err = CL_SUCCESS;
	cl_event gate = clCreateUserEvent(claw_dev.context, &err);

	claw_expect_code("clCreateUserEvent", err, CL_SUCCESS);
	return gate;
}

cl_int claw_launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem,
		   size_t items, const cl_event *wait, cl_event *ret_event)
{
	claw_must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL,
				      wait ? 1 : 0, wait, ret_event);
}

void claw_expect_ints(cl_command_queue queue, cl_mem mem, size_t count,
		      cl_int expected)
{
	cl_int *values = calloc(count, sizeof(*values));

	ck_assert_ptr_nonnull(values);
	claw_must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0,
				      count * sizeof(*values), values, 0, NULL,
				      NULL));
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(values[i] == expected,
			      "element %zu is %d, expected %d", i,
			      (int)values[i], (int)expected);
	free(values);
}

static void CL_CALLBACK on_mem_end(cl_mem mem, void *user)
{
	struct claw_witness *witness = user;

	(void)mem;
	sem_post(&witness->gone);
}

void claw_witness_mem(struct claw_witness *witness, cl_mem mem)
{
	ck_assert_int_eq(sem_init(&witness->gone, 0, 0), 0);
	claw_must(clSetMemObjectDestructorCallback(mem, on_mem_end, witness));
}

static void CL_CALLBACK on_context_end(cl_context context, void *user)
{
	struct claw_witness *witness = user;

	(void)context;
	sem_post(&witness->gone);
}

bool claw_witness_context(struct claw_witness *witness, cl_context context)
{
	ck_assert_int_eq(sem_init(&witness->gone, 0, 0), 0);
	return claw_dev.version >= 300 &&
	       clSetContextDestructorCallback(context, on_context_end,
					      witness) == CL_SUCCESS;
}

bool claw_witness_sees_the_end(struct claw_witness *witness)
{
	struct claw_patience patience = claw_patience_new();

	return sem_timedwait(&witness->gone, &patience.until) == 0;
}

bool claw_witness_saw_nothing(struct claw_witness *witness)
{
	int value = 1;

	return sem_getvalue(&witness->gone, &value) == 0 && value == 0;
}
