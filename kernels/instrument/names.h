/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of macros that a text depends on but does not define: only the driver
 * knows what it has predefined.
 */
#ifndef CLAW_INSTRUMENT_NAMES_H
#define CLAW_INSTRUMENT_NAMES_H

#include <stdio.h>

#include "request.h"

/* One a line, each once, sorted. */
void claw_names_write(const struct claw_request *request, FILE *out);

#endif
