/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw inject --list": faults, groups, and each function with the codes
 * it may be made to return.
 */
#ifndef CLAW_INJECT_LIST_H
#define CLAW_INJECT_LIST_H

/* Print the tables on stdout. Returns an exit status. */
int claw_inject_list(void);

#endif
