/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine "slurm": array jobs by sbatch, looked at with squeue, ended with
 * scancel. A task's name is "JOB_INDEX#RESTARTS": one that Slurm requeues is
 * another than it was.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/quantity.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/process/runner.h"
#include "harness/session/fault_plan.h"

enum {
	DEFAULT_TASKS = 8, ANSWER_MS = 60000, INTERVAL_MS = 2000,
	OUTPUT_BYTES = 8 << 20, MINUTE_MS = 60000, WIDTH = 40,
};

static uint64_t default_tasks(void)
{
	return DEFAULT_TASKS;
}

/* What would run something else, or what we say ourselves; sbatch knows an option by
 * its first letters, too. Of another cluster squeue would know nothing. */
static int check(const struct claw_batch *batch, char *error,
		 size_t error_size)
{
	static const char *const ours[] = {
		"array", "wrap", "parsable", "chdir", "job-name", "test-only",
		"wait", "output", "error", "open-mode", "clusters",
		"uid", "help", "version", "usage",
	};

	for (char **word = batch->engine_words; word && *word; word++) {
		size_t length = strcspn(*word, "=");

		for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
			if (strncmp(ours[i], *word, length) != 0)
				continue;
			snprintf(error, error_size, "--on slurm: expected no "
				 "\"%s\": sbatch --%s cannot be chosen",
				 *word, ours[i]);
			return -CLAW_E_USAGE;
		}
	}
	return 0;
}

/* What one of Slurm's programs prints, malloced, or NULL with *reterr. */
static char *ask(char *const *argv, int *reterr, char *error,
		 size_t error_size)
{
	static const char *const environment[] = {
		"SQUEUE_FORMAT", "SQUEUE_FORMAT2", "SQUEUE_STATES",
		"SQUEUE_ALL", "SLURM_TIME_FORMAT", "SBATCH_WAIT",
		"SBATCH_CLUSTERS", "SLURM_CLUSTERS", "SBATCH_NO_REQUEUE",
		"SCANCEL_INTERACTIVE", "SCANCEL_STATE", "SCANCEL_NAME", NULL,
	};
	const struct claw_run_spec spec = {
		.argv = argv, .timeout_ms = ANSWER_MS,
		.set_env = (char *const *)(uintptr_t)environment,
		.head_bytes = OUTPUT_BYTES,
	};
	struct claw_run_result result;
	char *text = NULL, *said = NULL;
	int ret = claw_run_once(&spec, &result);

	if (ret > 0)
		claw_interrupt_pass_on(ret);
	*reterr = -CLAW_E_SPAWN;
	if (ret < 0) {
		snprintf(error, error_size, "%s: %s", argv[0],
			 claw_error_text(-CLAW_E_SPAWN));
		return NULL;
	}
	if (result.end == CLAW_END_EXIT && result.code == 0) {
		text = claw_capture_text(&result.out);
	} else if (result.end == CLAW_END_NOT_FOUND) {
		snprintf(error, error_size, "--on slurm: %s is not on PATH",
			 argv[0]);
		*reterr = -CLAW_E_NOT_FOUND;
	} else {
		said = claw_capture_text(&result.err);
		said[strcspn(said, "\n")] = '\0';
		snprintf(error, error_size, "--on slurm: %s", *said ? said :
			 "no answer");
		*reterr = result.end == CLAW_END_EXIT ? -CLAW_E_USAGE :
			  -CLAW_E_SPAWN;
	}
	free(said);
	claw_run_result_release(&result);
	return text;
}

/* ---- starting ------------------------------------------------------------ */

/* "partition=gpu" as it is; of times also "2h": sbatch counts minutes. */
static char *sbatch_word(const char *word)
{
	uint64_t ms;

	if (claw_begins(word, "time=") &&
	    isalpha((unsigned char)word[strlen(word) - 1]) &&
	    claw_duration_parse(word + strlen("time="), &ms) == 0)
		return claw_format("--time=%" PRIu64,
				   (ms + MINUTE_MS - 1) / MINUTE_MS);
	return claw_format("--%s", word);
}

static char *script(const struct claw_batch *batch)
{
	char *program = claw_shell_quote(batch->program);
	char *directory = claw_shell_quote(batch->directory);
	char *text = claw_format("exec %s __take %s", program, directory);

	free(program);
	free(directory);
	return text;
}

static char **command(const struct claw_batch *batch, uint64_t tasks)
{
	char **argv = NULL, *wrap = script(batch);
	char *name = claw_batch_name(batch);

	claw_list_add(&argv, claw_strdup("sbatch"));
	claw_list_add(&argv, claw_strdup("--parsable"));
	claw_list_add(&argv, claw_strdup("--requeue"));
	claw_list_add(&argv, claw_format("--array=1-%" PRIu64, tasks));
	claw_list_add(&argv, claw_format("--job-name=%s", name));
	claw_list_add(&argv, claw_format("--chdir=%s", batch->cwd));
	claw_list_add(&argv, claw_format("--output=%s/tasks/%%A_%%a.log",
					 batch->directory));
	claw_list_add(&argv, claw_strdup("--open-mode=append"));
	for (char **word = batch->engine_words; word && *word; word++)
		claw_list_add(&argv, sbatch_word(*word));
	claw_list_add(&argv, claw_format("--wrap=%s", wrap));
	free(name);
	free(wrap);
	return argv;
}

