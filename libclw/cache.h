/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on disk, for the next process: a file each, in openclaw/programs of
 * XDG_CACHE_HOME, else of ~/.cache.
 *
 * A file has all that its binary was made of: the text, the options, the names
 * and versions of device, driver and platform, and the environment that drivers
 * build by, which are compared byte for byte; and a sum of itself (entry.h). One
 * that is cut off, changed or somebody else's counts as not there, and is written
 * anew. It is renamed into place, so that of processes that write it at once one
 * wins, whole. What the driver knows of the arguments is kept, too: of a binary
 * some do not know it.
 *
 * Not kept: texts that read other files, or the time; entries of more than
 * 64 MiB; anything in a folder that is a link, or while openclaw's layer is
 * loaded, which is to see the whole build; and with CLW_PROGRAM_CACHE=0, or in a
 * set-user-ID program, nothing. The oldest of our files go where they are more
 * than 256 MiB in all.
 */
#ifndef CLW_CACHE_H
#define CLW_CACHE_H

#include "clw_private.h"
#include "wire.h"

#pragma GCC visibility push(hidden)

/* What a program is made of; empty: it is not to be kept. */
void clw_cache_key(const struct clw_context *context, const char *text,
		   size_t size, const char *options, struct clw_wire *ret_key);

/* A program of its binary, which is still to be built, and ret_described; NULL:
 * there is none. */
cl_program clw_cache_load(const struct clw_context *context,
			  const struct clw_wire *key,
			  struct clw_wire *ret_described);
/* One that was built of its text. */
void clw_cache_store(const struct clw_wire *key, cl_program program);
/* Its binary is of no use. */
void clw_cache_drop(const struct clw_wire *key);

#pragma GCC visibility pop

#endif
