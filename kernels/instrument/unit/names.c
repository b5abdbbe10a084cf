/* SPDX-License-Identifier: Apache-2.0 */
/* Names of macros to ask the driver about: see names.h. */
#include "config.h"

#include "names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "options.h"
#include "preprocess.h"

enum { FILE_MAX = 64 << 20 };

struct name_list {
	char **list;
	size_t count;
};

static void add(struct name_list *names, const char *from, size_t length)
{
	names->list = claw_one_more(names->list, names->count,
				    sizeof(*names->list));
	names->list[names->count++] = claw_strndup(from, length);
}

static size_t word_length(const char *at)
{
	size_t length = 0;

	if (isdigit((unsigned char)*at))
		return 0;
	while (isalnum((unsigned char)at[length]) || at[length] == '_')
		length++;
	return length;
}

static bool is_word(const char *at, size_t length, const char *word)
{
	return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* What every compiler makes itself, and the words of the language that are in
 * capitals or begin with two underscores. */
static bool is_everyones(const char *at, size_t length)
{
	static const char *const known[] = {
		"__FILE__", "__LINE__", "__DATE__", "__TIME__", "__STDC__",
		"__COUNTER__", "__INCLUDE_LEVEL__", "__VA_ARGS__",
		"__BASE_FILE__", "__TIMESTAMP__", "__kernel", "__global",
		"__local", "__constant", "__private", "__generic",
		"__read_only", "__write_only", "__read_write",
		"__attribute__", "__has_include", "__has_attribute",
		"__has_feature", "__has_builtin", "__has_extension",
		"__opencl_c_", NULL,
	};

	for (size_t i = 0; known[i]; i++)
		if (is_word(at, length, known[i]))
			return true;
	return false;
}

/*
 * Compilers predefine names in capitals, such that begin with an underscore,
 * and cl_khr_...; anything else in a condition is asked about, too.
 */
static bool looks_predefined(const char *at, size_t length)
{
	if (strncmp(at, "cl_", 3) == 0 || *at == '_')
		return true;
	for (size_t i = 0; i < length; i++)
		if (islower((unsigned char)at[i]))
			return false;
	return length > 1 && isupper((unsigned char)*at);
}

static const char *skip_quoted(const char *at, const char *end)
{
	char quote = *at++;

	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at < end ? at + 1 : end;
}

static const char *skip_comment(const char *at, const char *end)
{
	if (at[1] == '/') {
		while (at < end && *at != '\n')
			at += *at == '\\' && at + 1 < end ? 2 : 1;
		return at < end ? at : end;
	}
	for (at += 2; at + 1 < end; at++)
		if (at[0] == '*' && at[1] == '/')
			return at + 2;
	return end;
}

struct scan {
	struct name_list used, defined;
	struct name_list doubted;	/* "#ifndef M_PI" and then its #define */
	struct name_list given;		/* by the options */
	const char *at, *end;
	bool at_line_start, in_condition, expects_definition;
	bool includes;			/* or it cannot be told */
};

/* "#if" and such at a # or %:. No name: a comment, say, and then any word. */
static void directive(struct scan *scan)
{
	scan->at += *scan->at == '%' ? 2 : 1;
	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
		scan->at++;
	size_t length = word_length(scan->at);

	scan->in_condition = is_word(scan->at, length, "if") ||
		is_word(scan->at, length, "elif") ||
		is_word(scan->at, length, "ifdef") ||
		is_word(scan->at, length, "ifndef");
	scan->expects_definition = is_word(scan->at, length, "define");
	scan->includes |= length == 0 ||
		(scan->at[0] == 'i' && scan->at[1] != 'f');
	scan->at += length;
}

/* By what has been read so far. */
static bool is_defined(const struct scan *scan, const char *at, size_t length)
{
	for (size_t i = 0; i < scan->defined.count; i++)
		if (is_word(at, length, scan->defined.list[i]))
			return true;
	return false;
}

static void word(struct scan *scan, size_t length)
{
	const char *at = scan->at;

	scan->at += length;
	if (scan->expects_definition) {
		add(&scan->defined, at, length);
		scan->expects_definition = false;
		return;
	}
	if (is_everyones(at, length) || is_word(at, length, "defined"))
		return;
	if (scan->in_condition && !is_defined(scan, at, length))
		add(&scan->doubted, at, length);
	if (scan->in_condition || looks_predefined(at, length))
		add(&scan->used, at, length);
}

/* All but what is in comments and strings. The text ends with a NUL. */
static void scan_text(struct scan *scan, const struct claw_request_text *text)
{
	scan->at = text->text;
	scan->end = text->text + text->bytes;
	scan->at_line_start = true;
	scan->in_condition = scan->expects_definition = false;
	while (scan->at < scan->end) {
		char c = *scan->at;
		size_t length = word_length(scan->at);

		if (c == '\\' && scan->at + 1 < scan->end) {
			scan->at += scan->at[1] == '\r' ? 3 : 2;
			if (scan->at > scan->end)
				scan->at = scan->end;
		} else if (c == '\n') {
			scan->at++;
			scan->at_line_start = true;
			scan->in_condition = scan->expects_definition = false;
			continue;
		} else if (c == '"' || c == '\'') {
			scan->at = skip_quoted(scan->at, scan->end);
		} else if (c == '/' && (scan->at[1] == '/' || scan->at[1] == '*')) {
			scan->at = skip_comment(scan->at, scan->end);
			continue;
		} else if (scan->at_line_start &&
			   (c == '#' || (c == '%' && scan->at[1] == ':'))) {
			directive(scan);
		} else if (length) {
			word(scan, length);
		} else if (isdigit((unsigned char)c)) {
			while (isalnum((unsigned char)*scan->at) ||
			       *scan->at == '_')
				scan->at++;
		} else {
			scan->at++;
		}
		if (!isspace((unsigned char)c))
			scan->at_line_start = false;
	}
}

static int compare(const void *one, const void *two)
{
	return strcmp(*(char *const *)one, *(char *const *)two);
}

static bool has(const struct name_list *names, char *name)
{
	return names->count && bsearch(&name, names->list, names->count,
				       sizeof(*names->list), compare);
}

static void sort(struct name_list *names)
{
	if (names->count)
		qsort(names->list, names->count, sizeof(*names->list), compare);
}

static void release(struct name_list *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
}

static bool is_listed(const struct name_list *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return true;
	return false;
}

static void scan_file(struct scan *scan, const char *path)
{
	struct claw_request_text file = { .text = NULL };
	size_t size;

	if (claw_outside_read(path, 0, FILE_MAX, &file.text, &size) < 0)
		return;
	file.bytes = strlen(file.text);
	scan_text(scan, &file);
	free(file.text);
}

/* Does the marker's name have the flag of a file that is entered? What #line
 * names has none: it was not read by the compiler, and is not by us. */
static bool is_entered(const char *behind)
{
	return strncmp(behind, "\" 1", 3) == 0 &&
		strchr(" \r\n", behind[3]);
}

/* The files that a preprocessed text has included, each once, without the
 * text's own. */
static void scan_files(struct scan *scan, const char *text, const char *own)
{
	struct name_list seen = { .list = NULL };

	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (at[0] != '#' || at[1] != ' ')
			continue;
		const char *from = at + strcspn(at, "\"\n");
		size_t length = *from == '"' ? strcspn(from + 1, "\"\n") : 0;

		if (length == 0 || is_word(from + 1, length, own) ||
		    !is_entered(from + 1 + length))
			continue;
		add(&seen, from + 1, length);
		char *name = seen.list[--seen.count];

		if (is_listed(&seen, name))
			free(name);
		else {
			seen.count++;
			scan_file(scan, name);
		}
	}
	release(&seen);
}

