/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a soak: told, counted by signature, and looked at for --stop-on.
 * What comes again and again is told more and more seldom; each event says how
 * often it was since the one before.
 */
#include "config.h"

#include "soak.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/diagnosis.h"
#include "harness/base/memory.h"

static const struct {
	const char *word;
	uint32_t bit;
} stops[] = {
	{ "crash", CLAW_SOAK_STOP_CRASH }, { "hang", CLAW_SOAK_STOP_HANG },
	{ "error", CLAW_SOAK_STOP_ERROR },
	{ "wrong-result", CLAW_SOAK_STOP_WRONG },
	{ "leak", CLAW_SOAK_STOP_LEAK },
	{ "slowdown", CLAW_SOAK_STOP_SLOWDOWN },
	{ "any", CLAW_SOAK_STOP_ANY },
};

uint32_t claw_soak_stop_find(const char *word)
{
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		if (strcmp(stops[i].word, word) == 0)
			return stops[i].bit;
	return 0;
}

const char *claw_soak_stop_word(size_t place)
{
	return place < sizeof(stops) / sizeof(*stops) ? stops[place].word :
							NULL;
}

/* The kinds that are something the program did wrong. */
static uint32_t stop_of(const struct claw_soak_event *event)
{
	if (strcmp(event->kind, "crash") == 0)
		return CLAW_SOAK_STOP_CRASH;
	if (strcmp(event->kind, "hang") == 0)
		return CLAW_SOAK_STOP_HANG;
	if (strcmp(event->kind, "leak") == 0)
		return CLAW_SOAK_STOP_LEAK;
	if (event->injected)
		return 0;
	if (strcmp(event->kind, "exit") == 0 ||
	    strcmp(event->kind, "error") == 0)
		return CLAW_SOAK_STOP_ERROR;
	return strcmp(event->kind, "wrong-result") == 0 ?
		CLAW_SOAK_STOP_WRONG : 0;
}

/* How often something happened, for --metrics. */
static void tally(struct claw_soak *soak, const struct claw_soak_event *event)
{
	const char *code = event->code ? event->code : "";
	struct claw_soak_tally *one = soak->tallies;

	for (size_t i = 0; i < soak->tally_count; i++, one++)
		if (strcmp(one->kind, event->kind) == 0 &&
		    strcmp(one->code, code) == 0 &&
		    one->injected == event->injected) {
			one->count += event->count;
			return;
		}
	if (soak->tally_count == CLAW_SOAK_TALLIES)
		return;
	*one = (struct claw_soak_tally){
		.injected = event->injected, .count = event->count,
	};
	snprintf(one->kind, sizeof(one->kind), "%s", event->kind);
	snprintf(one->code, sizeof(one->code), "%s", code);
	soak->tally_count++;
}

void claw_soak_event(struct claw_soak *soak, struct claw_soak_event *event)
{
	uint32_t stop = stop_of(event);

	event->t_ms = soak->t_ms;
	event->wall_ms = soak->wall_ms;
	event->segment = soak->segment;
	event->run = soak->runs;
	event->count = event->count ? event->count : 1;
	soak->events++;
	tally(soak, event);
	claw_soak_disk_event(soak->disk, event);
	if (stop & ~(uint32_t)CLAW_SOAK_STOP_ERROR ||
	    strcmp(event->kind, "exit") == 0)
		claw_soak_notify(soak, event->kind, event->text);
	if (stop & soak->config->stop_on)
		claw_soak_finish(soak, CLAW_SOAK_STOPPED, "stopped at the "
				 "first %s: %s", event->kind, event->text);
}

void claw_soak_note(struct claw_soak *soak, const char *kind, const char *code,
		    const char *format, ...)
{
	char text[CLAW_SOAK_TEXT];
	struct claw_soak_event event = {
		.kind = kind, .code = code, .text = text,
	};
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	claw_soak_event(soak, &event);
}

bool claw_soak_is_news(uint64_t count, uint64_t told)
{
	return count > told && (told < 8 || count >= 2 * told);
}

/* ---- faults that fired ------------------------------------------------- */

/* One line each, so that they can be counted; of very many the last line has
 * the rest. */
static void tell_rule(struct claw_soak *soak, size_t rule, uint64_t fired,
		      const char *stands)
{
	enum { LINES_MAX = 64 };
	const char *code =
		claw_diagnosis_of_fault(soak->plan->rules.rules[rule].fault);
	char text[CLAW_SOAK_TEXT];

	snprintf(text, sizeof(text), "%s fired (INJECTED)",
		 soak->plan->given[rule]);
	if (fired && code && stands && strcmp(code, stands) == 0)
		fired--;
	for (uint64_t line = 1; fired; line++) {
		struct claw_soak_event event = {
			.kind = "fault", .text = text, .code = code,
			.injected = true, .count = !code || line == LINES_MAX ?
				fired : 1,
		};

		fired -= event.count;
		claw_soak_event(soak, &event);
	}
}

