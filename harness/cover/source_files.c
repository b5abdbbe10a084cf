/* SPDX-License-Identifier: Apache-2.0 */
/* Files that texts of OpenCL programs may come from, read once. */
#include "config.h"

#include "source_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shared/emit_marker.h"
#include "harness/files/byte_source.h"
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

static void add_file(struct claw_source_files *files, const char *path,
		     bool is_named)
{
	struct claw_source source;
	struct claw_source_file file = { .is_named = is_named };

	if (claw_source_open(path, &source) < 0)
		return;
	if (source.size > 0 && source.size <= FILE_BYTES_MAX &&
	    files->bytes + source.size <= ALL_BYTES_MAX)
		file.bytes = claw_malloc(source.size);
	if (file.bytes)
		file.size = claw_source_without_blanks(file.bytes,
			claw_source_read(&source, 0, file.bytes, source.size));
	claw_source_close(&source);
	if (file.size >= CLAW_SOURCE_TELLING_BYTES)
		file.path = realpath(path, NULL);
	if (!file.path) {
		free(file.bytes);
		return;
	}
	files->items = claw_one_more(files->items, files->count,
				     sizeof(*files->items));
	files->items[files->count++] = file;
	files->bytes += file.size;
}

/* Of openclaw repro --emit-c. */
static bool is_emitted(const char *path)
{
	char *makefile = claw_path_in(path, "Makefile");
	char line[sizeof(CLAW_EMIT_MAKEFILE)] = "";
	struct claw_source source;

	if (claw_source_open(makefile, &source) == 0) {
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
	bool is_there = access(records, F_OK) == 0;

	free(records);
	return is_there || is_emitted(path);
}

/* What openclaw has written is a copy of something. */
static bool is_wanted(struct claw_source_files *files, const char *name)
{
	return *name != '.' && strcmp(name, "openclaw-out") != 0 &&
		strcmp(name, CLAW_SOURCE_FOLDER) != 0 &&
		files->entries++ < ENTRIES_MAX;
}

static void add_folder(struct claw_source_files *files, const char *path,
		       int depth)
{
	struct dirent **entries;
	bool is_top = depth == DEPTH_MAX, is_ours = !is_top && is_output(path);
	int count = depth > 0 && !is_ours ?
		scandir(path, &entries, NULL, alphasort) : -1;

	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *below = claw_path_in(path, name);
		struct stat about;

		if (is_wanted(files, name) &&
		    strcmp(below, files->directory) != 0 &&
		    (is_top ? stat : lstat)(below, &about) == 0) {
			if (S_ISDIR(about.st_mode))
				add_folder(files, below, depth - 1);
			else if (S_ISREG(about.st_mode) && has_kernels(name))
				add_file(files, below, false);
		}
		free(below);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static int by_path(const void *a, const void *b)
{
	const struct claw_source_file *one = a, *other = b;
	int order = strcmp(one->path, other->path);

	return order ? order : other->is_named - one->is_named;
}

void claw_source_files_keep(struct claw_source_files *files, char *path)
{
	files->paths = claw_one_more(files->paths, files->path_count,
				     sizeof(*files->paths));
	files->paths[files->path_count++] = path;
}

/* Each once; somebody may have the path of either. */
static void sort_files(struct claw_source_files *files)
{
	size_t kept = 0;

	if (files->count == 0)
		return;
	qsort(files->items, files->count, sizeof(*files->items), by_path);
	for (size_t i = 1; i < files->count; i++) {
		if (strcmp(files->items[kept].path,
			   files->items[i].path) == 0) {
			free(files->items[i].bytes);
			claw_source_files_keep(files, files->items[i].path);
		} else {
			files->items[++kept] = files->items[i];
		}
	}
	files->count = kept + 1;
	files->version++;
}

void claw_source_files_read(struct claw_source_files *files)
{
	if (files->folders_read == files->folder_count)
		return;
	while (files->folders_read < files->folder_count)
		add_folder(files, files->folders[files->folders_read++],
			   DEPTH_MAX);
	sort_files(files);
}

static void add_folder_name(struct claw_source_files *files, const char *path)
{
	char *real = realpath(path, NULL);

	if (!real)
		return;
	for (size_t i = 0; i < files->folder_count; i++)
		if (strcmp(files->folders[i], real) == 0) {
			free(real);
			return;
		}
	files->folders = claw_one_more(files->folders, files->folder_count,
				       sizeof(*files->folders));
	files->folders[files->folder_count++] = real;
}

void claw_source_files_add(struct claw_source_files *files, const char *path)
{
	struct stat about;

	if (stat(path, &about) < 0)
		return;
	if (S_ISDIR(about.st_mode)) {
		add_folder_name(files, path);
		return;
	}
	add_file(files, path, true);
	sort_files(files);
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
