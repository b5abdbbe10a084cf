/* SPDX-License-Identifier: Apache-2.0 */
/* The words of --under where a program of the user's runs under tools. */
#ifndef CLAW_TOOL_WORDS_H
#define CLAW_TOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/options.h"
#include "tools.h"

enum { CLAW_TOOL_WORDS_MAX = 8 };

struct claw_tool_words {
	/* Everything runs under it, or NULL: natively. */
	const struct claw_under_row *each;
	/* What is handled runs again under these. */
	const struct claw_under_row *handled[CLAW_TOOL_WORDS_MAX];
	size_t handled_count;
};

/*
 * TOOL of inject, "TOOL[:handled|:each]" of a sweep (may_wait). A tool is named
 * once, and :each once; without it a sweep's tools wait for what is handled,
 * and inject's is for everything. What cannot report anything is refused.
 *
 * error: one line.
 *
 * Returns 0 or -CLAW_E_SYNTAX.
 */
int claw_tool_words_parse(const struct claw_strings *given, bool may_wait,
			  struct claw_tool_words *ret_words, char *error,
			  size_t error_size);

/* Do all of them run on the driver of --icd, if there is one? 0, or -CLAW_E_USAGE
 * and one line in error. */
int claw_tool_words_check_icd(const struct claw_tool_words *words,
			      char *error, size_t error_size);

/* The first of them that has no guard zones, or NULL. */
const struct claw_under_row *
claw_tool_words_without_guards(const struct claw_tool_words *words);

#endif
