/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw capture: run one program and leave a dump of its OpenCL calls and
 * their data when it crashes, when the device does, when it does not end, or
 * when somebody asks.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture_test.h"
#include "capturing.h"
#include "cmd_capture.h"
#include "cmd_inject.h"
#include "harness/machine/device_choice.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "dump_store.h"
#include "harness/base/errors.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"

enum {
	RING_BITS_MIN = 17, RING_BITS_MAX = 30,	/* 128 KiB, 1 GiB */
};
#define NO_LAUNCH UINT64_MAX		/* --launch is not given */

static struct claw_fault_options fault_options;
static struct claw_strings model_words;
static const char *buffers, *kernel, *ring, *output, *stdin_path, *max_size;
static const char *request, *recover, *emit_test;
static uint64_t launch = NO_LAUNCH, timeout_ms, max_dumps = CLAW_DUMPS_MAX;
static bool redact, always, verbose, running_too;

static const struct claw_option capture_options[] = {
	{ "buffers", 'b', OPT_CHOICE, "none|hash|launch|all",
	  "buffer contents to keep: none, hash, launch or all [default: hash]\n"
	  "hash: what the host wrote, each content once; launch: also the "
	  "arguments of chosen launches; all: of every launch.", &buffers },
	{ "kernel", 'k', OPT_STRING, "GLOB",
	  "with --buffers launch: only of these kernels", &kernel },
	{ "launch", 0, OPT_UINT, "N",
	  "with --buffers launch: only the Nth launch, from 1",
	  &launch },
	{ "ring", 0, OPT_STRING, "SIZE",
	  "size of the ring of recorded calls [default: 16MiB]",
	  &ring },
	{ "redact", 0, OPT_FLAG, NULL,
	  "keep only sizes and hashes: no arguments, sources or contents",
	  &redact },
	CLAW_FAULT_OPTION("", &fault_options.faults),
	CLAW_PLAN_OPTION("", &fault_options.plans),
	CLAW_SEED_OPTION(&fault_options.seed),
	CLAW_ALLOW_ILLEGAL_OPTION(&fault_options.allow_illegal),
	CLAW_MODEL_OPTION(&model_words),
	CLAW_ICD_OPTION,
	CLAW_VIA_OPTION,
	CLAW_TIMEOUT_OPTION("none", &timeout_ms),
	CLAW_STDIN_OPTION("ours", &stdin_path),
	{ "always", 0, OPT_FLAG, NULL,
	  "write a dump of every process, even if nothing went wrong", &always },
	{ "output", 'o', OPT_STRING, "DIR",
	  "directory for dumps [default: CLW_CRASH_DUMP_PATH, "
	  "logging.crash_dump_path of openclaw.yaml, openclaw-out/crashes]",
	  &output },
	{ "max-dumps", 0, OPT_UINT, "N",
	  "keep at most N dumps, delete the oldest; 0: all [default: 20]",
	  &max_dumps },
	{ "max-size", 0, OPT_STRING, "SIZE",
	  "keep at most SIZE of dumps; 0B: no limit [default: 4GiB]",
	  &max_size },
	{ "emit-test", 0, OPT_STRING, "FILE",
	  "write a kernel file for openclaw test from a launch; implies a "
	  "dump\n"
	  "The launch is that of --kernel and --launch [default: 1]; the file "
	  "has its buffers before and after.", &emit_test },
	{ "request", 0, OPT_STRING, "PID",
	  "ask the running openclaw capture of this process for a dump\n"
	  "No program is run.", &request },
	{ "recover", 0, OPT_STRING, "DIR",
	  "write dumps of a session left behind, or of all below DIR\n"
	  "Or of a tar file of capture.sh; no program is run.", &recover },
	{ "now", 0, OPT_FLAG, NULL,
	  "with --recover: also of processes that still run", &running_too },
	{ "verbose", 'v', OPT_FLAG, NULL, "print progress and details", &verbose },
	{ 0 },
};

static uint64_t parse_size(const char *option, const char *text, uint64_t low,
			   uint64_t high)
{
	const struct claw_model_key key = {
		.name = option, .kind = CLAW_MODEL_SIZE, .lowest = low,
		.highest = high, .words = "",
	};
	char value[32], expected[128];

	if (claw_model_value(&key, text, value, sizeof(value), expected,
			     sizeof(expected)) < 0)
		claw_die(CLAW_EXIT_USAGE, "capture: option --%s: expected %s, "
			 "found \"%s\"", option, expected, text);
	return strtoull(value, NULL, 10);
}

/* A power of two, not below what was asked for. */
static uint64_t ring_bytes(void)
{
	uint64_t wanted, bytes = UINT64_C(1) << RING_BITS_MIN;

	if (!ring)
		return 0;
	wanted = parse_size("ring", ring, 1, UINT64_C(1) << RING_BITS_MAX);
	while (bytes < wanted)
		bytes *= 2;
	return bytes;
}

static enum claw_capture_buffers parse_buffers(void)
{
	bool chosen = kernel || launch;

	if (!buffers)
		return chosen ? CLAW_CAPTURE_LAUNCH : CLAW_CAPTURE_HASH;
	if (chosen && strcmp(buffers, "launch") != 0)
		claw_die(CLAW_EXIT_USAGE, "capture: --%s needs --buffers "
			 "launch, found --buffers %s", kernel ? "kernel" :
			 "launch", buffers);
	return strcmp(buffers, "none") == 0 ? CLAW_CAPTURE_NONE :
		strcmp(buffers, "hash") == 0 ? CLAW_CAPTURE_HASH :
		strcmp(buffers, "all") == 0 ? CLAW_CAPTURE_ALL :
		CLAW_CAPTURE_LAUNCH;
}

