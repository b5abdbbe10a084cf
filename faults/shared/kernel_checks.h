/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the kernel sanitizer's checks: "bounds,races", "all". */
#ifndef CLAW_KERNEL_CHECKS_H
#define CLAW_KERNEL_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLAW_KERNEL_CHECKS_ENV "OPENCLAW_KERNEL_CHECKS"

enum { CLAW_KERNEL_CHECKS_BYTES = 64 };	/* room for the longest list */

/* "bounds, races, all", for messages. */
extern const char claw_kernel_checks_names[];

/* Bits of enum claw_probe_mode. False: a word is none of the table's (or there
 * is none); *ret_bad is where it begins, up to a comma or the end. */
bool claw_kernel_checks_parse(const char *list, uint32_t *ret_modes,
			      const char **ret_bad);
/* The other way: "bounds,races". Bits that are no check's are left out. */
void claw_kernel_checks_text(uint32_t modes,
			     char text[CLAW_KERNEL_CHECKS_BYTES]);

#endif
