/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a session's config. */
#include "config.h"

#include "session_config.h"

#include "program_cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/plan.h"
#include "faults/shared/session_keys.h"
#include "harness/base/memory.h"
#include "instrument_program.h"

static void set_capture(struct claw_session_keys *keys,
			const struct claw_session_capture *capture)
{
	keys->capture = capture->buffers;
	if (capture->buffers == CLAW_CAPTURE_OFF)
		return;
	keys->capture_kernel = capture->kernel;
	keys->capture_launch = capture->launch;
	keys->capture_redact = capture->redact;
	keys->capture_ring = capture->ring_bytes;
	keys->capture_bytes = capture->max_bytes;
	keys->capture_into = capture->into;
}

static void set_probes(struct claw_session_keys *keys,
		       const struct claw_session_probes *probes, char *helper,
		       char *cache)
{
	uint32_t modes = probes->modes;

	keys->coverage = modes & CLAW_PROBE_COUNT ? CLAW_COVERAGE_COUNT :
		modes & CLAW_PROBE_HIT ? CLAW_COVERAGE_HIT : CLAW_COVERAGE_OFF;
	keys->kernel_checks = modes & CLAW_PROBE_CHECKS;
	keys->kernel_arithmetic = (modes & CLAW_PROBE_ARITHMETIC) != 0;
	keys->kernel_same_value = (modes & CLAW_PROBE_SAME_VALUE) != 0;
	keys->instrument = helper;
	keys->instrument_cache = cache;
	keys->kernel_name = probes->kernel;
	keys->launch_skip = probes->launch_skip;
	keys->launch_count = probes->launch_count;
	keys->print_limit = probes->print_limit;
	keys->verify = !probes->verify ? CLAW_VERIFY_FIRST :
		strcmp(probes->verify, "all") == 0 ? CLAW_VERIFY_ALL :
		CLAW_VERIFY_NONE;
}

static void put_word(FILE *out, const char *key, const char *words,
		     unsigned int number)
{
	size_t length = 0;

	for (unsigned int i = 0; i <= number; i++)
		words = claw_fault_next_word(words, &length);
	fprintf(out, "%s=%.*s\n", key, (int)length, words);
}

static void write_keys(FILE *out, const struct claw_session_keys *keys)
{
#define NUMBER(key_)							\
	if (keys->key_)							\
		fprintf(out, #key_ "=%" PRIu64 "\n", keys->key_);
#define TEXT(key_)							\
	if (keys->key_)							\
		fprintf(out, #key_ "=%s\n", keys->key_);
#define WORD(key_, words_)						\
	if (keys->key_)							\
		put_word(out, #key_, words_, keys->key_);
#include "faults/shared/session.def"
#undef WORD
#undef TEXT
#undef NUMBER
}

void claw_session_config_write(FILE *out,
			       const struct claw_session_config *config)
{
	bool needs_ledger = config->models || config->capture.buffers ||
		config->meters || config->probes.modes & CLAW_PROBE_CHECKS;
	struct claw_session_keys keys = {
		.version = 1,
		.seed = config->seed,
		.allow_illegal = config->allow_illegal,
		.record = config->record,
		.record_capacity = config->record_capacity,
		.record_queries = config->record_queries,
		.all_sites = config->all_sites,
		.ledger = needs_ledger && !config->ledger ?
			CLAW_LEDGER_COUNTS : config->ledger,
		.meters = config->meters,
		.lifetime = (config->find & CLAW_FOUND_LIFETIME) != 0,
		.protect = (config->find & CLAW_FOUND_PROTECT) != 0,
		.guards = (config->find & CLAW_FOUND_GUARDS) != 0,
		.early = (config->find & CLAW_FOUND_EARLY) != 0,
	};
	char *helper = config->probes.modes ? claw_instrument_program() : NULL;
	char *cache = config->probes.modes ? claw_instrument_cache() : NULL;

	set_capture(&keys, &config->capture);
	if (config->probes.modes)
		set_probes(&keys, &config->probes, helper, cache);
	keys.program_cache = config->program_cache;
	write_keys(out, &keys);
	free(helper);
	free(cache);
}
