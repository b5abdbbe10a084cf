/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search for the first commit, or driver, with which a command of openclaw
 * finds something. What a commit or driver has shown is a JSON object:
 *
 *	name	the commit, or the driver as the user named it
 *	answer	"good", "bad", "skip" (it cannot be built or judged) or "measured"
 *		(its times are known; claw_bisect_times_answer() judges them)
 *	why	of skip: the reason, one line
 *	status	of skip: exit status of the command
 *	shown	findings, a line each
 *	keys	of findings that --finding matches: equal in other runs
 *	times	with --slower: of each run, cases that passed and microseconds
 *	driver	its first device and version, as openclaw info lists it
 *
 * DIR/bisect.jsonl has one a line, after a line with the command's arguments;
 * also "worktree", where commits are checked out, and at the end "first_bad",
 * or "candidate" for each that may be the first bad one.
 */
#ifndef CLAW_BISECT_H
#define CLAW_BISECT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CLAW_BISECT_SELF "/proc/self/exe"

/* What is asked of each commit or driver. */
struct claw_bisect_question {
	char *const *command;	/* "test", "--suite" ... NULL-terminated */
	const char *build;	/* shell command that comes before it, or NULL */
	const char *finding;	/* only this one is bad; or NULL: any */
	char **keys;		/* of the same finding at the bad end, or NULL */
	bool is_slower;
	uint64_t repeat, timeout_ms;
};

/* Where it is asked. */
struct claw_bisect_place {
	const char *directory;	/* of the build and the command; NULL: ours */
	const char *outputs;	/* for logs and records; it is made */
	char *const *set_env;	/* of both, as of struct claw_run_spec */
};

/* Does the command keep records by which it can be judged? error: one line. */
bool claw_bisect_command_fits(char *const *command, char *error, size_t size);
/* The object; NULL: we were interrupted, ret_signal says by which signal. */
json_t *claw_bisect_judge(const struct claw_bisect_question *question,
			  const struct claw_bisect_place *place,
			  int *ret_signal);
/* An object whose answer is skip. */
json_t *claw_bisect_skip(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A member that is a text, or "". */
const char *claw_bisect_text(const json_t *object, const char *key);
bool claw_bisect_is(const json_t *object, const char *answer);

/* ---- times --------------------------------------------------------------- */

/* What is between the ends. */
struct claw_bisect_limits {
	json_t *cases;		/* names, that passed in each run of both ends */
	double limit_us;	/* in the middle of the ends' medians */
	double good_us, bad_us;	/* medians */
};

/* Do the ends differ by PERCENT, and clearly? Else error has one line. */
bool claw_bisect_limits_init(struct claw_bisect_limits *limits,
			     const json_t *good, const json_t *bad,
			     uint64_t percent, char *error, size_t size);
void claw_bisect_limits_release(struct claw_bisect_limits *limits);
/* A measured object gets its answer: good, bad or skip. */
void claw_bisect_times_answer(const struct claw_bisect_limits *limits,
			      json_t *object);

/* ---- the search ---------------------------------------------------------- */

struct claw_bisect {
	struct claw_bisect_question question;
	uint64_t percent;	/* of --slower */
	const char *noun;	/* "commit", "driver" */
	const char *directory;	/* the output directory, absolute */
	const char *shown;	/* as a person knows it */
	struct claw_bisect_limits limits;	/* cases NULL: not known */
	json_t *known;		/* objects by name */
	FILE *log;
	int log_errno;		/* it could not be written */
	char *old_tree;		/* work tree of a killed search, or NULL */
	int signal;		/* that interrupted us, or 0 */
	unsigned int judged, skipped;
	/* Judge this one. NULL: interrupted. */
	json_t *(*judge)(struct claw_bisect *all, const char *name,
			 const char *outputs);
	/* A few words about it, malloced. */
	char *(*describe)(struct claw_bisect *all, const char *name);
	void *user;
};

/* One of the ends. */
struct claw_bisect_end {
	const char *label;	/* "--good v1.0" */
	const char *name;
};

/* What is known of it, or is now judged and printed; borrowed. NULL:
 * interrupted, or log_errno is set. */
const json_t *claw_bisect_ask(struct claw_bisect *all, const char *name);
/* The good end is good and the bad end bad: 0; else an exit status, of which
 * the reason is printed. -1: interrupted. */
int claw_bisect_ask_ends(struct claw_bisect *all,
			 const struct claw_bisect_end *good,
			 const struct claw_bisect_end *bad);
/* Print the first bad one and what it shows; last: the bad end. */
void claw_bisect_say_first(struct claw_bisect *all, const char *name,
			   const char *last);
/* Print one that may be the first bad one. */
void claw_bisect_say_candidate(struct claw_bisect *all, const char *name);

/* ---- commits and drivers ------------------------------------------------- */

/* What the command line says. */
struct claw_bisect_commits {
	const char *good, *bad;		/* names of commits */
	bool is_first_parent;
};

/* Resolve the ends to full names of commits of the repository here, malloced.
 * 0, or an exit status and one line in error. */
int claw_bisect_commits_find(const struct claw_bisect_commits *given,
			     char **ret_good, char **ret_bad, char *error,
			     size_t size);
/* given's good and bad are full names; labels are the user's. An exit status; it
 * is none if all->signal is set. */
int claw_bisect_commits_run(struct claw_bisect *all,
			    const struct claw_bisect_commits *given,
			    const char *good_label, const char *bad_label);
/* names: of drivers as in --icd, the good end first. As above. */
int claw_bisect_drivers_run(struct claw_bisect *all, const char *const *names,
			    size_t count);
/* Can they be used? Else error has one line. */
bool claw_bisect_drivers_fit(const char *const *names, size_t count,
			     char *error, size_t size);

/* ---- the log ------------------------------------------------------------- */

/* DIR/bisect.jsonl with its first line. False with errno. */
bool claw_bisect_log_new(struct claw_bisect *all, const json_t *head);
/* Read it into all->known and append from now on. ret_head: its first line.
 * False: error has one line. */
bool claw_bisect_log_open(struct claw_bisect *all, json_t **ret_head,
			  char *error, size_t size);
/* False: all->log_errno says why, and the search ends. */
bool claw_bisect_log_add(struct claw_bisect *all, const json_t *object);
/* {"KEY":"TEXT"} */
void claw_bisect_log_text(struct claw_bisect *all, const char *key,
			  const char *text);

#endif
