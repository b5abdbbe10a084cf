/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print what can be injected, from the tables that the guest uses, too, and
 * the presets.
 */
#include "config.h"

#include "inject_list.h"

#include <stdio.h>

#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "harness/session/preset.h"

static void list_faults(bool verbose)
{
	printf("Faults (in a rule: TARGET:FAULT):\n");
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++) {
		const struct claw_fault_info *info = &claw_fault_table[i];

		printf("  %-15s %-26s %s\n", info->name, info->code,
		       info->summary);
		if (verbose)
			printf("  %-15s seen: %s\n", "", info->seen ?
			       info->seen : CLAW_FAULT_UNSEEN_TEXT);
	}
	printf("  %-15s %-26s %s\n", "delay", "clw-memory-timeout",
	       "delays the call: delay=500ms, delay=1s..3s; alone or with a "
	       "fault");
}

static void list_groups(void)
{
	printf("\nGroups (as TARGET):\n");
	for (uint32_t bit = 1; bit <= CLAW_G_ANY; bit <<= 1) {
		const char *name = claw_group_name(bit);
		unsigned int count = 0;

		for (int api = 0; api < CLAW_API_COUNT; api++)
			count += bit == CLAW_G_ANY ||
				(claw_api_table[api].groups & bit) != 0;
		if (name)
			printf("  @%-14s %u functions\n", name, count);
	}
}

/* The summary in lines of at most 78 columns. */
static void list_summary(const char *text)
{
	enum { INDENT = 4, WIDTH = 78 };
	size_t column = 0;

	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " ");

		if (column > 0 && column + 1 + length > WIDTH) {
			putchar('\n');
			column = 0;
		}
		if (column == 0)
			column = (size_t)printf("%*s", INDENT, "");
		else
			column += (size_t)printf(" ");
		printf("%.*s", (int)length, text);
		column += length;
		text += length;
	}
	putchar('\n');
}

static int list_presets(void)
{
	struct claw_presets presets;
	int ret = claw_presets_read(&presets);

	printf("\n"
	       "Presets (--plan preset:NAME): failures reported by OpenCL "
	       "users\n");
	if (ret < 0) {
		printf("  none: faults/presets: %s\n", claw_error_text(ret));
		return ret;
	}
	for (size_t i = 0; i < presets.count; i++) {
		printf("  %s\n", presets.items[i].name);
		list_summary(presets.items[i].summary);
	}
	claw_presets_release(&presets);
	return 0;
}

static void list_function(const struct claw_api_info *api)
{
	printf("  %s%s:", api->name, api->extension ? " (extension)" : "");
	for (uint32_t bit = 1; bit < CLAW_G_ANY; bit <<= 1)
		if ((api->groups & bit) && claw_group_name(bit))
			printf(" @%s", claw_group_name(bit));
	printf("\n   ");
	for (size_t i = 0; i < api->code_count; i++) {
		const char *name = claw_code_name(api->codes[i]);

		if (name)
			printf(" %s", name);
		else
			printf(" %d", (int)api->codes[i]);
	}
	printf("%s\n", api->code_count ? "" : " (no error code)");
}

int claw_inject_list(bool verbose)
{
	int ret;

	list_faults(verbose);
	list_groups();
	ret = list_presets();
	printf("\nFunctions, their groups and the codes of error=, default "
	       "first:\n");
	for (int api = 0; api < CLAW_API_COUNT; api++)
		list_function(&claw_api_table[api]);
	return ret < 0 || ferror(stdout) || fflush(stdout) != 0 ?
		CLAW_EXIT_INFRA : CLAW_EXIT_CLEAN;
}
