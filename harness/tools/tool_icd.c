/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver beneath a tool: loaders find it by an .icd file in the directory
 * that OCL_ICD_VENDORS names.
 */
#include "config.h"

#include "tool_icd.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/errors.h"
#include "harness/session/icd_files.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/files/outside_file.h"

/* The library that the first line of an .icd file names; "" when none. */
static int read_icd(const char *path, char *library, size_t size)
{
	FILE *in = claw_outside_fopen(path);

	library[0] = '\0';
	if (!in)
		return -CLAW_E_IO;
	if (!fgets(library, (int)size, in))
		library[0] = '\0';
	fclose(in);
	library[strcspn(library, " \t\r\n")] = '\0';
	return 0;
}

/* ---- names ------------------------------------------------------------ */

static const char *vendors_directory(void)
{
	const char *named = getenv("OCL_ICD_VENDORS");
	struct stat status;

	return named && stat(named, &status) == 0 && S_ISDIR(status.st_mode) ?
	       named : "/etc/OpenCL/vendors";
}

static void offer_names(struct claw_nearest *nearest, glob_t *files)
{
	claw_nearest_offer(nearest, "native");
	claw_nearest_offer(nearest, "oclgrind");
	claw_nearest_offer(nearest, "rusticl");
	for (size_t i = 0; i < files->gl_pathc; i++) {
		char *name = strrchr(files->gl_pathv[i], '/') + 1;

		*strrchr(name, '.') = '\0';
		claw_nearest_offer(nearest, name);
	}
}

static void say_names(const char *icd, char *why, size_t size)
{
	const char *directory = vendors_directory();
	struct claw_nearest nearest;
	char pattern[PATH_MAX];
	glob_t files = { 0 };

	snprintf(pattern, sizeof(pattern), "%s/*.icd", directory);
	if (glob(pattern, 0, NULL, &files) != 0)
		files.gl_pathc = 0;
	claw_nearest_init(&nearest, icd);
	offer_names(&nearest, &files);
	snprintf(why, size, "--icd %s: expected native, oclgrind, rusticl, NAME "
		 "of a NAME.icd in %s, an .icd file or a library%s%s%s", icd,
		 directory, nearest.best ? " (did you mean " : "",
		 nearest.best ? nearest.best : "", nearest.best ? "?)" : "");
	globfree(&files);
}

/* The file that icd stands for, malloced; NULL: why says so. */
static char *find_file(const char *icd, char *why, size_t size)
{
	char path[PATH_MAX], *found = NULL;

	if (strcmp(icd, "oclgrind") == 0) {
		found = claw_oclgrind_icd();
		if (!found)
			snprintf(why, size, "--icd oclgrind: oclgrind is not "
				 "installed (Debian package oclgrind)");
		return found;
	}
	if (strcmp(icd, "rusticl") == 0)
		found = claw_rusticl_icd();
	if (!found)
		found = realpath(icd, NULL);
	if (found || strchr(icd, '/')) {
		if (!found)
			snprintf(why, size, "--icd %s: %s", icd,
				 strerror(errno));
		return found;
	}
	snprintf(path, sizeof(path), "%s/%s.icd", vendors_directory(), icd);
	found = realpath(path, NULL);
	if (!found)
		say_names(icd, why, size);
	return found;
}

char *claw_icd_library(const char *icd, char *why, size_t size)
{
	char *file = find_file(icd, why, size), library[PATH_MAX];
	const char *dot = file ? strrchr(file, '.') : NULL;

	if (!dot || strcmp(dot, ".icd") != 0)
		return file;
	if (read_icd(file, library, sizeof(library)) < 0 || !*library) {
		snprintf(why, size, "--icd %s: expected an .icd file that "
			 "names a library", icd);
		free(file);
		return NULL;
	}
	free(file);
	return claw_strdup(library);
}

int claw_under_set_driver(struct claw_under *under,
			  const struct claw_under_config *config,
			  const char *name, const char *library)
{
	under->icd_setting = claw_icd_setting(library);
	return claw_icd_write(config->directory, name, library,
			      &under->icd_directory);
}

int claw_icd_choose(struct claw_under *under,
		    const struct claw_under_config *config)
{
	char *library;
	int ret;

	if (strcmp(config->icd, "native") == 0)
		return 0;
	library = claw_icd_library(config->icd, under->why,
				   sizeof(under->why));
	if (!library)
		return 0;
	ret = claw_under_set_driver(under, config, "icd", library);
	free(library);
	return ret;
}
