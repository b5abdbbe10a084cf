/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find a function or a source line in ELF files. A function is looked for
 * among the symbols and, with debug information, among functions and their
 * inlined copies; a line is all the address ranges that the line table has
 * for it. The first file in loading order that has it wins.
 */
#include "config.h"

#include "at.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/readers/dwfl_offline.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/readers/symbolize.h"

struct range {
	uint64_t low, high;
};

struct search {
	const char *function;		/* or NULL */
	char *file;			/* or NULL */
	int line;
	struct range *ranges;
	size_t count;
	bool file_seen;			/* the file has code, on other lines */
	int line_below, line_above;	/* nearest that have, 0: none */
	bool no_debug;			/* the program has no line table */
};

static void add_range(struct search *s, uint64_t low, uint64_t high)
{
	if (high <= low)
		return;
	s->ranges = claw_one_more(s->ranges, s->count, sizeof(*s->ranges));
	s->ranges[s->count++] = (struct range) { low, high };
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

static void merge_ranges(struct search *s)
{
	size_t kept = 0;

	if (s->count == 0)
		return;
	qsort(s->ranges, s->count, sizeof(*s->ranges), compare_ranges);
	for (size_t i = 1; i < s->count; i++) {
		struct range *last = &s->ranges[kept];

		if (s->ranges[i].low > last->high)
			s->ranges[++kept] = s->ranges[i];
		else if (s->ranges[i].high > last->high)
			last->high = s->ranges[i].high;
	}
	s->count = kept + 1;
}

/* Is `path` the file, or does it end in "/file"? */
static bool same_file(const char *path, const char *file)
{
	size_t length = strlen(path), wanted = strlen(file);

	while (strncmp(file, "./", 2) == 0) {
		file += 2;
		wanted -= 2;
	}
	if (length < wanted || strcmp(path + length - wanted, file) != 0)
		return false;
	return length == wanted || path[length - wanted - 1] == '/';
}

/* One row of the line table, up to the next one. */
static void take_row(struct search *s, Dwarf_Line *row, Dwarf_Line *next)
{
	const char *path = dwarf_linesrc(row, NULL, NULL);
	Dwarf_Addr low, high;
	bool is_end = false;
	int line = 0;

	dwarf_lineendsequence(row, &is_end);
	dwarf_lineno(row, &line);
	if (is_end || line == 0 || !path || !same_file(path, s->file))
		return;
	s->file_seen = true;
	if (line < s->line && line > s->line_below)
		s->line_below = line;
	if (line > s->line && (s->line_above == 0 || line < s->line_above))
		s->line_above = line;
	if (line == s->line && next && dwarf_lineaddr(row, &low) == 0 &&
	    dwarf_lineaddr(next, &high) == 0)
		add_range(s, low, high);
}

static void search_lines(struct search *s, Dwarf_Die *unit)
{
	Dwarf_Lines *rows;
	size_t count;

	if (dwarf_getsrclines(unit, &rows, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++)
		take_row(s, dwarf_onesrcline(rows, i),
			 i + 1 < count ? dwarf_onesrcline(rows, i + 1) : NULL);
}

/* Are these the same but for spaces, up to the end of `name`? What is left of
 * the other must be its parameters then. */
static bool same_function(const char *plain, const char *name)
{
	for (;; plain++, name++) {
		plain += strspn(plain, " ");
		name += strspn(name, " ");
		if (*plain != *name || !*name)
			break;
	}
	return !*name && (!*plain || *plain == '(');
}

/* A symbol's name as it is, or as C++ has it: "ns::tile", "ns::tile(int)". */
static bool symbol_is_named(const char *symbol, const char *name)
{
	char *plain;
	bool same;

	if (strcmp(symbol, name) == 0)
		return true;
	plain = claw_symbol_demangle(symbol);
	same = plain && same_function(plain, name);
	free(plain);
	return same;
}

static bool die_is_named(Dwarf_Die *die, const char *name)
{
	static const unsigned int attributes[] = {
		DW_AT_name, DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
	};

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		Dwarf_Attribute attribute;
		const char *text;

		/* _integrate follows an inlined copy to its origin. */
		if (!dwarf_attr_integrate(die, attributes[i], &attribute))
			continue;
		text = dwarf_formstring(&attribute);
		if (text && symbol_is_named(text, name))
			return true;
	}
	return false;
}

/* Add the names of the scopes a C++ function is in: "ns::Class::". */
static bool die_is_qualified(Dwarf_Die *die, const char *name)
{
	const char *last = NULL;

	for (const char *at = name; (at = strstr(at, "::")); at += 2)
		last = at;
	if (!last || !die_is_named(die, last + 2))
		return false;

	Dwarf_Die *scopes = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *die;
	char full[512] = "";

	/* The declaration sits in the class, the definition may not. */
	while (dwarf_attr(&origin, DW_AT_abstract_origin, &attribute) ||
	       dwarf_attr(&origin, DW_AT_specification, &attribute))
		if (!dwarf_formref_die(&attribute, &origin))
			break;

	int count = dwarf_getscopes_die(&origin, &scopes);

	for (int i = count - 1; i > 0; i--) {
		int tag = dwarf_tag(&scopes[i]);
		const char *scope = dwarf_diename(&scopes[i]);
		size_t length = strlen(full);

		if (scope && (tag == DW_TAG_namespace ||
			      tag == DW_TAG_class_type ||
			      tag == DW_TAG_structure_type))
			snprintf(full + length, sizeof(full) - length, "%s::",
				 scope);
	}
	free(scopes);

	size_t length = strlen(full);

	return (size_t)(last + 2 - name) <= length &&
		strncmp(full + length - (size_t)(last + 2 - name), name,
			(size_t)(last + 2 - name)) == 0;
}

static void take_die(struct search *s, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;

	if (!die_is_named(die, s->function) &&
	    !die_is_qualified(die, s->function))
		return;
	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low,
						  &high)) > 0;)
		add_range(s, low, high);
}

