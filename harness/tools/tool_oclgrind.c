/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Oclgrind's simulator as an ICD, with its checks on. Never its wrapper
 * program: that preloads its own cl* functions and bypasses layers. It exits 0
 * whatever it found, and repeats one racy line for every work-item.
 */
#include "config.h"

#include "tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "tool_oclgrind.h"
#include "tool_oclgrind_log.h"

/* Of the simulated device, unless the user says otherwise: its checks keep
 * some fifty bytes for each byte of a buffer. */
#define MEMORY_VARIABLE "OCLGRIND_GLOBAL_MEM_SIZE"
#define MEMORY_BYTES "16777216"

#define OPTIONS_VARIABLE "OCLGRIND_BUILD_OPTIONS"

int claw_oclgrind_prepare(struct claw_under *under,
			  const struct claw_under_config *config)
{
	under->has_device = true;	/* its only one */
	under->device = 0;
	return claw_under_set_driver(under, config, "oclgrind");
}

void claw_oclgrind_set_memory(struct claw_under_run *run)
{
	if (!getenv(MEMORY_VARIABLE))
		claw_under_add_env(run, MEMORY_VARIABLE, MEMORY_BYTES);
}

/* The optimiser hides variables that nobody set; what the user says comes
 * behind it and so wins. */
static void set_build_options(struct claw_under_run *run)
{
	const char *given = getenv(OPTIONS_VARIABLE);
	char *options;

	options = claw_format("-cl-opt-disable%s%s", given ? " " : "",
			      given ? given : "");
	claw_under_add_env(run, OPTIONS_VARIABLE, options);
	free(options);
}

void claw_oclgrind_set_checks(struct claw_under_run *run)
{
	static const struct { const char *name, *value; } settings[] = {
		{ "OCLGRIND_CHECK_API", "1" },
		{ "OCLGRIND_DATA_RACES", "1" },
		{ "OCLGRIND_UNINITIALIZED", "1" },
		{ "OCLGRIND_MAX_ERRORS", "10000" },
	};

	set_build_options(run);
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		claw_under_add_env(run, settings[i].name, settings[i].value);
	/* Its reports come in the order of its threads. */
	if (!getenv("OCLGRIND_NUM_THREADS"))
		claw_under_add_env(run, "OCLGRIND_NUM_THREADS", "1");
	claw_oclgrind_set_memory(run);
}

int claw_oclgrind_set_log(struct claw_under_run *run, const char *directory)
{
	int ret;

	run->kernel_log = claw_format("%s/oclgrind.log", directory);
	ret = claw_tool_log_new(run->kernel_log, &run->gathered);
	if (ret == 0)
		claw_under_add_env(run, "OCLGRIND_LOG",
				   claw_tool_log_path(run->gathered));
	return ret;
}

int claw_oclgrind_read_log(const struct claw_under_run *run,
			   struct claw_findings *findings)
{
	int ended = claw_tool_log_end(run->gathered);
	int ret = claw_oclgrind_read(run->kernel_log, CLAW_OCLGRIND_LOG,
				     findings);

	/* None means that it was not loaded: who judges tells that. */
	if (ret == 0 || ret == -CLAW_E_NOT_FOUND)
		return ended;
	return ret == -CLAW_E_IO ? -CLAW_E_DAMAGED : ret;
}

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	(void)under;
	(void)config;
	run->stderr_path = claw_format("%s/stderr", case_directory);
	claw_oclgrind_set_checks(run);
	/* It sees what guard zones see, and the work-item, too. */
	claw_under_add_env(run, "OPENCLAW_GUARD", "0");
	return claw_oclgrind_set_log(run, case_directory);
}

static int read_log(const struct claw_under_run *run,
		    struct claw_findings *findings)
{
	int ret = claw_oclgrind_read_log(run, findings);

	if (ret == 0)
		ret = claw_oclgrind_read(run->stderr_path,
					 CLAW_OCLGRIND_STDERR, findings);
	return ret == -CLAW_E_NOT_FOUND || ret == -CLAW_E_IO ?
	       -CLAW_E_DAMAGED : ret;
}

const struct claw_under_row claw_under_oclgrind = {
	.name = "oclgrind",
	.summary = "oclgrind's simulator, with every check on",
	.in_all = true,
	.no_guards = "it checks every access itself, and an access to a guard "
		     "zone would look valid to it",
	.checks = 1u << CLAW_FINDING_INVALID_READ |
		  1u << CLAW_FINDING_INVALID_WRITE |
		  1u << CLAW_FINDING_RACE |
		  1u << CLAW_FINDING_UNINITIALIZED |
		  1u << CLAW_FINDING_DIVERGENCE |
		  1u << CLAW_FINDING_MISALIGNED |
		  1u << CLAW_FINDING_ARRAY_INDEX |
		  1u << CLAW_FINDING_API_ERROR |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = claw_oclgrind_prepare, .start = start, .read = read_log,
};
