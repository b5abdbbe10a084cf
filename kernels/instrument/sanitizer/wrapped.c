/* SPDX-License-Identifier: Apache-2.0 */
/* Which ranges of the text have a check already: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"
#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct claw_done *find_done(struct claw_done *table, size_t room,
				   size_t start, size_t end)
{
	size_t at = (start * 31 + end) % room;

	while (table[at].end && (table[at].start != start ||
				 table[at].end != end))
		at = (at + 1) % room;
	return &table[at];
}

static void grow(struct claw_sanitizer *sanitizer)
{
	size_t room = 2 * sanitizer->done_room + 1021;
	struct claw_done *table = claw_calloc(room, sizeof(*table));

	for (size_t i = 0; i < sanitizer->done_room; i++) {
		const struct claw_done *done = &sanitizer->done[i];

		if (done->end)
			*find_done(table, room, done->start, done->end) = *done;
	}
	free(sanitizer->done);
	sanitizer->done = table;
	sanitizer->done_room = room;
}

/* False: it is there already. */
static bool add_done(struct claw_sanitizer *sanitizer, size_t start, size_t end)
{
	if (2 * sanitizer->done_count >= sanitizer->done_room)
		grow(sanitizer);
	struct claw_done *entry = find_done(sanitizer->done,
					    sanitizer->done_room, start, end);

	if (entry->end)
		return false;
	*entry = (struct claw_done){ start, end };
	sanitizer->done_count++;
	return true;
}

/* All its brackets are in it. */
static bool is_closed(const char *text, const struct claw_node *node)
{
	int depth = 0;

	for (size_t i = node->start; i < node->end; i++) {
		if (strchr("([{", text[i]) && text[i])
			depth++;
		else if (strchr(")]}", text[i]) && text[i] && --depth < 0)
			return false;
	}
	return depth == 0;
}

bool claw_wrapped_add(struct claw_body *body, const struct claw_node *node)
{
	struct claw_sanitizer *sanitizer = body->sanitizer;

	return node->end > node->start &&
		is_closed(sanitizer->rewrite->unit->text, node) &&
		add_done(sanitizer, node->start, node->end);
}