/* Which files are included nobody knows before macros are: what the driver has
 * not been asked about yet is taken as not defined. */
static void scan_included(struct scan *scan, const struct claw_request *request)
{
	char error[512], *text;

	if (!scan->includes && (!request->options.text ||
				!strstr(request->options.text, "-include")))
		return;
	text = claw_preprocess(request, error, sizeof(error));
	if (text)
		scan_files(scan, text, request->name);
	free(text);
}

/* -DNAME: the options have it, not the driver. */
static void add_options(struct scan *scan, const struct claw_request *request)
{
	struct claw_build_options options;

	claw_build_options_parse(request->options.text, &options);
	for (size_t i = 0; i < options.count; i++) {
		const char *at = options.words[i];

		if (strncmp(at, "-D", 2) != 0)
			continue;
		at = at[2] ? at + 2 :
			i + 1 < options.count ? options.words[++i] : "";
		size_t length = word_length(at);

		if (length)
			add(&scan->given, at, length);
	}
	claw_build_options_release(&options);
}

/* The preprocessor of ours is asked for these in any case. */
static void add_always(struct name_list *names)
{
	static const char *const always[] = {
		"__OPENCL_VERSION__", "__OPENCL_C_VERSION__",
		"CL_VERSION_1_0", "CL_VERSION_1_1", "CL_VERSION_1_2",
		"CL_VERSION_2_0", "CL_VERSION_3_0", "__ENDIAN_LITTLE__",
		"__IMAGE_SUPPORT__", "__FAST_RELAXED_MATH__",
		"__EMBEDDED_PROFILE__", NULL,
	};

	for (size_t i = 0; always[i]; i++)
		add(names, always[i], strlen(always[i]));
}

