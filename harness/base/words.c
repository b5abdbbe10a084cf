/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and signals as people write them. */
#include "config.h"

#include "words.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

void claw_print_count(FILE *out, uint64_t count)
{
	if (count >= 1000) {
		claw_print_count(out, count / 1000);
		fprintf(out, ",%03" PRIu64, count % 1000);
	} else {
		fprintf(out, "%" PRIu64, count);
	}
}

void claw_print_bytes(FILE *out, uint64_t bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	uint64_t divisor = 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		fprintf(out, "%" PRIu64 " byte%s", bytes,
			bytes == 1 ? "" : "s");
		return;
	}
	while (unit + 1 < sizeof(units) / sizeof(*units) &&
	       bytes / divisor >= 1024) {
		divisor *= 1024;
		unit++;
	}
	if (bytes % divisor == 0)
		fprintf(out, "%" PRIu64 " %s", bytes / divisor, units[unit]);
	else
		fprintf(out, "%.1f %s", (double)bytes / (double)divisor,
			units[unit]);
}

const char *claw_signal_name(int number)
{
	static char text[32];
	const char *name = sigabbrev_np(number);

	snprintf(text, sizeof(text), name ? "SIG%s" : "signal %s", name ? name :
		 "");
	if (!name)
		snprintf(text, sizeof(text), "signal %d", number);
	return text;
}

const char *claw_signal_words(int number)
{
	return number == SIGSYS ?
		"SIGSYS: a filter of system calls (seccomp) ended it; "
		"openclaw-environment(7) lists the calls that the layer makes" :
		claw_signal_name(number);
}
