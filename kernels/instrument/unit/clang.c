/* SPDX-License-Identifier: Apache-2.0 */
/* Finds clang and runs it: see clang.h. */
#include "config.h"

#include "clang.h"

#include <clang-c/Index.h>
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"

extern char **environ;

static char *read_back(FILE *out)
{
	struct stat told;

	if (fstat(fileno(out), &told) != 0)
		return NULL;
	char *text = claw_calloc(1, (size_t)told.st_size + 1);

	rewind(out);
	if (text && fread(text, 1, (size_t)told.st_size, out) !=
	    (size_t)told.st_size) {
		free(text);
		return NULL;
	}
	return text;
}

static bool run(char **words, FILE *in, FILE *out, FILE *err,
		const char *directory)
{
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fileno(in), 0);
	posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
	posix_spawn_file_actions_adddup2(&actions, fileno(err), 2);
	if (directory)
		posix_spawn_file_actions_addchdir_np(&actions, directory);
	int wrong = posix_spawnp(&pid, words[0], &actions, NULL, words,
				 environ);
	bool started = wrong == 0;

	if (!started)
		fprintf(err, "<clang>:1:1: error: %s in %s: %s\n", words[0],
			directory ? directory : ".", strerror(wrong));

	posix_spawn_file_actions_destroy(&actions);
	while (started && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *claw_clang_run(char **words, const char *input, FILE *err,
		     const char *directory)
{
	FILE *in = tmpfile(), *out = tmpfile();
	size_t bytes = strlen(input);
	char *text = NULL;

	if (in && out && fwrite(input, 1, bytes, in) == bytes &&
	    fflush(in) == 0 && lseek(fileno(in), 0, SEEK_SET) == 0 &&
	    run(words, in, out, err, directory))
		text = read_back(out);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	return text;
}

/* ---- which clang

   libclang's C interface has no preprocessor: it parses, tokenizes the text as
   it is written and gives the places of macro expansions, not what they expand
   to. libclang-cpp has one, in C++ without a stable interface. So clang -E runs.
   PATH is not looked at: the program whose kernels these are may have another
   one than openclaw doctor. */

static struct {
	bool done;
	unsigned int major;	/* of libclang */
	char *library;		/* its file */
	char *program;		/* or NULL */
	char *resources;	/* the directory of its headers, or NULL */
} found;

static char *libclang_version(void)
{
	CXString string = clang_getClangVersion();
	char *text = claw_strdup(clang_getCString(string));

	clang_disposeString(string);
	return text;
}

static char *libclang_file(void)
{
	CXString (*function)(void) = clang_getClangVersion;
	Dl_info info;
	void *address;

	memcpy(&address, &function, sizeof(address));
	return dladdr(address, &info) && info.dli_fname ?
		realpath(info.dli_fname, NULL) : NULL;
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

/* .../include/opencl-c-base.h of libclang's version: the header declares what
 * that libclang knows. */
static bool is_header(const char *path)
{
	const char *end = strstr(path, "/include/opencl-c-base.h");

	while (end && end > path && end[-1] != '/')
		end--;
	return end && strtoul(end, NULL, 10) == found.major &&
	       access(path, R_OK) == 0;
}

/* The first that fits of the files of a pattern, which is freed. */
static char *first_of(char *pattern, bool (*fits)(const char *path))
{
	char *first = NULL;
	glob_t list;

	if (glob(pattern, 0, NULL, &list) == 0) {
		for (size_t i = 0; i < list.gl_pathc && !first; i++)
			if (fits(list.gl_pathv[i]))
				first = claw_strdup(list.gl_pathv[i]);
		globfree(&list);
	}
	free(pattern);
	return first;
}

/* The same of several, each of which is freed. */
static char *first_of_all(char *const *patterns, size_t count,
			  bool (*fits)(const char *path))
{
	char *first = NULL;

	for (size_t i = 0; i < count; i++)
		if (first)
			free(patterns[i]);
		else
			first = first_of(patterns[i], fits);
	return first;
}

/* "/a" of "/a/b/c". */
static char *two_up(const char *path)
{
	char *directory = claw_strdup(path ? path : "");

	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(directory, '/');

		if (slash)
			*slash = '\0';
	}
	return directory;
}

/* Of what was configured, of libclang's directory, of its version; at last
 * whichever is there: what -E prints is the same. */
static char *find_program(const char *beside)
{
	unsigned int major = found.major;
	char *patterns[] = {
		claw_strdup(CLAW_CLANG),
		claw_format("%s/bin/clang", beside),
		claw_format("/usr/lib*/llvm*%u/bin/clang", major),
		claw_format("/usr/bin/clang-%u", major),
		claw_format("/usr/local/bin/clang-%u", major),
		claw_strdup("/usr/bin/clang"),
		claw_strdup("/usr/local/bin/clang"),
		claw_strdup("/usr/lib*/llvm*/bin/clang"),
	};

	return first_of_all(patterns, sizeof(patterns) / sizeof(*patterns),
			    is_program);
}

/* What a clang says of itself, in one line, or NULL. */
static char *ask(char *program, const char *option)
{
	char *words[] = { program, claw_strdup(option), NULL };
	FILE *err = tmpfile();
	char *text = err ? claw_clang_run(words, "", err, NULL) : NULL;

	free(words[1]);
	if (err)
		fclose(err);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

#define HEADER "clang/%u*/include/opencl-c-base.h"

static char *find_resources(const char *beside)
{
	unsigned int major = found.major;
	char *configured = two_up(CLAW_CLANG), *asked = NULL;
	char *patterns[] = {
		claw_format("%s/lib*/" HEADER, configured, major),
		claw_format("%s/lib*/" HEADER, beside, major),
		claw_format("/usr/lib*/llvm*%u/lib*/" HEADER, major, major),
		claw_format("/usr/lib*/" HEADER, major),
	};
	char *header = first_of_all(patterns,
				    sizeof(patterns) / sizeof(*patterns),
				    is_header);

	if (!header && found.program)
		asked = ask(found.program, "-print-resource-dir");
	if (asked)
		header = first_of(claw_format("%s/include/opencl-c-base.h",
					      asked), is_header);
	if (header)
		*strstr(header, "/include/opencl-c-base.h") = '\0';
	free(asked);
	free(configured);
	return header;
}

static void find(void)
{
	char *version, *beside;
	const char *number;

	if (found.done)
		return;
	version = libclang_version();
	number = strstr(version, "version ");
	found.major = number ?
		(unsigned int)strtoul(number + strlen("version "), NULL, 10) :
		0;
	found.library = libclang_file();
	beside = two_up(found.library);
	found.program = find_program(beside);
	found.resources = find_resources(beside);
	found.done = true;
	free(beside);
	free(version);
}

const char *claw_clang_program(void)
{
	find();
	return found.program;
}

const char *claw_clang_resources(void)
{
	find();
	return found.resources;
}

bool claw_clang_missing(char *error, size_t error_size)
{
	find();
	if (!found.program)
		snprintf(error, error_size, "cannot find clang, which "
			 "preprocesses it; install clang-%u", found.major);
	else if (!found.resources)
		snprintf(error, error_size, "cannot find opencl-c-base.h of "
			 "clang %u; install libclang-common-%u-dev",
			 found.major, found.major);
	return !found.program || !found.resources;
}

int claw_clang_tell(void)
{
	char *version, *said;

	find();
	version = libclang_version();
	said = found.program ? ask(found.program, "--version") : NULL;
	if (found.resources)
		printf("ok\tlibclang\t%s\t%s\n",
		       found.library ? found.library : "?", version);
	else
		printf("missing\tlibclang\tlibclang-common-%u-dev\n",
		       found.major);
	if (said)
		printf("ok\tclang\t%s\t%s\n", found.program, said);
	else
		printf("missing\tclang\tclang-%u\n", found.major);
	free(version);
	free(said);
	return found.resources && said ? 0 : -1;
}
