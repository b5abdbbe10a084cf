/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --accept, --save-accept and --save-plan: what was known before a sweep, and
 * what is kept of it for the next one.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_sweep.h"
#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "sweep_plan.h"
#include "harness/base/text_list.h"

/* ---- before ----------------------------------------------------------- */

static void read_known(struct claw_sweeping *s)
{
	char error[1024];
	int ret;

	if (!s->given->accept)
		return;
	ret = claw_sweep_known_read(s->given->accept, &s->known, error,
				    sizeof(error));
	if (ret == -CLAW_E_SYNTAX)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "--accept: %s", error);
}

/* A sweep may take hours: what cannot be written is said before it. */
static void check_accept_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? claw_strndup(path, (size_t)(slash - path) + 1) :
		claw_strdup(".");
	struct stat about;

	if (access(folder, W_OK | X_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--save-accept: %s: %s", folder,
			 strerror(errno));
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
		claw_die(CLAW_EXIT_USAGE, "--save-accept: expected a file, "
			 "found something else at %s", path);
	free(folder);
}

static void make_plan_folder(const char *path)
{
	struct stat about;

	if (claw_make_directory(path) < 0)
		claw_die(CLAW_EXIT_USAGE, "--save-plan: %s: %s", path,
			 strerror(errno));
	if (stat(path, &about) < 0 || !S_ISDIR(about.st_mode))
		claw_die(CLAW_EXIT_USAGE, "--save-plan: expected a directory, "
			 "found something else at %s", path);
	if (access(path, W_OK | X_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--save-plan: %s: %s", path,
			 strerror(errno));
}

void claw_cmd_sweep_known_begin(struct claw_sweeping *s)
{
	const struct claw_sweep_given *given = s->given;

	if (given->dry_run && (given->save_accept || given->save_plan))
		claw_die(CLAW_EXIT_USAGE, "--dry-run has no findings to save; "
			 "remove %s", given->save_accept ?
			 "--save-accept" : "--save-plan");
	read_known(s);
	if (given->save_accept)
		check_accept_file(given->save_accept);
	if (given->save_plan)
		make_plan_folder(given->save_plan);
}

/* ---- after ------------------------------------------------------------ */

/* Was every point run, and is known what it does? */
static bool is_whole(const struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->points.count; i++)
		if (sweep->outcomes[i].why)
			return false;
	return !sweep->error && !sweep->cancelled && !sweep->out_of_time &&
		sweep->elsewhere == 0 && sweep->done == sweep->points.count;
}

void claw_cmd_sweep_say_gone(struct claw_sweeping *s)
{
	if (!is_whole(&s->sweep))
		return;
	for (size_t i = 0; i < s->known.count; i++) {
		const struct claw_sweep_known_finding *one =
			&s->known.items[i];
		char *note;

		if (claw_sweep_known_is_there(one, &s->sweep))
			continue;
		note = claw_format("gone: %s (%s): not found by any point of "
				   "this sweep", one->finding, one->origin);
		claw_warn("%s", note);
		claw_records_note(s->records, note);
		free(note);
	}
}

static void save_accept(const struct claw_sweeping *s, bool whole)
{
	const char *path = s->given->save_accept;

	if (claw_sweep_known_write(path, &s->known, &s->sweep, !whole) < 0)
		claw_die(CLAW_EXIT_INFRA, "--save-accept: %s: %s", path,
			 strerror(errno));
}

static void save_plan(const struct claw_sweeping *s, size_t group,
		      char ***names)
{
	const struct claw_sweep *sweep = &s->sweep;
	struct claw_sweep_plan plan;

	claw_sweep_plan_make(sweep, &sweep->groups[group], s->runs, &plan);
	if (!plan.rules)
		claw_warn("no plan of \"%s\": %s",
			  sweep->groups[group].signature, plan.why);
	else if (claw_sweep_plan_write(sweep, &sweep->groups[group], &plan,
				       s->given->save_plan, names) < 0)
		claw_die(CLAW_EXIT_INFRA, "--save-plan: %s: %s",
			 s->given->save_plan, strerror(errno));
	claw_sweep_plan_release(&plan);
}

static void save_plans(const struct claw_sweeping *s)
{
	const struct claw_sweep *sweep = &s->sweep;
	char **names = NULL;

	if (sweep->cancelled || sweep->out_of_time || sweep->error) {
		claw_warn("no plan was saved: the sweep was interrupted");
		return;
	}
	for (size_t i = 0; i < sweep->group_count; i++) {
		if (s->given->verbose)
			claw_warn("writing the plan of finding %zu", i + 1);
		save_plan(s, i, &names);
	}
	claw_list_free(names);
}

void claw_cmd_sweep_save(const struct claw_sweeping *s)
{
	if (s->given->save_accept)
		save_accept(s, is_whole(&s->sweep));
	if (s->given->save_plan)
		save_plans(s);
}
