/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw run" for long: checks what was asked for, makes the directory, has
 * the soak run (soak.c), and ends with its verdict.
 */
#include "config.h"

#include "cmd_soak.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/session/called.h"
#include "harness/files/small_file.h"
#include "harness/records/cmd_ended.h"
#include "harness/records/cmd_output.h"
#include "cmd_run_coverage.h"
#include "harness/machine/device_choice.h"
#include "harness/files/directories.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "reports/write/report_files.h"
#include "soak.h"
#include "harness/soak/monitor/soak_device.h"
#include "soak_finished.h"
#include "soak_subject.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/machine/usage.h"

/* Everything of one command. */
struct soaking {
	const struct claw_soak_given *given;
	struct claw_soak_config config;
	struct claw_soak_workload workload;
	struct claw_fault_plan plan;
	struct claw_program program;
	struct claw_soak_device device;
	struct claw_soak_past past;
	struct claw_soak_saved saved;
	struct claw_soak soak;
	char *models, *shown_directory, *directory, *json, *report, *again;
	char case_id[64];
};

/* ---- what was asked for ------------------------------------------------ */

static void load_plan(struct soaking *all)
{
	struct claw_fault_options options = all->given->faults;
	char error[1024], seed[24];
	uint64_t number = all->given->seed;
	int ret;

	if (all->given->resume)
		number = all->saved.seed;
	snprintf(seed, sizeof(seed), "%" PRIu64, number);
	if (number != CLAW_SOAK_NOT_GIVEN)
		options.seed = seed;
	ret = claw_fault_plan_load(&options, &all->plan, error, sizeof(error));
	if (ret < 0)
		claw_die(ret == -CLAW_E_NOT_FOUND ? CLAW_EXIT_INFRA :
			 CLAW_EXIT_USAGE, "%s", error);
}

