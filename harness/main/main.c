/* SPDX-License-Identifier: Apache-2.0 */
/* The program's frame: which command was asked for, and under which name. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libxml/xmlmemory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/batch/batch.h"
#include "main.h"
#include "faults/shared/nearest.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/text.h"
#include "harness/records/output_parent.h"
#include "harness/session/called.h"
#include "harness/session/icd_names.h"
#include "harness/history/history.h"
#include "harness/session/user_config.h"

/* One row of commands.def. */
struct row {
	enum { ROW_GROUP, ROW_COMMAND, ROW_ALIAS, ROW_PROGRAM } kind;
	const char *text;	/* title of a group, or the name */
	const struct claw_command *command;
};

#define GROUP(title_)
#define COMMAND(verb_)		extern const struct claw_command claw_cmd_##verb_;
#define ALIAS(name_, verb_)
#define PROGRAM(name_, verb_)
#include "commands.def"
#undef GROUP
#undef COMMAND
#undef ALIAS
#undef PROGRAM

static const struct row rows[] = {
#define GROUP(title_)		{ ROW_GROUP, title_, NULL },
#define COMMAND(verb_)		{ ROW_COMMAND, NULL, &claw_cmd_##verb_ },
#define ALIAS(name_, verb_)	{ ROW_ALIAS, name_, &claw_cmd_##verb_ },
#define PROGRAM(name_, verb_)	{ ROW_PROGRAM, name_, &claw_cmd_##verb_ },
#include "commands.def"
#undef GROUP
#undef COMMAND
#undef ALIAS
#undef PROGRAM
};

const struct claw_command *const claw_commands[] = {
#define GROUP(title_)
#define COMMAND(verb_)		&claw_cmd_##verb_,
#define ALIAS(name_, verb_)
#define PROGRAM(name_, verb_)
#include "commands.def"
#undef GROUP
#undef COMMAND
#undef ALIAS
#undef PROGRAM
	NULL,
};

static bool version_wanted;

static const struct claw_option global_options[] = {
	{ "version", 'V', OPT_FLAG, NULL,
	  "print the version",
	  &version_wanted },
	{ 0 },
};

static const char *row_name(const struct row *row)
{
	return row->command && !row->text ? row->command->name : row->text;
}

static const struct row *find_row(const char *name, bool program)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind == ROW_GROUP ||
		    (rows[i].kind == ROW_PROGRAM) != program)
			continue;
		if (strcmp(row_name(&rows[i]), name) == 0)
			return &rows[i];
	}
	return NULL;
}

static void print_help(FILE *out)
{
	fputs("usage: openclaw COMMAND [OPTION...] [-- PROGRAM [ARG...]]\n\n"
	      "Fault injection and checking for unmodified OpenCL programs.\n",
	      out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct claw_command *command = rows[i].command;

		if (rows[i].kind == ROW_GROUP)
			fprintf(out, "\n%s:\n", rows[i].text);
		else if (rows[i].kind == ROW_COMMAND && !command->hidden)
			fprintf(out, "  %-13s %s\n", command->name,
				command->summary);
	}
	fputs("\n"
	      "examples:\n"
	      "  openclaw doctor\n"
	      "  openclaw test --suite kernel_memory\n"
	      "  openclaw inject --fault clCreateBuffer:oom:when=3 -- "
	      "./program\n"
	      "  openclaw inject --judge --fault @alloc:oom:when=5.. -- "
	      "./program\n\n"
	      "More: openclaw COMMAND --help, man openclaw, man "
	      "openclaw-faults.\n", out);
}

static _Noreturn void die_unknown_command(const char *name)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, name);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind == ROW_ALIAS ||
		    (rows[i].kind == ROW_COMMAND && !rows[i].command->hidden))
			claw_nearest_offer(&nearest, row_name(&rows[i]));
	}
	if (nearest.best)
		claw_die(CLAW_EXIT_USAGE, "unknown command \"%s\"; did you "
			 "mean \"%s\"? (see openclaw --help)", name,
			 nearest.best);
	claw_die(CLAW_EXIT_USAGE, "unknown command \"%s\" (see openclaw "
		 "--help)", name);
}

/* Lost output must not look like success. */
static void close_stdout(void)
{
	bool failed_before = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) == 0 && !failed_before)
		return;
	if (errno != EPIPE)
		fprintf(stderr, "openclaw: cannot write standard output%s%s\n",
			errno ? ": " : "", errno ? strerror(errno) : "");
	fflush(stderr);
	_exit(CLAW_EXIT_INFRA);
}

/* A file opened later must not become somebody's standard output. What was
 * closed stays of no use: reading or writing it fails. */
static void open_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			_exit(CLAW_EXIT_INFRA);
	}
}

