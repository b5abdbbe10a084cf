/* SPDX-License-Identifier: Apache-2.0 */
/* Small questions about texts. */
#ifndef CLAW_TEXT_H
#define CLAW_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

/* What is behind the last slash of a path, in the path itself. */
static inline const char *claw_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static inline bool claw_begins(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* "DIRECTORY/NAME", malloced. */
static inline char *claw_path_in(const char *directory, const char *name)
{
	return claw_format("%s/%s", directory, name);
}

#endif
