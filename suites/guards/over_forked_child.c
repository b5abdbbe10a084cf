/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server forks its worker before it touches OpenCL; the worker's launch is
 * wrong, the server's own is right.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "guards.h"

static const char source[] =
	"kernel void serve(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x76777879;\n"
	"}\n";

static void serve(size_t items)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "serve");
	cl_mem mem = new_ints(&cl);

	set_arg(kernel, 0, mem);
	/* PLANTED: guard serve 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	close_with(&cl, kernel, mem);
}

int main(void)
{
	int status = FAILED;
	pid_t child = fork();

	if (child == 0) {
#ifdef PLANTED
		serve(ITEMS + 1);
#else
		serve(ITEMS);
#endif
		exit(0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		need(false, "an OpenCL device");
	expect(status, 0);
	serve(ITEMS);
	return 0;
}
