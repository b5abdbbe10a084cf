/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw __query" finds out of a device with the extensions that
 * vendors have for it.
 */
#ifndef CLAW_QUERY_DEVICE_H
#define CLAW_QUERY_DEVICE_H

#include <jansson.h>
#include <stdbool.h>

#include "faults/shared/cl_types.h"

typedef __typeof__(clGetDeviceInfo) claw_query_info;

/* Is it one of the words, which have blanks between? words may be NULL. */
bool claw_query_has_word(const char *words, const char *word);

/* "pci": "0000:65:00.0" of cl_khr_pci_bus_info, NVIDIA's or AMD's extension,
 * as the object's "extensions" has them. */
void claw_query_pci(json_t *object, claw_query_info *info, cl_device_id device);

/*
 * "free_mem_kib", "largest_free_kib" and who says so, "free_by": "driver"
 * (cl_amd_device_attribute_query), or "model" where a device model stands
 * before the driver, whose own word is beneath's (NULL: no layer is there).
 */
void claw_query_free(json_t *object, claw_query_info *info,
		     claw_query_info *beneath, cl_device_id device);

/* The answer to "__query telemetry": one line (telemetry.h). */
int claw_query_telemetry(const char *pci, const char *name);

#endif
