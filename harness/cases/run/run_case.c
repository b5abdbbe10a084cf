/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start one case of a suite.
 */
#include "config.h"

#include "run_case.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/clock.h"
#include "harness/files/directories.h"
#include "harness/session/door.h"
#include "harness/base/errors.h"
#include "harness/evidence/evidence.h"
#include "harness/check/guard_findings.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/tools/needs.h"
#include "harness/base/paths.h"
#include "harness/session/program.h"
#include "run_filter.h"
#include "run_plan.h"
#include "run_where.h"
#include "harness/base/text.h"
#include "harness/tools/tool_sim.h"

enum {
	KEPT_BYTES = 64 << 20,	/* of a stderr that a tool writes to */
	STARTS_MAX = 10,	/* times the timeout, until the launch that must not end */
	START_STEP_MS = 200,	/* ... between looks for it, at least */
};

/* ---- may it run? ------------------------------------------------------- */

void claw_test_case_why_not(const struct claw_test_case *what, char *why,
			    size_t why_size)
{
	static char simulator[] = "oclgrind-kernel";
	static char *programs[] = { simulator, NULL };
	static const struct claw_case_needs of_sim = { .programs = programs };
	const char *tool = what->under->row->name;
	bool is_sim = what->about->kind == CLAW_CASE_SIM;

	*why = '\0';
	if (is_sim && strcmp(tool, "oclgrind") != 0)
		snprintf(why, why_size, "a .sim file runs under oclgrind only");
	else if (is_sim)
		claw_needs_check(&of_sim, what->under, why, why_size);
	if (!*why)
		claw_needs_check(&what->about->needs, what->under, why,
				 why_size);
	/* Programs of ours ask for it themselves; others may not look. */
	if (!*why && what->selection->has_device && !what->about->no_opencl &&
	    (what->about->kind == CLAW_CASE_COMMAND ||
	     what->about->kind == CLAW_CASE_LIBCHECK))
		claw_needs_check_device(what->under, why, why_size);
}

bool claw_test_case_has_guards(const struct claw_test_case *what)
{
	return what->selection->guards && !what->under->row->no_guards &&
	       what->about->kind != CLAW_CASE_SIM;
}

/* ---- environment ------------------------------------------------------- */

/* The next of the texts that are the try's own. text is taken over. */
static void own(struct claw_test_try *try, char *text)
{
	size_t at = 0;

	while (try->owned[at])
		at++;
	try->owned[at] = text;
}

static void set_variable(struct claw_test_try *try, const char *name,
			 const char *value)
{
	own(try, claw_format("%s=%s", name, value));
}

/* For a program that writes a case result; where the kernels are, unless
 * somebody said. */
static void set_result(struct claw_test_try *try)
{
	char *kernels = getenv("OPENCLAW_KERNELS") ? NULL :
		claw_data_path("kernels");

	try->result_path = claw_path_in(try->directory, "result");
	unlink(try->result_path);
	set_variable(try, "OPENCLAW_CASE_RESULT", try->result_path);
	if (kernels)
		set_variable(try, "OPENCLAW_KERNELS", kernels);
	free(kernels);
}

static void set_frame(struct claw_test_try *try)
{
	set_result(try);
	set_variable(try, "CK_FORK", "no");
	own(try, claw_strdup("CK_RUN_CASE"));
	own(try, claw_strdup("CK_RUN_SUITE"));
}

/* Of a program whose tests --filter chooses by name, at most their case. */
static void set_tcase(struct claw_test_try *try)
{
	const struct claw_test_case *what = try->what;
	const struct claw_strings *filters = &what->selection->filters;
	char *tcase;

	if (claw_filter_case(filters, what->suite, what->about) !=
	    CLAW_FILTER_TESTS)
		return;
	tcase = claw_filter_tcase(filters, what->suite, what->about);
	if (tcase)
		set_variable(try, "CK_RUN_CASE", tcase);
	free(tcase);
}

/* A fork without an exec is a process that memcheck does not report on, so
 * its tests run in one process there. */
static void set_libcheck(struct claw_test_try *try)
{
	const struct claw_under_row *row = try->what->under->row;

	try->xml_path = claw_path_in(try->directory, "check.xml");
	unlink(try->xml_path);
	set_variable(try, "CK_XML_LOG_FILE_NAME", try->xml_path);
	if (!getenv("CK_LOG_FILE_NAME")) {
		try->log_path = claw_path_in(try->directory, "check.log");
		set_variable(try, "CK_LOG_FILE_NAME", try->log_path);
	}
	own(try, claw_strdup("OPENCLAW_CASE_RESULT"));
	if (strcmp(row->name, "valgrind") == 0 && !getenv("CK_FORK"))
		set_variable(try, "CK_FORK", "no");
	set_tcase(try);
}

