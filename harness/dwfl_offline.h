/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open one ELF file with libdwfl, with its separate debug information where
 * it is installed. Nothing is fetched over the network.
 */
#ifndef CLAW_DWFL_OFFLINE_H
#define CLAW_DWFL_OFFLINE_H

#include <elfutils/libdwfl.h>

/* ret_module belongs to the Dwfl, which the caller ends with dwfl_end(). NULL
 * when the file is no ELF file that can be read. */
Dwfl *claw_dwfl_open(const char *path, Dwfl_Module **ret_module);

#endif
