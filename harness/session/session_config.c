/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a session's config. */
#include "config.h"

#include "session_config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "instrument_program.h"

static const char *const record_names[] = {
	[CLAW_RECORD_NONE] = "none",
	[CLAW_RECORD_LAST] = "last",
	[CLAW_RECORD_FULL] = "full",
};

static const char *const ledger_names[] = {
	[CLAW_LEDGER_OFF] = "off",
	[CLAW_LEDGER_COUNTS] = "counts",
	[CLAW_LEDGER_SITES] = "sites",
};

static const char *const capture_names[] = {
	[CLAW_CAPTURE_NONE] = "none", [CLAW_CAPTURE_HASH] = "hash",
	[CLAW_CAPTURE_LAUNCH] = "launch", [CLAW_CAPTURE_ALL] = "all",
};

static void put_number(FILE *out, const char *key, uint64_t number)
{
	fprintf(out, "%s=%" PRIu64 "\n", key, number);
}

/* What was not given is left to the guest. */
static void put_given(FILE *out, const char *key, uint64_t number)
{
	if (number)
		put_number(out, key, number);
}

static void put_text(FILE *out, const char *key, const char *text)
{
	if (text)
		fprintf(out, "%s=%s\n", key, text);
}

static void write_capture(FILE *out, const struct claw_session_capture *capture)
{
	if (capture->buffers == CLAW_CAPTURE_OFF)
		return;
	put_text(out, "capture", capture_names[capture->buffers]);
	put_text(out, "capture_kernel", capture->kernel);
	put_given(out, "capture_launch", capture->launch);
	put_number(out, "capture_redact", capture->redact);
	put_given(out, "capture_ring", capture->ring_bytes);
	put_given(out, "capture_bytes", capture->max_bytes);
	put_text(out, "capture_into", capture->into);
}

/* What was rewritten before: the user's own, wherever the program's caches are
 * led to. */
static void write_instrument_cache(FILE *out)
{
	const char *named = getenv("OPENCLAW_INSTRUMENT_CACHE");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (named && *named == '/')
		put_text(out, "instrument-cache", named);
	else if (cache && *cache == '/')
		fprintf(out, "instrument-cache=%s/openclaw/instrument\n",
			cache);
	else if (home && *home == '/')
		fprintf(out, "instrument-cache=%s/.cache/openclaw/instrument\n",
			home);
}

static void write_probes(FILE *out, const struct claw_session_probes *probes)
{
	char *helper;

	if (!probes->modes)
		return;
	helper = claw_instrument_program();
	if (probes->modes & (CLAW_PROBE_HIT | CLAW_PROBE_COUNT))
		put_text(out, "coverage", probes->modes & CLAW_PROBE_COUNT ?
			 "count" : "hit");
	put_given(out, "kernel-asan", (probes->modes & CLAW_PROBE_ASAN) != 0);
	put_given(out, "kernel-arithmetic",
		  (probes->modes & CLAW_PROBE_ARITHMETIC) != 0);
	put_text(out, "instrument", helper);
	write_instrument_cache(out);
	put_text(out, "kernel-name", probes->kernel);
	put_given(out, "launch-skip", probes->launch_skip);
	put_given(out, "launch-count", probes->launch_count);
	put_given(out, "print-limit", probes->print_limit);
	put_text(out, "verify", probes->verify);
	free(helper);
}

static void write_find(FILE *out, uint32_t find)
{
	put_number(out, "lifetime", (find & CLAW_FOUND_LIFETIME) != 0);
	put_number(out, "protect", (find & CLAW_FOUND_PROTECT) != 0);
	put_number(out, "guards", (find & CLAW_FOUND_GUARDS) != 0);
	put_number(out, "early", (find & CLAW_FOUND_EARLY) != 0);
}

void claw_session_config_write(FILE *out,
			       const struct claw_session_config *config)
{
	bool needs_ledger = config->models || config->capture.buffers ||
		config->meters || config->probes.modes & CLAW_PROBE_ASAN;

	put_number(out, "version", 1);
	put_number(out, "seed", config->seed);
	put_number(out, "allow_illegal", config->allow_illegal);
	put_text(out, "record", record_names[config->record]);
	put_number(out, "record_capacity", config->record_capacity);
	put_number(out, "record_queries", config->record_queries);
	put_number(out, "all_sites", config->all_sites);
	put_text(out, "ledger",
		 ledger_names[needs_ledger && !config->ledger ?
			      CLAW_LEDGER_COUNTS : config->ledger]);
	put_given(out, "meters", config->meters);
	write_find(out, config->find);
	write_capture(out, &config->capture);
	write_probes(out, &config->probes);
}
