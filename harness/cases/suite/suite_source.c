/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cases of an entry come from: kernel files by pattern, libcheck
 * programs, commands, the suite's own program.
 */
#include "config.h"

#include "suite_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/paths.h"
#include "suite_cases.h"
#include "harness/base/text_list.h"

/* ---- kernel files ---------------------------------------------------- */

/* A list of patterns, with where its cases go. */
struct patterns {
	struct claw_suite *suite;
	const struct claw_suite_words *words;
	char *prefix;		/* of the cases' names: the entry's */
	bool is_sim;
};

/* FOLDER/PATTERN, where only the pattern is one. */
static char *join_pattern(const char *folder, const char *pattern)
{
	char *path = claw_malloc(2 * strlen(folder) + strlen(pattern) + 2);
	char *out = path;

	for (; path && *folder; folder++) {
		if (strchr("*?[]{}\\~", *folder))
			*out++ = '\\';
		*out++ = *folder;
	}
	if (path) {
		*out++ = '/';
		memcpy(out, pattern, strlen(pattern) + 1);
	}
	return path;
}

/* Of the description's folder, or of our kernels wherever they are. */
static char *pattern_path(const struct claw_yaml *yaml, const char *text)
{
	static const char ours[] = "kernels:";
	const char *named = getenv("OPENCLAW_KERNELS");
	char *base, *path;

	if (*text == '/')
		return claw_strdup(text);
	if (strncmp(text, ours, strlen(ours)) != 0) {
		base = claw_suite_path_beside(yaml->path, "");
		if (base)	/* it ends with a slash */
			base[strlen(base) - 1] = '\0';
	} else {
		text += strlen(ours);
		base = named && *named ? claw_strdup(named) :
		       claw_data_path("kernels");
		if (!base)
			base = claw_strdup("kernels");
	}
	path = base ? join_pattern(base, text) : NULL;
	free(base);
	return path;
}

static bool is_wanted(const struct patterns *patterns, const char *path)
{
	size_t length = strlen(path);
	bool is_sim = length > 4 && strcmp(path + length - 4, ".sim") == 0;

	return claw_suite_is_kernel_file(path) && is_sim == patterns->is_sim;
}

/* is_named: by its own name, not by a pattern. */
static int add_path(const struct patterns *patterns, const char *path,
		    bool is_named, struct claw_suite_error *error)
{
	const struct claw_suite_case *like = &patterns->words->like;
	struct stat status;
	bool is_there = stat(path, &status) == 0;
	int ret;

	if (is_there && S_ISDIR(status.st_mode))
		return claw_suite_add_folder(patterns->suite, like, path,
					     patterns->prefix, error);
	if (!is_wanted(patterns, path))
		return 0;
	ret = claw_suite_add_file(patterns->suite, like, path,
				  patterns->prefix, error);
	if (ret != -CLAW_E_NOT_FOUND || is_named || !is_there)
		return ret;
	patterns->suite->headless++;
	return 0;
}

static int take_pattern(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	const struct patterns *patterns = user;
	const char *what = patterns->is_sim ? ".sim files" : "kernel files";
	size_t before = patterns->suite->case_count;
	struct claw_suite_error error = { "" };
	glob_t found = { .gl_pathc = 0 };
	const char *text;
	char *path;
	int ret = claw_yaml_text(yaml, node, what, &text);

	if (ret < 0)
		return ret;
	path = pattern_path(yaml, text);
	glob(path, GLOB_BRACE, NULL, &found);
	for (size_t i = 0; ret == 0 && i < found.gl_pathc; i++)
		ret = add_path(patterns, found.gl_pathv[i],
			       !strpbrk(text, "*?[{"), &error);
	globfree(&found);
	/* A mistake in a kernel file has its own place. */
	if (ret == -CLAW_E_SYNTAX)
		snprintf(yaml->error, yaml->error_size, "%s", error.message);
	else if (ret < 0)
		ret = claw_yaml_fail(yaml, node, "%s", error.message);
	else if (ret == 0 && patterns->suite->case_count == before)
		ret = claw_yaml_fail(yaml, node, "expected %s, found none "
				     "that match %s", what, path);
	free(path);
	return ret;
}

/* ---- programs -------------------------------------------------------- */

/* A path is one from the description's directory; a plain name is on PATH. A
 * program that is not there yet is told when it is started. */
static void fix_program(struct claw_suite_case *like)
{
	char *word = like->words[0], *path;

	if (*word == '/' || !strchr(word, '/'))
		return;
	path = claw_path_in(like->directory ? like->directory : ".", word);
	like->words[0] = realpath(path, NULL);
	if (like->words[0])
		free(path);
	else
		like->words[0] = path;
	free(word);
}

/* The description's directory: commands start there. */
static char *directory_of(const char *file)
{
	char *beside = claw_suite_path_beside(file, ".");
	char *path = realpath(beside, NULL);

	free(beside);
	return path;
}

static int take_argument(const struct claw_yaml *yaml,
			 const yaml_node_t *node, void *user)
{
	const char *text;

	if (node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0) {
		claw_list_add(user, claw_strdup(""));
		return 0;
	}
	if (claw_yaml_text(yaml, node, "a word", &text) < 0)
		return -CLAW_E_SYNTAX;
	claw_list_add(user, claw_strdup(text));
	return 0;
}

