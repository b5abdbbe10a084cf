/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find suites, and files of ours.
 */
#include "config.h"

#include "suite.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "suite_cases.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/session/user_config.h"

/* ---- places of descriptions -------------------------------------------- */

/* Called for each description, or directory that may hold some. Another
 * answer than 0 ends the search. */
typedef int visit_place(const char *path, void *user);

static int visit_named(const char *named, visit_place *visit, void *user)
{
	char path[PATH_MAX];
	int ret = 0;

	while (*named && ret == 0) {
		size_t length = strcspn(named, ":");

		snprintf(path, sizeof(path), "%.*s", (int)length, named);
		if (length > 0)
			ret = visit(path, user);
		named += length + (named[length] == ':');
	}
	return ret;
}

static int visit_configured(visit_place *visit, void *user,
			    struct claw_suite_error *reterr)
{
	struct claw_user_config config;
	int ret = claw_user_config_read(&config, reterr->message,
					sizeof(reterr->message));

	if (ret < 0)
		return ret;
	for (char **path = config.suites; ret == 0 && path && *path; path++)
		ret = visit(*path, user);
	claw_user_config_release(&config);
	return ret;
}

/* Those of OPENCLAW_SUITES, or of openclaw.yaml and our own. is_ours: set
 * before our own are visited. */
static int each_place(visit_place *visit, void *user, bool *is_ours,
		      struct claw_suite_error *reterr)
{
	const char *named = getenv("OPENCLAW_SUITES");
	char path[PATH_MAX + sizeof("/../share/openclaw/suites")];
	char own[PATH_MAX];
	int ret;

	if (named && *named)
		return visit_named(named, visit, user);
	ret = visit_configured(visit, user, reterr);
	if (ret != 0)
		return ret;
	*is_ours = true;
	claw_own_directory(own, sizeof(own));
	snprintf(path, sizeof(path), "%s/suites", own);
	ret = visit(path, user);
	if (ret != 0)
		return ret;
	snprintf(path, sizeof(path), "%s/../share/openclaw/suites", own);
	ret = visit(path, user);
	return ret ? ret : visit(CLAW_PKGDATADIR "/suites", user);
}

static bool is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* "blur.yaml": 4, the length of the suite's name, or 0. */
static size_t name_length(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && strcmp(dot, ".yaml") == 0 ? (size_t)(dot - file) : 0;
}

/* ---- names ------------------------------------------------------------- */

static void add_name(char ***names, const char *file)
{
	size_t length = name_length(file);
	char *name;

	if (length == 0 || file[0] == '.')
		return;
	name = claw_strndup(file, length);
	if (claw_list_has(*names, name))
		free(name);
	else
		claw_list_add(names, name);
}

static int list_place(const char *path, void *user)
{
	struct dirent *entry;
	DIR *directory;

	if (!is_directory(path)) {
		add_name(user, claw_base_name(path));
		return 0;
	}
	directory = opendir(path);
	while (directory && (entry = readdir(directory)))
		if (strcmp(entry->d_name, "openclaw.yaml") != 0)
			add_name(user, entry->d_name);
	if (directory)
		closedir(directory);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **claw_suite_names(void)
{
	struct claw_suite_error error;
	char **names = claw_calloc(1, sizeof(*names));
	size_t count = 0;
	bool is_ours;

	/* Whoever reads a suite by this name is told what is wrong. */
	if (each_place(list_place, &names, &is_ours, &error) < 0)
		add_name(&names, "openclaw.yaml");
	while (names[count])
		count++;
	qsort(names, count, sizeof(*names), compare_names);
	return names;
}

/* ---- one by its name --------------------------------------------------- */

struct search {
	const char *name;
	char *first;		/* that is read */
	char *second;		/* another file of the name, behind it */
	bool is_ours;		/* the places that are openclaw's have begun */
	bool is_hiding;		/* second is one of those, first is not */
};

/* Take over a file of the name. */
static int take_found(struct search *search, char *path)
{
	char *absolute = realpath(path, NULL);
	char *first = search->first ? realpath(search->first, NULL) : NULL;
	bool is_same = absolute && first && strcmp(absolute, first) == 0;

	free(absolute);
	free(first);
	if (!search->first) {
		search->first = path;
		/* Of our own places each stands in for those behind it. */
		return search->is_ours;
	}
	if (is_same) {
		free(path);
		return search->is_ours;
	}
	search->second = path;
	search->is_hiding = search->is_ours;
	return 1;
}

static int try_place(const char *path, void *user)
{
	struct search *search = user;
	size_t length = name_length(claw_base_name(path));
	char *found;

	if (!is_directory(path)) {
		if (length != strlen(search->name) ||
		    strncmp(claw_base_name(path), search->name, length) != 0)
			return 0;
		return take_found(search, claw_strdup(path));
	}
	found = claw_format("%s/%s.yaml", path, search->name);
	if (access(found, F_OK) == 0)
		return take_found(search, found);
	free(found);
	return 0;
}

/* Another name inside would be asked for, and not be found, next time. */
static int check_name(const struct claw_suite *suite, const char *name,
		      struct claw_suite_error *reterr)
{
	if (strcmp(suite->name, name) == 0)
		return 0;
	snprintf(reterr->message, sizeof(reterr->message), "%s:%u:%u: "
		 "expected the name of the file, \"%s\", found \"%s\"",
		 suite->file, suite->name_line, suite->name_column, name,
		 suite->name);
	return -CLAW_E_SYNTAX;
}

static int read_found(struct search *search, struct claw_suite **ret_suite,
		      struct claw_suite_error *reterr)
{
	struct claw_suite *suite = NULL;
	int ret;

	if (search->second && !search->is_hiding) {
		snprintf(reterr->message, sizeof(reterr->message), "%s: "
			 "expected one suite called \"%s\", found another in "
			 "%s", search->second, search->name, search->first);
		return -CLAW_E_SYNTAX;
	}
	ret = claw_suite_read_file(search->first, &suite, reterr);
	if (ret == 0)
		ret = check_name(suite, search->name, reterr);
	if (ret < 0) {
		claw_suite_free(suite);
		return ret;
	}
	suite->hides = search->second;
	search->second = NULL;
	*ret_suite = suite;
	return 0;
}

int claw_suite_read(const char *name, struct claw_suite **ret_suite,
		    struct claw_suite_error *reterr)
{
	struct search search = { .name = name };
	int ret = strchr(name, '/') ? 0 :
		  each_place(try_place, &search, &search.is_ours, reterr);

	if (ret >= 0 && search.first) {
		ret = read_found(&search, ret_suite, reterr);
	} else if (ret == 0) {
		snprintf(reterr->message, sizeof(reterr->message),
			 "no suite \"%s\"", name);
		ret = -CLAW_E_NOT_FOUND;
	}
	free(search.first);
	free(search.second);
	return ret;
}

void claw_suite_free(struct claw_suite *suite)
{
	if (!suite)
		return;
	claw_name_index_clear(&suite->names);
	for (size_t i = 0; i < suite->case_count; i++)
		claw_suite_case_release(&suite->cases[i]);
	free(suite->cases);
	free(suite->file);
	free(suite->name);
	free(suite->hides);
	free(suite->summary);
	free(suite->program);
	free(suite);
}
