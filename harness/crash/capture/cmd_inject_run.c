/* SPDX-License-Identifier: Apache-2.0 */
/* Run a program in a session, and end as it does. */
#include "config.h"

#include "cmd_inject.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capturing.h"
#include "harness/records/cmd_ended.h"
#include "harness/records/diagnosis.h"
#include "harness/session/door.h"
#include "harness/base/errors.h"
#include "harness/evidence/evidence.h"
#include "inject_tool.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/process/runner.h"
#include "harness/evidence/unseen.h"
#include "harness/evidence/why_not.h"
#include "harness/base/words.h"

enum { EXIT_TIMEOUT = 124 };

/* ---- before it -------------------------------------------------------- */

void claw_inject_load(const struct claw_fault_options *options,
		      struct claw_fault_plan *ret_plan)
{
	char error[1024];
	int ret = claw_fault_plan_load(options, ret_plan, error,
				       sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_NOT_FOUND ? CLAW_EXIT_INFRA :
			 CLAW_EXIT_USAGE, "%s", error);
}

void claw_inject_look(const char *program, struct claw_fault_plan *plan,
		      struct claw_program *ret_program)
{
	char error[1024];

	claw_via_choose(NULL);
	*ret_program = (struct claw_program){ .path = NULL };
	if (!program)
		return;
	claw_cmd_look_at_program(program, ret_program);
	claw_via_choose(ret_program);
	if (claw_fault_plan_resolve(plan, ret_program, error,
				    sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
}

/* ---- what fired ------------------------------------------------------- */

static void print_rule_counts(FILE *out, const struct claw_fault_plan *plan,
			      const struct claw_evidence *evidence)
{
	for (size_t i = 0; i < plan->rules.count; i++) {
		const struct claw_rule_count *rule = &evidence->rules[i];

		fprintf(out, "%s%s ", i ? "; " : "", plan->given[i]);
		if (rule->fired == 0 && rule->matched == 0)
			fputs("matched no call", out);
		else
			fprintf(out, "fired %" PRIu64 " of %" PRIu64
				" match%s", rule->fired, rule->matched,
				rule->matched == 1 ? "" : "es");
		if (rule->fired && rule->api &&
		    strcspn(plan->given[i], "*?@") <
		    strcspn(plan->given[i], ":"))
			fprintf(out, ", first in %s", rule->api);
		if (rule->fired && rule->place)
			fprintf(out, " at %s", rule->place);
	}
}

static uint64_t count_fired(const struct claw_evidence *evidence)
{
	uint64_t fired = 0;

	for (size_t i = 0; i < evidence->rule_count; i++)
		fired += evidence->rules[i].fired;
	return fired;
}

const char *claw_inject_code(const struct claw_fault_plan *plan,
			     const struct claw_evidence *evidence)
{
	bool delayed = false;

	for (size_t i = 0; evidence->rules && i < plan->rules.count; i++) {
		const struct claw_rule *rule = &plan->rules.rules[i];

		if (evidence->rules[i].fired == 0)
			continue;
		if (rule->fault != CLAW_FAULT_NONE)
			return claw_fault_table[rule->fault].code;
		delayed = true;
	}
	return delayed ? claw_diagnosis_of_fault(CLAW_FAULT_NONE) : NULL;
}

/* Memory that took too long, with the fault or by itself. */
static void say_slow(const struct claw_evidence *evidence)
{
	char *text = claw_evidence_slow(evidence, CLAW_INJECT_MAX_SLOW);

	claw_warn_lines(text);
	free(text);
}

static void print_misuse(FILE *out, const struct claw_evidence *evidence)
{
	char *call;

	if (!evidence->misuse)
		return;
	call = claw_evidence_misuse(evidence, 1);
	fprintf(out, "; %" PRIu64 " use%s of a NULL or dead handle",
		evidence->misuse, evidence->misuse == 1 ? "" : "s");
	if (call)
		fprintf(out, "%s in %.*s", evidence->misuse == 1 ? "" :
			", the first", (int)strcspn(call, "\n"), call);
	free(call);
}

char *claw_inject_summary(const struct claw_fault_plan *plan,
			  const struct claw_strings *models,
			  const struct claw_evidence *evidence)
{
	uint64_t fired = count_fired(evidence);
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (plan->rules.count == 0)
		fputs("no fault was requested", out);
	else
		fprintf(out, "%" PRIu64 " fault%s (INJECTED): ", fired,
			fired == 1 ? "" : "s");
	print_rule_counts(out, plan, evidence);
	print_misuse(out, evidence);
	fputs(claw_door_words(evidence), out);
	if (models->count) {
		fputc(';', out);
		claw_models_put(models, out);
	}
	fprintf(out, "; seed %" PRIu64, plan->seed);
	claw_text_end(out);
	return text;
}

/* ---- transparent ------------------------------------------------------ */

/* A directory of somebody else's is not written into. */
static void check_session_directory(const char *output)
{
	char *rules = NULL;
	struct stat status;

	if (!output || rmdir(output) == 0)
		return;
	if (errno == ENOENT)
		return;
	if (stat(output, &status) < 0 || !S_ISDIR(status.st_mode))
		claw_die(CLAW_EXIT_USAGE, "--output: %s: %s", output,
			 strerror(ENOTDIR));
	rules = claw_format("%s/rules", output);
	if (access(rules, F_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--output: %s: expected a new directory "
			 "or a session of openclaw, found another", output);
	free(rules);
}

static struct claw_session *open_session(const struct claw_transparent_run *run)
{
	const struct claw_fault_plan *plan = run->plan;
	char **texts = claw_fault_plan_texts(plan), *beside = NULL;
	const char *output = run->output;
	struct claw_session *session = NULL;
	int ret;

	if (run->capturing && !output)
		output = beside = claw_capturing_session(run->capturing);
	ret = claw_session_new(output, texts, plan->rules.count,
				       run->config, &session);
	free(texts);
	if (ret == -CLAW_E_IO && output)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", output, strerror(errno));
	free(beside);
	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_INFRA, "cannot create a session directory "
			 "in %s (TMPDIR): %s",
			 claw_session_temporary_base(), strerror(errno));
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	if (run->capturing && !run->output)
		session->temporary = true;
	return session;
}

/* End as the program did, so that a shell sees the same. */
static int end_alike(const struct claw_run_result *result)
{
	struct rlimit none = { 0, 0 };
	sigset_t set;

	if (result->end == CLAW_END_TIMEOUT)
		return EXIT_TIMEOUT;
	if (result->end != CLAW_END_SIGNAL)
		return result->code;
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &none);
	signal(result->code, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, result->code);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(result->code);
	return 128 + result->code;
}

/* "; the program was ended by SIGSEGV", or another thing that our own status
 * hides; "" after a good end. */
static const char *hidden_end(const struct claw_run_result *result)
{
	static char text[192];

	text[0] = '\0';
	if (claw_runner_left_processes())
		snprintf(text, sizeof(text), "; processes it left running are "
			 "not counted");
	else if (result->end == CLAW_END_SIGNAL)
		snprintf(text, sizeof(text), "; the program was killed by %s",
			 claw_signal_words(result->code));
	else if (result->end == CLAW_END_EXIT && result->code != 0)
		snprintf(text, sizeof(text), "; the program exited with "
			 "status %d", result->code);
	return text;
}

/* Status when nothing can be said of the faults, or -1. */
static int check_injected(const struct claw_transparent_run *run,
			  const struct claw_evidence *evidence,
			  const struct claw_session *session,
			  const struct claw_run_result *result,
			  const char *unseen)
{
	const struct claw_fault_plan *plan = run->plan;
	size_t unreached;
	char *text;

	if (evidence->plan_error) {
		claw_warn("infra: the layer refused the plan: %s",
			  evidence->plan_error);
		return CLAW_EXIT_INFRA;
	}
	if (evidence->count == 0 && !claw_session_has_room(session)) {
		claw_warn("infra: no space for a journal in %s%s",
			  session->directory, hidden_end(result));
		return CLAW_EXIT_INFRA;
	}
	if (!claw_evidence_has_handshake(evidence)) {
		text = claw_program_why_not(run->program, evidence);
		if (run->capturing && plan->rules.count == 0)
			claw_warn("nothing captured: %s: %s%s",
				  run->program->path, text ? text :
				  "no OpenCL call was seen", hidden_end(result));
		else
			claw_warn("not-injected: %s: %s%s; seed %" PRIu64,
				  run->program->path, text ? text :
				  "no OpenCL call was seen", hidden_end(result),
				  plan->seed);
		free(text);
		return CLAW_EXIT_NOT_REACHED;
	}
	if (unseen) {
		claw_warn("not-injected: %s%s; seed %" PRIu64, unseen,
			  hidden_end(result), plan->seed);
		return CLAW_EXIT_NOT_REACHED;
	}
	text = claw_evidence_gap(evidence);
	if (text) {
		claw_warn("infra: %s, so the list of fired faults is "
			  "incomplete; seed %"
			  PRIu64, text, plan->seed);
		free(text);
		return CLAW_EXIT_INFRA;
	}
	unreached = claw_evidence_first_unreached(evidence, plan->rules.rules);
	if (unreached == plan->rules.count)
		return -1;
	text = claw_inject_summary(plan, run->models, evidence);
	claw_warn("not-reached: %s%s", text, run->allow_not_reached ? "" :
		  hidden_end(result));
	free(text);
	return CLAW_EXIT_NOT_REACHED;
}

static void say_journals(const struct claw_evidence *evidence,
			 const struct claw_session *session)
{
	for (size_t i = 0; i < evidence->count; i++) {
		const struct claw_journal *journal = evidence->journals[i];
		const struct claw_journal_header *header =
			claw_journal_get_header(journal);

		claw_warn("process %u (%s%s): %" PRIu64 " calls, %zu threads, via %s",
			  header->pid,
			  claw_journal_get_string(journal, header->exe_string),
			  header->forked ? ", forked" : "",
			  claw_journal_get_total_calls(journal),
			  claw_journal_get_thread_count(journal),
			  header->door == CLAW_DOOR_ICD ? "icd" : "layer");
	}
	if (evidence->unreadable)
		claw_warn("cannot read %zu journals",
			  evidence->unreadable);
	if (!session->temporary)
		claw_warn("the session is in %s", session->directory);
}

/* "set environment NAME=VALUE" words for gdb, before the program's own. */
static char **gdb_argv(const struct claw_session *session, char *const *argv)
{
	size_t variables = 0, words = 0, at = 0;
	char **all;

	while (session->environment[variables])
		variables++;
	while (argv[words])
		words++;
	all = claw_calloc(2 * variables + words + 4, sizeof(*all));
	all[at++] = (char *)"gdb";
	for (char **entry = session->environment; *entry; entry++) {
		const char *value = strchr(*entry, '=');

		all[at++] = (char *)"-iex";
		all[at++] = claw_format(
			"%sset environment %.*s%s%s", value ? "" : "un",
			value ? (int)(value - *entry) : (int)strlen(*entry),
			*entry, value ? " = " : "", value ? value + 1 : "");
	}
	all[at++] = (char *)"--args";
	for (size_t i = 0; i < words; i++)
		all[at++] = argv[i];
	return all;
}

/* ---- the run ------------------------------------------------------------ */

/* What fired, where that was asked for. */
static void say_summary(const struct claw_transparent_run *run,
			const struct claw_evidence *evidence)
{
	char *text;

	if (!run->capturing || run->plan->rules.count || run->models->count) {
		text = claw_inject_summary(run->plan, run->models, evidence);
		claw_warn("%s", text);
		free(text);
	}
	say_slow(evidence);
}

/* What can be said of a run that was one: its exit status, or -1. */
static int look_at_run(const struct claw_transparent_run *run,
		       struct claw_session *session,
		       const struct claw_run_result *result,
		       const struct claw_judged_tool *tool,
		       struct claw_under_run *under, const char *unseen)
{
	struct claw_evidence evidence;
	int status, found = -1;

