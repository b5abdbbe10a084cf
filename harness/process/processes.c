/* SPDX-License-Identifier: Apache-2.0 */
/* Walk a tree of processes, and read what they were started with. */
#include "config.h"

#include "processes.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"

enum { READ_MAX_BYTES = 4 << 20 };

/* What is there, NUL-terminated, malloced; NULL: it cannot be read. */
static char *read_whole(const char *path, size_t *ret_size)
{
	char *text = NULL;

	return claw_outside_read(path, 0, READ_MAX_BYTES, &text, ret_size) < 0 ?
		NULL : text;
}

char *claw_process_variable(long pid, const char *name, bool *ret_readable)
{
	size_t size = 0, length = strlen(name);
	char path[64], *value = NULL, *text;

	snprintf(path, sizeof(path), "/proc/%ld/environ", pid);
	text = read_whole(path, &size);
	*ret_readable = text != NULL;
	for (const char *entry = text; entry && entry < text + size;
	     entry += strlen(entry) + 1)
		if (strncmp(entry, name, length) == 0 && entry[length] == '=') {
			free(value);
			value = claw_strdup(entry + length + 1);
		}
	free(text);
	return value;
}

/* Those that one of its threads has started. */
static bool walk_children(const char *path, int generations,
			  bool (*visit)(long pid, void *user), void *user)
{
	size_t size = 0;
	char *text = read_whole(path, &size), *rest = text;
	bool going = true;

	while (rest && going) {
		char *end;
		long pid = strtol(rest, &end, 10);

		if (end == rest || pid <= 0)
			break;
		going = claw_processes_walk(pid, generations, visit, user);
		rest = end;
	}
	free(text);
	return going;
}

bool claw_processes_walk(long pid, int generations,
			 bool (*visit)(long pid, void *user), void *user)
{
	bool going = visit(pid, user);
	struct dirent *entry;
	char path[64];
	DIR *threads;

	if (!going || generations == 0)
		return going;
	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	threads = opendir(path);
	while (threads && going && (entry = readdir(threads))) {
		char children[PATH_MAX];

		if (*entry->d_name == '.')
			continue;
		snprintf(children, sizeof(children), "/proc/%ld/task/%s/"
			 "children", pid, entry->d_name);
		going = walk_children(children, generations - 1, visit, user);
	}
	if (threads)
		closedir(threads);
	return going;
}
