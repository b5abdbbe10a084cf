/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "random" in a kernel file stands for.
 */
#ifndef CLAW_CLW_RANDOM_H
#define CLAW_CLW_RANDOM_H

#include "clw.h"

/* Bytes from..from + size (whole components) of the argument: any bits of an
 * integer, from -1 to 1 of a floating-point type. One seed gives the same. */
void claw_clw_random(const struct claw_clw_arg *arg, uint64_t seed, size_t from,
		     size_t size, void *bytes);

#endif
