/* SPDX-License-Identifier: Apache-2.0 */
/* Directories that are made. */
#include "config.h"

#include "directories.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "harness/base/errors.h"

int claw_make_directory(const char *path)
{
	return mkdir(path, 0777) < 0 && errno != EEXIST ? -CLAW_E_IO : 0;
}

int claw_make_directories(const char *path)
{
	char part[PATH_MAX];

	if (snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part)) {
		errno = ENAMETOOLONG;
		return -CLAW_E_IO;
	}
	for (char *c = part; *c; c++) {
		if (*c != '/' || c == part)
			continue;
		*c = '\0';
		if (claw_make_directory(part) < 0)
			return -CLAW_E_IO;
		*c = '/';
	}
	return claw_make_directory(part);
}
