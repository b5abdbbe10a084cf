/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw inject: run one program with faults. Without --judge it is as
 * transparent as env or timeout; with it the run contract and the verdicts
 * of judge.h apply.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capturing.h"
#include "cmd_inject.h"
#include "harness/session/called.h"
#include "harness/machine/device_choice.h"
#include "harness/files/directories.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "inject_list.h"
#include "inject_tool.h"
#include "harness/judge/judge.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/records/cmd_output.h"
#include "harness/records/records.h"
#include "reports/write/report_files.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/tools/tool_words.h"

static struct claw_fault_options fault_options;
static struct claw_strings artifacts, under_words, model_words;
static const struct claw_under_row *under_row;	/* of --under, or NULL */
static bool list_wanted, dry_run, judge_wanted, gdb_wanted;
static bool allow_not_reached, guards, strict, verbose, force, set_aside;
static bool strict_output, trust_status;
static const char *leak_check, *stdin_path, *output_filter, *prepare, *cleanup;
static const char *output, *record, *artifact_filter;
static uint64_t timeout_ms, error_exitcode = CLAW_EXIT_FINDINGS;

static const struct claw_option inject_options[] = {
	CLAW_FAULT_OPTION("", &fault_options.faults),
	CLAW_PLAN_OPTION("", &fault_options.plans),
	CLAW_SEED_OPTION(&fault_options.seed),
	{ "list", 0, OPT_FLAG, NULL,
	  "list faults, groups, presets and functions; -v: where each was "
	  "seen",
	  &list_wanted },
	{ "dry-run", 'n', OPT_FLAG, NULL,
	  "check and print the faults and the environment; run nothing",
	  &dry_run },
	{ "judge", 0, OPT_FLAG, NULL,
	  "compare with fault-free runs and print a verdict",
	  &judge_wanted },
	{ "gdb", 0, OPT_FLAG, NULL, "run the program in gdb", &gdb_wanted },
	{ "under", 'u', OPT_LIST, "TOOL",
	  "run under a tool: oclgrind, rusticl, valgrind, helgrind, asan, "
	  "races, barriers, init or device\n"
	  "With --judge, what it reports only with the fault is a finding.",
	  &under_words },
	CLAW_ICD_OPTION,
	CLAW_TIMEOUT_OPTION("none; with --judge ten times the "
			    "slower baseline, at least 60s", &timeout_ms),
	CLAW_ALLOW_ILLEGAL_OPTION(&fault_options.allow_illegal),
	{ "allow-not-reached", 0, OPT_FLAG, NULL,
	  "exit with the program's status even if a fault did not fire",
	  &allow_not_reached },
	{ "record", 0, OPT_STRING, "none|last=N|full",
	  "calls to record: none, last=N or full [default: none; with --judge "
	  "full]", &record },
	CLAW_VIA_OPTION,
	CLAW_STDIN_OPTION("ours; with --judge empty", &stdin_path),
	CLAW_ARTIFACT_OPTION("with --judge: ", &artifacts),
	CLAW_OUTPUT_FILTER_OPTION("with --judge: ", &output_filter),
	CLAW_ARTIFACT_FILTER_OPTION("with --judge: ", &artifact_filter),
	{ "set-aside", 0, OPT_FLAG, NULL,
	  "with --judge: ignore stdout that varies between fault-free runs "
	  "[default]\n"
	  "Lines are ignored, or only their numbers where only numbers vary.",
	  &set_aside },
	CLAW_STRICT_OUTPUT_OPTION("with --judge: ", &strict_output),
	CLAW_TRUST_STATUS_OPTION("with --judge: ", &trust_status),
	CLAW_PREPARE_OPTION("with --judge: ", &prepare),
	CLAW_CLEANUP_OPTION("with --judge: ", &cleanup),
	CLAW_MODEL_OPTION(&model_words),
	CLAW_JUDGED_GUARDS_OPTION("with --judge: ", &guards),
	CLAW_STRICT_OPTION("with --judge: ", &strict),
	CLAW_JUDGED_LEAK_CHECK_OPTION("with --judge: ", &leak_check),
	CLAW_ERROR_EXITCODE_OPTION("with --judge: ", &error_exitcode),
	{ "output", 'o', OPT_STRING, "DIR",
	  "keep the session in DIR; with --judge: records and reports "
	  "[default: not kept; with --judge openclaw-out/inject-TIME]",
	  &output },
	CLAW_FORCE_OPTION(&force),
	{ "verbose", 'v', OPT_FLAG, NULL, "print progress and details", &verbose },
	{ 0 },
};

