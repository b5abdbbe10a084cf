/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often a buffer is mapped while it is mapped once.
 * SPECIFICATION: clGetMemObjectInfo, CL_MEM_MAP_COUNT
 * DEVIATES: rusticl 22.3.6: 0
 * DEVIATES: rusticl 25.0.7: 0
 * DEVIATES: oclgrind 21.10: 0
 */
#include "setup.h"

int main(void)
{
	cl_uint count = 99;
	cl_mem mem;

	setup();
	mem = new_buffer(64);
	clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL,
			   NULL, NULL);
	clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL);
	return expect("CL_MEM_MAP_COUNT", (cl_int)count, 1);
}
