/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codes of faults and findings, and those that only a program's end has.
 */
#include "config.h"

#include "diagnosis.h"

#include <stddef.h>

const char *const claw_diagnosis_codes[] = {
#define FAULT(id_, name_, code_, text_) code_,
#include "../faults/faults.def"
#undef FAULT
	"clw-memory-timeout", "clw-kernel-timeout", "clw-device-timeout",
	"clw-kernel-compile-timeout", "clw-gpu-crash", "clw-buffer-overflow",
	"clw-ecc-error", "clw-pcie-error", "clw-thermal-throttle", NULL,
};