static void look_at_program(struct soaking *all, const char *name)
{
	char error[1024];

	claw_cmd_look_at_program(name, &all->program);
	claw_via_choose(&all->program);
	if (claw_fault_plan_resolve(&all->plan, &all->program, error,
				    sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
}

/* ---- the directory ----------------------------------------------------- */

/* "FILE.json": the file, with the directory FILE.d beside it. */
static char *split_output(struct soaking *all)
{
	bool has_json;
	char *directory = claw_run_directory(all->given->output, &has_json);

	if (has_json)
		all->json = claw_strdup(all->given->output);
	return directory;
}

static void make_folders(const struct soaking *all)
{
	static const char *const names[] = { "runs", "crashes" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *path = claw_path_in(all->directory, names[i]);

		if (claw_make_directory(path) < 0)
			claw_die(CLAW_EXIT_INFRA, "%s: %s", path,
				 strerror(errno));
		free(path);
	}
}

static void open_records(struct soaking *all, int argc, char *const *argv)
{
	const struct claw_planned planned = {
		.suite = "soak", .name = "workload", .many = true,
	};
	int ret;

	if (all->given->resume)
		ret = claw_records_continue_soak(all->directory,
						 &all->soak.records,
						 &all->past);
	else
		ret = claw_records_new(all->directory, "run", argc, argv, 1,
				       all->plan.seed, &all->soak.records);
	if (ret == -CLAW_E_IO && errno == EWOULDBLOCK)
		claw_die(CLAW_EXIT_USAGE, "%s: in use by another openclaw "
					  "process",
			 all->shown_directory);
	if (ret < 0)
		claw_die(ret == -CLAW_E_DAMAGED ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s: %s", all->shown_directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	claw_cmd_output_facts(all->soak.records, all->given->resume != NULL);
	if (!all->given->resume)
		claw_records_planned(all->soak.records, &planned);
	else if (!all->past.segments)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: expected the "
			 "directory of a soak, found one of another command: "
			 "%s",
			 all->shown_directory);
}

static void open_directory(struct soaking *all, int argc, char *const *argv)
{
	char *wanted = split_output(all), error[PATH_MAX + 256];
	int ret = 0;

	if (all->given->resume)
		all->shown_directory = claw_strdup(all->given->resume);
	else
		ret = claw_output_open(wanted, "run", all->given->force,
				       &all->shown_directory, error,
				       sizeof(error));
	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	all->directory = all->shown_directory ?
		realpath(all->shown_directory, NULL) : NULL;
	all->report = all->json ? claw_strdup(all->json) :
		claw_path_in(all->shown_directory, "stability.json");
	all->config.report = all->report;
	if (!all->directory)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", all->shown_directory,
			 strerror(errno));
	open_records(all, argc, argv);
	make_folders(all);
	free(wanted);
}

/* What a --resume will need. */
static void save(struct soaking *all, char *const *argv)
{
	const char *outer = getenv("OPENCLAW_CASE");
	char directory[PATH_MAX], *case_id = NULL;
	struct timespec now;
	struct claw_soak_saved saved = {
		.argv = (char **)argv, .working_directory = directory,
		.seed = all->plan.seed,
	};

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(all->case_id, sizeof(all->case_id), "soak.%d.%lld",
		 (int)getpid(), (long long)now.tv_sec);
	case_id = claw_format("%s%s%s", outer ? outer : "", outer ? "/" : "",
			      all->case_id);
	saved.case_id = case_id;
	if (!getcwd(directory, sizeof(directory)) ||
	    claw_soak_save(all->directory, &saved) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", all->shown_directory,
			 strerror(errno));
	free(case_id);
}

/* What was asked for anew is what the next --resume begins with. */
static void save_again(const struct soaking *all, char *const *argv)
{
	struct claw_soak_saved saved = all->saved;

	saved.argv = (char **)argv;
	if (claw_soak_save(all->directory, &saved) < 0)
		claw_warn("%s: options given with --resume could not be "
			  "saved: %s", all->shown_directory,
			  strerror(errno));
}

/* ---- the workload ------------------------------------------------------ */

static void make_workload(struct soaking *all, char *const *program,
			  const struct claw_clw *clw)
{
	const struct claw_soak_given *given = all->given;
	char *results = claw_path_in(all->directory, "runs/suite");
	const struct claw_soak_suite_words words = {
		.models = given->models, .device = given->device,
		.directory = results,
		.timeout_ms = given->timeout_ms ? given->timeout_ms :
			all->config.gpu_timeout_ms,
	};

	if (program)
		claw_soak_workload_program(program, &all->workload);
	else if (clw)
		claw_soak_workload_kernel(clw, given->test,
			given->seed == CLAW_SOAK_NOT_GIVEN ? 0 : given->seed,
			&all->workload);
	else if (claw_soak_workload_suite(given->workload, &words,
					  &all->workload) < 0)
		claw_die(CLAW_EXIT_INFRA, "soak: cannot find openclaw's own "
			 "program");
	free(results);
}

/* Where the results of this soak are, which the line does not write again:
 * how many words that is. */
static int count_output_words(const char *word)
{
	if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0)
		return 2;
	return claw_begins(word, "-o") || claw_begins(word, "--output=");
}

/* The command as it can be pasted, its seed included. */
static char *again_line(const struct soaking *all, char *const *argv)
{
	char *text = NULL;
	bool is_program = false;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s %s", claw_called(), argv[0]);
	if (all->plan.rules.count && all->given->seed == CLAW_SOAK_NOT_GIVEN)
		fprintf(out, " --seed %" PRIu64, all->plan.seed);
	for (char *const *word = argv + 1; *word; word++) {
		int skipped = is_program ? 0 : count_output_words(*word);
		char *quoted;

		if (skipped) {
			word += skipped - 1;
			continue;
		}
		is_program |= strcmp(*word, "--") == 0;
		quoted = claw_shell_quote_printable(*word);

		fprintf(out, " %s", quoted ? quoted : *word);
		free(quoted);
	}
	claw_text_end(out);
	return text;
}

/* ---- the soak ---------------------------------------------------------- */

