/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolise the frames of a journal with libdwfl, from the files that are on
 * disk now: only where their build-id is the one the guest saw.
 */
#include "config.h"

#include "symbolize.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dwfl_lines.h"
#include "dwfl_offline.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { MODULES_MAX = 128 };

struct opened {
	char *path;
	uint8_t build_id[CLAW_JOURNAL_BUILD_ID_BYTES];
	uint32_t build_id_bytes;
	bool is_changed;
	Dwfl *dwfl;		/* or NULL: cannot be read */
	Dwfl_Module *module;
};

struct claw_symbolizer {
	struct opened modules[MODULES_MAX];
	size_t count;
};

/* Is the file still the one with that build-id? Without one it cannot be
 * told, and is believed. */
static bool same_build(Dwfl_Module *module,
		       const struct claw_journal_module *seen)
{
	const unsigned char *id;
	GElf_Addr at;
	int size = dwfl_module_build_id(module, &id, &at);

	if (seen->build_id_bytes == 0 || size <= 0)
		return seen->build_id_bytes == 0 && size <= 0;

	size_t compared = seen->build_id_bytes < sizeof(seen->build_id) ?
		seen->build_id_bytes : sizeof(seen->build_id);

	return (size_t)size >= compared &&
		memcmp(id, seen->build_id, compared) == 0;
}

/* A journal may be another machine's, or made to harm: what opens for ever, or
 * does something when it is opened, is left alone. */
static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The same build, where a person or a server has it. */
static bool open_elsewhere(struct opened *opened)
{
	size_t bytes = opened->build_id_bytes < sizeof(opened->build_id) ?
		opened->build_id_bytes : sizeof(opened->build_id);

	opened->dwfl = claw_dwfl_open_build(opened->path, opened->build_id,
					    bytes, &opened->module);
	return opened->dwfl;
}

static struct opened *open_module(struct claw_symbolizer *s, const char *path,
				  const struct claw_journal_module *seen)
{
	for (size_t i = 0; i < s->count; i++) {
		struct opened *old = &s->modules[i];

		if (strcmp(old->path, path) == 0 &&
		    old->build_id_bytes == seen->build_id_bytes &&
		    memcmp(old->build_id, seen->build_id,
			   sizeof(old->build_id)) == 0)
			return old;
	}
	if (s->count == MODULES_MAX)
		return NULL;

	struct opened *new = &s->modules[s->count];

	*new = (struct opened) { .path = claw_strdup(path) };
	memcpy(new->build_id, seen->build_id, sizeof(new->build_id));
	new->build_id_bytes = seen->build_id_bytes;
	new->dwfl = is_file(path) ? claw_dwfl_open(path, &new->module) : NULL;
	if (new->dwfl && !same_build(new->module, seen)) {
		dwfl_end(new->dwfl);
		new->dwfl = NULL;
		new->is_changed = true;
	}
	if (!new->dwfl && open_elsewhere(new))
		new->is_changed = false;
	s->count++;
	return new;
}

static char *copy(const char *text)
{
	return text && *text ? claw_strdup(text) : NULL;
}

void claw_symbol_cut(char *name)
{
	static const char *const suffixes[] = {
		"@", ".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.",
		".llvm.", " [clone ",
	};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		char *at = strstr(name, suffixes[i]);

		if (at && at > name)
			*at = '\0';
	}
}

/* Where in its caller an inlined function is; the caller is not known yet. */
static struct claw_symbol_caller call_place(Dwarf_Die *inlined)
{
	struct claw_symbol_caller place = { .function = NULL };
	Dwarf_Attribute attribute;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute),
			    &line) != 0 ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute),
			    &file) != 0)
		return place;
	place.line = (unsigned int)line;
	if (dwarf_diecu(inlined, &unit, NULL, NULL) &&
	    dwarf_getsrcfiles(&unit, &files, &count) == 0 && file < count)
		place.file = copy(dwarf_filesrc(files, (size_t)file, NULL,
						NULL));
	return place;
}

