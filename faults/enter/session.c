/* SPDX-License-Identifier: Apache-2.0 */
/* What the host has written for this process: its config and its rules. */
#include "config.h"

#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/found_format.h"
#include "faults/call/own_session.h"
#include "faults/policy/rules.h"

enum {
	TEXT_MAX = 1 << 20,	/* bytes of the session's files */
	MEM_TIMEOUT_MS = 30000,	/* when CLW_MEM_TIMEOUT_MS does not say */
};

struct claw_trace_config claw_session_capture CLAW_HIDDEN;
struct claw_instrument_config claw_session_instrument CLAW_HIDDEN;

/* A file of the session as text; the caller frees it. NULL: cannot. */
char *claw_session_text(const char *directory, const char *name)
{
	char path[4096];
	char *text = NULL;
	size_t length = 0;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) >=
	    sizeof(path))
		return NULL;
	/* Whatever somebody has put there: the program does not wait for it. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	text = malloc(TEXT_MAX + 1);
	while (text && length < TEXT_MAX) {
		ssize_t n = read(fd, text + length, TEXT_MAX - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		length += (size_t)n;
	}
	close(fd);
	if (text)
		text[length] = '\0';
	return text;
}

/* What follows "key=" in lines of that form, or NULL. */
static const char *config_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && *text) {
		if (!strncmp(text, key, length) && text[length] == '=')
			return text + length + 1;
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return NULL;
}

/* 0: there is none. */
static uint64_t config_number(const char *text, const char *key)
{
	const char *value = config_value(text, key);

	return value ? strtoull(value, NULL, 0) : 0;
}

/* Up to the end of its line; untouched: there is none. */
static void config_word(const char *text, const char *key, char *word,
			size_t size)
{
	const char *value = config_value(text, key);

	if (value)
		claw_copy_text(word, size, value, strcspn(value, "\r\n"));
}

static bool config_is(const char *text, const char *key, const char *value)
{
	char word[32] = "";

	config_word(text, key, word, sizeof(word));
	return !strcmp(word, value);
}

/* In milliseconds. Anything that is no number counts as not set. */
static uint64_t read_mem_timeout_ns(void)
{
	const char *text = getenv("CLW_MEM_TIMEOUT_MS");
	uint64_t ms = MEM_TIMEOUT_MS;
	char *end;

	if (text && text[0] >= '0' && text[0] <= '9') {
		uint64_t given = strtoull(text, &end, 10);

		if (!*end)
			ms = given;
	}
	return ms < UINT64_MAX / 1000000 ? ms * 1000000 : UINT64_MAX;
}

/* What these do stands on the ledger. */
static void read_meters(const char *text)
{
	claw_guest.meters = config_number(text, "meters");
	if (claw_guest.meters && !claw_guest.ledger)
		claw_guest.ledger = CLAW_LEDGER_COUNTS;
}

static void read_capture(const char *text)
{
	char into[4096] = "";

	claw_session_capture.buffers = config_is(text, "capture", "none") ?
			CLAW_CAPTURE_NONE :
		config_is(text, "capture", "hash") ? CLAW_CAPTURE_HASH :
		config_is(text, "capture", "launch") ? CLAW_CAPTURE_LAUNCH :
		config_is(text, "capture", "all") ? CLAW_CAPTURE_ALL :
		CLAW_CAPTURE_OFF;
	claw_session_capture.redact = config_number(text, "capture_redact");
	claw_session_capture.ring_bytes = config_number(text, "capture_ring");
	claw_session_capture.max_bytes = config_number(text, "capture_bytes");
	claw_session_capture.launch = config_number(text, "capture_launch");
	config_word(text, "capture_kernel", claw_session_capture.kernel,
		    sizeof(claw_session_capture.kernel));
	config_word(text, "capture_into", into, sizeof(into));
	claw_own_session_set_into(into);
	if (claw_session_capture.buffers && !claw_guest.ledger)
		claw_guest.ledger = CLAW_LEDGER_COUNTS;
}

/* What is found in kernels is told with where its buffer comes from. */
static void read_instrument(const char *text)
{
	struct claw_instrument_config *config = &claw_session_instrument;
	const char *asan = getenv("OPENCLAW_ENABLE_GPU_ASAN");
	const char *helper = getenv("OPENCLAW_INSTRUMENT");

	config->modes =
		(config_is(text, "coverage", "hit") ? CLAW_PROBE_HIT : 0) |
		(config_is(text, "coverage", "count") ? CLAW_PROBE_COUNT : 0) |
		(config_number(text, "kernel-arithmetic") ?
		 CLAW_PROBE_ARITHMETIC : 0);
	if (config_number(text, "kernel-asan") ||
	    (asan && strcmp(asan, "1") == 0) ||
	    config->modes & CLAW_PROBE_ARITHMETIC) {
		config->modes |= CLAW_PROBE_ASAN;
		claw_guest.find |= CLAW_FOUND_KERNELS;
		claw_guest.ledger = CLAW_LEDGER_SITES;
	}
	config->launch_skip = config_number(text, "launch-skip");
	config->launch_count = config_number(text, "launch-count");
	config->print_limit = config_number(text, "print-limit");
	config->verify = config_is(text, "verify", "all") ? CLAW_VERIFY_ALL :
		config_is(text, "verify", "none") ? CLAW_VERIFY_NONE :
		CLAW_VERIFY_FIRST;
	config_word(text, "kernel-name", config->kernel,
		    sizeof(config->kernel));
	config_word(text, "instrument-cache", config->cache,
		    sizeof(config->cache));
	snprintf(config->helper, sizeof(config->helper), "%s",
		 helper ? helper : "");
	config_word(text, "instrument", config->helper,
		    sizeof(config->helper));
}

