/* SPDX-License-Identifier: Apache-2.0 */
/* The words that libclang parses a preprocessed text with. */
#ifndef CLAW_INSTRUMENT_UNIT_ARGUMENTS_H
#define CLAW_INSTRUMENT_UNIT_ARGUMENTS_H

#include "request.h"

struct claw_unit_arguments {
	const char *words[64];
	int count;
	char *owned[64];
	int owned_count;
};

void claw_unit_arguments_init(struct claw_unit_arguments *arguments,
			      const struct claw_request *request);
void claw_unit_arguments_release(struct claw_unit_arguments *arguments);

#endif