static void begin_segment(struct soaking *all)
{
	struct claw_soak *soak = &all->soak;
	char boot_id[64] = "", text[256];
	struct claw_soak_segment segment = {
		.segment = soak->segment, .boot_id = boot_id,
		.t_ms = all->past.t_ms,
	};

	claw_small_file_read(boot_id, sizeof(boot_id),
			     "/proc/sys/kernel/random/boot_id");
	claw_soak_clock_init(&soak->clock, all->past.t_ms, NULL, NULL);
	claw_soak_clock_now(&soak->clock, &soak->t_ms, &soak->wall_ms, text,
			    sizeof(text));
	segment.wall_ms = soak->wall_ms;
	claw_records_segment(soak->records, &segment);
	if (all->given->resume)
		claw_soak_note(soak, "resume", NULL, "the soak resumes after "
			       "%.1f s", (double)all->past.t_ms / 1000);
}

static void make_soak(struct soaking *all)
{
	struct claw_soak *soak = &all->soak;
	static struct claw_soak_limits limits;	/* outlives the judge */

	limits.device_bytes = all->device.bytes;
	limits.host_bytes = claw_usage_host_bytes();
	limits.processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
	soak->config = &all->config;
	soak->workload = &all->workload;
	soak->plan = &all->plan;
	soak->program = all->program.path ? &all->program : NULL;
	soak->directory = all->directory;
	soak->shown_directory = all->shown_directory;
	soak->again = all->again;
	soak->case_id = all->case_id;
	soak->pci = all->device.pci;
	soak->disk = claw_soak_disk_new(all->directory,
					all->config.max_disk_bytes,
					soak->records);
	soak->judge = claw_soak_judge_new(&limits);
	soak->sampler = claw_sampler_new();
	soak->rule_matched = claw_calloc(all->plan.rules.count + 1,
					 sizeof(uint64_t));
	soak->rule_fired = claw_calloc(all->plan.rules.count + 1,
				       sizeof(uint64_t));
	if (all->given->resume && claw_soak_recall(soak, &all->past) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: cannot read its records",
			 all->shown_directory);
}

static void look_at_device(struct soaking *all, char *const *program)
{
	struct claw_soak *soak = &all->soak;
	char error[256] = "";

	if (claw_soak_device_find(all->models, all->given->device,
				  &all->device) < 0)
		claw_die(CLAW_EXIT_UNKNOWN, "interrupted");
	soak->telemetry = claw_soak_device_telemetry(&all->device, error,
						     sizeof(error));
	if (all->given->resume)
		return;
	claw_soak_device_record(&all->device, soak->records);
	claw_soak_subject_record(all->given, program, &all->plan,
				 soak->records);
	claw_records_environment(soak->records, "native", "telemetry",
				 soak->telemetry ?
				 claw_telemetry_source(soak->telemetry) :
				 error);
}

static void write_reports(const struct soaking *all)
{
	const struct claw_report_head head = {
		.verb = "run", .source_root = claw_report_source_root(NULL),
	};
	const struct claw_report_files none = { .junit = NULL };

	claw_report_files_write(all->directory, all->shown_directory, &none,
				&head);
	if (all->json &&
	    claw_report_write_path(all->directory, claw_report_find("soak"),
				   all->json, &head) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", all->json,
			 strerror(errno));
}

/* Results, records, reports, words. The exit status. */
static int finish(struct soaking *all)
{
	struct claw_soak *soak = &all->soak;
	struct claw_soak_verdict verdict;
	struct claw_soak_summary summary;
	int status;

	claw_soak_results(soak, &verdict, &summary);
	status = summary.exit_status;
	claw_soak_metrics(soak, summary.word);
	claw_soak_notify_end(soak, summary.word, summary.text);
	if (claw_records_end(soak->records, status, soak->end ==
			     CLAW_SOAK_CANCELLED && status ==
			     CLAW_EXIT_UNKNOWN) < 0)
		claw_warn("cannot write the records: %s",
			  strerror(errno));
	claw_records_free(soak->records);
	soak->records = NULL;
	if (soak->end == CLAW_SOAK_NO_START || soak->end == CLAW_SOAK_SKIPPED)
		claw_warn("%s", summary.text);
	write_reports(all);
	if (soak->end != CLAW_SOAK_NO_START)
		claw_soak_say(soak, &verdict, &summary);
	claw_soak_verdict_release(&verdict);
	return status;
}

