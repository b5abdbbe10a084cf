/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mock ICD door: what a loader calls in a driver. The drivers that
 * OPENCLAW_ICD_TARGET names are opened, their platforms handed on, and their
 * tables hooked, once a process.
 */
#include "config.h"

#include "icd.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api_sig.h"
#include "faults/shared/compat.h"
#include "wrap.h"

CLAW_OLD_SYMBOL(dlopen);
CLAW_OLD_SYMBOL(dlclose);
CLAW_OLD_SYMBOL(dlerror);

#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
						 cl_platform_id *platforms,
						 cl_uint *num_platforms);

enum { LIBRARIES = 32, PLATFORMS = 64, SUFFIX_MAX = 32, PATH_BYTES = 4096 };

typedef cl_int CL_API_CALL platform_ids_function(cl_uint, cl_platform_id *,
						 cl_uint *);
typedef void *CL_API_CALL find_function(const char *name);

/* A driver's shared object. Never closed: its code is in use. */
static struct library {
	void *handle;
	find_function *find;
} libraries[LIBRARIES];
static unsigned int library_count;

static struct platform {
	cl_platform_id id;
	const struct library *library;
	char suffix[SUFFIX_MAX];	/* CL_PLATFORM_ICD_SUFFIX_KHR */
} platforms[PLATFORMS];
static unsigned int platform_count;

/* The layer was here first: the drivers are handed on as they are. */
static bool stays_out;

/* ---- drivers ------------------------------------------------------------ */

/* "OPENCLAW_ICD_TARGET: libx.so: why": once a driver. */
static void refuse(const char *name, const char *why)
{
	size_t length = strlen(name);

	/* The dynamic linker says the name, too. */
	if (!strncmp(why, name, length) && !strncmp(why + length, ": ", 2))
		why += length + 2;
	claw_say("OPENCLAW_ICD_TARGET: %.200s: %.200s; no platform of it", name,
		 why);
}

/* Our own, or another copy of it: it would open itself without an end. */
static bool is_openclaw(void *handle)
{
	cl_int (CL_API_CALL *info)(cl_uint, size_t, void *, size_t *);
	char name[16] = "";
	void *symbol = dlsym(handle, "clGetLayerInfo");

	if (dlsym(handle, "clIcdGetPlatformIDsKHR") ==
	    (void *)(uintptr_t)clIcdGetPlatformIDsKHR)
		return true;
	memcpy(&info, &symbol, sizeof(info));
	return symbol && !info(0x4241, sizeof(name), name, NULL) &&
	       !strcmp(name, "openclaw");
}

static void read_suffix(struct platform *platform,
			const struct claw_icd_table *table)
{
	char text[SUFFIX_MAX] = "";

	if (!table->next.clGetPlatformInfo(platform->id,
					   CL_PLATFORM_ICD_SUFFIX_KHR,
					   sizeof(text), text, NULL))
		memcpy(platform->suffix, text, sizeof(text) - 1);
}

static void add_platforms(const struct library *library, const char *name,
			  platform_ids_function *ask)
{
	cl_platform_id found[PLATFORMS];
	cl_uint count = 0;

	if (ask(0, NULL, &count) || !count || count > PLATFORMS ||
	    ask(count, found, NULL))
		return;		/* no device here: loaders say nothing either */
	for (cl_uint i = 0; i < count && platform_count < PLATFORMS; i++) {
		struct platform *platform = &platforms[platform_count];
		const char *why;
		const struct claw_icd_table *table =
			claw_icd_table_learn(found[i], &why);

		if (!table) {
			refuse(name, why);
			continue;
		}
		platform->id = found[i];
		platform->library = library;
		read_suffix(platform, table);
		platform_count++;
	}
}

static void open_library(const char *name)
{
	struct library *library = &libraries[library_count];
	platform_ids_function *ask;
	const char *error;
	void *symbol;

	if (library_count == LIBRARIES) {
		refuse(name, "too many drivers");
		return;
	}
	library->handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (!library->handle) {
		error = dlerror();
		refuse(name, error ? error : "cannot be opened");
		return;
	}
	if (is_openclaw(library->handle)) {
		refuse(name, "that is openclaw itself");
		return;
	}
	symbol = dlsym(library->handle, "clGetExtensionFunctionAddress");
	memcpy(&library->find, &symbol, sizeof(library->find));
	symbol = dlsym(library->handle, "clIcdGetPlatformIDsKHR");
	if (!symbol && library->find)
		symbol = library->find("clIcdGetPlatformIDsKHR");
	if (!symbol || !library->find) {
		refuse(name, "no OpenCL driver (it has no "
		       "clIcdGetPlatformIDsKHR or no "
		       "clGetExtensionFunctionAddress)");
		return;
	}
	memcpy(&ask, &symbol, sizeof(ask));
	library_count++;
	add_platforms(library, name, ask);
}

/* The first line of an .icd file. */
static void open_icd_file(const char *path)
{
	FILE *in = fopen(path, "re");
	char line[PATH_BYTES] = "";

	if (!in || !fgets(line, sizeof(line), in))
		line[0] = '\0';
	if (in)
		fclose(in);
	line[strcspn(line, "\r\n")] = '\0';
	if (*line)
		open_library(line);
	else
		refuse(path, "expected an .icd file that names a library");
}

static bool is_icd_file(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, ".icd");
}

/* As a loader does for OCL_ICD_VENDORS: a directory of .icd files, one of
 * them, or a library. */
