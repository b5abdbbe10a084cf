/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a map and the request that it was made of. The main text and headers
 * that the program gave are looked for by their contents; files that were
 * included have their own names.
 */
#include "config.h"

#include "probed_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "kernels/instrument/unit/request.h"
#include "harness/base/errors.h"
#include "harness/readers/symbolize.h"
#include "harness/base/text.h"

enum { FILE_NAME_MAX = 64 };	/* longer ones are of no use in a name */

static void text_free(struct claw_probed_text *text)
{
	if (!text)
		return;
	for (size_t i = 0; text->places && i < text->map.file_count; i++)
		claw_source_places_release(&text->places[i]);
	for (size_t i = 0; text->paths && i < text->map.file_count; i++)
		free(text->paths[i]);
	free(text->places);
	free(text->paths);
	claw_probe_map_release(&text->map);
	free(text->key);
	free(text->why);
	free(text);
}

/* The header that the program gave and that a map calls so. */
static const struct claw_request_text *
find_header(const struct claw_request *request, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < request->header_count; i++) {
		const char *name = request->headers[i].name;
		size_t tail = strlen(name);

		if (length >= tail && strcmp(path + length - tail, name) == 0 &&
		    (length == tail || path[length - tail - 1] == '/'))
			return &request->headers[i];
	}
	return NULL;
}

/* The file's own name, whole where it is there. malloced. */
static char *own_path(const struct claw_request *request, const char *path)
{
	char *whole = *path == '/' ? claw_strdup(path) :
		claw_path_in(request->directory, path);
	char *real = realpath(whole, NULL);

	free(whole);
	return real ? real : claw_strdup(path);
}

