/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explore --random: kernels made up to test compilers. Each has one result for
 * each input, whatever the device, the options and the order of work-items: whole
 * numbers only, no undefined behaviour of C, no race, no number that OpenCL leaves
 * to the implementation. The idea is that of CLsmith (C. Lidbury et al., Many-core
 * compiler fuzzing, PLDI 2015).
 */
#ifndef CLAW_RANDOM_KERNEL_H
#define CLAW_RANDOM_KERNEL_H

#include <stdint.h>

/* A program with count kernels, named random_SEED_1 and so on, malloced. Equal
 * numbers give equal texts. */
char *claw_random_kernels(uint64_t seed, unsigned int count);

#endif
