/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept for the next run of programs whose kernels are rewritten: the
 * kernels, and the caches of each program's own. The latter are beside ours,
 * not the user's, so that each binary in them was built from source before our
 * eyes (faults/instrument/instrument_known.c).
 */
#ifndef CLAW_PROGRAM_CACHE_H
#define CLAW_PROGRAM_CACHE_H

struct claw_program_cache {
	char *directory;	/* NULL: none can be had */
	int lock;
};

/* NAME of ours below the user's caches (XDG_CACHE_HOME, ~/.cache); it may not be
 * there. malloced, or NULL: neither is set. */
char *claw_cache_directory(const char *name);

/* Where rewritten kernels are kept: the user's own, wherever the program's
 * caches are led to. malloced, or NULL. */
char *claw_instrument_cache(void);

/*
 * That of a program (argv[0]), for several runs at the same time; what nobody
 * has used for longest is deleted where all are too large. Nobody empties it
 * until it is closed.
 */
void claw_program_cache_open(const char *program,
			     struct claw_program_cache *ret_cache);
void claw_program_cache_close(struct claw_program_cache *cache);

#endif
