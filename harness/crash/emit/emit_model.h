/* SPDX-License-Identifier: Apache-2.0 */
/* The device models of a captured program, as files that --model takes. */
#ifndef CLAW_EMIT_MODEL_H
#define CLAW_EMIT_MODEL_H

#include <jansson.h>

/*
 * DIRECTORY/device_0.yaml ... from the lines of the captured session's file
 * "models" (META "models", or NULL). ret_count: so many there are.
 *
 * Returns 0 or -CLAW_E_IO.
 */
int claw_emit_models(const json_t *lines, const char *directory,
		     unsigned int *ret_count);

#endif
