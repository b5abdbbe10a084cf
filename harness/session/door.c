/* SPDX-License-Identifier: Apache-2.0 */
/* Choose the door, and name the real drivers behind the mock ICD. */
#include "config.h"

#include "door.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "icd_files.h"
#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "program.h"
#include "session.h"
#include "harness/base/text.h"

const char *claw_via_given;
static enum claw_door chosen = CLAW_DOOR_LAYER;

/* Does the loader that our own programs get know layers? */
static bool own_loader_has_layers(void)
{
	struct claw_program program;
	char *kernel = claw_kernel_program();
	bool has = true;
	int why;

	if (claw_program_look(kernel, &program, &why) == 0) {
		has = !program.opencl || program.opencl_has_layers;
		claw_program_release(&program);
	}
	free(kernel);
	return has;
}

void claw_via_choose(const struct claw_program *program)
{
	bool has;

	if (claw_via_given)
		has = strcmp(claw_via_given, "layer") == 0;
	else if (program && program->opencl)
		has = program->opencl_has_layers;
	else
		has = own_loader_has_layers();
	chosen = has ? CLAW_DOOR_LAYER : CLAW_DOOR_ICD;
}

void claw_via_force(enum claw_door door)
{
	chosen = door;
}

enum claw_door claw_via_get(void)
{
	return chosen;
}

const char *claw_via_option(void)
{
	return !claw_via_given ? "" :
		chosen == CLAW_DOOR_ICD ? " --via icd" : " --via layer";
}

/* ---- the ICD ----------------------------------------------------------- */

/* Libraries with ':' between. Where the user's own variables lead to us
 * already, what stands behind us there does here, too. */
static int join_targets(const struct claw_icd_files *files, char **ret_text)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	const char *between = "";
	int ret = 0;

	for (size_t i = 0; i < files->count; i++) {
		const char *library = files->files[i].library;

		if (!library || !*library)
			continue;
		if (strcmp(claw_base_name(library), CLAW_LAYER_FILE) == 0)
			library = getenv("OPENCLAW_ICD_TARGET");
		else if (strchr(library, ':'))
			ret = -CLAW_E_ICD_PATH;
		if (library && *library)
			fprintf(out, "%s%s", between, library);
		between = ":";
	}
	claw_text_end(out);
	if (ret == 0)
		*ret_text = text;
	else
		free(text);
	return ret;
}

static int set_targets(struct claw_session *session, const char *vendors,
		       const char *libraries)
{
	struct claw_icd_files files;
	char *text = NULL;
	int ret;

	claw_icd_files_init(&files, vendors, libraries);
	ret = join_targets(&files, &text);
	if (ret == 0)
		ret = claw_session_setenv(session, "OPENCLAW_ICD_TARGET",
					  text);
	claw_icd_files_release(&files);
	free(text);
	return ret;
}

int claw_door_set_icd(struct claw_session *session, const char *layer)
{
	static const char *const unset[] = {
		"OPENCL_LAYERS", "OPENCLAW_LAYERS",
	};
	char *place = NULL;
	int ret = set_targets(session, getenv("OCL_ICD_VENDORS"),
			      getenv("OCL_ICD_FILENAMES"));

	if (ret == 0 && session->directory)
		ret = claw_icd_write(session->directory, "openclaw", layer,
				     &place);
	/* A library itself is what ocl-icd takes for the one and Khronos'
	 * loader for the other. The oldest loaders know the last one only. */
	if (ret == 0)
		ret = claw_session_setenv(session, "OCL_ICD_VENDORS",
					  place ? place : layer);
	if (ret == 0)
		ret = claw_session_setenv(session, "OCL_ICD_FILENAMES",
					  place ? NULL : layer);
	if (ret == 0 && place)
		ret = claw_session_setenv(session, "OPENCL_VENDOR_PATH",
					  place);
	for (size_t i = 0; ret == 0 && i < sizeof(unset) / sizeof(*unset); i++)
		ret = claw_session_setenv(session, unset[i], NULL);
	free(place);
	return ret;
}

bool claw_door_sees_to(const struct claw_session *session, const char *entry)
{
	static const char *const names[] = {
		"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES",
	};
	size_t length = strcspn(entry, "=");

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (session->via_icd && length == strlen(names[i]) &&
		    strncmp(entry, names[i], length) == 0)
			return true;
	return false;
}

bool claw_door_takes(struct claw_session *session, const char *name,
		     const char *value, int *reterr)
{
	*reterr = 0;
	if (!claw_door_sees_to(session, name))
		return false;
	/* Whoever sets the one unsets the other. */
	if (strcmp(name, "OCL_ICD_VENDORS") == 0)
		*reterr = set_targets(session, value, NULL);
	return true;
}

int claw_door_take_drivers(struct claw_session *session, char *const *list)
{
	int ret = 0;

	for (; ret == 0 && list && *list; list++) {
		const char *value = strchr(*list, '=');

		if (value && claw_door_sees_to(session, *list))
			ret = claw_session_setenv(session, "OCL_ICD_VENDORS",
						  value + 1);
	}
	return ret;
}
