/* SPDX-License-Identifier: Apache-2.0 */
/* Why nothing was seen of a program. */
#include "config.h"

#include "why_not.h"

#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/session/door.h"
#include "evidence.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/session/icd_names.h"
#include "harness/session/program.h"
#include "harness/session/session.h"

/* What is wrong with the layer's file for this program, malloced, or NULL:
 * nothing that can be seen. */
static char *layer_problem(const struct claw_program *p)
{
	char *path = claw_layer_path();
	int fd = path ? claw_outside_open(path, 0, UINT64_MAX) : -1;
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	GElf_Ehdr header;
	char *text = NULL;

	if (!path)
		text = claw_format("cannot find libopenclaw-layer.so");
	else if (!elf || elf_kind(elf) != ELF_K_ELF ||
		 !gelf_getehdr(elf, &header) || header.e_type != ET_DYN)
		text = claw_format("the layer %s is not a shared object, so "
				   "the OpenCL loader ignores it", path);
	else if (p->elf_class && (p->elf_class != gelf_getclass(elf) ||
				  p->machine != header.e_machine))
		text = claw_format("the layer %s is for another architecture "
				   "than %s", path, p->path);
	else if (!claw_program_file_has(path, "clInitLayer"))
		text = claw_format("the layer %s has no clInitLayer, so the "
				   "OpenCL loader ignores it", path);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	free(path);
	return text;
}

struct claw_obstacle claw_program_obstacle(const struct claw_program *p)
{
	struct claw_obstacle found = { .why = NULL };

	if (p->is_emulator)
		return found;
	if (p->is_static) {
		found.why = claw_format("%s is linked statically (-static), so "
					"layers and drivers cannot be loaded "
					"into it", p->path);
		found.advice = "link it dynamically";
		return found;
	}
	found.why = layer_problem(p);
	if (!found.why && p->is_privileged)
		found.why = claw_format("%s is privileged (setuid, setgid or "
					"capabilities): its loader ignores "
					"OPENCL_LAYERS, or its user may not "
					"write the session", p->path);
	if (!found.why && p->opencl && !p->opencl_is_loader) {
		found.why = claw_format("%s calls the driver %s itself, without "
					"an OpenCL loader", p->path, p->opencl);
		found.advice = "link it with a loader's libOpenCL, or let "
			"LD_LIBRARY_PATH find that first";
	}
	return found;
}

/* By what it is linked with: nothing of openclaw came into the process. */
static char *not_attached(const struct claw_program *p)
{
	bool via_icd = claw_via_get() == CLAW_DOOR_ICD;

	if (p->opencl && !via_icd && !p->opencl_has_layers)
		return claw_format("its OpenCL loader %s does not support "
				   "layers (no OPENCL_LAYERS); remove --via",
				   p->opencl);
	if (p->opencl && claw_icd_used && strcmp(claw_icd_used, "native"))
		return claw_format("it called no OpenCL function, or its OpenCL "
				   "loader %s found no driver by --icd %s",
				   p->opencl, claw_icd_used);
	if (p->opencl && via_icd)
		return claw_format(
			"no OpenCL driver was reached by its loader %s (as an "
			"ICD, openclaw does not see calls that the loader "
			"handles itself); is a driver installed? (openclaw "
			"doctor)", p->opencl);
	if (p->opencl)
		return claw_format(
			"it called no OpenCL function, or its OpenCL loader "
			"%s found no driver (see openclaw doctor)", p->opencl);
	return claw_format(
		"it called no OpenCL function, or opened %s", via_icd ?
		"a driver without a loader" :
		"a loader without layers (try --via icd) or a driver");
}

char *claw_program_why_not(const struct claw_program *p,
			   const struct claw_evidence *evidence)
{
	char *text = claw_evidence_gap(evidence);
	struct claw_obstacle obstacle;

	if (text)
		return text;
	if (evidence->count > 0)
		return claw_format("loaded OpenCL but made no call");
	if (p->is_emulator)
		return claw_format("nothing came from the program that %s "
				   "runs; is OPENCLAW_LAYER a layer for its "
				   "processor, and does it find its loader and "
				   "a driver?", p->path);
	obstacle = claw_program_obstacle(p);
	if (!obstacle.why)
		return not_attached(p);
	if (!obstacle.advice)
		return obstacle.why;
	text = claw_format("%s; %s", obstacle.why, obstacle.advice);
	free(obstacle.why);
	return text;
}
