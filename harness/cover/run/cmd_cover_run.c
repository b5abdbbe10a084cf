/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of "openclaw cover": everything that is needed for it, the program,
 * and what its processes left.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_cover.h"
#include "harness/records/cmd_ended.h"
#include "harness/evidence/compiling.h"
#include "harness/machine/device_choice.h"
#include "harness/base/errors.h"
#include "harness/session/model.h"
#include "reports/write/report_files.h"
#include "harness/base/text.h"

static void open_output(struct claw_covering *covering, int argc,
			char *const *command)
{
	const struct claw_cover_given *given = covering->given;
	struct claw_planned planned = {
		.suite = "cover", .name = covering->name,
		.configuration = "native",
	};

	covering->root = realpath(claw_report_source_root(given->source_root),
				  NULL);
	if (!covering->root)
		claw_die(CLAW_EXIT_USAGE, "--source-root: %s: %s",
			 given->source_root, strerror(errno));
	claw_cmd_output_open(given->output, "cover", given->force, argc,
			     command, 1, 0, &covering->output);
	claw_records_planned(covering->output.records, &planned);
}

/* Host code that was built with gcc --coverage writes there. */
static int set_host(const struct claw_covering *covering)
{
	const char *host = covering->given->host;
	char *folder;
	int ret;

	if (!host || *host)
		return 0;
	folder = claw_path_in(covering->session->directory, "gcov");
	claw_directory_remove(folder);
	ret = claw_session_setenv(covering->session, "GCOV_PREFIX", folder);
	if (ret == 0)
		ret = claw_session_setenv(covering->session,
					  "GCOV_PREFIX_STRIP", "0");
	free(folder);
	return ret;
}

static void open_session(struct claw_covering *covering)
{
	const struct claw_cover_given *given = covering->given;
	struct claw_session_config config = {
		.record = CLAW_RECORD_NONE,
		.program = covering->argv[0],
		.probes = claw_probe_options_get(&given->probes, given->count ?
						 CLAW_PROBE_COUNT :
						 CLAW_PROBE_HIT),
	};
	char *models = claw_models_of(&given->models);
	char *directory = claw_path_in(covering->output.directory, "session");
	int ret;

	claw_device_choice_check(NULL, &given->models);
	config.models = models;
	ret = claw_session_new(directory, NULL, 0, &config, &covering->session);
	if (ret == 0)
		ret = claw_session_set_own_caches(covering->session);
	if (ret == 0)
		ret = set_host(covering);
	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 strerror(errno));
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	free(models);
	free(directory);
}

static void run_program(struct claw_covering *covering)
{
	struct claw_run_spec spec = {
		.argv = covering->argv,
		.set_env = covering->session->environment,
		.stdin_mode = CLAW_STDIN_INHERIT,
		.foreground = true,
		.timeout_ms = covering->given->timeout_ms,
	};
	struct claw_compiling compiling = { .session = covering->session };
	struct claw_runner *runner = claw_runner_new(1);

	if (runner)
		claw_compiling_watch(&compiling, runner);
	if (!runner || claw_runner_run_one(runner, &spec, &covering->run) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s could not be run",
			 covering->argv[0]);
	claw_runner_free(runner);
}

/* Files that the command line names, and folders. */
static void add_sources(struct claw_covering *covering)
{
	struct claw_source_finder *finder = covering->end.coverage.finder;
	char here[PATH_MAX];

	for (char *const *word = covering->argv + 1; *word; word++)
		if (access(*word, R_OK) == 0 && !claw_begins(*word, "/dev/"))
			claw_source_finder_add(finder, *word);
	if (getcwd(here, sizeof(here)))
		claw_source_finder_add(finder, here);
	claw_source_finder_add(finder, covering->root);
}

static void read_coverage(struct claw_covering *covering)
{
	int ret;

	claw_coverage_init(&covering->end.coverage,
			   covering->output.directory);
	add_sources(covering);
	ret = claw_coverage_add(&covering->end.coverage, covering->session);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", covering->output.directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	if (claw_evidence_read(covering->session, 0, &covering->evidence) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot read the journals in %s",
			 covering->session->directory);
}

int claw_cmd_cover_run(struct claw_covering *covering, int argc,
		       char *const *command)
{
	int status;

	open_output(covering, argc, command);
	open_session(covering);
	run_program(covering);
	status = claw_cmd_not_started(&covering->run, covering->argv[0]);
	if (status < 0) {
		read_coverage(covering);
		status = claw_cmd_cover_finish(covering);
		claw_evidence_release(&covering->evidence);
	} else {
		claw_cmd_output_end(&covering->output, status, false);
	}
	claw_run_result_release(&covering->run);
	claw_session_free(covering->session);
	claw_cmd_coverage_release(&covering->end);
	claw_cmd_output_release(&covering->output);
	free(covering->root);
	return status;
}
