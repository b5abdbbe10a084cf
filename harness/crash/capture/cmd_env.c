/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw env: the variables that load the layer by hand, where openclaw
 * cannot start the program itself (gdb, Jupyter, containers, services).
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capturing.h"
#include "harness/files/directories.h"
#include "harness/session/door.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/session/session.h"
#include "harness/base/text_list.h"
#include "harness/session/user_config.h"

static bool as_sh, as_docker, as_systemd, capture, redact, check;
static const char *buffers;
static struct claw_fault_options fault_options;
static const char *output;

static const struct claw_option env_options[] = {
	{ "sh", 0, OPT_FLAG, NULL,
	  "print shell commands for eval [default]", &as_sh },
	{ "docker", 0, OPT_FLAG, NULL, "print options for docker run", &as_docker },
	{ "systemd", 0, OPT_FLAG, NULL,
	  "print lines for the [Service] section of a systemd unit", &as_systemd },
	CLAW_FAULT_OPTION("", &fault_options.faults),
	CLAW_PLAN_OPTION("", &fault_options.plans),
	CLAW_SEED_OPTION(&fault_options.seed),
	CLAW_ALLOW_ILLEGAL_OPTION(&fault_options.allow_illegal),
	CLAW_VIA_OPTION,
	{ "output", 'o', OPT_STRING, "DIR",
	  "keep the journals in the session DIR", &output },
	{ "check", 0, OPT_FLAG, NULL,
	  "with --output: look for leaks and lifetime errors, for \"openclaw "
	  "check --now DIR\"", &check },
	{ "capture", 0, OPT_FLAG, NULL,
	  "let a crash leave a session to make a dump of, in DIR of --output "
	  "[default: CLW_CRASH_DUMP_PATH, logging.crash_dump_path of "
	  "openclaw.yaml, openclaw-out/crashes]", &capture },
	{ "buffers", 0, OPT_CHOICE, "none|hash|all",
	  "with --capture: buffer contents to keep, as for openclaw capture "
	  "[default: hash]", &buffers },
	{ "redact", 0, OPT_FLAG, NULL,
	  "with --capture: keep only sizes and hashes", &redact },
	{ 0 },
};

static void print_quoted_systemd(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if (*text == '%')	/* a specifier there */
			putchar('%');
		putchar(*text);
	}
	putchar('"');
}

/* The drivers in front of which a container's loader finds openclaw are the
 * container's, where its loader would look for them. */
static const char *in_container(const char *entry)
{
	static const char target[] = "OPENCLAW_ICD_TARGET=";

	return strncmp(entry, target, strlen(target)) == 0 ?
	       "OPENCLAW_ICD_TARGET=/etc/OpenCL/vendors" : entry;
}

static void print_variable(const char *entry)
{
	char *quoted;
	const char *value = strchr(entry, '=');

	if (!value) {
		if (as_systemd)
			printf("UnsetEnvironment=%s\n", entry);
		else if (!as_docker)
			printf("unset %s\n", entry);
		return;
	}
	if (as_systemd) {
		printf("Environment=");
		print_quoted_systemd(entry);
		putchar('\n');
		return;
	}
	quoted = claw_shell_quote(as_docker ? in_container(entry) :
				  value + 1);
	if (as_docker)
		printf("-e %s\n", quoted);
	else
		printf("export %.*s=%s\n", (int)(value - entry), entry, quoted);
	free(quoted);
}

/* In a container nothing is where it is here, unless it is mounted there. */
static void print_mount(const char *path, bool writable)
{
	char *mount, *quoted;

	if (!as_docker)
		return;
	mount = claw_format("%s:%s%s", path, path, writable ? "" : ":ro");
	quoted = claw_shell_quote(mount);
	printf("-v %s\n", quoted);
	free(quoted);
	free(mount);
}

static void print_named(const char *name, const char *value)
{
	char *entry = claw_format("%s=%s", name, value);

	print_variable(entry);
	free(entry);
}

