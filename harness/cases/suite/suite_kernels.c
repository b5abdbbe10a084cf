/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel files as cases: one file, a folder of them.
 */
#include "config.h"

#include "suite_cases.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cases/clw/clw.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/tools/tool_sim.h"

enum { FOLDERS_MAX = 64 };	/* one below the other */

/* ---- one file ---------------------------------------------------------- */

static const char *suffix_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot != name ? dot : "";
}

bool claw_suite_is_kernel_file(const char *path)
{
	static const char *const known[] = {
		".clw", ".cl", ".program_test", ".sim",
	};
	const char *suffix = suffix_of(path);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(suffix, known[i]) == 0)
			return true;
	return false;
}

/* Another file's case of that name? One of the same file is a mistake, not a
 * reason for another name. */
static bool is_taken(const struct claw_suite *suite, const char *name,
		     const char *path)
{
	const struct claw_suite_case *one = claw_suite_find_case(suite, name);

	return one && (!one->file || strcmp(one->file, path) != 0);
}

/*
 * The name of a case: as the file says, and where there is one of that name
 * already, with the file's folder before it, or its whole name.
 */
static char *choose_name(const struct claw_suite *suite, const char *path,
			 const char *prefix, const char *test)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *folder = slash;
	char *name = NULL;

	while (folder && folder > path && folder[-1] != '/')
		folder--;
	for (int attempt = 0; attempt < 3; attempt++) {
		char *text = attempt == 0 ?
			claw_format("%s%s", prefix, test) :
			attempt == 1 && folder ?
			claw_format("%s%.*s.%s", prefix, (int)(slash - folder),
				    folder, test) :
			claw_format("%s%s.%s", prefix, base, test);

		free(name);
		name = claw_suite_fit_name(text);
		free(text);
		if (!is_taken(suite, name, path))
			break;
	}
	return name;
}

/* name is taken over. */
static struct claw_suite_case *
add_kernel_case(struct claw_suite *suite, const struct claw_suite_case *like,
		enum claw_case_kind kind, const char *path, char *name,
		const char *test)
{
	struct claw_suite_case *one = claw_suite_add_case(suite, kind, name);

	one->test = claw_strdup(test);
	one->file = claw_strdup(path);
	claw_suite_case_copy(like, one);
	return one;
}

/* Is there no result that it says anything of? Whether the kernel leaves a NULL
 * alone is one: a driver crashes where it does not. */
static bool compares_nothing(const struct claw_clw *clw,
			     const struct claw_clw_test *test)
{
	if (clw->expect_build_fail || test->expect_fail ||
	    test->expect_fault || test->expected_count > 0)
		return false;
	for (size_t i = 0; i < test->in_count; i++)
		if (test->in[i].fill == CLAW_CLW_NULL)
			return false;
	for (size_t i = 0; i < test->out_count; i++)
		if (!isinf(test->out[i].tolerance))
			return false;
	return true;
}

/* What the header says of a test; a description's own words go first. */
static void take_header(const struct claw_clw_test *test,
			struct claw_suite_case *one)
{
	claw_suite_expect_findings(&one->expect, test->expected,
				   test->expected_count);
	if (one->timeout_ms == 0)
		one->timeout_ms = test->timeout_ms;
	if (!one->expect.fault)
		one->expect.fault = claw_strdup_or_null(test->expect_fault);
	if (test->xfail && !one->expect_fail) {
		one->expect_fail = true;
		free(one->reason);
		one->reason = claw_strdup(test->xfail);
		one->fail_driver = claw_strdup_or_null(test->xfail_driver);
	}
	for (char **tag = test->tags; tag && *tag; tag++)
		if (!claw_list_has(one->tags, *tag))
			claw_list_add(&one->tags, claw_strdup(*tag));
}

static int add_tests(struct claw_suite *suite,
		     const struct claw_suite_case *like, const char *path,
		     const char *prefix, const struct claw_clw *clw,
		     struct claw_suite_error *reterr)
{
	for (size_t i = 0; i < clw->test_count; i++) {
		const struct claw_clw_test *test = &clw->tests[i];
		char *name = choose_name(suite, path, prefix, test->case_name);
		struct claw_suite_case *one;

		if (claw_suite_find_case(suite, name)) {
			snprintf(reterr->message, sizeof(reterr->message),
				 "%s:%u:1: expected each case once, found "
				 "\"%s\" again", path, test->line, name);
			free(name);
			return -CLAW_E_SYNTAX;
		}
		one = add_kernel_case(suite, like, CLAW_CASE_CLW, path, name,
				      test->case_name);
		if (strcmp(clw->source_path, clw->path) != 0)
			one->source = realpath(clw->source_path, NULL);
		one->compares_nothing = compares_nothing(clw, test);
		take_header(test, one);
	}
	if (clw->test_count > 0)
		return 0;
	snprintf(reterr->message, sizeof(reterr->message), "%s:1:1: expected "
		 "at least one [test], found none", path);
	return -CLAW_E_SYNTAX;
}

/* It expects what Oclgrind's own test of the file expects. */
static void add_sim(struct claw_suite *suite,
		    const struct claw_suite_case *like, const char *path,
		    const char *prefix)
{
	const char *slash = strrchr(path, '/');
	char *stem = claw_strdup(slash ? slash + 1 : path);
	struct claw_expected_finding *expected = NULL;
	struct claw_suite_case *one;
	size_t count = 0;

	stem[strlen(stem) - strlen(".sim")] = '\0';
	one = add_kernel_case(suite, like, CLAW_CASE_SIM, path,
			      choose_name(suite, path, prefix, stem), stem);
	free(stem);
	claw_sim_expected(one->file, &expected, &count);
	claw_suite_expect_findings(&one->expect, expected, count);
	free(expected);
}

