/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mesa's rusticl on llvmpipe: a second driver for CPUs, which shows a device
 * only where RUSTICL_ENABLE names Mesa's driver for it.
 */
#include "config.h"

#include "tools.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/session/icd_names.h"

static int prepare(struct claw_under *under,
		   const struct claw_under_config *config)
{
	char *icd = claw_icd_find("rusticl"), *library;
	int ret = 0;

	if (!icd) {
		snprintf(under->why, sizeof(under->why),
			 "rusticl is not here (Debian package mesa-opencl-icd, "
			 "or OPENCLAW_RUSTICL_ICD)");
		return 0;
	}
	library = claw_icd_library(icd, under->why, sizeof(under->why));
	if (library) {
		under->has_device = config->has_device;
		under->device = config->device;
		ret = claw_under_set_driver(under, config, "rusticl", library);
	}
	free(library);
	free(icd);
	return ret;
}

const struct claw_under_row claw_under_rusticl = {
	.name = "rusticl",
	.summary = "Mesa's rusticl on llvmpipe",
	.checks = 1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare, .start = claw_under_start_plain,
	.read = claw_under_read_nothing,
};
