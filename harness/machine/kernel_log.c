/* SPDX-License-Identifier: Apache-2.0 */
/* Read the kernel's log for what drivers of devices say in it. */
#include "config.h"

#include "kernel_log.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "xid.h"

enum {
	READ_ALL = 3, SIZE_BUFFER = 10,	/* of klogctl(): no header has them */
	BYTES_MAX = 16 << 20, LINES_MAX = 64, LAST_BYTES = 16 << 10,
};

/* Is a line of the log about that? */
static bool is_ours(const char *line)
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
		if (is_ours(line))
			lines[count++ % LINES_MAX] = line;
	out = claw_text_begin(&text, &size);
	for (size_t i = count > LINES_MAX ? count - LINES_MAX : 0; i < count;
	     i++)
		fprintf(out, "%s\n", lines[i % LINES_MAX]);
	claw_text_end(out);
	return text;
}

/* OPENCLAW_TEST_ROOT stands for /: a log of its own. */
static int read_made_up(const char *root, char *all, int size)
{
	char path[PATH_MAX];
	size_t length;
	FILE *in;

	snprintf(path, sizeof(path), "%s/var/log/dmesg", root);
	in = claw_outside_fopen(path);
	if (!in)
		return -1;
	if (fseek(in, -(long)size, SEEK_END) < 0)
		rewind(in);
	length = fread(all, 1, (size_t)size, in);
	fclose(in);
	return (int)length;
}

/* The last bytes of it; malloced. */
static int read_last(int size, char **ret_text)
{
	const char *root = getenv("OPENCLAW_TEST_ROOT");
	char *all = claw_malloc((size_t)size + 1);

	size = root ? read_made_up(root, all, size) :
		klogctl(READ_ALL, all, size);
	if (size < 0) {
		free(all);
		return -CLAW_E_IO;
	}
	all[size] = '\0';
	*ret_text = all;
	return 0;
}

int claw_kernel_log_read(char **ret_text)
{
	int size = getenv("OPENCLAW_TEST_ROOT") ? BYTES_MAX :
		klogctl(SIZE_BUFFER, NULL, 0);
	char *all;
	int ret = size < 0 ? -CLAW_E_IO :
		read_last(size > BYTES_MAX ? BYTES_MAX : size, &all);

	if (ret < 0)
		return ret;
	*ret_text = choose(all);
	free(all);
	return 0;
}

int claw_kernel_log_last(double *ret_stamp)
{
	char *all, *rest, *line;
	int ret = read_last(LAST_BYTES, &all);

	*ret_stamp = 0;
	if (ret < 0)
		return ret;
	rest = all;
	/* The first may be the rest of one. */
	for (line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		claw_dmesg_stamp(line, ret_stamp);
	free(all);
	return 0;
}
