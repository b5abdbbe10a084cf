/* SPDX-License-Identifier: Apache-2.0 */
/* The words that libclang parses with: see unit_arguments.h. */
#include "config.h"

#include "unit_arguments.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clang.h"
#include "harness/base/memory.h"
#include "names.h"
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

/* Is a feature of OpenCL C 3.0 there? The driver was asked about all of them. */
static bool has_feature(const struct claw_request *request, const char *name)
{
	for (size_t i = 0; i < request->macro_count; i++)
		if (strcmp(request->macros[i].name, name) == 0)
			return request->macros[i].text != NULL;
	return false;
}

static bool has_extension(const struct claw_request *request, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = request->extensions; *at;) {
		size_t word = strcspn(at, " ");

		if (word == length && strncmp(at, name, length) == 0)
			return true;
		at += word + (at[word] == ' ');
	}
	return false;
}

static void add_feature(const struct claw_request *request, const char *name,
			FILE *out)
{
	const char *pair = claw_feature_extension(name);

	if (pair && has_extension(request, pair))
		fprintf(out, ",+%s", name);
	else if (has_feature(request, name))
		fprintf(out, pair ? ",+%s,+%s" : ",+%s", name, pair);
}

/* "-cl-ext=-all,+cl_khr_fp64,..." */
static char *extensions_word(const struct claw_request *request, bool is_3)
{
	const char *extensions = request->extensions;
	char *word = NULL;
	size_t size;
	FILE *out = claw_text_begin(&word, &size);
	/* Without it clang declares no vload_half, which is not of the extension. */
	fputs("-cl-ext=-all,+cl_khr_fp16", out);
	while (*extensions) {
		size_t length = strcspn(extensions, " ");

		if (length)
			fprintf(out, ",+%.*s", (int)length, extensions);
		extensions += length + (extensions[length] == ' ');
	}
	for (size_t i = 0; is_3 && claw_features[i]; i++)
		add_feature(request, claw_features[i], out);
	claw_text_end(out);
	return word;
}

/* The header goes by macros, of which the words above define but some. */
static void add_feature_macros(struct claw_unit_arguments *arguments,
			       const struct claw_request *request)
{
	for (size_t i = 0; claw_features[i]; i++) {
		char *word;

		if (claw_feature_extension(claw_features[i]) ||
		    !has_feature(request, claw_features[i]))
			continue;
		word = claw_format("-D%s=1", claw_features[i]);
		add_made(arguments, word);
	}
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

void claw_unit_arguments_init(struct claw_unit_arguments *arguments,
			      const struct claw_request *request)
{
	struct claw_build_options options;

	claw_build_options_parse(request->options.text, &options);
	add(arguments, "-x");
	add(arguments, "cl");
	char *headers, *word;
	const char *language = standard(request, &options);
	bool is_3 = strncmp(language, "CL3", 3) == 0;

	word = claw_format("-cl-std=%s", language);
	add_made(arguments, word);
	add(arguments, "-target");
	add(arguments, request->address_bits == 32 ? "spir" : "spir64");
	add(arguments, "-resource-dir");
	add(arguments, claw_clang_resources());
	headers = claw_format("%s/include", claw_clang_resources());
	add(arguments, "-isystem");
	add_made(arguments, headers);
	add(arguments, "-Xclang");
	add(arguments, "-finclude-default-header");
	add(arguments, "-Xclang");
	add_made(arguments, extensions_word(request, is_3));
	if (is_3)
		add_feature_macros(arguments, request);
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
