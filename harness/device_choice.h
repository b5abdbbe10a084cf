/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLW_DEVICE_ID, which leaves the programs that openclaw starts one device.
 */
#ifndef CLAW_DEVICE_CHOICE_H
#define CLAW_DEVICE_CHOICE_H

#include "options.h"

/*
 * Is there such a device, under these --model words? Asks the drivers only
 * where the variable is set; no such number ends the command (cmd_*.c only).
 */
void claw_device_choice_check(const struct claw_strings *models);

#endif
