/* SPDX-License-Identifier: Apache-2.0 */
/* The drivers that OpenCL loaders look for, as files: nothing is loaded. */
#ifndef CLAW_ICD_FILES_H
#define CLAW_ICD_FILES_H

#include <stddef.h>

struct claw_icd_file {
	char *file;		/* an .icd file, or the library itself */
	char *library;		/* that its first line names; NULL: it cannot be read */
};

struct claw_icd_files {
	struct claw_icd_file *files;
	size_t count;
};

/*
 * As loaders read OCL_ICD_VENDORS: a directory of .icd files (in its own
 * order), an .icd file (beside the usual ones when it is a bare name), or a
 * library. vendors: NULL or "" is OPENCL_VENDOR_PATH, or the usual directory.
 * libraries: as OCL_ICD_FILENAMES, in addition; may be NULL.
 * The caller releases it.
 */
void claw_icd_files_init(struct claw_icd_files *files, const char *vendors,
			 const char *libraries);
void claw_icd_files_release(struct claw_icd_files *files);

/* DIRECTORY/tools/NAME/ (some loaders put the names of its files right behind it)
 * with an .icd file that names the library.
 * Returns 0 or -CLAW_E_IO (errno set). */
int claw_icd_write(const char *directory, const char *name,
		   const char *library, char **ret_directory);

#endif
