/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of macros that a text depends on but does not define: only the driver
 * knows what it has predefined.
 */
#ifndef CLAW_INSTRUMENT_NAMES_H
#define CLAW_INSTRUMENT_NAMES_H

#include <stdio.h>

#include "request.h"

/* The optional features of OpenCL C 3.0, NULL behind the last. */
extern const char *const claw_features[];
/* The extension that a feature is there with, or NULL: none. */
const char *claw_feature_extension(const char *feature);

/* One a line, each once, sorted. */
void claw_names_write(const struct claw_request *request, FILE *out);

/* Of a request that has macros, does it answer all that the conditions of files
 * ask which its preprocessed text came from? Some are only included once macros
 * are known. 0, or -1 with one line in error. */
int claw_names_check(const struct claw_request *request, const char *text,
		     char *error, size_t error_size);

#endif
