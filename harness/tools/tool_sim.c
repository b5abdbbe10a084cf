/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A .sim file's first line that is no comment names the kernel's source, from
 * the .sim file's directory. FILE.inp beside FILE.sim is what an interactive
 * one reads.
 */
#include "config.h"

#include "tool_sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "tool_oclgrind.h"
#include "tool_oclgrind_log.h"

#define ARGS "# ARGS:"

char *claw_sim_beside(const char *file, const char *suffix)
{
	const char *dot = strrchr(file, '.');

	return claw_format("%.*s.%s",
			   dot ? (int)(dot - file) : (int)strlen(file), file,
			   suffix);
}

static char *directory_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	if (!slash)
		return claw_strdup(".");
	return slash == file ? claw_strdup("/") :
	       claw_strndup(file, (size_t)(slash - file));
}

/* ---- starting --------------------------------------------------------- */

static void add_interactive(struct claw_under_run *run, const char *file)
{
	char *input = claw_sim_beside(file, "inp");

	if (access(input, R_OK) == 0)
		run->stdin_path = input;
	else
		free(input);
}

/* The options that a first line of ARGS gives. */
static void add_options(struct claw_under_run *run, const char *file,
			char *line)
{
	char *rest = line + strlen(ARGS), *word;

	while ((word = strsep(&rest, " \t\r\n"))) {
		if (!*word)
			continue;
		claw_under_add_word(run, word);
		if (strcmp(word, "-i") == 0 ||
		    strcmp(word, "--interactive") == 0)
			add_interactive(run, file);
	}
}

static int add_words(struct claw_under_run *run, const char *file)
{
	const char *slash = strrchr(file, '/');
	FILE *in = claw_outside_fopen(file);
	char *line = NULL;
	size_t size = 0;

	if (!in)
		return -CLAW_E_IO;
	claw_under_add_word(run, "oclgrind-kernel");
	if (claw_getline(&line, &size, in) > 0 &&
	    strncmp(line, ARGS, strlen(ARGS)) == 0)
		add_options(run, file, line);
	free(line);
	fclose(in);
	claw_under_add_word(run, slash ? slash + 1 : file);
	return 0;
}

int claw_sim_start(const char *file, const char *case_directory,
		   struct claw_under_run *ret_run)
{
	struct claw_under_run run = { 0 };

	if (add_words(&run, file) < 0)
		return -CLAW_E_IO;
	run.directory = directory_of(file);
	run.source = claw_strdup(file);
	run.log = claw_format("%s/oclgrind.log", case_directory);
	run.stdout_path = claw_format("%s/stdout", case_directory);
	unlink(run.log);
	claw_oclgrind_set_checks(&run);
	claw_under_add_env(&run, "OCLGRIND_LOG", run.log);
	*ret_run = run;
	return 0;
}

/* ---- reading ---------------------------------------------------------- */

/* The source that a .sim file names, as a path; NULL when it cannot be told. */
static char *find_source(const char *file)
{
	char *directory = directory_of(file), *path = NULL, *line = NULL;
	FILE *in = claw_outside_fopen(file);
	size_t size = 0, length;

	while (in && claw_getline(&line, &size, in) > 0) {
		char *name = line + strspn(line, " \t");

		length = strcspn(name, " \t\r\n#");
		if (length == 0)
			continue;
		path = claw_format("%s/%.*s", directory, (int)length, name);
		break;
	}
	if (in)
		fclose(in);
	free(line);
	free(directory);
	return path;
}

/* Reports about the given source get its file's name. */
static void add_with_file(struct claw_findings *findings,
			  const struct claw_findings *found, const char *source)
{
	for (size_t i = 0; i < found->count; i++) {
		struct claw_finding one = found->items[i];

		if (!*one.file && source)
			one.file = (char *)(uintptr_t)source;
		claw_findings_add(findings, &one);
	}
}

int claw_sim_read(const struct claw_under_run *run,
		  struct claw_findings *findings)
{
	struct claw_findings found = { 0 };
	char *source = find_source(run->source);
	int ret = claw_oclgrind_read(run->log, CLAW_OCLGRIND_LOG, &found);

	if (ret == 0)
		add_with_file(findings, &found, source);
	else
		ret = -CLAW_E_DAMAGED;
	claw_findings_release(&found);
	free(source);
	return ret;
}
