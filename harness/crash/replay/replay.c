/* SPDX-License-Identifier: Apache-2.0 */
/* One replay: openclaw-replay in a session of its own, and what it showed. */
#include "config.h"

#include "replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/judge/judged_tool.h"
#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "harness/crash/player/player_report.h"
#include "replay_crash.h"
#include "replay_report.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"
#include "harness/base/text.h"

enum { DEFAULT_TIMEOUT_MS = 60 * 1000 };

/* What one replay needs; all of it is released at its end. */
struct replaying {
	const struct claw_replay_spec *spec;
	const char *wanted;
	struct claw_replay_result *result;
	struct claw_session *session;
	char *models;
	char *program, *dump_path, *report_path, *faults_path;
	struct claw_judged_tool tool;
	struct claw_under_run under;
	bool has_tool;
	struct claw_replay_faults faults;
	struct claw_run_result run;
};

__attribute__((format(printf, 2, 3)))
static int cannot(struct replaying *r, const char *format, ...)
{
	va_list args;

	r->result->end = CLAW_REPLAY_INFRA;
	free(r->result->why);
	va_start(args, format);
	r->result->why = claw_vformat(format, args);
	va_end(args);
	return 0;
}

/* ---- before it -------------------------------------------------------- */

/* The lines of the captured session's file "models". */
static char *captured_models(const struct claw_dump *dump)
{
	const json_t *lines = json_object_get(dump->meta, "models");
	char *text = NULL;
	size_t size, i;
	json_t *line;
	FILE *out = claw_text_begin(&text, &size);

	json_array_foreach(lines, i, line)
		if (json_is_string(line))
			fprintf(out, "%s\n", json_string_value(line));
	claw_text_end(out);
	return text;
}

static int make_session(struct replaying *r)
{
	struct claw_session_config config = {
		.allow_illegal = true,
		.ledger = CLAW_LEDGER_SITES,
		.capture = { .buffers = CLAW_CAPTURE_NONE },
	};

	r->models = r->spec->model ? claw_strdup(r->spec->model) :
		captured_models(r->spec->dump);
	config.models = *r->models ? r->models : NULL;
	return claw_session_new(r->spec->directory, NULL, 0, &config,
				&r->session);
}

/* A dump of the trace alone, for the program to read. */
static int write_dump(struct replaying *r)
{
	const struct claw_trace *trace = r->spec->trace;
	struct claw_dump_writer *writer = NULL;
	int ret;

	r->dump_path = claw_path_in(r->session->directory, "calls.dmp");
	ret = claw_dump_writer_new(r->dump_path, "calls to be replayed\n",
				   &writer);
	if (ret < 0)
		return ret;
	ret = claw_dump_write_trace(writer, trace);
	if (ret < 0)
		claw_dump_writer_cancel(writer);
	else
		ret = claw_dump_writer_finish(writer);
	return ret;
}

static int write_faults(struct replaying *r)
{
	FILE *out;

	claw_replay_faults_find(r->spec->trace, r->spec->dump, &r->faults);
	r->faults_path = claw_path_in(r->session->directory, "failures");
	out = fopen(r->faults_path, "we");
	if (!out)
		return -CLAW_E_IO;
	for (size_t i = 0; i < r->faults.count; i++)
		fprintf(out, "%u\t%s\n", r->faults.items[i].call + 1,
			r->faults.items[i].text);
	r->result->injected = (uint32_t)r->faults.count;
	return fclose(out) == 0 ? 0 : -CLAW_E_IO;
}

static int make_ready(struct replaying *r)
{
	int ret = make_session(r);

	if (ret < 0)
		return ret;
	r->program = claw_libexec_program("openclaw-replay");
	r->report_path = claw_path_in(r->session->directory, "replay");
	if (r->spec->dump_path)
		r->dump_path = claw_strdup(r->spec->dump_path);
	else
		ret = write_dump(r);
	if (ret == 0 && !r->spec->no_faults)
		ret = write_faults(r);
	return ret;
}

/* The tool's words, variables and logs. 0, or a negative error; why is set
 * when the tool is not here. */
