/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the guest needs of a map (kernels/instrument/unit/map.h): how much there is,
 * what a kernel's hidden arguments are, what an access is. The text is looked
 * through each time.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 10, LINE_BYTES = 2048 };

/* A line, cut into words; the last one goes to its end. */
struct line {
	unsigned int count;
	char *words[WORDS_MAX];
	char text[LINE_BYTES];
};

/* "%0A" and "%25" of the last word. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (!strncmp(text, "%0A", 3) || !strncmp(text, "%25", 3)) {
			*to++ = text[1] == '0' ? '\n' : '%';
			text += 2;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* The line at *text, of at most so many words; *text goes behind it. */
static void cut(const char **text, unsigned int max, struct line *line)
{
	size_t length = strcspn(*text, "\n");
	size_t kept = length < LINE_BYTES ? length : LINE_BYTES - 1;
	char *at = line->text;

	memcpy(at, *text, kept);
	at[kept] = '\0';
	*text += length + ((*text)[length] == '\n');
	for (line->count = 0; at && line->count < max;) {
		line->words[line->count++] = at;
		at = line->count < max ? strchr(at, ' ') : NULL;
		if (at)
			*at++ = '\0';
	}
	unescape(line->words[line->count - 1]);
}

/* The next line that begins with this word; false: there is none. */
static bool find(const char **text, const char *word, unsigned int words,
		 struct line *line)
{
	size_t length = strlen(word);

	while (**text) {
		if (!strncmp(*text, word, length) && (*text)[length] == ' ') {
			cut(text, words, line);
			if (line->count == words)
				return true;
		} else {
			*text += strcspn(*text, "\n");
			*text += **text == '\n';
		}
	}
	return false;
}

static uint32_t number(const char *word)
{
	return (uint32_t)strtoul(word, NULL, 10);
}

static void copy(char *to, size_t size, const char *from)
{
	claw_copy_text(to, size, from, strlen(from));
}

bool claw_map_counts(const char *map, uint32_t *ret_counters,
		     uint32_t *ret_accesses)
{
	const char *at = map, *again = map;
	struct line line;

	if (strncmp(map, "openclaw-map 1\n", 15) ||
	    !find(&at, "counters", 2, &line))
		return false;
	*ret_counters = number(line.words[1]);
	if (!find(&again, "accesses", 2, &line))
		return false;
	*ret_accesses = number(line.words[1]);
	return true;
}

static enum claw_map_space space_of(const char *word)
{
	return !strcmp(word, "local") ? CLAW_MAP_LOCAL :
	       !strcmp(word, "image") ? CLAW_MAP_IMAGE :
	       !strcmp(word, "sampler") ? CLAW_MAP_SAMPLER : CLAW_MAP_MEMORY;
}

static void find_sizes(const char *map, const char *name,
		       struct claw_map_kernel *kernel)
{
	struct line line;

	while (kernel->size_count < CLAW_PROBE_SIZES &&
	       find(&map, "size", 5, &line))
		if (!strcmp(line.words[1], name))
			kernel->sizes[kernel->size_count++] =
				(struct claw_map_size){
					.index = number(line.words[2]),
					.argument = number(line.words[3]),
					.space = space_of(line.words[4]),
				};
}

static void find_shades(const char *map, const char *name,
			struct claw_map_kernel *kernel)
{
	const char *at = map;
	struct line line;

	while (find(&at, "shadow", 5, &line))
		if (!strcmp(line.words[1], name)) {
			kernel->shadow = number(line.words[2]);
			kernel->shadow_local = number(line.words[3]);
			kernel->has_orders = !strcmp(line.words[4], "orders");
			kernel->has_globals = !strcmp(line.words[4], "globals");
		}
	while (kernel->shade_count < CLAW_PROBE_ARGUMENTS &&
	       find(&map, "shade", 7, &line))
		if (!strcmp(line.words[1], name))
			kernel->shades[kernel->shade_count++] =
				(struct claw_map_shade){
					.index = number(line.words[2]),
					.argument = number(line.words[3]),
					.is_local = !strcmp(line.words[4],
							    "local"),
					.shift = number(line.words[5]),
					.is_changed = !strcmp(line.words[6],
							      "write"),
				};
}

static void find_cells(const char *map, const char *name,
		       struct claw_map_kernel *kernel)
{
	const char *at = map;
	struct line line;

	while (find(&at, "cells", 5, &line))
		if (!strcmp(line.words[1], name)) {
			kernel->cells = number(line.words[2]);
			kernel->cells_local = number(line.words[3]);
			kernel->is_wild = strstr(line.words[4], "global");
			kernel->is_wild_own = strstr(line.words[4], "own");
		}
	while (kernel->cell_count < CLAW_PROBE_ARGUMENTS &&
	       find(&map, "cell", 7, &line))
		if (!strcmp(line.words[1], name))
			kernel->cell[kernel->cell_count++] =
				(struct claw_map_cell){
					.index = number(line.words[2]),
					.argument = number(line.words[3]),
					.is_local = !strcmp(line.words[4],
							    "local"),
					.shift = number(line.words[5]),
					.is_asked = strcmp(line.words[6],
							   "none"),
				};
}