/* Of a link its own, as its tests are called after it. */
static char *absolute_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *folder = claw_strndup(path, (size_t)(name - path));
	char *real = realpath(*folder ? folder : ".", NULL);
	char *absolute = real && access(path, F_OK) == 0 ?
		claw_path_in(strcmp(real, "/") == 0 ? "" : real, name) : NULL;

	free(folder);
	free(real);
	return absolute;
}

int claw_suite_add_file(struct claw_suite *suite,
			const struct claw_suite_case *like, const char *path,
			const char *prefix, struct claw_suite_error *reterr)
{
	char *absolute = absolute_path(path);
	struct claw_clw_error error = { "" };
	struct claw_clw *clw = NULL;
	int ret = 0;

	if (!absolute) {
		snprintf(reterr->message, sizeof(reterr->message), "%s: %s",
			 path, strerror(errno));
		return errno == ENOENT ? -CLAW_E_NOT_FOUND : -CLAW_E_IO;
	}
	if (strcmp(suffix_of(path), ".sim") == 0) {
		add_sim(suite, like, absolute, prefix);
		goto out;
	}
	ret = claw_clw_read(path, &clw, &error);
	if (ret < 0)
		snprintf(reterr->message, sizeof(reterr->message), "%s",
			 error.message);
	else
		ret = add_tests(suite, like, absolute, prefix, clw, reterr);
	claw_clw_free(clw);
out:
	free(absolute);
	return ret;
}

/* ---- folders ----------------------------------------------------------- */

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Folders on the way from the first one, each once: a link that leads up. */
struct way {
	const struct way *up;
	dev_t device;
	ino_t number;
};

struct folder {
	struct claw_suite *suite;
	const struct claw_suite_case *like;
	struct claw_suite_error *error;
	const struct way *way;
	unsigned int depth;
};

static int add_below(struct folder *folder, const char *path,
		     const char *prefix);

static bool is_on_way(const struct way *way, const struct stat *status)
{
	for (; way; way = way->up)
		if (way->device == status->st_dev &&
		    way->number == status->st_ino)
			return true;
	return false;
}

/* What cannot be read is a case that could not run, and the others do. before:
 * how many cases there were. */
static int keep_broken(struct folder *folder, const char *path,
		       const char *name, size_t before, int error)
{
	struct claw_suite *suite = folder->suite;
	struct claw_suite_case *one;

	if (!suite->keeps_broken || error == 0 || error == -CLAW_E_NOT_FOUND)
		return error;
	while (suite->case_count > before)
		claw_suite_drop_case(suite);
	one = add_kernel_case(suite, folder->like, CLAW_CASE_CLW, path,
			      claw_suite_fit_name(name), "");
	one->problem = claw_strdup(folder->error->message);
	folder->error->message[0] = '\0';
	return 0;
}

static int add_entry(struct folder *folder, const char *path,
		     const char *prefix, const char *name)
{
	size_t before = folder->suite->case_count;
	struct stat status;
	char *below = NULL;
	int ret = 0;

	if (stat(path, &status) < 0)
		return 0;	/* a link to nowhere */
	below = claw_format("%s%s.", prefix, name);
	if (S_ISDIR(status.st_mode)) {
		ret = add_below(folder, path, below);
		free(below);
		return ret;
	}
	below[strlen(below) - 1] = '\0';
	if (S_ISREG(status.st_mode) && claw_suite_is_kernel_file(name))
		ret = claw_suite_add_file(folder->suite, folder->like, path,
					  prefix, folder->error);
	ret = keep_broken(folder, path, below, before, ret);
	free(below);
	if (ret != -CLAW_E_NOT_FOUND)
		return ret;
	folder->suite->headless++;	/* of a host's program, say */
	return 0;
}

static int add_below(struct folder *folder, const char *path,
		     const char *prefix)
{
	size_t before = folder->suite->case_count;
	struct way way = { .up = folder->way };
	struct dirent **entries;
	struct stat status;
	int count, ret = 0;

	if (stat(path, &status) == 0 && is_on_way(folder->way, &status))
		return 0;
	way.device = status.st_dev;
	way.number = status.st_ino;
	if (folder->depth == FOLDERS_MAX) {
		snprintf(folder->error->message,
			 sizeof(folder->error->message), "%s: more than %d "
			 "folders, one below the other", path, FOLDERS_MAX);
		return -CLAW_E_LIMIT;
	}
	count = scandir(path, &entries, is_visible, alphasort);
	if (count < 0) {
		snprintf(folder->error->message,
			 sizeof(folder->error->message), "%s: %s", path,
			 strerror(errno));
		return folder->depth == 0 ? -CLAW_E_IO :
		       keep_broken(folder, path, prefix, before, -CLAW_E_IO);
	}
	folder->way = &way;
	folder->depth++;
	for (int i = 0; i < count; i++) {
		char *below = claw_path_in(path, entries[i]->d_name);

		if (ret == 0)
			ret = add_entry(folder, below, prefix,
					entries[i]->d_name);
		free(below);
		free(entries[i]);
	}
	folder->depth--;
	folder->way = way.up;
	free(entries);
	return ret;
}

int claw_suite_add_folder(struct claw_suite *suite,
			  const struct claw_suite_case *like, const char *path,
			  const char *prefix, struct claw_suite_error *reterr)
{
	struct folder folder = {
		.suite = suite, .like = like, .error = reterr,
	};

	return add_below(&folder, path, prefix);
}
