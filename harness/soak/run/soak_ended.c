/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of the program is over: was that an iteration, a failure of its own,
 * or what an injected fault asks for; and does the soak go on.
 */
#include "config.h"

#include "soak.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/capture/dump_store.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "soak_left.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/base/words.h"

enum { LONG_RUN_MS = 60 * 1000 };	/* so long is progress, too */

struct ending {
	const struct claw_run_result *result;
	struct claw_soak_left left;
	bool failed, is_injected;	/* failed because of a fault, in order */
	const char *kind;
	char *words;			/* its last ones, or NULL */
	char *path;			/* relative to the directory, or NULL */
	char text[CLAW_SOAK_TEXT];
};

/* ---- last words -------------------------------------------------------- */

/* The last line that is not empty, malloced, or NULL. */
static char *last_line(const struct claw_capture *capture)
{
	const char *bytes = capture->tail_bytes ? capture->tail : capture->head;
	size_t end = capture->tail_bytes ? capture->tail_bytes :
		capture->head_bytes, start;

	while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r'))
		end--;
	for (start = end; start > 0 && bytes[start - 1] != '\n'; start--)
		;
	if (end - start > CLAW_SOAK_TEXT / 2)
		end = start + CLAW_SOAK_TEXT / 2;
	return end > start ? claw_text_clean(bytes + start, end - start) : NULL;
}

static char *last_words(const struct claw_run_result *result)
{
	char *words = last_line(&result->err);

	return words ? words : last_line(&result->out);
}

/* ---- what it was ------------------------------------------------------- */

/* An end that says something of the soak, not of the program. */
static void check_start(struct claw_soak *soak, const struct ending *ending)
{
	const struct claw_run_result *result = ending->result;
	const char *name = soak->workload->argv[0];
	const char *words = ending->words ? ending->words : "no reason given";
	bool ours = soak->workload->kind != CLAW_SOAK_PROGRAM;

	if (result->end == CLAW_END_NOT_FOUND ||
	    result->end == CLAW_END_NOT_EXECUTABLE)
		claw_soak_finish(soak, CLAW_SOAK_NO_START, "cannot start %s: "
				 "%s", name,
				 strerror(result->end == CLAW_END_NOT_FOUND ?
					  ENOENT : result->code));
	else if (result->end == CLAW_END_INFRA)
		claw_soak_finish(soak, CLAW_SOAK_BROKEN, "cannot start %s: %s",
				 name, strerror(result->code));
	else if (ours && result->end == CLAW_END_EXIT &&
		 result->code == CLAW_EXIT_SKIPPED)
		claw_soak_finish(soak, CLAW_SOAK_SKIPPED, "cannot run here: %s",
				 words);
	else if (ours && result->end == CLAW_END_EXIT &&
		 result->code == CLAW_EXIT_USAGE)
		claw_soak_finish(soak, CLAW_SOAK_NO_START, "%s", words);
	if (ending->left.plan_error)
		claw_soak_finish(soak, CLAW_SOAK_NO_START, "the layer refused "
				 "the plan: %s", ending->left.plan_error);
}

static bool has_failed(const struct claw_soak *soak,
		       const struct claw_run_result *result)
{
	if (result->end == CLAW_END_TIMEOUT)
		return soak->run.hangs;
	return result->end == CLAW_END_SIGNAL ||
		(result->end == CLAW_END_EXIT && result->code != 0);
}

static uint64_t faults_of_run(const struct claw_soak *soak)
{
	return claw_sampler_get_totals(soak->sampler)->injected -
		soak->run.faults;
}

/* One of each signature, and of so many. */
static bool wants_dump(const char *name, void *user)
{
	struct claw_soak *soak = user;
	size_t dumps = 0;

	for (size_t i = 0; i < soak->signature_count; i++) {
		const struct claw_soak_signature *one = &soak->signatures[i];

		if (!claw_soak_is_dump(one->path))
			continue;
		if (strcmp(one->key, name) == 0 ||
		    strcmp(one->signature, name) == 0)
			return false;
		dumps++;
	}
	return dumps < CLAW_DUMPS_MAX;
}

