/* SPDX-License-Identifier: Apache-2.0 */
/* What the event of each enqueue says its command is. */
#include "config.h"

#include "guest.h"

static const struct {
	cl_command_type type;
	const char *name;
} types[CLAW_API_COUNT] = {
#define TYPE(name_, type_) [CLAW_API_##name_] = { type_, #type_ },
	CLAW_COMMANDS(TYPE)
#undef TYPE
};

cl_command_type claw_command_type(enum claw_api api)
{
	return types[api].name ? types[api].type : CL_COMMAND_USER;
}

const char *claw_command_name(enum claw_api api)
{
	return types[api].name;
}
