/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of points, folders of signatures.
 */
#include "config.h"

#include "sweep_keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/records/baseline.h"
#include "harness/records/diagnosis.h"
#include "harness/files/directories.h"
#include "harness/files/hash.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"
#include "harness/base/text.h"
#include "reports/sweep_handlers.h"
#include "sweep_known.h"
#include "sweep_look.h"
#include "reports/sweep_shown.h"

enum { LAST_CALLS = 20 };

/* The code of a point's fault: "clw-out-of-memory". */
static const char *code_of(const struct claw_sweep_points *points, size_t point)
{
	struct claw_plan_error why;
	struct claw_rule rule;

	if (claw_rule_parse(points->items[point].rule, true, &rule, &why) < 0)
		return NULL;
	return claw_diagnosis_of_fault(rule.fault);
}

int claw_sweep_keep_planned(struct claw_records *records,
			    const struct claw_sweep *sweep, size_t point)
{
	struct claw_planned planned = {
		.suite = "sweep",
		.configuration = claw_sweep_configuration(sweep),
		.name = sweep->points.items[point].name,
		.elsewhere = sweep->outcomes[point].state ==
			CLAW_SWEEP_ELSEWHERE,
	};

	return claw_records_planned(records, &planned);
}

int claw_sweep_keep_called(struct claw_records *records,
			   const struct claw_sweep *sweep)
{
	const struct claw_sweep_points *points = &sweep->points;
	bool called[CLAW_API_COUNT] = { false };
	const char *space = "";
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	int ret;

	for (size_t i = 0; i < points->first_sites; i++) {
		enum claw_api api = points->sites[i].api;

		if (called[api])
			continue;
		called[api] = true;
		fprintf(out, "%s%s", space, claw_api_table[api].name);
		space = " ";
	}
	claw_text_end(out);
	ret = claw_records_environment(records, NULL, CLAW_SWEEP_CALLED, text);
	free(text);
	return ret;
}

int claw_sweep_keep_jobs(struct claw_records *records,
			 const struct claw_sweep *sweep)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", sweep->how->jobs);
	return claw_records_environment(records, NULL, CLAW_FACT_JOBS, text);
}

static int keep_hash(struct claw_records *records, const char *key,
		     const char *path)
{
	char text[CLAW_HASH_TEXT_BYTES], value[CLAW_HASH_TEXT_BYTES + 40];
	uint64_t bytes;

	if (!claw_hash_file(path, text, &bytes))
		return claw_records_environment(records, NULL, key,
						"not there");
	snprintf(value, sizeof(value), "sha256 %s, %" PRIu64 " bytes", text,
		 bytes);
	return claw_records_environment(records, NULL, key, value);
}

int claw_sweep_keep_outputs(struct claw_records *records,
			    const struct claw_sweep *sweep)
{
	const struct claw_judged_run *run = &sweep->baseline.runs[0];
	int ret = keep_hash(records, "output", claw_judged_output(run));
	char *compared = claw_compared_text(&sweep->baseline.compared);

	if (ret == 0)
		ret = claw_records_environment(records, NULL, "compared",
					       compared);
	free(compared);
	for (size_t i = 0; ret == 0 && i < run->setup->artifacts.count; i++) {
		char *copy = claw_judged_artifact(run, i);
		char *key = claw_format("artifact %s",
					run->setup->artifacts.items[i]);

		ret = keep_hash(records, key, copy);
		free(key);
		free(copy);
	}
	return ret;
}

int claw_sweep_keep_unrun(struct claw_records *records,
			  const struct claw_sweep *sweep)
{
	int ret;

	if (!sweep->unrun)
		return 0;
	ret = claw_records_environment(records, NULL, CLAW_SWEEP_UNRUN,
				       sweep->unrun);
	return ret < 0 ? ret :
		claw_records_environment(records, NULL,
					 CLAW_SWEEP_UNRUN_ELSEWHERE,
					 sweep->unrun_elsewhere);
}

/* ---- the detail of a finding ------------------------------------------ */

