/* SPDX-License-Identifier: Apache-2.0 */
/* Look for the loader, the drivers and the tools. */
#include "config.h"

#include "found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/session/icd_files.h"
#include "harness/session/instrument_program.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"
#include "harness/base/text.h"
#include "harness/session/icd_names.h"
#include "harness/tools/tools.h"

enum { TOOL_TIMEOUT_MS = 10000, QUESTIONS_AT_ONCE = 4 };

static const struct claw_tool tool_table[] = {
	[CLAW_TOOL_OCLGRIND] = {
		.name = "oclgrind", .package = "oclgrind",
		.gives = "--under oclgrind (checks each access of a kernel)",
	},
	[CLAW_TOOL_RUSTICL] = {
		.name = "rusticl", .package = "mesa-opencl-icd",
		.gives = "--under rusticl (a second driver for CPUs)",
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
		.name = "libclang", .package = "libclang1" CLAW_LLVM_SUFFIX,
		.gives = "kernel coverage and the kernel sanitizer",
	},
	[CLAW_TOOL_CLANG] = {
		.name = "clang",
		.gives = "preprocessing of kernels for both",
	},
	[CLAW_TOOL_INSTRUMENT] = {
		.name = CLAW_INSTRUMENT_NAME,
		.package = CLAW_LLVM_PACKAGES ", then rebuild openclaw",
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
	char *env[4];
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

/* The driver's first device says. */
static void take_driver(struct question *question,
			const struct claw_run_result *run)
{
	struct claw_machine *machine = NULL;
	const json_t *device;

	claw_machine_read(run, &machine);
	device = claw_machine_find_device(machine, 0);
	question->tool->version = device ?
		claw_format("driver %s, %s", claw_machine_text(device,
							     "driver_version"),
			    claw_machine_text(device, "name")) :
		claw_format("shows no device%s%s", machine->problem ? ": " : "",
			    machine->problem ? machine->problem : "");
	claw_machine_free(machine);
}

/* Ask for one driver's devices. Only a directory in OCL_ICD_VENDORS means the
 * same to all loaders; Khronos' also loads what OCL_ICD_FILENAMES names. */
static int ask_driver(struct question *question, const char *directory,
		      const char *name, const char *library, char *self)
{
	static char unset[] = "OCL_ICD_FILENAMES";
	char *vendors;
	int ret = claw_icd_write(directory, name, library, &vendors);

	if (ret < 0)
		return ret;
	question->env[0] = claw_format("OCL_ICD_VENDORS=%s", vendors);
	question->env[1] = unset;
	free(vendors);
	claw_machine_prepare(&question->spec, self, question->argv,
			     question->env);
	return 0;
}

static int ask_rusticl(struct question *question, struct claw_tool *tool,
		       const char *directory, char *self)
{
	char why[512];

	tool->path = claw_icd_library("rusticl", why, sizeof(why));
	if (!tool->path)
		return 0;
	question->tool = tool;
	question->take = take_driver;
	question->env[2] = (char *)(uintptr_t)claw_icd_setting(tool->path);
	return ask_driver(question, directory, "rusticl", tool->path, self);
}

/* A line of openclaw-instrument --clang: see its clang.h. */
static void take_clang_line(struct claw_tool *tools, char *line)
{
	const char *word = strsep(&line, "\t"), *name = strsep(&line, "\t");
	const char *file = strsep(&line, "\t"), *version = line;

	for (size_t i = CLAW_TOOL_LIBCLANG; file && i <= CLAW_TOOL_CLANG; i++) {
		if (strcmp(tools[i].name, name) != 0 || tools[i].path ||
		    tools[i].needed)
			continue;
		if (strcmp(word, "ok") == 0 && version) {
			tools[i].path = claw_strdup(file);
			tools[i].version = claw_strdup(version);
		} else {
			tools[i].needed = claw_strdup(file);
		}
	}
}

/* Nothing at all: it does not start, for want of libclang. */
static void take_clang(struct question *question,
		       const struct claw_run_result *run)
{
	char *text, *line, *rest = NULL;

	if (run->end != CLAW_END_EXIT)
		return;
	text = claw_capture_text(&run->out);
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		take_clang_line(question->tool, line);
	free(text);
}

/* Which libclang and clang kernels are read with. */
static void ask_clang(struct question *question, struct claw_tool *tools,
		      char *instrument)
{
	static char option[] = "--clang";

	ask_version(question, tools, instrument);
	question->argv[1] = option;
	question->take = take_clang;
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

static int ask_icds(struct claw_found *found, struct question *questions,
		    const char *directory, char *self, size_t *at)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < found->icd_count; i++) {
		struct claw_icd *icd = &found->icds[i];
		struct question *question = &questions[*at];
		char name[32];

		snprintf(name, sizeof(name), "icd-%zu", i);
		question->machine = &icd->machine;
		question->take = take_machine;
		ret = ask_driver(question, directory, name,
				 icd->library ? icd->library : "", self);
		++*at;
	}
	return ret;
}

/* What is asked of everything, at the same time. */
struct asking {
	char *self;			/* this program */
	char *directory;		/* of the drivers' .icd files */
	char *paths[CLAW_TOOL_COUNT];	/* of programs that are asked */
	struct question *questions;
	size_t count;
};

static int ask_tool(struct claw_found *found, struct asking *asking,
		    unsigned int id)
{
	static const char *const programs[CLAW_TOOL_COUNT] = {
		[CLAW_TOOL_OCLGRIND] = "oclgrind",
		[CLAW_TOOL_VALGRIND] = "valgrind", [CLAW_TOOL_LCOV] = "lcov",
		[CLAW_TOOL_GDB] = "gdb",
	};
	struct question *next = &asking->questions[asking->count];
	struct claw_tool *tool = &found->tools[id];
	char **path = &asking->paths[id];
	int error, ret = 0;
	char why[512];

	switch (id) {
	case CLAW_TOOL_LIBCLANG:
		*path = claw_instrument_program();
		if (*path)
			ask_clang(next, found->tools, *path);
		asking->count += *path != NULL;
		break;
	case CLAW_TOOL_CLANG:		/* with libclang */
		break;
	case CLAW_TOOL_RUSTICL:
		ret = ask_rusticl(next, tool, asking->directory, asking->self);
		asking->count += ret == 0 && tool->path;
		break;
	case CLAW_TOOL_INSTRUMENT:
		tool->path = claw_instrument_program();
		tool->version = claw_strdup("of this openclaw");
		break;
	default:
		*path = claw_program_find(programs[id], &error);
		if (*path)
			ask_version(next, tool, *path);
		asking->count += *path != NULL;
		tool->path = id == CLAW_TOOL_OCLGRIND ?
			claw_icd_library("oclgrind", why, sizeof(why)) :
			     claw_strdup_or_null(*path);
	}
	return ret;
}

static int ask_everything(struct claw_found *found, struct asking *asking)
{
	struct question *first;
	int ret = 0;

	find_icds(found);
	asking->questions = claw_calloc(CLAW_TOOL_COUNT + 1 + found->icd_count,
					sizeof(*asking->questions));
	first = &asking->questions[asking->count++];
	first->machine = &found->machine;
	first->take = take_machine;
	claw_machine_prepare(&first->spec, asking->self, first->argv, NULL);
	for (unsigned int id = 0; ret == 0 && id < CLAW_TOOL_COUNT; id++)
		ret = ask_tool(found, asking, id);
	if (ret == 0)
		ret = ask_icds(found, asking->questions, asking->directory,
			       asking->self, &asking->count);
	return ret < 0 ? ret : ask_all(asking->questions, asking->count);
}

int claw_found_init(struct claw_found *found)
{
	struct asking asking = {
		.self = claw_machine_self(),
		.directory = claw_path_in(claw_session_temporary_base(),
					  "openclaw.XXXXXX"),
	};
	int ret = -CLAW_E_SPAWN;

	memset(found, 0, sizeof(*found));
	memcpy(found->tools, tool_table, sizeof(tool_table));
	if (asking.self && !mkdtemp(asking.directory)) {
		ret = -CLAW_E_IO;
	} else if (asking.self) {
		ret = ask_everything(found, &asking);
		claw_directory_remove(asking.directory);
	}
	for (size_t i = 0; i < asking.count; i++)
		free(asking.questions[i].env[0]);
	free(asking.questions);
	free(asking.directory);
	for (size_t i = 0; i < CLAW_TOOL_COUNT; i++)
		free(asking.paths[i]);
	free(asking.self);
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
		free(found->tools[i].needed);
	}
	for (size_t i = 0; i < found->icd_count; i++) {
		free(found->icds[i].file);
		free(found->icds[i].library);
		claw_machine_free(found->icds[i].machine);
	}
	free(found->icds);
	memset(found, 0, sizeof(*found));
}
