/* SPDX-License-Identifier: Apache-2.0 */
/* What stages.def names, for those who expand its rows. */
#ifndef CLAW_STAGES_H
#define CLAW_STAGES_H

#include "commands.h"
#include "crash_log.h"
#include "device.h"
#include "early.h"
#include "ecc.h"
#include "enter_private.h"
#include "extension.h"
#include "failure.h"
#include "found.h"
#include "guards.h"
#include "instrument.h"
#include "ledger.h"
#include "life.h"
#include "log.h"
#include "memory_use.h"
#include "meter.h"
#include "model.h"
#include "rules_private.h"
#include "session.h"
#include "slow.h"
#include "throttle.h"
#include "trace.h"

#endif
