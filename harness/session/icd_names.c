/* SPDX-License-Identifier: Apache-2.0 */
/* Find a driver by what a user calls it, and make it the only one. */
#include "config.h"

#include "icd_names.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shared/nearest.h"
#include "faults/shared/trace_hash.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/directories.h"
#include "harness/process/runner.h"
#include "icd_files.h"
#include "program_cache.h"

#define OCLGRIND_FILE "liboclgrind-rt-icd.so"
#define RUSTICL_FILE "libRusticlOpenCL.so"

const char *claw_icd_given;

/* ---- drivers that have a name -------------------------------------------- */

static const struct named {
	const char *name, *variable, *package;
	const char *program;	/* PREFIX/bin/PROGRAM has it in PREFIX/lib, or NULL */
	const char *patterns[7];
} named[] = {
	{ "oclgrind", "OPENCLAW_OCLGRIND_ICD", "oclgrind", "oclgrind", {
		"/usr/lib/oclgrind/" OCLGRIND_FILE,
		"/usr/lib/*/oclgrind/" OCLGRIND_FILE,
		"/usr/lib64/oclgrind/" OCLGRIND_FILE,
		"/usr/local/lib/oclgrind/" OCLGRIND_FILE,
		"/usr/local/lib/" OCLGRIND_FILE,
		"/opt/oclgrind/lib/" OCLGRIND_FILE,
	} },
	{ "rusticl", "OPENCLAW_RUSTICL_ICD", "mesa-opencl-icd", NULL, {
		"/etc/OpenCL/vendors/rusticl.icd",
		"/usr/lib/*/" RUSTICL_FILE ".1",
		"/usr/lib64/" RUSTICL_FILE ".1",
		"/usr/local/lib/" RUSTICL_FILE ".1",
		"/usr/local/lib/*/" RUSTICL_FILE ".1",
	} },
};
enum { NAMED = sizeof(named) / sizeof(*named) };

static char *readable_copy(const char *path)
{
	return access(path, R_OK) == 0 ? claw_strdup(path) : NULL;
}

static char *find_pattern(const char *pattern)
{
	char *path = NULL;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0)
		return NULL;
	path = readable_copy(found.gl_pathv[0]);
	globfree(&found);
	return path;
}

/* PREFIX of PREFIX/bin/PROGRAM, or false. */
static bool find_prefix(const char *name, char prefix[PATH_MAX])
{
	char *program = claw_program_find(name, &(int){ 0 }), *slash = NULL;
	bool found = program && realpath(program, prefix);

	free(program);
	for (int up = 0; found && up < 2; up++) {
		slash = strrchr(prefix, '/');
		found = slash != NULL;
		if (found)
			*slash = '\0';
	}
	return found;
}

static char *find_beside_program(const char *name)
{
	char prefix[PATH_MAX], path[PATH_MAX + 64], *found;

	if (!find_prefix(name, prefix))
		return NULL;
	snprintf(path, sizeof(path), "%s/lib/%s/" OCLGRIND_FILE, prefix, name);
	found = readable_copy(path);
	if (found)
		return found;
	snprintf(path, sizeof(path), "%s/lib/" OCLGRIND_FILE, prefix);
	return readable_copy(path);
}

static const struct named *find_named(const char *name)
{
	for (size_t i = 0; i < NAMED; i++)
		if (strcmp(named[i].name, name) == 0)
			return &named[i];
	return NULL;
}

char *claw_icd_find(const char *name)
{
	const struct named *row = find_named(name);
	const char *given = row ? getenv(row->variable) : NULL;
	char *path = NULL;

	if (!row || (given && *given))
		return row ? readable_copy(given) : NULL;
	if (row->program)
		path = find_beside_program(row->program);
	for (size_t i = 0; !path && row->patterns[i]; i++)
		path = find_pattern(row->patterns[i]);
	return path;
}

const char *claw_icd_setting(const char *library)
{
	const char *given = getenv("RUSTICL_ENABLE");
	const char *slash = strrchr(library, '/');

	return strncmp(slash ? slash + 1 : library, RUSTICL_FILE,
		       strlen(RUSTICL_FILE)) == 0 && (!given || !*given) ?
	       "RUSTICL_ENABLE=llvmpipe" : NULL;
}

/* ---- names in general ---------------------------------------------------- */

static const char *vendors_directory(void)
{
	const char *vendors = getenv("OCL_ICD_VENDORS");
	struct stat status;

	return vendors && stat(vendors, &status) == 0 &&
	       S_ISDIR(status.st_mode) ? vendors : "/etc/OpenCL/vendors";
}

void claw_icd_each_name(void (*take)(void *user, const char *name), void *user)
{
	struct claw_icd_files found;

	for (size_t i = 0; i < NAMED; i++)
		take(user, named[i].name);
	claw_icd_files_init(&found, vendors_directory(), NULL);
	for (size_t i = 0; i < found.count; i++) {
		char *name = strrchr(found.files[i].file, '/') + 1;

		*strrchr(name, '.') = '\0';
		if (!find_named(name))
			take(user, name);
	}
	claw_icd_files_release(&found);
}

