/* SPDX-License-Identifier: Apache-2.0 */
/* Write the reports that a command line asks for, or die. */
#include "config.h"

#include "report_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "options.h"

static void write_report(const char *directory, const char *format,
			 const char *path,
			 const struct claw_report_head *options)
{
	int ret = claw_report_write_path(directory, claw_report_find(format),
					 path, options);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
}

void claw_report_files_write(const char *directory, const char *shown,
			     const struct claw_report_files *files,
			     const struct claw_report_head *options)
{
	char *path = NULL;

	if (claw_report_write_all(directory, options) < 0)
		claw_die(CLAW_EXIT_INFRA, "the reports in %s could not be "
			 "written", shown);
	if (files->junit && *files->junit)
		write_report(directory, "junit", files->junit, options);
	if (files->sarif && *files->sarif)
		write_report(directory, "sarif", files->sarif, options);
	if (!files->json)
		return;
	if (asprintf(&path, "%s/report.json", directory) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	write_report(directory, "json", *files->json ? files->json : path,
		     options);
	free(path);
}

const char *claw_report_source_root(const char *given)
{
	static char directory[PATH_MAX];

	return given ? given : getcwd(directory, sizeof(directory));
}
