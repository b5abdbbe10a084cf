/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mesa's rusticl on llvmpipe: a second driver for CPUs, which shows a device
 * only where RUSTICL_ENABLE names Mesa's driver for it.
 */
#include "config.h"

#include "tools.h"

static int prepare(struct claw_under *under,
		   const struct claw_under_config *config)
{
	under->has_device = config->has_device;
	under->device = config->device;
	return claw_under_set_driver(under, config, under->row->name);
}

const struct claw_under_row claw_under_rusticl = {
	.name = "rusticl",
	.summary = "Mesa's rusticl on llvmpipe",
	.checks = 1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare, .start = claw_under_start_plain,
	.read = claw_under_read_nothing,
};