void claw_session_read_config(const char *session, uint64_t *ret_capacity)
{
	char *text = session ? claw_session_text(session, "config") : NULL;
	const char *seed = getenv("OPENCLAW_SEED");

	claw_guest.seed = text ? config_number(text, "seed") :
		seed ? strtoull(seed, NULL, 0) : 0;
	claw_guest.nonce = config_number(text, "nonce");
	claw_guest.allow_illegal = config_number(text, "allow_illegal");
	claw_guest.record_queries = config_number(text, "record_queries");
	claw_guest.all_sites = config_number(text, "all_sites");
	claw_guest.record = config_is(text, "record", "full") ? CLAW_RECORD_FULL :
		config_is(text, "record", "last") ? CLAW_RECORD_LAST :
		CLAW_RECORD_NONE;
	claw_guest.ledger = config_is(text, "ledger", "sites") ?
			CLAW_LEDGER_SITES :
		config_is(text, "ledger", "counts") ? CLAW_LEDGER_COUNTS :
		CLAW_LEDGER_OFF;
	claw_guest.find =
		(config_number(text, "lifetime") ? CLAW_FOUND_LIFETIME : 0) |
		(config_number(text, "protect") ? CLAW_FOUND_PROTECT : 0) |
		(config_number(text, "guards") ? CLAW_FOUND_GUARDS : 0) |
		(config_number(text, "early") ? CLAW_FOUND_EARLY : 0);
	read_capture(text);
	read_meters(text);
	read_instrument(text);
	*ret_capacity = config_number(text, "record_capacity");
	claw_guest.mem_timeout_ns = read_mem_timeout_ns();
	free(text);
}

/* Cut off the first rule of text: up to a newline, or a ';' outside quotes. */
static char *next_rule(char **text)
{
	char *start = *text, *p = start;
	bool quoted = false;

	if (!p || !*p)
		return NULL;
	for (; *p && *p != '\n' && (quoted || *p != ';'); p++) {
		if (quoted && *p == '\\' && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
	}
	*text = *p ? p + 1 : p;
	*p = '\0';
	return start;
}

/* Without the space around it. */
static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r");
	length = strlen(text);
	while (length && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
	return text;
}

/* Only the openclaw program can look up a place in compiled code; what it
 * could not find it has told its user. */
static bool is_out_of_place(const struct claw_rule *rule, const char *origin)
{
	if (!*rule->at || rule->pc_count || claw_site_has_python() ||
	    strcmp(origin, "OPENCLAW_FAULTS"))
		return false;
	claw_say("%s: \"%.120s\": at= names a place in compiled code, which "
		 "only the openclaw program can look up; not armed", origin,
		 rule->text);
	return true;
}

/* All rules, or none: half a plan would tell a wrong story. */
static void arm_rules(char *text, const char *origin)
{
	static struct claw_rule rule;
	struct claw_plan_error error;
	char *copy = text ? strdup(text) : NULL;
	char *rest = copy, *line;
	char message[1024];

	while ((line = next_rule(&rest))) {
		line = trim(line);
		if (!*line ||
		    !claw_rule_parse(line, claw_guest.allow_illegal, &rule, &error))
			continue;
		snprintf(message, sizeof(message), "%s: \"%.120s\": column %zu: %s",
			 origin, line, error.column, error.message);
		claw_journal_set_plan_error(message);
		claw_say("%s; no fault is armed", message);
		free(copy);
		return;
	}
	free(copy);
	rest = text;
	while ((line = next_rule(&rest))) {
		line = trim(line);
		if (*line &&
		    !claw_rule_parse(line, claw_guest.allow_illegal, &rule, &error) &&
		    !is_out_of_place(&rule, origin) &&
		    claw_rules_add(&rule) < 0)
			claw_say("%s: more than %d rules; the rest is not armed",
				 origin, CLAW_JOURNAL_MAX_RULES);
	}
}

void claw_session_read_rules(const char *session)
{
	const char *faults = getenv("OPENCLAW_FAULTS");
	char *text = session ? claw_session_text(session, "rules") :
		faults ? strdup(faults) : NULL;

	arm_rules(text, session ? "rules" : "OPENCLAW_FAULTS");
	free(text);
}
