/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One context, queue, program, kernel and buffer that a program keeps to its
 * end, in static variables: a habit of most programs and no leak that grows.
 * Only --leak-check=all names them.
 */
#include "lifetime.h"

static struct setup cl;
static cl_program program;
static cl_kernel kernel;
static cl_mem mem;

static void add(void)
{
	if (!kernel) {
		cl = open_device();
		program = new_program(&cl);
		kernel = new_kernel(program, "add_one");
		mem = new_ints(&cl);
	}
	launch(cl.queue, kernel, mem, NULL);
}

int main(void)
{
	for (int i = 0; i < ROUNDS; i++)
		add();
	must(clFinish(cl.queue));
	return 0;
}
