/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of source with libdwfl, of files without .debug_aranges, too: clang
 * writes none, and libdw's own functions then find nothing.
 */
#ifndef CLAW_DWFL_LINES_H
#define CLAW_DWFL_LINES_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* The compilation unit that has the code at this address of the module, or
 * NULL; its own addresses are smaller by *ret_bias. */
Dwarf_Die *claw_dwfl_unit(Dwfl_Module *module, Dwarf_Addr at,
			  Dwarf_Addr *ret_bias);

/* The file of that code, as the compiler was given it, and the line, from 1;
 * 0: not known. NULL where there is no debug information. It belongs to the
 * module. */
const char *claw_dwfl_line(Dwfl_Module *module, Dwarf_Addr at, int *ret_line);

#endif
