/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools of "openclaw sweep --under": one under which everything runs, and
 * those under which what was handled runs again.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd_sweep.h"
#include "harness/base/errors.h"

/* Why it cannot be had here, or NULL. */
static const char *begin_tool(struct claw_sweeping *s,
			      const struct claw_under_row *row,
			      struct claw_judged_tool *tool)
{
	static char why[512];
	int ret = claw_judged_tool_init(row, s->runs, true,
					tool);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", s->runs, ret ==
			 -CLAW_E_IO ? strerror(errno) : claw_error_text(ret));
	if (!tool->under.why[0])
		return NULL;
	snprintf(why, sizeof(why), "--under %s: %s", row->name,
		 tool->under.why);
	return why;
}

const char *claw_cmd_sweep_tools_begin(struct claw_sweeping *s)
{
	const struct claw_tool_words *words = &s->words;
	const char *why = words->each ? begin_tool(s, words->each, &s->each) :
		NULL;

	for (size_t i = 0; !why && i < words->handled_count; i++)
		why = begin_tool(s, words->handled[i], &s->again[i]);
	if (words->each)
		s->judge.tool = &s->each;
	/* Points are the same with any of them. */
	if (!s->given->dry_run) {
		s->how.again = s->again;
		s->how.again_count = words->handled_count;
	}
	return why;
}

void claw_cmd_sweep_tools_release(struct claw_sweeping *s)
{
	claw_judged_tool_release(&s->each);
	for (size_t i = 0; i < CLAW_TOOL_WORDS_MAX; i++)
		claw_judged_tool_release(&s->again[i]);
}
