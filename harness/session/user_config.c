/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find and read openclaw.yaml.
 */
#include "config.h"

#include "user_config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/source_url.h"
#include "harness/base/text_list.h"
#include "user_config_keys.h"
#include "harness/files/yaml_doc.h"

/* ---- reading ---------------------------------------------------------- */

/* A path of a file, seen from the file's directory. */
static char *beside(const char *file, const char *path)
{
	const char *slash = strrchr(file, '/');

	if (*path == '/' || !slash)
		return claw_strdup(path);
	return claw_format("%.*s/%s", (int)(slash - file), file, path);
}

/* The same in place, of one that may not be there. */
static void put_beside(const char *file, char **path)
{
	char *text = *path ? beside(file, *path) : NULL;

	free(*path);
	*path = text;
}

static int take_suite(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct claw_user_config *config = user;
	struct stat status;
	const char *text;
	char *path;
	int ret = claw_yaml_text(yaml, node, "a suite's description, or a "
				 "folder of them", &text);

	if (ret < 0)
		return ret;
	path = beside(yaml->path, text);
	if (stat(path, &status) < 0)
		ret = claw_yaml_fail(yaml, node, "expected a suite's "
				     "description, or a folder of them, found "
				     "nothing at %s", path);
	else if (!S_ISDIR(status.st_mode) &&
		 (strlen(path) < 6 ||
		  strcmp(path + strlen(path) - 5, ".yaml") != 0))
		ret = claw_yaml_fail(yaml, node, "expected a file whose name "
				     "ends in .yaml, found %s",
				     claw_yaml_found(node));
	if (ret < 0) {
		free(path);
		return ret;
	}
	claw_list_add(&config->suites, path);
	return 0;
}

static int take_suites(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	return claw_yaml_each(yaml, node, "suites", true, take_suite, user);
}

/* One that is missing is made. */
static int take_output(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_user_config *config = user;
	struct stat status;
	int ret = claw_yaml_copy(yaml, node, "a directory", &config->output);

	if (ret < 0)
		return ret;
	put_beside(yaml->path, &config->output);
	if (stat(config->output, &status) == 0 && !S_ISDIR(status.st_mode))
		return claw_yaml_fail(yaml, node, "expected a directory, found "
				      "a file at %s", config->output);
	return 0;
}

static const struct claw_yaml_key config_keys[] = {
	{ "suites", take_suites },
	{ "output", take_output },
	{ "logging", claw_config_take_logging },
	{ "memory", claw_config_take_memory },
	{ "history", claw_config_take_history },
	{ "report", claw_config_take_report },
	{ "workload", claw_config_take_workload },
	{ "enable_crash_recovery", claw_config_take_recovery },
	{ "max_retry_attempts", claw_config_take_retries },
	{ "gpu_timeout_ms", claw_config_take_gpu_timeout },
	{ NULL, NULL },
};

static int read_config(const char *path, struct claw_user_config *ret_config,
		       char *error, size_t error_size)
{
	struct claw_user_config config = { .path = claw_strdup(path) };
	struct claw_yaml yaml;
	int ret = claw_yaml_read(path, &yaml, error, error_size);

	if (ret == 0)
		ret = claw_yaml_walk(&yaml, yaml.root, "openclaw.yaml",
				     config_keys, &config);
	if (ret == 0)
		put_beside(path, &config.crash_dump_path);
	if (ret == 0 && config.history && *config.history)
		put_beside(path, &config.history);
	claw_yaml_release(&yaml);
	if (ret < 0)
		claw_user_config_release(&config);
	else
		*ret_config = config;
	return ret;
}

void claw_user_config_release(struct claw_user_config *config)
{
	free(config->path);
	free(config->crash_dump_path);
	free(config->source_url);
	free(config->history);
	free(config->output);
	claw_list_free(config->suites);
	*config = (struct claw_user_config){ .path = NULL };
}

/* ---- finding ---------------------------------------------------------- */