static void set_own_variables(struct claw_test_try *try)
{
	switch (try->what->about->kind) {
	case CLAW_CASE_FRAME:
		set_frame(try);
		break;
	case CLAW_CASE_CLW:
		set_result(try);
		break;
	case CLAW_CASE_LIBCHECK:
		set_libcheck(try);
		break;
	default:
		own(try, claw_strdup("OPENCLAW_CASE_RESULT"));
	}
}

/* The session's variables, the tool's and the case's in one list. */
static int join_environment(struct claw_test_try *try)
{
	char *const *lists[] = {
		try->session->environment, try->under.environment, try->owned,
	};
	size_t count = 0, at = 0;
	int ret = claw_door_take_drivers(try->session,
					 try->under.environment);

	if (ret < 0)
		return ret;
	lists[0] = try->session->environment;
	for (size_t i = 0; i < 3; i++)
		for (char *const *text = lists[i]; text && *text; text++)
			count++;
	try->environment = claw_calloc(count + 1, sizeof(char *));
	for (size_t i = 0; i < 3; i++)
		for (char *const *text = lists[i]; text && *text; text++)
			if (i != 1 || !claw_door_sees_to(try->session, *text))
				try->environment[at++] = *text;
	return 0;
}

/* ---- faults ------------------------------------------------------------ */

/* at= of the rules, in the program that will run. A place that is not there is
 * told when the case is judged. */
static void resolve_places(struct claw_test_try *try, const char *program)
{
	struct claw_program look;
	int error;

	if (claw_program_look(program, &look, &error) < 0)
		return;		/* it cannot be started either */
	claw_fault_plan_resolve(&try->plan, &look, try->problem,
				sizeof(try->problem));
	claw_program_release(&look);
}

static void load_faults(struct claw_test_try *try, const char *program)
{
	const struct claw_suite_case *about = try->what->about;
	struct claw_fault_options options = { .seed = NULL };
	char seed[32];
	size_t count = 0;

	if (!about->faults)
		return;
	while (about->faults[count])
		count++;
	options.faults.items = (const char **)(uintptr_t)about->faults;
	options.faults.count = count;
	snprintf(seed, sizeof(seed), "%" PRIu64, about->seed);
	if (!getenv("OPENCLAW_SEED"))
		options.seed = seed;
	if (claw_fault_plan_load(&options, &try->plan, try->problem,
				 sizeof(try->problem)) < 0)
		return;
	try->has_plan = true;
	resolve_places(try, program);
}

static bool expects_kernel_timeout(const struct claw_suite_case *about)
{
	return about->kind == CLAW_CASE_CLW && about->expect.fault &&
	       strcmp(about->expect.fault, "clw-kernel-timeout") == 0;
}

/* A test that must not end has its time from its launch on: what a driver
 * needs to start and to compile says nothing about the kernel. */
static uint64_t time_of_launch(const struct claw_test_try *try)
{
	uint64_t timeout_ms = try->spec.timeout_ms, ran_ms;
	uint64_t step_ms = timeout_ms < START_STEP_MS ? START_STEP_MS :
			   timeout_ms;
	struct claw_test_where where;

	if (claw_test_where_read(try->session, false, &where) < 0)
		return 0;
	if (where.launch_mono_ns == 0)
		return try->waited_ms < STARTS_MAX * step_ms ? step_ms : 0;
	ran_ms = (claw_clock_mono_ns() - where.launch_mono_ns) / 1000000;
	return ran_ms < timeout_ms ? timeout_ms - ran_ms : 0;
}

/* The time grows by what the rules have delayed so far. */
static uint64_t more_time(void *user)
{
	struct claw_test_try *try = user;
	uint64_t delayed_ms = claw_evidence_delayed_ns(try->session) / 1000000;
	uint64_t more = delayed_ms > try->granted_ms ?
			delayed_ms - try->granted_ms : 0, waited = 0;

	try->granted_ms += more;
	if (more == 0 && expects_kernel_timeout(try->what->about))
		waited = time_of_launch(try);
	try->waited_ms += waited;
	return more + waited;
}

/* Its own, or the command line's. What is wrong with them has been told when
 * the suite was read; a file of them may have changed since. */
static void load_models(struct claw_test_try *try)
{
	char **words = try->what->about->models;
	struct claw_strings models = {
		.items = (const char **)(uintptr_t)words,
	};

	while (words && words[models.count])
		models.count++;
	claw_models_compile(&models, &try->models, try->problem,
			    sizeof(try->problem));
}