static int start(struct claw_batch *batch, uint64_t tasks, char *error,
		 size_t error_size)
{
	char **argv = command(batch, tasks);
	int ret;
	char *text = ask(argv, &ret, error, error_size);

	claw_list_free(argv);
	if (text) {
		/* "JOB", or "JOB;CLUSTER" */
		text[strcspn(text, ";\n")] = '\0';
		ret = claw_batch_add_job(batch, text);
		if (ret < 0)
			snprintf(error, error_size, "%s: %s", batch->shown,
				 claw_error_text(ret));
	}
	free(text);
	return ret;
}

/* ---- looking ------------------------------------------------------------- */

/* "JOB INDEX RESTARTS" */
static void take_line(const char *line, struct claw_batch_living *living)
{
	char job[WIDTH + 1], index[WIDTH + 1], restarts[WIDTH + 1];

	if (sscanf(line, "%40s %40s %40s", job, index, restarts) != 3)
		return;
	claw_list_add(&living->tasks,
		      claw_format("%s_%s#%s", job, index, restarts));
}

/* By its name: a job that squeue has forgotten is no error then. */
static void look(const struct claw_batch *batch,
		 struct claw_batch_living *living)
{
	char *job_name = claw_batch_name(batch);
	char *name = claw_format("--name=%s", job_name);
	char *const argv[] = {
		(char *)(uintptr_t)"squeue", (char *)(uintptr_t)"--noheader",
		(char *)(uintptr_t)"--array", (char *)(uintptr_t)"--me", name,
		(char *)(uintptr_t)"--Format=ArrayJobID:40,ArrayTaskID:40,"
				   "RestartCnt:40", NULL,
	};
	char error[512], *text, *line, *rest;
	int ret;

	text = ask(argv, &ret, error, sizeof(error));
	living->is_unknown = !text;
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		take_line(line, living);
	free(text);
	free(name);
	free(job_name);
}

/* The value of "NAME=" in what scontrol shows; malloced, or NULL. */
static char *shown_value(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? claw_strndup(at + strlen(name),
				 strcspn(at + strlen(name), " \n")) : NULL;
}

/* Without accounting sacct knows nothing, and scontrol for some minutes. */
static char *why(const struct claw_batch *batch, const char *task)
{
	char *job = claw_strndup(task, strcspn(task, "#"));
	char *const argv[] = {
		(char *)(uintptr_t)"scontrol", (char *)(uintptr_t)"show",
		(char *)(uintptr_t)"job", job, NULL,
	};
	char *const accounts[] = {
		(char *)(uintptr_t)"sacct", (char *)(uintptr_t)"--noheader",
		(char *)(uintptr_t)"--parsable2",
		(char *)(uintptr_t)"--allocations",
		(char *)(uintptr_t)"--duplicates",
		(char *)(uintptr_t)"--format=State", (char *)(uintptr_t)"-j",
		job, NULL,
	};
	char error[512], *text, *state = NULL, *restarts;
	int ret;

	(void)batch;
	text = ask(accounts, &ret, error, sizeof(error));
	if (text && *text)
		state = claw_strndup(text, strcspn(text, "\n"));
	free(text);
	text = state ? NULL : ask(argv, &ret, error, sizeof(error));
	if (text) {
		state = shown_value(text, "JobState=");
		restarts = shown_value(text, "Restarts=");
		/* It has another run already. */
		if (restarts && strcmp(restarts, task + strlen(job) + 1) != 0) {
			free(state);
			state = claw_strdup("REQUEUED");
		}
		free(restarts);
	}
	free(text);
	free(job);
	return state;
}

/* By its name: also a job whose number an interruption kept from us. */
static void cancel(const struct claw_batch *batch)
{
	char *job_name = claw_batch_name(batch);
	char *name = claw_format("--name=%s", job_name), error[512];
	char *const argv[] = {
		(char *)(uintptr_t)"scancel", (char *)(uintptr_t)"--me", name,
		NULL,
	};
	int ret;

	free(ask(argv, &ret, error, sizeof(error)));
	free(name);
	free(job_name);
}

static char *self(void)
{
	const char *job = getenv("SLURM_ARRAY_JOB_ID");
	const char *index = getenv("SLURM_ARRAY_TASK_ID");
	const char *restarts = getenv("SLURM_RESTART_COUNT");

	return job && index ? claw_format("%s_%s#%s", job, index, restarts ?
					  restarts : "0") : NULL;
}

const struct claw_engine claw_engine_slurm = {
	.name = "slurm",
	.default_tasks = default_tasks,
	.check = check,
	.start = start,
	.look = look,
	.why = why,
	.cancel = cancel,
	.self = self,
	.interval_ms = INTERVAL_MS,
};
