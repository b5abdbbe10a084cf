/* SPDX-License-Identifier: Apache-2.0 */
/* What a preprocessed text says of the files in it: see reads.h. */
#include "config.h"

#include "reads.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "options.h"

struct reads {
	const struct claw_request *request;
	char **folders;		/* of -I */
	char **open;		/* files under way, the innermost last */
	char **paths;		/* each once */
};

/* The folders of -I, in order. */
static char **find_folders(const struct claw_request *request)
{
	struct claw_build_options options;
	char **folders = NULL;

	claw_build_options_parse(request->options.text, &options);
	for (size_t i = 0; i < options.count; i++) {
		const char *word = options.words[i];

		if (strcmp(word, "-I") == 0 && i + 1 < options.count)
			claw_list_add(&folders,
				      claw_strdup(options.words[++i]));
		else if (claw_begins(word, "-I"))
			claw_list_add(&folders, claw_strdup(word + 2));
	}
	claw_build_options_release(&options);
	return folders;
}

static void add_path(struct reads *reads, const char *path)
{
	if (!claw_list_has(reads->paths, path))
		claw_list_add(&reads->paths, claw_strdup(path));
}

/* "b/c.h" of "a/b/c.h" in "a" (or "a/"); NULL: it is not in there. "": the
 * working directory. */
static const char *within(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	while (length > 0 && folder[length - 1] == '/')
		length--;
	if (length == 0 && *folder == '\0')
		return *path == '/' ? NULL : path;
	return strncmp(path, folder, length) == 0 && path[length] == '/' ?
	       path + length + 1 : NULL;
}

/* The places that are searched before the one that the file was found in. */
static void add_places_before(struct reads *reads, const char *path,
			      char *const *places, size_t count)
{
	for (size_t found = 0; found < count; found++) {
		const char *rest = within(path, places[found]);

		for (size_t i = 0; rest && i < found; i++) {
			char *other = *places[i] ?
				claw_path_in(places[i], rest) :
				claw_strdup(rest);

			add_path(reads, other);
			free(other);
		}
	}
}

/* The text at the top of open includes the file at path. */
static void enter(struct reads *reads, const char *path)
{
	size_t depth = 0, count = 1;
	char **places, *from;

	while (reads->open && reads->open[depth])
		depth++;
	while (reads->folders && reads->folders[count - 1])
		count++;
	from = claw_strdup(depth > 0 ? reads->open[depth - 1] : "");
	*(strrchr(from, '/') ? strrchr(from, '/') : from) = '\0';
	places = claw_calloc(count, sizeof(*places));
	places[0] = from;
	for (size_t i = 1; i < count; i++)
		places[i] = reads->folders[i - 1];
	add_path(reads, path);
	add_places_before(reads, path, places, count);
	free(places);
	free(from);
	claw_list_add(&reads->open, claw_strdup(path));
}

/* Back in the file at path. */
static void leave(struct reads *reads, const char *path)
{
	size_t depth = 0;

	while (reads->open && reads->open[depth])
		depth++;
	while (depth > 0 && strcmp(reads->open[depth - 1], path) != 0) {
		free(reads->open[--depth]);
		reads->open[depth] = NULL;
	}
}

/* # LINE "FILE" FLAG: 1, it begins; 2, it goes on. */
static void take_marker(struct reads *reads, const char *at)
{
	const char *quote = strchr(at, '"'), *end = at + strcspn(at, "\n");
	char *name = quote && quote < end ? claw_unit_marker_name(quote) : NULL;
	const char *flag = memrchr(at, '"', (size_t)(end - at));

	if (name && *name != '<' && claw_begins(flag, "\" 1"))
		enter(reads, name);
	else if (name && claw_begins(flag, "\" 2"))
		leave(reads, name);
	free(name);
}

/* No marker tells of what is asked for so, or of a -include. */
static bool asks_for_files(const struct claw_unit *unit)
{
	const struct claw_request *request = unit->request;

	if (strstr(request->source.text, "__has_include") ||
	    strstr(request->options.text, "-include"))
		return true;
	for (size_t i = 0; i < request->header_count; i++)
		if (strstr(request->headers[i].text, "__has_include"))
			return true;
	return false;
}

void claw_reads_write(FILE *out, const struct claw_unit *unit)
{
	struct reads reads = { .request = unit->request };

	if (asks_for_files(unit))
		return;
	reads.folders = find_folders(unit->request);
	for (const char *at = unit->text; *at;
	     at += strcspn(at, "\n"), at += *at == '\n')
		if (claw_begins(at, "# "))
			take_marker(&reads, at);
	for (char **path = reads.paths; path && *path; path++)
		if (!strpbrk(*path, "\n%"))
			fprintf(out, "reads %s\n", *path);
	claw_list_free(reads.folders);
	claw_list_free(reads.open);
	claw_list_free(reads.paths);
}
