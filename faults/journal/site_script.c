/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a file that the program does the calls of. They look as those of
 * Python do. The numbers under which the journal keeps the lines of the first
 * file are remembered: a soak does the same lines for hours.
 */
#include "config.h"

#include "site_script.h"

#include <stddef.h>
#include <string.h>

enum { LINES = 256 };

bool claw_site_has_scripts;

static char known_file[512];		/* "": none yet */
static bool is_file_taken;
static uint64_t known[LINES];		/* line and number; 0: none */

static __thread struct {
	const char *file, *what;
	uint32_t line;
} here __attribute__((tls_model(CLAW_TLS_MODEL)));

void claw_site_script_set(const char *file, uint32_t line, const char *what)
{
	here.file = file;
	here.line = line;
	here.what = what ? what : "";
	if (!file)
		return;
	if (strlen(file) < sizeof(known_file) &&
	    !__atomic_exchange_n(&is_file_taken, true, __ATOMIC_RELAXED))
		memcpy(known_file, file, strlen(file) + 1);
	__atomic_store_n(&claw_site_has_scripts, true, __ATOMIC_RELEASE);
}

void claw_site_script_begin(void)
{
	for (unsigned int i = 0; i < LINES; i++)
		__atomic_store_n(&known[i], 0, __ATOMIC_RELAXED);
}

static uint64_t *entry(void)
{
	return here.file && !strcmp(here.file, known_file) ?
		&known[here.line % LINES] : NULL;
}

uint32_t claw_site_script_number(void)
{
	const uint64_t *at = entry();
	uint64_t is = at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;

	return is >> 32 == here.line ? (uint32_t)is : 0;
}

void claw_site_script_keep(uint32_t number)
{
	uint64_t *at = entry();

	if (at)
		__atomic_store_n(at, (uint64_t)here.line << 32 | number,
				 __ATOMIC_RELAXED);
}

bool claw_site_script_take(struct claw_site *site)
{
	if (!__atomic_load_n(&claw_site_has_scripts, __ATOMIC_RELAXED) ||
	    !here.file)
		return false;
	site->kind = CLAW_SITE_PYTHON;
	site->frame_count = 1;
	site->frames[0].module = NULL;
	site->frames[0].file = here.file;
	site->frames[0].function = here.what;
	site->frames[0].offset = here.line;
	return true;
}
