/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plots of a run, each as an SVG file that needs nothing else: for papers.
 */
#ifndef CLAW_HTML_SVG_H
#define CLAW_HTML_SVG_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Of DIRECTORY/records.jsonl into the folder at path, which is made when it is
 * not there: verdicts.svg, of a soak events.svg and one a chart. Their paths,
 * a line each, go to list.
 *
 * Returns 0, -CLAW_E_IO (errno set; ret_is_output: it is of what is written) or
 * another of claw_records_read()'s.
 */
int claw_html_svg(const char *directory, const char *path, FILE *list,
		  bool *ret_is_output);

#endif
