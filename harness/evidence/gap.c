/* SPDX-License-Identifier: Apache-2.0 */
/* Keep the first reason, and the reasons that several have. */
#include "config.h"

#include "gap.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"

void claw_gap_add(char **gap, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!*gap)
		*gap = claw_vformat(format, args);
	va_end(args);
}

void claw_gap_add_unread(char **gap, const char *path, int error)
{
	claw_gap_add(gap, "%s: %s", path, claw_error_text(error));
}

void claw_gap_check_sibling(char **gap, const char *path, const char *word,
			    char *const *siblings, size_t count,
			    const char *before, const char *after)
{
	char *wanted = claw_session_sibling(path, word);
	struct claw_journal *journal = NULL;
	bool is_there = false;
	int ret;

	for (size_t i = 0; i < count && !is_there; i++)
		is_there = strcmp(siblings[i], wanted) == 0;
	free(wanted);
	if (is_there)
		return;
	ret = claw_journal_read(path, &journal);
	if (ret < 0)
		claw_gap_add_unread(gap, path, ret);
	else if (claw_journal_get_total_calls(journal) > 0)
		claw_gap_add(gap, "%sprocess %u%s", before,
			     claw_journal_get_header(journal)->pid, after);
	claw_journal_free(journal);
}
