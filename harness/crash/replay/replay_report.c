/* SPDX-License-Identifier: Apache-2.0 */
/* See replay_report.h. */
#include "config.h"

#include "replay_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/crash/player/player_report.h"

enum { SHOWN_LINES = 5 };	/* of each kind; the rest is counted */

/* Lines that a person is shown. */
struct kind {
	const char *word, *verb;
	unsigned int count;
};

static void say(FILE *out, struct kind *kind, const char *number,
		const char *text)
{
	kind->count++;
	if (kind->count > SHOWN_LINES)
		return;
	if (strtoul(number, NULL, 10))
		fprintf(out, "call #%s %s: %s\n", number, kind->verb, text);
	else
		fprintf(out, "%s: %s\n", kind->verb, text);
}

static void add_read(struct claw_replay_result *result, const char *number,
		     const char *text)
{
	struct claw_replay_read *made;
	char *end;

	result->reads = claw_grow(result->reads, result->read_count + 1,
				  sizeof(*made));
	made = &result->reads[result->read_count++];
	made->number = (uint32_t)strtoul(number, NULL, 10);
	made->bytes = strtoull(text, &end, 10);
	snprintf(made->hash, sizeof(made->hash), "%s",
		 *end == ' ' ? end + 1 : "");
}

static struct kind *find_kind(struct kind *kinds, const char *word)
{
	while (kinds->word && strcmp(kinds->word, word) != 0)
		kinds++;
	return kinds->word ? kinds : NULL;
}

static void take_line(struct claw_replay_result *result, struct kind *kinds,
		      FILE *out, char *line, char **ret_cannot)
{
	char *number = strchr(line, '\t');
	char *text = number ? strchr(number + 1, '\t') : NULL;
	struct kind *kind;

	if (!text)
		return;
	*number++ = '\0';
	*text++ = '\0';
	text[strcspn(text, "\n")] = '\0';
	kind = find_kind(kinds, line);
	if (kind)
		say(out, kind, number, text);
	else if (strcmp(line, CLAW_PLAYER_DONE) == 0)
		result->is_complete = true;
	else if (strcmp(line, CLAW_PLAYER_READ) == 0)
		add_read(result, number, text);
	else if (strcmp(line, CLAW_PLAYER_DEVICE) == 0 && !result->device)
		result->device = claw_strdup(text);
	else if (strcmp(line, CLAW_PLAYER_CANNOT) == 0 && !*ret_cannot)
		*ret_cannot = claw_strdup(text);
}

static void say_more(FILE *out, const struct kind *kinds)
{
	for (; kinds->word; kinds++)
		if (kinds->count > SHOWN_LINES)
			fprintf(out, "%u more %s\n",
				kinds->count - SHOWN_LINES, kinds->verb);
}

void claw_replay_report_read(const char *path,
			     struct claw_replay_result *result,
			     char **ret_cannot)
{
	struct kind kinds[] = {
		{ CLAW_PLAYER_SKIPPED, "left out", 0 },
		{ CLAW_PLAYER_MADE_UP, "with made-up contents", 0 },
		{ CLAW_PLAYER_DIFFERS, "returned something else", 0 },
		{ CLAW_PLAYER_UNFIRED, "not injected", 0 },
		{ CLAW_PLAYER_ADAPTED, "done differently", 0 },
		{ NULL, NULL, 0 },
	};
	FILE *in = claw_outside_fopen(path), *out;
	char *line = NULL, *text = NULL;
	size_t room = 0, size;

	*ret_cannot = NULL;
	if (!in)
		return;
	out = claw_text_begin(&text, &size);
	while (claw_getline(&line, &room, in) > 0)
		take_line(result, kinds, out, line, ret_cannot);
	say_more(out, kinds);
	result->skipped = kinds[0].count;
	result->synthesised = kinds[1].count;
	result->differing = kinds[2].count;
	claw_text_end(out);
	free(result->why);
	result->why = text;
	free(line);
	fclose(in);
}
