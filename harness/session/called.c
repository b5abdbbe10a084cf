/* SPDX-License-Identifier: Apache-2.0 */
/* How openclaw begins a line that a person pastes into a shell. */
#include "config.h"

#include "called.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fault_plan.h"
#include "harness/process/runner.h"

static const char name[] = "openclaw";

static const char *given;
static char *called;

void claw_called_set(const char *argv0)
{
	given = argv0;
}

/* Is that file this program? */
static bool is_self(const char *path, const char *self)
{
	char *real = realpath(path, NULL);
	bool is = real && strcmp(real, self) == 0;

	free(real);
	return is;
}

static char *find(void)
{
	char *self = realpath("/proc/self/exe", NULL), *on_path;
	const char *slash = given ? strrchr(given, '/') : NULL;
	char *text = NULL;
	int error;

	if (!given || !self)
		return NULL;
	on_path = claw_program_find(name, &error);
	if (!on_path || !is_self(on_path, self)) {
		/* A name without a slash was found in a PATH that is no more. */
		bool by_name = slash && strcmp(slash + 1, name) == 0;

		text = claw_shell_quote_printable(by_name ? given : self);
	}
	free(on_path);
	free(self);
	return text;
}

const char *claw_called(void)
{
	if (!called && given) {
		called = find();
		given = NULL;
	}
	return called ? called : name;
}
