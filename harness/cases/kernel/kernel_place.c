/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tell the layer which line of the kernel file the calls are for: what is found
 * wrong with them is the file's, and no line of openclaw-kernel says anything
 * of it.
 */
#include "config.h"

#include "kernel.h"

#include <stdio.h>

typedef int (CL_API_CALL *place_function)(const char *file, cl_uint line,
					  const char *what);

static place_function layer;		/* NULL: there is none */
static bool is_asked;

static void find_layer(cl_platform_id platform)
{
	if (!is_asked)
		layer = __extension__ (place_function)
			clGetExtensionFunctionAddressForPlatform(
				platform, "clawPlaceOPENCLAW");
	is_asked = true;
}

void claw_kernel_at(const struct claw_kernel_run *run,
		    const struct claw_kernel_object *object)
{
	static char words[32];
	const struct claw_clw_arg *about = object ?
		claw_kernel_about(object) : NULL;

	find_layer(run->platform);
	if (!layer)
		return;
	if (about)
		snprintf(words, sizeof(words), "argument %u", about->index);
	layer(run->clw->path, about ? about->line : run->test->line,
	      about ? words : run->test->case_name);
}

void claw_kernel_at_nothing(void)
{
	if (layer)
		layer(NULL, 0, NULL);
}
