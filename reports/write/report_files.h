/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a command that is over. */
#ifndef CLAW_REPORT_FILES_H
#define CLAW_REPORT_FILES_H

#include "reports/report.h"

struct claw_report_row {
	const char *name;	/* "junit" */
	/* "junit.xml" in the output directory, NULL: only on demand; not there
	 * where the report is empty. verbs: see report_formats.def. */
	const char *file, *verbs;
	const struct claw_report_format *format;
};

extern const struct claw_report_row claw_report_rows[];	/* the last has no name */
const struct claw_report_format *claw_report_find(const char *name);

/* Make one report from DIRECTORY/records.jsonl. options: source_root and
 * what is for people; the rest is read. ret_head: may be NULL; what was read,
 * numbers only. 0, -CLAW_E_IO (errno set) or another of
 * claw_records_read()'s. */
int claw_report_write(const char *directory, const struct claw_report_format *format,
		      FILE *out, const struct claw_report_head *options,
		      struct claw_report_head *ret_head);
/* The way from where the file at path is to the directory, for links: "" when
 * they are beside each other. malloced; NULL: one of them is not there. */
char *claw_report_link_base(const char *path, const char *directory);

/* The same into the file at path. */
int claw_report_write_path(const char *directory,
			   const struct claw_report_format *format,
			   const char *path,
			   const struct claw_report_head *options);
/* Every format that has a file for options->verb, into the directory; each is
 * there whole or not at all. */
int claw_report_write_all(const char *directory, const struct claw_report_head *options);

/* The values of the report options: NULL: not given, "": without FILE, in DIR.
 * The rows of a command's option table are in report_options.def. */
struct claw_report_files {
#define REPORT(...)
#define REPORT_FILE(...)
#define REPORT_OPTION(id_, ...) const char *id_;
#include "harness/records/report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT
};

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
