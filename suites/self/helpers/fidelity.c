/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a device model do what was recorded of the device?
 *
 *	fidelity RECORDING TOLD
 *
 * RECORDING has a line of device_faults a run, TOLD the lines that it printed
 * under the model, in the same order. Prints what differs, and matched/total
 * per trigger. Two threads told the recorded context's callback: their order
 * is set aside, and so are texts that one thread tore or overwrote while the
 * other wrote; how many lines needed that is said. Exit status 0 when all
 * match.
 */
#include "config.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIGGERS = 32, MAX_TEXTS = 64, LINE_BYTES = 1 << 16 };

static struct tally {
	char name[32];
	unsigned int matched, total, torn;
} tallies[MAX_TRIGGERS];

struct texts {
	char *copy;
	char *items[MAX_TEXTS];
	unsigned int count;
};

static const char *text_of(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text ? text : "";
}

static void split(const char *text, struct texts *texts)
{
	char *at = strdup(text), *bar;

	texts->copy = at;
	texts->count = 0;
	while (at && *at && texts->count < MAX_TEXTS) {
		texts->items[texts->count++] = at;
		bar = strstr(at, " | ");
		if (bar)
			*bar = '\0';
		at = bar ? bar + 3 : NULL;
	}
}

/* A text that nobody else was ever told is a torn one. */
static bool is_whole(const char *text, json_t *const *all, size_t count)
{
	unsigned int lines = 0;

	for (size_t i = 0; i < count; i++)
		lines += strstr(text_of(all[i], "notify"), text) != NULL;
	return lines > 1;
}

/* Take one like it out of the texts. */
static bool take(struct texts *texts, const char *text)
{
	for (unsigned int i = 0; i < texts->count; i++)
		if (!strcmp(texts->items[i], text)) {
			texts->items[i] = texts->items[--texts->count];
			return true;
		}
	return false;
}

/* Two texts may be in a torn one, and one may be overwritten altogether. */
static bool same_texts(const json_t *recorded, const json_t *told,
		       json_t *const *all, size_t count, bool *ret_torn)
{
	struct texts wanted, left;
	unsigned int torn = 0;
	bool good = true;

	split(text_of(recorded, "notify"), &wanted);
	split(text_of(told, "notify"), &left);
	for (unsigned int i = 0; i < wanted.count && good; i++) {
		if (take(&left, wanted.items[i]))
			continue;
		torn++;
		good = !is_whole(wanted.items[i], all, count);
	}
	*ret_torn = torn || left.count;
	good = good && left.count <= 2 * torn + 1;
	free(wanted.copy);
	free(left.copy);
	return good;
}

/* The first step that differs, said; true: none does. */
static bool same_steps(const json_t *recorded, const json_t *told)
{
	const json_t *a = json_object_get(recorded, "steps");
	const json_t *b = json_object_get(told, "steps");
	size_t count = json_array_size(a), i;
	bool good = count == json_array_size(b);

	for (i = 0; i < count; i++) {
		const json_t *want = json_array_get(a, i);
		const json_t *got = json_array_get(b, i);

		if (json_equal(want, got))
			continue;
		good = false;
		printf("  %s %s: step %zu is %s = %lld, recorded %s = %lld\n",
		       text_of(recorded, "trigger"), text_of(recorded, "first"),
		       i + 1, json_string_value(json_array_get(got, 0)) ?
		       json_string_value(json_array_get(got, 0)) : "missing",
		       (long long)json_integer_value(json_array_get(got, 1)),
		       json_string_value(json_array_get(want, 0)),
		       (long long)json_integer_value(json_array_get(want, 1)));
	}
	return good;
}

static bool same_number(const json_t *recorded, const json_t *told,
			const char *key)
{
	long long want = json_integer_value(json_object_get(recorded, key));
	long long got = json_integer_value(json_object_get(told, key));

	if (want != got)
		printf("  %s %s: %s is %lld, recorded %lld\n",
		       text_of(recorded, "trigger"), text_of(recorded, "first"),
		       key, got, want);
	return want == got;
}

static struct tally *tally_of(const char *name)
{
	unsigned int i = 0;

	while (i < MAX_TRIGGERS - 1 && *tallies[i].name &&
	       strcmp(tallies[i].name, name))
		i++;
	snprintf(tallies[i].name, sizeof(tallies[i].name), "%s", name);
	return &tallies[i];
}

static void compare(const json_t *recorded, const json_t *told,
		    json_t *const *all, size_t count)
{
	struct tally *tally = tally_of(text_of(recorded, "trigger"));
	bool torn = false, good;

	tally->total++;
	if (!told) {
		printf("  %s %s: nothing was told\n",
		       text_of(recorded, "trigger"), text_of(recorded, "first"));
		return;
	}
	good = same_steps(recorded, told);
	good &= same_number(recorded, told, "event_callback_count");
	good &= same_number(recorded, told, "event_callback_status");
	if (!same_texts(recorded, told, all, count, &torn)) {
		printf("  %s %s: the context was told \"%s\", recorded "
		       "\"%s\"\n", text_of(recorded, "trigger"),
		       text_of(recorded, "first"), text_of(told, "notify"),
		       text_of(recorded, "notify"));
		good = false;
	}
	tally->matched += good;
	tally->torn += good && torn;
}

static json_t **read_lines(const char *path, size_t *ret_count)
{
	static char line[LINE_BYTES];
	FILE *in = fopen(path, "r");
	json_t **all = NULL;

	*ret_count = 0;
	if (!in) {
		perror(path);
		exit(99);
	}
	while (fgets(line, sizeof(line), in)) {
		all = realloc(all, (*ret_count + 1) * sizeof(*all));
		if (!all)
			exit(99);
		all[(*ret_count)++] = json_loads(line, 0, NULL);
	}
	fclose(in);
	return all;
}

/* The line of that run; NULL: it told nothing. */
static const json_t *find_run(json_t *const *told, size_t count,
			      const json_t *recorded)
{
	for (size_t i = 0; i < count; i++)
		if (told[i] &&
		    !strcmp(text_of(told[i], "trigger"),
			    text_of(recorded, "trigger")) &&
		    !strcmp(text_of(told[i], "first"),
			    text_of(recorded, "first")))
			return told[i];
	return NULL;
}

int main(int argc, char **argv)
{
	size_t count, told_count;
	json_t **recorded, **told;
	bool good = true;

	if (argc != 3)
		return 64;
	recorded = read_lines(argv[1], &count);
	told = read_lines(argv[2], &told_count);
	for (size_t i = 0; i < count; i++)
		compare(recorded[i], find_run(told, told_count, recorded[i]),
			recorded, count);
	for (struct tally *tally = tallies; *tally->name; tally++) {
		printf("%s: %u/%u", tally->name, tally->matched, tally->total);
		if (tally->torn)
			printf(" (%u with a torn or lost text)", tally->torn);
		putchar('\n');
		good = good && tally->matched == tally->total;
	}
	for (size_t i = 0; i < count; i++)
		json_decref(recorded[i]);
	for (size_t i = 0; i < told_count; i++)
		json_decref(told[i]);
	free(recorded);
	free(told);
	return good ? 0 : 1;
}
