/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program to soak: the same small piece of work again and again, and with it
 * one behaviour of a table, right or wrong (clean.c, leaking.c). A new one is a
 * function and a row there; "make soaks" runs all of them.
 */
#ifndef SOAKER_H
#define SOAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum { ITEMS = 1024, BYTES = ITEMS * sizeof(cl_int) };

struct soaker {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;
	uint64_t iteration;	/* from 0 */
	uint64_t random;	/* state of soaker_random() */
	size_t launch_rounds;	/* launches of an iteration, 1 */
	unsigned int nap_us;	/* at its end */
};

struct behaviour {
	const char *name;
	const char *grows;	/* the series that a verdict has to name
				 * (series.def); NULL: none, it is clean */
	void (*step)(struct soaker *soaker);	/* in each iteration */
};

/* Each ends with a row without a name. */
extern const struct behaviour clean_behaviours[], leaking_behaviours[];

/* The call's success, or the end of the program. */
#define must(err_) soaker_must((err_), #err_, __FILE__, __LINE__)
void soaker_must(cl_int err, const char *what, const char *file, int line);

/* Any number below that; the same ones in every run. */
uint64_t soaker_random(struct soaker *soaker, uint64_t below);
bool soaker_is_every(const struct soaker *soaker, uint64_t iterations);
void soaker_nap(unsigned int microseconds);
cl_mem soaker_buffer(struct soaker *soaker, size_t bytes);

#endif
