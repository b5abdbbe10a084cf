/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work that is done in a child of ours, so that what it needs (memory for
 * symbols, a driver that hangs) is gone with it; what it has to say is a text.
 * The parent need not wait.
 */
#ifndef CLAW_ERRAND_H
#define CLAW_ERRAND_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct claw_errand {
	pid_t pid;		/* 0: none is under way */
	int fd;
	char *text;		/* so far */
	size_t size;
};

/* In the child: writes its answer; 0, or it has failed. */
typedef int claw_errand_work(FILE *out, void *user);

/* 0 or -CLAW_E_SPAWN. One at a time in an errand. */
int claw_errand_start(struct claw_errand *errand, claw_errand_work *work,
		      void *user);
/*
 * Wait at most so long (0: not at all). true: it is over, and *ret_text its
 * answer, malloced, NULL when it failed or was ended from outside.
 */
bool claw_errand_poll(struct claw_errand *errand, int wait_ms, char **ret_text);
/* End it, whatever it does. */
void claw_errand_cancel(struct claw_errand *errand);

/* start + poll, ended after so long: the answer, or NULL. */
char *claw_errand_run(claw_errand_work *work, void *user, int wait_ms);

#endif