static void print_rules(const struct claw_fault_plan *plan)
{
	char *joined = NULL;
	size_t size;
	char seed[32];
	FILE *out = claw_text_begin(&joined, &size);

	for (size_t i = 0; i < plan->rules.count; i++)
		fprintf(out, "%s%s", i ? ";" : "", plan->rules.rules[i].text);
	claw_text_end(out);
	snprintf(seed, sizeof(seed), "%" PRIu64, plan->seed);
	print_named("OPENCLAW_FAULTS", joined);
	print_named("OPENCLAW_SEED", seed);
	free(joined);
}

/* Who is started by hand has no host: the process makes its own session. */
static void set_capture(void)
{
	const char *wanted = claw_capturing_default();
	char *directory = NULL, keys[64];

	if (claw_make_directories(wanted) == 0)
		directory = realpath(wanted, NULL);
	if (!directory)
		claw_die(CLAW_EXIT_INFRA, "env: %s: %s", wanted,
			 strerror(errno));
	snprintf(keys, sizeof(keys), "capture=%s%s",
		 buffers ? buffers : "hash", redact ? " capture_redact=1" : "");
	print_named("OPENCLAW_CAPTURE", keys);
	if (setenv("CLW_CRASH_DUMP", "1", 1) < 0 ||
	    setenv("CLW_CRASH_DUMP_PATH", directory, 1) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	free(directory);
}

static enum claw_capture_buffers parse_buffers(void)
{
	return !capture ? CLAW_CAPTURE_OFF :
		!buffers || strcmp(buffers, "hash") == 0 ? CLAW_CAPTURE_HASH :
		strcmp(buffers, "all") == 0 ? CLAW_CAPTURE_ALL :
		CLAW_CAPTURE_NONE;
}

static void print_session(const struct claw_fault_plan *plan)
{
	struct claw_session_config config = {
		.seed = plan->seed,
		.allow_illegal = fault_options.allow_illegal,
		.ledger = check ? CLAW_LEDGER_SITES : CLAW_LEDGER_OFF,
		.find = check ? CLAW_FOUND_LIFETIME : 0,
		.capture = { .buffers = parse_buffers(), .redact = redact },
	};
	char **texts = claw_fault_plan_texts(plan);
	struct claw_session *session;
	int ret = claw_session_new(output, texts, plan->rules.count,
					   &config, &session);

	free(texts);
	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", output, strerror(errno));
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", output,
			 claw_error_text(ret));
	print_mount(session->directory, true);
	for (char **entry = session->environment; *entry; entry++)
		if (strchr(*entry, '=') || session->via_icd)
			print_variable(*entry);
	claw_session_free(session);
}

/* What leads to the layer's file, without a session. */
static void print_door(void)
{
	struct claw_session variables = {
		.environment = claw_calloc(1, sizeof(char *)),
	};
	int ret = claw_session_set_door(&variables);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	for (char **entry = variables.environment; *entry; entry++)
		print_variable(*entry);
	claw_list_free(variables.environment);
}

/* What openclaw.yaml says of a program (main() has set it here), or this
 * environment, which not everything that is started inherits. */
static void print_settings(void)
{
	const char *path = getenv("CLW_CRASH_DUMP_PATH");

	for (const struct claw_user_variable *variable = claw_user_variables;
	     variable->name; variable++) {
		const char *value = getenv(variable->name);

		if (value && *value)
			print_named(variable->name, value);
	}
	if (path && *path == '/')
		print_mount(path, true);
}

/* Settings that no variable has. */
static void warn_of_settings(void)
{
	struct claw_user_config config;
	char error[1024];

	if (claw_user_config_read(&config, error, sizeof(error)) < 0)
		return;		/* main() has read it just now */
	if (config.has_retries || config.crash_recovery)
		claw_warn("env: enable_crash_recovery and "
			  "max_retry_attempts of %s apply only to \"openclaw "
			  "run\"", config.path);
	claw_user_config_release(&config);
}

