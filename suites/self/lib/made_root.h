/* SPDX-License-Identifier: Apache-2.0 */
/* A directory that stands for / in tests: files of /proc and /sys made up. */
#ifndef CLAW_MADE_ROOT_H
#define CLAW_MADE_ROOT_H

#include <check.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char made_root[64];

static inline int made_remove_one(const char *path, const struct stat *status,
				  int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	return remove(path);
}

static inline void made_root_begin(void)
{
	snprintf(made_root, sizeof(made_root), "/tmp/openclaw-root.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(made_root));
}

static inline void made_root_end(void)
{
	nftw(made_root, made_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of a name in it, with all folders that it is in. */
static inline void made_path(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s%s", made_root, name);
	for (char *slash = path + strlen(made_root) + 1;
	     (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(path, 0777);
	}
}

static inline void made_file(const char *name, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static inline void made_file(const char *name, const char *format, ...)
{
	char path[512];
	va_list args;
	FILE *out;

	made_path(path, sizeof(path), name);
	out = fopen(path, "w");
	ck_assert_msg(out != NULL, "cannot write %s", path);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fclose(out);
}

static inline void made_link(const char *name, const char *target)
{
	char path[512];

	made_path(path, sizeof(path), name);
	ck_assert_int_eq(symlink(target, path), 0);
}

#endif
