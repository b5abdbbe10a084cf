/* SPDX-License-Identifier: Apache-2.0 */
/* Look for openclaw-instrument. */
#include "config.h"

#include "instrument_program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/paths.h"

#define VARIABLE "OPENCLAW_INSTRUMENT"

char *claw_instrument_program(void)
{
	const char *named = getenv(VARIABLE);
	char *path = named && *named ? realpath(named, NULL) :
		claw_libexec_program(CLAW_INSTRUMENT_NAME);

	if (path && strchr(path, '/') && access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

const char *claw_instrument_missing(void)
{
	const char *named = getenv(VARIABLE);

	return named && *named ? "what " VARIABLE " names does not exist or "
		"is not a program" : CLAW_INSTRUMENT_NAME " is missing: openclaw was "
		"built without libclang (Debian packages " CLAW_LLVM_PACKAGES ")";
}
