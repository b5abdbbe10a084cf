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
#include "faults/shared/kernel_checks.h"
#include "faults/shared/session_keys.h"
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

/* The first: it is none of them. */
static unsigned int word_number(const char *words, const char *word)
{
	int number = claw_fault_find_word(words, word, strlen(word));

	return number < 0 ? 0 : (unsigned int)number;
}

/* "key=value", a line of the config. */
static void read_line(struct claw_session_keys *keys, char *line)
{
	char *value = strchr(line, '=');

	if (!value)
		return;
	*value++ = '\0';
	value[strcspn(value, "\r")] = '\0';
#define NUMBER(key_)							\
	if (!strcmp(line, #key_))					\
		keys->key_ = strtoull(value, NULL, 0);
#define TEXT(key_)							\
	if (!strcmp(line, #key_))					\
		keys->key_ = value;
#define WORD(key_, words_)						\
	if (!strcmp(line, #key_))					\
		keys->key_ = word_number(words_, value);
#include "faults/shared/session.def"
#undef WORD
#undef TEXT
#undef NUMBER
}

/* Texts are in text, which is cut. */
static void read_keys(char *text, struct claw_session_keys *keys)
{
	for (char *line = text, *end; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		read_line(keys, line);
	}
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

static void copy(char *to, size_t size, const char *text)
{
	if (text)
		claw_copy_text(to, size, text, strlen(text));
}

static void take_capture(const struct claw_session_keys *keys)
{
	claw_session_capture.buffers = (enum claw_capture_buffers)keys->capture;
	claw_session_capture.redact = keys->capture_redact;
	claw_session_capture.ring_bytes = keys->capture_ring;
	claw_session_capture.max_bytes = keys->capture_bytes;
	claw_session_capture.launch = keys->capture_launch;
	copy(claw_session_capture.kernel, sizeof(claw_session_capture.kernel),
	     keys->capture_kernel);
	claw_own_session_set_into(keys->capture_into ? keys->capture_into : "");
}

/* What is found in kernels is told with where its buffer comes from. */
static void take_instrument(const struct claw_session_keys *keys)
{
	struct claw_instrument_config *config = &claw_session_instrument;
	const char *asan = getenv("OPENCLAW_ENABLE_GPU_ASAN");
	const char *checks = getenv(CLAW_KERNEL_CHECKS_ENV), *bad;
	uint32_t asked = CLAW_PROBE_ASAN;

	config->modes =
		(keys->coverage == CLAW_COVERAGE_HIT ? CLAW_PROBE_HIT : 0) |
		(keys->coverage == CLAW_COVERAGE_COUNT ? CLAW_PROBE_COUNT : 0) |
		(keys->kernel_arithmetic ? CLAW_PROBE_ARITHMETIC : 0) |
		(keys->kernel_same_value ? CLAW_PROBE_SAME_VALUE : 0) |
		(keys->kernel_checks & CLAW_PROBE_CHECKS);
	if (keys->kernel_arithmetic)
		config->modes |= CLAW_PROBE_ASAN;
	if (asan && strcmp(asan, "1") == 0) {
		if (checks && !claw_kernel_checks_parse(checks, &asked, &bad)) {
			claw_say(CLAW_KERNEL_CHECKS_ENV ": expected one or more of "
				 "%s, with one comma between each, found \"%s\"; "
				 "this run looks for bounds",
				 claw_kernel_checks_names, checks);
			asked = CLAW_PROBE_ASAN;
		}
		config->modes |= asked;
	}
	if (config->modes & CLAW_PROBE_CHECKS) {
		claw_guest.find |= CLAW_FOUND_KERNELS;
		claw_guest.ledger = CLAW_LEDGER_SITES;
	}
	config->launch_skip = keys->launch_skip;
	config->launch_count = keys->launch_count;
	config->print_limit = keys->print_limit;
	config->verify = (enum claw_probe_verify)keys->verify;
	copy(config->kernel, sizeof(config->kernel), keys->kernel_name);
	copy(config->cache, sizeof(config->cache), keys->instrument_cache);
	copy(config->programs, sizeof(config->programs), keys->program_cache);
	copy(config->helper, sizeof(config->helper), keys->instrument ?
	     keys->instrument : getenv("OPENCLAW_INSTRUMENT"));
}

void claw_session_read_config(const char *session, uint64_t *ret_capacity)
{
	char *text = session ? claw_session_text(session, "config") : NULL;
	const char *seed = getenv("OPENCLAW_SEED");
	struct claw_session_keys keys = { .seed = 0 };

	read_keys(text, &keys);
	claw_guest.seed = text ? keys.seed : seed ? strtoull(seed, NULL, 0) : 0;
	claw_guest.nonce = keys.nonce;
	claw_guest.allow_illegal = keys.allow_illegal;
	claw_guest.record_queries = keys.record_queries;
	claw_guest.all_sites = keys.all_sites;
	claw_guest.record = (enum claw_record_mode)keys.record;
	claw_guest.meters = keys.meters;
	/* What these do stands on the ledger. */
	claw_guest.ledger = keys.ledger ? (enum claw_ledger_mode)keys.ledger :
		keys.meters || keys.capture ? CLAW_LEDGER_COUNTS :
		CLAW_LEDGER_OFF;
	claw_guest.find = (keys.lifetime ? CLAW_FOUND_LIFETIME : 0) |
		(keys.protect ? CLAW_FOUND_PROTECT : 0) |
		(keys.guards ? CLAW_FOUND_GUARDS : 0) |
		(keys.early ? CLAW_FOUND_EARLY : 0);
	take_capture(&keys);
	take_instrument(&keys);
	*ret_capacity = keys.record_capacity;
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
