/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which texts a binary was built of: kept when the program asks the driver for
 * the binary, which it does to load it in a later run. Beside the caches that
 * the program keeps it in (session.def, program_cache), and emptied with them:
 * units/KEY.unit, named by the binary's hash.
 *
 *	UNITS  = LINK COUNT UNIT...
 *	UNIT   = DIRECTORY PRINT OPTIONS SOURCE SEPARATE HEADERS (NAME TEXT)...
 *
 * each a field: its length, or "-" for none, a line's end, and that many bytes.
 */
#include "config.h"

#include "instrument_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/trace_hash.h"

/* ---- fields */

static void put_field(FILE *out, const char *text)
{
	if (text)
		fprintf(out, "%zu\n%s", strlen(text), text);
	else
		fputs("-\n", out);
}

static void put_number(FILE *out, unsigned int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	put_field(out, text);
}

/* malloced, or NULL where there is none; false: no such field. */
static bool get_field(const char **at, char **ret_text)
{
	size_t length;
	char *end;

	*ret_text = NULL;
	if (!strncmp(*at, "-\n", 2)) {
		*at += 2;
		return true;
	}
	length = strtoull(*at, &end, 10);
	if (end == *at || *end != '\n' || strnlen(end + 1, length) < length)
		return false;
	*ret_text = strndup(end + 1, length);
	*at = end + 1 + length;
	return *ret_text != NULL;
}

static bool get_number(const char **at, unsigned int *ret_number)
{
	char *text;
	bool done = get_field(at, &text) && text;

	*ret_number = done ? (unsigned int)strtoul(text, NULL, 10) : 0;
	free(text);
	return done;
}

/* ---- units */

static void put_unit(FILE *out, const struct claw_unit *unit)
{
	put_field(out, unit->directory);
	put_field(out, unit->print);
	put_field(out, unit->options);
	put_field(out, unit->source);
	put_number(out, unit->is_separate);
	put_number(out, unit->header_count);
	for (unsigned int i = 0; i < unit->header_count; i++) {
		put_field(out, unit->headers[i].name);
		put_field(out, unit->headers[i].text);
	}
}

static bool get_headers(const char **at, struct claw_unit *unit)
{
	unsigned int count;

	if (!get_number(at, &count))
		return false;
	if (!count)
		return true;
	unit->headers = calloc(count, sizeof(*unit->headers));
	while (unit->headers && unit->header_count < count) {
		struct claw_unit_header *header =
			&unit->headers[unit->header_count++];

		if (!get_field(at, &header->name) ||
		    !get_field(at, &header->text))
			return false;
	}
	return unit->headers != NULL;
}

/* What the text includes is looked for where it was built; that may be gone
 * since, and then it is looked for here. */
static void be_somewhere(struct claw_unit *unit)
{
	if (unit->directory && access(unit->directory, X_OK) == 0)
		return;
	free(unit->directory);
	unit->directory = getcwd(NULL, 0);
}

static struct claw_unit *get_unit(const char **at)
{
	struct claw_unit *unit = calloc(1, sizeof(*unit));
	unsigned int is_separate = 0;
	char *print = NULL;
	bool done;

	if (!unit)
		return NULL;
	unit->users = 1;
	unit->is_of_binary = true;
	done = get_field(at, &unit->directory) && get_field(at, &print) &&
		print && strlen(print) < sizeof(unit->print) &&
		get_field(at, &unit->options) && unit->options &&
		get_field(at, &unit->source) && unit->source &&
		get_number(at, &is_separate) && get_headers(at, unit);
	unit->is_separate = is_separate;
	if (done)
		memcpy(unit->print, print, strlen(print) + 1);
	free(print);
	if (done) {
		be_somewhere(unit);
		return unit;
	}
	claw_unit_put(unit);
	return NULL;
}

/* ---- binaries */

static void key_of(const void *binary, size_t bytes, char key[CLAW_PROBE_KEY])
{
	uint64_t hash[2];

	claw_trace_hash(binary, bytes, hash);
	snprintf(key, CLAW_PROBE_KEY, "%016" PRIx64 "%016" PRIx64, hash[0],
		 hash[1]);
}

bool claw_known_is_on(void)
{
	return *claw_instrument_config.programs;
}

void claw_known_missed(void)
{
	char path[CLAW_INSTRUMENT_PATH + 8];
	int fd;

	if (!claw_known_is_on())
		return;
	snprintf(path, sizeof(path), "%s.stale",
		 claw_instrument_config.programs);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd >= 0)
		close(fd);
}

/* Two texts may be built to the same binary (another comment): then nobody
 * knows which it is of. */
static bool is_another(const char *key, const struct claw_text *units)
{
	struct claw_text before;
	bool is_other;

	if (!claw_units_read(key, &before))
		return false;
	is_other = before.length != units->length ||
		   memcmp(before.bytes, units->bytes, units->length);
	free(before.bytes);
	return is_other;
}

void claw_known_keep(const struct claw_build *build, const void *binary,
		     size_t bytes)
{
	char key[CLAW_PROBE_KEY];
	struct claw_text units;
	FILE *out = open_memstream(&units.bytes, &units.length);

	if (!out)
		return;
	put_field(out, build->link_options);
	put_number(out, build->count);
	for (unsigned int i = 0; i < build->count; i++)
		put_unit(out, build->units[i]);
	if (fclose(out))
		return;
	key_of(binary, bytes, key);
	if (is_another(key, &units)) {
		claw_units_write(key, "", 0);
		claw_known_missed();
	} else {
		claw_units_write(key, units.bytes, units.length);
	}
	free(units.bytes);
}

bool claw_known_find(const void *binary, size_t bytes,
		     struct claw_build *build)
{
	char key[CLAW_PROBE_KEY];
	unsigned int count = 0;
	struct claw_text units;
	const char *at;

	key_of(binary, bytes, key);
	if (!claw_known_is_on() || !claw_units_read(key, &units))
		return false;
	at = units.bytes;
	if (!get_field(&at, &build->link_options) || !get_number(&at, &count) ||
	    count > CLAW_PROBE_PARTS)
		count = 0;
	while (build->count < count) {
		struct claw_unit *unit = get_unit(&at);

		if (!unit)
			break;
		build->units[build->count++] = unit;
	}
	free(units.bytes);
	return count && build->count == count;
}
