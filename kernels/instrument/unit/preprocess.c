/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs clang -E: see preprocess.h. Embedded headers are written into a
 * temporary directory that is searched first; in the text they are called by
 * their own names again.
 */
#include "config.h"

#include "preprocess.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clang.h"
#include "harness/base/memory.h"
#include "options.h"

struct arguments {
	char **words;
	size_t count;
};

static void add(struct arguments *arguments, const char *before, const char *word)
{
	char **grown = claw_grow(arguments->words, arguments->count + 2,
				 sizeof(*grown));
	grown[arguments->count] = claw_format("%s%s", before, word);
	arguments->words = grown;
	grown[++arguments->count] = NULL;
}

static void release(struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->words[i]);
	free(arguments->words);
}

/* Header NAME below directory; NAME's own directories are made. False: a name
 * that leads elsewhere. */
static bool write_header(const char *directory,
			 const struct claw_request_text *header)
{
	char path[4096];

	if (header->name[0] == '/' || strstr(header->name, ".."))
		return false;
	snprintf(path, sizeof(path), "%s/%s", directory, header->name);
	for (char *slash = path + strlen(directory) + 1;
	     (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	bool good = fwrite(header->text, 1, header->bytes, out) == header->bytes;

	return fclose(out) == 0 && good;
}

static void remove_headers(const char *directory,
			   const struct claw_request *request)
{
	char path[4096];

	for (size_t i = 0; i < request->header_count; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory,
			 request->headers[i].name);
		unlink(path);
		for (char *slash; (slash = strrchr(path, '/')) &&
		     (size_t)(slash - path) > strlen(directory);) {
			*slash = '\0';
			rmdir(path);
		}
	}
	rmdir(directory);
}

static void add_macros(struct arguments *arguments,
		       const struct claw_request *request)
{
	for (size_t i = 0; i < request->macro_count; i++) {
		const struct claw_request_text *macro = &request->macros[i];
		char *word;

		if (!macro->text) {
			add(arguments, "-U", macro->name);
			continue;
		}
		word = claw_format("%s=%s", macro->name, macro->text);
		add(arguments, "-D", word);
		free(word);
	}
}

static void add_options(struct arguments *arguments,
			const struct claw_request *request)
{
	struct claw_build_options options;

	claw_build_options_parse(request->options.text, &options);
	for (size_t i = 0; i < options.count;) {
		size_t words = claw_build_options_preprocessor(&options, i);

		for (size_t k = i; k < i + words; k++)
			add(arguments, "", options.words[k]);
		i += words ? words : 1;
	}
	claw_build_options_release(&options);
}

/* "FILE:LINE:COLUMN: fatal error: WHY" as ours are; the headers' directory
 * is none of anybody's business. */
static void tell_line(const char *line, const char *directory, char *error,
		      size_t error_size)
{
	static const char *const kinds[] = { "fatal error: ", "error: " };
	size_t length = strlen(directory);

	if (strncmp(line, directory, length) == 0 && line[length] == '/')
		line += length + 1;
	for (size_t i = 0; i < 2; i++) {
		const char *kind = strstr(line, kinds[i]);

		if (!kind)
			continue;
		snprintf(error, error_size, "%.*s%s", (int)(kind - line), line,
			 kind + strlen(kinds[i]));
		return;
	}
	snprintf(error, error_size, "%s", line);
}

static void tell(FILE *err, const struct claw_request *request,
		 const char *directory, char *error, size_t error_size)
{
	char line[1024];

	rewind(err);
	while (fgets(line, sizeof(line), err)) {
		line[strcspn(line, "\n")] = '\0';
		if (strstr(line, "error: ")) {
			tell_line(line, directory, error, error_size);
			return;
		}
	}
	snprintf(error, error_size, "%s:1:1: clang cannot preprocess it",
		 request->name);
}

/* In line markers embedded headers are called as the program calls them. What
 * is in front of the program's own text is left out. */
static void rename_markers(char *text, const char *directory, const char *name)
{
	size_t length = strlen(directory), name_length = strlen(name);
	char *to = text, *own = NULL;

	for (char *from = text; *from;) {
		char *end = strchr(from, '\n');
		size_t line = end ? (size_t)(end - from) + 1 : strlen(from);
		char *quote = *from == '#' ? memchr(from, '"', line) : NULL;

		if (quote && !own && strncmp(from, "# 1 ", 4) == 0 &&
		    strncmp(quote + 1, name, name_length) == 0 &&
		    quote[1 + name_length] == '"')
			own = to = text;
		if (quote && strncmp(quote + 1, directory, length) == 0 &&
		    quote[1 + length] == '/') {
			size_t before = (size_t)(quote + 1 - from);

			memmove(to, from, before);
			to += before;
			from += before + length + 1;
			line -= before + length + 1;
		}
		memmove(to, from, line);
		to += line;
		from += line;
	}
	*to = '\0';
}

/* As a line marker has it. */
static char *quoted(const char *name)
{
	char *words = claw_malloc(2 * strlen(name) + 1), *to = words;

	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			*to++ = '\\';
		*to++ = *name;
	}
	*to = '\0';
	return words;
}