static void add_caller(struct claw_symbol *symbol, const char *name,
		       struct claw_symbol_caller caller)
{
	symbol->callers = claw_one_more(symbol->callers, symbol->caller_count,
					sizeof(*symbol->callers));
	caller.function = claw_strdup(name);
	symbol->callers[symbol->caller_count++] = caller;
}

/* Of an inlined function: its own name, and those it is inlined in. */
static void fill_inlined(Dwfl_Module *module, GElf_Addr at,
			 struct claw_symbol *symbol)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = claw_dwfl_unit(module, at, &bias);
	Dwarf_Die *scopes = NULL, *nested = NULL, *inlined = NULL;
	struct claw_symbol_caller place = { .function = NULL };
	int count = unit ? dwarf_getscopes(unit, at - bias, &scopes) : 0;
	size_t size;
	FILE *out = NULL;

	for (int i = 0; i < count && !inlined; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag == DW_TAG_inlined_subroutine)
			inlined = &scopes[i];
	}
	/* The scopes of the copy itself, not of what it is a copy of. */
	count = inlined ? dwarf_getscopes_die(inlined, &nested) : 0;
	for (int i = 0; i < count; i++) {
		int tag = dwarf_tag(&nested[i]);
		const char *name = dwarf_diename(&nested[i]);

		if ((tag != DW_TAG_inlined_subroutine &&
		     tag != DW_TAG_subprogram) || !name)
			continue;
		if (i == 0) {
			free(symbol->function);
			symbol->function = copy(name);
			out = claw_text_begin(&symbol->inlined_in, &size);
			place = call_place(&nested[i]);
			continue;
		}
		if (out)
			fprintf(out, "%s%s", ftell(out) > 0 ? " < " : "", name);
		add_caller(symbol, name, place);
		place = (struct claw_symbol_caller) { .function = NULL };
		if (tag == DW_TAG_subprogram)
			break;
		place = call_place(&nested[i]);
	}
	free(place.file);
	if (out)
		claw_text_end(out);
	if (symbol->inlined_in && !*symbol->inlined_in) {
		free(symbol->inlined_in);
		symbol->inlined_in = NULL;
	}
	free(scopes);
	free(nested);
}

/* Of the loader, of libraries that every program has, or the guest itself. */
static bool is_our_module(const char *path)
{
	static const char *const names[] = {
		"libopenclaw-layer.so", "libOpenCL.so", "libOpenCL-",
		"libc.so", "libc-", "libpthread", "ld-linux", "libm.so", "linux-vdso",
		"libstdc++.so", "libgcc_s.so", "libc++",
	};
	const char *name = claw_base_name(path);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (claw_begins(name, names[i]))
			return true;
	return false;
}

static void fill_native(const struct opened *opened,
			struct claw_symbol *symbol)
{
	GElf_Addr bias;

	symbol->is_changed = opened->is_changed;
	if (!opened->dwfl || !dwfl_module_getelf(opened->module, &bias))
		return;

	GElf_Addr at = symbol->offset + bias;
	int line;

	symbol->function = copy(dwfl_module_addrname(opened->module, at));
	if (symbol->function) {
		symbol->is_part = strstr(symbol->function, ".part.") != NULL;
		claw_symbol_cut(symbol->function);
	}
	/* To read the C library's debug information takes longer than all
	 * else, and nobody looks for a mistake there. */
	if (!symbol->module || is_our_module(symbol->module))
		return;
	fill_inlined(opened->module, at, symbol);
	symbol->file = copy(claw_dwfl_line(opened->module, at, &line));
	symbol->line = line > 0 ? (unsigned int)line : 0;
}

