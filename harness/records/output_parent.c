/* SPDX-License-Identifier: Apache-2.0 */
/* Make and mark the directory that holds the output directories of runs. */
#include "config.h"

#include "output_parent.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/directories.h"
#include "harness/files/new_file.h"
#include "harness/files/outside_file.h"

/* The first line of CACHEDIR.TAG is given by https://bford.info/cachedir/. */
static const struct mark {
	const char *name, *text;
} marks[] = {
	{ "CACHEDIR.TAG",
	  "Signature: 8a477f597d28d172789f06886806bc55\n"
	  "# Output of openclaw; backups may leave it out "
	  "(https://bford.info/cachedir/).\n"
	  "# \"openclaw clean\" deletes old runs.\n" },
	{ ".gitignore", "*\n" },
};

enum { MARK_COUNT = sizeof(marks) / sizeof(marks[0]) };

static char *parent;

const char *claw_output_parent(void)
{
	return parent ? parent : "openclaw-out";
}

void claw_output_parent_set(const char *path)
{
	free(parent);
	parent = claw_strdup_or_null(path);
}

/* Without them it is an output directory all the same. */
static void put_marks(void)
{
	for (size_t i = 0; i < MARK_COUNT; i++) {
		char *path = claw_path_in(claw_output_parent(), marks[i].name);
		struct claw_new_file file;
		FILE *out = claw_new_file_begin(&file, path);

		if (out) {
			fputs(marks[i].text, out);
			claw_new_file_end(&file, !ferror(out));
		}
		free(path);
	}
}

int claw_output_parent_make(void)
{
	struct stat about;

	if (stat(claw_output_parent(), &about) == 0)
		return 0;
	if (claw_make_directories(claw_output_parent()) < 0)
		return -CLAW_E_IO;
	put_marks();
	return 0;
}

int claw_output_parent_make_for(const char *path)
{
	size_t length = strlen(claw_output_parent());

	while (claw_begins(path, "./"))
		path += 2;
	return claw_begins(path, claw_output_parent()) && path[length] == '/' ?
		claw_output_parent_make() : 0;
}

/* Of its text, too: a backup or a git of somebody else may need another one. */
static bool is_mark(const char *name)
{
	size_t size, i = 0;
	char *path, *text;
	bool is_ours;

	while (i < MARK_COUNT && strcmp(name, marks[i].name) != 0)
		i++;
	if (i == MARK_COUNT)
		return false;
	path = claw_path_in(claw_output_parent(), name);
	is_ours = claw_outside_read(path, CLAW_OUTSIDE_OWN,
				    strlen(marks[i].text), &text, &size) == 0;
	free(path);
	if (!is_ours)
		return false;
	is_ours = strcmp(text, marks[i].text) == 0;
	free(text);
	return is_ours;
}

/* It has the marks, so openclaw made it, and nothing else. */
static bool has_marks_alone(void)
{
	DIR *directory = opendir(claw_output_parent());
	struct dirent *entry;
	size_t found = 0;
	bool is_alone = directory != NULL;

	while (is_alone && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		is_alone = is_mark(entry->d_name);
		found += is_alone;
	}
	if (directory)
		closedir(directory);
	return is_alone && found == MARK_COUNT;
}

void claw_output_parent_leave(void)
{
	if (!has_marks_alone())
		return;
	for (size_t i = 0; i < MARK_COUNT; i++) {
		char *path = claw_path_in(claw_output_parent(), marks[i].name);

		unlink(path);
		free(path);
	}
	/* Another openclaw may have begun a run there. */
	if (rmdir(claw_output_parent()) < 0 && errno == ENOTEMPTY)
		put_marks();
}
