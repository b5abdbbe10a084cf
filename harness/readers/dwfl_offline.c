/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdwfl on a file at rest.
 */
#include "config.h"

#include "dwfl_offline.h"

#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text.h"

static struct {
	const char *const *directories;
	size_t count;
	bool ask_servers;
} search;

/* What a module says that its debug information is. */
struct wanted {
	const unsigned char *build_id;
	int build_id_bytes;
	const char *file;	/* of the module, its path */
	const char *link;	/* name in its .gnu_debuglink, or NULL */
};

/* Is that the debug information of this very build? */
static bool is_wanted(int fd, const struct wanted *wanted)
{
	Elf *elf;
	const void *id;
	bool same;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	same = elf && dwelf_elf_gnu_build_id(elf, &id) ==
		wanted->build_id_bytes &&
		memcmp(id, wanted->build_id,
		       (size_t)wanted->build_id_bytes) == 0;
	elf_end(elf);
	return same;
}

/* Open DIRECTORY/name when it is wanted; takes name over. */
static int try_file(char *path, const struct wanted *wanted, char **ret_path)
{
	int fd = claw_outside_open(path, 0, UINT64_MAX);

	if (fd >= 0 && is_wanted(fd, wanted)) {
		*ret_path = path;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return -1;
}

static int try_build_id(const char *directory, const struct wanted *wanted,
			char **ret_path)
{
	char *path = NULL;
	size_t size;
	FILE *out = claw_text_begin(&path, &size);

	fprintf(out, "%s/.build-id/", directory);
	for (int i = 0; i < wanted->build_id_bytes; i++)
		fprintf(out, "%02x%s", wanted->build_id[i], i ? "" : "/");
	fputs(".debug", out);
	claw_text_end(out);
	return try_file(path, wanted, ret_path);
}

static int try_name(const char *directory, const char *name,
		    const char *suffix, const struct wanted *wanted,
		    char **ret_path)
{
	char *path = NULL;

	path = claw_format("%s/%s%s", directory, name, suffix);
	return try_file(path, wanted, ret_path);
}

static int try_directory(const char *directory, const struct wanted *wanted,
			 char **ret_path)
{
	const char *names[] = {
		claw_base_name(wanted->file), wanted->file,
	};
	int fd = try_build_id(directory, wanted, ret_path);

	if (fd < 0 && wanted->link)
		fd = try_name(directory, claw_base_name(wanted->link), "",
			      wanted, ret_path);
	for (size_t i = 0; fd < 0 && i < 2; i++) {
		fd = try_name(directory, names[i], ".debug", wanted, ret_path);
		if (fd < 0)
			fd = try_name(directory, names[i], "", wanted,
				      ret_path);
	}
	return fd;
}

/* The standard search, but for its question to debuginfod servers where a
 * report must not wait for a network. */
static int find_standard(Dwfl_Module *module, void **user, const char *name,
			 Dwarf_Addr base, const char *file,
			 const char *debuglink, GElf_Word crc, char **ret_path)
{
	static const char variable[] = "DEBUGINFOD_URLS";
	const char *urls = getenv(variable);
	char *kept = urls && !search.ask_servers ? claw_strdup(urls) : NULL;
	int fd;

	if (!search.ask_servers)
		unsetenv(variable);
	fd = dwfl_standard_find_debuginfo(module, user, name, base, file,
					  debuglink, crc, ret_path);
	if (kept)
		setenv(variable, kept, 1);
	free(kept);
	return fd;
}

static int find_debuginfo(Dwfl_Module *module, void **user, const char *name,
			  Dwarf_Addr base, const char *file,
			  const char *debuglink, GElf_Word crc,
			  char **ret_path)
{
	struct wanted wanted = { .file = file ? file : name,
				 .link = debuglink };
	GElf_Addr at;
	int fd = -1;

	wanted.build_id_bytes = dwfl_module_build_id(module, &wanted.build_id,
						     &at);
	for (size_t i = 0; fd < 0 && wanted.build_id_bytes > 0 &&
	     i < search.count; i++)
		fd = try_directory(search.directories[i], &wanted, ret_path);
	return fd >= 0 ? fd :
		find_standard(module, user, name, base, file, debuglink, crc,
			      ret_path);
}

void claw_dwfl_set_search(const char *const *directories, size_t count,
			  bool ask_servers)
{
	search.directories = directories;
	search.count = count;
	search.ask_servers = ask_servers;
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

/* Ask debuginfod's own library, where it is: the path of a file of the cache,
 * malloced, or NULL. */
static char *ask_servers(const struct wanted *wanted)
{
	void *library = search.ask_servers ?
		dlopen("libdebuginfod.so.1", RTLD_LAZY) : NULL;
	void *(*begin)(void) = NULL;
	int (*find)(void *, const unsigned char *, int, char **) = NULL;
	void (*end)(void *) = NULL;
	char *path = NULL;
	void *client;
	int fd;

	if (!library)
		return NULL;
	*(void **)&begin = dlsym(library, "debuginfod_begin");
	*(void **)&find = dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&end = dlsym(library, "debuginfod_end");
	client = begin && find && end ? begin() : NULL;
	if (!client)
		return NULL;
	fd = find(client, wanted->build_id, wanted->build_id_bytes, &path);
	if (fd >= 0)
		close(fd);
	end(client);
	return fd >= 0 ? path : NULL;
}

Dwfl *claw_dwfl_open_build(const char *path, const unsigned char *build_id,
			   size_t build_id_bytes, Dwfl_Module **ret_module)
{
	const struct wanted wanted = {
		.build_id = build_id, .build_id_bytes = (int)build_id_bytes,
		.file = path,
	};
	char *found = NULL;
	Dwfl *dwfl;
	int fd = -1;

	for (size_t i = 0; fd < 0 && build_id_bytes > 0 && i < search.count;
	     i++)
		fd = try_directory(search.directories[i], &wanted, &found);
	if (fd >= 0)
		close(fd);
	else if (build_id_bytes > 0)
		found = ask_servers(&wanted);
	dwfl = found ? claw_dwfl_open(found, ret_module) : NULL;
	free(found);
	return dwfl;
}
