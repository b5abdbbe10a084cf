/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find and read openclaw.yaml.
 */
#include "config.h"

#include "user_config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "text_list.h"
#include "yaml_doc.h"

/* ---- reading ---------------------------------------------------------- */

/* A path of a file, seen from the file's directory. */
static char *beside(const char *file, const char *path)
{
	const char *slash = strrchr(file, '/');
	char *text;

	if (*path == '/' || !slash)
		return strdup(path);
	return asprintf(&text, "%.*s/%s", (int)(slash - file), file, path) < 0 ?
		NULL : text;
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
	if (!path)
		return -CLAW_E_NO_MEMORY;
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
	return claw_list_add(&config->suites, path);
}

static int take_suites(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	return claw_yaml_each(yaml, node, "suites", true, take_suite, user);
}

/* Sections of the seeds' form that nothing reads yet. */
static int pass_over(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	(void)user;
	if (node->type == YAML_MAPPING_NODE)
		return 0;
	return claw_yaml_fail(yaml, node, "expected keys and values, found %s",
			      claw_yaml_found(node));
}

static const struct claw_yaml_key config_keys[] = {
	{ "suites", take_suites },
	{ "logging", pass_over },
	{ "memory", pass_over },
	{ NULL, NULL },
};

int claw_user_config_read_file(const char *path,
			       struct claw_user_config *ret_config,
			       char *error, size_t error_size)
{
	struct claw_user_config config = { .path = strdup(path) };
	struct claw_yaml yaml;
	int ret = claw_yaml_read(path, &yaml, error, error_size);

	if (ret == 0 && !config.path)
		ret = -CLAW_E_NO_MEMORY;
	if (ret == 0)
		ret = claw_yaml_walk(&yaml, yaml.root, "openclaw.yaml",
				     config_keys, &config);
	if (ret == -CLAW_E_NO_MEMORY)
		snprintf(error, error_size, "%s", claw_error_text(ret));
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
	return claw_user_config_read_file(path, ret_config, error, error_size);
}