static void look_at_rest(struct claw_soak *soak,
			 const struct claw_session *session,
			 struct ending *ending)
{
	char *dumps = claw_path_in(soak->directory, "crashes");
	struct claw_soak_left_config config = {
		.session = session, .result = ending->result,
		.program = soak->program, .failed = ending->failed,
		.rule_count = soak->plan->rules.count,
		.wants_dump = claw_soak_disk_has_room(soak->disk) ?
		wants_dump : NULL,
		.user = soak, .dumps = dumps,
		.is_captured = soak->run.is_captured,
		.wants_leaks = claw_soak_wants_leaks(soak, ending->result),
	};
	bool is_looked_at = ending->failed || config.rule_count ||
		config.wants_leaks || !claw_sampler_has_meters(soak->sampler);

	if (is_looked_at)
		claw_soak_left_find(&config, &ending->left);
	free(dumps);
	for (size_t i = 0; i < ending->left.rule_count; i++) {
		soak->rule_matched[i] += ending->left.rule_matched[i];
		soak->rule_fired[i] += ending->left.rule_fired[i];
	}
	if (ending->result->end == CLAW_END_EXIT && ending->result->code == 0)
		claw_soak_judge_end(soak, config.wants_leaks ? &ending->left :
				    NULL);
	if (ending->left.why_not && !soak->why_not)
		soak->why_not = claw_strdup(ending->left.why_not);
}

/* ---- words ------------------------------------------------------------- */

static void say_faults(FILE *out, const struct claw_soak *soak,
		       const struct ending *ending)
{
	uint64_t faults = faults_of_run(soak);
	const char *between = "";

	if (!faults)
		return;
	fprintf(out, " after %" PRIu64 " fault%s (INJECTED", faults,
		faults == 1 ? "" : "s");
	for (size_t i = 0; i < ending->left.rule_count; i++) {
		if (!ending->left.rule_fired[i])
			continue;
		fprintf(out, "%s %s", *between ? between : ":",
			soak->plan->given[i]);
		between = ",";
	}
	fputc(')', out);
}

static void say_failure(const struct claw_soak *soak, struct ending *ending)
{
	const struct claw_run_result *result = ending->result;
	const char *where = ending->left.where;
	FILE *out = fmemopen(ending->text, sizeof(ending->text), "w");

	if (!out)
		return;
	if (result->end == CLAW_END_TIMEOUT)
		fputs(soak->run.hang_text, out);
	else if (result->end == CLAW_END_SIGNAL)
		fprintf(out, "killed by %s%s%s", claw_signal_name(result->code),
			where ? " in " : "", where ? where : "");
	else
		fprintf(out, "exited with status %d", result->code);
	say_faults(out, soak, ending);
	if (ending->words && result->end != CLAW_END_TIMEOUT)
		fprintf(out, ": %s", ending->words);
	fclose(out);
	ending->text[sizeof(ending->text) - 1] = '\0';
}

/* ---- what is kept ------------------------------------------------------ */

static void put_output(FILE *out, const char *title,
		       const struct claw_capture *capture)
{
	char *text = claw_capture_text(capture);

	if (*text)
		fprintf(out, "---- %s, %" PRIu64 " bytes\n%s\n", title,
			capture->total_bytes, text);
	free(text);
}

/* What it printed, and its stacks; the file's name, or NULL. */
static char *write_log(const struct claw_soak *soak,
		       const struct ending *ending)
{
	char *name = NULL, *path;
	FILE *out;

	name = claw_format("runs/run-%" PRIu64 ".log", soak->runs);
	path = claw_path_in(soak->directory, name);
	out = path ? fopen(path, "we") : NULL;
	free(path);
	if (!out) {
		free(name);
		return NULL;
	}
	fprintf(out, "%s\n", ending->text);
	put_output(out, "standard output", &ending->result->out);
	put_output(out, "standard error", &ending->result->err);
	if (ending->result->stacks)
		fprintf(out, "---- stacks\n%s\n", ending->result->stacks);
	fclose(out);
	return name;
}

/* A suite's results are replaced by the next run's, but those of a failure. */
static char *keep_suite(const struct claw_soak *soak)
{
	char *name = NULL, *from = claw_path_in(soak->directory, "runs/suite");
	char *to;

	name = claw_format("runs/suite-%" PRIu64, soak->runs);
	to = name ? claw_path_in(soak->directory, name) : NULL;
	if (!to || rename(from, to) < 0) {
		free(name);
		name = NULL;
	}
	free(from);
	free(to);
	return name;
}

