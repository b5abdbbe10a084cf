/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the frames of a journal's site to words: function, file and line, and
 * the site's stable name, which outlives a build.
 */
#ifndef CLAW_SYMBOLIZE_H
#define CLAW_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal_reader.h"

struct claw_symbolizer;		/* keeps the modules it has opened */

/* A function that another is inlined in, and where in it. */
struct claw_symbol_caller {
	char *function;
	char *file;		/* or NULL */
	unsigned int line;	/* 0: not known */
};

struct claw_symbol {
	char *function;		/* "load", also an inlined one; NULL: not known */
	char *inlined_in;	/* "tile < main": where it is inlined, or NULL */
	struct claw_symbol_caller *callers;	/* the same, from the innermost */
	size_t caller_count;
	char *file;		/* as the compiler was given it, or NULL */
	unsigned int line;	/* 0: not known */
	char *module;		/* path, or "" */
	uint64_t offset;	/* in the module; 0 for a Python frame */
	bool is_python;
	bool is_part;		/* "load.part.0": what load() calls of itself */
	bool is_changed;	/* the file is not the one that ran (build-id) */
};

struct claw_symbolizer *claw_symbolizer_new(void);
void claw_symbolizer_free(struct claw_symbolizer *symbolizer);

/* Frame number `index` of the site. False when the journal does not
 * have it. The caller releases. */
bool claw_symbolize(struct claw_symbolizer *symbolizer,
		    const struct claw_journal *journal,
		    const struct claw_journal_site *site, size_t index,
		    struct claw_symbol *ret_symbol);
void claw_symbol_release(struct claw_symbol *symbol);

/* Cut a symbol's name off behind what the programmer wrote: "tile" of
 * "tile.constprop.0", which the compiler split or specialised, and of
 * "tile@@V1". */
void claw_symbol_cut(char *name);

/* "ns::tile(int)" for "_ZN2ns4tileEi", malloced; NULL: not the name of a C++
 * function, or libstdc++ is not here, which knows. */
char *claw_symbol_demangle(const char *name);

/* "main (tile.c:88)", "main (tile+0x1234)", "?? (tile+0x1234)"; malloced. */
char *claw_symbol_place(const struct claw_symbol *symbol);

/* Is the frame the guest's, the loader's or the C library's: nobody looks
 * for a program's mistake there. */
bool claw_symbol_is_ours(const struct claw_symbol *symbol);

/*
 * Texts of a site, malloced. NULL site is "an unknown place".
 *
 * place: "main (tile.c:88)", the first frame of the program's own.
 * name:  the stable name: "load_tile < main", functions only. A function that
 *	  the compiler has split is there once; one that calls itself, as often
 *	  as it has.
 * stack: one line a frame, indented, and one without a number for each
 *        function that it is inlined in.
 */
char *claw_site_place(struct claw_symbolizer *symbolizer,
		      const struct claw_journal *journal,
		      const struct claw_journal_site *site);
char *claw_site_name(struct claw_symbolizer *symbolizer,
		     const struct claw_journal *journal,
		     const struct claw_journal_site *site, size_t frames_max);
char *claw_site_stack(struct claw_symbolizer *symbolizer,
		      const struct claw_journal *journal,
		      const struct claw_journal_site *site);

#endif
