/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw inject --list": faults, groups, and each function with the codes
 * it may be made to return.
 */
#ifndef CLAW_INJECT_LIST_H
#define CLAW_INJECT_LIST_H

#include <stdbool.h>

/* Print the tables on stdout; verbose: also where each fault was seen. Returns
 * an exit status. */
int claw_inject_list(bool verbose);

#endif
