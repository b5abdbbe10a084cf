/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw repro: do again what a dump has captured, in a process of ours or in
 * the program itself, and say whether the same goes wrong.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_repro.h"
#include "harness/records/cmd_ended.h"
#include "harness/crash/facts/crash_input.h"
#include "harness/machine/device_choice.h"
#include "harness/files/directories.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/tools/tool_words.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/session/program.h"
#include "harness/crash/replay/replay_crash.h"
#include "repro.h"
#include "harness/base/text_list.h"

static struct claw_strings model_words;
static const char *under, *output, *device;
static uint64_t runs = CLAW_REPRO_RUNS, timeout_ms;
static bool no_faults, json;
static struct claw_exporting exporting = {
	.max_steps = CLAW_STEPS_NOT_SAID,
};

static const struct claw_option repro_options[] = {
	{ "under", 'u', OPT_STRING, "native|oclgrind|valgrind|device",
	  "replay under this tool: native, oclgrind, valgrind or device "
	  "[default: native]", &under },
	CLAW_DEVICE_OPTION('d', "CLW_DEVICE_ID, 0", &device),
	CLAW_MODEL_OPTION(&model_words),
	{ "runs", 'n', OPT_UINT, "N",
	  "maximum number of runs; three equal ones are enough [default: 10]",
	  &runs },
	{ "no-faults", 0, OPT_FLAG, NULL,
	  "do not inject the captured failures", &no_faults },
	{ "timeout", 't', OPT_DURATION, "T",
	  "kill a run after this time [default: 60s; 20s if the capture was a "
	  "hang]", &timeout_ms },
	CLAW_ICD_OPTION,
	CLAW_VIA_OPTION,
	{ "json", 0, OPT_FLAG, NULL, "print the result as JSON", &json },
	{ "minimise", 'm', OPT_FLAG, NULL,
	  "write a smaller dump that fails the same way\n"
	  "Calls, launches and work-groups are removed while the failure "
	  "stays the same.", &exporting.minimise },
	{ "max-steps", 0, OPT_UINT, "N",
	  "with --minimise: maximum number of replays [default: 120]",
	  &exporting.max_steps },
	{ "emit-c", 0, OPT_STRING, "DIR",
	  "write a C program that makes the calls, with a Makefile, to DIR",
	  &exporting.c },
	{ "emit-plan", 0, OPT_STRING, "FILE",
	  "write the captured failures as a fault plan to FILE",
	  &exporting.plan },
	{ "emit-test", 0, OPT_STRING, "FILE",
	  "write the failing launch as a kernel file for openclaw test",
	  &exporting.test },
	{ "output", 'o', OPT_STRING, "PATH",
	  "keep sessions in directory PATH; with --minimise: the smaller dump "
	  "[default: not kept; with --minimise the dump's path with -min "
	  "before .dmp]", &output },
	{ 0 },
};

enum { HANG_TIMEOUT_MS = 20 * 1000, MAX_RUNS = 1000 };

/* What a run needs; rules NULL: no failures. */
struct command {
	const struct claw_dump *dump;
	const char *path;
	struct claw_crash crash;
	char *calls;		/* claw_replay_wanted() */
	char **rules;		/* that are injected, for people too */
	bool is_helped;		/* what the device did had to be injected */
	char *models;		/* NULL: as captured */
	char *const *argv;	/* of the program, or NULL: a replay */
	uint64_t device;
};

/* ---- options ---------------------------------------------------------- */

static uint64_t parse_device(void)
{
	uint64_t number;
	char *end;

	if (!device)
		return 0;
	errno = 0;
	number = strtoull(device, &end, 10);
	if (errno || *device < '0' || *device > '9' || *end)
		claw_die(CLAW_EXIT_USAGE, "repro: option --device: expected a "
			 "number, found \"%s\"", device);
	return number;
}

