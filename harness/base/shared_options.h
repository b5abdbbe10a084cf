/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of option tables that several commands have: an option has one name,
 * one argument and one wording everywhere. with_: "" or "with --judge: ",
 * where the option needs another one.
 */
#ifndef CLAW_SHARED_OPTIONS_H
#define CLAW_SHARED_OPTIONS_H

#include "options.h"
#include "source_url.h"

#define CLAW_OUTPUT_OPTION(verb_, value_)				\
	{ "output", 'o', OPT_STRING, "DIR",				\
	  "directory for records and reports [default: openclaw-out/"	\
	  verb_ "-TIME]", (value_) }

#define CLAW_FORCE_OPTION(value_)					\
	{ "force", 0, OPT_FLAG, NULL,					\
	  "overwrite a DIR left by an interrupted run", (value_) }

#define CLAW_HISTORY_OPTION						\
	{ "history", 0, OPT_STRING, "FILE",				\
	  "add the run to this history [default: OPENCLAW_HISTORY, " 	\
	  "openclaw.db]", &claw_history_file }

#define CLAW_SOURCE_ROOT_OPTION(value_)					\
	{ "source-root", 0, OPT_STRING, "DIR",				\
	  "report paths relative to DIR [default: the working directory]", \
	  (value_) }

#define CLAW_SOURCE_URL_OPTION						\
	{ "source-url", 0, OPT_URL, "TEMPLATE",				\
	  "link source lines to this URL with {commit}, {file} and {line}", \
	  &claw_source_url }

#define CLAW_ERROR_EXITCODE_OPTION(with_, value_)			\
	{ "error-exitcode", 0, OPT_EXIT, "N",				\
	  with_ "exit status for findings and failures [default: 1]",	\
	  (value_) }

#define CLAW_TIMEOUT_OPTION(default_, value_)				\
	{ "timeout", 't', OPT_DURATION, "TIME",				\
	  "kill the program after this time [default: " default_ "]", (value_) }

#define CLAW_FAULT_OPTION(with_, value_)				\
	{ "fault", 'f', OPT_STRINGS, "RULE",				\
	  with_ "inject this fault, see openclaw-faults(7); may be repeated", \
	  (value_) }

#define CLAW_PLAN_OPTION(with_, value_)					\
	{ "plan", 0, OPT_STRINGS, "FILE",				\
	  with_ "inject the faults of a YAML file, - for standard input, " \
	  "or preset:NAME; may be repeated", (value_) }

#define CLAW_SEED_OPTION(value_)					\
	{ "seed", 0, OPT_STRING, "N",					\
	  "seed of random decisions [default: OPENCLAW_SEED, the plan's, " \
	  "random]", (value_) }

#define CLAW_ALLOW_ILLEGAL_OPTION(value_)				\
	{ "allow-illegal", 0, OPT_FLAG, NULL,				\
	  "let error= name codes that the specification does not allow", \
	  (value_) }

#define CLAW_STDIN_OPTION(default_, value_)				\
	{ "stdin", 0, OPT_STRING, "FILE",				\
	  "standard input of the program [default: " default_ "]", (value_) }

#define CLAW_ARTIFACT_OPTION(with_, value_)				\
	{ "artifact", 0, OPT_STRINGS, "FILE",				\
	  with_ "result file of the program, to be compared; may be repeated\n" \
	  "It is deleted before each run and compared after it.", (value_) }

#define CLAW_OUTPUT_FILTER_OPTION(with_, value_)			\
	{ "output-filter", 0, OPT_STRING, "CMD",			\
	  with_ "compare stdout as filtered by this shell command", \
	  (value_) }

#define CLAW_ARTIFACT_FILTER_OPTION(with_, value_)			\
	{ "artifact-filter", 0, OPT_STRING, "CMD",			\
	  with_ "compare each artifact as filtered by this shell command", \
	  (value_) }

#define CLAW_STRICT_OUTPUT_OPTION(with_, value_)			\
	{ "strict-output", 0, OPT_FLAG, NULL,				\
	  with_ "also compare output that varies without faults", (value_) }

#define CLAW_TRUST_STATUS_OPTION(with_, value_)				\
	{ "trust-exit-status", 0, OPT_FLAG, NULL,			\
	  with_ "accept an equal exit status as an equal result", (value_) }

#define CLAW_PREPARE_OPTION(with_, value_)				\
	{ "prepare", 0, OPT_STRING, "CMD",				\
	  with_ "run this shell command before each run", (value_) }

#define CLAW_CLEANUP_OPTION(with_, value_)				\
	{ "cleanup", 0, OPT_STRING, "CMD",				\
	  with_ "run this shell command after each run", (value_) }

#define CLAW_JUDGED_GUARDS_OPTION(with_, value_)			\
	{ "guards", 0, OPT_FLAG, NULL,					\
	  with_ "put guard zones around buffers\n" \
	  "A kernel that writes past a buffer after a fault is a finding.", (value_) }

#define CLAW_STRICT_OPTION(with_, value_)				\
	{ "strict", 0, OPT_FLAG, NULL,					\
	  with_ "treat \"degraded\" as a finding", (value_) }

#define CLAW_JUDGED_LEAK_CHECK_OPTION(with_, value_)			\
	{ "leak-check", 0, OPT_CHOICE, "recovered|all",			\
	  with_ "report objects left alive by recovered runs, or by all " \
	  "[default: recovered]", (value_) }

#define CLAW_SHARD_OPTION(what_, value_)				\
	{ "shard", 0, OPT_STRING, "M/N[:own]|auto",				\
	  "run part M of N of the " what_ "; auto: as the CI system says", (value_) }

/* Read by main.c. */
#define CLAW_BATCH_OPTIONS						\
	{ "on", 0, OPT_STRING, "ENGINE",				\
	  "run in pieces on local, slurm or kubernetes, see openclaw-batch(7)", \
	  NULL },							\
	{ "detach", 0, OPT_FLAG, NULL,					\
	  "with --on: start the tasks, print how to wait for them, and exit", \
	  NULL }

#define CLAW_DEVICE_OPTION(letter_, default_, value_)			\
	{ "device", letter_, OPT_STRING, "N",				\
	  "number of the device, see openclaw info --list [default: "	\
	  default_ "]", (value_) }

#endif