void claw_soak_tell_faults(struct claw_soak *soak,
			   const struct claw_soak_left *left,
			   const char *stands)
{
	for (size_t i = 0; i < left->rule_count; i++)
		tell_rule(soak, i, left->rule_fired[i], stands);
}

/* ---- signatures -------------------------------------------------------- */

static struct claw_soak_signature *find_signature(struct claw_soak *soak,
						  const char *kind,
						  const char *key)
{
	for (size_t i = 0; i < soak->signature_count; i++) {
		struct claw_soak_signature *one = &soak->signatures[i];

		if (strcmp(one->kind, kind) == 0 &&
		    (strcmp(one->key, key) == 0 ||
		     strcmp(one->signature, key) == 0))
			return one;
	}
	return NULL;
}

struct claw_soak_signature *claw_soak_signature_get(struct claw_soak *soak,
						    const char *kind,
						    const char *key)
{
	struct claw_soak_signature *one = find_signature(soak, kind, key);

	if (one || soak->signature_count == CLAW_SOAK_SIGNATURES)
		return one;
	one = &soak->signatures[soak->signature_count];
	*one = (struct claw_soak_signature){
		.key = claw_strdup(key), .signature = claw_strdup(key),
		.kind = claw_strdup(kind), .first_ms = soak->t_ms,
	};
	if (!one->key || !one->signature || !one->kind)
		return NULL;
	soak->signature_count++;
	return one;
}

bool claw_soak_is_dump(const char *path)
{
	size_t length = path ? strlen(path) : 0;

	return length > 4 && strcmp(path + length - 4, ".dmp") == 0;
}

/* The first one that is known stays, or the newest is taken. */
static void keep(char **text, const char *given, bool newest)
{
	char *copy;

	if (!given || (*text && !newest))
		return;
	copy = claw_strdup(given);
	free(*text);
	*text = copy;
}

static void take(struct claw_soak_signature *signature,
		 const struct claw_soak_event *event, uint64_t t_ms,
		 uint64_t count)
{
	signature->count += count;
	signature->injected += event->injected ? count : 0;
	signature->last_ms = t_ms;
	keep(&signature->signature, event->signature, true);
	keep(&signature->code, event->code, false);
	keep(&signature->text, event->text, false);
	keep(&signature->path, event->path, claw_soak_is_dump(event->path) ||
	     !claw_soak_is_dump(signature->path));
}

/* Whoever counts lines counts these: crashes, and whatever has a code. */
static bool is_always_told(const struct claw_soak_event *event)
{
	return event->code || strcmp(event->kind, "crash") == 0 ||
		strcmp(event->kind, "hang") == 0;
}

void claw_soak_signature_add(struct claw_soak *soak,
			     struct claw_soak_signature *signature,
			     const struct claw_soak_event *event)
{
	struct claw_soak_event told = *event;

	if (!signature) {
		soak->other_signatures++;
		if (claw_soak_is_news(soak->other_signatures, 0))
			claw_soak_event(soak, &told);
		return;
	}
	take(signature, event, soak->t_ms, 1);
	if (!is_always_told(&told) && !event->path &&
	    !claw_soak_is_news(signature->count, signature->told))
		return;
	told.signature = signature->signature;
	told.count = signature->count - signature->told;
	signature->told = signature->count;
	claw_soak_event(soak, &told);
}

void claw_soak_remember(struct claw_soak *soak,
			const struct claw_soak_event *event)
{
	struct claw_soak_signature *signature;

	soak->events++;
	tally(soak, event);
	if (strcmp(event->kind, "leak") == 0 && event->signature)
		claw_soak_leaks_recall(&soak->leaks, event->signature,
				       event->text, event->count);
	if (strcmp(event->kind, "crash") != 0 &&
	    strcmp(event->kind, "hang") != 0 &&
	    strcmp(event->kind, "exit") != 0)
		return;
	signature = claw_soak_signature_get(soak, event->kind,
		event->signature ? event->signature : event->text);
	if (!signature)
		return;
	if (!signature->count)
		signature->first_ms = event->t_ms;
	take(signature, event, event->t_ms, event->count);
	signature->told = signature->kept = signature->count;
}

void claw_soak_events_release(struct claw_soak *soak)
{
	for (size_t i = 0; i < soak->signature_count; i++) {
		struct claw_soak_signature *one = &soak->signatures[i];

		free(one->key);
		free(one->signature);
		free(one->kind);
		free(one->code);
		free(one->text);
		free(one->path);
	}
	soak->signature_count = 0;
	claw_soak_leaks_release(&soak->leaks);
}
