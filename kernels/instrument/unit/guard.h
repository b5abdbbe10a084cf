/* SPDX-License-Identifier: Apache-2.0 */
/* What cannot be rewritten, told before anything is. */
#ifndef CLAW_INSTRUMENT_GUARD_H
#define CLAW_INSTRUMENT_GUARD_H

#include "unit.h"

/* Of the request alone: another language. 0, -1 with one line in error. */
int claw_guard_request(const struct claw_request *request, char *error,
		       size_t error_size);
/* Of the text: names of ours in it. The unit need not be parsed yet, but its
 * lines have to be known. */
int claw_guard_text(const struct claw_unit *unit, char *error,
		    size_t error_size);

#endif
