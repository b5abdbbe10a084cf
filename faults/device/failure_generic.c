/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows a fault where no model says it: as the specification has it,
 * the event of the launch ends with an error, the context is of no use any
 * more, and a new one works.
 */
#include "config.h"

const char *const claw_fail_generic_lines[] = {
	"state poisoned reach=context cure=context event=-5 available=1",
	"trigger gpu-crash state=poisoned error=-5",
	"trigger partial state=poisoned error=-5",
	"answer poisoned call=clWaitForEvents waits=1 answer=-14",
	"answer poisoned call=@enqueue,@sync,@alloc answer=-5",
	NULL,
};
