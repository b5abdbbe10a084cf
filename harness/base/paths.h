/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program, and what comes with it, is. */
#ifndef CLAW_PATHS_H
#define CLAW_PATHS_H

#include <stddef.h>

/* The directory of the running program; "" when it is not known. */
void claw_own_directory(char *path, size_t size);

/* A file of ours below the data directory ("suites/valgrind.supp",
 * "kernels"): beside the running program, then installed. malloced; NULL when
 * it is nowhere. */
char *claw_data_path(const char *name);

/* A helper program of that name: beside the running program, else where it is
 * installed, else the name. malloced. */
char *claw_libexec_program(const char *name);
char *claw_kernel_program(void);	/* openclaw-kernel */

#endif
