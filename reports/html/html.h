/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page for people (report.html): what is gathered of a run, and the parts
 * of the page, each of which prints itself or nothing.
 */
#ifndef CLAW_HTML_H
#define CLAW_HTML_H

#include <jansson.h>

#include "reports/cases.h"
#include "html_findings.h"
#include "html_scale.h"
#include "html_soak.h"
#include "html_text.h"
#include "reports/report.h"
#include "reports/swept.h"

struct claw_html {
	const struct claw_report_head *head;
	struct claw_html_findings findings;
	struct claw_report_cases cases;		/* of test */
	struct claw_report_swept swept;		/* points of a sweep */
	json_t *faults;		/* of a sweep: function and fault to counts */
	struct claw_html_soak soak;
	uint64_t results;
};

/* reports/html/: made into arrays by make. */
extern const char claw_html_css[], claw_html_js[];
extern const size_t claw_html_css_size, claw_html_js_size;

/* html_page.c: the whole page. */
void claw_html_page(FILE *out, struct claw_html *html);

/* All before <body>. subject: what was tested; conclusion: markup. */
void claw_html_put_head(FILE *out, const char *verb, const char *subject,
			const char *conclusion);

/* <nav> to the sections of the page's markup, by their headings. */
void claw_html_put_nav(FILE *out, const char *page);

/* html_verdict.c: what the run comes to, in words; never "passed" where
 * something is not known. ret_class: as claw_verdict_class(). */
void claw_html_conclude(const struct claw_html *html, char *text, size_t size,
			char *ret_class);
/* A verdict, with a class for its colour. */
void claw_html_verdict(FILE *out, enum claw_verdict verdict);
/* The banner, and how many results there are of each verdict. */
void claw_html_put_verdict(FILE *out, const struct claw_html *html);

/* html_about.c: command, environment, rules, notes, files, what changed. */
void claw_html_put_about(FILE *out, const struct claw_html *html);
void claw_html_put_changes(FILE *out, const struct claw_report_head *head);
/* An address of something in the run's directory, if it is there. */
bool claw_html_has(const struct claw_report_head *head, const char *path);

/* html_tests.c: cases and tools. */
void claw_html_tests_add(struct claw_html *html,
			 const struct claw_result *result);
void claw_html_put_tests(FILE *out, const struct claw_html *html);

/* html_sweep.c: findings by site, functions and faults, errors, error paths. */
void claw_html_sweep_add(struct claw_html *html,
			 const struct claw_result *result);
void claw_html_put_sweep(FILE *out, struct claw_html *html);

/* html_coverage.c: of DIR/coverage.info, where the run has it. */
void claw_html_put_coverage(FILE *out, const struct claw_report_head *head);

/* html_profile.c: of DIR/profile.json, where the run is a profile. */
void claw_html_put_profile(FILE *out, const struct claw_report_head *head);

/* html_source.c: lines of source around one, which is marked, and a caret at
 * the column (0: none). false: the file is not there, and nothing was put. */
bool claw_html_excerpt(FILE *out, const struct claw_report_head *head,
		       const struct claw_result *result, const char *file,
		       unsigned int line, unsigned int column);

/* html_place.c: "tile.c:88", as a link where there is an address for it, and
 * nothing without a file. line, column: 0: not known; the column is only for an
 * editor. */
void claw_html_place(FILE *out, const struct claw_report_head *head,
		     const char *file, unsigned int line, unsigned int column);
/* The one commit that was tested: its digits, *ret_length of them. NULL: not
 * known, or several. */
const char *claw_html_commit(const struct claw_report_head *head,
			     size_t *ret_length);
/* The finding in words, its place as such a link. */
void claw_html_sentence(FILE *out, const struct claw_report_head *head,
			const struct claw_result *result,
			const struct claw_finding *finding);

/* A line to paste (html_source.c), with a button; whole, or why it is not there. */
void claw_html_paste(FILE *out, const char *line);

#endif
