/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C preprocessor over a request's text, by clang -E: macros and includes
 * done as the driver would, line markers kept, everything that the driver's
 * own compiler would expand later (its builtin macros) left as it is.
 */
#ifndef CLAW_INSTRUMENT_PREPROCESS_H
#define CLAW_INSTRUMENT_PREPROCESS_H

#include "request.h"

/* The preprocessed text, malloc'ed, NUL behind it; NULL with one line in error. */
char *claw_preprocess(const struct claw_request *request, char *error,
		      size_t error_size);

#endif
