/* SPDX-License-Identifier: Apache-2.0 */
/* Finds clang and runs it: see clang.h. */
#include "config.h"

#include "clang.h"

#include <clang-c/Index.h>
#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
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

/* /usr/lib/llvm-14/bin/clang has /usr/lib/llvm-14/lib/clang/14.0.6. */
static char *find_resources(const char *program)
{
	const char *slash = strstr(program, "/bin/clang");
	char *pattern, *found = NULL;
	glob_t list;

	if (!slash)
		return NULL;
	pattern = claw_format("%.*s/lib/clang/*/include/opencl-c-base.h",
			      (int)(slash - program), program);
	if (glob(pattern, 0, NULL, &list) == 0) {
		if (list.gl_pathc == 1) {
			found = claw_strdup(list.gl_pathv[0]);
			*strstr(found, "/include/opencl-c-base.h") = '\0';
		}
		globfree(&list);
	}
	free(pattern);
	return found;
}

/* The resource directory as a clang says it, or NULL. */
static char *ask_resources(const char *program)
{
	char *words[] = { claw_strdup(program),
claw_strdup("-print-resource-dir"), NULL };
	FILE *err = tmpfile();
	char *text = err ? claw_clang_run(words, "", err, NULL) : NULL;

	free(words[0]);
	free(words[1]);
	if (err)
		fclose(err);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

static const char *chosen;
static char *chosen_resources;

/* Without these headers no OpenCL C can be read. */
static bool has_headers(const char *resources)
{
	char *header = claw_format("%s/include/opencl-c-base.h", resources);

	bool has = access(header, R_OK) == 0;

	free(header);
	return has;
}

/* False: there is no such clang, or it lacks its headers. */
static bool try(const char *program)
{
	char *resources = find_resources(program);

	if (!resources || access(program, X_OK) != 0) {
		free(resources);
		resources = ask_resources(program);
	}
	if (!resources || !has_headers(resources)) {
		free(resources);
		return false;
	}
	chosen = claw_strdup(program);
	chosen_resources = resources;
	return true;
}

/* The number in "clang version 14.0.6". */
static unsigned int libclang_major(void)
{
	CXString string = clang_getClangVersion();
	const char *text = clang_getCString(string);
	const char *at = strstr(text, "version ");
	unsigned int major = at ? (unsigned int)strtoul(at + 8, NULL, 10) : 0;

	clang_disposeString(string);
	return major;
}

/* Of libclang's version, wherever LLVM is installed beside the PATH. */
static bool try_installed(unsigned int major)
{
	char *pattern;
	glob_t list;
	bool found = false;

	pattern = claw_format("/usr/lib*/llvm*%u/bin/clang", major);
	if (glob(pattern, 0, NULL, &list) == 0) {
		for (size_t i = 0; i < list.gl_pathc && !found; i++)
			found = try(list.gl_pathv[i]);
		globfree(&list);
	}
	free(pattern);
	return found;
}

static void choose(void)
{
	unsigned int major = libclang_major();
	char versioned[32];

	snprintf(versioned, sizeof(versioned), "clang-%u", major);
	if (!try(CLAW_CLANG) && !try_installed(major) && !try(versioned))
		try("clang");
}

const char *claw_clang_program(void)
{
	if (!chosen)
		choose();
	return chosen;
}

int claw_clang_tell(void)
{
	const char *program = claw_clang_program();
	char *words[] = { (char *)(uintptr_t)program,
			  claw_strdup("--version"),
			  NULL };
	FILE *err = tmpfile();
	char *text = program && err && words[1] ?
		claw_clang_run(words, "", err, NULL) : NULL;

	if (program)
		printf("%s\n%.*s\n", program, text ?
		       (int)strcspn(text, "\n") : 0, text ? text : "");
	else
		puts("there is no clang to preprocess kernels with");
	free(text);
	free(words[1]);
	if (err)
		fclose(err);
	return program ? 0 : -1;
}

const char *claw_clang_resources(void)
{
	claw_clang_program();
	return chosen_resources;
}
