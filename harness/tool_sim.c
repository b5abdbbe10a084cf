/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A .sim file's first line that is no comment names the kernel's source, from
 * the .sim file's directory. FILE.ref and FILE.inp beside FILE.sim are as
 * Oclgrind's tests/run_test.py reads them.
 */
#include "config.h"

#include "tool_sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "tool_oclgrind.h"
#include "tool_oclgrind_log.h"

#define ARGS "# ARGS:"

/* FILE.sim as FILE.suffix; malloced, NULL without memory. */
static char *beside(const char *file, const char *suffix)
{
	const char *dot = strrchr(file, '.');
	char *path;

	return asprintf(&path, "%.*s.%s", dot ? (int)(dot - file) :
			(int)strlen(file), file, suffix) < 0 ? NULL : path;
}

static char *directory_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	if (!slash)
		return strdup(".");
	return slash == file ? strdup("/") :
	       strndup(file, (size_t)(slash - file));
}

/* ---- starting --------------------------------------------------------- */

static int add_interactive(struct claw_under_run *run, const char *file)
{
	char *input = beside(file, "inp");

	if (!input)
		return -CLAW_E_NO_MEMORY;
	if (access(input, R_OK) == 0)
		run->stdin_path = input;
	else
		free(input);
	return 0;
}

/* The options that a first line of ARGS gives. */
static int add_options(struct claw_under_run *run, const char *file,
		       char *line)
{
	char *rest = line + strlen(ARGS), *word;
	int ret = 0;

	while (ret == 0 && (word = strsep(&rest, " \t\r\n"))) {
		if (!*word)
			continue;
		ret = claw_under_add_word(run, word);
		if (ret == 0 && (strcmp(word, "-i") == 0 ||
				 strcmp(word, "--interactive") == 0))
			ret = add_interactive(run, file);
	}
	return ret;
}

static int add_words(struct claw_under_run *run, const char *file)
{
	const char *slash = strrchr(file, '/');
	FILE *in = fopen(file, "re");
	char *line = NULL;
	size_t size = 0;
	int ret;

	if (!in)
		return -CLAW_E_IO;
	ret = claw_under_add_word(run, "oclgrind-kernel");
	if (ret == 0 && getline(&line, &size, in) > 0 &&
	    strncmp(line, ARGS, strlen(ARGS)) == 0)
		ret = add_options(run, file, line);
	free(line);
	fclose(in);
	return ret < 0 ? ret : claw_under_add_word(run, slash ? slash + 1 :
						   file);
}

int claw_sim_start(const char *file, const char *case_directory,
		   struct claw_under_run *ret_run)
{
	struct claw_under_run run = { 0 };
	int ret, error;

	ret = add_words(&run, file);
	if (ret < 0)
		goto out;
	ret = -CLAW_E_NO_MEMORY;
	run.directory = directory_of(file);
	run.source = strdup(file);
	if (asprintf(&run.log, "%s/oclgrind.log", case_directory) < 0)
		run.log = NULL;
	if (!run.directory || !run.source || !run.log)
		goto out;
	unlink(run.log);
	ret = claw_oclgrind_set_checks(&run);
	if (ret == 0)
		ret = claw_under_add_env(&run, "OCLGRIND_LOG", run.log);
out:
	if (ret < 0) {
		error = errno;
		claw_under_run_release(&run);
		errno = error;
		return ret;
	}
	*ret_run = run;
	return 0;
}

/* ---- reading ---------------------------------------------------------- */

/* The source that a .sim file names, as a path; NULL when it cannot be told. */
static char *find_source(const char *file)
{
	char *directory = directory_of(file), *path = NULL, *line = NULL;
	FILE *in = fopen(file, "re");
	size_t size = 0, length;

	while (directory && in && getline(&line, &size, in) > 0) {
		char *name = line + strspn(line, " \t");

		length = strcspn(name, " \t\r\n#");
		if (length == 0)
			continue;
		if (asprintf(&path, "%s/%.*s", directory, (int)length,
			     name) < 0)
			path = NULL;
		break;
	}
	if (in)
		fclose(in);
	free(line);
	free(directory);
	return path;
}

