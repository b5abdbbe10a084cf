/* SPDX-License-Identifier: Apache-2.0 */
/* Find a driver by what a user calls it, and make it the only one. */
#include "config.h"

#include "icd_names.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/trace_hash.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/files/directories.h"
#include "harness/files/outside_file.h"
#include "harness/process/runner.h"
#include "fault_plan.h"
#include "icd_files.h"
#include "program_cache.h"

const char *claw_icd_given, *claw_icd_used;

static bool is_icd_file(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && strcmp(dot, ".icd") == 0;
}

/* From wherever we are; links stay, since a name may say what it is. */
static char *absolute(const char *path)
{
	char directory[PATH_MAX];

	return *path != '/' && getcwd(directory, sizeof(directory)) ?
		claw_path_in(directory, path) : claw_strdup(path);
}

/* ---- drivers that have a name -------------------------------------------- */

static const struct named {
	const char *name, *variable, *package, *library;
	bool has_program;	/* PREFIX/bin/NAME: it is in PREFIX/lib */
	const char *folders[7];
} named[] = {
	{ "oclgrind", "OPENCLAW_OCLGRIND_ICD", "oclgrind",
	  "liboclgrind-rt-icd.so", true, {
		"/usr/lib/oclgrind", "/usr/lib/*/oclgrind",
		"/usr/lib64/oclgrind", "/usr/local/lib/oclgrind",
		"/usr/local/lib", "/opt/oclgrind/lib",
	} },
	{ "rusticl", "OPENCLAW_RUSTICL_ICD", "mesa-opencl-icd",
	  "libRusticlOpenCL.so.1", false, {
		"/usr/lib/*", "/usr/lib64", "/usr/local/lib",
		"/usr/local/lib/*",
	} },
};
enum { NAMED = sizeof(named) / sizeof(*named) };

static const struct named *find_named(const char *name)
{
	for (size_t i = 0; i < NAMED; i++)
		if (strcmp(named[i].name, name) == 0)
			return &named[i];
	return NULL;
}

/* The first that can be read of FOLDER/LIBRARY, which are patterns. */
static char *find_in(const char *folder, const char *library)
{
	char *pattern = claw_format("%s/%s", folder, library), *path = NULL;
	glob_t found = { 0 };

	if (glob(pattern, 0, NULL, &found) != 0)
		found.gl_pathc = 0;
	for (size_t i = 0; !path && i < found.gl_pathc; i++)
		if (access(found.gl_pathv[i], R_OK) == 0)
			path = claw_strdup(found.gl_pathv[i]);
	globfree(&found);
	free(pattern);
	return path;
}

static char *find_beside_program(const struct named *row)
{
	char *program = claw_program_find(row->name, &(int){ 0 });
	char *path = program ? realpath(program, NULL) : NULL, *slash = path;
	char *folder, *found = NULL;

	for (int up = 0; slash && up < 2; up++) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	for (int i = 0; slash && !found && i < 2; i++) {
		folder = claw_format("%s/lib/%s", path, i ? "" : row->name);
		found = find_in(folder, row->library);
		free(folder);
	}
	free(path);
	free(program);
	return found;
}

/* NAME.icd where loaders look; NULL: it is not there. */
static char *find_icd(const char *name)
{
	size_t length = strlen(name);
	struct claw_icd_files found;
	char *path = NULL;

	claw_icd_files_init(&found, getenv("OCL_ICD_VENDORS"), NULL);
	for (size_t i = 0; !path && i < found.count; i++) {
		const char *file = claw_base_name(found.files[i].file);

		if (strncmp(file, name, length) == 0 &&
		    strcmp(file + length, ".icd") == 0)
			path = claw_strdup(found.files[i].file);
	}
	claw_icd_files_release(&found);
	return path;
}

static char *find(const char *name)
{
	const struct named *row = find_named(name);
	const char *given = row ? getenv(row->variable) : NULL;
	char *path = NULL;

	if (given && *given)
		return access(given, R_OK) == 0 ? absolute(given) : NULL;
	if (row && row->has_program)
		path = find_beside_program(row);
	if (!path)
		path = find_icd(name);
	for (size_t i = 0; !path && row && row->folders[i]; i++)
		path = find_in(row->folders[i], row->library);
	return path;
}

const char *claw_icd_setting(const char *library)
{
	const char *given = getenv("RUSTICL_ENABLE");

	return strncmp(claw_base_name(library), "libRusticlOpenCL.so",
		       strlen("libRusticlOpenCL.so")) == 0 &&
	       (!given || !*given) ? "RUSTICL_ENABLE=llvmpipe" : NULL;
}

char **claw_icd_names(void)
{
	struct claw_icd_files found;
	char **names = NULL;

	claw_list_add(&names, claw_strdup("native"));
	for (size_t i = 0; i < NAMED; i++)
		claw_list_add(&names, claw_strdup(named[i].name));
	claw_icd_files_init(&found, getenv("OCL_ICD_VENDORS"), NULL);
	for (size_t i = 0; i < found.count; i++) {
		const char *file = claw_base_name(found.files[i].file);
		const char *dot = strstr(file, ".icd");
		char *name = dot ? claw_strndup(file, (size_t)(dot - file)) :
				   NULL;

		if (name && !claw_list_has(names, name))
			claw_list_add(&names, name);
		else
			free(name);
	}
	claw_icd_files_release(&found);
	return names;
}

/* ---- what a word stands for ---------------------------------------------- */