/* ---- options ---------------------------------------------------------- */

static void parse_record(struct claw_session_config *config)
{
	const char *equals = record ? strchr(record, '=') : NULL;
	size_t length = record ? strcspn(record, "=") : 0;
	char *end = NULL;

	config->record = judge_wanted ? CLAW_RECORD_FULL : CLAW_RECORD_NONE;
	if (!record)
		return;
	if (strcmp(record, "none") == 0)
		config->record = CLAW_RECORD_NONE;
	else if (length == 4 && strncmp(record, "full", 4) == 0)
		config->record = CLAW_RECORD_FULL;
	else if (length == 4 && strncmp(record, "last", 4) == 0)
		config->record = CLAW_RECORD_LAST;
	else
		claw_die(CLAW_EXIT_USAGE, "--record: expected none, last=N or "
			 "full, found \"%s\"", record);
	if (!equals)
		return;
	errno = 0;
	config->record_capacity = strtoull(equals + 1, &end, 10);
	if (errno || equals[1] < '0' || equals[1] > '9' || *end ||
	    config->record_capacity == 0 ||
	    config->record_capacity > CLAW_JOURNAL_MAX_CALLS)
		claw_die(CLAW_EXIT_USAGE, "--record: expected a number from 1 "
			 "to %d, found \"%s\"", CLAW_JOURNAL_MAX_CALLS,
			 equals + 1);
}

enum { EXCLUDES, NEEDS };