/* Reports about the given source get its file's name. */
static int add_with_file(struct claw_findings *findings,
			 const struct claw_findings *found, const char *source)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < found->count; i++) {
		struct claw_finding one = found->items[i];

		if (!*one.file && source)
			one.file = (char *)(uintptr_t)source;
		ret = claw_findings_add(findings, &one);
	}
	return ret;
}

int claw_sim_read(const struct claw_under_run *run,
		  struct claw_findings *findings)
{
	struct claw_findings found = { 0 };
	char *source = find_source(run->source);
	int ret = claw_oclgrind_read(run->log, CLAW_OCLGRIND_LOG, &found);

	if (ret == 0)
		ret = add_with_file(findings, &found, source);
	else if (ret != -CLAW_E_NO_MEMORY)
		ret = -CLAW_E_DAMAGED;
	claw_findings_release(&found);
	free(source);
	return ret;
}

/* ---- what is expected ------------------------------------------------- */

/* Words of Oclgrind's headlines, which .ref files quote in part. */
static const struct {
	const char *words;
	enum claw_finding_kind kind;
} quoted[] = {
	{ "data race", CLAW_FINDING_RACE },
	{ "Uninitialized", CLAW_FINDING_UNINITIALIZED },
	{ "uninitialized", CLAW_FINDING_UNINITIALIZED },
	{ "divergence", CLAW_FINDING_DIVERGENCE },
	{ "not aligned", CLAW_FINDING_MISALIGNED },
	{ "Unaligned", CLAW_FINDING_MISALIGNED },
	{ "static array size", CLAW_FINDING_ARRAY_INDEX },
	{ "Invalid read", CLAW_FINDING_INVALID_READ },
	{ "Invalid write", CLAW_FINDING_INVALID_WRITE },
	{ "", CLAW_FINDING_KERNEL_OTHER },
};

static struct claw_expected_finding expected_by(const char *text)
{
	const char *at = strstr(text, " at ");
	struct claw_expected_finding expected = { 0 };
	char space[16];
	size_t i = 0;

	while (!strstr(text, quoted[i].words))
		i++;
	expected.kind = quoted[i].kind;
	if (expected.kind != CLAW_FINDING_UNINITIALIZED && at &&
	    sscanf(at, " at %15[a-z] memory", space) == 1 &&
	    claw_space_find(space) >= 0)
		expected.space = (enum claw_address_space)
				 claw_space_find(space);
	return expected;
}

/* 0 also when it is there already. */
static int add_expected(struct claw_expected_finding **list, size_t *count,
			struct claw_expected_finding expected)
{
	struct claw_expected_finding *grown;

	for (size_t i = 0; i < *count; i++)
		if ((*list)[i].kind == expected.kind &&
		    (*list)[i].space == expected.space)
			return 0;
	grown = realloc(*list, (*count + 1) * sizeof(*grown));
	if (!grown)
		return -CLAW_E_NO_MEMORY;
	grown[(*count)++] = expected;
	*list = grown;
	return 0;
}

int claw_sim_expected(const char *file,
		      struct claw_expected_finding **ret_expected,
		      size_t *ret_count)
{
	struct claw_expected_finding *list = NULL;
	char *path = beside(file, "ref"), *line = NULL;
	FILE *in = path ? fopen(path, "re") : NULL;
	size_t size = 0, count = 0;
	int ret = path ? 0 : -CLAW_E_NO_MEMORY;

	while (ret == 0 && in && getline(&line, &size, in) > 0)
		if (strncmp(line, "ERROR ", 6) == 0)
			ret = add_expected(&list, &count, expected_by(line + 6));
	if (in)
		fclose(in);
	free(line);
	free(path);
	if (ret < 0) {
		free(list);
		return ret;
	}
	*ret_expected = list;
	*ret_count = count;
	return 0;
}
