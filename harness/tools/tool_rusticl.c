/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mesa's rusticl on llvmpipe: a second driver for CPUs, which shows a device
 * only where RUSTICL_ENABLE names Mesa's driver for it.
 */
#include "config.h"

#include "tools.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "tool_icd.h"

#define ICD_FILE "libRusticlOpenCL.so"

char *claw_rusticl_icd(void)
{
	static const char *const patterns[] = {
		"/etc/OpenCL/vendors/rusticl.icd",
		"/usr/lib/*/" ICD_FILE ".1",
		"/usr/lib64/" ICD_FILE ".1",
		"/usr/local/lib/" ICD_FILE ".1",
		"/usr/local/lib/*/" ICD_FILE ".1",
	};
	const char *named = getenv("OPENCLAW_RUSTICL_ICD");
	char *path = NULL;

	if (named && *named)
		return access(named, R_OK) == 0 ? claw_strdup(named) : NULL;
	for (size_t i = 0; !path && i < sizeof(patterns) / sizeof(*patterns);
	     i++) {
		glob_t found;

		if (glob(patterns[i], 0, NULL, &found) != 0)
			continue;
		if (access(found.gl_pathv[0], R_OK) == 0)
			path = claw_strdup(found.gl_pathv[0]);
		globfree(&found);
	}
	return path;
}

const char *claw_icd_setting(const char *library)
{
	const char *given = getenv("RUSTICL_ENABLE");
	const char *slash = strrchr(library, '/');

	return strncmp(slash ? slash + 1 : library, ICD_FILE,
		       strlen(ICD_FILE)) == 0 && (!given || !*given) ?
	       "RUSTICL_ENABLE=llvmpipe" : NULL;
}

static int prepare(struct claw_under *under,
		   const struct claw_under_config *config)
{
	char *icd = claw_rusticl_icd(), *library;
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
