/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLW_DEVICE_ID, which leaves the programs that openclaw starts one device, and
 * --device.
 */
#ifndef CLAW_DEVICE_CHOICE_H
#define CLAW_DEVICE_CHOICE_H

#include "harness/base/options.h"

/*
 * Is there such a device, under these --model words? option: what --device was
 * given, or NULL: CLW_DEVICE_ID. Asks the drivers only where one of them is
 * set; no such number ends the command (cmd_*.c only).
 */
void claw_device_choice_check(const char *option,
			      const struct claw_strings *models);

#endif
