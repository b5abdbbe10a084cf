/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of tools under a program, the two rows that need no tool, and
 * what all rows share.
 */
#include "config.h"

#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/machine/machine.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/base/text_list.h"
#include "harness/session/icd_files.h"
#include "harness/session/icd_names.h"

enum { DEVICE_TYPE_GPU = 1 << 2 };	/* CL_DEVICE_TYPE_GPU */

/* ---- native, device -------------------------------------------------- */

static int prepare_native(struct claw_under *under,
			  const struct claw_under_config *config)
{
	under->has_device = config->has_device;
	under->device = config->device;
	return config->icd ? claw_under_set_driver(under, config, config->icd) : 0;
}

/* The first GPU, or the one that was asked for. */
static int prepare_device(struct claw_under *under,
			  const struct claw_under_config *config)
{
	struct claw_machine *machine = NULL;
	int ret = claw_machine_ask(NULL, &machine);

	if (ret < 0) {
		snprintf(under->why, sizeof(under->why),
			 "cannot query the OpenCL drivers: %s",
			 claw_error_text(ret));
		return 0;
	}
	snprintf(under->why, sizeof(under->why), config->has_device ?
		 "device %" PRIu64 " is not a GPU" : "no GPU device found",
		 config->device);
	for (size_t i = 0; i < machine->device_count; i++) {
		json_t *device = claw_machine_find_device(machine, i);
		json_int_t type = json_integer_value(json_object_get(device,
								     "type"));

		if (!(type & DEVICE_TYPE_GPU) ||
		    (config->has_device && config->device != i))
			continue;
		under->has_device = true;
		under->device = i;
		under->jobs = 1;
		under->why[0] = '\0';
		break;
	}
	claw_machine_free(machine);
	return 0;
}

int claw_under_start_plain(const struct claw_under *under,
			   const struct claw_under_config *config,
			   const char *case_directory,
			   struct claw_under_run *run)
{
	(void)under;
	(void)config;
	(void)case_directory;
	(void)run;
	return 0;
}

int claw_under_read_nothing(const struct claw_under_run *run,
			    struct claw_findings *findings)
{
	(void)run;
	(void)findings;
	return 0;
}

const struct claw_under_row claw_under_native = {
	.name = "native",
	.summary = "the drivers that this machine has",
	.in_all = true,
	.checks = 1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare_native, .start = claw_under_start_plain,
	.read = claw_under_read_nothing,
};

const struct claw_under_row claw_under_device = {
	.name = "device",
	.summary = "a GPU",
	.in_all = true,
	.checks = 1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare_device, .start = claw_under_start_plain,
	.read = claw_under_read_nothing,
};

const struct claw_under_row *const claw_under_rows[] = {
#define TOOL(name_, times_) &claw_under_##name_,
#include "tools.def"
#undef TOOL
	NULL,
};

unsigned int claw_under_times(const struct claw_under_row *row)
{
	static const unsigned int times[] = {
#define TOOL(name_, times_) times_,
#include "tools.def"
#undef TOOL
	};
	size_t i = 0;

	while (claw_under_rows[i] != row)
		i++;
	return times[i];
}

const struct claw_under_row *claw_under_find(const char *name)
{
	for (size_t i = 0; claw_under_rows[i]; i++)
		if (strcmp(claw_under_rows[i]->name, name) == 0)
			return claw_under_rows[i];
	return NULL;
}

void claw_under_say_unknown(const char *name, const char *also, char *error,
			    size_t error_size)
{
	struct claw_nearest nearest;
	char known[256] = "";
	size_t length = 0;

	claw_nearest_init(&nearest, name);
	if (also)
		claw_nearest_offer(&nearest, also);
	for (size_t i = 0; claw_under_rows[i]; i++) {
		claw_nearest_offer(&nearest, claw_under_rows[i]->name);
		if (length < sizeof(known))
			length += (size_t)snprintf(known + length,
				sizeof(known) - length, "%s%s", i ? ", " : "",
				claw_under_rows[i]->name);
	}
	snprintf(error, error_size, "no tool \"%s\", %s%s%s", name,
		 nearest.best ? "did you mean " : "there are ",
		 nearest.best ? nearest.best : known, nearest.best ? "?" : "");
}

