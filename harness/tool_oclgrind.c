/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Oclgrind's simulator as an ICD, with its checks on, and what it wrote into
 * its log. Never its wrapper program: that preloads its own cl* functions and
 * bypasses layers. It exits 0 whatever it found, and repeats one racy line for
 * every work-item.
 */
#include "config.h"

#include "tools.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "runner.h"

#define ICD_FILE "liboclgrind-rt-icd.so"

/* Of the simulated device, unless the user says otherwise: its checks keep
 * some fifty bytes for each byte of a buffer. */
#define MEMORY_VARIABLE "OCLGRIND_GLOBAL_MEM_SIZE"
#define MEMORY_BYTES "16777216"

static char *readable_copy(const char *path)
{
	return access(path, R_OK) == 0 ? strdup(path) : NULL;
}

/* Beside the program "oclgrind": PREFIX/bin/oclgrind means PREFIX/lib. */
static char *find_beside_program(void)
{
	char *program = claw_program_find("oclgrind", &(int){ 0 });
	char resolved[PATH_MAX], path[PATH_MAX + 64];
	char *slash;

	if (!program || !realpath(program, resolved)) {
		free(program);
		return NULL;
	}
	free(program);
	for (int up = 0; up < 2; up++) {
		slash = strrchr(resolved, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
	snprintf(path, sizeof(path), "%s/lib/oclgrind/" ICD_FILE, resolved);
	if (access(path, R_OK) == 0)
		return strdup(path);
	snprintf(path, sizeof(path), "%s/lib/" ICD_FILE, resolved);
	return readable_copy(path);
}

char *claw_oclgrind_icd(void)
{
	static const char *const patterns[] = {
		"/usr/lib/oclgrind/" ICD_FILE,
		"/usr/lib/*/oclgrind/" ICD_FILE,
		"/usr/lib64/oclgrind/" ICD_FILE,
		"/usr/local/lib/oclgrind/" ICD_FILE,
		"/usr/local/lib/" ICD_FILE,
		"/opt/oclgrind/lib/" ICD_FILE,
	};
	const char *named = getenv("OPENCLAW_OCLGRIND_ICD");
	char *path;

	if (named && *named)
		return readable_copy(named);
	path = find_beside_program();
	for (size_t i = 0; !path && i < sizeof(patterns) / sizeof(*patterns);
	     i++) {
		glob_t found;

		if (glob(patterns[i], 0, NULL, &found) != 0)
			continue;
		path = readable_copy(found.gl_pathv[0]);
		globfree(&found);
	}
	return path;
}

/* DIRECTORY/tools/oclgrind/oclgrind.icd that names the library. */
static int write_icd(const char *directory, const char *library,
		     char **ret_directory)
{
	char *place = NULL, *path = NULL;
	FILE *out = NULL;
	int ret = -CLAW_E_NO_MEMORY;

	if (asprintf(&path, "%s/tools", directory) < 0) {
		path = NULL;
		goto out;
	}
	ret = -CLAW_E_IO;
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		goto out;
	if (asprintf(&place, "%s/oclgrind", path) < 0) {
		place = NULL;
		ret = -CLAW_E_NO_MEMORY;
		goto out;
	}
	if (mkdir(place, 0777) < 0 && errno != EEXIST)
		goto out;
	free(path);
	if (asprintf(&path, "%s/oclgrind.icd", place) < 0) {
		path = NULL;
		ret = -CLAW_E_NO_MEMORY;
		goto out;
	}
	out = fopen(path, "we");
	if (!out)
		goto out;
	fprintf(out, "%s\n", library);
	ret = ferror(out) ? -CLAW_E_IO : 0;
	if (fclose(out) != 0)
		ret = -CLAW_E_IO;
	if (ret == 0) {
		*ret_directory = place;
		place = NULL;
	}
out:
	free(place);
	free(path);
	return ret;
}

int claw_oclgrind_prepare(struct claw_under *under,
			  const struct claw_under_config *config)
{
	char *library = claw_oclgrind_icd();
	int ret;

	if (!library) {
		snprintf(under->why, sizeof(under->why),
			 "oclgrind is not here (Debian package oclgrind, or "
			 "OPENCLAW_OCLGRIND_ICD)");
		return 0;
	}
	ret = write_icd(config->directory, library, &under->icd_directory);
	under->has_device = true;	/* its only one */
	under->device = 0;
	free(library);
	return ret;
}

int claw_oclgrind_set_memory(struct claw_under_run *run)
{
	return getenv(MEMORY_VARIABLE) ? 0 :
	       claw_under_add_env(run, MEMORY_VARIABLE, MEMORY_BYTES);
}

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	static const char *const switches[] = {
		"OCLGRIND_CHECK_API", "OCLGRIND_DATA_RACES",
		"OCLGRIND_UNINITIALIZED",
	};
	int ret = 0;

	(void)under;
	(void)config;
	if (asprintf(&run->log, "%s/oclgrind.log", case_directory) < 0) {
		run->log = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	if (asprintf(&run->stderr_path, "%s/stderr", case_directory) < 0) {
		run->stderr_path = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	for (size_t i = 0; ret == 0 && i < sizeof(switches) / sizeof(*switches);
	     i++)
		ret = claw_under_add_env(run, switches[i], "1");
	if (ret == 0)
		ret = claw_oclgrind_set_memory(run);
	if (ret == 0)
		ret = claw_under_add_env(run, "OCLGRIND_MAX_ERRORS", "10000");
	return ret < 0 ? ret : claw_under_add_env(run, "OCLGRIND_LOG",
						  run->log);
}

/*
 * A report is a paragraph:
 *
 *	Invalid write of size 4 at global memory address 0x1000000000020
 *		Kernel: k
 *		Entity: Global(2,0,0) Local(0,0,0) Group(2,0,0)
 *		  store i32 7, ...
 *		At line 4 (column 8) of input.cl:
 *		  o[g+n]=7;
 *
 * A race has two entities, each with its line, in either order: the larger is
 * taken. A report about a call goes to stderr, whatever OCLGRIND_LOG says:
 *
 *	Oclgrind - OpenCL runtime error detected
 *		Function: clCreateBuffer
 *		Error:    CL_INVALID_BUFFER_SIZE
 */
#define API_ERROR "Oclgrind - OpenCL runtime error detected"

struct report {
	char *text;
	size_t size;
	FILE *to_text;
	char kind[256];
	char kernel[256];
	unsigned int line;
	bool is_api;
};

/* The first line without what differs from work-item to work-item. */
static void set_kind(struct report *report, const char *line)
{
	const char *address = strstr(line, " address 0x");
	size_t length = address ? (size_t)(address - line) : strlen(line);

	snprintf(report->kind, sizeof(report->kind), "%.*s", (int)length,
		 line);
	report->is_api = strcmp(line, API_ERROR) == 0;
}

/* The value of "Name: value" if the line is that. */
static const char *value_of(const char *line, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(line, name, length) != 0)
		return NULL;
	line += length;
	return line + strspn(line, " ");
}

static void take_line(struct report *report, const char *line)
{
	const char *text = line + strspn(line, " \t"), *value;

	fprintf(report->to_text, "%s\n", line);
	if (!report->kind[0]) {
		set_kind(report, text);
	} else if ((value = value_of(text, "Kernel:")) ||
		   (value = value_of(text, "Function:"))) {
		snprintf(report->kernel, sizeof(report->kernel), "%s", value);
	} else if (report->is_api && (value = value_of(text, "Error:"))) {
		snprintf(report->kind, sizeof(report->kind), "%s", value);
	} else {
		unsigned int number;

		if (sscanf(text, "At line %u ", &number) == 1 &&
		    number > report->line)
			report->line = number;
	}
}

static int end_report(struct report *report, struct claw_findings *findings)
{
	int ret = 0;

	if (!report->to_text)
		return 0;
	if (fclose(report->to_text) != 0)
		ret = -CLAW_E_NO_MEMORY;
	if (ret == 0 && report->kind[0])
		ret = claw_findings_add(findings, &(struct claw_finding){
			.kind = report->kind, .kernel = report->kernel,
			.file = (char []){ "" }, .line = report->line,
			.text = report->text, .is_api = report->is_api });
	free(report->text);
	memset(report, 0, sizeof(*report));
	return ret;
}

static bool is_at_margin(const char *line)
{
	return line[0] && !isspace((unsigned char)line[0]);
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t\r")] == '\0';
}

int claw_oclgrind_read(const char *log, bool api_errors,
		       struct claw_findings *findings)
{
	struct report report = { 0 };
	FILE *in = fopen(log, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	/* Oclgrind makes its log when it is loaded: none means that it was
	 * not, which the journal says better. */
	if (!in)
		return errno == ENOENT ? 0 : -CLAW_E_DAMAGED;
	while (ret == 0 && (length = getline(&line, &size, in)) > 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		/* Paragraphs of one report are indented; a line at the
		 * margin begins another. */
		if (is_at_margin(line))
			ret = end_report(&report, findings);
		if (ret < 0 || is_blank(line))
			continue;
		if (api_errors && !report.to_text &&
		    strcmp(line, API_ERROR) != 0)
			continue;	/* the program's own words */
		if (!report.to_text)
			report.to_text = open_memstream(&report.text,
							&report.size);
		if (!report.to_text)
			ret = -CLAW_E_NO_MEMORY;
		else
			take_line(&report, line);
	}
	if (ret == 0)
		ret = end_report(&report, findings);
	else
		end_report(&report, &(struct claw_findings){ 0 });
	free(line);
	fclose(in);
	return ret;
}

static int read_log(const struct claw_under_run *run,
		    struct claw_findings *findings)
{
	int ret = claw_oclgrind_read(run->log, false, findings);

	return ret < 0 ? ret : claw_oclgrind_read(run->stderr_path, true,
						  findings);
}

const struct claw_under_row claw_under_oclgrind = {
	.name = "oclgrind",
	.summary = "oclgrind's simulator, with every check on",
	.timeout_factor = 2,
	.prepare = claw_oclgrind_prepare, .start = start, .read = read_log,
};
