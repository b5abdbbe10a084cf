/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw completion SHELL": the completion script of bash, zsh or fish.
 * Each asks "openclaw __complete" (cmd_complete.c), which knows the tables.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/options.h"

/* completion.bash, .zsh and .fish, made by make. */
extern const char claw_completion_bash[], claw_completion_zsh[],
	claw_completion_fish[];

static const struct {
	const char *name, *script;
} shells[] = {
	{ "bash", claw_completion_bash },
	{ "zsh", claw_completion_zsh },
	{ "fish", claw_completion_fish },
};

static const struct claw_option completion_options[] = {
	{ 0 },
};

static int completion_run(int argc, char *const *argv);

const struct claw_command claw_cmd_completion = {
	.name = "completion",
	.summary = "print a shell completion script",
	.usage = "bash|zsh|fish",
	.description =
		"For one session of bash:\n\n"
		"  . <(openclaw completion bash)",
	.options = completion_options,
	.run = completion_run,
};

static int completion_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_completion, argc, argv, false);

	if (first + 1 != argc)
		claw_die(CLAW_EXIT_USAGE, "completion: expected one of bash, "
			 "zsh, fish (see openclaw completion --help)");
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(argv[first], shells[i].name) == 0) {
			fputs(shells[i].script, stdout);
			return CLAW_EXIT_CLEAN;
		}
	}
	claw_die(CLAW_EXIT_USAGE, "completion: expected one of bash, zsh, fish;"
		 " found \"%s\"", argv[first]);
}
