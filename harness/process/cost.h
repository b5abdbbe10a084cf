/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a child that has ended, and is not yet waited for, has taken of the
 * machine.
 */
#ifndef CLAW_COST_H
#define CLAW_COST_H

#include <stdbool.h>
#include <stdint.h>

/* With the children that it has waited for. */
struct claw_run_cost {
	bool is_known;
	uint64_t cpu_us;
	uint64_t peak_bytes;	/* of the largest process */
	/* By write(2) and its like, to anything: standard output, too. Not
	 * through shared mappings. */
	uint64_t written_bytes;
};

/* is_known is false where the kernel does not say. */
void claw_run_cost_read(int pid, struct claw_run_cost *ret_cost);

#endif
