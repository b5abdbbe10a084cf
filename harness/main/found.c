/* SPDX-License-Identifier: Apache-2.0 */
/* Look for the loader, the drivers and the tools. */
#include "config.h"

#include "found.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/session/icd_files.h"
#include "harness/session/instrument_program.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/tools/tools.h"

enum { TOOL_TIMEOUT_MS = 10000, QUESTIONS_AT_ONCE = 4 };

/* Where libclang is, for glob(). */
static const char *const libclang_globs[] = {
	"/usr/lib/*-linux-gnu/libclang-[0-9]*.so*",
	"/usr/lib/llvm-*/lib/libclang.so*",
	"/usr/lib*/libclang.so*",
	NULL,
};

static const struct claw_tool tool_table[] = {
	[CLAW_TOOL_OCLGRIND] = {
		.name = "oclgrind", .package = "oclgrind",
		.gives = "--under oclgrind (checks each access of a kernel)",
	},
	[CLAW_TOOL_VALGRIND] = {
		.name = "Valgrind", .package = "valgrind",
		.gives = "--under valgrind (memcheck for the host code)",
	},
	[CLAW_TOOL_LCOV] = {
		.name = "lcov", .package = "lcov",
		.gives = "coverage reports as HTML",
	},
	[CLAW_TOOL_LIBCLANG] = {
		.name = "libclang", .package = "libclang-dev",
		.gives = "kernel coverage and the kernel sanitizer",
	},
	[CLAW_TOOL_CLANG] = {
		.name = "clang", .package = "clang",
		.gives = "preprocessing of kernels for both",
	},
	[CLAW_TOOL_INSTRUMENT] = {
		.name = CLAW_INSTRUMENT_NAME,
		.package = "libclang-dev clang, then rebuild openclaw",
		.gives = "cover, test --coverage, --under asan",
	},
	[CLAW_TOOL_GDB] = {
		.name = "gdb", .package = "gdb",
		.gives = "inject --gdb",
	},
};

/* One child process that is asked something. */
struct question {
	struct claw_run_spec spec;
	char *argv[8];
	char *env[2];
	void (*take)(struct question *question,
		     const struct claw_run_result *run);
	struct claw_tool *tool;
	struct claw_machine **machine;
};

static void when_done(struct claw_run_result *run, void *user)
{
	struct question *question = user;

	question->take(question, run);
}

static void take_machine(struct question *question,
			 const struct claw_run_result *run)
{
	claw_machine_read(run, question->machine);
}

/* The first line that has a digit in it. */
static void take_version(struct question *question,
			 const struct claw_run_result *run)
{
	char *text, *line, *rest = NULL;

	if (run->end != CLAW_END_EXIT)
		return;
	text = claw_capture_text(&run->out);
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strpbrk(line, "0123456789"))
			break;
	}
	if (line)
		question->tool->version = claw_strdup(line);
	free(text);
}

static void take_libclang(struct question *question,
			  const struct claw_run_result *run)
{
	struct claw_tool *tool = question->tool;
	char *text = claw_capture_text(&run->out);
	char *line, *rest = NULL;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		json_t *object = json_loads(line, 0, NULL);

		if (strcmp(claw_machine_text(object, "t"), "libclang") == 0) {
			tool->path =
				claw_strdup(claw_machine_text(object, "path"));
			tool->version = claw_strdup(
				claw_machine_text(object, "version"));
		}
		json_decref(object);
	}
	free(text);
}

static void glob_all(const char *const *patterns, glob_t *found)
{
	memset(found, 0, sizeof(*found));
	for (size_t i = 0; patterns[i]; i++)
		glob(patterns[i], i ? GLOB_APPEND : 0, NULL, found);
}

static void ask_version(struct question *question, struct claw_tool *tool,
			char *program)
{
	static char option[] = "--version";

	question->argv[0] = program;
	question->argv[1] = option;
	question->tool = tool;
	question->take = take_version;
	question->spec.argv = question->argv;
	question->spec.timeout_ms = TOOL_TIMEOUT_MS;
	question->spec.grace_ms = 500;
}

/* openclaw-instrument's word: the program, and the line of its version; nothing
 * where it has none. */
static void take_clang(struct question *question,
		       const struct claw_run_result *run)
{
	char *text, *path, *version, *rest = NULL;

	if (run->end != CLAW_END_EXIT || run->code != 0)
		return;
	text = claw_capture_text(&run->out);
	path = strtok_r(text, "\n", &rest);
	version = strtok_r(NULL, "\n", &rest);
	if (path)
		question->tool->path = claw_strdup(path);
	if (version)
		question->tool->version = claw_strdup(version);
	free(text);
}

/* Which clang kernels are preprocessed with. */
static void ask_clang(struct question *question, struct claw_tool *tool,
		      char *instrument)
{
	static char option[] = "--clang";

	ask_version(question, tool, instrument);
	question->argv[1] = option;
	question->take = take_clang;
}

