/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a command that is over. */
#ifndef CLAW_REPORT_FILES_H
#define CLAW_REPORT_FILES_H

#include "reports/report.h"

/* What the options say: NULL: not given, "": without a FILE, in DIR. */
struct claw_report_files {
	const char *junit, *html, *json, *sarif;
};

/* Rows of a command's table of options. */
#define CLAW_REPORT_FILES_OPTIONS(files_)				\
	{ "junit", 0, OPT_OPTIONAL, "FILE",				\
	  "write the JUnit report to FILE, too [default: only "		\
	  "DIR/junit.xml]", &(files_)->junit },				\
	{ "html", 0, OPT_OPTIONAL, "FILE",				\
	  "write the page for a browser to FILE, too [default: only "	\
	  "DIR/report.html]", &(files_)->html },			\
	{ "json", 0, OPT_OPTIONAL, "FILE",				\
	  "write a report in JSON to FILE [default: DIR/report.json]",	\
	  &(files_)->json },						\
	{ "sarif", 0, OPT_OPTIONAL, "FILE",				\
	  "write a SARIF report to FILE [default: DIR/report.sarif]",	\
	  &(files_)->sarif }

/*
 * Those that were asked for, where they were asked for, of a run whose own
 * reports are in the directory. ret_path: of the first that could not be
 * written, NULL when it was to be in the directory. 0 or one of
 * claw_report_write()'s.
 */
int claw_report_files_add(const char *directory,
			  const struct claw_report_files *files,
			  const struct claw_report_head *options,
			  const char **ret_path);
/* The name of an option that was given, or NULL. */
const char *claw_report_files_given(const struct claw_report_files *files);

/*
 * All reports that options->verb has by itself, into the directory; and those
 * that were asked for. Dies when one cannot be written. shown: the directory, for
 * a person.
 */
void claw_report_files_write(const char *directory, const char *shown,
			     const struct claw_report_files *files,
			     const struct claw_report_head *options);

/* --source-root, or the working directory; good until the next call. */
const char *claw_report_source_root(const char *given);

#endif
