/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLAW_CORES_H
#define CLAW_CORES_H

/* How many processors this process may use; at least 1. */
unsigned int claw_core_count(void);

#endif