static void open_target(const char *name)
{
	struct dirent *entry;
	DIR *directory = opendir(name);

	if (!directory && is_icd_file(name))
		open_icd_file(name);
	else if (!directory)
		open_library(name);
	while (directory && (entry = readdir(directory))) {
		char path[PATH_BYTES];

		if (is_icd_file(entry->d_name) &&
		    (size_t)snprintf(path, sizeof(path), "%s/%s", name,
				     entry->d_name) < sizeof(path))
			open_icd_file(path);
	}
	if (directory)
		closedir(directory);
}

static void open_targets(void)
{
	const char *list = getenv("OPENCLAW_ICD_TARGET");
	char *copy = list && *list ? strdup(list) : NULL;
	char *rest = NULL;

	if (!copy)
		claw_say("OPENCLAW_ICD_TARGET names no driver: the mock ICD "
			 "has no platform");
	for (char *name = copy ? strtok_r(copy, ":", &rest) : NULL; name;
	     name = strtok_r(NULL, ":", &rest))
		open_target(name);
	free(copy);
}

/* Where the table could not be written, what there is from the start. */
static void adopt_first_objects(void)
{
	for (unsigned int i = 0; claw_icd_look.adopts && i < platform_count;
	     i++) {
		const struct claw_icd_table *table =
			claw_icd_table_of(platforms[i].id);
		cl_device_id devices[PLATFORMS];
		cl_uint count = 0;

		if (!table->next.clGetDeviceIDs ||
		    table->next.clGetDeviceIDs(platforms[i].id,
					       CL_DEVICE_TYPE_ALL, PLATFORMS,
					       devices, &count))
			count = 0;
		for (cl_uint j = 0; j < count && j < PLATFORMS; j++)
			claw_icd_adopt(devices[j]);
		claw_icd_adopt(platforms[i].id);
	}
}

static const void *first_caller;

static void open_door(void)
{
	open_targets();
	if (!platform_count)
		return;
	stays_out = !claw_door_take(CLAW_DOOR_ICD, first_caller);
	if (stays_out)
		return;
	claw_icd_look.low = claw_icd_tables[0].low;
	claw_icd_look.bytes = claw_icd_tables[0].bytes;
	claw_icd_note_loader(first_caller);
	claw_door_open(claw_icd_tables_hook());
	adopt_first_objects();
}

/* ---- what the loader and the program call -------------------------------- */

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
					  cl_platform_id *ids,
					  cl_uint *num_platforms)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if ((!ids && !num_platforms) || (ids && !num_entries))
		return CL_INVALID_VALUE;
	if (!first_caller)
		first_caller = __builtin_return_address(0);
	pthread_once(&once, open_door);
	if (platform_count && !stays_out)
		claw_icd_note_loader(__builtin_return_address(0));
	if (num_platforms)
		*num_platforms = platform_count;
	for (cl_uint i = 0; ids && i < num_entries && i < platform_count; i++)
		ids[i] = platforms[i].id;
	return platform_count ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR;
}

/* In the loader's order, which is the program's. */
cl_int CL_API_CALL claw_icd_platform_ids(cl_uint count, cl_platform_id *ids,
					 cl_uint *ret_count)
{
	const char *path = claw_site_path_of(first_caller);
	void *loader = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	void *symbol = loader ? dlsym(loader, "clGetPlatformIDs") : NULL;
	platform_ids_function *ask;
	cl_int err = CL_SUCCESS;

	memcpy(&ask, &symbol, sizeof(ask));
	if (ask) {
		err = ask(count, ids, ret_count);
	} else {
		for (cl_uint i = 0; ids && i < count && i < platform_count; i++)
			ids[i] = platforms[i].id;
		if (ret_count)
			*ret_count = platform_count;
	}
	if (loader)
		dlclose(loader);
	return err;
}

/* By the suffix, as loaders choose a driver; else whoever has it. */
void *CL_API_CALL claw_icd_function(const char *name)
{
	size_t length = name ? strlen(name) : 0;
	void *found = NULL;

	for (unsigned int i = 0; length && i < platform_count; i++) {
		size_t suffix = strlen(platforms[i].suffix);

		if (suffix && suffix <= length &&
		    !strcmp(name + length - suffix, platforms[i].suffix))
			return platforms[i].library->find(name);
	}
	for (unsigned int i = 0; length && !found && i < library_count; i++)
		found = libraries[i].find(name);
	return found;
}

/* Before its table is known, and of any platform. */
static cl_int CL_API_CALL platform_info CLAW_PARAMS(clGetPlatformInfo)
{
	if (!platform || !platform_count)
		return CL_INVALID_PLATFORM;
	return claw_icd_table_of(platform)->next.clGetPlatformInfo
		CLAW_ARGS(clGetPlatformInfo);
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	const void *caller = __builtin_return_address(0);
	const enum claw_api api = CLAW_API_clGetExtensionFunctionAddress;

	if (name && !strcmp(name, "clIcdGetPlatformIDsKHR"))
		return (void *)(uintptr_t)clIcdGetPlatformIDsKHR;
	if (name && !strcmp(name, "clGetPlatformInfo"))
		return (void *)(uintptr_t)platform_info;
	/* Newer loaders would make tables of their own (cl_khr_icd 2.0.0). */
	if (name && !strncmp(name, "clIcd", 5))
		return NULL;
	if (!platform_count || stays_out)
		return claw_icd_function(name);
	if (claw_icd_is_own(api, caller))
		return claw_icd_function(name);
	return wrap_clGetExtensionFunctionAddress(name);
}
