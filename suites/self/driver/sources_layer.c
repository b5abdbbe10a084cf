/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer that writes what a program builds from source, a file each, into the
 * directory CLAW_TEST_SOURCES: a line of options, then the source.
 * suites/self/helpers/prebuild builds them all in one process.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "faults/shared/api_sig.h"
#include "suites/bench/layer.h"

static FILE *new_file(void)
{
	const char *directory = getenv("CLAW_TEST_SOURCES");
	char path[4096];
	int fd;

	if (!directory)
		return NULL;
	snprintf(path, sizeof(path), "%s/XXXXXX", directory);
	fd = mkstemp(path);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static void keep(const char *options, const char *source)
{
	FILE *file = new_file();

	if (!file)
		return;
	fprintf(file, "%s\n%s", options ? options : "", source);
	fclose(file);
}

static CLAW_RET_clBuildProgram CL_API_CALL
build CLAW_PARAMS(clBuildProgram)
{
	size_t size = 0;
	char *source = NULL;

	if (!next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL,
				   &size) && size > 1)
		source = malloc(size);
	if (source && !next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, size,
					     source, NULL))
		keep(options, source);
	free(source);
	return next.clBuildProgram CLAW_ARGS(clBuildProgram);
}

static void replace(struct _cl_icd_dispatch *table)
{
	table->clBuildProgram = build;
}
