/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose lines a report may show. Records, kernels (#line) and debug information
 * can name any file; shown is what is below the source root, the working
 * directory or the run's own one, without names that begin with a dot, and
 * files that are known to be the run's: kernels of the selected cases, and
 * files whose contents a program gave to its driver.
 */
#ifndef CLAW_SHOWN_FILES_H
#define CLAW_SHOWN_FILES_H

#include <stdbool.h>

/* The file is the run's own. */
void claw_shown_files_add(const char *path);

/* May lines of the open file be shown? source_root, directory: or NULL. */
bool claw_shown_files_allow(int fd, const char *source_root,
			    const char *directory);

#endif
