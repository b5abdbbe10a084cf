/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver beneath a tool: loaders find it by an .icd file in the directory
 * that OCL_ICD_VENDORS names.
 */
#include "config.h"

#include "tool_icd.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"

static int make_directory(const char *path)
{
	return mkdir(path, 0777) < 0 && errno != EEXIST ? -CLAW_E_IO : 0;
}

static int write_line(const char *path, const char *line)
{
	FILE *out = fopen(path, "we");
	int ret;

	if (!out)
		return -CLAW_E_IO;
	fprintf(out, "%s\n", line);
	ret = ferror(out) ? -CLAW_E_IO : 0;
	return fclose(out) != 0 ? -CLAW_E_IO : ret;
}

int claw_icd_write(const char *directory, const char *name,
		   const char *library, char **ret_directory)
{
	char *tools = NULL, *place = NULL, *file = NULL;
	int ret = -CLAW_E_NO_MEMORY;

	if (asprintf(&tools, "%s/tools", directory) < 0)
		tools = NULL;
	if (asprintf(&place, "%s/tools/%s", directory, name) < 0)
		place = NULL;
	if (asprintf(&file, "%s/tools/%s/%s.icd", directory, name, name) < 0)
		file = NULL;
	if (!tools || !place || !file)
		goto out;
	ret = make_directory(tools);
	if (ret == 0)
		ret = make_directory(place);
	if (ret == 0)
		ret = write_line(file, library);
	if (ret == 0) {
		*ret_directory = place;
		place = NULL;
	}
out:
	free(tools);
	free(place);
	free(file);
	return ret;
}

/* The library that the first line of an .icd file names; "" when none. */
static int read_icd(const char *path, char *library, size_t size)
{
	FILE *in = fopen(path, "re");

	library[0] = '\0';
	if (!in)
		return -CLAW_E_IO;
	if (!fgets(library, (int)size, in))
		library[0] = '\0';
	fclose(in);
	library[strcspn(library, " \t\r\n")] = '\0';
	return 0;
}

int claw_icd_choose(struct claw_under *under,
		    const struct claw_under_config *config)
{
	const char *icd = config->icd, *dot = strrchr(icd, '.');
	char library[PATH_MAX], resolved[PATH_MAX];

	if (strcmp(icd, "native") == 0)
		return 0;
	if (!realpath(icd, resolved)) {
		snprintf(under->why, sizeof(under->why), "--icd %s: %s", icd,
			 strerror(errno));
		return 0;
	}
	snprintf(library, sizeof(library), "%s", resolved);
	if (dot && strcmp(dot, ".icd") == 0 &&
	    (read_icd(resolved, library, sizeof(library)) < 0 || !*library)) {
		snprintf(under->why, sizeof(under->why), "--icd %s: expected "
			 "an .icd file that names a library", icd);
		return 0;
	}
	return claw_icd_write(config->directory, "icd", library,
			      &under->icd_directory);
}
