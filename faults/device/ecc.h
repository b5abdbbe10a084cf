/* SPDX-License-Identifier: Apache-2.0 */
/* Bits that flip in what a program reads back (the fault "ecc"). */
#ifndef CLAW_ECC_H
#define CLAW_ECC_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_ecc_reset(void);
/* Before the driver: this read is to be spoilt, which claw_ecc_made() tells
 * later. False: it has nothing to spoil, or there is no room. */
CLAW_HIDDEN bool claw_ecc_before(struct claw_call *call, unsigned int rule);
/* After the driver, or in place of it, and before early.c: call->ecc.read is
 * done with. taken: the driver has it, and its event is there. */
CLAW_HIDDEN void claw_ecc_made(struct claw_call *call, bool taken);
/* The end of each call, after claw_early_look(): spoil what is complete and
 * has not been shown yet. */
CLAW_HIDDEN void claw_ecc_look(void);
CLAW_HIDDEN bool claw_ecc_is_on(void);

#endif
