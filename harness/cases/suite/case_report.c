/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read the file that a case's program wrote, line by line. Words that are not
 * known are passed over, a line that was not finished is not read.
 */
#include "config.h"

#include "case_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text_clean.h"

enum { FIELDS_MAX = 10 };

/* Undo result_line()'s escapes in place. */
static void unescape(char *text)
{
	char *out = text;

	for (char *in = text; *in; in++) {
		if (*in == '\\' && in[1]) {
			in++;
			*out++ = *in == 'n' ? '\n' : *in == 't' ? '\t' : *in;
		} else {
			*out++ = *in;
		}
	}
	*out = '\0';
}

/* Split a line at its tabs. Fields that are not there are "". */
static void split(char *line, char *fields[FIELDS_MAX])
{
	char *rest = line, *field;
	char *end = line + strlen(line);
	size_t count = 0;

	while (count < FIELDS_MAX && (field = strsep(&rest, "\t"))) {
		unescape(field);
		fields[count++] = field;
	}
	while (count < FIELDS_MAX)
		fields[count++] = end;
}

static char *clean(const char *text)
{
	return claw_text_clean(text, strlen(text));
}

static void add_fact(struct claw_case_fact **facts, size_t *count,
		     char *const fields[FIELDS_MAX])
{
	*facts = claw_one_more(*facts, *count, sizeof(**facts));
	(*facts)[(*count)++] = (struct claw_case_fact) {
		.key = clean(fields[1]), .value = clean(fields[2]),
	};
}

static void add_test(struct claw_case_report *report,
		     char *const fields[FIELDS_MAX])
{
	report->tests = claw_one_more(report->tests, report->test_count,
				      sizeof(*report->tests));
	report->tests[report->test_count++] = (struct claw_case_test) {
		.name = clean(fields[1]), .word = clean(fields[2]),
		.duration_us = strtoull(fields[3], NULL, 10),
		.place = clean(fields[4]), .message = clean(fields[5]),
		.deviation = clean(fields[6]),
	};
}

/* A kind that nobody knows is another report about a kernel, never nothing. */
static void add_finding(struct claw_case_report *report,
			char *const fields[FIELDS_MAX])
{
	int kind = claw_finding_kind_find(fields[1]);
	int space = claw_space_find(fields[2]);
	struct claw_finding finding = {
		.kind = kind < 0 ? CLAW_FINDING_KERNEL_OTHER :
			(enum claw_finding_kind)kind,
		.space = space < 0 ? CLAW_SPACE_UNKNOWN :
			(enum claw_address_space)space,
		.kernel = clean(fields[3]), .file = clean(fields[4]),
		.line = (unsigned int)strtoul(fields[5], NULL, 10),
		.column = (unsigned int)strtoul(fields[6], NULL, 10),
		.size_bytes = strtoull(fields[7], NULL, 10),
		.what = clean(fields[8]), .text = clean(fields[8]),
		.times = 1,
	};

	finding.what[strcspn(finding.what, "\n")] = '\0';
	claw_findings_add(&report->findings, &finding);
	free(finding.kernel);
	free(finding.file);
	free(finding.what);
	free(finding.text);
}

static void set_once(char **ret_text, const char *text)
{
	if (!*ret_text)
		*ret_text = clean(text);
}

static void take_line(struct claw_case_report *report,
		      char *const fields[FIELDS_MAX])
{
	const char *word = fields[0];

	if (strcmp(word, "case") == 0) {
		set_once(&report->suite, fields[1]);
		set_once(&report->name, fields[2]);
	} else if (strcmp(word, "fact") == 0) {
		add_fact(&report->facts, &report->fact_count, fields);
	} else if (strcmp(word, "metric") == 0) {
		add_fact(&report->metrics, &report->metric_count, fields);
	} else if (strcmp(word, "skip") == 0) {
		set_once(&report->skip, fields[1]);
	} else if (strcmp(word, "test") == 0) {
		add_test(report, fields);
	} else if (strcmp(word, "finding") == 0) {
		add_finding(report, fields);
	} else if (strcmp(word, "code") == 0) {
		set_once(&report->code, fields[1]);
		set_once(&report->code_text, fields[2]);
	} else if (strcmp(word, "end") == 0) {
		report->ended = report->name &&
				strcmp(fields[1], report->name) == 0 &&
				strtoul(fields[2], NULL, 10) ==
				report->test_count;
	}
}

void claw_case_report_read(const char *path,
			   struct claw_case_report *ret_report)
{
	FILE *in = claw_outside_fopen(path);
	char *line = NULL, *fields[FIELDS_MAX];
	size_t size = 0;
	ssize_t length;

	memset(ret_report, 0, sizeof(*ret_report));
	while (in && (length = claw_getline(&line, &size, in)) > 0) {
		if (line[length - 1] != '\n')
			break;
		line[length - 1] = '\0';
		split(line, fields);
		take_line(ret_report, fields);
	}
	free(line);
	if (in)
		fclose(in);
}

static void free_facts(struct claw_case_fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(facts[i].key);
		free(facts[i].value);
	}
	free(facts);
}

void claw_case_report_release(struct claw_case_report *report)
{
	free_facts(report->facts, report->fact_count);
	free_facts(report->metrics, report->metric_count);
	for (size_t i = 0; i < report->test_count; i++) {
		struct claw_case_test *test = &report->tests[i];

		free(test->name);
		free(test->word);
		free(test->place);
		free(test->message);
		free(test->deviation);
	}
	free(report->tests);
	claw_findings_release(&report->findings);
	free(report->suite);
	free(report->name);
	free(report->skip);
	free(report->code);
	free(report->code_text);
	memset(report, 0, sizeof(*report));
}
