/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judged run's words and paths where it has a working directory of its own:
 * "{dir}" in them, and the links that stand there for the user's files.
 */
#ifndef CLAW_JUDGED_WORDS_H
#define CLAW_JUDGED_WORDS_H

struct claw_session;

/* The word with "{dir}" replaced by work, malloced; work NULL: as it is. */
char *claw_judged_word(const char *word, const char *work);
/* The same for a path, which is found from here. */
char *claw_judged_path(const char *path, const char *work);

/*
 * All words of a command line; a program with a slash in its name is named by
 * its whole path where work is given. Freed with claw_judged_argv_free().
 */
char **claw_judged_argv(char *const *argv, const char *work);
void claw_judged_argv_free(char **argv);

/*
 * Make DIRECTORY/work, with a link to each entry of our own working directory
 * and nothing else.
 *
 * ret_work: its path, malloced.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_judged_work(const char *directory, char **ret_work);

/* "NAME=VALUE", or "NAME", which is unset, for the session's programs. Returns
 * as claw_session_setenv(). */
int claw_judged_set(struct claw_session *session, const char *entry);

#endif