static int env_run(int argc, char *const *argv);

const struct claw_command claw_cmd_env = {
	.name = "env",
	.summary = "print the environment variables that load the layer",
	.usage = "",
	.description =
		"For programs that openclaw cannot start itself: debuggers, "
		"notebooks, containers.\n\n"
		"  eval \"$(openclaw env --fault "
		"clCreateBuffer:oom:when=3)\"\n\n"
		"On an error (such as a wrong rule) it prints \"false\", so "
		"that the eval fails as well.\n\n"
		"Without --output the faults are in OPENCLAW_FAULTS and "
		"nothing is kept; with --output DIR is a session that keeps a "
		"journal of every process. With --capture a crash leaves a "
		"session that \"openclaw capture --recover DIR\" turns into a "
		"dump.\n\n"
		"The logging and memory sections of openclaw.yaml are "
		"included. With --docker the layer and DIR are mounted at the "
		"same paths as here; with --via icd the drivers are those of "
		"the container's /etc/OpenCL/vendors.",
	.options = env_options,
	.reads_config = true,
	.run = env_run,
};

/* What is evaluated by a shell makes that fail, too. */
static bool is_printed;

static void print_failure(void)
{
	if (!is_printed && !as_docker && !as_systemd &&
	    !isatty(STDOUT_FILENO))
		puts("false");
}

static bool wants_help(int argc, char *const *argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static int env_run(int argc, char *const *argv)
{
	int unwatched = wants_help(argc, argv) ? 0 : atexit(print_failure);
	int first = claw_command_start(&claw_cmd_env, argc, argv, false);
	struct claw_fault_plan plan;
	char error[1024];
	char *layer;
	int ret;

	if (unwatched)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "env: expected no operand, found \"%s\" (see "
			 "openclaw env --help)", argv[first]);
	if (as_sh + as_docker + as_systemd > 1)
		claw_die(CLAW_EXIT_USAGE, "env: --sh, --docker and --systemd "
			 "exclude each other");
	if ((buffers || redact) && !capture)
		claw_die(CLAW_EXIT_USAGE, "env: --%s needs --capture",
			 buffers ? "buffers" : "redact");
	if ((fault_options.allow_illegal || check) && !output)
		claw_die(CLAW_EXIT_USAGE, "env: --%s needs --output DIR",
			 check ? "check" : "allow-illegal");
	ret = claw_fault_plan_load(&fault_options, &plan, error,
				   sizeof(error));
	if (ret < 0)
		claw_die(ret == -CLAW_E_NOT_FOUND ? CLAW_EXIT_INFRA :
			 CLAW_EXIT_USAGE, "%s", error);
	for (size_t i = 0; i < plan.rules.count; i++)
		if (*plan.rules.rules[i].at && !plan.rules.rules[i].pc_count)
			claw_warn("env: %s: at= of a compiled program is "
				  "resolved by \"openclaw inject\" only",
				  plan.given[i]);
	layer = claw_layer_path();
	if (!layer)
		claw_die(CLAW_EXIT_INFRA, "%s",
			 claw_error_text(-CLAW_E_NO_LAYER));
	claw_via_choose(NULL);
	if (strchr(layer, ':') && claw_via_get() == CLAW_DOOR_LAYER)
		claw_die(CLAW_EXIT_INFRA, "%s",
			 claw_error_text(-CLAW_E_LAYER_PATH));
	print_mount(layer, false);
	if (output) {
		print_session(&plan);
	} else {
		print_door();
		if (capture)
			set_capture();
		if (plan.rules.count > 0)
			print_rules(&plan);
	}
	print_settings();
	warn_of_settings();
	free(layer);
	claw_fault_plan_release(&plan);
	is_printed = true;
	return CLAW_EXIT_CLEAN;
}