static int start_tool(struct replaying *r, char *const *argv)
{
	const char *name = r->spec->under ? r->spec->under : "native";
	const struct claw_under_row *row = claw_under_find(name);
	char number[32];
	int ret;

	if (!row)
		return cannot(r, "there is no tool \"%s\"", name);
	r->has_tool = true;
	ret = claw_judged_tool_init(row, r->session->directory, true,
				    &r->tool);
	if (ret < 0)
		return ret;
	if (r->tool.under.why[0]) {
		r->result->has_no_device = true;
		return cannot(r, "--under %s: %s", name, r->tool.under.why);
	}
	ret = claw_judged_tool_start(&r->tool, r->session, argv, NULL,
				     &r->under);
	if (ret == 0 && r->spec->is_clean)
		ret = claw_session_setenv(r->session, "MALLOC_PERTURB_", "255");
	if (ret == 0 && r->spec->has_device) {
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)r->spec->device);
		ret = claw_session_setenv(r->session, "CLW_DEVICE_ID", number);
	}
	return ret;
}

/* ---- the run ---------------------------------------------------------- */

static int run_program(struct replaying *r)
{
	char *argv[10];
	size_t count = 0;
	int ret;

	argv[count++] = r->program;
	argv[count++] = (char *)"--report";
	argv[count++] = r->report_path;
	if (r->faults_path) {
		argv[count++] = (char *)"--faults";
		argv[count++] = r->faults_path;
	}
	if (r->spec->reads) {
		argv[count++] = (char *)"--reads";
		argv[count++] = (char *)r->spec->reads;
	}
	argv[count++] = r->dump_path;
	argv[count] = NULL;
	ret = start_tool(r, argv);
	if (ret < 0 || r->result->end == CLAW_REPLAY_INFRA)
		return ret;

	const struct claw_run_spec spec = {
		.argv = r->under.argv ? r->under.argv : argv,
		.set_env = r->session->environment,
		.stdin_mode = CLAW_STDIN_EMPTY,
		.stdout_path = r->under.stdout_path,
		.stderr_path = r->under.stderr_path,
		.timeout_ms = r->spec->timeout_ms ? r->spec->timeout_ms :
			DEFAULT_TIMEOUT_MS,
		.no_core = true,
	};

	return claw_run_once(&spec, &r->run) == 0 ? 0 : -CLAW_E_SPAWN;
}

/* Did the process come far enough to say anything? */
static int check_run(struct replaying *r, const char *said)
{
	const struct claw_run_result *run = &r->run;
	char *text;
	int ret;

	if (said) {
		r->result->has_no_device = run->end == CLAW_END_EXIT &&
			run->code == CLAW_PLAYER_NO_DEVICE;
		return cannot(r, "%s", said);
	}
	if (run->end == CLAW_END_SIGNAL || run->end == CLAW_END_TIMEOUT ||
	    (run->end == CLAW_END_EXIT && run->code == 0))
		return 0;
	if (run->end == CLAW_END_CANCELLED)
		return cannot(r, "cancelled");
	if (run->end != CLAW_END_EXIT)
		return cannot(r, "%s: %s", r->program, strerror(run->code));
	text = claw_capture_text(&run->err);
	ret = cannot(r, "openclaw-replay exited with status %d: %.500s",
		     run->code, text);
	free(text);
	return ret;
}

static void read_tool(struct replaying *r)
{
	struct claw_findings *found = claw_calloc(1, sizeof(*found));
	char *gap = NULL;

	claw_judged_tool_read(&r->tool, &r->under, NULL, found, &gap);
	r->result->found = found;
	free(gap);
}

/* ---- after it --------------------------------------------------------- */

/* A tool that ends no program: what it found of the kernel is the signature,
 * where there is no other. */
