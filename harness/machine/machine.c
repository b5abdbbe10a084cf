/* SPDX-License-Identifier: Apache-2.0 */
/* Read what "openclaw __query" printed before it ended or was ended. */
#include "config.h"

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/api.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "answers.h"

enum { QUERY_TIMEOUT_MS = 20000, QUERY_BYTES = 8 << 20, WORDS_MAX = 160 };

/* A line of the answer is one object with "t". */
static void take_line(struct claw_machine *machine, json_t *line, char **stage)
{
	json_t *name = json_incref(json_object_get(line, "t"));
	const char *type = json_string_value(name);
	json_t *platform;

	if (!type)
		type = "";
	json_object_del(line, "t");
	if (strcmp(type, "stage") == 0) {
		free(*stage);
		*stage = claw_strdup(claw_machine_text(line, "text"));
	} else if (strcmp(type, "loader") == 0) {
		machine->loader = json_incref(line);
	} else if (strcmp(type, "no-loader") == 0) {
		free(machine->problem);
		machine->problem =
			claw_format("no OpenCL loader: %s",
				    claw_machine_text(line, "error"));
	} else if (strcmp(type, "platforms") == 0) {
		machine->code = (int)json_integer_value(
			json_object_get(line, "code"));
	} else if (strcmp(type, "platform") == 0) {
		json_object_set_new(line, "devices", json_array());
		json_array_append(machine->platforms, line);
	} else if (strcmp(type, "device") == 0) {
		platform = json_array_get(machine->platforms, (size_t)
			json_integer_value(json_object_get(line, "platform")));
		json_object_del(line, "platform");
		if (platform && json_array_append(
				json_object_get(platform, "devices"), line) == 0)
			machine->device_count++;
	}
	json_decref(name);
}

/* The last line that a driver printed, malloced; NULL: it printed none. */
static char *last_words(const struct claw_run_result *run)
{
	const struct claw_capture *err = &run->err;
	char *text = err->tail_bytes ?
		claw_text_clean(err->tail, err->tail_bytes) :
		claw_text_clean(err->head, err->head_bytes);
	char *line, *rest = NULL, *last = NULL;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (line[strspn(line, " \t\r")])
			last = line;
	last = last ? claw_strndup(last, WORDS_MAX) : NULL;
	free(text);
	return last;
}

/* Of a driver that ended the process: its own words, too. */
static void judge_end(struct claw_machine *machine,
		      const struct claw_run_result *run, const char *stage)
{
	char *words = last_words(run), *problem = machine->problem;

	machine->cannot_run = machine->device_count == 0 &&
			      !claw_begins(stage, CLAW_STAGE_DEVICE);
	if (words)
		machine->problem = claw_format("%s: %s", problem, words);
	if (words)
		free(problem);
	free(words);
}

/* Why the answer is not whole, or empty. */
static void judge(struct claw_machine *machine,
		  const struct claw_run_result *run, const char *stage)
{
	const char *name;

	if (run->end == CLAW_END_SIGNAL) {
		machine->broken = true;
		machine->problem = claw_format("an OpenCL driver crashed "
					       "(signal %d, %s) while %s",
					       run->code,
					       strsignal(run->code), stage);
		judge_end(machine, run, stage);
	} else if (run->end == CLAW_END_TIMEOUT) {
		machine->broken = true;
		machine->problem = claw_format("an OpenCL driver did not "
					       "respond within %d s while %s",
					       QUERY_TIMEOUT_MS / 1000, stage);
	} else if (run->end != CLAW_END_EXIT || run->code != 0) {
		machine->broken = true;
		machine->problem =
			claw_format("an OpenCL driver exited with status %d "
				    "while %s",
				    run->code, stage);
		if (run->end == CLAW_END_EXIT)
			judge_end(machine, run, stage);
	} else if (!machine->problem && machine->code != 0) {
		name = claw_code_name(machine->code);
		machine->problem = claw_format(
			"no OpenCL platform: "
			"clGetPlatformIDs returned %s (%d)",
			name ? name : "an unknown code", machine->code);
	} else if (!machine->problem && !json_array_size(machine->platforms)) {
		machine->problem = claw_strdup("no OpenCL platform");
	} else if (!machine->problem && !machine->device_count) {
		machine->problem =
			claw_strdup("no OpenCL device on any platform");
	}
}

char *claw_machine_self(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	return length > 0 ? claw_strndup(path, (size_t)length) : NULL;
}

void claw_machine_prepare(struct claw_run_spec *spec, char *self,
			  char **argv, char *const *set_env)
{
	static char verb[] = "__query", what[] = "opencl";

	argv[0] = self;
	argv[1] = verb;
	argv[2] = what;
	argv[3] = NULL;
	*spec = (struct claw_run_spec){
		.argv = argv,
		.set_env = set_env,
		.timeout_ms = QUERY_TIMEOUT_MS,
		.grace_ms = 500,
		.head_bytes = QUERY_BYTES,
	};
}

void claw_machine_read(const struct claw_run_result *run,
		       struct claw_machine **ret_machine)
{
	struct claw_machine *machine = claw_calloc(1, sizeof(*machine));
	const char *at = run->out.head;
	size_t left = run->out.head_bytes;
	char *stage = claw_strdup("starting");

	machine->platforms = claw_made(json_array());
	while (left) {
		const char *end = memchr(at, '\n', left);
		size_t length = end ? (size_t)(end - at) : left;
		json_t *line = json_loadb(at, length, 0, NULL);

		if (line)
			take_line(machine, line, &stage);
		json_decref(line);
		at += length + (end != NULL);
		left -= length + (end != NULL);
	}
	judge(machine, run, stage);
	free(stage);
	*ret_machine = machine;
}

int claw_machine_ask(char *const *set_env, struct claw_machine **ret_machine)
{
	char *self = claw_machine_self();
	struct claw_run_result result = { 0 };
	struct claw_run_spec spec;
	char *argv[4];
	int ret = -CLAW_E_SPAWN;

	if (!self)
		return ret;
	claw_machine_prepare(&spec, self, argv, set_env);
	ret = claw_run_once(&spec, &result);
	if (ret == 0) {
		claw_machine_read(&result, ret_machine);
	} else if (ret > 0) {
		claw_interrupt_pass_on(ret);
		ret = -CLAW_E_CANCELLED;
	}
	claw_run_result_release(&result);
	free(self);
	return ret;
}

void claw_machine_free(struct claw_machine *machine)
{
	if (!machine)
		return;
	json_decref(machine->loader);
	json_decref(machine->platforms);
	free(machine->problem);
	free(machine);
}

const char *claw_machine_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "not available";
}

char *claw_machine_loader_name(const struct claw_machine *machine)
{
	const char *name = json_string_value(
		json_object_get(machine->loader, "name"));
	const char *vendor = json_string_value(
		json_object_get(machine->loader, "vendor"));
	const char *version = claw_machine_text(machine->loader, "version");

	if (!name)
		return claw_strdup("a loader that does not tell its name");
	if (vendor && strstr(vendor, "Khronos"))
		name = "Khronos loader";
	else if (vendor && strstr(vendor, "OCL Icd"))
		name = "ocl-icd";
	return claw_format("%s %s", name, version);
}

json_t *claw_machine_find_device(const struct claw_machine *machine,
				 size_t number)
{
	json_t *platform, *device;
	size_t i, j;

	json_array_foreach(machine->platforms, i, platform) {
		json_array_foreach(json_object_get(platform, "devices"), j,
				   device) {
			if (number-- == 0)
				return device;
		}
	}
	return NULL;
}