static void release(struct soaking *all)
{
	struct claw_soak *soak = &all->soak;

	claw_soak_disk_free(soak->disk);
	claw_soak_judge_free(soak->judge);
	claw_sampler_free(soak->sampler);
	claw_telemetry_close(soak->telemetry);
	claw_soak_events_release(soak);
	free(soak->rule_matched);
	free(soak->rule_fired);
	free(soak->why_not);
	free(soak->last_words);
	claw_soak_workload_release(&all->workload);
	claw_fault_plan_release(&all->plan);
	claw_program_release(&all->program);
	claw_soak_device_release(&all->device);
	claw_soak_saved_release(&all->saved);
	free(all->models);
	free(all->directory);
	free(all->shown_directory);
	free(all->json);
	free(all->report);
	free(all->again);
}

static void read_saved(struct soaking *all)
{
	const char *slash;
	char error[PATH_MAX + 256];

	if (claw_soak_read_saved(all->given->resume, &all->saved, error,
				 sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: %s", error);
	slash = strrchr(all->saved.case_id, '/');
	snprintf(all->case_id, sizeof(all->case_id), "%s", slash ? slash + 1 :
		 all->saved.case_id);
}

/* A soak that came to its end has nothing left to do, unless more is asked for
 * than it did. One without an end of its own always goes on. */
static bool is_over(const struct claw_soak_given *given,
		    const struct claw_soak_config *config, int *ret_status)
{
	const char *directory = given->resume;
	struct claw_soak_finished finished;
	char *quoted;

	if (claw_soak_finished_read(directory, &finished) < 0 ||
	    !finished.is_soak || !finished.is_finished ||
	    (!config->duration_ms && !config->iterations))
		return false;
	if (given->asks_anew &&
	    (!config->duration_ms || config->duration_ms > finished.t_ms) &&
	    (!config->iterations ||
	     !((double)config->iterations <= finished.iterations)))
		return false;
	quoted = claw_shell_quote(directory);
	claw_warn("%s: finished at %s with exit status %d, nothing to resume "
		  "(a larger --duration or --iterations extends it); next: %s "
		  "report %s", directory, finished.at, finished.exit_status,
		  claw_called(), quoted);
	free(quoted);
	*ret_status = finished.exit_status;
	return true;
}

int claw_cmd_soak(const struct claw_soak_given *given, int argc,
		  char *const *argv, char *const *program,
		  const struct claw_clw *clw)
{
	struct claw_soak_config config;
	struct soaking *all;
	char **words;
	int status, ret;

	claw_soak_configure(given, clw != NULL, &config);
	if (given->resume && is_over(given, &config, &status))
		return status;
	all = claw_calloc(1, sizeof(*all));
	all->given = given;
	all->config = config;
	claw_device_choice_check(NULL, given->models);
	all->models = claw_models_of(given->models);
	all->config.models = all->models;
	if (given->resume)
		read_saved(all);
	load_plan(all);
	if (program)
		look_at_program(all, program[0]);
	else
		claw_via_choose(NULL);
	open_directory(all, argc, argv);
	words = claw_icd_words(argv, program);
	if (given->resume) {
		claw_soak_end_left(&all->saved);
		save_again(all, words);
	} else {
		save(all, words);
	}
	make_workload(all, program, clw);
	all->again = again_line(all, words);
	claw_list_free(words);
	look_at_device(all, program);
	make_soak(all);
	begin_segment(all);
	claw_soak_say_begin(&all->config, all->workload.name,
			    all->shown_directory);
	ret = claw_soak_run(&all->soak);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "the soak cannot resume: %s",
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	status = finish(all);
	release(all);
	free(all);
	return status;
}
