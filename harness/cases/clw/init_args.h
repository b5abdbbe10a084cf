/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw init" knows of a kernel: its arguments, as the driver has
 * described them, and the launch that is made up for them.
 */
#ifndef CLAW_INIT_ARGS_H
#define CLAW_INIT_ARGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clw.h"
#include "init_words.h"

/* An argument as the driver described it. */
struct claw_init_arg {
	size_t index;
	const char *name;	/* "" where unknown */
	const char *type;	/* "float4*" */
	const char *address, *access;
	bool is_const, is_pointer;
	/* Of a type that is not ours; 0: unknown. A void may be anything: then
	 * that of the largest type. */
	uint64_t size_bytes;
	bool is_ours;		/* a type of clw.h, of one pointer */
	struct claw_clw_type ours;
};

/* The launch that is guessed. */
struct claw_init_shape {
	unsigned int dimensions;
	size_t global[3], local[3];
	bool has_local;
	size_t elements;	/* of every buffer */
	size_t extent;		/* what a "size" is */
};

/* ---- init_args.c ----------------------------------------------------- */

/* "" where there is none. */
const char *claw_init_text(const json_t *object, const char *name);
/* args: of a kernel, as it was described. */
struct claw_init_arg claw_init_read_arg(const json_t *args, size_t index);
bool claw_init_is_image(const struct claw_init_arg *arg);
bool claw_init_is_sampler(const struct claw_init_arg *arg);
/* The type of as many bytes as a struct has, where there is one: a struct's
 * bytes can be given with it. */
bool claw_init_find_bytes_type(uint64_t size_bytes,
			       struct claw_clw_type *ret_type);
/* Why there can be no line for it, or NULL. */
const char *claw_init_refuse(const json_t *object,
			     const struct claw_init_arg *arg);

/* ---- init_shape.c ---------------------------------------------------- */

/* Is it a number that is called like the size of something? */
bool claw_init_is_size(const struct claw_init_arg *arg);
/* source: with that kernel chosen. */
struct claw_init_shape
claw_init_guess_shape(const struct claw_init_source *source,
		      const json_t *kernel);

#endif
