/* SPDX-License-Identifier: Apache-2.0 */
/* Start a run under a tool, and read what the tool wrote of it. */
#include "config.h"

#include "judged_tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "harness/base/errors.h"
#include "judged_words.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/session/icd_names.h"
#include "harness/tools/needs.h"

int claw_judged_tool_init(const struct claw_under_row *row,
			  const char *directory, bool own_baseline,
			  struct claw_judged_tool *ret_tool)
{
	struct claw_under *under = &ret_tool->under;
	int ret;

	*ret_tool = (struct claw_judged_tool) {
		.directory = realpath(directory, NULL),
		.config = { .icd = claw_icd_used, .own_baseline = own_baseline },
	};
	if (!ret_tool->directory)
		return -CLAW_E_IO;
	ret_tool->config.directory = ret_tool->directory;
	ret = claw_under_begin(under, row, &ret_tool->config);
	if (ret == 0 && !under->why[0])
		claw_needs_check_device(under, under->why, sizeof(under->why));
	return ret;
}

void claw_judged_tool_release(struct claw_judged_tool *tool)
{
	claw_under_release(&tool->under);
	free(tool->directory);
	tool->directory = NULL;
}

/* Empty, whatever an earlier run has left. */
static int make_folder(const struct claw_session *session, char **ret_folder)
{
	*ret_folder = claw_path_in(session->directory, "tool");
	claw_directory_remove(*ret_folder);
	return mkdir(*ret_folder, 0777) < 0 ? -CLAW_E_IO : 0;
}

int claw_judged_tool_start(const struct claw_judged_tool *tool,
			   struct claw_session *session, char *const *argv,
			   const char *err, struct claw_under_run *ret_run)
{
	struct claw_under_run run = { .argv = NULL };
	char *folder;
	int ret = make_folder(session, &folder);

	if (ret == 0)
		ret = claw_under_start(&tool->under, &tool->config, folder,
				       argv, &run);
	free(folder);
	for (char **entry = run.environment; ret == 0 && entry && *entry;
	     entry++)
		ret = claw_judged_set(session, *entry);
	if (ret == 0)
		claw_under_set_session(&run, session->directory, NULL);
	if (ret == 0 && run.stderr_path && err) {
		free(run.stderr_path);
		run.stderr_path = claw_strdup(err);
	}
	if (ret < 0)
		claw_under_run_release(&run);
	else
		*ret_run = run;
	return ret;
}

void claw_judged_tool_read(const struct claw_judged_tool *tool,
			   struct claw_under_run *run,
			   const struct claw_under_run *baseline,
			   struct claw_findings *findings, char **ret_gap)
{
	const struct claw_under_row *row = tool->under.row;

	*ret_gap = NULL;
	if (baseline && baseline->log && !run->baseline)
		run->baseline = claw_strdup(baseline->log);
	if (row->read(run, findings) < 0)
		*ret_gap = claw_format("%s left no readable log",
				       row->name);
}
