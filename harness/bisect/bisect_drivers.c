/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search over drivers: a list of few, in the order of their age. Each has a
 * directory of its own for OCL_ICD_VENDORS.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bisect.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/base/text_list.h"
#include "harness/process/runner.h"
#include "harness/session/icd_files.h"
#include "harness/session/icd_names.h"

enum { LIST_MS = 60000 };	/* for a driver to show its devices */

struct drivers {
	const char *const *names;
	size_t count;
	bool *is_skipped;
};

bool claw_bisect_drivers_fit(const char *const *names, size_t count,
			     char *error, size_t size)
{
	for (size_t i = 0; i < count; i++) {
		char *library = strcmp(names[i], "native") == 0 ? NULL :
			claw_icd_library(names[i], error, size);

		if (strcmp(names[i], "native") == 0)
			snprintf(error, size, "expected the name of one driver, found "
				 "\"native\"");
		if (!library)
			return false;
		free(library);
		for (size_t j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0) {
				snprintf(error, size, "%s is there twice",
					 names[i]);
				return false;
			}
	}
	return true;
}

/* ---- one driver ---------------------------------------------------------- */

static void set_driver(json_t *object, const char *text)
{
	const char *name = text + strspn(text, "0123456789");
	char *clean;

	name += 2 * claw_begins(name, ": ");
	clean = claw_text_clean(name, strcspn(name, "\n"));
	json_object_set_new(object, "driver", json_string(clean));
	free(clean);
}

/* Without any driver a program may fail as it does with a bad one: first the
 * driver must show a device. NULL: *ret_text lists its devices, malloced, or we
 * are interrupted. */
static json_t *look_at_driver(struct claw_bisect *all, char *const *set_env,
			      char **ret_text)
{
	char *argv[] = { (char *)(uintptr_t)CLAW_BISECT_SELF,
			 (char *)(uintptr_t)"info", (char *)(uintptr_t)"--list",
			 NULL };
	const struct claw_run_spec spec = {
		.argv = argv, .set_env = set_env, .merge_stderr = true,
		.timeout_ms = LIST_MS,
	};
	struct claw_run_result result;
	int ret = claw_run_once(&spec, &result);
	json_t *object = NULL;
	char *text = claw_capture_text(&result.out);

	all->signal = ret > 0 ? ret : 0;
	if (!all->signal && (result.end != CLAW_END_EXIT || result.code != 0))
		object = claw_bisect_skip(CLAW_EXIT_SKIPPED, "cannot list its "
			"devices: %.*s", (int)strcspn(text, "\n"), text);
	if (!all->signal && !object)
		*ret_text = text;
	else
		free(text);
	claw_run_result_release(&result);
	return object;
}

static json_t *judge_with(struct claw_bisect *all, const char *outputs,
			  char *const *set_env)
{
	const struct claw_bisect_place place = {
		.outputs = outputs, .set_env = set_env,
	};
	char *text = NULL;
	json_t *object = look_at_driver(all, set_env, &text);

	if (!object && !all->signal)
		object = claw_bisect_judge(&all->question, &place, &all->signal);
	if (object && text)
		set_driver(object, text);
	free(text);
	return object;
}

static json_t *judge(struct claw_bisect *all, const char *name,
		     const char *outputs)
{
	char error[4096], *vendors = NULL, **set_env = NULL;
	char *library = claw_icd_library(name, error, sizeof(error));
	json_t *object = NULL;

	if (!library)
		return claw_bisect_skip(0, "%s", error);
	/* Its own place, since outputs is not made yet. */
	if (claw_icd_write(all->directory, strrchr(outputs, '/') + 1, library,
			   &vendors) < 0) {
		object = claw_bisect_skip(CLAW_EXIT_INFRA, "%s/tools: %s",
					  all->directory, strerror(errno));
	} else {
		claw_list_add(&set_env, claw_format("OCL_ICD_VENDORS=%s",
						    vendors));
		if (claw_icd_setting(library))
			claw_list_add(&set_env,
				      claw_strdup(claw_icd_setting(library)));
		claw_list_add(&set_env, claw_strdup("OCL_ICD_FILENAMES"));
		claw_list_add(&set_env, claw_strdup("OPENCL_VENDOR_PATH"));
		claw_list_add(&set_env, claw_strdup("OPENCLAW_HISTORY="));
		object = judge_with(all, outputs, set_env);
	}
	claw_list_free(set_env);
	free(vendors);
	free(library);
	return object;
}

/* ---- the search ---------------------------------------------------------- */

/* Of those not skipped the nearest to the middle of good and bad; 0: none. */
static size_t choose(const struct drivers *drivers, size_t good, size_t bad)
{
	size_t middle = good + (bad - good) / 2, chosen = 0;

	for (size_t i = good + 1; i < bad; i++) {
		size_t away = i > middle ? i - middle : middle - i;
		size_t before = chosen > middle ? chosen - middle :
			middle - chosen;

		if (!drivers->is_skipped[i] && (!chosen || away < before))
			chosen = i;
	}
	return chosen;
}

/* 0, or -1: interrupted. */
static int narrow(struct claw_bisect *all, struct drivers *drivers,
		  size_t *good, size_t *bad)
{
	for (size_t at; (at = choose(drivers, *good, *bad)) != 0;) {
		const json_t *object = claw_bisect_ask(all, drivers->names[at]);

		if (!object)
			return -1;
		if (claw_bisect_is(object, "skip"))
			drivers->is_skipped[at] = true;
		else if (claw_bisect_is(object, "bad"))
			*bad = at;
		else
			*good = at;
	}
	return 0;
}

static int say_end(struct claw_bisect *all, const struct drivers *drivers,
		   size_t good, size_t bad)
{
	if (bad == good + 1) {
		claw_bisect_say_first(all, drivers->names[bad],
				      drivers->names[drivers->count - 1]);
		return CLAW_EXIT_CLEAN;
	}
	printf("the first bad driver is one of %zu:\n", bad - good);
	for (size_t i = good + 1; i <= bad; i++)
		claw_bisect_say_candidate(all, drivers->names[i]);
	return CLAW_EXIT_UNKNOWN;
}

int claw_bisect_drivers_run(struct claw_bisect *all, const char *const *names,
			    size_t count)
{
	struct drivers drivers = {
		.names = names, .count = count,
		.is_skipped = claw_calloc(count, sizeof(*drivers.is_skipped)),
	};
	char *first = claw_format("the first driver, --icd %s,", names[0]);
	char *last = claw_format("the last driver, --icd %s,", names[count - 1]);
	const struct claw_bisect_end good = { first, names[0] };
	const struct claw_bisect_end bad = { last, names[count - 1] };
	size_t low = 0, high = count - 1;
	int status;

	all->noun = "driver";
	all->judge = judge;
	status = claw_bisect_ask_ends(all, &good, &bad);
	if (status == 0)
		status = narrow(all, &drivers, &low, &high);
	if (status == 0)
		status = say_end(all, &drivers, low, high);
	free(first);
	free(last);
	free(drivers.is_skipped);
	return status;
}
