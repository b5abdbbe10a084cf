/* SPDX-License-Identifier: Apache-2.0 */
/* Directories for OCL_ICD_VENDORS that have one driver each. */
#ifndef CLAW_TOOL_ICD_H
#define CLAW_TOOL_ICD_H

#include "tools.h"

/* DIRECTORY/tools/NAME/ (some loaders put the names of its files right behind it)
 * with an .icd file that names the library.
 * Returns 0, -CLAW_E_IO (errno set) or -CLAW_E_NO_MEMORY. */
int claw_icd_write(const char *directory, const char *name,
		   const char *library, char **ret_directory);

/* What icd, which is not "native", stands for: "oclgrind", NAME of a NAME.icd
 * where loaders look, an .icd file, a library. malloced; NULL: why says so,
 * in one line (without memory it is as it was). */
char *claw_icd_library(const char *icd, char *why, size_t size);

/* As config->icd says, which is not NULL: fill in under->icd_directory (for
 * "native" it stays NULL), or why. Returns as claw_icd_write(). */
int claw_icd_choose(struct claw_under *under,
		    const struct claw_under_config *config);

#endif
