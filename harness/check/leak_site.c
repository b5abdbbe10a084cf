/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find the frame that a person calls the place of a leak.
 */
#include "config.h"

#include "leak_site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { NAME_FRAMES = 8 };

/* Code that calls OpenCL for others: Khronos' C++ bindings, pyopencl (also
 * what it makes up as it runs, "<generated code ...>"). */
static bool is_binding(const char *file, bool is_python)
{
	static const char *const headers[] = {
		"cl.hpp", "cl2.hpp", "opencl.hpp",
	};

	if (!file)
		return false;
	if (is_python)
		return strstr(file, "/pyopencl/") || *file == '<';
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		if (strcmp(claw_base_name(file), headers[i]) == 0)
			return true;
	return false;
}

/* A binding that is inlined in the program's own function: make the symbol
 * that one. false: it is not. */
static bool leave_binding(struct claw_symbol *symbol)
{
	for (size_t i = 0; i < symbol->caller_count; i++) {
		struct claw_symbol_caller *caller = &symbol->callers[i];

		if (!caller->file || is_binding(caller->file, false))
			continue;
		free(symbol->function);
		free(symbol->file);
		symbol->function = caller->function;
		symbol->file = caller->file;
		symbol->line = caller->line;
		caller->function = caller->file = NULL;
		return true;
	}
	return false;
}

/* The first frame of the program's own; where all are bindings', the first of
 * theirs. */
static bool find_frame(struct claw_symbolizer *symbolizer,
		       const struct claw_journal *journal,
		       const struct claw_journal_site *site,
		       struct claw_symbol *ret_symbol)
{
	struct claw_symbol symbol, first = { .module = NULL };

	for (size_t i = 0; claw_symbolize(symbolizer, journal, site, i,
					  &symbol); i++) {
		if (claw_symbol_is_ours(&symbol)) {
			claw_symbol_release(&symbol);
			continue;
		}
		if (!is_binding(symbol.file, symbol.is_python) ||
		    leave_binding(&symbol)) {
			claw_symbol_release(&first);
			*ret_symbol = symbol;
			return true;
		}
		if (first.module)
			claw_symbol_release(&symbol);
		else
			first = symbol;
	}
	*ret_symbol = first;
	return first.module != NULL;
}

static char *place_text(const struct claw_symbol *symbol)
{
	if (!symbol->is_python || !symbol->file)
		return claw_symbol_place(symbol);
	return claw_format("%s:%u%s%s%s", claw_base_name(symbol->file),
			   symbol->line, symbol->function ? " (" : "",
			   symbol->function ? symbol->function : "",
			   symbol->function ? ")" : "");
}

static void add_word(char ***words, const char *word)
{
	if (word && *word && !claw_list_has(*words, word))
		claw_list_add(words, claw_strdup(word));
}

/* Functions, as the linker and as a person writes them; files; modules. */
static void add_words(char ***words, const struct claw_symbol *symbol)
{
	char *plain = claw_symbol_demangle(symbol->function);

	add_word(words, symbol->function);
	add_word(words, plain);
	free(plain);
	for (const char *in = symbol->inlined_in; in && *in;) {
		const char *end = strstr(in, " < ");
		char *one = end ? claw_strndup(in, (size_t)(end - in)) :
			claw_strdup(in);

		add_word(words, one);
		free(one);
		in = end ? end + 3 : NULL;
	}
	add_word(words, symbol->file);
	add_word(words, symbol->module);
}

static void gather_words(struct claw_symbolizer *symbolizer,
			 const struct claw_journal *journal,
			 const struct claw_journal_site *site, char ***words)
{
	struct claw_symbol symbol;

	for (size_t i = 0; claw_symbolize(symbolizer, journal, site, i,
					  &symbol); i++) {
		add_words(words, &symbol);
		claw_symbol_release(&symbol);
	}
}

char *claw_leak_site_place(struct claw_symbolizer *symbolizer,
			   const struct claw_journal *journal, uint32_t number)
{
	const struct claw_journal_site *site =
		claw_journal_find_site(journal, number);
	struct claw_symbol symbol;
	char *text;

	if (!site || !find_frame(symbolizer, journal, site, &symbol))
		return NULL;
	text = place_text(&symbol);
	claw_symbol_release(&symbol);
	return text;
}

void claw_site_words_find(struct claw_symbolizer *symbolizer,
			  const struct claw_journal *journal, uint32_t number,
			  struct claw_site_words *ret_words)
{
	const struct claw_journal_site *site =
		claw_journal_find_site(journal, number);
	struct claw_symbol symbol;

	*ret_words = (struct claw_site_words) {
		.name = site ? claw_site_name(symbolizer, journal, site,
					      NAME_FRAMES) :
			claw_strdup("unknown"),
		.stack = site ? claw_site_stack(symbolizer, journal, site) :
			claw_strdup(""),
	};
	if (!site || !find_frame(symbolizer, journal, site, &symbol))
		return;
	ret_words->place = place_text(&symbol);
	ret_words->line = symbol.line;
	ret_words->file = symbol.file;
	symbol.file = NULL;
	claw_symbol_release(&symbol);
	gather_words(symbolizer, journal, site, &ret_words->words);
}

void claw_site_words_lead(struct claw_site_words *words, const char *api)
{
	char *name;

	if (!api || !*api || claw_begins(words->name, api))
		return;
	name = claw_format("%s < %s", api, words->name);
	free(words->name);
	words->name = name;
}

void claw_site_words_release(struct claw_site_words *words)
{
	free(words->place);
	free(words->name);
	claw_list_free(words->words);
	free(words->stack);
	free(words->file);
	*words = (struct claw_site_words) { .place = NULL };
}

void claw_leak_site_fill(struct claw_symbolizer *symbolizer,
			 const struct claw_journal *journal, uint32_t number,
			 struct claw_leak *leak)
{
	struct claw_site_words words;

	claw_site_words_find(symbolizer, journal, number, &words);
	leak->place = words.place;
	leak->name = words.name;
	leak->words = words.words;
	leak->stack = words.stack;
	leak->file = words.file;
	leak->line = words.line;
}
