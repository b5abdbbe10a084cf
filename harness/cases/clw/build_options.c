/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build options of a kernel file. A driver takes a relative "-I DIRECTORY"
 * from the working directory; a test means the folder that it is in.
 */
#include "config.h"

#include "build_options.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

static const char blanks[] = " \t";

/* Each driver splits options in its own way where they have blanks and quotes:
 * such a folder is given as a descriptor that stays open. */
static bool write_directory(FILE *out, const char *path)
{
	int fd;

	if (!strpbrk(path, " \t\n\r\"'\\")) {
		fprintf(out, " -I %s", path);
		return true;
	}
	fd = open(path, O_PATH | O_DIRECTORY);
	if (fd >= 0)
		fprintf(out, " -I /proc/self/fd/%d", fd);
	return fd >= 0;
}

/* The length of the first word; a blank within double quotes is part of it. */
static size_t word_length(const char *text)
{
	bool is_quoted = false;
	size_t length = 0;

	for (; text[length]; length++) {
		if (text[length] == '"')
			is_quoted = !is_quoted;
		else if (!is_quoted && strchr(blanks, text[length]))
			break;
	}
	return length;
}

/* The path that a word is, without double quotes round it; malloced. */
static char *unquote(const char *word, size_t length)
{
	if (length >= 2 && word[0] == '"' && word[length - 1] == '"')
		return claw_strndup(word + 1, length - 2);
	return claw_strndup(word, length);
}

/* "-I DIRECTORY" where that is in folder. False: write it as it is. */
static bool write_moved(FILE *out, const char *folder, const char *word,
			size_t length)
{
	char *directory = unquote(word, length);
	char *path = claw_path_in(folder, directory);
	bool is_written = false;
	struct stat about;

	if (*directory && *directory != '/' && stat(path, &about) == 0 &&
	    S_ISDIR(about.st_mode))
		is_written = write_directory(out, path);
	free(path);
	free(directory);
	return is_written;
}

static void write_given(FILE *out, const char *folder, const char *given)
{
	for (; *(given += strspn(given, blanks)); ) {
		size_t length = word_length(given), gap, next;

		if (strncmp(given, "-I", 2) == 0 && length > 2 &&
		    write_moved(out, folder, given + 2, length - 2)) {
			given += length;
			continue;
		}
		gap = strspn(given + length, blanks);
		next = word_length(given + length + gap);
		if (length == 2 && strncmp(given, "-I", 2) == 0 &&
		    write_moved(out, folder, given + length + gap, next)) {
			given += length + gap + next;
			continue;
		}
		fprintf(out, " %.*s", (int)length, given);
		given += length;
	}
}

char *claw_build_options(const char *file, const char *source,
			 const char *given)
{
	char *file_copy = claw_strdup(file), *source_copy = claw_strdup(source);
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	write_directory(out, dirname(source_copy));
	write_given(out, dirname(file_copy), given ? given : "");
	claw_text_end(out);
	free(file_copy);
	free(source_copy);
	return text;
}