static void take_found(struct replaying *r)
{
	static const uint32_t bad = 1u << CLAW_FINDING_INVALID_READ |
		1u << CLAW_FINDING_INVALID_WRITE |
		1u << CLAW_FINDING_MISALIGNED | 1u << CLAW_FINDING_ARRAY_INDEX;
	const struct claw_findings *found = r->result->found;
	const char *kernel = r->spec->wanted_kernel;

	for (size_t i = 0; kernel && found && !*r->result->signature &&
	     i < found->count; i++) {
		const struct claw_finding *item = &found->items[i];

		if (!(bad & 1u << item->kind) ||
		    strcmp(item->kernel, kernel) != 0)
			continue;
		free(r->result->signature);
		r->result->signature = claw_format(
			"%s in %s", claw_finding_kind_name(item->kind), kernel);
		r->result->end = CLAW_REPLAY_SAME;
	}
}

static bool is_same(const struct replaying *r)
{
	const struct claw_replay_result *result = r->result;
	const char *calls = r->spec->wanted_calls;

	if (r->wanted && !*r->wanted)
		return !*result->signature && result->is_complete &&
			result->differing == 0 && result->skipped == 0;
	if (!r->wanted || !*result->signature)
		return false;
	return strcmp(result->signature, r->wanted) == 0 ||
		(calls && strcmp(result->signature, calls) == 0);
}

static int judge(struct replaying *r)
{
	struct claw_crash crash;
	int ret = claw_replay_crash_find(r->session, &r->run,
					 r->result->is_complete ?
					 r->spec->dump : NULL, &crash);

	if (ret == -CLAW_E_IO) {
		claw_crash_release(&crash);
		return ret;
	}
	if (ret < 0) {
		claw_crash_release(&crash);
		return cannot(r, "the layer was not loaded in "
			      "openclaw-replay, or its journal is damaged");
	}
	free(r->result->signature);
	r->result->signature = claw_strdup(claw_replay_is_of_calls(&crash) &&
				      crash.signature ? crash.signature : "");
	claw_crash_release(&crash);
	r->result->end = is_same(r) ? CLAW_REPLAY_SAME :
		*r->result->signature ? CLAW_REPLAY_OTHER :
		CLAW_REPLAY_NOTHING;
	take_found(r);
	return 0;
}

static int run_and_judge(struct replaying *r)
{
	char *said = NULL;
	int ret = run_program(r);

	if (ret < 0 || r->result->end == CLAW_REPLAY_INFRA)
		return ret;
	r->result->wall_ns = r->run.duration_us * 1000;
	claw_replay_report_read(r->report_path, r->result, &said);
	ret = check_run(r, said);
	if (ret == 0 && r->result->end != CLAW_REPLAY_INFRA)
		read_tool(r);
	if (ret == 0 && r->result->end != CLAW_REPLAY_INFRA)
		ret = judge(r);
	free(said);
	return ret;
}

static void release(struct replaying *r)
{
	claw_run_result_release(&r->run);
	claw_under_run_release(&r->under);
	if (r->has_tool)
		claw_judged_tool_release(&r->tool);
	claw_replay_faults_release(&r->faults);
	claw_session_free(r->session);
	free(r->models);
	free(r->program);
	free(r->dump_path);
	free(r->report_path);
	free(r->faults_path);
}

int claw_replay_run(const struct claw_replay_spec *spec, const char *wanted,
		    struct claw_replay_result *ret_result)
{
	struct replaying r = {
		.spec = spec, .wanted = wanted, .result = ret_result,
	};
	int ret;

	*ret_result = (struct claw_replay_result) {
		.end = CLAW_REPLAY_NOTHING,
		.signature = claw_strdup(""), .why = claw_strdup(""),
	};
	ret = make_ready(&r);
	if (ret == 0)
		ret = run_and_judge(&r);
	if (ret < 0 && ret != -CLAW_E_IO)
		ret = cannot(&r, "%s", claw_error_text(ret));
	release(&r);
	return ret;
}

void claw_replay_result_release(struct claw_replay_result *result)
{
	if (result->found) {
		claw_findings_release(result->found);
		free(result->found);
	}
	free(result->signature);
	free(result->why);
	free(result->device);
	free(result->reads);
	*result = (struct claw_replay_result) { .end = CLAW_REPLAY_INFRA };
}
