/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps and logs of a soak, oldest first. */
#include "config.h"

#include "soak_files.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/session/session.h"
#include "harness/base/text.h"

struct file {
	char *signature, *path;
};

struct claw_soak_files {
	char *directory;
	struct file *items;
	size_t count, capacity;
};

struct claw_soak_files *claw_soak_files_new(const char *directory)
{
	struct claw_soak_files *files = claw_calloc(1, sizeof(*files));

	files->directory = claw_strdup(directory);
	return files;
}

static void release(struct file *file)
{
	free(file->signature);
	free(file->path);
}

void claw_soak_files_free(struct claw_soak_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++)
		release(&files->items[i]);
	free(files->items);
	free(files->directory);
	free(files);
}

static bool leads_out(const char *path)
{
	size_t length = strlen(path);

	return length == 0 || path[0] == '/' || strcmp(path, "..") == 0 ||
	       strncmp(path, "../", 3) == 0 || strstr(path, "/../") ||
	       (length >= 3 && strcmp(path + length - 3, "/..") == 0) ||
	       strcmp(path, ".") == 0 || strcmp(path, "records.jsonl") == 0;
}

static bool is_known(const struct claw_soak_files *files, const char *path)
{
	for (size_t i = files->count; i-- > 0;)
		if (strcmp(files->items[i].path, path) == 0)
			return true;
	return false;
}

void claw_soak_files_add(struct claw_soak_files *files, const char *signature,
			 const char *path)
{
	if (leads_out(path) || is_known(files, path))
		return;
	if (files->count == files->capacity) {
		size_t capacity = files->capacity ? 2 * files->capacity : 16;

		files->items = claw_grow(files->items, capacity,
					 sizeof(*files->items));
		files->capacity = capacity;
	}
	files->items[files->count++] = (struct file){
		claw_strdup(signature), claw_strdup(path),
	};
}

uint64_t claw_soak_files_bytes(const struct claw_soak_files *files)
{
	char *const roots[] = { files->directory, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	uint64_t bytes = 0;

	while (tree && (entry = fts_read(tree)))
		if (entry->fts_info == FTS_F &&
		    !(entry->fts_level == 1 &&
		      strcmp(entry->fts_name, "records.jsonl") == 0))
			bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
	if (tree)
		fts_close(tree);
	return bytes;
}

/* Has its signature an older and a newer one? */
static bool is_between(const struct claw_soak_files *files, size_t index)
{
	const char *signature = files->items[index].signature;
	bool older = false, newer = false;

	for (size_t i = 0; i < files->count; i++) {
		if (i == index ||
		    strcmp(files->items[i].signature, signature) != 0)
			continue;
		older |= i < index;
		newer |= i > index;
	}
	return older && newer;
}

static void remove_item(struct claw_soak_files *files, size_t index)
{
	char *path = claw_path_in(files->directory, files->items[index].path);

	if (unlink(path) < 0 && errno == EISDIR)
		claw_directory_remove(path);
	free(path);
	release(&files->items[index]);
	files->count--;
	memmove(files->items + index, files->items + index + 1,
		(files->count - index) * sizeof(*files->items));
}

size_t claw_soak_files_trim(struct claw_soak_files *files, uint64_t max_bytes)
{
	size_t removed = 0, i = 0;

	while (i < files->count && claw_soak_files_bytes(files) > max_bytes) {
		if (!is_between(files, i)) {
			i++;
			continue;
		}
		remove_item(files, i);
		removed++;
	}
	return removed;
}
