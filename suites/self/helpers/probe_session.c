/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose kernels had probes, as far as its session tells:
 *
 *	probe_session PROBES NAME=VALUE... COUNTER...
 *
 * writes such a file of probes for the text MADE_KEY, each COUNTER the count of
 * the next one. Names are those of the header; mode is hit or count, why and
 * key are texts.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "suites/self/lib/probe_maker.h"

static struct made_probes made;

static bool set_number(const char *name, uint64_t value)
{
	struct claw_probe_header *header = &made.header;
	const struct {
		const char *name;
		uint64_t *to;
	} numbers[] = {
		{ "launches", &header->launches },
		{ "plain_kernel", &header->plain_kernel },
		{ "plain_refused", &header->plain_refused },
		{ "unchecked", &header->unchecked },
		{ "partly", &header->partly },
		{ "plain_other", &header->plain_other },
		{ "plain_changed", &header->plain_changed },
		{ "complete", &header->complete },
		{ "pending", &header->pending },
		{ "words", &header->words },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (strcmp(numbers[i].name, name) == 0) {
			*numbers[i].to = value;
			return true;
		}
	if (strcmp(name, "state") == 0)
		header->state = (uint32_t)value;
	return strcmp(name, "state") == 0;
}

static bool set(char *word)
{
	char *value = strchr(word, '=');

	*value++ = '\0';
	if (strcmp(word, "mode") == 0)
		made.header.modes = strcmp(value, "count") == 0 ?
			CLAW_PROBE_COUNT : CLAW_PROBE_HIT;
	else if (strcmp(word, "why") == 0)
		snprintf(made.header.why, sizeof(made.header.why), "%s",
			 value);
	else if (strcmp(word, "key") == 0)
		snprintf(made.parts[0].key, sizeof(made.parts[0].key), "%s",
			 value);
	else
		return set_number(word, strtoull(value, NULL, 10));
	return true;
}

int main(int argc, char **argv)
{
	unsigned int counter = 0;
	FILE *out;

	made_probes_init(&made, CLAW_PROBE_HIT);
	for (int i = 2; i < argc; i++)
		if (!strchr(argv[i], '='))
			made_probes_set(&made, counter++, (uint32_t)
					strtoul(argv[i], NULL, 10));
		else if (!set(argv[i]))
			return 64;
	out = argc > 1 ? fopen(argv[1], "wb") : NULL;
	if (!out || fwrite(&made, sizeof(made), 1, out) != 1 ||
	    fclose(out) != 0)
		return 99;
	return 0;
}