/* ---- a tool ---------------------------------------------------------- */

int claw_under_begin(struct claw_under *under, const struct claw_under_row *row,
		    const struct claw_under_config *config)
{
	memset(under, 0, sizeof(*under));
	under->row = row;
	return row->prepare(under, config);
}

void claw_under_release(struct claw_under *under)
{
	free(under->program);
	free(under->icd_directory);
	free(under->suppressions);
	free(under->baseline);
	memset(under, 0, sizeof(*under));
}

/* ---- its driver ---------------------------------------------------------- */

int claw_under_set_driver(struct claw_under *under,
			  const struct claw_under_config *config,
			  const char *icd)
{
	char *library;
	int ret;

	if (strcmp(icd, "native") == 0)
		return 0;
	library = claw_icd_library(icd, under->why, sizeof(under->why));
	if (!library)
		return 0;
	under->icd_setting = claw_icd_setting(library);
	ret = claw_icd_write(config->directory, under->row->name, library,
			     &under->icd_directory);
	free(library);
	return ret;
}

/* ---- a run --------------------------------------------------------------- */

void claw_under_add_word(struct claw_under_run *run, const char *word)
{
	claw_list_add(&run->argv, claw_strdup(word));
}

void claw_under_add_env(struct claw_under_run *run, const char *name,
			const char *value)
{
	claw_list_add(&run->environment, value ?
		      claw_format("%s=%s", name, value) : claw_strdup(name));
}

void claw_under_drivers(const struct claw_under *under,
			char *list[CLAW_UNDER_DRIVERS_MAX])
{
	/* Khronos' loader adds these. */
	static char unset[] = "OCL_ICD_FILENAMES";

	memset(list, 0, CLAW_UNDER_DRIVERS_MAX * sizeof(*list));
	if (!under->icd_directory)
		return;
	list[0] = claw_format("OCL_ICD_VENDORS=%s", under->icd_directory);
	list[1] = unset;
	list[2] = (char *)(uintptr_t)under->icd_setting;
}

static void add_drivers(const struct claw_under *under,
			struct claw_under_run *run)
{
	char *list[CLAW_UNDER_DRIVERS_MAX];

	claw_under_drivers(under, list);
	for (char **one = list; *one; one++)
		claw_list_add(&run->environment, claw_strdup(*one));
	free(list[0]);
}

int claw_under_start(const struct claw_under *under,
		     const struct claw_under_config *config,
		     const char *case_directory, char *const *words,
		     struct claw_under_run *ret_run)
{
	struct claw_under_run run = { 0 };
	char number[32];
	int ret = under->row->start(under, config, case_directory, &run);

	if (ret < 0) {
		claw_under_run_release(&run);
		return ret;
	}
	if (under->icd_directory) {
		add_drivers(under, &run);
		/* Of the tool's own drivers there is no such number. */
		if (!config->icd)
			claw_under_add_env(&run, "CLW_DEVICE_ID", NULL);
	}
	if (under->has_device) {
		snprintf(number, sizeof(number), "%" PRIu64, under->device);
		claw_under_add_env(&run, "CLW_DEVICE_ID", number);
	}
	for (; *words; words++)
		claw_under_add_word(&run, *words);
	*ret_run = run;
	return 0;
}

void claw_under_set_session(struct claw_under_run *run, const char *session,
			    const char *kernel_file)
{
	free(run->session);
	free(run->kernel_file);
	run->session = claw_strdup(session);
	run->kernel_file = claw_strdup_or_null(kernel_file);
}

static void free_list(char **list)
{
	for (char **text = list; text && *text; text++)
		free(*text);
	free(list);
}

void claw_under_run_release(struct claw_under_run *run)
{
	claw_tool_log_free(run->gathered);
	free_list(run->argv);
	free_list(run->environment);
	free(run->log);
	free(run->kernel_log);
	free(run->stdout_path);
	free(run->stderr_path);
	free(run->baseline);
	free(run->directory);
	free(run->stdin_path);
	free(run->source);
	free(run->session);
	free(run->kernel_file);
	memset(run, 0, sizeof(*run));
}