static void check_options(int operands, bool has_program)
{
	struct claw_tool_words words = { .each = NULL };
	char error[1024];

	if (operands == 0)
		claw_die(CLAW_EXIT_USAGE, "repro: expected a dump (see "
			 "openclaw repro --help)");
	words.each = under ? claw_under_find(under) : NULL;
	if (under && !words.each) {
		claw_under_say_unknown(under, NULL, error, sizeof(error));
		claw_die(CLAW_EXIT_USAGE, "repro: --under: %s", error);
	}
	if (claw_tool_words_check_icd(&words, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "repro: %s", error);
	if (runs == 0 || runs > MAX_RUNS)
		claw_die(CLAW_EXIT_USAGE, "repro: option --runs: expected a "
			 "number from 1 to %d, found \"%" PRIu64 "\"",
			 MAX_RUNS, runs);
	if (has_program && (under || device))
		claw_die(CLAW_EXIT_USAGE, "repro: --%s applies to a replay, "
			 "found a program", under ? "under" : "device");
	if (has_program && no_faults)
		claw_die(CLAW_EXIT_USAGE, "repro: --no-faults leaves nothing "
			 "to inject into the program");
}

static struct claw_dump *read_dump(const char *path)
{
	struct claw_dump *dump = NULL;
	int ret = claw_dump_read(path, NULL, &dump), status;
	char *why;

	if (ret < 0) {
		why = claw_crash_input_refusal("repro", path, ret, &status);
		claw_die(status, "%s", why);
	}
	if (!dump->trace || dump->trace->call_count == 0)
		claw_die(CLAW_EXIT_UNKNOWN, "%s: no calls to replay", path);
	return dump;
}

/* In a smaller dump calls are missing between others: what is counted in it is
 * not the call that the program makes. */
static void check_is_whole(const struct claw_dump *dump, const char *path)
{
	const json_t *from = json_object_get(dump->meta, "minimised_from");
	const char *file = json_string_value(json_object_get(from, "file"));
	char *quoted = file ? claw_shell_quote_printable(file) : NULL;

	if (from)
		claw_die(CLAW_EXIT_USAGE, "%s: expected a whole dump, for %s, "
			 "found one that was made smaller: take the one that "
			 "it was made from%s%s", path, exporting.plan ?
			 "--emit-plan" : "a program", quoted ? ", " : "",
			 quoted ? quoted : "");
	free(quoted);
}

/* ---- runs ------------------------------------------------------------- */

/* A folder of its own in --output, or NULL. */
static char *run_directory(unsigned int number)
{
	char *path;

	if (!output || exporting.minimise)
		return NULL;
	if (claw_make_directory(output) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", output, strerror(errno));
	path = claw_format("%s/run-%u", output, number);
	return path;
}

static uint64_t timeout_of(const struct command *command)
{
	return timeout_ms ? timeout_ms :
		command->crash.kind == CLAW_CRASH_TIMEOUT ? HANG_TIMEOUT_MS :
		0;
}

static struct claw_replay_spec replay_of(const struct command *command)
{
	return (struct claw_replay_spec) {
		.dump = command->dump, .trace = command->dump->trace,
		.dump_path = command->path, .under = under,
		.model = command->models,
		.timeout_ms = timeout_of(command), .no_faults = no_faults,
		.wanted_calls = command->calls,
		.wanted_kernel = command->crash.kind == CLAW_CRASH_GPU ||
			command->crash.kind == CLAW_CRASH_DRIVER ?
			command->crash.kernel : NULL,
		.has_device = device != NULL, .device = command->device,
	};
}

static int run_replay(unsigned int number, void *user,
		      struct claw_replay_result *ret_result)
{
	const struct command *command = user;
	struct claw_replay_spec spec = replay_of(command);
	char *directory = run_directory(number);
	int ret;

	spec.directory = directory;
	ret = claw_replay_run(&spec, command->crash.signature, ret_result);
	free(directory);
	return ret;
}

static int run_live(unsigned int number, void *user,
		    struct claw_replay_result *ret_result)
{
	const struct command *command = user;
	char *directory = run_directory(number);
	const struct claw_repro_live live = {
		.dump = command->dump, .wanted = command->crash.signature,
		.argv = command->argv, .rules = command->rules,
		.models = command->models, .directory = directory,
		.timeout_ms = timeout_of(command),
	};
	int ret = claw_repro_live_run(&live, ret_result);

	free(directory);
	return ret;
}

/* ---- the command ------------------------------------------------------ */

static const char killed_words[] = "the captured process was killed from "
	"outside, which a replay cannot reproduce; its calls succeeded";

/* A replay has no code of the program's, and nobody kills it: that nothing
 * happened in it says nothing of that. */
static void judge(const struct command *command, struct claw_repro *repro)
{
	bool is_own = command->calls && !*command->calls;

	if (!command->argv && repro->verdict == CLAW_REPRO_NOT &&
	    (is_own || command->crash.kind == CLAW_CRASH_KILLED))
		repro->verdict = CLAW_REPRO_UNKNOWN;
}

/* Is that why nothing can be said? */
static bool is_killed(const struct command *command,
		      const struct claw_repro *repro)
{
	return repro->verdict == CLAW_REPRO_UNKNOWN && repro->runs &&
	       repro->last.end != CLAW_REPLAY_INFRA && !command->argv &&
	       command->crash.kind == CLAW_CRASH_KILLED;
}

static int status_of(enum claw_repro_verdict verdict)
{
	switch (verdict) {
	case CLAW_REPRO_REPRODUCED:
		return CLAW_EXIT_CLEAN;
	case CLAW_REPRO_DIFFERENT:
	case CLAW_REPRO_NOT:
		return CLAW_EXIT_FINDINGS;
	case CLAW_REPRO_NOWHERE:
		return CLAW_EXIT_SKIPPED;
	case CLAW_REPRO_UNKNOWN:
	default:
		return CLAW_EXIT_UNKNOWN;
	}
}

static void print(const struct command *command,
		  const struct claw_repro *repro)
{
	const char *wanted = command->crash.signature;
	json_t *object;

	if (json) {
		object = claw_repro_json(repro, wanted, command->rules);
		if (json_object_set_new(object, "device_failures_injected",
					json_boolean(command->is_helped)) < 0)
			claw_die(CLAW_EXIT_INFRA, "out of memory");
		if (is_killed(command, repro))
			json_array_append_new(json_object_get(object, "notes"),
					      json_string(killed_words));
		if (exporting.name && json_object_set_new(object, "minimised",
				claw_exporting_json(&exporting)) < 0)
			claw_die(CLAW_EXIT_INFRA, "out of memory");
		if (!object || json_dumpf(object, stdout, JSON_INDENT(1)) < 0)
			claw_die(CLAW_EXIT_INFRA, "out of memory");
		putchar('\n');
		json_decref(object);
		return;
	}
	claw_repro_print(repro, wanted, command->rules, stdout);
	if (command->is_helped)
		printf("  note:     this device did not fail by itself: the "
		       "captured failures were injected\n");
	if (is_killed(command, repro))
		printf("  note:     %s\n", killed_words);
	if (exporting.minimise)
		claw_exporting_print(&exporting);
	if (!command->calls || command->argv)
		return;
	if (*command->calls)
		printf("  note:     it failed in the program's own code, "
		       "which a replay does not have; compared by its calls: "
		       "%s\n", command->calls);
	else if (repro->verdict == CLAW_REPRO_UNKNOWN)
		printf("  note:     it failed in the program's own code and "
		       "no call had failed; run the program with: openclaw "
		       "repro %s -- PROGRAM\n",
		       command->path);
}

static void find_wanted(struct command *command)
{
	claw_replay_wanted(command->dump, &command->crash, &command->calls);
	if (!command->dump->whole && !command->crash.percent)
		claw_die(CLAW_EXIT_UNKNOWN, "%s: damaged: how the captured "
			 "program ended is lost",
			 command->path);
}

static void find_rules(struct command *command)
{
	const struct claw_trace *trace = command->dump->trace;

	if (no_faults)
		return;
	command->rules = command->argv ?
		claw_replay_schedule(trace, command->dump) :
		claw_replay_rules(trace, command->dump);
}

static int try_runs(struct command *command, uint64_t most,
		    struct claw_repro *ret_repro)
{
	claw_list_free(command->rules);
	command->rules = NULL;
	find_rules(command);
	return claw_repro_try((unsigned int)most, command->argv ? run_live :
			      run_replay, command, ret_repro);
}

/* Did the captured device fail by itself? Then no rule had asked for it. */
static bool device_failed(const struct claw_dump *dump)
{
	struct claw_replay_faults faults;
	bool failed = false;

	claw_replay_faults_find(dump->trace, dump, &faults);
	for (size_t i = 0; i < faults.count && !failed; i++)
		failed = !dump->trace->calls[faults.items[i].call].rule;
	claw_replay_faults_release(&faults);
	return failed;
}

/* What the device did it may do again by itself, and that says more than a
 * failure that is injected; where it does not, that is injected. */
static int try_all(struct command *command, struct claw_dump *dump,
		   struct claw_repro *ret_repro)
{
	int ret;

	if (command->argv || no_faults || !device_failed(dump))
		return try_runs(command, runs, ret_repro);
	dump->asked_only = true;
	ret = try_runs(command, runs < CLAW_REPRO_ENOUGH ? runs :
		       CLAW_REPRO_ENOUGH, ret_repro);
	if (ret < 0 || ret_repro->verdict == CLAW_REPRO_REPRODUCED ||
	    ret_repro->verdict == CLAW_REPRO_NOWHERE)
		return ret;
	claw_repro_release(ret_repro);
	dump->asked_only = false;
	command->is_helped = true;
	return try_runs(command, runs, ret_repro);
}

static void look_at_program(const char *name)
{
	struct claw_program program = { .path = NULL };

	claw_cmd_look_at_program(name, &program);
	claw_via_choose(&program);
	claw_program_release(&program);
}

static int repro_run(int argc, char *const *argv);

const struct claw_command claw_cmd_repro = {
	.name = "repro",
	.summary = "replay a dump and report whether it fails the same way",
	.usage = "FILE [-- PROGRAM [ARG...]]",
	.description =
		"Repeats the captured calls in one process, with the captured "
		"contents, and injects the captured failures at the calls "
		"that failed. With PROGRAM it only injects the failures, into "
		"that program.\n\n"
		"  openclaw repro latest.dmp\n"
		"  openclaw repro latest.dmp --under oclgrind\n"
		"  openclaw repro latest.dmp -- ./filter in.png\n\n"
		"Exit status: 0 reproduced, 1 different or not reproduced, 2 "
		"inconclusive, 64 usage error, 77 nothing to run on, 99 "
		"openclaw itself failed.",
	.options = repro_options,
	.reads_config = true,
	.run = repro_run,
};

static int repro_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_repro, argc, argv, false);
	const bool has_program = argc - first > 1;
	struct command command = { .path = NULL };
	struct claw_replay_spec replay;
	struct claw_dump *dump;
	struct claw_repro repro;
	int ret, status;

	check_options(argc - first, has_program);
	exporting.output = exporting.minimise ? output : NULL;
	claw_exporting_check(&exporting, argv[first], has_program);
	if (has_program && strcmp(argv[first - 1], "--") != 0)
		claw_die(CLAW_EXIT_USAGE, "repro: expected -- before a "
			 "program, found \"%s\"", argv[first + 1]);
	command.path = argv[first];
	command.device = parse_device();
	if (device)
		claw_device_choice_check(device, &model_words);
	command.dump = dump = read_dump(argv[first]);
	if (has_program || exporting.plan)
		check_is_whole(dump, command.path);
	command.argv = has_program ? argv + first + 1 : NULL;
	command.models = model_words.count ? claw_models_of(&model_words) :
		NULL;
	find_wanted(&command);
	if (has_program)
		look_at_program(argv[first + 1]);
	else
		claw_via_choose(NULL);
	ret = try_all(&command, dump, &repro);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
	judge(&command, &repro);
	replay = replay_of(&command);
	exporting.dump = dump;
	exporting.path = command.path;
	exporting.crash = &command.crash;
	exporting.replay = &replay;
	if (exporting.minimise)
		claw_exporting_minimise(&exporting, &repro);
	print(&command, &repro);
	status = claw_exporting_write(&exporting, json ? stderr : stdout,
				      status_of(repro.verdict));
	claw_exporting_release(&exporting);
	claw_repro_release(&repro);
	claw_crash_release(&command.crash);
	claw_list_free(command.rules);
	free(command.calls);
	free(command.models);
	claw_dump_free(dump);
	return status;
}
