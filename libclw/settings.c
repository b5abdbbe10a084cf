/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables CLW_*, and what openclaw.yaml says of those that are not set.
 * A variable that is none of its values counts as not set, as for the layer;
 * a wrong value in the file is an error. Keys of others are theirs.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <yaml.h>

#include "clw_private.h"

enum { MIB_MAX = 1 << 30, RETRIES_MAX = 1000, MS_MAX = 7 * 24 * 3600 * 1000 };

/* ---- values ------------------------------------------------------------- */

static bool read_number(const char *text, uint64_t high, uint64_t *ret_number)
{
	char *end;
	uint64_t number;

	if (!text || text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || *end || number > high)
		return false;
	*ret_number = number;
	return true;
}

static bool read_level(const char *text, enum claw_log_level *ret_level)
{
	int level = claw_log_level_find(text);

	if (level >= 0)
		*ret_level = (enum claw_log_level)level;
	return level >= 0;
}

static bool read_switch(const char *text, bool *ret_switch)
{
	bool on = strcasecmp(text, "true") == 0;

	if (!on && strcasecmp(text, "false") != 0)
		return false;
	*ret_switch = on;
	return true;
}

/* ---- the file's keys ----------------------------------------------------- */

#define NUMBER_KEY(name_, member_, high_)				\
static bool take_##name_(const char *text, struct clw_settings *settings) \
{									\
	return read_number(text, high_, &settings->member_);		\
}
NUMBER_KEY(timeout, memory_timeout_ms, MS_MAX)
NUMBER_KEY(max_allocation, max_allocation_mb, MIB_MAX)
NUMBER_KEY(reserve, reserve_mb, MIB_MAX)
NUMBER_KEY(retries, retries, RETRIES_MAX)
NUMBER_KEY(gpu_timeout, gpu_timeout_ms, MS_MAX)
#undef NUMBER_KEY

static bool take_level(const char *text, struct clw_settings *settings)
{
	return read_level(text, &settings->level);
}

static bool take_paging(const char *text, struct clw_settings *settings)
{
	return read_switch(text, &settings->paging);
}

static bool take_recovery(const char *text, struct clw_settings *settings)
{
	return read_switch(text, &settings->recovery);
}

/* section: "": outside of every one. */
static const struct {
	const char *section, *key, *values;
	bool (*take)(const char *text, struct clw_settings *settings);
} keys[] = {
	{ "logging", "level", "off, error, warn, info or debug", take_level },
	{ "memory", "timeout_ms", "a number of ms", take_timeout },
	{ "memory", "max_allocation_mb", "a number of MiB", take_max_allocation },
	{ "memory", "reserve_mb", "a number of MiB", take_reserve },
	{ "memory", "paging_enabled", "true or false", take_paging },
	{ "workload", "enable_crash_recovery", "true or false", take_recovery },
	{ "workload", "max_retry_attempts", "a number to 1000", take_retries },
	{ "workload", "gpu_timeout_ms", "a number of ms", take_gpu_timeout },
	{ "", "enable_crash_recovery", "true or false", take_recovery },
	{ "", "max_retry_attempts", "a number to 1000", take_retries },
	{ "", "gpu_timeout_ms", "a number of ms", take_gpu_timeout },
};

/* ---- the file ------------------------------------------------------------ */

static const char *scalar(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ?
		(const char *)node->data.scalar.value : "";
}

static int take_key(const char *path, const char *section, const char *key,
		    const yaml_node_t *value, struct clw_settings *settings)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcmp(keys[i].section, section) != 0 ||
		    strcmp(keys[i].key, key) != 0)
			continue;
		if (keys[i].take(scalar(value), settings))
			return CLW_OK;
		return clw_fail(CLW_INVALID_CONFIGURATION, "%s:%zu:%zu: %s: "
				"expected %s, found \"%.80s\"", path,
				value->start_mark.line + 1,
				value->start_mark.column + 1, key,
				keys[i].values, scalar(value));
	}
	return CLW_OK;
}

