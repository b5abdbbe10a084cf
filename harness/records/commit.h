/* SPDX-License-Identifier: Apache-2.0 */
/* The commit that is tested: HEAD of the git repository we work in. */
#ifndef CLAW_COMMIT_H
#define CLAW_COMMIT_H

#include <stdbool.h>
#include <stddef.h>

#define CLAW_FACT_COMMIT "commit"
/* After the commit where tracked files differ from it. */
#define CLAW_COMMIT_CHANGES "+changes"

/* "89abcdef...+changes"; NULL: no repository, no commit, no git, or git took
 * too long. Looked up once; the text belongs to this module. */
const char *claw_commit(void);

/* Hexadecimal digits that the text begins with, where it is a commit and
 * perhaps CLAW_COMMIT_CHANGES; 0: it is something else. */
size_t claw_commit_length(const char *text);

#endif
