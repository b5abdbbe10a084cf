/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program, and what comes with it, is. */
#include "config.h"

#include "paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

void claw_own_directory(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash && slash != path)
		*slash = '\0';
}

/* The first of own/PLACE NAME and installed/NAME that may be used so. An
 * installed tree that was moved, or that DESTDIR put elsewhere, is found from its
 * program. */
static char *find(const char *place, const char *installed, const char *name,
		  int mode)
{
	char own[PATH_MAX], *path = NULL;

	claw_own_directory(own, sizeof(own));
	for (int i = 0; i < 3; i++) {
		path = i < 2 ?
			claw_format("%s/%s%s", own, i ? place : "", name) :
			claw_format("%s/%s", installed, name);
		if (access(path, mode) == 0)
			return path;
		free(path);
	}
	return NULL;
}

char *claw_data_path(const char *name)
{
	return find("../share/openclaw/", CLAW_PKGDATADIR, name, R_OK);
}

char *claw_libexec_program(const char *name)
{
	char *path = find("../libexec/openclaw/", CLAW_PKGLIBEXECDIR, name, X_OK);

	return path ? path : claw_strdup(name);
}

char *claw_kernel_program(void)
{
	return claw_libexec_program("openclaw-kernel");
}
