/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open one ELF file with libdwfl, with its separate debug information where
 * it is installed, or where a person says that it is.
 */
#ifndef CLAW_DWFL_OFFLINE_H
#define CLAW_DWFL_OFFLINE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Where to look from now on, in this process, before the places of the system:
 * for DIR/.build-id/xx/yyyy.debug, and for the file, FILE.debug or its debug
 * link in DIR or in DIR/<the file's own directory>. ask_servers: where that
 * finds nothing, those of DEBUGINFOD_URLS, which may take their time. Without
 * a call nothing is fetched over the network. directories is borrowed.
 */
void claw_dwfl_set_search(const char *const *directories, size_t count,
			  bool ask_servers);

/* ret_module belongs to the Dwfl, which the caller ends with dwfl_end(). NULL
 * when the file is no ELF file that can be read. */
Dwfl *claw_dwfl_open(const char *path, Dwfl_Module **ret_module);
/* The file with that build-id, wherever the search finds it or its debug
 * information: for a module that was at path on another machine. NULL: it is
 * nowhere. */
Dwfl *claw_dwfl_open_build(const char *path, const unsigned char *build_id,
			   size_t build_id_bytes, Dwfl_Module **ret_module);

#endif
