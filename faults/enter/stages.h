/* SPDX-License-Identifier: Apache-2.0 */
/* What stages.def names, for those who expand its rows. */
#ifndef CLAW_STAGES_H
#define CLAW_STAGES_H

#include "faults/command/commands.h"
#include "faults/log/crash_log.h"
#include "faults/log/fault_log.h"
#include "faults/log/kernel_time.h"
#include "faults/device/device.h"
#include "faults/early/early.h"
#include "faults/device/ecc.h"
#include "enter_private.h"
#include "faults/call/extension.h"
#include "faults/device/failure.h"
#include "faults/life/found.h"
#include "faults/guard/guards.h"
#include "faults/instrument/instrument.h"
#include "faults/ledger/ledger.h"
#include "faults/life/life.h"
#include "faults/log/log.h"
#include "faults/model/memory_use.h"
#include "faults/meter/meter.h"
#include "faults/model/model.h"
#include "faults/policy/rules.h"
#include "session.h"
#include "faults/log/slow.h"
#include "faults/device/throttle.h"
#include "faults/trace/trace.h"

#endif