/* The program's text behind a marker that names it. Programs that count a
 * closing NUL as text are many; one in the middle is something else. */
static char *make_input(const struct claw_request *request, char *error,
			size_t error_size)
{
	size_t bytes = request->source.bytes;
	unsigned int line = 1;
	char *input;

	while (bytes && request->source.text[bytes - 1] == '\0')
		bytes--;
	for (size_t i = 0; i < bytes; i++) {
		if (request->source.text[i] == '\0') {
			snprintf(error, error_size, "%s:%u:1: a NUL in the text",
				 request->name, line);
			return NULL;
		}
		line += request->source.text[i] == '\n';
	}
	char *name = quoted(request->name);

	input = claw_format("# 1 \"%s\"\n%.*s\n", name, (int)bytes,
			    request->source.text);
	free(name);
	return input;
}

static void make_arguments(const struct claw_request *request,
			   const char *directory, struct arguments *arguments)
{
	static const char *const fixed[] = {
		"-E", "-x", "cl", "-undef", "-nostdinc", "-cl-no-stdinc",
		"-U__GCC_HAVE_DWARF2_CFI_ASM", "-fno-caret-diagnostics",
		"-Wno-everything", NULL,
	};

	add(arguments, "", claw_clang_program());
	for (size_t i = 0; fixed[i]; i++)
		add(arguments, "", fixed[i]);
	add_macros(arguments, request);
	if (request->header_count)
		add(arguments, "-I", directory);
	add_options(arguments, request);
	add(arguments, "-I", ".");
	add(arguments, "", "-");
}

static bool write_headers(const char *directory,
			  const struct claw_request *request)
{
	for (size_t i = 0; i < request->header_count; i++)
		if (!write_header(directory, &request->headers[i]))
			return false;
	return true;
}

char *claw_preprocess(const struct claw_request *request, char *error,
		      size_t error_size)
{
	struct arguments arguments = { NULL, 0 };
	char directory[] = "/tmp/openclaw-headers.XXXXXX";
	bool has_directory = request->header_count && mkdtemp(directory);
	char *input = make_input(request, error, error_size), *text = NULL;
	FILE *err = tmpfile();
	char missing[128];

	if (!input)
		goto out;
	if (claw_clang_missing(missing, sizeof(missing))) {
		snprintf(error, error_size, "%s:1:1: %s", request->name,
			 missing);
		goto out;
	}
	if (!err) {
		snprintf(error, error_size, "%s:1:1: cannot create a temporary file",
			 request->name);
		goto out;
	}
	if (request->header_count &&
	    (!has_directory || !write_headers(directory, request))) {
		snprintf(error, error_size, "%s:1:1: a header that cannot be put into a file",
			 request->name);
		goto out;
	}
	make_arguments(request, directory, &arguments);
	text = claw_clang_run(arguments.words, input, err, request->directory);
	if (text)
		rename_markers(text, directory, request->name);
	else
		tell(err, request, directory, error, error_size);
out:
	if (has_directory)
		remove_headers(directory, request);
	if (err)
		fclose(err);
	free(input);
	release(&arguments);
	return text;
}
