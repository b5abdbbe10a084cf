/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search over commits: git bisect chooses them, in a work tree of its own.
 * The user's checkout, index and refs, and a git bisect that is under way there,
 * stay as they are: refs/bisect/ and BISECT_LOG are those of the work tree, and
 * go with it. It is not in the checkout: what looks for files upward
 * (openclaw.yaml, npm, cargo) would find those of the checkout where the commit
 * has none.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bisect.h"
#include "bisect_git.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/new_file.h"
#include "harness/session/session.h"

/* What our directories for temporary files are called. */
#define MARK "/openclaw-bisect-"

struct commits {
	char *home;		/* our directory for temporary files */
	char *tree;		/* our work tree in it */
	char *prefix;		/* of the working directory in it, "" or "sub/" */
	bool is_checked_out;	/* git bisect has the commit there */
};

/* ---- names --------------------------------------------------------------- */

static int find_commit(const char *option, const char *name, char **ret_full,
		       char *error, size_t size)
{
	char *word = claw_format("%s^{commit}", name);
	struct claw_bisect_git git = claw_bisect_git(NULL, "rev-parse",
		"--verify", "--quiet", "--end-of-options", word, NULL);
	int status = git.status == 0 ? 0 : CLAW_EXIT_USAGE;

	if (status == 0)
		*ret_full = claw_strdup(git.out);
	else
		snprintf(error, size, "%s %s: no such commit", option, name);
	claw_bisect_git_release(&git);
	free(word);
	return status;
}

static int find_repository(char *error, size_t size)
{
	struct claw_bisect_git git = claw_bisect_git(NULL, "rev-parse",
		"--show-toplevel", NULL);
	int status = 0;

	if (git.status != 0) {
		status = git.status < 0 ? CLAW_EXIT_SKIPPED : CLAW_EXIT_USAGE;
		snprintf(error, size, "%s", git.error);
	}
	claw_bisect_git_release(&git);
	return status;
}

static bool is_before(const char *one, const char *other)
{
	struct claw_bisect_git git = claw_bisect_git(NULL, "merge-base",
		"--is-ancestor", one, other, NULL);
	bool is = git.status == 0;

	claw_bisect_git_release(&git);
	return is;
}

int claw_bisect_commits_find(const struct claw_bisect_commits *given,
			     char **ret_good, char **ret_bad, char *error,
			     size_t size)
{
	int status = find_repository(error, size);

	if (status == 0)
		status = find_commit("--good", given->good, ret_good, error, size);
	if (status == 0)
		status = find_commit("--bad", given->bad, ret_bad, error, size);
	if (status)
		return status;
	if (strcmp(*ret_good, *ret_bad) == 0) {
		snprintf(error, size, "--good %s and --bad %s are the same "
			 "commit", given->good, given->bad);
		return CLAW_EXIT_USAGE;
	}
	if (is_before(*ret_bad, *ret_good)) {
		snprintf(error, size, "--bad %s is older than --good %s: swap "
			 "them", given->bad, given->good);
		return CLAW_EXIT_USAGE;
	}
	return 0;
}

static char *describe(struct claw_bisect *all, const char *name)
{
	struct claw_bisect_git git = claw_bisect_git(NULL, "log", "-1",
		"--no-show-signature", "--format=%s (%an, %as)", name, NULL);
	char *text = claw_strdup(git.status == 0 ? git.out : "");

	(void)all;
	claw_bisect_git_release(&git);
	return text;
}

/* ---- the work tree ------------------------------------------------------- */

/* git is released. 0, or an exit status with git's reason printed; -1:
 * interrupted. */
static int ended(struct claw_bisect *all, struct claw_bisect_git git)
{
	int status = 0;

	all->signal = git.signal ? git.signal : all->signal;
	if (all->signal)
		status = -1;
	else if (git.status != 0)
		status = CLAW_EXIT_INFRA;
	if (status > 0)
		claw_warn("git: %s", *git.error ? git.error : git.out);
	claw_bisect_git_release(&git);
	return status;
}

/* Of a search that was killed. */
static void remove_old_tree(struct claw_bisect *all)
{
	struct claw_bisect_git git;

	if (!all->old_tree || !strstr(all->old_tree, MARK))
		return;
	git = claw_bisect_git(NULL, "worktree", "remove", "--force",
			      all->old_tree, NULL);
	claw_bisect_git_release(&git);
	*strrchr(all->old_tree, '/') = '\0';
	rmdir(all->old_tree);
}

