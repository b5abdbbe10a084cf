/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Option tables: one array a command, from which parsing, --help, shell
 * completion and the manual pages' option lists are made.
 */
#ifndef CLAW_OPTIONS_H
#define CLAW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum claw_option_type {
	OPT_END,
	OPT_FLAG,	/* bool */
	OPT_UINT,	/* uint64_t */
	OPT_COUNT,	/* uint64_t, at least 1 */
	OPT_EXIT,	/* uint64_t, an exit status: 0 to 255 */
	OPT_STRING,	/* const char *; the last one wins */
	OPT_STRINGS,	/* struct claw_strings; may be repeated */
	OPT_LIST,	/* struct claw_strings; comma-separated, may be repeated */
	OPT_DURATION,	/* uint64_t in ms; a bare number is seconds; 100ms 30s 5m 24h */
	OPT_CHOICE,	/* const char *; one word of the argument, "this|that" */
	OPT_URL,	/* const char *; a template (source_url.h) */
	OPT_OPTIONAL,	/* const char *; --name or --name=VALUE ("" when bare) */
};

struct claw_strings {
	const char **items;	/* items point into argv or the heap; count of them */
	size_t count;
};

struct claw_option {
	const char *name;	/* long name, without dashes */
	char letter;		/* or 0 */
	enum claw_option_type type;
	const char *argument;	/* the word in the help, NULL for OPT_FLAG */
	/* Lower case, no full stop; at most 70 characters, and default and unit
	 * in brackets. After a newline: sentences for the manual alone. */
	const char *help;
	void *value;		/* where the parsed value goes, by type; NULL:
				 * main.c reads it (claw_options_walk()) */
};

/* --help and --color, which every command takes; ends with OPT_END. */
extern const struct claw_option claw_common_options[];

/*
 * Parse argv[1..] by table. Stops at "--" or, when stop_at_operand, at the
 * first operand. --help/-h, --color WHEN are common to all commands and
 * handled here (ret_help set). As getopt_long() does, it reorders the words
 * of argv: options first, then "--" if there was one, then the operands.
 *
 * ret_first: index in argv of the first operand; argc when there is none.
 * error:     filled with one clear line on -CLAW_E_USAGE.
 */
int claw_options_parse(const struct claw_option *options, int argc,
		       char *const *argv, bool stop_at_operand,
		       int *ret_first, bool *ret_help,
		       char *error, size_t error_size);

/* Tell of each option in argv and its text ("": it has none), and store nothing.
 * The words are reordered as above; values are not checked. */
typedef void claw_options_visit(const struct claw_option *option,
				const char *text, void *user);
int claw_options_walk(const struct claw_option *options, int argc,
		      char *const *argv, bool stop_at_operand,
		      claw_options_visit *visit, void *user, int *ret_first,
		      char *error, size_t error_size);

/* One command: one file, one descriptor, one row in the table of main.c. */
struct claw_command {
	const char *name;
	const char *summary;	/* lower case, no full stop */
	const char *usage;	/* what follows the options, "-- PROGRAM [ARG...]" */
	const char *description;/* paragraphs for --help, or NULL */
	const struct claw_option *options;
	bool hidden;
	bool reads_config;	/* openclaw.yaml: for what it starts, and for pages */
	int (*run)(int argc, char *const *argv);	/* argv[0] is the verb; exit status */
};

extern const struct claw_command *const claw_commands[];	/* NULL-terminated, in main.c */

/* Print a text on stdout in lines of the help's width. column: where it
 * begins, and each further line, too. */
void claw_print_wrapped(const char *text, int column);

/* Print --help of one command on stdout. */
void claw_command_help(const struct claw_command *command);

/* Usual start of a command's run(): parses by its own table; on --help prints
 * and exits 0; on a usage error prints it with a pointer to --help and exits
 * 64. Returns the index of the first operand. */
int claw_command_start(const struct claw_command *command, int argc,
		       char *const *argv, bool stop_at_operand);

/* Called by it, when it is set, before it returns. */
extern void (*claw_command_started)(const struct claw_command *command);

/* --history: the file that the run is added to; NULL: not given. */
extern const char *claw_history_file;

/* --color auto|always|never with NO_COLOR; set by claw_options_parse.
 * stream_fd: 1 or 2. */
bool claw_color_enabled(int stream_fd);

#endif
