/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels by name: which file that is, and its text.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clw_private.h"

enum { MAX_SOURCE = 64 << 20 };

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* DIRECTORY/NAME, or that with a suffix; directory_length 0: none. */
static bool find_in(const char *directory, size_t directory_length,
		    const char *name, size_t name_length, char *path,
		    size_t size)
{
	static const char *const suffixes[] = { "", ".clw", ".cl" };

	for (size_t i = 0; i < 3; i++) {
		int length = snprintf(path, size, "%.*s%s%.*s%s",
				      (int)directory_length, directory,
				      directory_length ? "/" : "",
				      (int)name_length, name, suffixes[i]);

		if (length > 0 && (size_t)length < size && is_file(path))
			return true;
	}
	return false;
}

const char *clw_own_directory(size_t *ret_length)
{
	const char *slash;
	Dl_info here;

	if (!dladdr((const void *)(uintptr_t)&clw_own_directory, &here) ||
	    !here.dli_fname || !(slash = strrchr(here.dli_fname, '/')))
		return NULL;
	*ret_length = (size_t)(slash - here.dli_fname);
	return here.dli_fname;
}

/* Where a prefix was moved to, or where openclaw was to be installed. */
static bool find_installed(const char *name, size_t length, char *path,
			   size_t size)
{
	static const char installed[] = CLAW_PKGDATADIR "/kernels/seeds";
	static const char *const moved[] = {
		"/../share/openclaw/kernels/seeds",
		"/../../share/openclaw/kernels/seeds",
	};
	char directory[PATH_MAX];
	size_t own_length;
	const char *own = clw_own_directory(&own_length);

	for (size_t i = 0; own && i < 2; i++) {
		int written = snprintf(directory, sizeof(directory), "%.*s%s",
				       (int)own_length, own, moved[i]);

		if (written > 0 && (size_t)written < sizeof(directory) &&
		    find_in(directory, (size_t)written, name, length, path,
			    size))
			return true;
	}
	return find_in(installed, strlen(installed), name, length, path, size);
}

static bool find(const char *name, size_t length, char *path, size_t size)
{
	const char *list = getenv("CLW_KERNEL_PATH");

	if (find_in("", 0, name, length, path, size))
		return true;
	if (memchr(name, '/', length))
		return false;
	for (const char *part = list; part && *part;) {
		size_t part_length = strcspn(part, ":");

		if (part_length && find_in(part, part_length, name, length,
					   path, size))
			return true;
		part += part_length;
		part += *part == ':';
	}
	return find_installed(name, length, path, size);
}

static int fail_none(const char *name)
{
	const char *list = getenv("CLW_KERNEL_PATH");

	if (strchr(name, '/'))
		return clw_fail(CLW_KERNEL_NOT_FOUND, "there is no kernel "
				"'%.400s': a name with a slash is a path, and "
				"no file is there, nor with .clw or .cl", name);
	return clw_fail(CLW_KERNEL_NOT_FOUND, "there is no kernel '%.80s': "
			"looked for %.80s, %.80s.clw and %.80s.cl in the "
			"working directory, CLW_KERNEL_PATH (%.200s) and "
			"the kernels of openclaw (" CLAW_PKGDATADIR "/kernels/seeds)", name, name, name,
			name, list && *list ? list : "not set");
}

int clw_source_find(const char *name, char *path, size_t path_size,
		    char *function, size_t function_size)
{
	const char *colon;
	int length;

	if (!name || !*name)
		return clw_fail(CLW_INVALID_ARGUMENT, "the kernel's name is %s",
				name ? "empty" : "NULL");
	function[0] = '\0';
	if (find(name, strlen(name), path, path_size))
		return CLW_OK;
	colon = strrchr(name, ':');
	if (!colon || !colon[1] ||
	    !find(name, (size_t)(colon - name), path, path_size))
		return fail_none(name);
	length = snprintf(function, function_size, "%s", colon + 1);
	return length > 0 && (size_t)length < function_size ? CLW_OK :
	       clw_fail(CLW_INVALID_ARGUMENT, "the name of the function in "
			"'%.80s...' is too long", name);
}

int clwFindKernel(const char *name, char *path, size_t size)
{
	char found[PATH_MAX], function[CLW_NAME];
	int status;

	clw_enter(__func__);
	status = clw_source_find(name, found, sizeof(found), function,
				 sizeof(function));
	if (!status && (!path || strlen(found) >= size))
		status = clw_fail(CLW_INVALID_ARGUMENT, "expected room for "
				  "%zu bytes of a path, found %zu",
				  strlen(found) + 1, path ? size : 0);
	if (!status)
		memcpy(path, found, strlen(found) + 1);
	return status;
}

static int fail_read(const char *path, const char *why)
{
	return clw_fail(CLW_KERNEL_NOT_FOUND, "%.400s cannot be read: %s", path,
			why);
}

int clw_source_read(const char *path, char **ret_text, size_t *ret_size)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	char *text;
	size_t size;

	if (!file)
		return fail_read(path, strerror(errno));
	if (fstat(fileno(file), &status) < 0 || status.st_size > MAX_SOURCE) {
		fclose(file);
		return fail_read(path, "it is too large");
	}
	text = malloc((size_t)status.st_size + 1);
	if (!text) {
		fclose(file);
		return clw_fail_memory();
	}
	size = fread(text, 1, (size_t)status.st_size, file);
	text[size] = '\0';
	if (ferror(file)) {
		fclose(file);
		free(text);
		return fail_read(path, "reading failed");
	}
	fclose(file);
	*ret_text = text;
	*ret_size = size;
	return CLW_OK;
}
