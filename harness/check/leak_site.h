/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a leak's site: where in the program's own code it is, past the
 * frames of bindings that every OpenCL call of theirs goes through.
 */
#ifndef CLAW_LEAK_SITE_H
#define CLAW_LEAK_SITE_H

#include "leaks.h"

/* "blur (blur.c:212)", "pipeline.py:88 (load_tile)"; malloced. NULL: site 0 or
 * one the journal does not have. */
char *claw_leak_site_place(struct claw_symbolizer *symbolizer,
			   const struct claw_journal *journal, uint32_t site);

/* What is known of a site. */
struct claw_site_words {
	char *place;		/* as above */
	char *name;		/* stable name, 8 frames; "unknown" */
	char **words;		/* functions, files and modules of all frames: for
				 * suppressions; text_list.h */
	char *stack;		/* one line a frame; "" */
	char *file;		/* of the place, or NULL */
	unsigned int line;
};

/* The caller releases. */
void claw_site_words_find(struct claw_symbolizer *symbolizer,
			  const struct claw_journal *journal, uint32_t site,
			  struct claw_site_words *ret_words);
/* Have the name begin with the function that was called there. */
void claw_site_words_lead(struct claw_site_words *words, const char *api);
void claw_site_words_release(struct claw_site_words *words);

/* Fill in place, file, line, name, words and stack; place stays NULL where the
 * site is not known. */
void claw_leak_site_fill(struct claw_symbolizer *symbolizer,
			 const struct claw_journal *journal, uint32_t site,
			 struct claw_leak *leak);

#endif
