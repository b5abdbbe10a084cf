/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start openclaw-kernel for one test, with the layer in it, and find out how
 * it ended.
 */
#include "config.h"

#include "workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/dump/dump_meta.h"
#include "dump_store.h"
#include "dump_take.h"
#include "cmd_inject.h"
#include "harness/evidence/evidence.h"
#include "harness/check/guard_findings.h"
#include "harness/check/kernel_findings.h"
#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "harness/base/text.h"
#include "harness/session/session.h"

enum {
	DEFAULT_TIMEOUT_MS = 60 * 1000,
	MAX_SLOW = 20,
	/* As suites/suite_main.h says, and openclaw-kernel does. */
	CASE_HELD = 0, CASE_FAILED = 1, CASE_REFUSED = 64, CASE_SKIPPED = 77,
};

static const char *const end_names[CLAW_WORKLOAD_END_COUNT] = {
	[CLAW_WORKLOAD_OK] = "ok",
	[CLAW_WORKLOAD_FAILED] = "failed",
	[CLAW_WORKLOAD_CRASH] = "crash",
	[CLAW_WORKLOAD_HANG] = "hang",
	[CLAW_WORKLOAD_SKIPPED] = "skipped",
	[CLAW_WORKLOAD_REFUSED] = "refused",
	[CLAW_WORKLOAD_NOT_INJECTED] = "not-injected",
	[CLAW_WORKLOAD_CANCELLED] = "cancelled",
	[CLAW_WORKLOAD_INFRA] = "infra",
};

const char *claw_workload_end_name(enum claw_workload_end end)
{
	return end_names[end];
}

/* ---- how it ended ---------------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static void decide(struct claw_workload_result *result,
		   enum claw_workload_end end, const char *format, ...)
{
	va_list args;

	result->end = end;
	va_start(args, format);
	vsnprintf(result->message, sizeof(result->message), format, args);
	va_end(args);
	result->message[strcspn(result->message, "\n")] = '\0';
}

/* Did openclaw-kernel say that it launches? */
static bool was_launched(const struct claw_run_result *run)
{
	return run->out.head &&
	       memmem(run->out.head, run->out.head_bytes, "launch ", 7);
}

static void decide_failed(struct claw_workload_result *result)
{
	const struct claw_case_report *report = &result->report;
	const struct claw_case_test *test = &report->tests[0];

	if (report->test_count == 0) {
		decide(result, CLAW_WORKLOAD_INFRA, "openclaw-kernel exited "
		       "with status 1 but did not report what failed");
		return;
	}
	decide(result, CLAW_WORKLOAD_FAILED, "%s", test->message);
	if (*test->place)
		result->place = claw_strdup(test->place);
	result->code = report->code;
	for (size_t i = 0; !result->code && i < report->findings.count; i++)
		result->code = claw_finding_code(&report->findings.items[i]);
}

static void decide_exit(struct claw_workload_result *result, int status)
{
	const struct claw_case_report *report = &result->report;

	switch (status) {
	case CASE_HELD:
		if (report->ended && report->test_count == 1 &&
		    strcmp(report->tests[0].word, "PASSED") == 0)
			result->end = CLAW_WORKLOAD_OK;
		else
			decide(result, CLAW_WORKLOAD_INFRA, "openclaw-kernel "
			       "exited with status 0 but did not report that "
			       "it ran");
		break;
	case CASE_FAILED:
		decide_failed(result);
		break;
	case CASE_SKIPPED:
		decide(result, CLAW_WORKLOAD_SKIPPED, "%s", report->skip ?
		       report->skip : "no reason was given");
		break;
	case CASE_REFUSED:
		decide(result, CLAW_WORKLOAD_REFUSED, "%s", result->err);
		break;
	default:
		decide(result, CLAW_WORKLOAD_INFRA, "openclaw-kernel exited "
		       "with status %d%s%s", status, *result->err ? ": " : "",
		       result->err);
	}
}

static void decide_end(struct claw_workload_result *result,
		       const struct claw_run_result *run,
		       const struct claw_run_spec *spec)
{
	const char *name;

	switch (run->end) {
	case CLAW_END_EXIT:
		decide_exit(result, run->code);
		break;
	case CLAW_END_SIGNAL:
		name = sigabbrev_np(run->code);
		result->signal = run->code;
		decide(result, CLAW_WORKLOAD_CRASH, "killed by signal %d%s%s, "
		       "%s the launch", run->code, name ? ", SIG" : "",
		       name ? name : "", was_launched(run) ? "after" :
		       "before");
		result->code = was_launched(run) ? "clw-gpu-crash" :
						   "clw-driver-crash";
		break;
	case CLAW_END_TIMEOUT:
		decide(result, CLAW_WORKLOAD_HANG, "not finished after %g s, "
		       "%s the launch", (double)spec->timeout_ms / 1000,
		       was_launched(run) ? "after" : "before");
		result->code = was_launched(run) ? "clw-kernel-timeout" :
						   "clw-kernel-compile-timeout";
		break;
	case CLAW_END_CANCELLED:
		decide(result, CLAW_WORKLOAD_CANCELLED, "interrupted");
		break;
	default:
		decide(result, CLAW_WORKLOAD_INFRA, "cannot start %s: %s",
		       spec->argv[0],
		       strerror(run->end == CLAW_END_NOT_FOUND ? ENOENT :
				run->code));
	}
}