static int open_session(struct claw_test_try *try)
{
	struct claw_session_config config = {
		.record = CLAW_RECORD_LAST, .seed = try->plan.seed,
	};
	char *directory = claw_path_in(try->directory, "session");
	char **rules = try->has_plan ? claw_fault_plan_texts(&try->plan) :
		       NULL;
	int ret;

	config.models = try->models ? try->models :
			try->what->selection->models_text;
	if (claw_test_case_has_guards(try->what))
		claw_guards_configure(&config);
	config.probes = try->what->selection->probes;
	config.probes.modes |= try->what->under->row->probes;
	if (!(try->what->under->row->probes & CLAW_PROBE_ASAN))
		config.probes.modes &= ~(uint32_t)CLAW_PROBE_ARITHMETIC;
	if (!(try->what->under->row->probes & CLAW_PROBE_RACES))
		config.probes.modes &= ~(uint32_t)CLAW_PROBE_SAME_VALUE;
	ret = claw_session_new(directory, rules, try->plan.rules.count, &config,
			       &try->session);
	free(rules);
	free(directory);
	return ret;
}

/* ---- the try ----------------------------------------------------------- */

/* The tool's words before the program's. */
static int start_tool(struct claw_test_try *try, char *const *words,
		      const struct claw_under_config *config)
{
	const struct claw_test_case *what = try->what;
	struct claw_under_config for_case = *config;
	int ret;

	for_case.api_errors_expected = what->suite->api_errors_expected;
	if (what->about->kind == CLAW_CASE_SIM)
		return claw_sim_start(what->about->file, try->directory,
				      &try->under);
	ret = claw_under_start(what->under, &for_case, try->directory, words,
			       &try->under);
	if (ret == 0)
		claw_under_set_session(&try->under, try->session->directory,
				       what->about->kind == CLAW_CASE_CLW ?
				       what->about->file : NULL);
	return ret;
}

/* Everything between the directory and the spec. words: of the program. */
static int prepare(struct claw_test_try *try, char *const *words,
		   const struct claw_under_config *config)
{
	int ret;

	if (words)		/* a .sim file has none */
		load_faults(try, words[0]);
	load_models(try);
	ret = open_session(try);
	if (ret == 0)
		ret = start_tool(try, words, config);
	if (ret < 0)
		return ret;
	set_own_variables(try);
	return join_environment(try);
}

static int prepare_case(struct claw_test_try *try,
			const struct claw_under_config *config)
{
	const struct claw_test_case *what = try->what;
	const struct claw_suite_case *about = what->about;
	char case_option[] = "--case", file_option[] = "--file",
	     test_option[] = "--test";
	char *frame[] = { what->suite->program, case_option, about->name,
			  NULL };
	char *clw[] = { NULL, file_option, about->file, test_option,
			about->test, NULL };
	int ret;

	switch (about->kind) {
	case CLAW_CASE_FRAME:
		return prepare(try, frame, config);
	case CLAW_CASE_CLW:
		clw[0] = claw_kernel_program();
		ret = prepare(try, clw, config);
		free(clw[0]);
		return ret;
	default:
		return prepare(try, about->words, config);
	}
}

static void fill_spec(struct claw_test_try *try)
{
	const struct claw_test_case *what = try->what;

	try->spec = (struct claw_run_spec){
		.argv = try->under.argv,
		.set_env = try->environment,
		.directory = try->under.directory ? try->under.directory :
			     what->about->directory,
		.stdin_mode = try->under.stdin_path ? CLAW_STDIN_FILE :
			      CLAW_STDIN_EMPTY,
		.stdin_path = try->under.stdin_path,
		.timeout_ms = what->timeout_ms,
		.stdout_path = try->under.stdout_path,
		.stderr_path = try->under.stderr_path,
		.file_max_bytes = KEPT_BYTES,
		.save_stacks = true,
		.no_core = true,
		/* Marks its descendants: no other run has this directory. */
		.case_id = try->directory,
		.more_time_ms = more_time,
		.more_time_user = try,
	};
}

int claw_test_try_init(struct claw_test_try *try,
		       const struct claw_test_case *what, unsigned int number,
		       const char *directory,
		       const struct claw_under_config *config)
{
	int ret, error;

	memset(try, 0, sizeof(*try));
	try->what = what;
	try->number = number;
	ret = claw_make_directories(directory);
	if (ret == 0) {
		try->directory = claw_strdup(directory);
		ret = prepare_case(try, config);
	}
	if (ret == 0) {
		fill_spec(try);
		return 0;
	}
	error = errno;
	claw_test_try_release(try);
	errno = error;
	return ret;
}

void claw_test_try_release(struct claw_test_try *try)
{
	free(try->environment);
	for (size_t i = 0; i < sizeof(try->owned) / sizeof(*try->owned); i++)
		free(try->owned[i]);
	claw_under_run_release(&try->under);
	claw_session_free(try->session);
	if (try->has_plan)
		claw_fault_plan_release(&try->plan);
	free(try->models);
	free(try->result_path);
	free(try->xml_path);
	free(try->log_path);
	free(try->directory);
	memset(try, 0, sizeof(*try));
}
