/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory in which runs without --output get theirs: openclaw-out, or
 * "output:" of openclaw.yaml. One that openclaw makes is marked, so that
 * backups (CACHEDIR.TAG) and git (.gitignore) leave it out.
 */
#ifndef CLAW_OUTPUT_PARENT_H
#define CLAW_OUTPUT_PARENT_H

/* Its path; valid until claw_output_parent_set(). */
const char *claw_output_parent(void);
/* From now on; NULL: openclaw-out. */
void claw_output_parent_set(const char *path);

/* Make and mark it, if it is missing. 0 or -CLAW_E_IO (errno set). */
int claw_output_parent_make(void);
/* The same where path is in it, and nothing elsewhere. */
int claw_output_parent_make_for(const char *path);
/* Remove it, if it holds nothing but the marks. */
void claw_output_parent_leave(void);

#endif
