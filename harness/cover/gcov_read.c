/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gcov's JSON, format 1 (gcc 9 and newer): files, each with functions and
 * lines.
 */
#include "config.h"

#include "gcov_read.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text.h"

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

/* As it is on disk, where it is there; malloced. */
static char *whole_path(const char *directory, const char *file)
{
	char *joined = *file == '/' ? claw_strdup(file) :
		claw_path_in(directory, file);
	char *real = realpath(joined, NULL);

	if (!real)
		return joined;
	free(joined);
	return real;
}

/* Nobody's handlers. */
static bool is_system(const char *path)
{
	return claw_begins(path, "/usr/include/") ||
		claw_begins(path, "/usr/lib/") ||
		claw_begins(path, "/usr/lib64/");
}

/* "load" of the mangled name. */
static const char *readable(const json_t *functions, const char *name)
{
	for (size_t i = 0; i < json_array_size(functions); i++) {
		const json_t *function = json_array_get(functions, i);

		if (strcmp(text_of(function, "name"), name) == 0 &&
		    *text_of(function, "demangled_name"))
			return text_of(function, "demangled_name");
	}
	return name;
}

static void read_file(const json_t *file, const char *path,
		      struct claw_code_lines *lines)
{
	const json_t *functions = json_object_get(file, "functions");
	const json_t *all = json_object_get(file, "lines");
	const char *last = "", *shown = "";

	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *line = json_array_get(all, i);
		const char *name = text_of(line, "function_name");
		json_int_t number = json_integer_value(
			json_object_get(line, "line_number"));
		double runs = json_number_value(json_object_get(line, "count"));

		if (number <= 0 || number > INT32_MAX)
			continue;
		if (strcmp(name, last) != 0)
			shown = readable(functions, name);
		last = name;
		claw_code_lines_add(lines, path, *shown ? shown : "?",
				    (unsigned int)number, runs > 0, false);
	}
}

static int read_document(const json_t *root, claw_gcov_document *document,
			 void *user)
{
	const json_t *files = json_object_get(root, "files");
	const char *directory = text_of(root, "current_working_directory");
	struct claw_code_lines lines = { .items = NULL };
	int ret;

	if (!json_is_array(files))
		return -CLAW_E_SYNTAX;
	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *file = json_array_get(files, i);
		char *path = whole_path(directory, text_of(file, "file"));

		if (!is_system(path))
			read_file(file, path, &lines);
		free(path);
	}
	claw_code_lines_sort(&lines);
	ret = document(user, text_of(root, "data_file"),
		       text_of(root, "gcc_version"), &lines);
	claw_code_lines_release(&lines);
	return ret;
}

int claw_gcov_read(const char *path, claw_gcov_document *document, void *user)
{
	FILE *in = claw_outside_fopen(path);
	int ret = 0, next = 0;

	if (!in)
		return -CLAW_E_IO;
	while (ret == 0) {
		json_t *root;

		do
			next = getc(in);
		while (next != EOF && isspace(next));
		if (next == EOF)
			break;
		ungetc(next, in);
		root = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL);
		ret = root ? read_document(root, document, user) :
			-CLAW_E_SYNTAX;
		json_decref(root);
	}
	if (ferror(in))
		ret = -CLAW_E_IO;
	fclose(in);
	return ret;
}