static int take_map(const char *path, yaml_document_t *document,
		    const yaml_node_t *node, const char *section,
		    struct clw_settings *settings)
{
	int status = CLW_OK;

	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     !status && pair < node->data.mapping.pairs.top; pair++) {
		const char *key = scalar(yaml_document_get_node(document,
								pair->key));
		const yaml_node_t *value =
			yaml_document_get_node(document, pair->value);

		if (!value)
			continue;
		if (value->type == YAML_MAPPING_NODE && !section[0])
			status = take_map(path, document, value, key, settings);
		else
			status = take_key(path, section, key, value, settings);
	}
	return status;
}

static int read_file(const char *path, FILE *file,
		     struct clw_settings *settings)
{
	yaml_parser_t parser;
	yaml_document_t document;
	const yaml_node_t *root;
	int status = CLW_OK;

	if (!yaml_parser_initialize(&parser))
		return clw_fail_memory();
	yaml_parser_set_input_file(&parser, file);
	if (!yaml_parser_load(&parser, &document)) {
		status = parser.error == YAML_MEMORY_ERROR ? clw_fail_memory() :
			clw_fail(CLW_INVALID_CONFIGURATION, "%s:%zu:%zu: %s",
				 path, parser.problem_mark.line + 1,
				 parser.problem_mark.column + 1,
				 parser.problem ? parser.problem : "not YAML");
		yaml_parser_delete(&parser);
		return status;
	}
	root = yaml_document_get_root_node(&document);
	if (root && root->type == YAML_MAPPING_NODE)
		status = take_map(path, &document, root, "", settings);
	yaml_document_delete(&document);
	yaml_parser_delete(&parser);
	return status;
}

/* Cuts the last part of a path off. */
static bool go_up(char *directory)
{
	char *slash = strrchr(directory, '/');

	if (!slash || !directory[0])
		return false;
	*slash = '\0';
	return true;
}

static FILE *open_in(const char *directory, const char *name,
		     char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%s/%s", directory, name);

	return length > 0 && length < PATH_MAX ? fopen(path, "re") : NULL;
}

/* The first that is there: from the working directory upward, the user's,
 * the system's. */
static FILE *open_file(char path[PATH_MAX])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char directory[PATH_MAX];
	FILE *file = NULL;

	if (getcwd(directory, sizeof(directory)))
		do
			file = open_in(directory, "openclaw.yaml", path);
		while (!file && go_up(directory));
	if (!file && config && *config)
		file = open_in(config, "openclaw/openclaw.yaml", path);
	else if (!file && home && *home)
		file = open_in(home, ".config/openclaw/openclaw.yaml", path);
	if (!file)
		file = open_in(CLAW_SYSCONFDIR, "openclaw/openclaw.yaml", path);
	return file;
}

/* ---- all ----------------------------------------------------------------- */

static int read_environment(struct clw_settings *settings)
{
	const char *device = getenv("CLW_DEVICE_ID");
	const char *paging = getenv("CLW_PAGING");
	uint64_t number;

	read_level(getenv("CLW_LOG_LEVEL"), &settings->level);
	read_number(getenv("CLW_MEM_TIMEOUT_MS"), MS_MAX,
		    &settings->memory_timeout_ms);
	read_number(getenv("CLW_MAX_ALLOCATION_MB"), MIB_MAX,
		    &settings->max_allocation_mb);
	read_number(getenv("CLW_RESERVE_MB"), MIB_MAX, &settings->reserve_mb);
	read_number(getenv("CLW_GPU_TIMEOUT_MS"), MS_MAX,
		    &settings->gpu_timeout_ms);
	if (paging && *paging)
		settings->paging = strcmp(paging, "1") == 0;
	if (!device || !*device)
		return CLW_OK;
	/* A device that was asked for by mistake is another device. */
	if (!read_number(device, INT_MAX, &number))
		return clw_fail(CLW_INVALID_CONFIGURATION, "CLW_DEVICE_ID: "
				"expected the number of a device, found "
				"\"%.80s\"", device);
	settings->device = (int)number;
	return CLW_OK;
}

int clw_settings_read(struct clw_settings *ret_settings)
{
	struct clw_settings settings = {
		.device = -1, .memory_timeout_ms = 30000, .retries = 3,
	};
	char path[PATH_MAX];
	FILE *file = open_file(path);
	int status = CLW_OK;

	if (file) {
		status = read_file(path, file, &settings);
		fclose(file);
	}
	if (!status)
		status = read_environment(&settings);
	if (status)
		return status;
	clw_log_set(settings.level);
	*ret_settings = settings;
	return CLW_OK;
}