/* The event is to name the dump, where there is one. */
static char *keep_files(const struct claw_soak *soak, const char *signature,
			const struct ending *ending)
{
	const char *dump = ending->left.dump;
	size_t length = strlen(soak->directory);
	char *path = NULL;

	if (dump && strncmp(dump, soak->directory, length) == 0) {
		path = write_log(soak, ending);
		if (path)
			claw_soak_disk_know(soak->disk, signature, path);
		free(path);
		return claw_strdup(dump + length + 1);
	}
	if (soak->workload->kind == CLAW_SOAK_SUITE)
		path = keep_suite(soak);
	return path ? path : write_log(soak, ending);
}

/* ---- the failure ------------------------------------------------------- */

/* An error exit after a call whose line has the code has none of its own. */
static bool is_told(const struct claw_soak *soak, const char *kind,
		    const char *code)
{
	return soak->run.code && strcmp(kind, "exit") == 0 &&
		strcmp(code, soak->run.code) == 0;
}

/* What its line is to say; of a signature all have one. */
static const char *code_of(struct claw_soak *soak, const struct ending *ending,
			   struct claw_soak_signature *signature)
{
	const char *code = ending->left.code;

	if (!code && signature && strcmp(ending->kind, "exit") != 0)
		code = signature->code;
	if (code && signature && !signature->code)
		signature->code = claw_strdup(code);
	return !code || is_told(soak, ending->kind, code) ? NULL : code;
}

static void tell_failure(struct claw_soak *soak, struct ending *ending)
{
	const char *key = ending->left.signature ? ending->left.signature :
		ending->left.key ? ending->left.key : ending->text;
	struct claw_soak_signature *signature;
	struct claw_soak_event event = {
		.kind = ending->kind, .text = ending->text,
		.injected = ending->is_injected,
		.signature = ending->left.signature,
	};

	signature = claw_soak_signature_get(soak, ending->kind, key);
	event.code = code_of(soak, ending, signature);
	if (signature && (ending->left.dump ||
			  claw_soak_is_news(signature->count + 1,
					    signature->kept))) {
		ending->path = keep_files(soak, key, ending);
		signature->kept = signature->count + 1;
	}
	event.path = ending->path;
	claw_soak_tell_faults(soak, &ending->left, event.code);
	claw_soak_signature_add(soak, signature, &event);
}

/* ---- does it go on? ---------------------------------------------------- */

static void count_failures(struct claw_soak *soak, const struct ending *ending)
{
	uint64_t most = soak->config->retries ? soak->config->retries : 1;
	bool progress = claw_soak_iterations(soak) > soak->run.iterations ||
		soak->t_ms - soak->run.t_ms >= LONG_RUN_MS;

	if (progress || !ending->failed)
		soak->failures_in_row = 0;
	if (!ending->failed || ending->is_injected)
		return;
	soak->failures_in_row++;
	if (soak->failures_in_row < most)
		return;
	free(soak->last_words);
	soak->last_words = claw_strdup(ending->text);
	claw_soak_finish(soak, CLAW_SOAK_GAVE_UP, "failed %" PRIu64 " time%s "
			 "in a row without an iteration: %s",
			 soak->failures_in_row,
			 soak->failures_in_row == 1 ? "" : "s", ending->text);
}

void claw_soak_ended(struct claw_soak *soak, const struct claw_session *session,
		     const struct claw_run_result *result)
{
	struct ending ending = {
		.result = result, .words = last_words(result),
		.failed = has_failed(soak, result),
		.kind = result->end == CLAW_END_TIMEOUT ? "hang" :
			result->end == CLAW_END_SIGNAL ? "crash" : "exit",
	};

	if (result->end == CLAW_END_EXIT && result->code == 0)
		soak->clean_runs++;
	if (soak->workload->kind != CLAW_SOAK_SUITE)
		look_at_rest(soak, session, &ending);
	else if (result->end == CLAW_END_EXIT &&
		 result->code <= CLAW_EXIT_FINDINGS)
		soak->handshake = true;	/* of each of its cases */
	ending.is_injected = ending.failed && result->end == CLAW_END_EXIT &&
		faults_of_run(soak) > 0;
	check_start(soak, &ending);
	if (ending.failed)
		claw_soak_look_at_log(soak);	/* before what it may be due to */
	if (ending.failed && soak->end != CLAW_SOAK_SKIPPED &&
	    soak->end != CLAW_SOAK_NO_START) {
		say_failure(soak, &ending);
		tell_failure(soak, &ending);
	} else {
		claw_soak_tell_faults(soak, &ending.left, NULL);
	}
	count_failures(soak, &ending);
	claw_soak_left_release(&ending.left);
	free(ending.words);
	free(ending.path);
}
