/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory there is for us: the machine's, or what a cgroup (of version
 * 1 or 2) that we are in leaves of it; and how much swap space is used.
 */
#include "config.h"

#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/small_file.h"

enum { CGROUP_BYTES = 16384 };

/* "max" is no number. */
static double lesser(double limit, double bytes)
{
	return isnan(limit) || limit <= 0 || limit >= bytes ? bytes : limit;
}

/* The least limit of a cgroup and of those that it is in. Inside a container
 * the path may be the host's: then only its own, at the top, is found. */
static double least_limit(const char *root, const char *mount, char *path,
			  const char *file, double bytes)
{
	for (;;) {
		char *slash = strrchr(path, '/');

		bytes = lesser(claw_small_file_number("%s%s%s/%s", root, mount,
						      path, file), bytes);
		if (!slash)
			return bytes;
		*slash = '\0';
	}
}

/* "4:memory:/path" of version 1, "0::/path" of version 2. */
static double limit_of_line(const char *root, char *line, double bytes)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;
	char framed[256], copy[4096];

	if (!path)
		return bytes;
	*path++ = '\0';
	snprintf(copy, sizeof(copy), "%s", strcmp(path, "/") ? path : "");
	snprintf(framed, sizeof(framed), ",%s,", controllers + 1);
	if (strstr(framed, ",memory,"))
		return least_limit(root, "/sys/fs/cgroup/memory", copy,
				   "memory.limit_in_bytes", bytes);
	if (strcmp(framed, ",,") == 0)
		return least_limit(root, "/sys/fs/cgroup", copy, "memory.max",
				   bytes);
	return bytes;
}

double claw_usage_host_bytes_at(const char *root)
{
	char text[CGROUP_BYTES];
	char *rest = text;
	double bytes;

	claw_small_file_read(text, sizeof(text), "%s/proc/meminfo", root);
	bytes = 1024 * claw_small_file_field(text, "MemTotal");
	if (isnan(bytes))
		bytes = INFINITY;
	claw_small_file_read(text, sizeof(text), "%s/proc/self/cgroup", root);
	for (char *line; (line = strsep(&rest, "\n"));)
		bytes = limit_of_line(root, line, bytes);
	return isinf(bytes) ? NAN : bytes;
}

double claw_usage_host_bytes(void)
{
	return claw_usage_host_bytes_at("");
}

double claw_usage_swap_bytes_at(const char *root)
{
	char text[CGROUP_BYTES];

	claw_small_file_read(text, sizeof(text), "%s/proc/meminfo", root);
	return 1024 * (claw_small_file_field(text, "SwapTotal") -
		       claw_small_file_field(text, "SwapFree"));
}

double claw_usage_swap_bytes(void)
{
	return claw_usage_swap_bytes_at("");
}