static void fail_by(struct claw_workload_result *result,
		    const struct claw_finding *finding)
{
	/* Where it is in a kernel is only there. */
	char *sentence = finding->line > 0 ? claw_finding_sentence(finding) :
		NULL;

	decide(result, CLAW_WORKLOAD_FAILED, "%s", sentence ? sentence :
	       finding->what);
	result->code = claw_finding_code(finding);
	if (!result->place && *finding->file && finding->line > 0)
		result->place = claw_format("%s:%u", finding->file,
					    finding->line);
	free(sentence);
}

/* What was written outside of what openclaw-kernel made fails what held. */
static void decide_found(struct claw_workload_result *result, size_t from,
			 const char *what, const char *gap)
{
	const struct claw_findings *findings = &result->report.findings;

	if (findings->count > from && result->end == CLAW_WORKLOAD_OK)
		fail_by(result, &findings->items[from]);
	else if (gap && result->end == CLAW_WORKLOAD_OK)
		decide(result, CLAW_WORKLOAD_NOT_INJECTED, "passed, but its "
		       "%s are not all known: %s", what, gap);
}

static int check_guards(struct claw_workload_result *result,
			const struct claw_session *session)
{
	struct claw_guard_look look;
	size_t from = result->report.findings.count;
	int ret = claw_guard_findings(session, true, &result->report.findings,
				      &look);

	if (ret < 0)
		return ret;
	decide_found(result, from, "guard zones", look.gap);
	claw_guard_look_release(&look);
	return 0;
}

static int check_kernels(struct claw_workload_result *result,
			 const struct claw_session *session,
			 const struct claw_clw *clw)
{
	size_t from = result->report.findings.count;
	char *gap;
	int ret = claw_kernel_findings(session, clw->source_path,
				       &result->report.findings, &gap);

	if (ret < 0)
		return ret;
	/* It says more of a wrong result than the result does. */
	if (result->report.findings.count > from &&
	    result->end == CLAW_WORKLOAD_FAILED)
		result->end = CLAW_WORKLOAD_OK;
	decide_found(result, from, "kernels", gap);
	free(gap);
	return 0;
}

/* A fault that did not fire is never a result. */
static void check_faults(struct claw_workload_result *result,
			 const struct claw_fault_plan *plan,
			 const struct claw_evidence *evidence)
{
	static const struct claw_strings no_models;

	if (!plan->rules.count)
		return;
	result->faults = claw_inject_summary(plan, &no_models, evidence);
	if (result->code)
		result->code = claw_inject_code(plan, evidence);
	for (size_t i = 0; i < evidence->rule_count; i++) {
		const char *given = plan->given[i];

		if (evidence->rules[i].fired ||
		    result->end == CLAW_WORKLOAD_CANCELLED ||
		    result->end == CLAW_WORKLOAD_INFRA)
			continue;
		decide(result, CLAW_WORKLOAD_NOT_INJECTED, "%s did not fire",
		       given);
		result->code = NULL;
		return;
	}
}

/* No handshake is never a pass. */
static int check_handshake(struct claw_workload_result *result,
			   const struct claw_session *session,
			   const struct claw_fault_plan *plan)
{
	struct claw_evidence evidence;
	int ret;

	ret = claw_evidence_read(session, plan->rules.count, &evidence);
	if (ret < 0)
		return ret;
	check_faults(result, plan, &evidence);
	result->slow = claw_evidence_slow(&evidence, MAX_SLOW);
	if (result->end == CLAW_WORKLOAD_OK &&
	    !claw_evidence_has_handshake(&evidence))
		decide(result, CLAW_WORKLOAD_NOT_INJECTED, "passed, but %s",
		       evidence.hooked_slots > 0 ? "no OpenCL call went "
		       "through the layer" : "the OpenCL loader did not load "
		       "the layer");
	claw_evidence_release(&evidence);
	return 0;
}

/* Nothing that is told of the test depends on it: what cannot be kept is
 * not. */
static void keep_dump(struct claw_workload_result *result,
		      const struct claw_session *session,
		      const struct claw_workload_config *config,
		      const struct claw_run_result *run)
{
	const struct claw_dump_taking taking = {
		.session = session->directory, .directory = config->dumps,
		.max_dumps = CLAW_DUMPS_MAX,
		.max_bytes = (uint64_t)CLAW_DUMPS_MAX_MIB << 20,
		.result = run,
	};
	struct claw_dumps_made made;

	claw_dump_take(&taking, &made);
	if (made.count)
		result->dump = claw_strdup(made.items[0].path);
	claw_dumps_made_release(&made);
}

