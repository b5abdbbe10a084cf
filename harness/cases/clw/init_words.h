/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a source that one of its kernels uses: its own, and those of
 * the functions and macros of the file that it names. Nothing is compiled:
 * what conditionals leave out counts, and what is included is not known.
 */
#ifndef CLAW_INIT_WORDS_H
#define CLAW_INIT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct claw_init_source;

/* text has to stay. */
struct claw_init_source *claw_init_source_new(const char *text);
void claw_init_source_free(struct claw_init_source *source);

/* Choose the kernel that the questions below are about; one that is not found
 * (a macro makes its name) is the whole file. */
void claw_init_source_choose(struct claw_init_source *source,
			    const char *kernel);

/* The words of the chosen ones, a definition after the other, an empty word
 * behind each; the caller frees them. */
struct claw_init_word {
	const char *at;
	size_t length;
};
struct claw_init_word *claw_init_words(const struct claw_init_source *source,
				       size_t *ret_count);

/* How many dimensions it asks its work-items' ids of: 1 to 3. */
unsigned int claw_init_dimensions(const struct claw_init_source *source);
/* Does it matter how work-items form work-groups: barriers, local memory,
 * local ids, functions of a group? What the file includes may have them. */
bool claw_init_has_groups(const struct claw_init_source *source);
/* What read_image*() or write_image*() of the argument ends in: "f", "i" or
 * "ui"; "f" where it is not known. */
const char *claw_init_image_suffix(const struct claw_init_source *source,
				   const char *arg, bool is_written);

#endif
