/* SPDX-License-Identifier: Apache-2.0 */
/* Meters of kernels: their launches, and what the driver says of them. */
#ifndef CLAW_METER_KERNELS_H
#define CLAW_METER_KERNELS_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_meter_kernels_begin(void);
/* A launch was a success. */
CLAW_HIDDEN void claw_meter_kernel_launched(const struct claw_call *call);
/* The kernel is gone: its handle may be another's. */
CLAW_HIDDEN void claw_meter_kernel_gone(uint64_t handle);

#endif
