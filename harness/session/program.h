/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be told of a program before it runs: whether a layer can reach it
 * at all, and where its code is.
 */
#ifndef CLAW_PROGRAM_H
#define CLAW_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct claw_program {
	char *path;
	bool is_elf, is_script;
	int elf_class, machine;		/* of its ELF header, or 0 */
	bool is_static;			/* no program interpreter */
	bool is_emulator;		/* static qemu-*: the program that it runs
					   is not examined */
	bool is_privileged;		/* setuid, setgid or capabilities */
	bool is_python;			/* by its name, or by the script's #! */
	char *interpreter;		/* PT_INTERP, or NULL */
	char **libraries;		/* that the loader would load, NULL: */
	size_t library_count;
	const char *opencl;		/* of libraries: what its OpenCL calls go
					   to; path: a loader is linked into
					   it; NULL: not known before it runs */
	bool opencl_is_loader;		/* that one looks for drivers, or it is
					   a driver */
	bool opencl_has_layers;		/* and knows OPENCL_LAYERS */
};

/*
 * Look at the program that execvp() would run.
 *
 * reterr: errno on -CLAW_E_IO: ENOENT, EACCES ...
 *
 * Returns 0 or -CLAW_E_IO. What cannot be found out stays empty.
 */
int claw_program_look(const char *name, struct claw_program *ret_program,
		      int *reterr);
void claw_program_release(struct claw_program *program);

/* Is the text in the file? */
bool claw_program_file_has(const char *path, const char *text);

#endif
