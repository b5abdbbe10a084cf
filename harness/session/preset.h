/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Presets: the fault plans that come with openclaw (faults/presets/), one for
 * each way in which programs of real users were seen to fail. "preset:NAME"
 * stands for the file wherever a plan's path does.
 *
 * A preset is a plan like any other. Its first comment behind the SPDX line,
 * up to an empty comment line, is its summary.
 */
#ifndef CLAW_PRESET_H
#define CLAW_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#define CLAW_PRESET_PREFIX "preset:"

struct claw_preset {
	char *name, *path;
	char *summary;		/* one line, "" when the file has none */
};

struct claw_presets {
	struct claw_preset *items;	/* sorted by name */
	size_t count;
};

/* All presets there are. 0, -CLAW_E_NOT_FOUND (the folder is nowhere)
 * or -CLAW_E_IO (errno set). */
int claw_presets_read(struct claw_presets *ret_presets);
void claw_presets_release(struct claw_presets *presets);

/* Does it name a preset ("preset:...")? */
bool claw_preset_is(const char *plan);

/*
 * The file that plan, a path or "preset:NAME", stands for.
 *
 * origin:   where the word was written ("--plan"), for errors.
 * ret_path: malloced.
 * error:    one line.
 *
 * Returns 0, -CLAW_E_SYNTAX (no such preset), -CLAW_E_NOT_FOUND or
 * -CLAW_E_IO.
 */
int claw_preset_resolve(const char *plan, const char *origin, char **ret_path,
			char *error, size_t error_size);

#endif