char *claw_symbol_demangle(const char *name)
{
	static char *(*demangle)(const char *, char *, size_t *, int *);
	static bool tried;
	int status;

	if (!name || !claw_begins(name, "_Z"))
		return NULL;
	if (!tried) {
		void *library = dlopen("libstdc++.so.6", RTLD_LAZY);

		tried = true;
		if (library)
			*(void **)&demangle = dlsym(library, "__cxa_demangle");
	}
	return demangle ? demangle(name, NULL, NULL, &status) : NULL;
}

/* "main (tile.c:88)", "main (tile+0x1234)", "?? (tile+0x1234)", "?? (not in any
 * file)": a kernel's, or memory that is none. */
static void print_place(FILE *out, const struct claw_symbol *symbol)
{
	char *plain = claw_symbol_demangle(symbol->function);

	fprintf(out, "%s (", plain ? plain : symbol->function ?
		symbol->function : "??");
	free(plain);
	if (symbol->file && symbol->line)
		fprintf(out, "%s:%u", claw_base_name(symbol->file),
			symbol->line);
	else if (!*symbol->module)
		fputs("not in any file", out);
	else
		fprintf(out, "%s+0x%" PRIx64, claw_base_name(symbol->module),
			symbol->offset);
	fprintf(out, "%s)", symbol->is_changed ? ", changed since" : "");
}

char *claw_symbol_place(const struct claw_symbol *symbol)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	print_place(out, symbol);
	claw_text_end(out);
	return text;
}

struct claw_symbolizer *claw_symbolizer_new(void)
{
	return claw_calloc(1, sizeof(struct claw_symbolizer));
}

void claw_symbolizer_free(struct claw_symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	for (size_t i = 0; i < symbolizer->count; i++) {
		if (symbolizer->modules[i].dwfl)
			dwfl_end(symbolizer->modules[i].dwfl);
		free(symbolizer->modules[i].path);
	}
	free(symbolizer);
}

bool claw_symbolize(struct claw_symbolizer *symbolizer,
		    const struct claw_journal *journal,
		    const struct claw_journal_site *site, size_t index,
		    struct claw_symbol *ret_symbol)
{
	struct claw_symbol symbol = { .module = NULL };

	if (!site || index >= site->frame_count ||
	    index >= CLAW_JOURNAL_MAX_FRAMES)
		return false;

	const struct claw_journal_frame *frame = &site->frames[index];

	if (site->kind == CLAW_SITE_PYTHON) {
		symbol.is_python = true;
		symbol.file = copy(claw_journal_get_string(journal,
							   frame->module));
		symbol.function = copy(claw_journal_get_string(journal,
							frame->function));
		symbol.line = (unsigned int)frame->offset;
		symbol.module = claw_strdup("");
	} else {
		const struct claw_journal_module *module =
			claw_journal_find_module(journal, frame->module);
		const char *path = module ?
			claw_journal_get_string(journal,
						module->path_string) : "";
		struct opened *opened = module && *path ?
			open_module(symbolizer, path, module) : NULL;

		symbol.module = claw_strdup(path);
		symbol.offset = frame->offset;
		if (opened)
			fill_native(opened, &symbol);
	}
	*ret_symbol = symbol;
	return true;
}

void claw_symbol_release(struct claw_symbol *symbol)
{
	free(symbol->function);
	free(symbol->inlined_in);
	for (size_t i = 0; i < symbol->caller_count; i++) {
		free(symbol->callers[i].function);
		free(symbol->callers[i].file);
	}
	free(symbol->callers);
	free(symbol->file);
	free(symbol->module);
	*symbol = (struct claw_symbol) { 0 };
}

bool claw_symbol_is_ours(const struct claw_symbol *symbol)
{
	/* What the compiler links in front of main(). */
	if (symbol->function && !symbol->is_python &&
	    strcmp(symbol->function, "_start") == 0)
		return true;
	return is_our_module(symbol->module);
}