/* Options that are about a run make no sense without one. */
static void check_options(int first, int argc, char *const *argv)
{
	const char *instead = recover ? "recover" : "request";

	if (request && recover)
		claw_die(CLAW_EXIT_USAGE, "capture: --request and --recover "
			 "exclude each other");
	if (running_too && !recover)
		claw_die(CLAW_EXIT_USAGE, "capture: --now needs --recover");
	if ((request || recover) && first < argc)
		claw_die(CLAW_EXIT_USAGE, "capture: --%s runs no program, "
			 "found \"%s\"", instead, argv[first]);
	if ((request || recover) &&
	    (buffers || kernel || launch || ring || redact || timeout_ms ||
	     fault_options.faults.count || fault_options.plans.count ||
	     model_words.count || emit_test))
		claw_die(CLAW_EXIT_USAGE, "capture: --%s uses an existing "
			 "capture; options of a run cannot be given", instead);
	if (stdin_path && access(stdin_path, R_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--stdin: %s: %s", stdin_path,
			 strerror(errno));
	if (kernel && strpbrk(kernel, "\r\n"))
		claw_die(CLAW_EXIT_USAGE, "capture: option --kernel: expected "
			 "a glob on one line");
	if (emit_test && redact)
		claw_die(CLAW_EXIT_USAGE, "capture: --emit-test needs the "
			 "contents that --redact omits");
	if (emit_test && access(emit_test, F_OK) == 0)
		claw_die(CLAW_EXIT_USAGE, "capture: --emit-test: %s already "
			 "exists", emit_test);
	if (!request && !recover && first >= argc)
		claw_die(CLAW_EXIT_USAGE, "capture: expected -- PROGRAM, found none (see "
			 "openclaw capture --help)");
}

static int run_program(char *const *argv, uint64_t max_bytes)
{
	struct claw_session_config config = {
		.allow_illegal = fault_options.allow_illegal,
		.capture = {
			.buffers = parse_buffers(), .kernel = kernel,
			.launch = launch, .redact = redact,
			.ring_bytes = ring_bytes(),
		},
	};
	struct claw_capturing capturing;
	struct claw_fault_plan plan;
	struct claw_program program;
	struct claw_transparent_run run = {
		.plan = &plan, .config = &config, .program = &program,
		.argv = argv, .models = &model_words, .stdin_path = stdin_path,
		.timeout_ms = timeout_ms, .verbose = verbose,
		.capturing = &capturing,
	};
	char *models;
	int status;

	claw_inject_load(&fault_options, &plan);
	config.models = models = claw_models_of(&model_words);
	claw_device_choice_check(NULL, &model_words);
	config.seed = plan.seed;
	claw_inject_look(argv[0], &plan, &program);
	claw_capturing_init(&capturing, output, &config);
	capturing.max_dumps = max_dumps;
	capturing.max_bytes = max_bytes;
	capturing.always = always || emit_test;
	capturing.verbose = verbose;
	capturing.tells_failed = true;
	status = claw_transparent_run(&run);
	if (emit_test && status == CLAW_EXIT_CLEAN)
		claw_capture_test_write(&(struct claw_capture_test){
			.dumps = capturing.directory, .kernel = kernel,
			.launch = launch, .path = emit_test });
	else if (emit_test)
		claw_warn("--emit-test: the program failed: no test written");
	claw_capturing_release(&capturing);
	claw_program_release(&program);
	claw_fault_plan_release(&plan);
	free(models);
	return status;
}

static int capture_run(int argc, char *const *argv);

const struct claw_command claw_cmd_capture = {
	.name = "capture",
	.summary = "run a program and write a dump if it crashes",
	.usage = "-- PROGRAM [ARG...]",
	.description =
		"The program keeps its input, output and exit status or "
		"signal. openclaw writes a dump when a signal kills the "
		"program, when its device crashes or is lost, at --timeout, "
		"and on SIGUSR1 to openclaw, and lists the contents of the "
		"dump. Nothing is kept of a successful run. Next: openclaw "
		"crash-analyze FILE.\n\n"
		"  openclaw capture -- ./filter in.png\n"
		"  openclaw capture --redact --timeout 60s -o dumps -- "
		"./filter in.png\n"
		"  openclaw capture --recover dumps",
	.options = capture_options,
	.reads_config = true,
	.run = capture_run,
};

static int capture_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_capture, argc, argv, true);
	uint64_t max_bytes = (uint64_t)CLAW_DUMPS_MAX_MIB << 20;

	if (launch == 0)
		claw_die(CLAW_EXIT_USAGE, "capture: option --launch: expected "
			 "a number from 1 on, as launches are counted, found "
			 "\"0\"");
	if (launch == NO_LAUNCH)
		launch = emit_test ? 1 : 0;
	check_options(first, argc, argv);
	if (max_size)
		max_bytes = parse_size("max-size", max_size, 0,
				       UINT64_C(1) << 50);
	if (request)
		return claw_capture_request(request);
	if (recover)
		return claw_capture_recover(&(struct claw_recovering){
			.from = recover, .output = output,
			.max_dumps = max_dumps, .max_bytes = max_bytes,
			.always = always, .running_too = running_too,
			.verbose = verbose });
	return run_program(argv + first, max_bytes);
}
