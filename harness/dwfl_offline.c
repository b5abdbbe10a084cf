/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdwfl on a file at rest.
 */
#include "config.h"

#include "dwfl_offline.h"

#include <stdlib.h>
#include <string.h>

/* The standard search, but for its question to debuginfod servers: a report
 * must not wait for a network. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name,
			  Dwarf_Addr base, const char *file,
			  const char *debuglink, GElf_Word crc,
			  char **ret_path)
{
	static const char variable[] = "DEBUGINFOD_URLS";
	const char *urls = getenv(variable);
	char *kept = urls ? strdup(urls) : NULL;
	int fd;

	unsetenv(variable);
	fd = dwfl_standard_find_debuginfo(module, user, name, base, file,
					  debuglink, crc, ret_path);
	if (kept)
		setenv(variable, kept, 1);
	free(kept);
	return fd;
}

Dwfl *claw_dwfl_open(const char *path, Dwfl_Module **ret_module)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl)
		return NULL;
	*ret_module = dwfl_report_offline(dwfl, path, path, -1);
	if (!*ret_module || dwfl_report_end(dwfl, NULL, NULL) != 0) {
		dwfl_end(dwfl);
		return NULL;
	}
	return dwfl;
}
