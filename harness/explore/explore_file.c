/* SPDX-License-Identifier: Apache-2.0 */
/* The file that is explored: its text, its options, its kernels. */
#include "config.h"

#include "explore.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/cases/clw/build_options.h"
#include "harness/cases/clw/clw.h"
#include "harness/files/outside_file.h"
#include "harness/process/runner.h"
#include "harness/session/instrument_program.h"

enum { FILE_BYTES_MAX = 16 << 20 };

enum { READ_MS = 60000, TEXT_BYTES = 32 << 20 };

/* Without line markers and other directives. */
static char *without_directives(const char *text, size_t size)
{
	char *copy = claw_strndup(text, size), *to = copy;

	for (const char *from = copy; *from;) {
		size_t length = strcspn(from, "\n");

		length += from[length] == '\n';
		if (*from != '#') {
			memmove(to, from, length);
			to += length;
		}
		from += length;
	}
	*to = '\0';
	return copy;
}

/* What conditionals leave out and what headers define is known only then; where
 * clang cannot do it, the source has to do. */
static void preprocess(struct claw_explore_file *file)
{
	const char *path = file->source_path;
	const struct claw_init_answer *answer = &file->answer;
	struct claw_run_result result = { 0 };
	char *options = claw_build_options(path, path, file->options);
	char *program = claw_instrument_program(), *name = claw_strdup(path);
	char words[][20] = { "--preprocess", "--options", "--device-version",
			     "--extensions" };
	char *argv[] = {
		program, words[0], words[1], options, words[2],
		answer->version, words[3], answer->extensions, name, NULL,
	};
	struct claw_run_spec spec = {
		.argv = argv, .timeout_ms = READ_MS, .head_bytes = TEXT_BYTES,
		.no_core = true,
	};

	if (program && options && answer->version && answer->extensions &&
	    claw_run_once(&spec, &result) == 0 &&
	    result.end == CLAW_END_EXIT && result.code == 0 &&
	    !result.out.tail_bytes)
		file->text = without_directives(result.out.head,
						result.out.head_bytes);
	else
		file->text = claw_strdup(file->source);
	claw_run_result_release(&result);
	free(program);
	free(options);
	free(name);
}

/* A kernel file, or plain OpenCL C. */
static void read_text(struct claw_explore_file *file, const char *options)
{
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	size_t size;
	int ret = claw_clw_read(file->path, &clw, &error);

	file->assume = claw_made(json_array());
	for (char **text = ret == 0 ? clw->assume : NULL; text && *text; text++)
		json_array_append_new(file->assume, json_string(*text));
	if (ret == 0) {
		file->source = claw_strdup(clw->source);
		file->options = claw_strdup_or_null(options ? options :
						    clw->build_options);
		file->source_path = claw_strdup(clw->source_path);
	} else if (ret != -CLAW_E_NOT_FOUND) {
		claw_die(CLAW_EXIT_USAGE, "explore: %s", error.message);
	} else {
		ret = claw_outside_read(file->path, 0, FILE_BYTES_MAX,
					&file->source, &size);
		if (ret < 0)
			claw_die(CLAW_EXIT_USAGE, "explore: %s: %s", file->path,
				 ret == -CLAW_E_IO ? claw_outside_why(file->path)
				 : claw_error_text(ret));
		file->options = claw_strdup_or_null(options);
		file->source_path = claw_strdup(file->path);
	}
	claw_clw_free(clw);
}

static bool has_test(const struct claw_clw *clw, const char *kernel)
{
	for (size_t i = 0; i < clw->test_count; i++)
		if (clw->tests[i].kernel &&
		    strcmp(clw->tests[i].kernel, kernel) == 0)
			return true;
	return false;
}

/* Kernel files with a test of one of the kernels. */
static void read_launches(struct claw_explore_file *file,
			  const struct claw_strings *paths)
{
	const json_t *kernels = file->answer.kernels;

	file->launches = claw_calloc(paths->count + 1, sizeof(*file->launches));
	for (size_t i = 0; i < paths->count; i++) {
		struct claw_clw_error error;
		bool is_about_it = false;

		if (claw_clw_read(paths->items[i], &file->launches[i],
				  &error) < 0)
			claw_die(CLAW_EXIT_USAGE, "explore: --launches: %s",
				 error.message);
		for (size_t j = 0; j < json_array_size(kernels); j++)
			is_about_it |= has_test(file->launches[i],
				claw_init_kernel_name(json_array_get(kernels,
								     j)));
		if (!is_about_it)
			claw_die(CLAW_EXIT_USAGE, "explore: --launches: %s: "
				 "expected a test of a kernel of %s",
				 paths->items[i], file->path);
	}
}

static void check_answer(const struct claw_explore_file *file)
{
	const struct claw_init_answer *answer = &file->answer;

	if (answer->has_no_device)
		claw_die(CLAW_EXIT_SKIPPED, "explore: no OpenCL device with a "
			 "compiler (see openclaw doctor)");
	claw_init_answer_check("explore", file->path, answer);
}

void claw_explore_file_open(const char *path,
			    const struct claw_explore_given *given,
			    struct claw_explore_file *ret_file)
{
	char *set_env[2] = { NULL };
	int ret;

	*ret_file = (struct claw_explore_file) { .path = path };
	read_text(ret_file, given->build_options);
	if (given->device)
		set_env[0] = claw_format("CLW_DEVICE_ID=%s", given->device);
	ret = claw_init_ask(path, ret_file->options, set_env,
			    &ret_file->answer);
	free(set_env[0]);
	if (ret == -CLAW_E_CANCELLED)
		claw_die(CLAW_EXIT_UNKNOWN, "explore: interrupted");
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "explore: %s", claw_error_text(ret));
	check_answer(ret_file);
	read_launches(ret_file, &given->launches);
	preprocess(ret_file);
}

void claw_explore_file_release(struct claw_explore_file *file)
{
	free(file->source);
	free(file->text);
	free(file->source_path);
	free(file->options);
	json_decref(file->assume);
	for (size_t i = 0; file->launches && file->launches[i]; i++)
		claw_clw_free(file->launches[i]);
	free(file->launches);
	claw_init_answer_release(&file->answer);
}