static void say_names(const char *icd, char *why, size_t size)
{
	char **names = claw_icd_names(), *text;
	size_t length;
	FILE *out = claw_text_begin(&text, &length);

	for (char **name = names; *name; name++)
		fprintf(out, "%s, ", *name);
	claw_text_end(out);
	snprintf(why, size, "expected %san .icd file or a library, "
		 "found \"%s\"", text, icd);
	free(text);
	claw_list_free(names);
}

static char *find_file(const char *icd, char *why, size_t size)
{
	const struct named *row = find_named(icd);
	char *path;

	if (strchr(icd, '/') || is_icd_file(icd) || strstr(icd, ".so")) {
		if (access(icd, R_OK) == 0)
			return absolute(icd);
		snprintf(why, size, "%s: %s", icd, strerror(errno));
		return NULL;
	}
	path = find(icd);
	if (!path && row)
		snprintf(why, size, "%s is not here (Debian package %s, "
			 "or %s)", icd, row->package,
			 row->variable);
	else if (!path)
		say_names(icd, why, size);
	return path;
}

static bool is_elf(const char *path)
{
	FILE *in = claw_outside_fopen(path);
	char magic[4] = "";
	bool is = in && fread(magic, 1, 4, in) == 4 &&
		memcmp(magic, "\177ELF", 4) == 0;

	if (in)
		fclose(in);
	return is;
}

/* The library of such a file; NULL: why says so. */
static char *library_of(const char *file, char *why, size_t size)
{
	struct claw_icd_files found;
	char *library = NULL;

	if (!is_icd_file(file)) {
		if (is_elf(file))
			return claw_strdup(file);
		snprintf(why, size, "expected an .icd file or a "
			 "library, found %s", file);
		return NULL;
	}
	claw_icd_files_init(&found, file, NULL);
	if (found.count == 1 && found.files[0].library)
		library = claw_strdup(found.files[0].library);
	claw_icd_files_release(&found);
	for (size_t end = library ? strlen(library) : 0;
	     end > 0 && strchr(" \t", library[end - 1]); end--)
		library[end - 1] = '\0';
	if (library && *library)
		return library;
	snprintf(why, size, "expected an .icd file that names a "
		 "library, found %s", file);
	free(library);
	return NULL;
}

char *claw_icd_library(const char *icd, char *why, size_t size)
{
	char *file = find_file(icd, why, size), *library = NULL;

	if (file)
		library = library_of(file, why, size);
	free(file);
	return library;
}

/* ---- the only one -------------------------------------------------------- */

/* The directory for OCL_ICD_VENDORS, one for each library. It stays: what was
 * detached may start programs for days. */
static int write_directory(const char *library, char **ret_directory)
{
	char *cache = claw_cache_directory("drivers");
	uint64_t hash[2];
	char *name;
	int ret = -CLAW_E_IO;

	claw_trace_hash(library, strlen(library), hash);
	name = claw_format("%016" PRIx64, hash[0]);
	errno = ENOENT;
	if (cache)
		ret = claw_make_directories(cache);
	if (ret == 0)
		ret = claw_icd_write(cache, name, library, ret_directory);
	free(name);
	free(cache);
	return ret;
}

static void set_variables(const char *directory, const char *library)
{
	const char *setting = claw_icd_setting(library);

	setenv("OCL_ICD_VENDORS", directory, 1);
	unsetenv("OCL_ICD_FILENAMES");
	unsetenv("OPENCL_VENDOR_PATH");
	if (setting)
		putenv(claw_strdup(setting));
}

/* Loaders, and who looks for the name again, would find others now. */
static void set_used(const char *file)
{
	const struct named *row = find_named(claw_icd_given);

	if (row)
		setenv(row->variable, file, 1);
	claw_icd_used = row && !is_icd_file(file) ? row->name :
		claw_strdup(file);
}

int claw_icd_use(char *why, size_t size)
{
	static const char *given;
	char *file, *library, *directory = NULL;
	int ret = -CLAW_E_USAGE;

	/* Of a run that goes on options are parsed again. */
	if (!claw_icd_given || (given && strcmp(claw_icd_given, given) == 0))
		return 0;
	if (strcmp(claw_icd_given, "native") == 0) {
		claw_icd_used = claw_icd_given;
		return 0;
	}
	file = find_file(claw_icd_given, why, size);
	library = file ? library_of(file, why, size) : NULL;
	if (library)
		ret = write_directory(library, &directory);
	if (library && ret < 0)
		snprintf(why, size, "cannot write below the cache "
			 "directory (XDG_CACHE_HOME, ~/.cache): %s",
			 strerror(errno));
	if (ret == 0) {
		set_variables(directory, library);
		set_used(file);
		given = claw_strdup(claw_icd_given);
	}
	free(directory);
	free(library);
	free(file);
	return ret;
}

char *claw_icd_option(void)
{
	char *quoted, *option;

	if (!claw_icd_used)
		return claw_strdup("");
	quoted = claw_shell_quote_printable(claw_icd_used);
	option = claw_format(" --icd %s", quoted ? quoted : claw_icd_used);
	free(quoted);
	return option;
}

char **claw_icd_words(char *const *argv, char *const *program)
{
	char **words = claw_list_copy(argv), **word = words;
	char *const *from = argv;

	for (; claw_icd_used && *from && from != program; from++, word++) {
		bool is_next = strcmp(*from, "--icd") == 0 && from[1];

		if (!is_next && !claw_begins(*from, "--icd="))
			continue;
		from += is_next;
		word += is_next;
		free(*word);
		*word = is_next ? claw_strdup(claw_icd_used) :
			claw_format("--icd=%s", claw_icd_used);
	}
	return words;
}