/* What options ask of each other. */
static void check_pairs(void)
{
	const struct {
		bool given;
		const char *name;
		bool wants, other;
		const char *other_name;
	} pairs[] = {
		{ under_row, "under", EXCLUDES, gdb_wanted, "gdb" },
		{ artifacts.count, "artifact", NEEDS, judge_wanted, "judge" },
		{ output_filter, "output-filter", NEEDS, judge_wanted, "judge" },
		{ artifact_filter, "artifact-filter", NEEDS, judge_wanted,
		  "judge" },
		{ set_aside, "set-aside", NEEDS, judge_wanted, "judge" },
		{ strict_output, "strict-output", NEEDS, judge_wanted, "judge" },
		{ trust_status, "trust-exit-status", NEEDS, judge_wanted,
		  "judge" },
		{ prepare, "prepare", NEEDS, judge_wanted, "judge" },
		{ cleanup, "cleanup", NEEDS, judge_wanted, "judge" },
		{ guards, "guards", NEEDS, judge_wanted, "judge" },
		{ strict, "strict", NEEDS, judge_wanted, "judge" },
		{ leak_check, "leak-check", NEEDS, judge_wanted, "judge" },
		{ error_exitcode != CLAW_EXIT_FINDINGS, "error-exitcode", NEEDS,
		  judge_wanted, "judge" },
		{ set_aside, "set-aside", EXCLUDES, strict_output,
		  "strict-output" },
		{ artifact_filter, "artifact-filter", NEEDS, artifacts.count,
		  "artifact" },
		{ judge_wanted, "judge", EXCLUDES, gdb_wanted, "gdb" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (pairs[i].given && pairs[i].other != pairs[i].wants)
			claw_die(CLAW_EXIT_USAGE, pairs[i].wants == NEEDS ?
				 "--%s needs --%s" :
				 "--%s and --%s exclude each other",
				 pairs[i].name, pairs[i].other_name);
}

static void check_stdin(void)
{
	struct stat status;

	if (access(stdin_path, R_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--stdin: %s: %s", stdin_path,
			 strerror(errno));
	if (stat(stdin_path, &status) == 0 && S_ISDIR(status.st_mode))
		claw_die(CLAW_EXIT_USAGE, "--stdin: %s: %s", stdin_path,
			 strerror(EISDIR));
}

static void check_options(void)
{
	struct claw_tool_words words = { .each = NULL };
	char error[1024];

	if (claw_tool_words_parse(&under_words, false, &words, error,
				  sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	under_row = words.each;
	check_pairs();
	if (claw_tool_words_check_icd(&words, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	if (guards && under_row && under_row->no_guards)
		claw_die(CLAW_EXIT_USAGE, "--guards: no guard zones under %s: "
			 "%s", under_row->name, under_row->no_guards);
	if (judge_wanted && record && strncmp(record, "full", 4) != 0)
		claw_die(CLAW_EXIT_USAGE, "--judge compares all calls: "
			 "--record can only be full");
	if (stdin_path)
		check_stdin();
}

/* ---- transparent ------------------------------------------------------ */

static int run_transparent(const struct claw_fault_plan *plan,
			   struct claw_session_config *config,
			   const struct claw_program *program,
			   char *const *argv)
{
	struct claw_capturing capturing;
	struct claw_transparent_run run = {
		.plan = plan, .config = config, .program = program,
		.argv = argv, .models = &model_words, .under = under_row,
		.output = output, .stdin_path = stdin_path,
		.timeout_ms = timeout_ms, .gdb = gdb_wanted,
		.verbose = verbose, .allow_not_reached = allow_not_reached,
	};
	int status;

	/* logging.crash_dump of openclaw.yaml */
	if (!gdb_wanted && claw_capturing_wanted()) {
		claw_capturing_init(&capturing, NULL, config);
		capturing.verbose = verbose;
		run.capturing = &capturing;
	}
	status = claw_transparent_run(&run);
	if (run.capturing)
		claw_capturing_release(&capturing);
	return status;
}

/* ---- judging ---------------------------------------------------------- */

static void print_option(FILE *out, const char *name, const char *value)
{
	char *quoted = value ? claw_shell_quote_printable(value) : NULL;

	if (quoted)
		fprintf(out, " --%s %s", name, quoted);
	free(quoted);
}

/* The line to paste; the caller frees it. */
static char *reproduce_line(const struct claw_fault_plan *plan,
			    char *const *argv)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s inject --judge --seed %" PRIu64, claw_called(),
		plan->seed);
	if (fault_options.allow_illegal)
		fputs(" --allow-illegal", out);
	if (guards)
		fputs(" --guards", out);
	fputs(claw_via_option(), out);
	claw_models_put(&model_words, out);
	if (under_row)
		fprintf(out, " --under %s", under_row->name);
	print_option(out, "icd", claw_icd_used);
	if (strict)
		fputs(" --strict", out);
	if (strict_output)
		fputs(" --strict-output", out);
	if (trust_status)
		fputs(" --trust-exit-status", out);
	if (timeout_ms)
		fprintf(out, " --timeout %" PRIu64 "ms", timeout_ms);
	print_option(out, "leak-check", leak_check);
	print_option(out, "stdin", stdin_path);
	for (size_t i = 0; i < artifacts.count; i++)
		print_option(out, "artifact", artifacts.items[i]);
	print_option(out, "artifact-filter", artifact_filter);
	print_option(out, "output-filter", output_filter);
	print_option(out, "prepare", prepare);
	print_option(out, "cleanup", cleanup);
	for (size_t i = 0; i < plan->rules.count; i++)
		print_option(out, "fault", plan->given[i]);
	fputs(" --", out);
	for (; *argv; argv++) {
		char *quoted = claw_shell_quote_printable(*argv);

		fprintf(out, " %s", quoted ? quoted : *argv);
		free(quoted);
	}
	claw_text_end(out);
	return text;
}

static void say_progress(void *user, const char *what)
{
	(void)user;
	claw_warn("%s", what);
}

static bool is_finding(enum claw_verdict verdict)
{
	return claw_verdict_class(verdict) == 'f' ||
		(strict && verdict == CLAW_DEGRADED);
}

static int status_of(const struct claw_judgement *judgement)
{
	if (judgement->end != CLAW_JUDGE_DONE)
		return claw_judge_status(judgement->end);
	if (is_finding(judgement->output.verdict))
		return (int)error_exitcode;
	switch (judgement->output.verdict) {
	case CLAW_HANDLED:
	case CLAW_DEGRADED:
		return CLAW_EXIT_CLEAN;
	case CLAW_INFRA:
		return CLAW_EXIT_INFRA;
	case CLAW_NOT_REACHED:
		return allow_not_reached ? CLAW_EXIT_CLEAN : CLAW_EXIT_UNKNOWN;
	default:
		return CLAW_EXIT_UNKNOWN;
	}
}

static void print_block(FILE *out, const char *title, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(out, "%s:\n%s%s", title, text,
		text[strlen(text) - 1] == '\n' ? "" : "\n");
}

enum { PROGRAMS_SHOWN = 8 };

/* Of several processes: which of them had the layer. */
static void print_programs(FILE *out, const struct claw_evidence *evidence)
{
	if (evidence->count < 2)
		return;
	fputs("calls seen of: ", out);
	for (size_t i = 0; i < evidence->count && i < PROGRAMS_SHOWN; i++) {
		const struct claw_journal *journal = evidence->journals[i];
		const struct claw_journal_header *header =
			claw_journal_get_header(journal);

		fprintf(out, "%s%s (process %u, %" PRIu64 " calls)", i ? ", " :
			"", claw_base_name(claw_journal_get_string(journal,
						header->exe_string)),
			header->pid, claw_journal_get_total_calls(journal));
	}
	if (evidence->count > PROGRAMS_SHOWN)
		fprintf(out, " and %zu more",
			evidence->count - PROGRAMS_SHOWN);
	fputc('\n', out);
}

static char *detail_text(const struct claw_judgement *judgement,
			 const struct claw_fault_plan *plan)
{
	const struct claw_verdict_output *verdict = &judgement->output;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (judgement->evidence.rules) {
		char *summary = claw_inject_summary(plan, &model_words,
						    &judgement->evidence);

		fprintf(out, "%s\n", summary);
		free(summary);
		print_programs(out, &judgement->evidence);
		summary = claw_evidence_slow(&judgement->evidence,
					     CLAW_INJECT_MAX_SLOW);
		fputs(summary ? summary : "", out);
		free(summary);
	}
	if (verdict->signature)
		fprintf(out, "signature: %s\n", verdict->signature);
	if (verdict->detail)
		fputs(verdict->detail, out);
	if (is_finding(verdict->verdict)) {
		print_block(out, "standard output", judgement->out_text);
		print_block(out, "standard error", judgement->err_text);
	}
	claw_text_end(out);
	return text;
}

/* "tile.c" and 88 out of "main (tile.c:88)". */
static char *split_place(const char *place, unsigned int *ret_line)
{
	const char *open = place ? strrchr(place, '(') : NULL;
	const char *colon = open ? strrchr(open, ':') : NULL;

	*ret_line = 0;
	if (!colon)
		return NULL;
	*ret_line = (unsigned int)strtoul(colon + 1, NULL, 10);
	return claw_strndup(open + 1, (size_t)(colon - open - 1));
}

static char *join_given(const struct claw_fault_plan *plan)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < plan->rules.count; i++)
		fprintf(out, "%s%s", i ? "; " : "", plan->given[i]);
	claw_text_end(out);
	return text;
}

/* The verdict's name as the manual spells it: in small letters. */
static const char *verdict_word(enum claw_verdict verdict)
{
	static char word[32];
	const char *name = claw_verdict_name(verdict);
	size_t i = 0;

	for (; name[i] && i + 1 < sizeof(word); i++)
		word[i] = (char)tolower((unsigned char)name[i]);
	word[i] = '\0';
	return word;
}

static void print_verdict(const struct claw_result *result)
{
	static const struct claw_report_head head = { .verb = "inject" };
	char class = claw_verdict_class(result->verdict);
	bool color = claw_color_enabled(STDOUT_FILENO);
	bool finding = is_finding(result->verdict);

	claw_report_put(stdout, result->name);
	printf(": %s%s%s: ", !color ? "" : finding ? "\033[31m" :
	       class == 'p' ? "\033[32m" : "\033[33m",
	       verdict_word(result->verdict), color ? "\033[0m" : "");
	claw_report_put(stdout, result->message ? result->message : "");
	putchar('\n');
	for (const char *line = result->detail; line && *line;) {
		size_t length = strcspn(line, "\n");
		char *text = claw_strndup(line, length);

		fputs("  ", stdout);
		claw_report_put(stdout, text);
		putchar('\n');
		free(text);
		line += length + (line[length] == '\n');
	}
	if (result->reproduce)
		printf("reproduce: %s\n", result->reproduce);
	fflush(stdout);
	if (finding || class == 'u')
		claw_report_annotate(stderr, &head, result);
}

static void keep_result(struct claw_records *records,
			const struct claw_judgement *judgement,
			const struct claw_fault_plan *plan, char *const *argv)
{
	bool done = judgement->end == CLAW_JUDGE_DONE;
	enum claw_verdict verdict = done ? judgement->output.verdict :
		judgement->end == CLAW_JUDGE_UNKNOWN ? CLAW_INCONCLUSIVE :
		CLAW_INFRA;
	char *detail = done ? detail_text(judgement, plan) : NULL;
	char *fault = join_given(plan), *again = reproduce_line(plan, argv);
	struct claw_result result = {
		.suite = "inject",
		.name = claw_base_name(argv[0]),
		.configuration = under_row ? under_row->name : "native",
		.findings = judgement->found.count > 0 ? &judgement->found :
			NULL,
		.verdict = verdict,
		.duration_us = judgement->duration_us,
		.fault = fault,
		.message = done ? judgement->output.message : judgement->why,
		.detail = detail,
		.code = claw_inject_code(plan, &judgement->evidence),
		.reproduce = is_finding(verdict) ? again : NULL,
		.attempt = 1,
	};
	char *file = NULL;

	if (judgement->evidence.rules)
		file = split_place(judgement->evidence.rules[0].place,
				   &result.line);
	result.file = file;
	print_verdict(&result);
	for (size_t i = 0; records && judgement->evidence.rules &&
	     i < plan->rules.count; i++)
		claw_records_rule(records, plan->given[i],
				  judgement->evidence.rules[i].matched,
				  judgement->evidence.rules[i].fired);
	if (records && claw_records_result(records, &result) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records: %s",
			 strerror(errno));
	free(file);
	free(detail);
	free(fault);
	free(again);
}

/* The tool is not here: that is what is recorded. */
static int keep_skipped(struct claw_records *records,
			const struct claw_judged_tool *tool,
			const char *directory, char *const *argv)
{
	const struct claw_report_head head = { .verb = "inject" };
	const struct claw_result result = {
		.suite = "inject", .name = claw_base_name(argv[0]),
		.configuration = tool->under.row->name,
		.verdict = CLAW_SKIPPED, .message = tool->under.why,
		.attempt = 1,
	};

	claw_records_result(records, &result);
	if (claw_records_end(records, CLAW_EXIT_SKIPPED, false) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records: %s",
			 strerror(errno));
	claw_records_free(records);
	claw_report_write_all(directory, &head);
	return CLAW_EXIT_SKIPPED;
}

static int run_judge(const struct claw_fault_plan *plan,
		     const struct claw_session_config *config,
		     const struct claw_program *program, int argc,
		     char *const *command, char *const *argv)
{
	char *directory = NULL, *runs = NULL, error[1024];
	struct claw_records *records = NULL;
	struct claw_judgement judgement;
	struct claw_report_head head = { .verb = "inject" };
	struct claw_judged_tool tool = { .directory = NULL };
	int ret = claw_output_open(output, "inject", force, &directory, error,
				   sizeof(error)), status;

	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	if (claw_records_new(directory, "inject", argc, command, 1, plan->seed,
			     &records) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 strerror(errno));
	claw_cmd_output_facts(records, false);
	claw_cmd_output_program(records, argv);
	runs = claw_format("%s/runs", directory);
	if (claw_make_directory(runs) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", runs, strerror(errno));
	if (under_row)
		claw_inject_tool_make(under_row, runs, true, &tool);
	if (tool.under.why[0]) {
		status = keep_skipped(records, &tool, directory, argv);
		goto out;
	}

	struct claw_judge judge = {
		.argv = argv,
		.program = program,
		.rules = plan->rules.rules,
		.rule_count = plan->rules.count,
		.config = *config,
		.timeout_ms = timeout_ms,
		.leak_check_all = leak_check && strcmp(leak_check, "all") == 0,
		.stdin_path = stdin_path,
		.output_filter = output_filter,
		.prepare = prepare,
		.cleanup = cleanup,
		.artifacts = artifacts,
		.artifact_filter = artifact_filter,
		.strict_output = strict_output,
		.trust_status = trust_status,
		.notes = claw_warn_lines,
		.directory = runs,
		.tool = under_row ? &tool : NULL,
		.runner = claw_runner_new(1),
		.progress = verbose ? say_progress : NULL,
	};

	if (!judge.runner)
		claw_die(CLAW_EXIT_INFRA, "cannot create the event loop");
	claw_warn("seed %" PRIu64 "; writing results to %s", plan->seed, directory);
	claw_judge_run(&judge, &judgement);
	claw_runner_free(judge.runner);
	status = status_of(&judgement);
	if (judgement.end == CLAW_JUDGE_CANCELLED)
		claw_warn("cancelled");
	else
		keep_result(records, &judgement, plan, argv);
	if (claw_records_end(records, status, judgement.end ==
			     CLAW_JUDGE_CANCELLED) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records: %s",
			 strerror(errno));
	claw_records_free(records);
	if (claw_report_write_all(directory, &head) < 0) {
		claw_warn("cannot write the reports in %s", directory);
		status = CLAW_EXIT_INFRA;
	}
	claw_judgement_release(&judgement);
out:
	claw_judged_tool_release(&tool);
	free(runs);
	free(directory);
	return status;
}

/* ---- the command ------------------------------------------------------ */

static int run_dry(const struct claw_fault_plan *plan)
{
	struct claw_session variables = {
		.environment = claw_calloc(1, sizeof(char *)),
	};
	int ret = claw_session_set_door(&variables);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	for (size_t i = 0; i < plan->rules.count; i++)
		printf("%s\n", plan->rules.rules[i].text);
	if (model_words.count) {
		fputs("models:", stdout);
		claw_models_put(&model_words, stdout);
		putchar('\n');
	}
	printf("seed: %" PRIu64 "\n", plan->seed);
	for (char **entry = variables.environment; *entry; entry++)
		if (strchr(*entry, '='))
			puts(*entry);
	printf("OPENCLAW_SESSION=%s\n",
	       output ? output : "(a temporary directory)");
	claw_list_free(variables.environment);
	return CLAW_EXIT_CLEAN;
}

static int inject_run(int argc, char *const *argv);

const struct claw_command claw_cmd_inject = {
	.name = "inject",
	.summary = "inject faults into a program's OpenCL calls",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"Without --judge the program keeps its input and output; "
		"openclaw exits with the program's status if every fault "
		"fired, otherwise 125 (124 timeout, 126 not executable, 127 "
		"not found). With --judge the program runs four times and "
		"gets a verdict; exit status 0 handled, 1 finding, 2 "
		"inconclusive, 64 usage error, 99 openclaw itself failed.\n\n"
		"  openclaw inject --fault clCreateBuffer:oom:when=3 -- "
		"clpeak\n"
		"  openclaw inject --judge --fault @alloc:oom:when=5.. -- "
		"./filter in.png",
	.options = inject_options,
	.reads_config = true,
	.run = inject_run,
};

static int inject_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_inject, argc, argv, true);
	struct claw_session_config config = { .all_sites = judge_wanted };
	struct claw_program program;
	struct claw_fault_plan plan;
	char *models;
	int status;

	if (list_wanted && first < argc)
		claw_die(CLAW_EXIT_USAGE, "inject: --list runs no program, "
			 "found \"%s\"", argv[first]);
	if (list_wanted)
		return claw_inject_list(verbose);
	check_options();
	parse_record(&config);
	claw_inject_load(&fault_options, &plan);
	if (plan.rules.count == 0 && !model_words.count)
		claw_die(CLAW_EXIT_USAGE, "inject: expected --fault RULE or "
			 "--plan FILE, found neither (openclaw inject --list)");
	if (plan.rules.count == 0 && judge_wanted)
		claw_die(CLAW_EXIT_USAGE, "inject: --judge: expected --fault "
			 "or --plan, found only --model");
	config.models = models = claw_models_of(&model_words);
	if (!under_row && !dry_run)
		claw_device_choice_check(NULL, &model_words);
	if (first >= argc && !dry_run)
		claw_die(CLAW_EXIT_USAGE, "inject: expected -- PROGRAM, found none (see "
			 "openclaw inject --help)");
	config.seed = plan.seed;
	if (under_row)
		config.probes.modes = under_row->probes;
	if (guards) {
		config.ledger = CLAW_LEDGER_SITES;
		config.find = CLAW_FOUND_GUARDS;
	}
	config.allow_illegal = fault_options.allow_illegal;
	claw_inject_look(argv[first], &plan, &program);
	if (dry_run)
		status = run_dry(&plan);
	else if (judge_wanted)
		status = run_judge(&plan, &config, &program, argc, argv,
				   argv + first);
	else
		status = run_transparent(&plan, &config, &program,
					 argv + first);
	claw_program_release(&program);
	claw_fault_plan_release(&plan);
	free(models);
	return status;
}
