/* SPDX-License-Identifier: Apache-2.0 */
/* The file that is explored: its text, its options, its kernels. */
#include "config.h"

#include "explore.h"

#include <stdlib.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/cases/clw/clw.h"
#include "harness/files/outside_file.h"

enum { FILE_BYTES_MAX = 16 << 20 };

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
	}
	claw_clw_free(clw);
}

static void check_answer(const struct claw_explore_file *file)
{
	const struct claw_init_answer *answer = &file->answer;

	if (answer->has_no_device)
		claw_die(CLAW_EXIT_SKIPPED, "explore: no OpenCL device with a "
			 "compiler (see openclaw doctor)");
	if (answer->problem)
		claw_die(CLAW_EXIT_UNKNOWN, "explore: %s: %s", file->path,
			 answer->problem);
	if (answer->has_no_build)
		claw_die(CLAW_EXIT_USAGE, "explore: %s does not build:\n%s",
			 file->path, answer->log);
	if (json_array_size(answer->kernels) == 0)
		claw_die(CLAW_EXIT_USAGE, "explore: %s has no kernel",
			 file->path);
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
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "explore: %s", claw_error_text(ret));
	check_answer(ret_file);
}

void claw_explore_file_release(struct claw_explore_file *file)
{
	free(file->source);
	free(file->options);
	json_decref(file->assume);
	claw_init_answer_release(&file->answer);
}
