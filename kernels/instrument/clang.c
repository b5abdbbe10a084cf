/* SPDX-License-Identifier: Apache-2.0 */
/* Finds clang and runs it: see clang.h. */
#include "config.h"

#include "clang.h"

#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *read_back(FILE *out)
{
	struct stat told;

	if (fstat(fileno(out), &told) != 0)
		return NULL;
	char *text = calloc(1, (size_t)told.st_size + 1);

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
	bool started = posix_spawnp(&pid, words[0], &actions, NULL, words,
				    environ) == 0;

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
	if (asprintf(&pattern, "%.*s/lib/clang/*/include/opencl-c-base.h",
		     (int)(slash - program), program) < 0)
		abort();
	if (glob(pattern, 0, NULL, &list) == 0) {
		if (list.gl_pathc == 1) {
			found = strdup(list.gl_pathv[0]);
			if (!found)
				abort();
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
	char *words[] = { strdup(program), strdup("-print-resource-dir"), NULL };
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

static void choose(void)
{
	static const char *const names[] = { CLAW_CLANG, "clang", NULL };

	if (access(CLAW_CLANG, X_OK) == 0)
		chosen_resources = find_resources(CLAW_CLANG);
	if (chosen_resources)
		chosen = CLAW_CLANG;
	for (size_t i = 0; names[i] && !chosen; i++) {
		chosen_resources = ask_resources(names[i]);
		if (chosen_resources)
			chosen = names[i];
	}
}

const char *claw_clang_program(void)
{
	if (!chosen)
		choose();
	return chosen;
}

const char *claw_clang_resources(void)
{
	claw_clang_program();
	return chosen_resources;
}
