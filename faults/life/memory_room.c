/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the process's memory, and what of it is used. */
#include "config.h"

#include "memory_room.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	TEXT = 4096,
	PATH = 512,
	DATA = 5,		/* /proc/self/statm: field of data and stack */
	NEVER = 60,		/* bits: cgroups of version 1 have no other word */
};

static struct limits {
	uint64_t space, data, group;	/* UINT64_MAX: none */
	uint64_t least;			/* of them */
	char path[PATH];		/* of the group's files, up to their names */
	const char *usage;		/* name: what the group uses */
} own = {
	.space = UINT64_MAX, .data = UINT64_MAX, .group = UINT64_MAX,
	.least = UINT64_MAX,
};

static bool read_text(const char *path, char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, TEXT - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* "max" and what is as good as that is none. */
static uint64_t read_number(const char *path)
{
	char text[TEXT], *end;
	uint64_t value;

	if (!read_text(path, text))
		return UINT64_MAX;
	value = strtoull(text, &end, 10);
	return end == text || value >> NEVER ? UINT64_MAX : value;
}

/* The tightest of a group and of those that it is in. */
static void look_at_group(const char *root, char *path, const char *limit,
			  const char *usage)
{
	char name[PATH];

	for (;;) {
		uint64_t bytes;
		char *slash = strrchr(path, '/');

		snprintf(name, sizeof(name), "%s%s/%s", root, path, limit);
		bytes = read_number(name);
		if (bytes < own.group) {
			own.group = bytes;
			own.usage = usage;
			snprintf(own.path, sizeof(own.path), "%s%s/memory.",
				 root, path);
		}
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* "4:memory:/path" of version 1, "0::/path" of version 2. */
static void look_at_groups(void)
{
	char text[TEXT], *rest = text, *line;

	own.group = UINT64_MAX;
	if (!read_text("/proc/self/cgroup", text))
		return;
	while ((line = strsep(&rest, "\n"))) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (!strcmp(path, "/"))
			*path = '\0';
		if (!controllers[1])
			look_at_group("/sys/fs/cgroup", path, "memory.max",
				      "current");
		else if (strstr(controllers, "memory"))
			look_at_group("/sys/fs/cgroup/memory", path,
				      "memory.limit_in_bytes",
				      "usage_in_bytes");
	}
}

static uint64_t limit_of(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) ||
	       limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

void claw_memory_limits_look(void)
{
	own.space = limit_of(RLIMIT_AS);
	own.data = limit_of(RLIMIT_DATA);
	look_at_groups();
	own.least = own.space < own.data ? own.space : own.data;
	own.least = own.group < own.least ? own.group : own.least;
}

uint64_t claw_memory_limit(void)
{
	return own.least;
}

static uint64_t rest_of(uint64_t limit, uint64_t used)
{
	return limit == UINT64_MAX ? limit : limit > used ? limit - used : 0;
}

/* What is cached of files the group gives up by itself. */
static uint64_t rest_of_group(void)
{
	char name[PATH + 32], text[TEXT];
	const char *cached;
	uint64_t used, files;

	if (own.group == UINT64_MAX)
		return UINT64_MAX;
	snprintf(name, sizeof(name), "%s%s", own.path, own.usage);
	used = read_number(name);
	snprintf(name, sizeof(name), "%sstat", own.path);
	if (used == UINT64_MAX || !read_text(name, text))
		return UINT64_MAX;
	cached = strncmp(text, "cache ", 6) ? strstr(text, "\nfile ") : text;
	files = cached ? strtoull(cached + 6, NULL, 10) : 0;
	return rest_of(own.group, used > files ? used - files : 0);
}

uint64_t claw_memory_room(void)
{
	uint64_t room = rest_of_group(), left, page = (uint64_t)getpagesize();
	char text[TEXT], *at = text;

	if ((own.space == UINT64_MAX && own.data == UINT64_MAX) ||
	    !read_text("/proc/self/statm", text))
		return room;
	left = rest_of(own.space, strtoull(text, NULL, 10) * page);
	room = left < room ? left : room;
	for (int i = 0; i < DATA && at; i++)
		at = strchr(at + (i > 0), ' ');
	left = rest_of(own.data, at ? strtoull(at, NULL, 10) * page : 0);
	return left < room ? left : room;
}
