/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of "openclaw info". Those that ask end the process on failure. */
#ifndef CLAW_CMD_INFO_H
#define CLAW_CMD_INFO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* --api: the table of entry points. The caller lets go of the JSON. */
void claw_info_api(void);
json_t *claw_info_api_json(void);

/* --record-faults: output is --output or NULL, is_sure --yes. Returns an exit
 * status. */
int claw_info_record(const char *output, bool is_sure);

/* Memory of a device as the seeds' clw-info prints it; the same in the object
 * ("free_memory"). */
void claw_info_memory(const json_t *device);
void claw_info_memory_add(json_t *device);

/* --require-free: the size that the word says and so many percent more, and
 * whether so much of the
 * device is free: one line, and 0, CLAW_EXIT_FINDINGS when it is short,
 * CLAW_EXIT_UNKNOWN when nobody can say. */
uint64_t claw_info_size(const char *text, uint64_t headroom);
int claw_info_require(const json_t *device, uint64_t bytes);

#endif