static void print_block(FILE *out, const char *title, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(out, "%s:\n%s%s", title, text,
		text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static void print_call(FILE *out, const struct claw_journal *journal,
		       const struct claw_journal_record *call)
{
	const char *code = claw_code_name(call->result);

	fprintf(out, "    %s", claw_journal_get_api_name(journal, call->api));
	if (code)
		fprintf(out, " = %s", code);
	else
		fprintf(out, " = %" PRId32, call->result);
	if (call->flags & CLAW_REC_INJECTED)
		fputs(" (INJECTED)", out);
	if (call->flags & CLAW_REC_BLOCKS)
		fputs(" has not returned", out);
	fputc('\n', out);
}

/* Of each process. */
static void print_last_calls(FILE *out, const struct claw_evidence *evidence)
{
	for (size_t j = 0; j < evidence->count; j++) {
		const struct claw_journal *journal = evidence->journals[j];
		size_t count = claw_journal_get_call_count(journal);
		size_t first = count > LAST_CALLS ? count - LAST_CALLS : 0;

		if (count > 0)
			fprintf(out, "last %zu calls of process %" PRIu32
				":\n", count - first,
				claw_journal_get_header(journal)->pid);
		for (size_t i = first; i < count; i++)
			print_call(out, journal,
				   claw_journal_get_call(journal, i));
	}
}

static char *detail_text(const struct claw_sweep_news *news)
{
	const struct claw_judgement *judgement = news->judgement;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "signature: %s\n", news->signature);
	if (judgement->output.detail)
		fputs(judgement->output.detail, out);
	print_block(out, "reached only with the fault", news->first_run);
	print_last_calls(out, &news->run->evidence);
	print_block(out, "standard output", judgement->out_text);
	print_block(out, "standard error", judgement->err_text);
	claw_text_end(out);
	return text;
}

/* A known finding fails nothing in any report, nor does one of hardening.
 * Returns its new text, which the caller frees, or NULL. */
static char *accept(const struct claw_sweep *sweep, size_t point,
		    struct claw_result *result)
{
	const struct claw_sweep_known_finding *known =
		sweep->outcomes[point].known;
	const char *old = result->message ? result->message : "";
	char *message;

	if (!known && !sweep->points.items[point].kind.hardening)
		return NULL;
	message = known ?
		claw_format("%s (known: %s%s%s)", old, known->origin,
			    known->reason ? ": " : "",
			    known->reason ? known->reason : "") :
		claw_format("%s (hardening: no known driver does this)",
			    old);
	result->message = message;
	result->expects = claw_verdict_name(result->verdict);
	result->verdict = CLAW_XFAIL;
	return message;
}

int claw_sweep_keep_result(struct claw_records *records,
			   const struct claw_sweep *sweep,
			   const struct claw_sweep_news *news,
			   const char *again, uint64_t spent_ms)
{
	const struct claw_sweep_points *points = &sweep->points;
	const struct claw_sweep_point *point = &points->items[news->point];
	const struct claw_sweep_site *site = &points->sites[point->site];
	char *fault = claw_sweep_point_fault(points, news->point);
	char *detail = news->signature ? detail_text(news) : NULL;
	struct claw_result result = {
		.suite = "sweep",
		.configuration = claw_sweep_configuration(sweep),
		.name = point->name,
		.findings = news->judgement->found.count > 0 ?
			&news->judgement->found : NULL,
		.verdict = news->judgement->output.verdict,
		.duration_us = news->judgement->duration_us,
		.spent_ms = spent_ms,
		.fault = fault,
		.message = news->judgement->output.message,
		.detail = detail,
		.file = site->file, .line = site->line,
		.code = claw_verdict_class(news->judgement->output.verdict) ==
			'u' ? NULL : code_of(points, news->point),
		.reproduce = again,
		.attempt = 1,
		.seen = news->signature,
		.first_run = news->first_run,
	};
	char *message = news->signature ?
		accept(sweep, news->point, &result) : NULL;
	int ret = claw_records_result(records, &result);

	free(message);
	free(fault);
	free(detail);
	return ret;
}

/* ---- evidence --------------------------------------------------------- */

/* What a run printed may be large. */
static void cut(const char *directory, const char *name)
{
	char *path = claw_path_in(directory, name);
	struct stat about;

	if (stat(path, &about) == 0 && about.st_size > CLAW_SWEEP_KEPT_BYTES &&
	    truncate(path, CLAW_SWEEP_KEPT_BYTES) < 0)
		unlink(path);
	free(path);
}

/* Is of no use beyond the run. */
static void drop(const char *directory, const char *name)
{
	char *path = claw_path_in(directory, name);

	claw_directory_remove(path);
	free(path);
}

static void move_run(const char *from, const char *folder, bool first)
{
	char *to = claw_path_in(folder, first ? "first" : "newest");

	claw_directory_remove(to);
	if (rename(from, to) == 0) {
		cut(to, "stdout");
		cut(to, "stderr");
		cut(to, "stdout.filtered");
		drop(to, "work");
		drop(to, "gcov");
		drop(to, "gcov.json");
	}
	free(to);
}

void claw_sweep_keep_evidence(const char *directory,
			      const struct claw_sweep_news *news, int group)
{
	char *all, *folder;

	if (group < 0 || group >= CLAW_SWEEP_KEPT_GROUPS)
		return;
	all = claw_path_in(directory, "signatures");
	folder = claw_format("%s/%d", all, group + 1);
	if (claw_make_directory(all) == 0 && claw_make_directory(folder) == 0)
		move_run(news->run->directory, folder, news->new_group);
	free(folder);
	free(all);
}
