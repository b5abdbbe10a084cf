/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a sweep: its lines are tried, the table is printed, the reports
 * are written.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_sweep.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/errors.h"
#include "reports/write/report_files.h"
#include "harness/base/memory.h"
#include "sweep_again.h"
#include "sweep_text.h"
#include "harness/base/text.h"

/* Each group's line is run before anybody is told to. */
static void try_lines(struct claw_sweeping *s)
{
	struct claw_sweep *sweep = &s->sweep;
	char *directory = claw_path_in(s->runs, "again");

	for (size_t i = 0; i < sweep->group_count; i++) {
		struct claw_sweep_group *group = &sweep->groups[i];

		if (group->known)
			continue;
		group->again = claw_sweep_again_line(sweep, group->first,
						     group->verdict);
		if (sweep->cancelled || sweep->out_of_time)
			continue;
		if (s->given->verbose)
			claw_warn("reproducing finding %zu", i + 1);
		group->checked = claw_sweep_again_check(sweep, group, directory,
							&group->not_again);
	}
	free(directory);
}

/* Then its places are not those of the baseline. */
static bool has_changed(const struct claw_sweeping *s)
{
	const struct stat *then = &s->program_file;
	struct stat now;

	return stat(s->program.path, &now) < 0 ||
		now.st_ino != then->st_ino || now.st_size != then->st_size ||
		now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
}

/* Points that did not come to a verdict make the whole unknown. */
static int status_of(const struct claw_sweeping *s)
{
	const struct claw_sweep *sweep = &s->sweep;

	if (sweep->error || sweep->counts[CLAW_INFRA] > 0)
		return CLAW_EXIT_INFRA;
	if (claw_sweep_known_news(sweep) > 0)
		return (int)s->given->error_exitcode;
	if (sweep->cancelled || sweep->done == 0 || has_changed(s) ||
	    claw_sweep_counted(sweep, CLAW_NOT_REACHED) > 0 ||
	    claw_sweep_counted(sweep, CLAW_NOT_INJECTED) > 0 ||
	    claw_sweep_counted(sweep, CLAW_INCONCLUSIVE) > 0)
		return CLAW_EXIT_UNKNOWN;
	return CLAW_EXIT_CLEAN;
}

static void keep_notes(struct claw_sweeping *s)
{
	const struct claw_sweep *sweep = &s->sweep;
	char *summary = claw_sweep_summary(sweep), *note;

	claw_records_note(s->records, summary);
	free(summary);
	for (size_t i = 0; i < sweep->group_count; i++) {
		const struct claw_sweep_group *group = &sweep->groups[i];

		note = claw_format("%s %zu: %s, %zu point%s%s%s",
				   group->known ? "known" :
				   group->hardening ? "hardening" : "finding",
				   i + 1, group->signature, group->count,
				   group->count == 1 ? "" : "s",
				   group->not_again ? "; did not reproduce: " : "",
				   group->not_again ? group->not_again : "");
		claw_records_note(s->records, note);
		free(note);
	}
}

struct claw_report_head claw_cmd_sweep_head(const struct claw_sweeping *s)
{
	return (struct claw_report_head) {
		.verb = "sweep",
		.source_root = claw_report_source_root(s->given->source_root),
	};
}

static void write_reports(const struct claw_sweeping *s)
{
	const struct claw_sweep_given *given = s->given;
	struct claw_report_head head = claw_cmd_sweep_head(s);

	claw_report_files_write(s->directory, s->shown_directory,
				&given->files, &head);
}

static void say_resume(const struct claw_sweeping *s)
{
	char *quoted = claw_shell_quote(s->shown_directory);

	claw_warn("%s; resume: %s sweep --resume %s", s->sweep.cancelled ?
		  "interrupted" : "the budget is used up", claw_called(),
		  quoted);
	free(quoted);
}

int claw_cmd_sweep_finish(struct claw_sweeping *s)
{
	const struct claw_sweep *sweep = &s->sweep;
	int status;

	claw_sweep_known_mark_all(&s->known, &s->sweep);
	try_lines(s);
	status = status_of(s);
	claw_sweep_print_all(stdout, sweep, s->given->verbose,
			     claw_color_enabled(STDOUT_FILENO));
	if (fflush(stdout) != 0)
		claw_die(CLAW_EXIT_INFRA, "stdout: %s", strerror(errno));
	if (sweep->cancelled || sweep->out_of_time)
		say_resume(s);
	else if (sweep->points.count == 0)
		claw_warn("no points: no selected call can have a selected "
			  "fault");
	if (has_changed(s))
		claw_warn("%s changed during the sweep; repeat the sweep",
			  s->argv[0]);
	if (sweep->error || sweep->counts[CLAW_INFRA] > 0)
		claw_warn("infra: %s", sweep->why ? sweep->why :
			  claw_error_text(sweep->error));
	keep_notes(s);
	claw_cmd_sweep_say_gone(s);
	if (claw_records_end(s->records, status, sweep->cancelled) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records: %s",
			 strerror(errno));
	claw_records_free(s->records);
	write_reports(s);
	claw_cmd_sweep_save(s);
	return status;
}
