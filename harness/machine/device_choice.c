/* SPDX-License-Identifier: Apache-2.0 */
/* Look the device's number up before anything is started. */
#include "config.h"

#include "device_choice.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "machine.h"

void claw_device_choice_check(const char *option,
			      const struct claw_strings *models)
{
	const char *text = option ? option : getenv("CLW_DEVICE_ID");
	const char *name = option ? "--device" : "CLW_DEVICE_ID";
	struct claw_machine *machine = NULL;
	unsigned long long number;
	size_t count = 0;
	char *end;
	int ret;

	if (!text || !*text)
		return;
	ret = claw_machine_ask(NULL, &machine);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: cannot query the OpenCL "
			 "drivers: %s", name, claw_error_text(ret));
	if (machine->device_count)
		count = models->count > 1 ? models->count :
			machine->device_count;
	claw_machine_free(machine);
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || number >= count)
		claw_die(CLAW_EXIT_USAGE, "%s: expected the number of a device "
			 "(there %s %zu; openclaw info --list), found \"%.80s\"",
			 name, count == 1 ? "is" : "are", count, text);
}
