/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's arguments. What its text shows is in explore_text.c. */
#include "config.h"

#include "explore_kernel.h"

#include <stdio.h>
#include <string.h>

#include "explore_text.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/cases/clw/init_args.h"

/* A struct's elements are bytes to a kernel file. */
static void set_type(struct claw_explore_arg *arg,
		     const struct claw_init_arg *asked)
{
	arg->type = (struct claw_clw_type) { CLAW_CLW_UCHAR, 1 };
	arg->units = 1;
	if (asked->is_ours)
		arg->type = asked->ours;
	else if (!asked->is_pointer)
		claw_init_find_bytes_type(asked->size_bytes, &arg->type);
	else if (strncmp(asked->type, "void", 4) != 0)
		arg->units = (size_t)asked->size_bytes;
}

static enum claw_explore_role role_of(const struct claw_init_arg *asked)
{
	if (claw_init_is_image(asked))
		return CLAW_ROLE_IMAGE;
	if (claw_init_is_sampler(asked))
		return CLAW_ROLE_SAMPLER;
	if (!asked->is_pointer)
		return asked->is_ours && asked->ours.width == 1 &&
			asked->ours.base < CLAW_CLW_HALF ?
			CLAW_ROLE_INTEGER : CLAW_ROLE_OTHER;
	return strcmp(asked->address, "local") == 0 ? CLAW_ROLE_LOCAL :
		CLAW_ROLE_BUFFER;
}

static void read_arg(const struct claw_init_arg *asked,
		     struct claw_explore_arg *arg)
{
	snprintf(arg->name, sizeof(arg->name), "%s", asked->name);
	arg->role = role_of(asked);
	arg->is_const = asked->is_const ||
		strcmp(asked->address, "constant") == 0;
	arg->is_size = claw_init_is_size(asked);
	arg->is_written = strcmp(asked->access, "write_only") == 0;
	set_type(arg, asked);
}

static int refuse(const json_t *args, char **reterr_why)
{
	if (json_array_size(args) > CLAW_EXPLORE_ARGS) {
		*reterr_why = claw_format("it has more than %d arguments",
					  CLAW_EXPLORE_ARGS);
		return -CLAW_E_LIMIT;
	}
	for (size_t i = 0; i < json_array_size(args); i++) {
		struct claw_init_arg arg = claw_init_read_arg(args, i);
		const char *why = claw_init_refuse(json_array_get(args, i),
						   &arg);

		if (!why)
			continue;
		*reterr_why = claw_format("argument %zu (%s) %s", i, arg.name,
					  why);
		return -CLAW_E_LIMIT;
	}
	return 0;
}

/* Where no name says which number is a size: those that the text limits ids by
 * and those that only the caller knows; else all of them. */
static void choose_sizes(struct claw_explore_kernel *kernel)
{
	bool has_limit = false;

	for (size_t i = 0; i < kernel->arg_count; i++)
		has_limit |= kernel->args[i].is_limit;
	for (size_t i = 0; i < kernel->arg_count; i++)
		kernel->args[i].is_size =
			kernel->args[i].role == CLAW_ROLE_INTEGER &&
			(!has_limit || kernel->args[i].is_limit ||
			 kernel->args[i].is_unused);
}

int claw_explore_kernel_read(const json_t *kernel, const char *source,
			     const char *build_options,
			     struct claw_explore_kernel *ret_kernel,
			     char **reterr_why)
{
	const json_t *args = json_object_get(kernel, "args");
	const json_t *local = json_object_get(kernel, "local");
	bool has_size = false;
	int ret = refuse(args, reterr_why);

	if (ret < 0)
		return ret;
	memset(ret_kernel, 0, sizeof(*ret_kernel));
	snprintf(ret_kernel->name, sizeof(ret_kernel->name), "%s",
		 claw_init_text(kernel, "name"));
	ret_kernel->arg_count = (unsigned int)json_array_size(args);
	for (size_t i = 0; i < json_array_size(args); i++) {
		struct claw_init_arg asked = claw_init_read_arg(args, i);
		struct claw_explore_arg *arg = &ret_kernel->args[i];

		read_arg(&asked, arg);
		ret_kernel->has_groups |= arg->role == CLAW_ROLE_LOCAL;
		has_size |= arg->is_size;
	}
	for (size_t i = 0; i < 3; i++)
		ret_kernel->required[i] = (uint32_t)json_integer_value(
			json_array_get(local, i));
	claw_explore_text_read(source, build_options, ret_kernel);
	if (!has_size)
		choose_sizes(ret_kernel);
	return 0;
}