static void write_about(const struct claw_session *session, char *const *argv)
{
	json_t *about = claw_dump_about_new(argv, false);

	claw_dump_about_write(about, session->directory);
	json_decref(about);
}

/* ---- the run --------------------------------------------------------- */

static int set_environment(struct claw_session *session,
			   const struct claw_workload_config *config,
			   char **ret_result_path)
{
	int ret;

	*ret_result_path = claw_path_in(session->directory, "result");
	ret = claw_session_setenv(session, "OPENCLAW_CASE_RESULT",
				  *ret_result_path);
	if (ret == 0 && config->device)
		ret = claw_session_setenv(session, "CLW_DEVICE_ID",
					  config->device);
	/* Buffers must be as large as the file says. */
	if (ret == 0 && config->probes.modes & CLAW_PROBE_CHECKS)
		ret = claw_session_setenv(session, "OPENCLAW_GUARD", "0");
	return ret;
}

/* program: openclaw-kernel's path. */
static int run_in(struct claw_session *session, char *program,
		  const struct claw_clw *clw, const struct claw_clw_test *test,
		  const struct claw_workload_config *config,
		  struct claw_workload_result *result)
{
	char words[][16] = { "--file", "--test", "--metrics", "--seed",
			     "--repeat" };
	char seed[32], repeat[32], *result_path = NULL;
	char *argv[] = { program, words[0], clw->path, words[1],
			 test->case_name, words[2], words[3], seed,
			 config->repeat ? words[4] : NULL, repeat, NULL };
	struct claw_run_spec spec = {
		.argv = argv, .no_core = true,
		.timeout_ms = config->timeout_ms ? config->timeout_ms :
			test->timeout_ms ? test->timeout_ms :
			DEFAULT_TIMEOUT_MS,
	};
	struct claw_run_result run;
	int ret = set_environment(session, config, &result_path);

	if (ret < 0)
		goto out;
	snprintf(seed, sizeof(seed), "%" PRIu64, config->seed);
	snprintf(repeat, sizeof(repeat), "%" PRIu64, config->repeat);
	spec.set_env = session->environment;
	spec.save_stacks = config->dumps != NULL;
	if (config->dumps)
		write_about(session, argv);
	ret = claw_run_once(&spec, &run);
	if (ret < 0)
		goto out;
	claw_case_report_read(result_path, &result->report);
	result->err = claw_capture_text(&run.err);
	result->duration_us = run.duration_us;
	if (ret == 0)
		decide_end(result, &run, &spec);
	if (ret == 0 && config->guards)
		ret = check_guards(result, session);
	if (ret == 0 && config->probes.modes & CLAW_PROBE_CHECKS)
		ret = check_kernels(result, session, clw);
	if (ret == 0 && config->coverage) {
		claw_source_finder_add(config->coverage->finder,
				       clw->source_path);
		ret = claw_coverage_add(config->coverage, session);
	}
	if (ret == 0)
		ret = check_handshake(result, session, config->faults);
	if (ret == 0 && config->dumps)
		keep_dump(result, session, config, &run);
	claw_run_result_release(&run);
out:
	free(result_path);
	return ret < 0 ? ret : 0;
}

int claw_workload_run(const struct claw_clw *clw,
		      const struct claw_clw_test *test,
		      const struct claw_workload_config *config,
		      struct claw_workload_result *ret_result)
{
	struct claw_session_config session_config = {
		.record = CLAW_RECORD_LAST, .models = config->models,
		.probes = config->probes,
	};
	struct claw_workload_result result = { .end = CLAW_WORKLOAD_INFRA };
	struct claw_session *session = NULL;
	char *program = claw_kernel_program(), **rules;
	int ret;

	if (config->dumps)
		session_config.capture = (struct claw_session_capture){
			.buffers = CLAW_CAPTURE_HASH, .into = config->dumps,
		};
	if (config->guards)
		claw_guards_configure(&session_config);
	rules = claw_fault_plan_texts(config->faults);
	ret = claw_session_new(NULL, rules, config->faults->rules.count,
			       &session_config, &session);
	if (ret == 0)
		ret = run_in(session, program, clw, test, config, &result);
	claw_session_free(session);
	free(program);
	free(rules);
	if (ret < 0)
		claw_workload_result_release(&result);
	else
		*ret_result = result;
	return ret;
}

void claw_workload_result_release(struct claw_workload_result *result)
{
	claw_case_report_release(&result->report);
	free(result->place);
	free(result->err);
	free(result->slow);
	free(result->faults);
	free(result->dump);
	memset(result, 0, sizeof(*result));
}

static const char *find_value(const struct claw_case_fact *facts, size_t count,
			      const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(facts[i].key, key) == 0)
			return facts[i].value;
	return NULL;
}

const char *claw_workload_metric(const struct claw_workload_result *result,
				 const char *key)
{
	return find_value(result->report.metrics, result->report.metric_count,
			  key);
}

const char *claw_workload_fact(const struct claw_workload_result *result,
			       const char *key)
{
	return find_value(result->report.facts, result->report.fact_count,
			  key);
}
