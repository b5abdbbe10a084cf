/* SPDX-License-Identifier: Apache-2.0 */
/* The words that libclang parses with: see unit_arguments.h. */
#include "config.h"

#include "unit_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clang.h"
#include "options.h"

static void add(struct claw_unit_arguments *arguments, const char *word)
{
	if (arguments->count < 64)
		arguments->words[arguments->count++] = word;
}

static void add_made(struct claw_unit_arguments *arguments, char *word)
{
	if (arguments->owned_count == 64)
		abort();
	arguments->owned[arguments->owned_count++] = word;
	add(arguments, word);
}

/* "-cl-ext=-all,+cl_khr_fp64,..." */
static char *extensions_word(const char *extensions, const char *more)
{
	char *word = NULL;
	size_t size;
	FILE *out = open_memstream(&word, &size);

	if (!out)
		abort();
	/* Without it clang declares no vload_half, which is not of the extension. */
	fputs("-cl-ext=-all,+cl_khr_fp16", out);
	while (*extensions) {
		size_t length = strcspn(extensions, " ");

		if (length)
			fprintf(out, ",+%.*s", (int)length, extensions);
		extensions += length + (extensions[length] == ' ');
	}
	fputs(more, out);
	/* These have to be what an extension is. */
	if (*more && strstr(extensions, "cl_khr_fp64"))
		fputs(",+__opencl_c_fp64", out);
	if (*more && strstr(extensions, "cl_khr_3d_image_writes"))
		fputs(",+__opencl_c_3d_image_writes", out);
	fclose(out);
	return word;
}

/* -cl-std= of the request, or what a driver takes without it: the device's
 * version, but none above 1.2. */
static const char *standard(const struct claw_request *request,
			    const struct claw_build_options *options)
{
	if (options->standard)
		return options->standard;
	if (strstr(request->version, "C 1.0"))
		return "CL1.0";
	return strstr(request->version, "C 1.1") ? "CL1.1" : "CL1.2";
}

/* Features are optional in 3.0: what the driver takes has to be taken. */
static const char features[] =
	",+__opencl_c_atomic_order_acq_rel"
	",+__opencl_c_atomic_order_seq_cst,+__opencl_c_atomic_scope_device"
	",+__opencl_c_atomic_scope_all_devices,+__opencl_c_device_enqueue"
	",+__opencl_c_generic_address_space,+__opencl_c_images"
	",+__opencl_c_int64,+__opencl_c_pipes"
	",+__opencl_c_program_scope_global_variables"
	",+__opencl_c_read_write_images,+__opencl_c_subgroups"
	",+__opencl_c_work_group_collective_functions";

void claw_unit_arguments_init(struct claw_unit_arguments *arguments,
			      const struct claw_request *request)
{
	struct claw_build_options options;

	claw_build_options_parse(request->options.text, &options);
	add(arguments, "-x");
	add(arguments, "cl");
	char *headers, *word;
	const char *language = standard(request, &options);

	if (asprintf(&word, "-cl-std=%s", language) < 0)
		abort();
	add_made(arguments, word);
	add(arguments, "-target");
	add(arguments, request->address_bits == 32 ? "spir" : "spir64");
	add(arguments, "-resource-dir");
	add(arguments, claw_clang_resources());
	if (asprintf(&headers, "%s/include", claw_clang_resources()) < 0)
		abort();
	add(arguments, "-isystem");
	add_made(arguments, headers);
	add(arguments, "-Xclang");
	add(arguments, "-finclude-default-header");
	add(arguments, "-Xclang");
	add_made(arguments, extensions_word(request->extensions,
			strncmp(language, "CL3", 3) == 0 ? features : ""));
	/* "asm", which NVIDIA's driver takes; a driver that does not has
	 * refused the text already. */
	add(arguments, "-fgnu-keywords");
	add(arguments, "-Wno-everything");
	claw_build_options_release(&options);
}

void claw_unit_arguments_release(struct claw_unit_arguments *arguments)
{
	for (int i = 0; i < arguments->owned_count; i++)
		free(arguments->owned[i]);
}