/* 0, an exit status, or -1: interrupted. */
static int add_tree(struct claw_bisect *all, const char *commit)
{
	struct commits *commits = all->user;

	remove_old_tree(all);
	commits->home = claw_format("%s" MARK "XXXXXX",
				    claw_session_temporary_base());
	if (!mkdtemp(commits->home)) {
		claw_warn("%s (TMPDIR): %s", commits->home, strerror(errno));
		return CLAW_EXIT_INFRA;
	}
	commits->tree = claw_path_in(commits->home, "tree");
	claw_bisect_log_text(all, "worktree", commits->tree);
	return ended(all, claw_bisect_git(NULL, "worktree", "add", "--quiet",
					  "--detach", commits->tree, commit,
					  NULL));
}

/* Whatever interrupted us does not end what follows. */
static void take_signal(struct claw_bisect *all)
{
	int number = claw_interrupt_take();

	all->signal = number ? number : all->signal;
}

static void remove_tree(struct claw_bisect *all)
{
	const struct commits *commits = all->user;
	struct claw_bisect_git git;
	int interrupted = commits->tree != NULL;

	while (interrupted) {
		take_signal(all);
		git = claw_bisect_git(NULL, "worktree", "remove", "--force",
				      commits->tree, NULL);
		interrupted = git.signal;
		if (git.status != 0 && !interrupted &&
		    access(commits->tree, F_OK) == 0)
			claw_warn("cannot remove the work tree %s: %s; remove it "
				  "with git worktree remove --force",
				  commits->tree, git.error);
		claw_bisect_git_release(&git);
	}
	rmdir(commits->home);
}

/* What the build changed may be in the way of the next commit. Ignored files
 * stay: a build continues from them. */
static int tidy(struct claw_bisect *all)
{
	const struct commits *commits = all->user;
	int status = ended(all, claw_bisect_git(commits->tree, "reset", "--quiet",
						"--hard", NULL));

	return status ? status : ended(all, claw_bisect_git(commits->tree,
		"clean", "--quiet", "--force", "-d", NULL));
}

static json_t *judge(struct claw_bisect *all, const char *name,
		     const char *outputs)
{
	const struct commits *commits = all->user;
	char *directory = claw_path_in(commits->tree, commits->prefix);
	const struct claw_bisect_place place = {
		.directory = directory, .outputs = outputs,
		.set_env = claw_bisect_git_env,
	};
	json_t *object = NULL;
	int status = 0;

	if (!commits->is_checked_out)
		status = ended(all, claw_bisect_git(commits->tree, "checkout",
			"--quiet", "--detach", name, NULL));
	if (status > 0)
		object = claw_bisect_skip(CLAW_EXIT_INFRA, "git cannot check it "
					  "out");
	else if (status == 0 && access(directory, F_OK) < 0)
		object = claw_bisect_skip(0, "%s: no such directory in this "
					  "commit", commits->prefix);
	else if (status == 0)
		object = claw_bisect_judge(&all->question, &place, &all->signal);
	if (object && tidy(all) < 0) {
		json_decref(object);
		object = NULL;
	}
	free(directory);
	return object;
}

/* ---- git bisect ---------------------------------------------------------- */

/* Where git has written its log, so that git bisect replay can have it. */
static void keep_log(struct claw_bisect *all)
{
	const struct commits *commits = all->user;
	struct claw_bisect_git git = claw_bisect_git(commits->tree, "bisect",
						     "log", NULL);
	char *path = claw_path_in(all->directory, "git-bisect.log");
	struct claw_new_file file;

	if (git.status == 0 && claw_new_file_begin(&file, path)) {
		fprintf(file.out, "%s\n", git.out);
		claw_new_file_end(&file, true);
	}
	claw_bisect_git_release(&git);
	free(path);
}

/* The commit in "# LABEL: [COMMIT] subject", malloced, or NULL; *at moves
 * behind it. */
static char *next_in_log(const char **at, const char *label)
{
	char *mark = claw_format("# %s: [", label);
	const char *found = strstr(*at, mark);
	char *commit = NULL;

	if (found) {
		found += strlen(mark);
		commit = claw_strndup(found, strcspn(found, "]\n"));
		*at = found;
	}
	free(mark);
	return commit;
}

static int say_candidates(struct claw_bisect *all, const char *log)
{
	static const char label[] = "possible first bad commit";
	const char *at = log;
	size_t count = 0;
	char *commit;

	for (; (commit = next_in_log(&at, label)); count++)
		free(commit);
	printf("the first bad commit is one of %zu:\n", count);
	at = log;
	while ((commit = next_in_log(&at, label))) {
		claw_bisect_say_candidate(all, commit);
		free(commit);
	}
	return CLAW_EXIT_UNKNOWN;
}

/* Has git found it, or nothing left but what was skipped? Then an exit status,
 * else -1. */