static void find_uses(const char *map, const char *name,
		      struct claw_map_kernel *kernel)
{
	static const char *const words[] = { "", "none", "read", "write" };
	struct line line;

	while (find(&map, "argument", 4, &line))
		for (int use = CLAW_USE_NONE; use <= CLAW_USE_WRITE; use++)
			if (!strcmp(line.words[1], name) &&
			    !strcmp(line.words[3], words[use]) &&
			    number(line.words[2]) < CLAW_PROBE_ARGUMENTS)
				kernel->uses[number(line.words[2])] =
					(uint8_t)use;
}

static void find_reason(const char *map, const char *name,
			char why[CLAW_PROBE_WHY])
{
	struct line line;

	while (find(&map, "plain", 5, &line))
		if (!strcmp(line.words[1], name)) {
			claw_probe_why(why, "%s:%s: %s", line.words[2],
				       line.words[3], line.words[4]);
			return;
		}
	claw_probe_why(why, "kernel %s is not in the map", name);
}

bool claw_map_blind(const char *map, const char *name, char why[CLAW_PROBE_WHY])
{
	struct line line;

	while (find(&map, "blind", 5, &line))
		if (!strcmp(line.words[1], name)) {
			claw_probe_why(why, !strncmp(line.words[4], "barriers: ",
						     10) ?
				       "kernel %s: not all conditions can be "
				       "checked, %s" :
				       "kernel %s: no access can be "
				       "checked, such as %s", name,
				       line.words[4]);
			return true;
		}
	return false;
}

bool claw_map_partly(const char *map, const char *name, char why[CLAW_PROBE_WHY])
{
	struct line line;

	while (find(&map, "partly", 5, &line))
		if (!strcmp(line.words[1], name)) {
			claw_probe_why(why, "kernel %s: %s", name,
				       line.words[4]);
			return true;
		}
	return false;
}

bool claw_map_kernel(const char *map, const char *name,
		     struct claw_map_kernel *ret_kernel,
		     char why[CLAW_PROBE_WHY])
{
	const char *at = map;
	struct line line;

	while (find(&at, "kernel", 4, &line)) {
		if (strcmp(line.words[1], name))
			continue;
		*ret_kernel = (struct claw_map_kernel){
			.arguments = number(line.words[2]),
			.words = number(line.words[3]), .launch = -1,
			.shadow = -1, .cells = -1,
		};
		find_sizes(map, name, ret_kernel);
		find_shades(map, name, ret_kernel);
		find_cells(map, name, ret_kernel);
		find_uses(map, name, ret_kernel);
		for (at = map; find(&at, "launch", 3, &line);)
			if (!strcmp(line.words[1], name))
				ret_kernel->launch = number(line.words[2]);
		return true;
	}
	find_reason(map, name, why);
	return false;
}

bool claw_map_reach(const char **map, const char *name, uint32_t *ret_first,
		    uint32_t *ret_count)
{
	struct line line;

	while (find(map, "reach", 4, &line)) {
		if (strcmp(line.words[3], name))
			continue;
		*ret_first = number(line.words[1]);
		*ret_count = number(line.words[2]);
		return true;
	}
	return false;
}

bool claw_map_leaves(const char *map, const char *name)
{
	struct line line;

	while (find(&map, "leaves", 2, &line))
		if (!strcmp(line.words[1], name))
			return true;
	return false;
}

bool claw_map_access(const char *map, uint32_t wanted,
		     struct claw_map_access *ret_access)
{
	const char *at = map;
	struct line line;
	char file[16];

	do {
		if (!find(&at, "access", WORDS_MAX, &line))
			return false;
	} while (number(line.words[1]) != wanted);
	copy(file, sizeof(file), line.words[2]);
	ret_access->line = number(line.words[3]);
	ret_access->column = number(line.words[4]);
	copy(ret_access->kind, sizeof(ret_access->kind), line.words[5]);
	copy(ret_access->space, sizeof(ret_access->space), line.words[6]);
	ret_access->is_float = !strncmp(line.words[6], "image", 5) &&
			       number(line.words[7]) == 1;
	copy(ret_access->function, sizeof(ret_access->function),
	     line.words[8]);
	/* The text behind it is of no use here. */
	line.words[9][strcspn(line.words[9], " ")] = '\0';
	copy(ret_access->object, sizeof(ret_access->object), line.words[9]);
	copy(ret_access->file, sizeof(ret_access->file), "?");
	for (at = map; find(&at, "file", 3, &line);)
		if (!strcmp(line.words[1], file))
			copy(ret_access->file, sizeof(ret_access->file),
			     line.words[2]);
	return true;
}
