/* SPDX-License-Identifier: Apache-2.0 */
/* What "openclaw __kernels" printed before it ended or was ended. */
#include "config.h"

#include "init_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "faults/shared/nearest.h"
#include "harness/base/errors.h"
#include "harness/machine/machine.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/text.h"
#include "harness/process/runner.h"

enum { TIMEOUT_MS = 60000, ANSWER_BYTES = 32 << 20 };

static void take_line(struct claw_init_answer *answer, json_t *line,
		      char **stage)
{
	const char *type = claw_machine_text(line, "t");

	if (strcmp(type, "stage") == 0) {
		free(*stage);
		*stage = claw_strdup(claw_machine_text(line, "text"));
	} else if (strcmp(type, "device") == 0) {
		free(answer->version);
		free(answer->extensions);
		answer->version = claw_strdup(claw_machine_text(line,
								"version"));
		answer->extensions = claw_strdup(claw_machine_text(line,
			"extensions"));
		answer->max_group = (size_t)json_integer_value(
			json_object_get(line, "max_group"));
	} else if (strcmp(type, "no-device") == 0) {
		answer->has_no_device = true;
	} else if (strcmp(type, "no-build") == 0) {
		answer->has_no_build = true;
		answer->code = (int)json_integer_value(
			json_object_get(line, "code"));
		free(answer->log);
		answer->log = claw_strdup(claw_machine_text(line, "log"));
	} else if (strcmp(type, "kernel") == 0) {
		json_array_append(answer->kernels, line);
	}
}

/* Why the answer is not whole. */
static void judge(struct claw_init_answer *answer,
		  const struct claw_run_result *run, const char *stage)
{
	if (run->end == CLAW_END_SIGNAL)
		answer->problem = claw_format("the OpenCL driver crashed "
					      "(signal %d, %s) while %s",
					      run->code, strsignal(run->code),
					      stage);
	else if (run->end == CLAW_END_TIMEOUT)
		answer->problem = claw_format("the OpenCL driver did not "
					      "respond within %d s while %s",
					      TIMEOUT_MS / 1000, stage);
	else if (run->end != CLAW_END_EXIT || run->code != 0)
		answer->problem =
			claw_format("the OpenCL driver exited with status %d "
				    "while %s",
				    run->code, stage);
}

static void read_answer(const struct claw_run_result *run,
		       struct claw_init_answer *answer)
{
	const char *at = run->out.head;
	size_t left = run->out.head_bytes;
	char *stage = claw_strdup("starting");

	answer->kernels = claw_made(json_array());
	while (left) {
		const char *end = memchr(at, '\n', left);
		size_t length = end ? (size_t)(end - at) : left;
		json_t *line = json_loadb(at, length, 0, NULL);

		if (line)
			take_line(answer, line, &stage);
		json_decref(line);
		at += length + (end != NULL);
		left -= length + (end != NULL);
	}
	judge(answer, run, stage);
	free(stage);
}

int claw_init_ask(const char *path, const char *build_options,
		  char *const *set_env, struct claw_init_answer *ret_answer)
{
	struct claw_init_answer answer = { 0 };
	struct claw_run_result result = { 0 };
	char *self = claw_machine_self(), *file = claw_strdup(path);
	char *options = claw_strdup(build_options ? build_options : "");
	char verb[] = "__kernels", separator[] = "--";
	char *argv[] = { self, verb, separator, file, options, NULL };
	struct claw_run_spec spec = {
		.argv = argv, .set_env = set_env, .timeout_ms = TIMEOUT_MS,
		.grace_ms = 500, .head_bytes = ANSWER_BYTES, .no_core = true,
	};
	int ret = claw_run_once(&spec, &result);

	if (ret == 0) {
		read_answer(&result, &answer);
		*ret_answer = answer;
	} else if (ret > 0) {
		ret = -CLAW_E_CANCELLED;
	}
	claw_run_result_release(&result);
	free(self);
	free(file);
	free(options);
	return ret;
}

void claw_init_answer_release(struct claw_init_answer *answer)
{
	json_decref(answer->kernels);
	free(answer->version);
	free(answer->extensions);
	free(answer->log);
	free(answer->problem);
	*answer = (struct claw_init_answer) { 0 };
}

/* ---- what may be wrong with it ------------------------------------------- */

void claw_init_answer_check(const char *verb, const char *path,
			    const struct claw_init_answer *answer)
{
	const char *code = claw_code_name(answer->code);

	if (answer->problem)
		claw_die(CLAW_EXIT_UNKNOWN, "%s: %s: %s", verb, path,
			 answer->problem);
	if (answer->has_no_build) {
		claw_warn("%s: %s does not build (%s)%s", verb, path,
			  code ? code : "an unknown code",
			  *answer->log ? ":" : "; there is no build log");
		fputs(answer->log, stderr);
		if (*answer->log &&
		    answer->log[strlen(answer->log) - 1] != '\n')
			fputc('\n', stderr);
		exit(CLAW_EXIT_USAGE);
	}
	if (json_array_size(answer->kernels) == 0)
		claw_die(CLAW_EXIT_USAGE, "%s: %s has no kernel", verb, path);
}

const char *claw_init_kernel_name(const json_t *kernel)
{
	const char *name = json_string_value(json_object_get(kernel, "name"));

	return name ? name : "";
}

/* "a, b, c"; malloced. */
static char *list_names(const json_t *kernels)
{
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < json_array_size(kernels); i++)
		fprintf(out, "%s%s", i ? ", " : "",
			claw_init_kernel_name(json_array_get(kernels, i)));
	claw_text_end(out);
	return text;
}

const json_t *claw_init_find_kernel(const char *verb, const char *path,
				    const struct claw_init_answer *answer,
				    const char *name)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, name);
	for (size_t i = 0; i < json_array_size(answer->kernels); i++) {
		const json_t *kernel = json_array_get(answer->kernels, i);

		if (strcmp(claw_init_kernel_name(kernel), name) == 0)
			return kernel;
		claw_nearest_offer(&nearest, claw_init_kernel_name(kernel));
	}
	claw_die(CLAW_EXIT_USAGE, "%s: %s has no kernel \"%s\"%s%s%s; it has "
		 "%s", verb, path, name, nearest.best ? " (did you mean " : "",
		 nearest.best ? nearest.best : "", nearest.best ? "?)" : "",
		 list_names(answer->kernels));
}
