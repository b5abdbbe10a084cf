/* SPDX-License-Identifier: Apache-2.0 */
/* Directories that are made. */
#ifndef CLAW_DIRECTORIES_H
#define CLAW_DIRECTORIES_H

/* One that may be there. 0 or -CLAW_E_IO (errno set). */
int claw_make_directory(const char *path);
/* With all above it. Returns the same. */
int claw_make_directories(const char *path);

#endif
