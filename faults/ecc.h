/* SPDX-License-Identifier: Apache-2.0 */
/* Bits that flip in what a program reads back (the fault "ecc"). */
#ifndef CLAW_ECC_H
#define CLAW_ECC_H

#include "guest.h"

CLAW_HIDDEN void claw_ecc_reset(void);
/* Before the driver: this read is to be spoilt. */
CLAW_HIDDEN void claw_ecc_before(struct claw_call *call, unsigned int rule);
/* After each call: spoil what is complete and has not been shown yet. */
CLAW_HIDDEN void claw_ecc_after(struct claw_call *call);
CLAW_HIDDEN bool claw_ecc_is_on(void);

#endif