char *claw_site_place(struct claw_symbolizer *symbolizer,
		      const struct claw_journal *journal,
		      const struct claw_journal_site *site)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	bool printed = false;
	struct claw_symbol symbol;

	for (size_t i = 0; !printed &&
	     claw_symbolize(symbolizer, journal, site, i, &symbol); i++) {
		if (!claw_symbol_is_ours(&symbol)) {
			print_place(out, &symbol);
			printed = true;
		}
		claw_symbol_release(&symbol);
	}
	if (!printed)
		fputs("an unknown call site", out);
	claw_text_end(out);
	return text;
}

/* Is what comes before, of a function that the compiler has split, called by
 * the rest of that function here? A clone (".constprop.", ".isra.") is a whole
 * function, which only recursion finds beneath its own name. */
static bool is_rest(const struct claw_symbol *symbol, const char *part)
{
	return *part && symbol->function &&
		strcmp(symbol->function, part) == 0 &&
		(!symbol->is_part || symbol->inlined_in);
}

static const char *outermost(const struct claw_symbol *symbol)
{
	const char *name = symbol->caller_count ?
		symbol->callers[symbol->caller_count - 1].function :
		symbol->function;

	return name ? name : "";
}

char *claw_site_name(struct claw_symbolizer *symbolizer,
		     const struct claw_journal *journal,
		     const struct claw_journal_site *site, size_t frames_max)
{
	char *text = NULL;
	size_t size, printed = 0;
	FILE *out = claw_text_begin(&text, &size);
	struct claw_symbol symbol;
	char unnamed[256] = "";	/* module of the frame before */
	char part[256] = "";	/* function that the frame before is a part of */

	for (size_t i = 0; printed < frames_max &&
	     claw_symbolize(symbolizer, journal, site, i, &symbol); i++) {
		const char *name = symbol.function;

		if (!name &&
		    strcmp(unnamed, claw_base_name(symbol.module)) == 0) {
			/* Frames of a stripped module say nothing more. */
			claw_symbol_release(&symbol);
			continue;
		}
		snprintf(unnamed, sizeof(unnamed), "%s",
			 name ? "" : claw_base_name(symbol.module));
		if (!claw_symbol_is_ours(&symbol)) {
			char *plain = claw_symbol_demangle(name);

			if (!is_rest(&symbol, part))
				fprintf(out, "%s%s", printed++ ? " < " : "",
					plain ? plain : name ? name :
					claw_base_name(symbol.module));
			free(plain);
			if (symbol.inlined_in && printed < frames_max) {
				fprintf(out, " < %s", symbol.inlined_in);
				printed++;
			}
		}
		snprintf(part, sizeof(part), "%s",
			 symbol.is_part ? outermost(&symbol) : "");
		claw_symbol_release(&symbol);
	}
	if (!printed)
		fputs("unknown", out);
	claw_text_end(out);
	return text;
}

/* "        load (tile.cpp:88)", beneath what is inlined there. */
static void print_caller(FILE *out, const struct claw_symbol *symbol,
			 const struct claw_symbol_caller *caller)
{
	const struct claw_symbol shown = {
		.function = caller->function, .file = caller->file,
		.line = caller->line, .module = symbol->module,
		.offset = symbol->offset,
	};

	fputs("        ", out);
	print_place(out, &shown);
	fputc('\n', out);
}

char *claw_site_stack(struct claw_symbolizer *symbolizer,
		      const struct claw_journal *journal,
		      const struct claw_journal_site *site)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	struct claw_symbol symbol;

	for (size_t i = 0; claw_symbolize(symbolizer, journal, site, i,
					  &symbol); i++) {
		fprintf(out, "    #%-2zu ", i);
		print_place(out, &symbol);
		fputc('\n', out);
		for (size_t c = 0; c < symbol.caller_count; c++)
			print_caller(out, &symbol, &symbol.callers[c]);
		claw_symbol_release(&symbol);
	}
	claw_text_end(out);
	return text;
}
