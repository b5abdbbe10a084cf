/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Valgrind's tools share: how they are started, on which driver, and
 * what they say of a clean program there. Without a driver that was asked for
 * they run on Oclgrind's simulator: two errors there that are not the
 * program's (suites/valgrind.supp), where others have hundreds.
 */
#include "config.h"

#include "tool_valgrind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "harness/process/runner.h"
#include "tool_oclgrind.h"

#define SKIP_COMPILERS ("--trace-children-skip=" \
	"*/ld,*/ld.*,*-ld,*-ld.*,*/lld*,*/clang*,*/gcc*,*/cc,*/as")

enum {
	MEASURE_MS_MAX = 300000,
	KERNEL_SKIPPED = 77,	/* by openclaw-kernel: no device */
};

int claw_valgrind_prepare(struct claw_under *under,
			  const struct claw_under_config *config)
{
	int ret = config->icd ? claw_under_set_driver(under, config, config->icd) :
		  claw_oclgrind_prepare(under, config);

	if (ret < 0 || under->why[0])
		return ret;
	if (config->icd && config->has_device) {
		under->has_device = true;
		under->device = config->device;
	}
	under->program = claw_program_find("valgrind", &(int){ 0 });
	if (!under->program)
		snprintf(under->why, sizeof(under->why),
			 "valgrind is not installed (Debian package valgrind)");
	under->suppressions = claw_data_path("suites/valgrind.supp");
	if (under->program && !under->suppressions)
		snprintf(under->why, sizeof(under->why),
			 "cannot find suites/valgrind.supp");
	return 0;
}

void claw_valgrind_add(struct claw_under_run *run, const char *name,
		       const char *value)
{
	char *word = claw_format("%s=%s", name, value);

	claw_under_add_word(run, word);
	free(word);
}

void claw_valgrind_begin(const struct claw_under *under,
			 struct claw_under_run *run, const char *tool)
{
	static const char *const words[] = {
		"--quiet", "--num-callers=30", "--vgdb=no",
		"--child-silent-after-fork=yes",
		/* What a script starts; not what a driver compiles with. */
		"--trace-children=yes",
		SKIP_COMPILERS,
		/* A test that is known to crash (suites/suite_main.c). */
		"--trace-children-skip-by-arg=--unchecked-test",
	};

	claw_under_add_word(run, under->program);
	claw_valgrind_add(run, "--tool", tool);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		claw_under_add_word(run, words[i]);
	claw_valgrind_add(run, "--suppressions", under->suppressions);
	claw_under_add_env(run, "OPENCLAW_GUARD", "0");
	claw_oclgrind_set_memory(run);
	run->baseline = claw_strdup_or_null(under->baseline);
}

/* ---- a clean program -------------------------------------------------- */

static void say_why_not(struct claw_under *under,
			const struct claw_under_config *config,
			const struct claw_run_result *result)
{
	static const char *const ends[] = {
		[CLAW_END_EXIT] = "exit status", [CLAW_END_SIGNAL] = "signal",
		[CLAW_END_TIMEOUT] = "timeout",
	};
	const struct claw_capture *err = &result->err;
	const char *line_end = err->head_bytes ?
			       memchr(err->head, '\n', err->head_bytes) : NULL;
	size_t length = line_end ? (size_t)(line_end - err->head) :
			err->head_bytes;
	const char *end = (size_t)result->end < sizeof(ends) / sizeof(*ends) ?
			  ends[result->end] : "error";

	if (result->end == CLAW_END_EXIT && result->code == KERNEL_SKIPPED) {
		snprintf(under->why, sizeof(under->why), "--icd %s: no OpenCL "
			 "device", config->icd);
		return;
	}
	snprintf(under->why, sizeof(under->why), "a clean program does not "
		 "run under %s on this driver (%s %d): %.*s",
		 under->row->name, end, result->code,
		 (int)length, length ? err->head : "");
}

static int run_clean(struct claw_under *under,
		     const struct claw_under_config *config,
		     const char *directory, char *const *words)
{
	struct claw_under_run run;
	struct claw_run_result result = { 0 };
	int ret = claw_under_start(under, config, directory, words, &run);

	if (ret < 0)
		return ret;
	ret = claw_run_once(&(struct claw_run_spec){
		.argv = run.argv, .set_env = run.environment,
		.timeout_ms = MEASURE_MS_MAX, .no_core = true,
	}, &result);
	if (ret < 0)
		goto out;
	ret = 0;		/* a signal's number: its end says so, too */
	if (result.end != CLAW_END_EXIT || result.code != 0)
		say_why_not(under, config, &result);
	else
		under->baseline = claw_strdup(run.log);
out:
	claw_run_result_release(&result);
	claw_under_run_release(&run);
	return ret;
}

static int measure(struct claw_under *under,
		   const struct claw_under_config *config)
{
	char *program = claw_kernel_program();
	char *kernel = claw_data_path("kernels/baseline.clw");
	char *directory = claw_valgrind_log(config->directory, "tools");
	char file[] = "--file";
	char *words[] = { program, file, kernel, NULL };
	int ret = 0;

	if (claw_make_directory(directory) < 0)
		ret = -CLAW_E_IO;
	else if (access(program, X_OK) != 0 || !kernel)
		snprintf(under->why, sizeof(under->why), "cannot find %s, so "
			 "the driver's own errors cannot be told from the "
			 "program's; install openclaw again", kernel ?
			 "openclaw-kernel" : "kernels/baseline.clw");
	else
		ret = run_clean(under, config, directory, words);
	free(program);
	free(kernel);
	free(directory);
	return ret;
}

int claw_valgrind_prepare_compared(struct claw_under *under,
				   const struct claw_under_config *config)
{
	int ret = claw_valgrind_prepare(under, config);

	/* The suppressions know Oclgrind's errors; a driver's own are told
	 * from a clean program's. */
	if (ret == 0 && !under->why[0] && config->icd &&
	    !config->own_baseline)
		ret = measure(under, config);
	return ret;
}