	if (claw_evidence_read(session, run->plan->rules.count, &evidence) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot read the journals in %s",
			 session->directory);
	if (result->end == CLAW_END_TIMEOUT)
		claw_warn("%s did not exit within %g s and was killed",
			  run->argv[0], (double)run->timeout_ms / 1e3);
	if (run->verbose)
		say_journals(&evidence, session);
	if (run->under)
		found = claw_inject_tool_report(tool, under, result);
	status = check_injected(run, &evidence, session, result, unseen);
	if (status < 0)
		say_summary(run, &evidence);
	if (status == CLAW_EXIT_NOT_REACHED && run->allow_not_reached)
		status = -1;
	if (status < 0)
		status = found;
	claw_evidence_release(&evidence);
	return status;
}

static int run_program(const struct claw_transparent_run *run,
		       const struct claw_session *session,
		       const struct claw_run_spec *spec,
		       struct claw_run_result *result)
{
	if (run->capturing)
		return claw_capturing_run(run->capturing, session, spec,
					  result);
	return claw_run_once(spec, result);
}

int claw_transparent_run(const struct claw_transparent_run *run)
{
	struct claw_session *session;
	struct claw_run_result result = { .end = CLAW_END_INFRA };
	struct claw_judged_tool tool = { .directory = NULL };
	struct claw_under_run under = { .argv = NULL };
	struct claw_unseen *watching = NULL;
	char *unseen = NULL;
	int status;

	check_session_directory(run->output);
	session = open_session(run);
	char **for_gdb = run->gdb ? gdb_argv(session, run->argv) : NULL;
	struct claw_run_spec spec = {
		.argv = for_gdb ? for_gdb : run->argv,
		.set_env = for_gdb ? NULL : session->environment,
		.stdin_mode = run->stdin_path && !for_gdb ? CLAW_STDIN_FILE :
			CLAW_STDIN_INHERIT,
		.stdin_path = run->stdin_path,
		.foreground = true,
		.timeout_ms = run->timeout_ms,
		.save_stacks = run->capturing != NULL,
		.started = run->capturing ? NULL : claw_unseen_begin,
		.started_user = &watching,
	};

	if (run->verbose)
		claw_warn("seed %" PRIu64 ", session %s", run->plan->seed,
			  session->directory);
	if (run->under) {
		claw_inject_tool_make(run->under, session->directory,
				      false, &tool);
		status = CLAW_EXIT_SKIPPED;
		if (tool.under.why[0])
			goto out;
		claw_inject_tool_start(&tool, session, run->argv, &under,
				       &spec);
	}
	if (run_program(run, session, &spec, &result) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(-CLAW_E_SPAWN));
	unseen = claw_unseen_end(watching);
	status = result.end == CLAW_END_CANCELLED ? CLAW_EXIT_UNKNOWN :
		claw_cmd_not_started(&result, spec.argv[0]);
	if (status >= 0)
		goto out;
	status = look_at_run(run, session, &result, &tool, &under, unseen);
	if (run->capturing)
		claw_capturing_end(run->capturing, session, &result);
out:
	claw_under_run_release(&under);
	claw_judged_tool_release(&tool);
	claw_session_free(session);
	if (run->capturing)
		claw_capturing_leave(run->capturing);
	free(for_gdb);
	free(unseen);
	if (status < 0)
		status = end_alike(&result);
	claw_run_result_release(&result);
	return status;
}