const char *const claw_features[] = {
	"__opencl_c_3d_image_writes", "__opencl_c_atomic_order_acq_rel",
	"__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_all_devices",
	"__opencl_c_atomic_scope_device", "__opencl_c_device_enqueue",
	"__opencl_c_fp64", "__opencl_c_generic_address_space",
	"__opencl_c_images", "__opencl_c_int64", "__opencl_c_pipes",
	"__opencl_c_program_scope_global_variables",
	"__opencl_c_read_write_images", "__opencl_c_subgroups",
	"__opencl_c_work_group_collective_functions", NULL,
};

const char *claw_feature_extension(const char *feature)
{
	static const char *const pairs[][2] = {
		{ "__opencl_c_fp64", "cl_khr_fp64" },
		{ "__opencl_c_3d_image_writes", "cl_khr_3d_image_writes" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (strcmp(pairs[i][0], feature) == 0)
			return pairs[i][1];
	return NULL;
}

/* What a text of 3.0 means depends on them, named in it or not. */
static void add_features(struct name_list *names,
			 const struct claw_request *request)
{
	struct claw_build_options options;

	claw_build_options_parse(request->options.text, &options);
	if (options.standard && strncmp(options.standard, "CL3", 3) == 0)
		for (size_t i = 0; claw_features[i]; i++)
			add(names, claw_features[i], strlen(claw_features[i]));
	claw_build_options_release(&options);
}

/* A text that defines a name only where the driver has none has to be asked
 * about as if it did not. */
static bool is_own(const struct scan *scan, char *name)
{
	return has(&scan->given, name) ||
	       (has(&scan->defined, name) && !has(&scan->doubted, name));
}

static void scan_request(struct scan *scan, const struct claw_request *request)
{
	scan_text(scan, &request->source);
	for (size_t i = 0; i < request->header_count; i++)
		scan_text(scan, &request->headers[i]);
}

void claw_names_write(const struct claw_request *request, FILE *out)
{
	struct scan scan = { .at = NULL };

	add_always(&scan.used);
	add_features(&scan.used, request);
	scan_request(&scan, request);
	scan_included(&scan, request);
	add_options(&scan, request);
	sort(&scan.used);
	sort(&scan.defined);
	sort(&scan.doubted);
	sort(&scan.given);
	for (size_t i = 0; i < scan.used.count; i++) {
		char *name = scan.used.list[i];

		if ((i > 0 && strcmp(name, scan.used.list[i - 1]) == 0) ||
		    is_own(&scan, name))
			continue;
		fprintf(out, "%s\n", name);
	}
	release(&scan.used);
	release(&scan.defined);
	release(&scan.doubted);
	release(&scan.given);
}

static bool is_answered(const struct claw_request *request, const char *name)
{
	for (size_t i = 0; i < request->macro_count; i++)
		if (strcmp(request->macros[i].name, name) == 0)
			return true;
	return false;
}

int claw_names_check(const struct claw_request *request, const char *text,
		     char *error, size_t error_size)
{
	struct scan scan = { .at = NULL };
	size_t first;
	int ret = 0;

	if (request->macro_count == 0)
		return 0;
	scan_request(&scan, request);
	first = scan.doubted.count;
	scan_files(&scan, text, request->name);
	add_options(&scan, request);
	sort(&scan.given);
	for (size_t i = first; ret == 0 && i < scan.doubted.count; i++) {
		char *name = scan.doubted.list[i];

		if (has(&scan.given, name) || is_answered(request, name))
			continue;
		snprintf(error, error_size, "%s: expected what the driver says "
			 "of %s, which an included file asks for",
			 request->name, name);
		ret = -1;
	}
	release(&scan.used);
	release(&scan.defined);
	release(&scan.doubted);
	release(&scan.given);
	return ret;
}
