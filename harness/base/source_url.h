/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the source is on the web: a template such as
 *
 *	https://github.com/OWNER/NAME/blob/{commit}/{file}#L{line}
 *
 * {file} is relative to the top of the git repository.
 */
#ifndef CLAW_SOURCE_URL_H
#define CLAW_SOURCE_URL_H

#include <stdbool.h>

/* What a template must be, after "expected". */
#define CLAW_SOURCE_URL_EXPECTED					\
	"an http or https URL with {file}, and no placeholder but "	\
	"{commit}, {file} and {line}"

/* --source-url, else that of openclaw.yaml; NULL: neither. The options'
 * parser and the reader of openclaw.yaml have checked it. */
extern const char *claw_source_url;

/* Printable ASCII that may stand in quotes, with {file} in it. */
bool claw_source_url_is_valid(const char *text);

/* The length of the placeholder that text begins with, or 0. */
unsigned int claw_source_url_placeholder(const char *text);

#endif
