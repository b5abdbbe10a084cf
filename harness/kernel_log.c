/* SPDX-License-Identifier: Apache-2.0 */
/* Read the kernel's log for what drivers of devices say in it. */
#include "config.h"

#include "kernel_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "errors.h"

enum {
	READ_ALL = 3, SIZE_BUFFER = 10,	/* of klogctl(): no header has them */
	BYTES_MAX = 16 << 20, LINES_MAX = 64,
};

bool claw_kernel_log_is_ours(const char *line)
{
	static const char *const words[] = {
		"NVRM", "Xid", "nvidia", "amdgpu", "amdkfd", "i915", " xe ",
		"[drm", "panfrost", "Out of memory", "oom-kill", "oom_reaper",
		"AER:", "EDAC", "segfault at",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

/* Of a text whose lines are cut apart here, the last of ours. */
static char *choose(char *all)
{
	const char *lines[LINES_MAX];
	size_t count = 0, size = 0;
	char *text = NULL, *rest = all, *line;
	FILE *out;

	while ((line = strsep(&rest, "\n")))
		if (claw_kernel_log_is_ours(line))
			lines[count++ % LINES_MAX] = line;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = count > LINES_MAX ? count - LINES_MAX : 0; i < count;
	     i++)
		fprintf(out, "%s\n", lines[i % LINES_MAX]);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

int claw_kernel_log_read(char **ret_text)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0);
	char *all;

	if (size < 0)
		return -CLAW_E_IO;
	if (size > BYTES_MAX)
		size = BYTES_MAX;
	all = malloc((size_t)size + 1);
	if (!all)
		return -CLAW_E_NO_MEMORY;
	size = klogctl(READ_ALL, all, size);
	if (size < 0) {
		free(all);
		return -CLAW_E_IO;
	}
	all[size] = '\0';
	*ret_text = choose(all);
	free(all);
	return *ret_text ? 0 : -CLAW_E_NO_MEMORY;
}
