/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find the presets, and read what each is for.
 */
#include "config.h"

#include "preset.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "faults/shared/nearest.h"
#include "harness/files/outside_file.h"
#include "harness/base/paths.h"

static const char suffix[] = ".yaml";

/* "# text" of a comment line, without its end; NULL: not a comment. */
static char *comment_text(char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	if (*line != '#')
		return NULL;
	line++;
	return line + strspn(line, " ");
}

/* The first paragraph of comments, as one line; malloced. */
static char *read_summary(FILE *in)
{
	char *summary = NULL, *line = NULL, *text;
	size_t size, room = 0;
	FILE *out = claw_text_begin(&summary, &size);
	bool any = false;

	while (claw_getline(&line, &room, in) > 0) {
		text = comment_text(line);
		if (text && !any && strncmp(text, "SPDX-", 5) == 0)
			continue;
		if (!text || !*text)
			break;
		fprintf(out, "%s%s", any ? " " : "", text);
		any = true;
	}
	free(line);
	claw_text_end(out);
	return summary;
}

static int read_preset(const char *directory, const char *file,
		       struct claw_preset *ret_preset)
{
	char *path = claw_path_in(directory, file);
	FILE *in = claw_outside_fopen(path);

	if (!in) {
		int error = errno;

		free(path);
		errno = error;
		return -CLAW_E_IO;
	}
	*ret_preset = (struct claw_preset) {
		.name = claw_strndup(file, strlen(file) - strlen(suffix)),
		.path = path, .summary = read_summary(in),
	};
	fclose(in);
	return 0;
}

static int is_preset(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > strlen(suffix) && entry->d_name[0] != '.' &&
	       strcmp(entry->d_name + length - strlen(suffix), suffix) == 0;
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder(const char *directory, struct claw_presets *presets)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_preset, compare_names);
	int ret = count < 0 ? -CLAW_E_IO : 0;

	if (count > 0)
		presets->items = claw_calloc((size_t)count,
					     sizeof(*presets->items));
	for (int i = 0; i < count; i++) {
		if (ret == 0)
			ret = read_preset(directory, entries[i]->d_name,
					  &presets->items[presets->count]);
		presets->count += ret == 0;
		free(entries[i]);
	}
	free(entries);
	return ret;
}

int claw_presets_read(struct claw_presets *ret_presets)
{
	struct claw_presets presets = { .items = NULL };
	char *directory = claw_data_path("faults/presets");
	int ret = -CLAW_E_NOT_FOUND;

	if (directory)
		ret = read_folder(directory, &presets);
	free(directory);
	if (ret < 0)
		claw_presets_release(&presets);
	else
		*ret_presets = presets;
	return ret;
}

void claw_presets_release(struct claw_presets *presets)
{
	int error = errno;

	for (size_t i = 0; i < presets->count; i++) {
		free(presets->items[i].name);
		free(presets->items[i].path);
		free(presets->items[i].summary);
	}
	free(presets->items);
	*presets = (struct claw_presets) { .items = NULL };
	errno = error;
}

bool claw_preset_is(const char *plan)
{
	return strncmp(plan, CLAW_PRESET_PREFIX,
		       strlen(CLAW_PRESET_PREFIX)) == 0;
}

static int find_path(const struct claw_presets *presets, const char *name,
		     const char *origin, char **ret_path, char *error,
		     size_t error_size)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, name);
	for (size_t i = 0; i < presets->count; i++) {
		if (strcmp(presets->items[i].name, name) == 0) {
			*ret_path = claw_strdup(presets->items[i].path);
			return 0;
		}
		claw_nearest_offer(&nearest, presets->items[i].name);
	}
	snprintf(error, error_size, "%s:1:%zu: expected the name of a preset "
		 "(openclaw inject --list), found \"%.60s\"%s%s%s", origin,
		 sizeof(CLAW_PRESET_PREFIX), name,
		 nearest.best ? " (did you mean " : "",
		 nearest.best ? nearest.best : "", nearest.best ? "?)" : "");
	return -CLAW_E_SYNTAX;
}

int claw_preset_resolve(const char *plan, const char *origin, char **ret_path,
			char *error, size_t error_size)
{
	struct claw_presets presets = { .items = NULL };
	int ret = 0;

	if (claw_preset_is(plan)) {
		ret = claw_presets_read(&presets);
		if (ret == -CLAW_E_IO)
			snprintf(error, error_size, "%s: %s: %s", origin, plan,
				 strerror(errno));
		else if (ret == -CLAW_E_NOT_FOUND)
			snprintf(error, error_size, "%s: %s: the folder "
				 "faults/presets is nowhere; is openclaw "
				 "installed whole?", origin, plan);
		else if (ret == 0)
			ret = find_path(&presets, plan +
					strlen(CLAW_PRESET_PREFIX), origin,
					ret_path, error, error_size);
		claw_presets_release(&presets);
	} else {
		*ret_path = claw_strdup(plan);
	}
	/* The word may hold anything: an error stays one line. */
	for (char *at = error; ret < 0 && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return ret;
}
