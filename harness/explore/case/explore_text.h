/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's text shows of its arguments, without compiling it. */
#ifndef CLAW_EXPLORE_TEXT_H
#define CLAW_EXPLORE_TEXT_H

#include "explore_kernel.h"

/* kernel: with its name and arguments; the rest is filled in. */
void claw_explore_text_read(const char *source, const char *build_options,
			    struct claw_explore_kernel *kernel);

/* explore_bounds.c: bounds, after the rest. */
struct text;
void claw_explore_find_bounds(struct text *text);

#endif
