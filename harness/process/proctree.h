/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who descends from a run: processes found in /proc by the marker in their
 * environment, by their session, or because they were handed to us when their
 * parent died (we are a child subreaper).
 */
#ifndef CLAW_PROCTREE_H
#define CLAW_PROCTREE_H

#include <stdbool.h>
#include <sys/types.h>

struct claw_proctree {
	pid_t leader;		/* the run's first process */
	bool own_session;	/* the leader called setsid() */
	const char *case_id;	/* value of OPENCLAW_CASE */
	bool adopt_all;		/* no other run: every other child of ours is its */
	const pid_t *others;	/* leaders of other runs, never touched */
	size_t other_count;
};

/*
 * Send `signal_number` to every live descendant but the leader; zombies of
 * ours that are nobody's leader are reaped on the way.
 *
 * Returns how many live ones were found.
 */
unsigned int claw_proctree_signal(const struct claw_proctree *tree,
				  int signal_number);

/* Live members, the leader first when it lives. Returns how many were put
 * into ret_pids. */
size_t claw_proctree_list(const struct claw_proctree *tree, pid_t *ret_pids,
			  size_t max);

/* Is it certain, without a look at every process of the machine, that nothing
 * but the leader, who has ended, is left of the run? What loses its parent
 * becomes a child of ours. */
bool claw_proctree_is_alone(const struct claw_proctree *tree);

#endif