static const char *expansion_problem(int code)
{
	switch (code) {
	case WRDE_BADCHAR:
		return "one of | & ; < > ( ) { } that is not quoted (write "
		       "[sh, -c, \"...\"] for a shell's line)";
	case WRDE_BADVAL:
		return "a variable that is not set";
	case WRDE_CMDSUB:
		return "a command substitution (write [sh, -c, \"...\"] for a "
		       "shell's line)";
	default:
		return "something that a shell does not understand";
	}
}

/* As a shell in the description's directory would, but for commands. */
static int split_command(const struct claw_yaml *yaml, const yaml_node_t *node,
			 struct claw_suite_case *like)
{
	const char *text;
	wordexp_t words;
	int here, code, ret = claw_yaml_text(yaml, node, "a command", &text);

	if (ret < 0)
		return ret;
	here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (here >= 0 && like->directory && chdir(like->directory) < 0)
		errno = 0;	/* patterns then match nothing */
	code = wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF);
	if (here >= 0 && fchdir(here) < 0)
		ret = -CLAW_E_IO;
	if (here >= 0)
		close(here);
	if (code != 0)
		return claw_yaml_fail(yaml, node, "expected a command, found "
				      "%s", expansion_problem(code));
	for (size_t i = 0; ret == 0 && i < words.we_wordc; i++)
		claw_list_add(&like->words, claw_strdup(words.we_wordv[i]));
	wordfree(&words);
	return ret;
}

static int take_words(const struct claw_yaml *yaml, const yaml_node_t *node,
		      bool is_split, struct claw_suite_case *like)
{
	int ret;

	like->directory = directory_of(yaml->path);
	if (is_split && node->type == YAML_SCALAR_NODE)
		ret = split_command(yaml, node, like);
	else
		ret = claw_yaml_each(yaml, node, "words", true, take_argument,
				     &like->words);
	if (ret == 0 && (!like->words || !like->words[0][0]))
		ret = claw_yaml_fail(yaml, node, "expected a program, found "
				     "nothing");
	return ret;
}

static int add_command(const struct claw_yaml *yaml, const yaml_node_t *node,
		       struct claw_suite *suite, struct claw_suite_words *words)
{
	struct claw_suite_case *one;
	int ret;

	if (!words->like.name)
		return claw_yaml_fail(yaml, node, "expected a name for the "
				      "command, found none");
	ret = take_words(yaml, words->command, true, &words->like);
	if (ret < 0)
		return ret;
	fix_program(&words->like);
	one = claw_suite_add_case(suite, CLAW_CASE_COMMAND, words->like.name);
	words->like.name = NULL;
	claw_suite_case_copy(&words->like, one);
	return 0;
}

static int add_libcheck(const struct claw_yaml *yaml, struct claw_suite *suite,
			struct claw_suite_words *words)
{
	struct claw_suite_case *like = &words->like, *one;
	const char *slash;
	char *path;
	int ret = take_words(yaml, words->libcheck, false, like);

	if (ret < 0)
		return ret;
	path = claw_suite_find_program(yaml->path, like->words[0]);
	if (!path)
		return claw_yaml_fail(yaml, words->libcheck, "expected a "
				      "libcheck program, found none that can "
				      "be executed at \"%s\"", like->words[0]);
	free(like->words[0]);
	like->words[0] = path;
	slash = strrchr(path, '/');
	one = claw_suite_add_case(suite, CLAW_CASE_LIBCHECK, like->name ?
		like->name : claw_suite_fit_name(slash ? slash + 1 : path));
	like->name = NULL;
	claw_suite_case_copy(like, one);
	return 0;
}

static int add_frame(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct claw_suite *suite, struct claw_suite_words *words)
{
	struct claw_suite_case *one;

	if (!suite->program)
		return claw_yaml_fail(yaml, node, "expected kernels, libcheck, "
				      "command or sim, found none, and the "
				      "suite has no program");
	if (!words->like.name)
		return claw_yaml_fail(yaml, node, "expected a case with a "
				      "name, found none");
	one = claw_suite_add_case(suite, CLAW_CASE_FRAME, words->like.name);
	words->like.name = NULL;
	claw_suite_case_copy(&words->like, one);
	return 0;
}

/* ---- all of them ----------------------------------------------------- */

static int add_kernels(const struct claw_yaml *yaml, struct claw_suite *suite,
		       const struct claw_suite_words *words)
{
	struct patterns patterns = {
		.suite = suite, .words = words, .is_sim = words->sim != NULL,
	};
	const char *name = words->like.name;
	int ret;

	patterns.prefix = claw_format("%s%s", name ? name : "",
				      name ? "." : "");
	ret = claw_yaml_each(yaml, words->sim ? words->sim : words->kernels,
			     words->sim ? ".sim files" : "kernel files", true,
			     take_pattern, &patterns);
	free(patterns.prefix);
	return ret;
}

int claw_suite_add_cases(const struct claw_yaml *yaml, const yaml_node_t *node,
			 struct claw_suite *suite,
			 struct claw_suite_words *words)
{
	if (words->kernels || words->sim)
		return add_kernels(yaml, suite, words);
	if (words->command)
		return add_command(yaml, node, suite, words);
	if (words->libcheck)
		return add_libcheck(yaml, suite, words);
	return add_frame(yaml, node, suite, words);
}
