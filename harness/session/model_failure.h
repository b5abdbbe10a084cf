/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a device model that says what follows a fault, for the session.
 */
#ifndef CLAW_MODEL_FAILURE_H
#define CLAW_MODEL_FAILURE_H

#include <stdio.h>

#include "harness/files/yaml_doc.h"

/*
 * Write the mapping of the key failure: as lines that begin with "failure "
 * (claw_failure_read_line()). Mistakes are told as claw_yaml_fail() does.
 *
 * Returns 0 or -CLAW_E_SYNTAX.
 */
int claw_model_failure_compile(const struct claw_yaml *yaml,
			       const yaml_node_t *node, FILE *out);

#endif