/* "KEY-NAME": no folder, nothing strange. */
static void name_header(char *name, size_t size, const char *key,
			const char *header)
{
	size_t at = (size_t)snprintf(name, size, "%s-", key);

	for (const char *c = claw_base_name(header); *c && at + 1 < size; c++)
		name[at++] = (*c >= 'a' && *c <= 'z') ||
			(*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
			*c == '_' ? *c : '_';
	name[at < size ? at : size - 1] = '\0';
}

/* Where an option "-I DIRECTORY" leads there may be texts, too. */
static void add_include_folders(struct claw_source_finder *finder,
				const struct claw_request *request)
{
	const char *at = request->options.text;

	while (at && (at = strstr(at, "-I")) != NULL) {
		bool is_option = at == request->options.text || at[-1] == ' ';
		const char *word = at + 2 + strspn(at + 2, " \"'");
		size_t length = strcspn(word, " \"'");
		char *name = claw_strndup(word, length);
		char *path = own_path(request, name);

		if (is_option && length > 0 && *path == '/')
			claw_source_finder_add(finder, path);
		free(name);
		free(path);
		at += 2;
	}
}

static void add_folder_of(struct claw_source_finder *finder, const char *path)
{
	const char *name = claw_base_name(path);
	char *folder;

	if (*path != '/' || name == path + 1)
		return;
	folder = claw_strndup(path, (size_t)(name - path) - 1);
	claw_source_finder_add(finder, folder);
	free(folder);
}

/* ---- of no file: who gave it to the driver ------------------------------- */

/* "DIR/journal.12.0" of "DIR/probes.12.0.3"; malloced. */
static char *journal_path(const char *probes_path)
{
	char *path = claw_session_sibling(probes_path, "journal");
	char *dot = strrchr(path, '.');

	if (dot)
		*dot = '\0';
	return path;
}

/* "main (tile.c:88)", malloced, or NULL. */
static char *maker_of(struct claw_probed_texts *texts, const char *probes_path,
		      uint32_t number)
{
	struct claw_journal *journal = NULL;
	const struct claw_journal_site *site;
	char *path = number ? journal_path(probes_path) : NULL, *place = NULL;

	if (path && !texts->symbolizer)
		texts->symbolizer = claw_symbolizer_new();
	if (path && claw_journal_read(path, &journal) == 0 &&
	    (site = claw_journal_find_site(journal, number)) != NULL)
		place = claw_site_place(texts->symbolizer, journal, site);
	claw_journal_free(journal);
	free(path);
	return place;
}

/* "tile.c-88-0011aabb" of "main (src/tile.c:88)" and a key; where the place has
 * no line the key alone. */
static void name_rest(char *name, size_t size, const char *place,
		      const char *key)
{
	const char *open = place ? strrchr(place, '(') : NULL;
	const char *colon = open ? strrchr(open, ':') : NULL;
	const char *slash = colon ? memrchr(open, '/', (size_t)(colon - open)) :
		NULL;
	const char *file = slash ? slash + 1 : open ? open + 1 : "";
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;

	if (!line || colon - file > FILE_NAME_MAX) {
		snprintf(name, size, "%s", key);
		return;
	}
	snprintf(name, size, "%.*s-%lu-%.8s", (int)(colon - file), file, line,
		 key);
	for (char *c = name; *c; c++)
		if (*c <= ' ' || *c >= 127 || strchr("\"'`$&;:<>|*?\\", *c))
			*c = '_';
}

static int find_files(struct claw_probed_text *text,
		      struct claw_source_finder *finder, const char *rest,
		      const struct claw_request *request)
{
	int ret = 0;

	add_include_folders(finder, request);
	text->places = claw_calloc(text->map.file_count,
				   sizeof(*text->places));
	text->paths = claw_calloc(text->map.file_count, sizeof(*text->paths));
	/* The main text last: what it includes says where it may be. */
	for (size_t i = text->map.file_count; ret == 0 && i-- > 0;) {
		const char *path = text->map.files[i];
		const struct claw_request_text *given = i == 0 ?
			&request->source : find_header(request, path);
		char name[NAME_MAX / 2];

		if (!given) {
			text->paths[i] = own_path(request, path);
			add_folder_of(finder, text->paths[i]);
			continue;
		}
		if (i == 0)
			snprintf(name, sizeof(name), "%s", rest);
		else
			name_header(name, sizeof(name), text->key, path);
		ret = claw_source_find(finder, given->text, given->bytes, name,
				       &text->places[i]);
	}
	return ret;
}

static void set_why(struct claw_probed_text *text, const char *why)
{
	text->why = claw_strdup(why);
	claw_probe_map_release(&text->map);
}

static int read_text(struct claw_probed_text *text,
		     struct claw_source_finder *finder, const char *rest,
		     const char *map_path, const char *request_path)
{
	struct claw_request request = { .modes = 0 };
	char error[PATH_MAX + 256];
	int ret = claw_probe_map_read(map_path, &text->map, error,
				      sizeof(error));

	if (ret < 0 && ret != -CLAW_E_SYNTAX)
		snprintf(error, sizeof(error), "%s: %s", map_path,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	if (ret < 0 || claw_request_read(request_path, &request, error,
					 sizeof(error)) < 0) {
		set_why(text, error);
		return 0;
	}
	ret = find_files(text, finder, rest, &request);
	claw_request_release(&request);
	return ret;
}

static int make_text(const struct claw_probed_texts *texts,
		     const struct claw_session *session, const char *key,
		     const char *rest, struct claw_probed_text **ret_text)
{
	struct claw_probed_text *text = claw_calloc(1, sizeof(*text));
	char *map_path = claw_format("%s/blobs/%s.map", session->directory,
				     key);
	char *request_path = claw_format("%s/blobs/%s.request",
					 session->directory, key);
	int ret;

	text->key = claw_strdup(key);
	ret = read_text(text, texts->finder, rest, map_path, request_path);
	free(map_path);
	free(request_path);
	if (ret < 0)
		text_free(text);
	else
		*ret_text = text;
	return ret;
}

int claw_probed_texts_get(struct claw_probed_texts *texts,
			  const struct claw_session *session,
			  const char *probes_path,
			  const struct claw_probe_part *part,
			  const struct claw_probed_text **ret_text)
{
	struct claw_probed_text *text = NULL;
	char rest[NAME_MAX / 2], *maker;
	int ret;

	for (size_t i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i]->key, part->key) == 0 &&
		    !texts->items[i]->why) {
			*ret_text = texts->items[i];
			return 0;
		}
	maker = maker_of(texts, probes_path, part->site);
	name_rest(rest, sizeof(rest), maker, part->key);
	free(maker);
	ret = make_text(texts, session, part->key, rest, &text);
	if (ret < 0)
		return ret;
	texts->items = claw_one_more(texts->items, texts->count,
				     sizeof(*texts->items));
	texts->items[texts->count++] = text;
	*ret_text = text;
	return 0;
}

void claw_probed_texts_release(struct claw_probed_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		text_free(texts->items[i]);
	free(texts->items);
	claw_symbolizer_free(texts->symbolizer);
	*texts = (struct claw_probed_texts) { .finder = NULL };
}

const char *claw_probed_text_place(const struct claw_probed_text *text,
				   uint32_t file, uint32_t line,
				   unsigned int *ret_line)
{
	const char *place;

	*ret_line = line;
	if (file >= text->map.file_count)
		return NULL;
	if (text->paths[file])
		return text->paths[file];
	place = claw_source_place(&text->places[file], line, ret_line);
	return place ? place : text->map.files[file];
}
