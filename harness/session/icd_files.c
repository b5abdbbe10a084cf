/* SPDX-License-Identifier: Apache-2.0 */
/* Find the .icd files as OpenCL loaders do, and write one. */
#include "config.h"

#include "icd_files.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/files/outside_file.h"

static const char usual[] = "/etc/OpenCL/vendors";

/* First line of an .icd file. */
static char *read_line(const char *path)
{
	FILE *in = claw_outside_fopen(path);
	char *line = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (claw_getline(&line, &size, in) < 0) {
		free(line);
		line = NULL;
	} else {
		line[strcspn(line, "\r\n")] = '\0';
	}
	fclose(in);
	return line;
}

static void add_file(struct claw_icd_files *found, const char *file)
{
	size_t length = strlen(file);
	bool is_icd = length > 4 && strcmp(file + length - 4, ".icd") == 0;
	struct claw_icd_file *files = claw_grow(found->files,
						found->count + 1,
						sizeof(*files));

	found->files = files;
	files += found->count++;
	files->file = claw_strdup(file);
	files->library = is_icd ? read_line(file) : claw_strdup(file);
}

static void add_directory(struct claw_icd_files *found, const char *directory)
{
	char pattern[PATH_MAX];
	glob_t files = { 0 };

	snprintf(pattern, sizeof(pattern), "%s/*.icd", directory);
	glob(pattern, GLOB_NOSORT, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc; i++)
		add_file(found, files.gl_pathv[i]);
	globfree(&files);
}

void claw_icd_files_init(struct claw_icd_files *found, const char *vendors,
			 const char *libraries)
{
	struct stat status;
	char path[PATH_MAX];

	*found = (struct claw_icd_files) { .files = NULL };
	if (!vendors || !*vendors)
		vendors = getenv("OPENCL_VENDOR_PATH");
	if (!vendors || !*vendors) {
		add_directory(found, usual);
	} else if (stat(vendors, &status) == 0 && S_ISDIR(status.st_mode)) {
		add_directory(found, vendors);
	} else if (access(vendors, F_OK) != 0 && !strchr(vendors, '/') &&
		   strstr(vendors, ".icd")) {
		snprintf(path, sizeof(path), "%s/%s", usual, vendors);
		add_file(found, path);
	} else if (strstr(vendors, ".icd") || strstr(vendors, ".so")) {
		add_file(found, vendors);
	}	/* else: a directory that is not there */
	for (const char *at = libraries; at && *at;) {
		size_t length = strcspn(at, ":");

		snprintf(path, sizeof(path), "%.*s", (int)length, at);
		if (length)
			add_file(found, path);
		at += length + (at[length] != '\0');
	}
}

void claw_icd_files_release(struct claw_icd_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->files[i].file);
		free(files->files[i].library);
	}
	free(files->files);
	*files = (struct claw_icd_files) { .files = NULL };
}

/* ---- written ------------------------------------------------------------ */

/* As a whole: another run may be reading it. */
static int write_line(const char *path, const char *line)
{
	struct claw_new_file file;

	if (!claw_new_file_begin(&file, path))
		return -CLAW_E_IO;
	fprintf(file.out, "%s\n", line);
	return claw_new_file_end(&file, true);
}

int claw_icd_write(const char *directory, const char *name,
		   const char *library, char **ret_directory)
{
	char *tools = claw_format("%s/tools", directory);
	char *place = claw_format("%s/tools/%s/", directory, name);
	char *file = claw_format("%s/tools/%s/%s.icd", directory, name, name);
	int ret = claw_make_directory(tools);

	if (ret == 0)
		ret = claw_make_directory(place);
	if (ret == 0)
		ret = write_line(file, library);
	if (ret == 0) {
		*ret_directory = place;
		place = NULL;
	}
	free(tools);
	free(place);
	free(file);
	return ret;
}
