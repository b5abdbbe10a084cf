/* SPDX-License-Identifier: Apache-2.0 */
/* Where a file really is decides, not how it was named. */
#include "config.h"

#include "shown_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text_list.h"

static char **own_files;

static bool is_own(const char *file)
{
	for (char **own = own_files; own && *own; own++)
		if (strcmp(*own, file) == 0)
			return true;
	return false;
}

void claw_shown_files_add(const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;

	if (real && is_own(real))
		free(real);
	else if (real)
		claw_list_add(&own_files, real);
}

/* Below it, and no part of the way is hidden (.ssh, .git). */
static bool is_below(const char *file, const char *directory)
{
	char real[PATH_MAX];
	size_t length;

	if (!directory || !realpath(directory, real))
		return false;
	length = strcmp(real, "/") == 0 ? 0 : strlen(real);
	return strncmp(file, real, length) == 0 && file[length] == '/' &&
		!strstr(file + length, "/.");
}

bool claw_shown_files_allow(int fd, const char *source_root,
			    const char *directory)
{
	char link[64], file[PATH_MAX], here[PATH_MAX];
	ssize_t length;

	/* Of the descriptor: nobody can change what it is any more. */
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, file, sizeof(file) - 1);
	if (length <= 0 || *file != '/')
		return false;
	file[length] = '\0';
	if (is_own(file))
		return true;
	/* All files are below "/", so being there says nothing. */
	if (!getcwd(here, sizeof(here)))
		here[0] = '\0';
	return (strcmp(here, "/") != 0 && is_below(file, here)) ||
		(source_root && strcmp(source_root, here) != 0 &&
		 is_below(file, source_root)) ||
		is_below(file, directory);
}
