/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A working directory of a run's own: the user's files by links, so that
 * relative names of inputs mean what they meant, and what the program makes
 * is its own.
 */
#include "config.h"

#include "judged_words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "judged_run.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/session/session.h"

#define PLACE "{dir}"

char *claw_judged_word(const char *word, const char *work)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!work || !strstr(word, PLACE))
		return claw_strdup(word);
	out = claw_text_begin(&text, &size);
	for (const char *at; (at = strstr(word, PLACE));
	     word = at + strlen(PLACE))
		fprintf(out, "%.*s%s", (int)(at - word), word, work);
	fputs(word, out);
	claw_text_end(out);
	return text;
}

char *claw_judged_path(const char *path, const char *work)
{
	char *word = claw_judged_word(path, work), *whole;

	if (!work || *word == '/')
		return word;
	whole = claw_format("%s/%s", work, word);
	free(word);
	return whole;
}

char **claw_judged_argv(char *const *argv, const char *work)
{
	size_t count = 0;
	char **made;

	while (argv[count])
		count++;
	made = claw_calloc(count + 1, sizeof(*made));
	for (size_t i = 0; i < count; i++) {
		if (i == 0 && work && strchr(argv[0], '/'))
			made[i] = realpath(argv[0], NULL);
		if (!made[i])
			made[i] = claw_judged_word(argv[i], work);
	}
	return made;
}

void claw_judged_argv_free(char **argv)
{
	for (char **word = argv; word && *word; word++)
		free(*word);
	free(argv);
}

/* An entry of ours, seen from there. */
static int link_entry(int there, const char *here, const char *name)
{
	char *target = NULL;
	int ret = 0;

	target = claw_format("%s/%s", here, name);
	if (symlinkat(target, there, name) < 0 && errno != EEXIST)
		ret = -CLAW_E_IO;
	free(target);
	return ret;
}

static int link_all(const char *work)
{
	char *here = realpath(".", NULL);
	DIR *entries = here ? opendir(here) : NULL;
	int there = open(work, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	struct dirent *entry;

	if (!entries || there < 0)
		ret = -CLAW_E_IO;
	while (ret == 0 && (entry = readdir(entries)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			ret = link_entry(there, here, entry->d_name);
	if (there >= 0)
		close(there);
	if (entries)
		closedir(entries);
	free(here);
	return ret;
}

/* Is it the link to that entry of ours? */
static bool is_our_link(int there, const char *here, const char *name)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(there, name, target, sizeof(target) - 1);
	size_t before = strlen(here);

	target[length] = '\0';
	return strncmp(target, here, before) == 0 && target[before] == '/' &&
		strcmp(target + before + 1, name) == 0;
}

/* Take away what an earlier run has made there. */
static void remove_made(const char *work)
{
	char *here = realpath(".", NULL), *path;
	DIR *entries = opendir(work);
	struct dirent *entry;

	while (here && entries && (entry = readdir(entries))) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    is_our_link(dirfd(entries), here, entry->d_name))
			continue;
		path = claw_path_in(work, entry->d_name);
		claw_directory_remove(path);
		free(path);
	}
	if (entries)
		closedir(entries);
	free(here);
}

int claw_judged_work(const char *directory, char **ret_work)
{
	char *work = claw_path_in(directory, "work");
	int ret = 0;

	remove_made(work);
	if (claw_make_directory(work) < 0)
		ret = -CLAW_E_IO;
	if (ret == 0)
		ret = link_all(work);
	if (ret < 0)
		free(work);
	else
		*ret_work = work;
	return ret;
}

int claw_judged_set(struct claw_session *session, const char *entry)
{
	size_t length = strcspn(entry, "=");
	char *name = claw_strndup(entry, length);
	int ret = claw_session_setenv(
		session, name, entry[length] ? entry + length + 1 : NULL);

	free(name);
	return ret;
}

bool claw_judged_names_directory(const struct claw_judged_setup *setup)
{
	const char *const commands[] = {
		setup->output_filter, setup->prepare, setup->cleanup,
	};

	for (char *const *word = setup->argv; *word; word++)
		if (strstr(*word, PLACE))
			return true;
	for (size_t i = 0; i < setup->artifacts.count; i++)
		if (strstr(setup->artifacts.items[i], PLACE))
			return true;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (commands[i] && strstr(commands[i], PLACE))
			return true;
	return false;
}