static bool is_there(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* In the working directory, or the nearest one above it. */
static bool find_upward(char *path, size_t size)
{
	char directory[PATH_MAX], *slash;

	if (!getcwd(directory, sizeof(directory)))
		return false;
	for (;;) {
		int length = snprintf(path, size, "%s/openclaw.yaml",
				      strcmp(directory, "/") == 0 ? "" :
				      directory);

		if (length > 0 && (size_t)length < size && is_there(path))
			return true;
		slash = strrchr(directory, '/');
		if (!slash || !directory[1])
			return false;
		slash[slash == directory] = '\0';
	}
}

static bool find_config(char *path, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (find_upward(path, size))
		return true;
	if (xdg && *xdg == '/')
		snprintf(path, size, "%s/openclaw/openclaw.yaml", xdg);
	else if (home && *home == '/')
		snprintf(path, size, "%s/.config/openclaw/openclaw.yaml",
			 home);
	else
		*path = '\0';
	if (*path && is_there(path))
		return true;
	snprintf(path, size, "%s", CLAW_SYSCONFDIR "/openclaw/openclaw.yaml");
	return is_there(path);
}

int claw_user_config_read(struct claw_user_config *ret_config, char *error,
			  size_t error_size)
{
	char path[PATH_MAX + sizeof("/.config/openclaw/openclaw.yaml")];

	*ret_config = (struct claw_user_config){ .path = NULL };
	if (!find_config(path, sizeof(path)))
		return 0;
	return read_config(path, ret_config, error, error_size);
}

/* ---- using ------------------------------------------------------------ */

/* An empty variable counts as not set, as everywhere. */
static void export_text(const char *name, const char *value)
{
	const char *now = getenv(name);

	if (value && !(now && *now) && setenv(name, value, 1) < 0)
		claw_made(NULL);
}

static void export_switch(const char *name, enum claw_config_switch value)
{
	export_text(name, value == CLAW_CONFIG_UNSET ? NULL :
		    value == CLAW_CONFIG_ON ? "1" : "0");
}

static void export_number(const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	export_text(name, text);
}

const struct claw_user_variable claw_user_variables[] = {
	{ "CLW_LOG_LEVEL", "off|error|warn|info|debug" },
	{ "CLW_GPU_DEBUG", "0|1" },
	{ "CLW_CRASH_DUMP", "0|1" },
	{ "CLW_CRASH_DUMP_PATH", NULL },
	{ "CLW_MAX_ALLOCATION_MB", "0..8796093022207" },
	{ "CLW_RESERVE_MB", "0..8796093022207" },
	{ "CLW_PAGING", "0|1" },
	{ "CLW_MEM_TIMEOUT_MS", "0..18446744073709551615" },
	{ "CLW_GPU_TIMEOUT_MS", "0..18446744073709" },
	{ NULL, NULL },
};

bool claw_user_variable_takes(const struct claw_user_variable *variable,
			      const char *value)
{
	const char *values = variable->values;
	size_t length = strlen(value);
	char *end;

	if (!values)
		return true;
	if (strstr(values, "..")) {
		errno = 0;
		return isdigit((unsigned char)*value) &&
		       strtoull(value, &end, 10) <=
		       strtoull(strstr(values, "..") + 2, NULL, 10) &&
		       !*end && !errno;
	}
	for (; *values; values += strcspn(values, "|"), values += *values == '|')
		if (strcspn(values, "|") == length &&
		    strncasecmp(values, value, length) == 0)
			return true;
	return false;
}

void claw_user_config_export(const struct claw_user_config *config)
{
	if (!claw_source_url)
		claw_source_url = claw_strdup_or_null(config->source_url);
	export_text("CLW_LOG_LEVEL", config->log_level);
	export_switch("CLW_GPU_DEBUG", config->gpu_debug);
	export_switch("CLW_CRASH_DUMP", config->crash_dump);
	export_text("CLW_CRASH_DUMP_PATH", config->crash_dump_path);
	if (config->max_allocation_mb)
		export_number("CLW_MAX_ALLOCATION_MB",
			      config->max_allocation_mb);
	if (config->reserve_mb)
		export_number("CLW_RESERVE_MB", config->reserve_mb);
	export_switch("CLW_PAGING", config->paging);
	if (config->has_mem_timeout)
		export_number("CLW_MEM_TIMEOUT_MS", config->mem_timeout_ms);
	if (config->gpu_timeout_ms)
		export_number("CLW_GPU_TIMEOUT_MS", config->gpu_timeout_ms);
}