static void ask_libclang(struct question *question, struct claw_tool *tool,
			 char *self, glob_t *libraries)
{
	static char verb[] = "__query", what[] = "libclang";
	const size_t room = sizeof(question->argv) /
			    sizeof(question->argv[0]) - 4;

	ask_version(question, tool, self);
	question->argv[1] = verb;
	question->argv[2] = what;
	for (size_t i = 0; i < room && i < libraries->gl_pathc; i++)
		question->argv[3 + i] = libraries->gl_pathv[i];
	question->take = take_libclang;
}

/* The drivers' files, each to be asked alone. */
static void find_icds(struct claw_found *found)
{
	struct claw_icd_files files;

	claw_icd_files_init(&files, getenv("OCL_ICD_VENDORS"),
			    getenv("OCL_ICD_FILENAMES"));
	found->icds = claw_calloc(files.count + 1, sizeof(*found->icds));
	for (size_t i = 0; i < files.count; i++) {
		found->icds[i].file = files.files[i].file;
		found->icds[i].library = files.files[i].library;
		files.files[i] = (struct claw_icd_file) { .file = NULL };
		found->icd_count++;
	}
	claw_icd_files_release(&files);
}

/* Run all questions. */
static int ask_all(struct question *questions, size_t count)
{
	struct claw_runner *runner = claw_runner_new(QUESTIONS_AT_ONCE);
	int ret;

	if (!runner)
		return -CLAW_E_SPAWN;
	for (size_t i = 0; i < count; i++)
		claw_runner_add(runner, &questions[i].spec, when_done,
				&questions[i]);
	ret = claw_runner_run(runner);
	claw_runner_free(runner);
	if (ret > 0) {
		claw_interrupt_pass_on(ret);
		ret = -CLAW_E_CANCELLED;
	}
	return ret;
}

static void ask_icds(struct claw_found *found, struct question *questions,
		     char *self, size_t *at)
{
	for (size_t i = 0; i < found->icd_count; i++) {
		struct claw_icd *icd = &found->icds[i];
		struct question *question = &questions[*at];

		question->env[0] = claw_format("OCL_ICD_VENDORS=%s",
					       icd->file);
		question->machine = &icd->machine;
		question->take = take_machine;
		claw_machine_prepare(&question->spec, self, question->argv,
				     question->env);
		++*at;
	}
}

int claw_found_init(struct claw_found *found)
{
	static const char *const programs[CLAW_TOOL_COUNT] = {
		[CLAW_TOOL_OCLGRIND] = "oclgrind",
		[CLAW_TOOL_VALGRIND] = "valgrind", [CLAW_TOOL_LCOV] = "lcov",
		[CLAW_TOOL_GDB] = "gdb",
	};
	char *paths[CLAW_TOOL_COUNT] = { NULL };
	struct question *questions = NULL;
	glob_t libraries;
	char *self = claw_machine_self();
	size_t at = 0;
	int ret = -CLAW_E_SPAWN;

	memset(found, 0, sizeof(*found));
	memcpy(found->tools, tool_table, sizeof(tool_table));
	glob_all(libclang_globs, &libraries);
	if (!self)
		goto out;
	find_icds(found);
	questions = claw_calloc(CLAW_TOOL_COUNT + 1 + found->icd_count,
			   sizeof(*questions));
	questions[at].machine = &found->machine;
	questions[at].take = take_machine;
	claw_machine_prepare(&questions[at].spec, self, questions[at].argv,
			     NULL);
	at++;
	for (size_t i = 0; i < CLAW_TOOL_COUNT; i++) {
		int error;

		if (i == CLAW_TOOL_LIBCLANG) {
			if (libraries.gl_pathc)
				ask_libclang(&questions[at++],
					     &found->tools[i], self,
					     &libraries);
			continue;
		}
		if (i == CLAW_TOOL_INSTRUMENT) {
			found->tools[i].path = claw_instrument_program();
			found->tools[i].version =
				claw_strdup("of this openclaw");
			continue;
		}
		if (i == CLAW_TOOL_CLANG) {
			paths[i] = claw_instrument_program();
			if (paths[i])
				ask_clang(&questions[at++], &found->tools[i],
					  paths[i]);
			continue;
		}
		paths[i] = claw_program_find(programs[i], &error);
		if (paths[i])
			ask_version(&questions[at++], &found->tools[i],
				    paths[i]);
		found->tools[i].path = i == CLAW_TOOL_OCLGRIND ?
			claw_oclgrind_icd() :
			paths[i] ? claw_strdup(paths[i]) : NULL;
	}
	ask_icds(found, questions, self, &at);
	ret = ask_all(questions, at);
out:
	for (size_t i = 0; i < at; i++)
		free(questions[i].env[0]);
	free(questions);
	for (size_t i = 0; i < CLAW_TOOL_COUNT; i++)
		free(paths[i]);
	globfree(&libraries);
	free(self);
	if (ret < 0)
		claw_found_release(found);
	return ret;
}

void claw_found_release(struct claw_found *found)
{
	claw_machine_free(found->machine);
	for (size_t i = 0; i < CLAW_TOOL_COUNT; i++) {
		free(found->tools[i].path);
		free(found->tools[i].version);
	}
	for (size_t i = 0; i < found->icd_count; i++) {
		free(found->icds[i].file);
		free(found->icds[i].library);
		claw_machine_free(found->icds[i].machine);
	}
	free(found->icds);
	memset(found, 0, sizeof(*found));
}
