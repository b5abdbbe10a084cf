/* SPDX-License-Identifier: Apache-2.0 */
/* From an address of a module to its compilation unit and line. */
#include "config.h"

#include "dwfl_lines.h"

Dwarf_Die *claw_dwfl_unit(Dwfl_Module *module, Dwarf_Addr at,
			  Dwarf_Addr *ret_bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, at, ret_bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, ret_bias)))
		if (dwarf_haspc(unit, at - *ret_bias) > 0)
			break;
	return unit;
}

const char *claw_dwfl_line(Dwfl_Module *module, Dwarf_Addr at, int *ret_line)
{
	Dwfl_Line *row = dwfl_module_getsrc(module, at);
	Dwarf_Addr bias;
	Dwarf_Die *unit;
	Dwarf_Line *line;

	*ret_line = 0;
	if (row)
		return dwfl_lineinfo(row, NULL, ret_line, NULL, NULL, NULL);
	unit = claw_dwfl_unit(module, at, &bias);
	line = unit ? dwarf_getsrc_die(unit, at - bias) : NULL;
	if (!line || dwarf_lineno(line, ret_line) < 0)
		return NULL;
	return dwarf_linesrc(line, NULL, NULL);
}
