/* SPDX-License-Identifier: Apache-2.0 */
/* Open and close what a judging command writes to. */
#include "config.h"

#include "cmd_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "baseline.h"
#include "commit.h"
#include "harness/base/errors.h"
#include "harness/base/text.h"

_Noreturn static void die(const struct claw_cmd_output *output, int ret)
{
	claw_die(CLAW_EXIT_INFRA, "%s: %s", output->shown, ret == -CLAW_E_IO ?
		 strerror(errno) : claw_error_text(ret));
}

void claw_cmd_output_directory(const char *given, const char *verb, bool force,
			       struct claw_cmd_output *ret_output)
{
	struct claw_cmd_output output = { .records = NULL };
	char error[PATH_MAX + 256];
	int ret = claw_output_open(given, verb, force, &output.shown, error,
				   sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	output.directory = realpath(output.shown, NULL);
	if (!output.directory)
		die(&output, -CLAW_E_IO);
	*ret_output = output;
}

void claw_cmd_output_facts(struct claw_records *records, bool is_resumed)
{
	char *machine = is_resumed ? NULL : claw_machine_identity();

	if (machine)
		claw_records_environment(records, NULL, CLAW_FACT_MACHINE,
					 machine);
	if (claw_commit())
		claw_records_environment(records, NULL, CLAW_FACT_COMMIT,
					 claw_commit());
	free(machine);
}

/* "sh", "python3.11", ... */
static bool is_interpreter(const char *name)
{
	static const char *const names[] = {
		"sh", "bash", "dash", "perl", "python", "pypy", "ruby", "node",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(name, names[i], length) == 0 &&
		    strspn(name + length, "0123456789.") ==
		    strlen(name + length))
			return true;
	}
	return false;
}

void claw_cmd_output_program(struct claw_records *records, char *const *argv)
{
	const char *name = claw_base_name(argv[0]);

	if (is_interpreter(name) && argv[1] && *argv[1] && *argv[1] != '-')
		name = claw_base_name(argv[1]);
	claw_records_environment(records, NULL, CLAW_FACT_PROGRAM, name);
}

void claw_cmd_output_open(const char *given, const char *verb, bool force,
			  int argc, char *const *command, uint64_t planned,
			  uint64_t seed, struct claw_cmd_output *ret_output)
{
	int ret;

	claw_cmd_output_directory(given, verb, force, ret_output);
	ret = claw_records_new(ret_output->directory, verb, argc, command,
			       planned, seed, &ret_output->records);
	if (ret < 0)
		die(ret_output, ret);
	claw_cmd_output_facts(ret_output->records, false);
}

void claw_cmd_output_end(struct claw_cmd_output *output, int status,
			 bool cancelled)
{
	if (claw_records_end(output->records, status, cancelled) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records in %s: %s",
			 output->shown, strerror(errno));
	claw_records_free(output->records);
	output->records = NULL;
}

void claw_cmd_output_check_file(const char *option, const char *path,
				const char *given)
{
	size_t length = given ? strlen(given) : 0;
	struct stat about;
	bool is_new;
	int fd;

	if (length && strncmp(path, given, length) == 0 && path[length] == '/')
		return;
	if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
		return;		/* is replaced (new_file.h), or /dev/stdout */
	is_new = access(path, F_OK) < 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd < 0 && errno != ENXIO)
		claw_die(CLAW_EXIT_USAGE, "%s: %s: %s", option, path,
			 strerror(errno));
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && is_new)
		unlink(path);
}

void claw_cmd_output_release(struct claw_cmd_output *output)
{
	free(output->shown);
	free(output->directory);
	*output = (struct claw_cmd_output) { .records = NULL };
}
