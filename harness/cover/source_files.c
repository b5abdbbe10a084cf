/* SPDX-License-Identifier: Apache-2.0 */
/* Files that texts of OpenCL programs may come from, read once. */
#include "config.h"

#include "source_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shared/emit_marker.h"
#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum {
	FILE_BYTES_MAX = 4 << 20,
	ALL_BYTES_MAX = 128 << 20,
	ENTRIES_MAX = 50000,		/* looked at in folders */
	DEPTH_MAX = 12,
};

static bool has_kernels(const char *name)
{
	static const char *const suffixes[] = {
		"cl", "clw", "ocl", "opencl", "kernel", "clh", "clc", "h",
		"hh", "hpp", "hxx", "hcl", "inc", "inl", "c", "cc", "cpp",
		"cxx", "m", "mm", "py", "txt", "rs", "jl", "in",
	};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (strcasecmp(dot + 1, suffixes[i]) == 0)
			return true;
	return false;
}

size_t claw_source_without_blanks(const char *bytes, size_t size)
{
	while (size > 0 && (bytes[size - 1] == '\0' ||
			    strchr(" \t\r\n", bytes[size - 1])))
		size--;
	return size;
}

static int add_file(struct claw_source_files *files, const char *path,
		    bool is_named)
{
	struct claw_source source;
	struct claw_source_file file = { .is_named = is_named }, *larger;

	if (claw_source_open(path, &source) < 0)
		return 0;
	if (source.size > 0 && source.size <= FILE_BYTES_MAX &&
	    files->bytes + source.size <= ALL_BYTES_MAX)
		file.bytes = claw_malloc(source.size);
	if (file.bytes)
		file.size = claw_source_without_blanks(file.bytes,
			claw_source_read(&source, 0, file.bytes, source.size));
	claw_source_close(&source);
	if (file.size < CLAW_SOURCE_TELLING_BYTES) {
		free(file.bytes);
		return 0;
	}
	file.path = realpath(path, NULL);
	larger = file.path ? claw_grow(files->items, files->count + 1,
				       sizeof(*larger)) : NULL;
	if (!larger) {
		free(file.path);
		free(file.bytes);
		return -CLAW_E_NO_MEMORY;
	}
	files->items = larger;
	larger[files->count++] = file;
	files->bytes += file.size;
	return 0;
}

/* Of openclaw repro --emit-c. */
static bool is_emitted(const char *path)
{
	char *makefile = claw_path_in(path, "Makefile");
	char line[sizeof(CLAW_EMIT_MAKEFILE)] = "";
	struct claw_source source;

	if (makefile && claw_source_open(makefile, &source) == 0) {
		claw_source_read(&source, 0, line, sizeof(line) - 1);
		claw_source_close(&source);
	}
	free(makefile);
	return strcmp(line, CLAW_EMIT_MAKEFILE) == 0;
}

/* What openclaw has left, wherever that was told to go. */
static bool is_output(const char *path)
{
	char *records = claw_path_in(path, "records.jsonl");
	bool is_there = records && access(records, F_OK) == 0;

	free(records);
	return is_there || is_emitted(path);
}

static int add_folder(struct claw_source_files *files, const char *path,
		      int depth)
{
	struct dirent **entries;
	bool is_ours = depth < DEPTH_MAX && is_output(path);
	int count = depth > 0 && !is_ours ?
		scandir(path, &entries, NULL, alphasort) : -1;
	int ret = 0;

	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *below = NULL;
		struct stat about;
		bool is_top = depth == DEPTH_MAX;

		/* What openclaw has written is a copy of something. */
		if (ret == 0 && *name != '.' &&
		    strcmp(name, "openclaw-out") != 0 &&
		    strcmp(name, CLAW_SOURCE_FOLDER) != 0 &&
		    files->entries++ < ENTRIES_MAX) {
			below = claw_path_in(path, name);
			ret = below ? 0 : -CLAW_E_NO_MEMORY;
		}
		if (below && strcmp(below, files->directory) != 0 &&
		    (is_top ? stat : lstat)(below, &about) == 0) {
			if (S_ISDIR(about.st_mode))
				ret = add_folder(files, below, depth - 1);
			else if (S_ISREG(about.st_mode) && has_kernels(name))
				ret = add_file(files, below, false);
		}
		free(below);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return ret;
}

static int by_path(const void *a, const void *b)
{
	const struct claw_source_file *one = a, *other = b;
	int order = strcmp(one->path, other->path);

	return order ? order : other->is_named - one->is_named;
}

int claw_source_files_keep(struct claw_source_files *files, char *path)
{
	char **larger = claw_grow(files->paths, files->path_count + 1,
				  sizeof(*larger));

	files->paths = larger;
	larger[files->path_count++] = path;
	return 0;
}

/* Each once; somebody may have the path of either. */
static int sort_files(struct claw_source_files *files)
{
	size_t kept = 0;
	int ret = 0;

	if (files->count == 0)
		return 0;
	qsort(files->items, files->count, sizeof(*files->items), by_path);
	for (size_t i = 1; i < files->count; i++) {
		if (strcmp(files->items[kept].path,
			   files->items[i].path) == 0) {
			free(files->items[i].bytes);
			if (claw_source_files_keep(files,
						   files->items[i].path) < 0)
				ret = -CLAW_E_NO_MEMORY;
		} else {
			files->items[++kept] = files->items[i];
		}
	}
	files->count = kept + 1;
	return ret;
}

int claw_source_files_read(struct claw_source_files *files)
{
	int ret = 0;

	if (files->folders_read == files->folder_count)
		return 0;
	while (ret == 0 && files->folders_read < files->folder_count)
		ret = add_folder(files,
				 files->folders[files->folders_read++],
				 DEPTH_MAX);
	return ret < 0 ? ret : sort_files(files);
}

static int add_folder_name(struct claw_source_files *files, const char *path)
{
	char *real = realpath(path, NULL), **larger;

	if (!real)
		return errno == ENOMEM ? -CLAW_E_NO_MEMORY : 0;
	for (size_t i = 0; i < files->folder_count; i++)
		if (strcmp(files->folders[i], real) == 0) {
			free(real);
			return 0;
		}
	larger = claw_grow(files->folders, files->folder_count + 1,
			   sizeof(*larger));
	files->folders = larger;
	larger[files->folder_count++] = real;
	return 0;
}

int claw_source_files_add(struct claw_source_files *files, const char *path)
{
	struct stat about;
	int ret = 0;

	if (stat(path, &about) < 0)
		return 0;
	if (S_ISDIR(about.st_mode))
		return add_folder_name(files, path);
	ret = add_file(files, path, true);
	return ret < 0 ? ret : sort_files(files);
}

void claw_source_files_release(struct claw_source_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->items[i].path);
		free(files->items[i].bytes);
	}
	for (size_t i = 0; i < files->folder_count; i++)
		free(files->folders[i]);
	for (size_t i = 0; i < files->path_count; i++)
		free(files->paths[i]);
	free(files->items);
	free(files->folders);
	free(files->paths);
	free(files->directory);
	*files = (struct claw_source_files) { .items = NULL };
}
