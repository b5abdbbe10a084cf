/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compile and link are two steps with a program each. The linked one is
 * released, the compiled one is taken for a part of it and stays, with the
 * compiler's intermediate code, on every driver.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	const char *source = SOURCE;
	cl_program compiled, linked;
	cl_int err;

	/* PLANTED: leak program */
	compiled = clCreateProgramWithSource(cl.context, 1, &source, NULL,
					     &err);
	must(err);
	must(clCompileProgram(compiled, 1, &cl.device, "", 0, NULL, NULL, NULL,
			      NULL));
	linked = clLinkProgram(cl.context, 1, &cl.device, "", 1, &compiled,
			       NULL, NULL, &err);
	must(err);
#ifndef PLANTED
	must(clReleaseProgram(compiled));
#endif
	must(clReleaseProgram(linked));
	close_device(&cl);
	return 0;
}
