/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL drivers by name: what --icd takes. Nothing is loaded. */
#ifndef CLAW_ICD_NAMES_H
#define CLAW_ICD_NAMES_H

#include <stddef.h>

/* --icd of commands all of whose runs have one driver; NULL: it was not given. */
extern const char *claw_icd_given;
/* The same once that driver is in use, wherever loaders look: "native", a name, an
 * absolute path. For lines to paste, and for what starts processes. */
extern const char *claw_icd_used;
#define CLAW_ICD_OPTION							\
	{ "icd", 0, OPT_STRING, "DRIVER",					\
	  "run with this OpenCL driver alone: native (all), oclgrind, "	\
	  "rusticl, NAME, a file\n"					\
	  "NAME is that of a NAME.icd, a file an .icd file or a library.", \
	  &claw_icd_given }

/* The library that icd, which is not "native", stands for: an .icd file, a library,
 * or a name. Of "oclgrind" (OPENCLAW_OCLGRIND_ICD; also beside its program) and
 * "rusticl" (OPENCLAW_RUSTICL_ICD) these variables say it, else NAME.icd where loaders
 * look, else it is where packages put it. malloced; NULL: why says so, in one line. */
char *claw_icd_library(const char *icd, char *why, size_t size);

/* "NAME=VALUE" that this driver needs to show devices, and that the user has
 * not set, or NULL. */
const char *claw_icd_setting(const char *library);

/* From here on claw_icd_given is the only driver of what this process starts: the
 * variables of loaders are set in our own environment. NULL or "native": nothing
 * changes. Returns 0, -CLAW_E_USAGE or -CLAW_E_IO, with why. */
int claw_icd_use(char *why, size_t size);

/* " --icd WORD" with claw_icd_used, quoted, or ""; malloced. */
char *claw_icd_option(void);

/* argv, in which --icd says claw_icd_used, but for the words from program on (in
 * argv, or NULL); text_list.h. */
char **claw_icd_words(char *const *argv, char *const *program);

/* "native", and the names that claw_icd_library() knows; text_list.h. */
char **claw_icd_names(void);

#endif
