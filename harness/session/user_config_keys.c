/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function a setting of openclaw.yaml, and the tables of its sections.
 */
#include "config.h"

#include "user_config_keys.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "faults/shared/nearest.h"
#include "harness/base/memory.h"
#include "harness/base/source_url.h"
#include "user_config.h"

enum {
	MIB_MAX = 1 << 30,		/* 1 PiB */
	RETRIES_MAX = 1000,
	TIMEOUT_MS_MAX = 7 * 24 * 3600 * 1000,
};

/* ---- kinds of values -------------------------------------------------- */

static int take_bool(const struct claw_yaml *yaml, const yaml_node_t *node,
		     enum claw_config_switch *ret_switch)
{
	const char *text;
	int ret = claw_yaml_text(yaml, node, "true or false", &text);

	if (ret < 0)
		return ret;
	if (strcasecmp(text, "true") == 0)
		*ret_switch = CLAW_CONFIG_ON;
	else if (strcasecmp(text, "false") == 0)
		*ret_switch = CLAW_CONFIG_OFF;
	else
		return claw_yaml_fail(yaml, node, "expected true or false, "
				      "found %s", claw_yaml_found(node));
	return 0;
}

/* what: "a number of MiB"; the key has the unit in its name. */
static int take_number(const struct claw_yaml *yaml, const yaml_node_t *node,
		       const char *what, uint64_t low, uint64_t high,
		       uint64_t *ret_number)
{
	const char *text;
	int ret = claw_yaml_text(yaml, node, what, &text);

	if (ret < 0)
		return ret;
	if (strspn(text, "0123456789") == strlen(text) && strlen(text) < 19)
		*ret_number = strtoull(text, NULL, 10);
	else
		*ret_number = UINT64_MAX;
	if (*ret_number < low || *ret_number > high)
		return claw_yaml_fail(yaml, node, "expected %s from %" PRIu64
				      " to %" PRIu64 ", found %s", what, low,
				      high, claw_yaml_found(node));
	return 0;
}

/* ---- logging ---------------------------------------------------------- */

static int take_level(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	static const char *const levels[] = {
		"off", "error", "warn", "info", "debug",
	};
	struct claw_user_config *config = user;
	struct claw_nearest nearest;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "off, error, warn, info or debug",
				 &text);

	if (ret < 0)
		return ret;
	claw_nearest_init(&nearest, text);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		if (strcasecmp(text, levels[i]) == 0) {
			config->log_level = levels[i];
			return 0;
		}
		claw_nearest_offer(&nearest, levels[i]);
	}
	return claw_yaml_fail(yaml, node, "expected off, error, warn, info or "
			      "debug, found %s%s%s%s", claw_yaml_found(node),
			      nearest.best ? " (did you mean " : "",
			      nearest.best ? nearest.best : "",
			      nearest.best ? "?)" : "");
}

static int take_gpu_debug(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	return take_bool(yaml, node, &config->gpu_debug);
}

static int take_crash_dump(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	return take_bool(yaml, node, &config->crash_dump);
}

static int take_crash_dump_path(const struct claw_yaml *yaml,
				const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	return claw_yaml_copy(yaml, node, "a directory",
			      &config->crash_dump_path);
}

static const struct claw_yaml_key logging_keys[] = {
	{ "level", take_level },
	{ "gpu_debug", take_gpu_debug },
	{ "crash_dump", take_crash_dump },
	{ "crash_dump_path", take_crash_dump_path },
	{ NULL, NULL },
};

int claw_config_take_logging(const struct claw_yaml *yaml,
			     const yaml_node_t *node, void *user)
{
	return claw_yaml_walk(yaml, node, "logging", logging_keys, user);
}

/* ---- memory ----------------------------------------------------------- */

static int take_max_allocation(const struct claw_yaml *yaml,
			       const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	return take_number(yaml, node, "a number of MiB", 1, MIB_MAX,
			   &config->max_allocation_mb);
}

static int take_reserve(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_user_config *config = user;

	return take_number(yaml, node, "a number of MiB", 0, MIB_MAX,
			   &config->reserve_mb);
}

static int take_paging(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_user_config *config = user;

	return take_bool(yaml, node, &config->paging);
}

static int take_mem_timeout(const struct claw_yaml *yaml,
			    const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	config->has_mem_timeout = true;
	return take_number(yaml, node, "a number of milliseconds", 0,
			   TIMEOUT_MS_MAX, &config->mem_timeout_ms);
}

static const struct claw_yaml_key memory_keys[] = {
	{ "max_allocation_mb", take_max_allocation },
	{ "reserve_mb", take_reserve },
	{ "paging_enabled", take_paging },
	{ "timeout_ms", take_mem_timeout },
	{ NULL, NULL },
};

int claw_config_take_memory(const struct claw_yaml *yaml,
			    const yaml_node_t *node, void *user)
{
	return claw_yaml_walk(yaml, node, "memory", memory_keys, user);
}

/* ---- report ----------------------------------------------------------- */

static int take_source_url(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;
	int ret = claw_yaml_copy(yaml, node, CLAW_SOURCE_URL_EXPECTED,
				 &config->source_url);

	if (ret < 0 || claw_source_url_is_valid(config->source_url))
		return ret;
	return claw_yaml_fail(yaml, node, "expected " CLAW_SOURCE_URL_EXPECTED
			      ", found %s", claw_yaml_found(node));
}

int claw_config_take_report(const struct claw_yaml *yaml,
			    const yaml_node_t *node, void *user)
{
	static const struct claw_yaml_key keys[] = {
		{ "source_url", take_source_url },
		{ NULL, NULL },
	};

	return claw_yaml_walk(yaml, node, "report", keys, user);
}

/* ---- history ---------------------------------------------------------- */

int claw_config_take_history(const struct claw_yaml *yaml,
			     const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;
	int ret = claw_yaml_copy(yaml, node, "true, false or a file",
				 &config->history);
	const char *file = ret < 0 ? NULL :
		strcasecmp(config->history, "true") == 0 ? CLAW_HISTORY_FILE :
		strcasecmp(config->history, "false") == 0 ? "" : NULL;

	if (!file)
		return ret;
	free(config->history);
	config->history = claw_strdup(file);
	return 0;
}

/* ---- workload --------------------------------------------------------- */

int claw_config_take_recovery(const struct claw_yaml *yaml,
			      const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	return take_bool(yaml, node, &config->crash_recovery);
}

int claw_config_take_retries(const struct claw_yaml *yaml,
			     const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	config->has_retries = true;
	return take_number(yaml, node, "a number of attempts", 0, RETRIES_MAX,
			   &config->max_retry_attempts);
}

int claw_config_take_gpu_timeout(const struct claw_yaml *yaml,
				 const yaml_node_t *node, void *user)
{
	struct claw_user_config *config = user;

	return take_number(yaml, node, "a number of ms", 1, TIMEOUT_MS_MAX,
			   &config->gpu_timeout_ms);
}

static const struct claw_yaml_key workload_keys[] = {
	{ "enable_crash_recovery", claw_config_take_recovery },
	{ "max_retry_attempts", claw_config_take_retries },
	{ "gpu_timeout_ms", claw_config_take_gpu_timeout },
	{ NULL, NULL },
};

int claw_config_take_workload(const struct claw_yaml *yaml,
			      const yaml_node_t *node, void *user)
{
	return claw_yaml_walk(yaml, node, "workload", workload_keys, user);
}
