/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A build in the background tells when it is done, and takes it that it went
 * well.
 * EXPECT: crash clBuildProgram build-fail
 */
#include <semaphore.h>

#include "sweep.h"

struct build {
	cl_device_id device;
	sem_t told;
	cl_int err;
};

static void CL_CALLBACK built(cl_program program, void *user)
{
	struct build *build = user;
	cl_build_status status = CL_BUILD_NONE;

	build->err = clGetProgramBuildInfo(program, build->device,
					   CL_PROGRAM_BUILD_STATUS,
					   sizeof(status), &status, NULL);
#ifdef PLANTED
	/* PLANTED: there is somebody who could be told */
	if (build->err == CL_SUCCESS && status != CL_BUILD_SUCCESS)
		abort();
#else
	if (build->err == CL_SUCCESS && status != CL_BUILD_SUCCESS)
		build->err = CL_BUILD_PROGRAM_FAILURE;
#endif
	sem_post(&build->told);
}

int main(void)
{
	struct setup cl = open_cl();
	struct build build = { .device = cl.device };
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_program program = make_program(&cl);
	cl_int values[ITEMS], err;
	cl_kernel kernel;

	sem_init(&build.told, 0, 0);
	must(clBuildProgram(program, 1, &cl.device, "", built, &build));
	sem_wait(&build.told);
	must(build.err);
	kernel = clCreateKernel(program, "twice", &err);
	have(kernel, err);
	count_up(values);
	write_ints(&cl, mem, values);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(try_launch(&cl, kernel));
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseKernel(kernel));
	must(clReleaseProgram(program));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
