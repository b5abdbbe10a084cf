/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw init: write the header of a kernel file from its kernels'
 * arguments, so that "openclaw test" runs it without any host code.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clw_private.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/errors.h"
#include "init_kernels.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/base/options.h"
#include "harness/files/outside_file.h"
#include "harness/session/session.h"
#include "harness/tools/tools.h"

static const char *output, *under_name, *build_options;
static struct claw_strings kernel_names;
static bool force;

static const struct claw_option init_options[] = {
	{ "output", 'o', OPT_STRING, "FILE",
	  "write to this file, - for stdout [default: FILE.clw]", &output },
	{ "kernel", 'k', OPT_STRINGS, "NAME",
	  "write a test for this kernel; may be repeated [default: all]", &kernel_names },
	{ "build-options", 0, OPT_STRING, "TEXT",
	  "OpenCL compiler options; also written to the header",
	  &build_options },
	{ "under", 0, OPT_STRING, "native|oclgrind",
	  "driver to query: native or oclgrind [default: native, then "
	  "oclgrind]",
	  &under_name },
	{ "force", 0, OPT_FLAG, NULL, "overwrite the file", &force },
	{ 0 },
};

/* ---- the kernel file ------------------------------------------------- */

/* The text of a kernel file that has no header. */
static char *read_source(const char *path)
{
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	char *text;
	size_t size;
	int ret = claw_clw_read(path, &clw, &error);

	claw_clw_free(clw);
	if (ret == 0)
		claw_die(CLAW_EXIT_USAGE, "init: %s already has a header; run "
			 "it with openclaw test", path);
	if (ret != -CLAW_E_NOT_FOUND)
		claw_die(CLAW_EXIT_USAGE, "init: %s", error.message);
	ret = claw_outside_read(path, 0, CLAW_CLW_FILE_BYTES_MAX,
				&text, &size);
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "init: %s: %s", path,
			 ret == -CLAW_E_IO ? claw_outside_why(path) :
			 claw_error_text(ret));
	return text;
}

/* "saxpy.cl": "saxpy.clw" */
static char *default_output(const char *path)
{
	size_t length = strlen(path);

	if (length > 3 && strcmp(path + length - 3, ".cl") == 0)
		length -= 3;
	else if (length > 4 && strcmp(path + length - 4, ".clw") == 0)
		claw_die(CLAW_EXIT_USAGE, "init: the output file would "
			 "overwrite %s; choose another with --output",
			 path);
	return claw_format("%.*s.clw", (int)length, path);
}

static void check_output(const char *path, const char *to)
{
	struct stat from, there;

	/* A link to nowhere is there, too. */
	if (strcmp(to, "-") == 0 || lstat(to, &there) < 0)
		return;
	if (stat(path, &from) == 0 && stat(to, &there) == 0 &&
	    from.st_dev == there.st_dev && from.st_ino == there.st_ino)
		claw_die(CLAW_EXIT_USAGE, "init: --output %s is the kernel "
			 "file itself; choose another name", to);
	if (!force)
		claw_die(CLAW_EXIT_USAGE, "init: %s already exists; use "
			 "--force to overwrite it", to);
}

/* ---- the driver ------------------------------------------------------ */

/* Ask under one tool. False: there is no device under it, why says so. */
static bool ask_under(const char *path, const char *tool,
		      struct claw_init_answer *answer, char *why,
		      size_t why_size)
{
	struct claw_under_config config = { 0 };
	struct claw_under under = { 0 };
	char *set_env[CLAW_UNDER_DRIVERS_MAX] = { NULL }, *directory;
	int ret;

	directory = claw_format("%s/openclaw-init.XXXXXX",
				claw_session_temporary_base());
	if (!mkdtemp(directory))
		claw_die(CLAW_EXIT_INFRA, "init: %s: %s", directory,
			 strerror(errno));
	config.directory = directory;
	ret = claw_under_begin(&under, claw_under_find(tool), &config);
	snprintf(why, why_size, "%s", under.why);
	if (ret == 0 && !*under.why)
		claw_under_drivers(&under, set_env);
	if (ret == 0 && !*why)
		ret = claw_init_ask(path, build_options, set_env, answer);
	free(set_env[0]);
	claw_under_release(&under);
	claw_directory_remove(directory);
	free(directory);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "init: %s", claw_error_text(ret));
	if (!*why && answer->has_no_device) {
		snprintf(why, why_size, "no OpenCL device with a compiler");
		claw_init_answer_release(answer);
	}
	return !*why;
}

static struct claw_init_answer ask(const char *path)
{
	struct claw_init_answer answer = { 0 };
	char why[300], why_native[300];

	if (under_name && strcmp(under_name, "native") != 0 &&
	    strcmp(under_name, "oclgrind") != 0)
		claw_die(CLAW_EXIT_USAGE, "init: option --under: expected "
			 "native or oclgrind, found \"%s\"", under_name);
	if (under_name) {
		if (!ask_under(path, under_name, &answer, why, sizeof(why)))
			claw_die(CLAW_EXIT_SKIPPED, "init: %s: %s", under_name,
				 why);
		return answer;
	}
	if (ask_under(path, "native", &answer, why_native,
		      sizeof(why_native)) ||
	    ask_under(path, "oclgrind", &answer, why, sizeof(why)))
		return answer;
	claw_die(CLAW_EXIT_SKIPPED, "init: native: %s; oclgrind: %s",
		 why_native, why);
}

