/* SPDX-License-Identifier: Apache-2.0 */
/* Directories for OCL_ICD_VENDORS that have one driver each. */
#ifndef CLAW_TOOL_ICD_H
#define CLAW_TOOL_ICD_H

#include "tools.h"

/* What icd, which is not "native", stands for: "oclgrind", "rusticl", NAME of a NAME.icd
 * where loaders look, an .icd file, a library. malloced; NULL: why says so,
 * in one line. */
char *claw_icd_library(const char *icd, char *why, size_t size);

/* As config->icd says, which is not NULL: fill in under->icd_directory (for
 * "native" it stays NULL), or why. Returns as claw_icd_write() of icd_files.h. */
int claw_icd_choose(struct claw_under *under,
		    const struct claw_under_config *config);

/* "NAME=VALUE" that this driver needs to show devices, and that the user has
 * not set, or NULL. */
const char *claw_icd_setting(const char *library);

#endif
