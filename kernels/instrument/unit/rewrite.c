/* SPDX-License-Identifier: Apache-2.0 */
/* One rewriting from request to text and map: see rewrite.h. */
#include "config.h"

#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "map.h"
#include "harness/base/memory.h"
#include "options.h"
#include "names.h"
#include "preprocess.h"
#include "reads.h"
#include "regions.h"
#include "unreached.h"

void claw_words_init(struct claw_words *words)
{
	memset(words, 0, sizeof(*words));
	words->stream = claw_text_begin(&words->bytes, &words->size);
}

const char *claw_words_text(struct claw_words *words)
{
	if (fflush(words->stream) != 0)
		abort();
	return words->bytes;
}

void claw_words_release(struct claw_words *words)
{
	if (words->stream)
		fclose(words->stream);
	free(words->bytes);
	memset(words, 0, sizeof(*words));
}

const struct claw_probes_kind *claw_rewrite_next_kind(
	const struct claw_rewrite *rewrite, unsigned int *position)
{
	while (rewrite->kinds[*position]) {
		const struct claw_probes_kind *kind =
			rewrite->kinds[(*position)++];

		if (kind->modes & rewrite->request->modes)
			return kind;
	}
	return NULL;
}

/* The request's options without the preprocessor's, each word quoted where it
 * has to be. */
static void write_options(struct claw_rewrite *rewrite)
{
	struct claw_build_options options;
	FILE *out = rewrite->map.stream;

	claw_build_options_parse(rewrite->request->options.text, &options);
	fputs("options", out);
	for (size_t i = 0; i < options.count;) {
		size_t skip = claw_build_options_preprocessor(&options, i);

		if (skip == 0) {
			const char *word = options.words[i++];

			fprintf(out, strpbrk(word, " \t") ? " \"%s\"" : " %s",
				word);
		}
		i += skip;
	}
	fputc('\n', out);
	claw_build_options_release(&options);
}

/* The words of map lines: a newline and a per cent sign are not as they are. */
static void write_last_word(FILE *out, const char *word)
{
	for (; *word; word++) {
		if (*word == '\n' || *word == '%')
			fprintf(out, "%%%02X", (unsigned int)*word);
		else
			fputc(*word, out);
	}
	fputc('\n', out);
}

unsigned int claw_rewrite_file(struct claw_rewrite *rewrite, const char *path)
{
	for (unsigned int i = 0; i < rewrite->file_count; i++)
		if (strcmp(rewrite->files[i], path) == 0)
			return i;
	char **grown = claw_grow(rewrite->files, rewrite->file_count + 1,
				 sizeof(*grown));

	rewrite->files = grown;
	grown[rewrite->file_count] = claw_strdup(path);
	fprintf(rewrite->map.stream, "file %u ", rewrite->file_count);
	write_last_word(rewrite->map.stream, path);
	return rewrite->file_count++;
}

static void release_files(struct claw_rewrite *rewrite)
{
	while (rewrite->file_count)
		free(rewrite->files[--rewrite->file_count]);
	free(rewrite->files);
}

/* The text's head, one line and no more where line markers follow. OpenCL C has
 * no static functions before 1.2: clang refuses them there. */
static char *join(struct claw_rewrite *rewrite, const char *text)
{
	char *made;

	made = claw_format(
		"#ifndef CLAW_C\n#define CLAW_C 0\n#endif\n"
		"#ifndef CLAW_A\n#define CLAW_A 0\n#endif\n"
		"#if __OPENCL_C_VERSION__ >= 120\n"
		"#define __CLAW_STATIC static\n#else\n"
		"#define __CLAW_STATIC __attribute__((internal_linkage))\n"
		"#endif\n"
		"struct __claw_ctx { __global uint *p; %s%s};\n%s%s",
		claw_words_text(&rewrite->fields),
		claw_words_text(&rewrite->own_fields),
		claw_words_text(&rewrite->helpers), text);
	return made;
}

static int rewrite_unit(struct claw_rewrite *rewrite, char **ret_text,
			char **ret_map)
{
	const struct claw_probes_kind *kind;

	fprintf(rewrite->map.stream, "%s\n", CLAW_MAP_FIRST_LINE);
	claw_rewrite_file(rewrite, rewrite->request->name);
	write_options(rewrite);
	rewrite->has_regions = claw_regions_are_in(rewrite);
	claw_regions_rewrite(rewrite);
	for (unsigned int at = 0; (kind = claw_rewrite_next_kind(rewrite, &at));)
		if (kind->rewrite && kind->rewrite(rewrite) < 0)
			return -1;
	if (claw_hidden_rewrite(rewrite) < 0)
		return -1;
	claw_unreached_cut(rewrite);
	fprintf(rewrite->map.stream, "counters %u\naccesses %u\n",
		rewrite->counters, rewrite->accesses);
	claw_reads_write(rewrite->map.stream, rewrite->unit);
	char *text = claw_edits_apply(&rewrite->edits, rewrite->unit->text,
				      rewrite->unit->bytes);
	if (!text) {
		snprintf(rewrite->error, rewrite->error_size,
			 "%s:1:1: two of our changes overlap",
			 rewrite->request->name);
		return -1;
	}
	*ret_text = join(rewrite, text);
	free(text);
	*ret_map = claw_strdup(claw_words_text(&rewrite->map));
	return 0;
}

int claw_rewrite_run(const struct claw_probes_kind *const *kinds,
		     const struct claw_request *request, char **ret_text,
		     char **ret_map, char *error, size_t error_size)
{
	struct claw_unit unit = { .text = NULL };
	struct claw_rewrite rewrite = {
		.kinds = kinds,
		.request = request,
		.unit = &unit,
		.error = error,
		.error_size = error_size,
	};
	if (claw_guard_request(request, error, error_size) < 0)
		return -1;
	char *text = claw_preprocess(request, error, error_size);
	const struct claw_probes_kind *kind;

	if (!text)
		return -1;
	claw_words_init(&rewrite.fields);
	claw_words_init(&rewrite.own_fields);
	claw_words_init(&rewrite.helpers);
	claw_words_init(&rewrite.map);
	int ret = claw_names_check(request, text, error, error_size);

	if (ret < 0)
		free(text);
	else
		ret = claw_unit_parse(&unit, request, text, error, error_size);
	if (ret == 0)
		ret = rewrite_unit(&rewrite, ret_text, ret_map);
	for (unsigned int at = 0; (kind = claw_rewrite_next_kind(&rewrite, &at));)
		if (kind->release)
			kind->release(&rewrite);
	release_files(&rewrite);
	claw_words_release(&rewrite.fields);
	claw_words_release(&rewrite.own_fields);
	claw_words_release(&rewrite.helpers);
	claw_words_release(&rewrite.map);
	claw_edits_release(&rewrite.edits);
	claw_unit_release(&unit);
	return ret;
}