static int look_at_log(struct claw_bisect *all, const char *bad)
{
	const struct commits *commits = all->user;
	struct claw_bisect_git git = claw_bisect_git(commits->tree, "bisect",
						     "log", NULL);
	const char *at = git.out;
	char *first = next_in_log(&at, "first bad commit");
	int status = -1;

	if (first) {
		claw_bisect_say_first(all, first, bad);
		status = CLAW_EXIT_CLEAN;
	} else if (strstr(git.out, "# only skipped commits left to test")) {
		status = say_candidates(all, git.out);
	}
	free(first);
	claw_bisect_git_release(&git);
	return status;
}

/* git bisect WORD; it ends with 2 where only skipped commits are left. */
static int answer(struct claw_bisect *all, const char *word,
		  const char *commit)
{
	const struct commits *commits = all->user;
	/* By its name: a build may have checked out another one. */
	struct claw_bisect_git git = claw_bisect_git(commits->tree, "bisect",
						     word, commit, NULL);

	if (git.status == 2)
		git.status = 0;
	/* "The merge base ... is bad": it is on stdout or stderr. */
	return ended(all, git) ? CLAW_EXIT_UNKNOWN : 0;
}

/* The commit that git has checked out is judged; 0, or an exit status. */
static int step(struct claw_bisect *all)
{
	const struct commits *commits = all->user;
	struct claw_bisect_git git = claw_bisect_git(commits->tree, "rev-parse",
						     "HEAD", NULL);
	const json_t *object = git.status == 0 ? claw_bisect_ask(all, git.out) :
		NULL;

	claw_bisect_git_release(&git);
	return object ? answer(all, claw_bisect_text(object, "answer"),
			       claw_bisect_text(object, "name")) :
		CLAW_EXIT_INFRA;
}

/* Of a search that was interrupted. */
static void say_left(struct claw_bisect *all)
{
	const struct commits *commits = all->user;
	struct claw_bisect_git left, bad;

	take_signal(all);
	left = claw_bisect_git(commits->tree, "rev-list", "--count",
			       "refs/bisect/bad", "--not",
			       "--glob=refs/bisect/good-*", NULL);
	bad = claw_bisect_git(commits->tree, "rev-parse", "refs/bisect/bad", NULL);
	if (left.status == 0 && bad.status == 0) {
		printf("the first bad commit is one of %s, of which this is the "
		       "last:\n", left.out);
		claw_bisect_say_candidate(all, bad.out);
	}
	claw_bisect_git_release(&left);
	claw_bisect_git_release(&bad);
}

static int search(struct claw_bisect *all,
		  const struct claw_bisect_commits *given)
{
	struct commits *commits = all->user;
	int status = ended(all, claw_bisect_git(commits->tree, "bisect", "start",
		given->is_first_parent ? "--first-parent" : given->bad,
		given->is_first_parent ? given->bad : given->good,
		given->is_first_parent ? given->good : NULL, NULL));

	commits->is_checked_out = true;
	while (status == 0) {
		int found = look_at_log(all, given->bad);

		if (found >= 0) {
			status = found;
			break;
		}
		status = step(all);
	}
	if (all->signal)
		say_left(all);
	keep_log(all);
	return status;
}

/* ---- all ----------------------------------------------------------------- */

static void warn_of_changes(void)
{
	struct claw_bisect_git git = claw_bisect_git(NULL, "status",
		"--porcelain", "--untracked-files=no", NULL);

	if (git.status == 0 && *git.out)
		claw_warn("local changes are in no commit and are not judged");
	claw_bisect_git_release(&git);
}

static char *prefix_here(void)
{
	struct claw_bisect_git git = claw_bisect_git(NULL, "rev-parse",
						     "--show-prefix", NULL);
	char *prefix = claw_strdup(git.status == 0 ? git.out : "");

	claw_bisect_git_release(&git);
	return prefix;
}

int claw_bisect_commits_run(struct claw_bisect *all,
			    const struct claw_bisect_commits *given,
			    const char *good_label, const char *bad_label)
{
	const struct claw_bisect_end good = { good_label, given->good };
	const struct claw_bisect_end bad = { bad_label, given->bad };
	struct commits commits = { .prefix = prefix_here() };
	int status;

	all->noun = "commit";
	all->judge = judge;
	all->describe = describe;
	all->user = &commits;
	warn_of_changes();
	status = add_tree(all, given->good);
	if (status == 0)
		status = claw_bisect_ask_ends(all, &good, &bad);
	if (status == 0)
		status = search(all, given);
	remove_tree(all);
	all->user = NULL;
	free(commits.home);
	free(commits.tree);
	free(commits.prefix);
	return status;
}