static void search_dies(struct search *s, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	if (depth > 64 || dwarf_child(die, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			take_die(s, &child);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace)
			search_dies(s, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static void search_symbols(struct search *s, Dwfl_Module *module,
			   GElf_Addr bias)
{
	int count = dwfl_module_getsymtab(module);

	for (int i = 1; i < count; i++) {
		GElf_Addr at;
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym_info(module, i, &symbol,
							   &at, NULL, NULL,
							   NULL);

		if (name && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
		    symbol.st_shndx != SHN_UNDEF && symbol.st_size > 0 &&
		    symbol_is_named(name, s->function))
			add_range(s, at - bias, at - bias + symbol.st_size);
	}
}

/* Put the ranges into the rule's text and parse that again. */
static int append_places(struct claw_rule *rule, const struct search *s,
			 const unsigned char *id, size_t id_bytes, char *error,
			 size_t error_size)
{
	struct claw_plan_error why;
	struct claw_rule resolved;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	int ret;

	fputs(rule->text, out);
	for (size_t i = 0; i < s->count; i++) {
		fputs(":pc=", out);
		for (size_t j = 0; j < id_bytes; j++)
			fprintf(out, "%02x", id[j]);
		fprintf(out, "+0x%" PRIx64 "-0x%" PRIx64, s->ranges[i].low,
			s->ranges[i].high);
	}
	claw_text_end(out);
	/* The code itself was found legal, or allowed, before. */
	ret = claw_rule_parse(text, true, &resolved, &why);
	free(text);
	if (ret < 0) {
		snprintf(error, error_size, "at=%s: %zu places in the "
			 "program, more than a rule can name; name another "
			 "line or function", rule->at, s->count);
		return -CLAW_E_LIMIT;
	}
	*rule = resolved;
	return 0;
}

/* 1: found, 0: not in this file, or an error. */
static int search_file(struct search *s, struct claw_rule *rule,
		       const char *path, char *error, size_t error_size)
{
	Dwfl_Module *module;
	Dwfl *dwfl = claw_dwfl_open(path, &module);
	const unsigned char *id = NULL;
	Dwarf_Die *unit = NULL;
	Dwarf_Addr dwarf_bias;
	GElf_Addr bias, id_at;
	bool has_lines = false;
	int ret = 0, id_bytes;

	if (!dwfl)
		return 0;
	s->count = 0;
	if (!dwfl_module_getelf(module, &bias))
		goto out;
	if (s->function)
		search_symbols(s, module, bias);
	/* Addresses in the debug information are the file's own already. */
	while ((unit = dwfl_module_nextcu(module, unit, &dwarf_bias))) {
		has_lines = true;
		if (s->function)
			search_dies(s, unit, 0);
		else
			search_lines(s, unit);
	}
	s->no_debug = s->no_debug || !has_lines;
	merge_ranges(s);
	if (s->count == 0)
		goto out;
	id_bytes = dwfl_module_build_id(module, &id, &id_at);
	if (id_bytes <= 0) {
		snprintf(error, error_size, "at=%s: %s has no build-id to "
			 "name the place by; link it with -Wl,--build-id",
			 rule->at, path);
		ret = -CLAW_E_NOT_FOUND;
		goto out;
	}
	if (id_bytes > CLAW_JOURNAL_BUILD_ID_BYTES)
		id_bytes = CLAW_JOURNAL_BUILD_ID_BYTES;
	ret = append_places(rule, s, id, (size_t)id_bytes, error, error_size);
	if (ret == 0)
		ret = 1;
out:
	dwfl_end(dwfl);
	return ret;
}

static bool is_system(const char *path)
{
	static const char *const names[] = {
		"libc.so", "ld-linux", "libpthread.so", "libdl.so", "libm.so",
		"libOpenCL.so", "libOpenCL-", "librt.so",
	};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* FILE:LINE, or a function's name, which may hold "::". */
static void split(const char *at, struct search *s)
{
	const char *colon = strrchr(at, ':');

	if (!colon || colon == at || colon[-1] == ':' || !colon[1] ||
	    colon[1 + strspn(colon + 1, "0123456789")]) {
		s->function = at;
		return;
	}
	s->file = claw_strndup(at, (size_t)(colon - at));
	s->line = (int)strtol(colon + 1, NULL, 10);
}

static void say_not_found(const struct search *s, const char *at,
			  const struct claw_program *program, char *error,
			  size_t error_size)
{
	if (s->function)
		snprintf(error, error_size, "at=%s: no function of that name "
			 "in %s or its libraries", at, program->path);
	else if (s->file_seen && s->line_below && s->line_above)
		snprintf(error, error_size, "at=%s: no code on that line; the "
			 "nearest are %d and %d", at, s->line_below,
			 s->line_above);
	else if (s->file_seen)
		snprintf(error, error_size, "at=%s: no code on that line; the "
			 "nearest is %d", at, s->line_below ? s->line_below :
			 s->line_above);
	else
		snprintf(error, error_size, "at=%s: no such file in the debug "
			 "information of %s or its libraries%s", at,
			 program->path, s->no_debug ?
			 "; compile with -g, or name a function" : "");
}

int claw_at_resolve(struct claw_rule *rule, const struct claw_program *program,
		    char *error, size_t error_size)
{
	struct search search = { .function = NULL };
	int ret;

	if (!*rule->at || rule->pc_count > 0 || program->is_script ||
	    program->is_python)
		return 0;
	split(rule->at, &search);
	ret = search_file(&search, rule, program->path, error, error_size);
	for (size_t i = 0; ret == 0 && i < program->library_count; i++)
		if (!is_system(program->libraries[i]))
			ret = search_file(&search, rule, program->libraries[i],
					  error, error_size);
	if (ret == 0) {
		say_not_found(&search, rule->at, program, error, error_size);
		ret = -CLAW_E_NOT_FOUND;
	}
	free(search.file);
	free(search.ranges);
	return ret > 0 ? 0 : ret;
}