/* ---- the choice of kernels ------------------------------------------- */

/* The caller frees it; ret_count of them. */
static const json_t **choose(const char *path,
			     const struct claw_init_answer *answer,
			     size_t *ret_count)
{
	size_t count = kernel_names.count ? kernel_names.count :
		json_array_size(answer->kernels);
	const json_t **chosen = claw_calloc(count, sizeof(*chosen));

	for (size_t i = 0; i < count; i++)
		chosen[i] = !kernel_names.count ?
			json_array_get(answer->kernels, i) :
			claw_init_find_kernel("init", path, answer,
					      kernel_names.items[i]);
	*ret_count = count;
	return chosen;
}

/* ---- the file -------------------------------------------------------- */

static void write_file(const char *to, const char *header, const char *source)
{
	bool is_stdout = strcmp(to, "-") == 0, good;
	struct claw_new_file file;
	FILE *out = is_stdout ? stdout : claw_new_file_begin(&file, to);

	if (!out)
		claw_die(CLAW_EXIT_USAGE, "init: %s: %s", to, strerror(errno));
	good = fputs(header, out) >= 0 && fputs(source, out) >= 0;
	if (is_stdout)
		good = good && fflush(out) == 0;
	else
		good = claw_new_file_end(&file, good) == 0 && good;
	if (!good)
		claw_die(CLAW_EXIT_INFRA, "init: %s: %s", to, strerror(errno));
}

/* What is written has to be what is read. */
static void check_text(const char *to, const char *header, const char *source)
{
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	char *text = claw_format("%s%s", header, source);
	int ret;

	ret = claw_clw_parse(strcmp(to, "-") == 0 ? "init.clw" : to, text,
			     strlen(text), &clw, &error);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "init: the generated header is "
			 "invalid: %s", error.message);
	if (build_options && strcmp(clw->build_options, build_options) != 0)
		claw_die(CLAW_EXIT_USAGE, "init: option --build-options: "
			 "expected a text that one line of a header can hold, "
			 "found \"%s\"", build_options);
	claw_clw_free(clw);
	free(text);
}

static char *make_header(struct claw_init_header *header)
{
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	claw_init_write(out, header);
	claw_text_end(out);
	return text;
}

static bool is_left_out(const struct claw_init_header *header, size_t i)
{
	for (size_t j = 0; j < header->left_out_count; j++)
		if (header->left_out[j].kernel == claw_init_kernel_name(header->kernels[i]))
			return true;
	return false;
}

static void report(const char *to, const struct claw_init_header *header)
{
	const char *before = "(";
	char *quoted;

	for (size_t i = 0; i < header->left_out_count; i++)
		claw_warn("init: skipped %s: %s",
			  header->left_out[i].kernel,
			  header->left_out[i].reason);
	if (header->written == 0)
		claw_die(CLAW_EXIT_USAGE, "init: no test written: every "
			 "kernel was skipped");
	if (strcmp(to, "-") == 0)
		return;
	printf("wrote %s: %zu test%s ", to, (size_t)header->written,
	       header->written == 1 ? "" : "s");
	for (size_t i = 0; i < header->kernel_count; i++) {
		if (is_left_out(header, i))
			continue;
		printf("%s%s", before, claw_init_kernel_name(header->kernels[i]));
		before = ", ";
	}
	quoted = claw_shell_quote(to);
	printf(")\nnext: %s test %s --under asan,oclgrind\n", claw_called(),
	       quoted);
	free(quoted);
}

static int init_run(int argc, char *const *argv);

const struct claw_command claw_cmd_init = {
	.name = "init",
	.summary = "write a test header for a kernel file",
	.usage = "FILE.cl",
	.description =
		"Builds FILE.cl, queries the arguments of its kernels from "
		"the driver, and writes FILE.clw: the source with a header of "
		"one runnable test per kernel:\n\n"
		"  openclaw init saxpy.cl\n"
		"  openclaw test saxpy.clw\n\n"
		"Sizes and values are placeholders; comments in the header "
		"mark what to fill in.",
	.options = init_options,
	.run = init_run,
};

static int init_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_init, argc, argv, false);
	struct claw_init_header header = { 0 };
	struct claw_init_answer answer;
	const json_t **chosen;
	const char *path, *slash, *to;
	char *source, *text, *made = NULL;

	if (argc - first != 1)
		claw_die(CLAW_EXIT_USAGE, "init: expected one kernel file (see "
			 "openclaw init --help)");
	path = argv[first];
	source = read_source(path);
	to = output ? output : (made = default_output(path));
	check_output(path, to);
	answer = ask(path);
	claw_init_answer_check("init", path, &answer);
	chosen = choose(path, &answer, &header.kernel_count);
	slash = strrchr(path, '/');
	header.file = slash ? slash + 1 : path;
	header.build_options = build_options;
	header.source = source;
	header.kernels = chosen;
	text = make_header(&header);
	/* A compiler knows the mark at the start of a file only. */
	slash = strncmp(source, "\xef\xbb\xbf", 3) == 0 ? source + 3 : source;
	if (header.written > 0) {
		check_text(to, text, slash);
		write_file(to, text, slash);
	}
	report(to, &header);
	free(text);
	free(chosen);
	claw_init_header_release(&header);
	claw_init_answer_release(&answer);
	free(source);
	free(made);
	return CLAW_EXIT_CLEAN;
}
