/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer that does nothing but stand in the way: every slot is a function
 * that calls the one beneath. What it costs is what any layer costs, and the
 * benchmark measures ours against it.
 */
#include "config.h"

#include "faults/shared/api_sig.h"
#include "layer.h"

#define PASS_STATUS(name_) return next.name_ CLAW_ARGS(name_);
#define PASS_HANDLE(name_) return next.name_ CLAW_ARGS(name_);
#define PASS_POINTER(name_) return next.name_ CLAW_ARGS(name_);
#define PASS_VOID(name_) next.name_ CLAW_ARGS(name_);
#define API(name_, kind_, ...)						\
	static CLAW_RET_##name_ CL_API_CALL pass_##name_		\
	CLAW_PARAMS(name_) { PASS_##kind_(name_) }
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT

static void replace(struct _cl_icd_dispatch *table)
{
#define API(name_, ...) if (table->name_) table->name_ = pass_##name_;
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
}
