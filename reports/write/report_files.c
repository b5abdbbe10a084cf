/* SPDX-License-Identifier: Apache-2.0 */
/* Write the reports that a command line asks for, or die. */
#include "config.h"

#include "report_files.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/text.h"

/* The page is last: it links to the others. */
static const struct {
	const char *format, *file;	/* in the directory */
	size_t offset;
} table[] = {
#define REPORT(...)
#define REPORT_FILE(...)
#define REPORT_OPTION(id_, name_, file_, ...) \
	{ name_, file_, offsetof(struct claw_report_files, id_) },
#include "harness/records/report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT
};

static const char *given_of(const struct claw_report_files *files, size_t row)
{
	const char *value;

	memcpy(&value, (const char *)files + table[row].offset, sizeof(value));
	return value;
}

const char *claw_report_files_given(const struct claw_report_files *files)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (given_of(files, i))
			return table[i].format;
	return NULL;
}

static int add(const char *directory, size_t row, const char *path,
	       const struct claw_report_head *options)
{
	char *beside = NULL;
	int ret;

	if (!*path)
		beside = claw_path_in(directory, table[row].file);
	ret = claw_report_write_path(directory,
				     claw_report_find(table[row].format),
				     beside ? beside : path, options);
	free(beside);
	return ret;
}

int claw_report_files_add(const char *directory,
			  const struct claw_report_files *files,
			  const struct claw_report_head *options,
			  const char **ret_path)
{
	int ret = 0, error = errno;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *path = given_of(files, i);
		int one = path ? add(directory, i, path, options) : 0;

		if (one < 0 && ret == 0) {
			ret = one;
			error = errno;
			*ret_path = *path ? path : NULL;
		}
	}
	errno = error;
	return ret;
}

void claw_report_files_write(const char *directory, const char *shown,
			     const struct claw_report_files *files,
			     const struct claw_report_head *options)
{
	const char *path = NULL;
	int ret;

	if (claw_report_write_all(directory, options) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the reports in %s",
			 shown);
	ret = claw_report_files_add(directory, files, options, &path);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path ? path : shown,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
}

const char *claw_report_source_root(const char *given)
{
	static char directory[PATH_MAX];

	return given ? given : getcwd(directory, sizeof(directory));
}
