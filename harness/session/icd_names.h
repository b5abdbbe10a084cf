/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL drivers by name: what --icd takes. Nothing is loaded. */
#ifndef CLAW_ICD_NAMES_H
#define CLAW_ICD_NAMES_H

#include <stddef.h>

/* --icd of commands all of whose runs have one driver; NULL: it was not given.
 * Once that driver is in use, what lines to paste say of it. */
extern const char *claw_icd_given;
#define CLAW_ICD_OPTION							\
	{ "icd", 0, OPT_STRING, "ICD",					\
	  "run with this OpenCL driver alone: oclgrind, rusticl, NAME, a "	\
	  "file\nNAME is that of a NAME.icd, a file an .icd file or a "	\
	  "library.", &claw_icd_given }

/* The library or .icd file of "oclgrind" (OPENCLAW_OCLGRIND_ICD) or "rusticl"
 * (OPENCLAW_RUSTICL_ICD), else where packages put it. malloced; NULL: it is
 * nowhere, or no such name. */
char *claw_icd_find(const char *name);

/* What icd, which is not "native", stands for: "oclgrind", "rusticl", NAME of a
 * NAME.icd where loaders look, an .icd file, a library. malloced; NULL: why says
 * so, in one line. */
char *claw_icd_library(const char *icd, char *why, size_t size);

/* "NAME=VALUE" that this driver needs to show devices, and that the user has
 * not set, or NULL. */
const char *claw_icd_setting(const char *library);

/* From here on it is the only driver of what this process starts: the variables
 * of loaders are set in our own environment. icd: as above; NULL or "native":
 * nothing changes. Returns 0, or -CLAW_E_USAGE with why. */
int claw_icd_use(const char *icd, char *why, size_t size);

/* The name of each driver that has one, and in /etc/OpenCL/vendors or where
 * OCL_ICD_VENDORS points. */
void claw_icd_each_name(void (*take)(void *user, const char *name), void *user);

#endif
