/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way from a report to the files of its run, so that both can be moved
 * together.
 */
#include "config.h"

#include "report_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* The directory that a file is in, resolved. */
static bool find_place(const char *path, char place[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	char *parent = slash ? claw_strndup(path, (size_t)(slash - path) + 1) :
			       claw_strdup(".");
	bool found = parent && realpath(parent, place);

	free(parent);
	return found;
}

char *claw_report_link_base(const char *path, const char *directory)
{
	char from[PATH_MAX], to[PATH_MAX], *base = NULL;
	size_t size, common = 0, i;
	FILE *out;

	if (!find_place(path, from) || !realpath(directory, to))
		return NULL;
	out = claw_text_begin(&base, &size);
	/* Up to where both have the same names, whole. */
	for (i = 0; from[i] && from[i] == to[i]; i++)
		if (from[i] == '/')
			common = i;
	if ((!from[i] || from[i] == '/') && (!to[i] || to[i] == '/'))
		common = i;
	for (const char *c = from + common; *c; c++)
		if (*c == '/' && c[1])
			fputs("../", out);
	i = common + (to[common] == '/');
	fputs(to + i, out);
	claw_text_end(out);
	return base;
}