/* "help [COMMAND]" */
static int run_help(int argc, char *const *argv)
{
	const struct row *row;

	if (argc < 2) {
		print_help(stdout);
		return CLAW_EXIT_CLEAN;
	}
	row = find_row(argv[1], false);
	if (!row)
		die_unknown_command(argv[1]);
	claw_command_help(row->command);
	return CLAW_EXIT_CLEAN;
}

const struct claw_command *claw_main_command(const char *name)
{
	const struct row *row = find_row(name, false);

	return row ? row->command : NULL;
}

const struct claw_command *claw_main_program(const char *name)
{
	const struct row *row = find_row(name, true);

	return row ? row->command : NULL;
}

const struct claw_option *claw_main_options(void)
{
	return global_options;
}

void claw_main_walk(claw_main_visit *visit, void *user)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].kind == ROW_GROUP)
			visit(rows[i].text, NULL, user);
		else if (rows[i].kind == ROW_COMMAND)
			visit(NULL, rows[i].command, user);
	}
}

/* ---- what a command begins and ends with ------------------------------- */

/* As we were started; what we start has another one. */
static char *history_variable;
static char *history;		/* that the run goes to; NULL: none */

static bool has_history(const struct claw_command *command)
{
	const struct claw_option *option = command->options;

	while (option->type != OPT_END && option->value != &claw_history_file)
		option++;
	return option->type != OPT_END;
}

/* Its --output is the directory of a run. */
static bool has_output(const struct claw_command *command)
{
	const struct claw_option *option = command->options;

	while (option->type != OPT_END && strcmp(option->name, "output") != 0)
		option++;
	return option->type != OPT_END &&
	       strcmp(option->argument, "DIR") == 0;
}

/* A run that a run starts is a part of it, and no run of its own. */
static void choose_history(const struct claw_user_config *config)
{
	free(history);
	history = claw_history_find(claw_history_file ? claw_history_file :
				    history_variable, config);
	if (history)
		setenv(CLAW_HISTORY_VARIABLE, "", 1);
}

/* What openclaw.yaml says of every program that is started, of pages, and of
 * where output goes. */
static void read_config(const struct claw_command *command)
{
	struct claw_user_config config;
	char error[1024];
	int ret;

	if (!command->reads_config && !has_history(command) &&
	    !has_output(command))
		return;
	ret = claw_user_config_read(&config, error, sizeof(error));
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	if (command->reads_config)
		claw_user_config_export(&config);
	if (has_history(command))
		choose_history(&config);
	claw_output_parent_set(config.output);
	claw_user_config_release(&config);
}

/* --icd of the commands that have one driver for all. */
static void start_command(const struct claw_command *command)
{
	char why[1024];
	int ret;

	read_config(command);
	ret = claw_icd_use(why, sizeof(why));
	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "--icd: %s", why);
}

static void *resize(void *memory, size_t size)
{
	return claw_grow(memory, size, 1);
}

/* The libraries' memory is there, too: what they could not read for want of
 * it would be taken for damaged, or for nothing. (libyaml says so itself.) */
static void give_memory(void)
{
	json_set_alloc_funcs(claw_malloc, free);
	xmlMemSetup(free, claw_malloc, resize, claw_strdup);
	uv_replace_allocator(claw_malloc, resize, claw_calloc, free);
}

static int run_command(const struct claw_command *command, int argc,
		       char *const *argv)
{
	int status = claw_batch_is_wanted(command, argc, argv) ?
		claw_batch_run(command, argc, argv, claw_main_command) :
		command->run(argc, argv);

	if (history)
		claw_history_note(history, claw_history_file != NULL);
	free(history);
	history = NULL;
	return status;
}

int main(int argc, char **argv)
{
	const char *program = claw_base_name(argc > 0 ? argv[0] : "openclaw");
	const struct row *row;
	char error[512];
	bool help;
	int first;

	give_memory();
	claw_called_set(argc > 0 ? argv[0] : NULL);
	open_standard_streams();
	claw_interrupt_ignore_others();
	atexit(close_stdout);
	claw_command_started = start_command;
	history_variable = claw_strdup_or_null(getenv(CLAW_HISTORY_VARIABLE));
	row = find_row(program, true);
	if (row && !(argc == 2 && strcmp(argv[1], "--version") == 0))
		return run_command(row->command, argc, argv);

	if (claw_options_parse(global_options, argc, argv, true, &first, &help,
			       error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s (see openclaw --help)", error);
	if (help) {
		print_help(stdout);
		return CLAW_EXIT_CLEAN;
	}
	if (version_wanted) {
		puts("openclaw " PACKAGE_VERSION);
		return CLAW_EXIT_CLEAN;
	}
	if (first >= argc) {
		print_help(stderr);
		return CLAW_EXIT_USAGE;
	}
	if (strcmp(argv[first], "help") == 0)
		return run_help(argc - first, argv + first);
	row = find_row(argv[first], false);
	if (!row)
		die_unknown_command(argv[first]);
	return run_command(row->command, argc - first, argv + first);
}