/* What is near is kept: names are gone when the list is. */
struct near {
	const char *word;
	char best[NAME_MAX + 1];
	struct claw_nearest nearest;
};

static void offer(void *user, const char *name)
{
	struct near *near = user;
	const char *before = near->nearest.best;

	claw_nearest_offer(&near->nearest, name);
	if (near->nearest.best != before) {
		snprintf(near->best, sizeof(near->best), "%s", name);
		near->nearest.best = near->best;
	}
}

static void say_names(const char *icd, char *why, size_t size)
{
	struct near near = { .word = icd };

	claw_nearest_init(&near.nearest, icd);
	offer(&near, "native");
	claw_icd_each_name(offer, &near);
	snprintf(why, size, "--icd %s: expected native, oclgrind, rusticl, NAME "
		 "of a NAME.icd in %s, an .icd file or a library%s%s%s", icd,
		 vendors_directory(), *near.best ? " (did you mean " : "",
		 near.best, *near.best ? "?)" : "");
}

/* The file that icd stands for, malloced; NULL: why says so. */
static char *find_file(const char *icd, char *why, size_t size)
{
	const struct named *row = find_named(icd);
	char *found = row ? claw_icd_find(icd) : NULL, path[PATH_MAX];

	if (!found && !row)
		found = realpath(icd, NULL);
	if (!found && strchr(icd, '/')) {
		snprintf(why, size, "--icd %s: %s", icd, strerror(errno));
		return NULL;
	}
	if (found)
		return found;
	snprintf(path, sizeof(path), "%s/%s.icd", vendors_directory(), icd);
	found = realpath(path, NULL);
	if (!found && row)
		snprintf(why, size, "--icd %s: %s is not installed (Debian "
			 "package %s, or %s)", icd, icd, row->package,
			 row->variable);
	else if (!found)
		say_names(icd, why, size);
	return found;
}

static char *library_of(const char *icd, const char *file, char *why,
			size_t size)
{
	const char *dot = strrchr(file, '.');
	struct claw_icd_files found;
	char *library = NULL;

	if (!dot || strcmp(dot, ".icd") != 0)
		return claw_strdup(file);
	claw_icd_files_init(&found, file, NULL);
	if (found.count == 1 && found.files[0].library) {
		library = claw_strdup(found.files[0].library);
		library[strcspn(library, " \t")] = '\0';
	}
	claw_icd_files_release(&found);
	if (!library || !*library) {
		snprintf(why, size, "--icd %s: expected an .icd file that "
			 "names a library", icd);
		free(library);
		return NULL;
	}
	return library;
}

char *claw_icd_library(const char *icd, char *why, size_t size)
{
	char *file = find_file(icd, why, size), *library = NULL;

	if (file)
		library = library_of(icd, file, why, size);
	free(file);
	return library;
}

/* ---- the only one -------------------------------------------------------- */

/* The directory for OCL_ICD_VENDORS stays: what was detached may start
 * programs for days. */
static int write_directory(const char *library, char **ret_directory)
{
	char *cache = claw_cache_directory("drivers");
	uint64_t hash[2];
	char *name;
	int ret = -CLAW_E_IO;

	claw_trace_hash(library, strlen(library), hash);
	name = claw_format("%016llx", (unsigned long long)hash[0]);
	errno = ENOENT;
	if (cache)
		ret = claw_make_directories(cache);
	if (ret == 0)
		ret = claw_icd_write(cache, name, library, ret_directory);
	free(name);
	free(cache);
	return ret;
}

/* What claw_icd_given is then: loaders look elsewhere now, so no NAME. */
static char used[PATH_MAX];

static void set_variables(const char *directory, const char *library)
{
	const char *setting = claw_icd_setting(library);

	setenv("OCL_ICD_VENDORS", directory, 1);
	unsetenv("OCL_ICD_FILENAMES");
	unsetenv("OPENCL_VENDOR_PATH");
	if (setting) {
		char *name = claw_strdup(setting), *equals = strchr(name, '=');

		*equals = '\0';
		setenv(name, equals + 1, 1);
		free(name);
	}
}

int claw_icd_use(const char *icd, char *why, size_t size)
{
	char *file, *library, *directory = NULL;
	int ret;

	if (!icd || strcmp(icd, "native") == 0)
		return 0;
	file = find_file(icd, why, size);
	library = file ? library_of(icd, file, why, size) : NULL;
	if (!library) {
		free(file);
		return -CLAW_E_USAGE;
	}
	ret = write_directory(library, &directory);
	if (ret < 0) {
		snprintf(why, size, "--icd %s: cannot write below the cache "
			 "directory (XDG_CACHE_HOME, ~/.cache): %s", icd,
			 strerror(errno));
		ret = -CLAW_E_USAGE;
	} else {
		set_variables(directory, library);
		snprintf(used, sizeof(used), "%s", find_named(icd) ? icd : file);
		claw_icd_given = used;
	}
	free(directory);
	free(file);
	free(library);
	return ret;
}
