/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Look at a program's file: ELF or script, static, privileged, and which
 * libraries the dynamic loader would give it.
 */
#include "config.h"

#include "program.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/process/runner.h"
#include "harness/base/text.h"

static bool looks_like_python(const char *name)
{
	return strncmp(claw_base_name(name), "python", 6) == 0 ||
		strncmp(claw_base_name(name), "pypy", 4) == 0;
}

static void look_at_script(struct claw_program *p, int fd)
{
	char line[256];
	ssize_t size = pread(fd, line, sizeof(line) - 1, 0);

	if (size < 2 || line[0] != '#' || line[1] != '!') {
		/* Whatever it is, a shell will be asked to run it. */
		p->is_script = true;
		return;
	}
	line[size] = '\0';
	line[strcspn(line, "\n")] = '\0';
	p->is_script = true;

	char *rest = NULL;

	for (char *word = strtok_r(line + 2, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest))
		p->is_python = p->is_python || looks_like_python(word);
}

static void look_at_elf(struct claw_program *p, Elf *elf)
{
	GElf_Ehdr file_header;
	size_t count = 0;

	p->is_elf = true;
	p->is_static = true;
	if (gelf_getehdr(elf, &file_header)) {
		p->elf_class = gelf_getclass(elf);
		p->machine = file_header.e_machine;
	}
	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;
		size_t size;
		char *file;

		if (!gelf_getphdr(elf, (int)i, &header) ||
		    header.p_type != PT_INTERP)
			continue;
		p->is_static = false;
		file = elf_rawfile(elf, &size);
		if (file && header.p_offset < size &&
		    header.p_filesz <= size - header.p_offset)
			p->interpreter = claw_strndup(file + header.p_offset,
						 header.p_filesz);
	}
}

static void look_at_file(struct claw_program *p, int fd)
{
	struct stat status;
	Elf *elf;

	if (fstat(fd, &status) == 0)
		p->is_privileged =
			((status.st_mode & S_ISUID) &&
			 status.st_uid != geteuid()) ||
			((status.st_mode & S_ISGID) &&
			 status.st_gid != getegid());
	if (fgetxattr(fd, "security.capability", NULL, 0) > 0 && geteuid() != 0)
		p->is_privileged = true;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		look_at_elf(p, elf);
	else
		look_at_script(p, fd);
	elf_end(elf);
	p->is_emulator = p->is_static &&
			 claw_begins(claw_base_name(p->path), "qemu-");
	p->is_python = p->is_python || looks_like_python(p->path);
}

static void add_library(struct claw_program *p, const char *path, size_t length)
{
	char **larger = claw_grow(p->libraries, p->library_count + 2,
				  sizeof(*larger));

	p->libraries = larger;
	larger[p->library_count] = claw_strndup(path, length);
	larger[++p->library_count] = NULL;
}

/* Lines of ld.so --list: "\tname => /path (0x...)" or "\t/path (0x...)". */
static void take_libraries(struct claw_program *p, char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *path = strchr(line, '/');
		char *end = strstr(line, " (0x");
		char *arrow = strstr(line, " => ");

		if (arrow)
			path = arrow + 4;
		if (!path || *path != '/' || !end || end < path)
			continue;
		add_library(p, path, (size_t)(end - path));
	}
}

/* Ask the program's own loader; nothing of the program runs for that. */
static void list_libraries(struct claw_program *p)
{
	char *argv[] = { p->interpreter, (char *)"--list", p->path, NULL };
	struct claw_run_spec spec = {
		.argv = argv,
		.timeout_ms = 10000,
		.head_bytes = 1 << 20,
	};
	struct claw_run_result result;
	int ret;

	if (!p->interpreter)
		return;
	ret = claw_run_once(&spec, &result);
	if (ret > 0)
		claw_interrupt_pass_on(ret);
	if (ret != 0)
		return;
	if (result.end == CLAW_END_EXIT && result.code == 0) {
		char *text = claw_capture_text(&result.out);

		take_libraries(p, text);
		free(text);
	}
	claw_run_result_release(&result);
}

bool claw_program_file_has(const char *path, const char *word)
{
	FILE *in = claw_outside_stream(path);
	size_t length = strlen(word), kept = 0;
	static char bytes[65536];
	bool found = false;

	while (in && !found) {
		size_t size = fread(bytes + kept, 1, sizeof(bytes) - kept, in);

		if (size == 0)
			break;
		size += kept;
		found = memmem(bytes, size, word, length) != NULL;
		kept = size < length ? size : length - 1;
		memmove(bytes, bytes + size - kept, kept);
	}
	if (in)
		fclose(in);
	return found;
}

/* Does the library define that function for others? */
static bool file_defines(const char *path, const char *name)
{
	int fd = claw_outside_open(path, 0, UINT64_MAX);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	Elf_Scn *section = NULL;
	bool found = false;

	while (elf && !found && (section = elf_nextscn(elf, section))) {
		Elf_Data *data;
		GElf_Shdr header;
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_DYNSYM)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; !found && gelf_getsym(data, i, &symbol); i++) {
			const char *text = elf_strptr(elf, header.sh_link,
						      symbol.st_name);

			found = symbol.st_shndx != SHN_UNDEF && text &&
				strcmp(text, name) == 0;
		}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

static bool is_loader(const char *path)
{
	return claw_program_file_has(path, "OpenCL/vendors") ||
		claw_program_file_has(path, "OCL_ICD_VENDORS");
}

/* The library that its calls go to: the first in the order in which the
 * dynamic linker looks for symbols, usually by its name. */
static const char *find_opencl_library(const struct claw_program *p)
{
	for (size_t i = 0; i < p->library_count; i++)
		if (claw_begins(claw_base_name(p->libraries[i]),
				"libOpenCL.so"))
			return p->libraries[i];
	for (size_t i = 0; i < p->library_count; i++)
		if (file_defines(p->libraries[i], "clGetPlatformIDs"))
			return p->libraries[i];
	return NULL;
}

/* Each loader asks drivers for the function clIcdGetPlatformIDsKHR. */
static void find_opencl(struct claw_program *p)
{
	p->opencl = find_opencl_library(p);
	if (!p->opencl && p->is_elf &&
	    claw_program_file_has(p->path, "clIcdGetPlatformIDsKHR") &&
	    is_loader(p->path))
		p->opencl = p->path;
	if (!p->opencl)
		return;
	/* Wherever it looks for drivers. */
	p->opencl_has_layers = claw_program_file_has(p->opencl,
						     "OPENCL_LAYERS");
	p->opencl_is_loader = p->opencl_has_layers || is_loader(p->opencl);
}

int claw_program_look(const char *name, struct claw_program *ret_program,
		      int *reterr)
{
	struct claw_program program = { .path = NULL };
	int fd;

	program.path = claw_program_find(name, reterr);
	if (!program.path)
		return -CLAW_E_IO;
	fd = claw_outside_open(program.path, 0, UINT64_MAX);
	if (fd >= 0) {
		look_at_file(&program, fd);
		close(fd);
		list_libraries(&program);
		find_opencl(&program);
	}
	*ret_program = program;
	return 0;
}

void claw_program_release(struct claw_program *program)
{
	for (size_t i = 0; i < program->library_count; i++)
		free(program->libraries[i]);
	free(program->libraries);
	free(program->interpreter);
	free(program->path);
	*program = (struct claw_program) { 0 };
}
