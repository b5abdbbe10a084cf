/* SPDX-License-Identifier: Apache-2.0 */
/* "openclaw info --api": the table of entry points. */
#include "config.h"

#include "cmd_info.h"

#include <stdio.h>

#include "faults/shared/api.h"

static const char *const fails_as_names[] = {
	[CLAW_STATUS] = "STATUS", [CLAW_HANDLE] = "HANDLE",
	[CLAW_POINTER] = "POINTER", [CLAW_VOID] = "VOID",
};

static const char *const effect_names[] = {
	[CLAW_NOTHING] = "NOTHING", [CLAW_CREATES] = "CREATES",
	[CLAW_RETAINS] = "RETAINS", [CLAW_RELEASES] = "RELEASES",
};

static void api_groups(const struct claw_api_info *info, char *text,
		       size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t bit = 1; bit < CLAW_G_ANY; bit <<= 1) {
		if (info->groups & bit && length < size)
			length += (size_t)snprintf(text + length,
						   size - length, "%s@%s",
						   length ? " " : "",
						   claw_group_name(bit));
	}
}

static void api_effect(const struct claw_api_info *info, char *text,
		       size_t size)
{
	if (info->effect == CLAW_NOTHING)
		snprintf(text, size, "%s", effect_names[info->effect]);
	else
		snprintf(text, size, "%s(%s)", effect_names[info->effect],
			 claw_obj_name(info->object));
}

void claw_info_api(void)
{
	printf("%-44s %-8s %-24s %-24s %s\n", "entry point", "fails as",
	       "effect on objects", "groups",
	       "errors it may return, default first");
	for (size_t i = 0; i < CLAW_API_COUNT; i++) {
		const struct claw_api_info *info = &claw_api_table[i];
		char groups[128], effect[64];

		api_groups(info, groups, sizeof(groups));
		api_effect(info, effect, sizeof(effect));
		printf("%-44s %-8s %-24s %-24s", info->name,
		       fails_as_names[info->fails_as], effect, groups);
		for (size_t j = 0; j < info->code_count; j++) {
			const char *name = claw_code_name(info->codes[j]);

			if (name)
				printf(" %s", name);
			else
				printf(" %d", info->codes[j]);
		}
		putchar('\n');
	}
}

static json_t *api_json_row(const struct claw_api_info *info)
{
	json_t *groups = json_array();
	json_t *codes = json_array();

	for (uint32_t bit = 1; bit < CLAW_G_ANY; bit <<= 1) {
		if (info->groups & bit)
			json_array_append_new(groups, json_string(
				claw_group_name(bit)));
	}
	for (size_t j = 0; j < info->code_count; j++) {
		const char *name = claw_code_name(info->codes[j]);

		json_array_append_new(codes, name ? json_string(name) :
				      json_integer(info->codes[j]));
	}
	return json_pack("{s:s, s:s, s:s, s:s?, s:o, s:o, s:b}",
			 "name", info->name,
			 "fails_as", fails_as_names[info->fails_as],
			 "effect", effect_names[info->effect],
			 "object", info->object == CLAW_OBJ_NONE ? NULL :
			 claw_obj_name(info->object),
			 "groups", groups, "errors", codes,
			 "extension", info->extension);
}

json_t *claw_info_api_json(void)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < CLAW_API_COUNT; i++)
		json_array_append_new(rows, api_json_row(&claw_api_table[i]));
	return rows;
}
