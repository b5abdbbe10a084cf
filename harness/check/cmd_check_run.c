/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of "openclaw check": everything that is needed for it, and the
 * program. What it left behind is for cmd_check_finish.c.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_check.h"
#include "harness/session/called.h"
#include "harness/records/cmd_ended.h"
#include "harness/evidence/compiling.h"
#include "harness/machine/device_choice.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/evidence/unseen.h"
#include "harness/session/model.h"
#include "harness/base/text.h"

/* Before anything runs. */
static FILE *open_generated(const struct claw_checking *checking)
{
	const struct claw_check_given *given = checking->given;
	FILE *out = stderr;

	if (!given->generate)
		return NULL;
	if (*given->generate)
		out = fopen(given->generate, "ae");
	if (!out)
		claw_die(CLAW_EXIT_USAGE, "--gen-suppressions: %s: %s",
			 given->generate, strerror(errno));
	return out;
}

static void check_program(struct claw_checking *checking, const char *word)
{
	const struct claw_check_given *given = checking->given;
	char error[1024];
	int ret;

	ret = claw_fault_plan_load(&given->faults, &checking->plan, error,
				   sizeof(error));
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	claw_cmd_look_at_program(word, &checking->program);
	claw_via_choose(&checking->program);
	if (claw_fault_plan_resolve(&checking->plan, &checking->program, error,
				    sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
}

/* ---- the run ---------------------------------------------------------- */

static void print_option(FILE *out, const char *name, const char *value)
{
	char *quoted = value ? claw_shell_quote_printable(value) : NULL;

	if (quoted)
		fprintf(out, " --%s %s", name, quoted);
	free(quoted);
}

static struct claw_session_probes probes_of(const struct claw_checking *checking)
{
	const struct claw_check_given *given = checking->given;

	return claw_probe_options_get(&given->probes, given->probes.checks ?
		claw_probe_options_checks(&given->probes) : 0);
}

static char *reproduce_line(const struct claw_checking *checking)
{
	const struct claw_check_given *given = checking->given;
	const struct claw_fault_plan *plan = &checking->plan;
	const struct { bool given; const char *name; } flags[] = {
		{ given->leaks, "leaks" }, { given->lifetime, "lifetime" },
		{ given->guards, "guards" },
		{ given->protect, "protect" },
		{ given->early_loads, "early-loads" },
		{ given->notes, "notes" },
	};
	const struct claw_session_probes probes = probes_of(checking);
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s check -v", claw_called());
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (flags[i].given)
			fprintf(out, " --%s", flags[i].name);
	if (given->probes.checks)
		fprintf(out, *given->probes.checks ? " --kernels=%s" :
			" --kernels", given->probes.checks);
	claw_probe_options_put(&probes, out);
	print_option(out, "icd", claw_icd_used);
	fputs(claw_via_option(), out);
	claw_models_put(&given->models, out);
	print_option(out, "leak-check", given->leak_check);
	for (size_t i = 0; i < given->suppressions.count; i++)
		print_option(out, "suppressions", given->suppressions.items[i]);
	for (size_t i = 0; i < given->symbols.count; i++)
		print_option(out, "symbols", given->symbols.items[i]);
	if (given->timeout_ms)
		fprintf(out, " --timeout %" PRIu64 "ms", given->timeout_ms);
	if (plan->rules.count > 0)
		fprintf(out, " --seed %" PRIu64, plan->seed);
	for (size_t i = 0; i < plan->rules.count; i++)
		print_option(out, "fault", plan->given[i]);
	fputs(" --", out);
	for (char *const *word = checking->argv; *word; word++) {
		char *quoted = claw_shell_quote_printable(*word);

		fprintf(out, " %s", quoted);
		free(quoted);
	}
	claw_text_end(out);
	return text;
}

static void open_output(struct claw_checking *checking, int argc,
			char *const *command)
{
	const struct claw_check_given *given = checking->given;
	struct claw_planned planned = {
		.suite = "check", .name = checking->name,
		.configuration = "native", .many = true,
	};

	claw_cmd_output_open(given->output, "check", given->force, argc,
			     command, 1, checking->plan.seed,
			     &checking->output);
	claw_cmd_output_program(checking->output.records, checking->argv);
	claw_records_planned(checking->output.records, &planned);
}

uint32_t claw_cmd_check_wanted(const struct claw_checking *checking)
{
	return checking->view.find |
		(checking->given->protect ? CLAW_FOUND_PROTECT : 0) |
		(checking->given->early_loads ? CLAW_FOUND_EARLY : 0);
}

static void open_session(struct claw_checking *checking)
{
	struct claw_session_config config = {
		.seed = checking->plan.seed,
		.ledger = CLAW_LEDGER_SITES,
		.program = checking->argv[0],
		.find = claw_cmd_check_wanted(checking),
		.probes = probes_of(checking),
	};
	char *models = claw_models_of(&checking->given->models);
	char **texts = claw_fault_plan_texts(&checking->plan);
	char *directory = claw_path_in(checking->output.directory, "session");
	int ret;

	claw_device_choice_check(NULL, &checking->given->models);
	config.models = models;
	ret = claw_session_new(directory, texts, checking->plan.rules.count,
			       &config, &checking->session);
	if (ret == 0 && config.probes.modes)
		ret = claw_session_set_own_caches(checking->session);
	free(models);
	free(texts);
	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 strerror(errno));
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	free(directory);
}

/* SIGUSR1: what is alive now. */
static void report_now(void *user)
{
	struct claw_checking *checking = user;
	struct claw_check_view view = checking->view;
	struct claw_check_scan scan;
	const char *gap;
	char *summary;

	view.is_now = true;
	view.which = checking->given->leak_check ? view.which : CLAW_LEAK_ALL;
	claw_cmd_check_scan(checking->session, &view,
			    claw_cmd_check_wanted(checking),
			    &checking->suppressions, &scan);
	claw_check_print(stderr, &view, &scan);
	summary = claw_check_summary(&view, &scan);
	claw_warn("%s", summary);
	free(summary);
	gap = claw_cmd_check_gap(&scan);
	if (gap)
		claw_warn("incomplete: %s", gap);
	claw_cmd_check_scan_release(&scan);
}

static void run_program(struct claw_checking *checking)
{
	struct claw_runner *runner;
	struct claw_unseen *watching = NULL;
	struct claw_compiling compiling = { .session = checking->session };
	struct claw_run_spec spec = {
		.argv = checking->argv,
		.set_env = checking->session->environment,
		.stdin_mode = CLAW_STDIN_INHERIT,
		.foreground = true,
		.timeout_ms = checking->given->timeout_ms,
		.started = claw_unseen_begin,
		.started_user = &watching,
	};

	runner = claw_runner_new(1);
	if (!runner || claw_runner_on_signal(runner, SIGUSR1, report_now,
					     checking) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot create the event loop");
	claw_compiling_watch(&compiling, runner);
	claw_runner_run_one(runner, &spec, &checking->run);
	claw_runner_free(runner);
	checking->unseen = claw_unseen_end(watching);
}

int claw_cmd_check_run(struct claw_checking *checking, int argc,
		       char *const *command, char *const *argv)
{
	int status;

	check_program(checking, argv[0]);
	checking->argv = argv;
	checking->name = claw_base_name(argv[0]);
	checking->again = reproduce_line(checking);
	checking->generated = open_generated(checking);
	open_output(checking, argc, command);
	open_session(checking);
	if (checking->given->verbose)
		claw_warn("writing results to %s", checking->output.shown);
	run_program(checking);
	status = claw_cmd_not_started(&checking->run, checking->argv[0]);
	if (status < 0)
		status = claw_cmd_check_finish(checking);
	else
		claw_cmd_output_end(&checking->output, status, false);
	claw_run_result_release(&checking->run);
	claw_session_free(checking->session);
	claw_fault_plan_release(&checking->plan);
	claw_program_release(&checking->program);
	free(checking->again);
	free(checking->unseen);
	claw_cmd_output_release(&checking->output);
	return status;
}
