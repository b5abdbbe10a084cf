/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Valgrind's logs: one a process, as what a script starts is watched, too.
 * Valgrind puts a process's number where a name has "%p".
 */
#include "config.h"

#include "tool_valgrind.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/text.h"

#define PROCESS "%p"

char *claw_valgrind_log(const char *case_directory, const char *name)
{
	return claw_path_in(case_directory, name);
}

void claw_valgrind_add_log(struct claw_under_run *run, const char *option)
{
	char value[2 * PATH_MAX];
	size_t used = 0;
	const char *name = strrchr(run->log, '/');

	/* A "%" of a directory stands for itself. */
	for (const char *at = run->log; *at && used + 3 < sizeof(value); at++) {
		value[used++] = *at;
		if (*at == '%' && at < name)
			value[used++] = '%';
	}
	value[used] = '\0';
	claw_valgrind_add(run, option, value);
}

static int sort_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Is it what Valgrind makes of pattern, whose "%p" is at its byte before? */
static bool is_log(const char *name, const char *pattern, size_t before)
{
	const char *behind = pattern + before + strlen(PROCESS);
	size_t digits;

	if (strncmp(name, pattern, before) != 0)
		return false;
	digits = strspn(name + before, "0123456789");
	return digits > 0 && strcmp(name + before + digits, behind) == 0;
}

static int take_logs(const char *log, int (*take)(const char *path, void *user),
		     void *user, size_t *count)
{
	const char *name = strrchr(log, '/') + 1;
	const char *process = strstr(name, PROCESS);
	char directory[PATH_MAX], path[2 * PATH_MAX];
	struct dirent **entries;
	int ret = 0, entry_count;

	snprintf(directory, sizeof(directory), "%.*s", (int)(name - log), log);
	entry_count = scandir(directory, &entries, NULL, sort_names);
	for (int i = 0; i < entry_count; i++) {
		if (ret == 0 && is_log(entries[i]->d_name, name,
				       (size_t)(process - name))) {
			snprintf(path, sizeof(path), "%s%s", directory,
				 entries[i]->d_name);
			ret = take(path, user);
			++*count;
		}
		free(entries[i]);
	}
	if (entry_count >= 0)
		free(entries);
	return ret;
}

int claw_valgrind_each_log(const char *log,
			   int (*take)(const char *path, void *user),
			   void *user)
{
	const char *slash = strrchr(log, '/');
	size_t count = 0;
	int ret;

	if (!slash || !strstr(slash, PROCESS))
		return take(log, user);
	ret = take_logs(log, take, user, &count);
	return ret == 0 && count == 0 ? -CLAW_E_DAMAGED : ret;
}
