/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What --model says: find the file, put the values of the option in place of
 * the file's, write it all for the session.
 *
 *	WORD = ( NAME | FILE ) { "," KEY "=" VALUE }
 *
 * FILE holds a '/' or ends in .yaml; NAME is one of faults/devices/.
 */
#include "config.h"

#include "model.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/base/paths.h"

static const char suffix[] = ".yaml";
static const char folder[] = "faults/devices";

static bool ends_in_yaml(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(suffix) &&
	       strcmp(name + length - strlen(suffix), suffix) == 0;
}

static int is_model(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && ends_in_yaml(entry->d_name);
}

static void free_names(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

int claw_model_names(char ***ret_names, size_t *ret_count)
{
	char *directory = claw_data_path(folder);
	struct dirent **entries = NULL;
	int count = directory ? scandir(directory, &entries, is_model,
					alphasort) : -1;
	int ret = !directory ? -CLAW_E_NOT_FOUND : count < 0 ? -CLAW_E_IO : 0;
	char **names;

	free(directory);
	if (ret < 0)
		return ret;
	names = claw_calloc((size_t)count + 1, sizeof(*names));
	for (int i = 0; i < count; i++) {
		size_t length = strlen(entries[i]->d_name) - strlen(suffix);

		names[i] = claw_strndup(entries[i]->d_name, length);
		free(entries[i]);
	}
	free(entries);
	*ret_names = names;
	*ret_count = (size_t)count;
	return 0;
}

/* ---- one word --------------------------------------------------------- */

static int fail_name(const char *name, char *error, size_t error_size)
{
	struct claw_nearest nearest;
	char **names = NULL;
	size_t count = 0;
	int ret = claw_model_names(&names, &count);

	claw_nearest_init(&nearest, name);
	for (size_t i = 0; i < count; i++)
		claw_nearest_offer(&nearest, names[i]);
	if (ret < 0)
		snprintf(error, error_size, "--model: the folder %s is "
			 "nowhere; is openclaw installed whole?", folder);
	else
		snprintf(error, error_size, "--model:1:1: expected the name of "
			 "a device model (openclaw info --list-models) or a "
			 "file, found \"%.60s\"%s%s%s", name,
			 nearest.best ? " (did you mean " : "",
			 nearest.best ? nearest.best : "",
			 nearest.best ? "?)" : "");
	free_names(names, count);
	return ret < 0 ? -CLAW_E_NOT_FOUND : -CLAW_E_SYNTAX;
}

int claw_model_find_file(const char *name, char **ret_path, char *error,
			 size_t error_size)
{
	char *directory = claw_data_path(folder), **names = NULL;
	size_t count = 0;
	bool found = false;

	if (!directory || claw_model_names(&names, &count) < 0) {
		free(directory);
		return fail_name(name, error, error_size);
	}
	for (size_t i = 0; i < count; i++)
		found |= strcmp(names[i], name) == 0;
	free_names(names, count);
	if (found)
		*ret_path = claw_format("%s/%s%s", directory, name, suffix);
	free(directory);
	return found ? 0 : fail_name(name, error, error_size);
}

/* The file that the word's name stands for; malloced. */
static int find_file(const char *name, char **ret_path, char *error,
		     size_t error_size)
{
	if (!strchr(name, '/') && !ends_in_yaml(name))
		return claw_model_find_file(name, ret_path, error, error_size);
	*ret_path = claw_strdup(name);
	return 0;
}

static int fail_key(const char *key, size_t column, char *error,
		    size_t error_size)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, key);
	for (size_t i = 0; i < CLAW_MODEL_KEY_COUNT; i++)
		claw_nearest_offer(&nearest, claw_model_keys[i].name);
	snprintf(error, error_size, "--model:1:%zu: expected a key of a device "
		 "model, found \"%.48s\"%s%s%s", column, key,
		 nearest.best ? " (did you mean " : "",
		 nearest.best ? nearest.best : "", nearest.best ? "?)" : "");
	return -CLAW_E_SYNTAX;
}

/* KEY=VALUE, at that column of the word. */
static int override(char *part, size_t column, struct claw_model *model,
		    char *error, size_t error_size)
{
	char *equals = strchr(part, '=');
	char value[CLAW_MODEL_TEXT_BYTES + 1], expected[256];
	struct claw_model_fact *fact;
	size_t key = 0;

	if (!equals) {
		snprintf(error, error_size, "--model:1:%zu: expected KEY=VALUE, "
			 "found \"%.48s\"", column, part);
		return -CLAW_E_SYNTAX;
	}
	*equals = '\0';
	while (key < CLAW_MODEL_KEY_COUNT &&
	       strcmp(claw_model_keys[key].name, part) != 0)
		key++;
	if (key == CLAW_MODEL_KEY_COUNT)
		return fail_key(part, column, error, error_size);
	if (claw_model_value(&claw_model_keys[key], equals + 1, value,
			     sizeof(value), expected, sizeof(expected)) < 0) {
		snprintf(error, error_size, "--model:1:%zu: expected %s for "
			 "%s, found \"%.48s\"",
			 column + (size_t)(equals + 1 - part), expected, part,
			 equals + 1);
		return -CLAW_E_SYNTAX;
	}
	fact = &model->facts[key];
	free(fact->written);
	free(fact->value);
	free(fact->source);
	free(fact->place);
	fact->written = claw_strdup(equals + 1);
	fact->value = claw_strdup(value);
	fact->source = claw_strdup("--model");
	fact->place = claw_format("--model:1:%zu",
				  column + (size_t)(equals + 1 - part));
	return 0;
}

static int override_all(char *words, size_t column, struct claw_model *model,
			char *error, size_t error_size)
{
	int ret = 0;

	while (ret == 0 && words) {
		char *comma = strchr(words, ',');
		size_t length = comma ? (size_t)(comma - words) : strlen(words);

		if (comma)
			*comma = '\0';
		ret = override(words, column, model, error, error_size);
		words = comma ? comma + 1 : NULL;
		column += length + 1;
	}
	return ret;
}

/* The last part of the path, without .yaml; malloced. */
static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t length = strlen(base);

	return claw_strndup(base, ends_in_yaml(base) ? length - strlen(suffix) :
		       length);
}

static uint64_t value_of(const struct claw_model *model, size_t key)
{
	const char *value = model->facts[key].value;

	return value ? strtoull(value, NULL, 10) : 0;
}

static bool is_of_option(const struct claw_model_fact *fact)
{
	return fact->source && strcmp(fact->source, "--model") == 0;
}

static int fail_reserved(const struct claw_model *model, char *error,
			 size_t error_size)
{
	const struct claw_model_fact *memory =
		&model->facts[CLAW_MODEL_KEY_memory];
	const struct claw_model_fact *reserved =
		&model->facts[CLAW_MODEL_KEY_reserved];

	if (is_of_option(memory) && !is_of_option(reserved))
		snprintf(error, error_size, "%s: expected more memory than the "
			 "%s that are reserved, found \"%s\"", memory->place,
			 reserved->written, memory->written);
	else
		snprintf(error, error_size, "%s: expected less that is "
			 "reserved than the %s of memory, found \"%s\"",
			 reserved->place, memory->written, reserved->written);
	return -CLAW_E_SYNTAX;
}

/* What no single key can tell. */
static int check(const struct claw_model *model, char *error,
		 size_t error_size)
{
	uint64_t memory = value_of(model, CLAW_MODEL_KEY_memory);

	if (memory && value_of(model, CLAW_MODEL_KEY_reserved) >= memory)
		return fail_reserved(model, error, error_size);
	if (value_of(model, CLAW_MODEL_KEY_shrink) &&
	    !value_of(model, CLAW_MODEL_KEY_shrink_every) &&
	    !value_of(model, CLAW_MODEL_KEY_shrink_every_allocations)) {
		snprintf(error, error_size, "%s: expected shrink_every or "
			 "shrink_every_allocations beside shrink, found "
			 "neither", model->facts[CLAW_MODEL_KEY_shrink].place);
		return -CLAW_E_SYNTAX;
	}
	return 0;
}

int claw_model_read(const char *word, struct claw_model *ret_model,
		    char *error, size_t error_size)
{
	size_t length = strcspn(word, ",");
	char *name = claw_strndup(word, length), *path = NULL;
	char *rest = word[length] ? claw_strdup(word + length + 1) : NULL;
	int ret;

	*error = '\0';
	*ret_model = (struct claw_model){ .name = NULL };
	ret = find_file(name, &path, error, error_size);
	if (ret == 0)
		ret = claw_model_read_file(path, ret_model, error, error_size);
	if (ret == 0) {
		ret_model->name = name_of(path);
		ret = override_all(rest, length + 2, ret_model, error,
				   error_size);
	}
	if (ret == 0)
		ret = check(ret_model, error, error_size);
	if (ret < 0)
		claw_model_release(ret_model);
	/* The word may hold anything: an error stays one line. */
	for (char *at = error; ret < 0 && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	free(name);
	free(path);
	free(rest);
	return ret;
}

/* ---- the session ------------------------------------------------------ */

/* In the session's unit: the file's, else the table's. */
static void write_model(const struct claw_model *model, size_t number,
			FILE *out)
{
	fprintf(out, "device %zu\n", number);
	for (size_t i = 0; i < CLAW_MODEL_KEY_COUNT; i++) {
		const struct claw_model_key *key = &claw_model_keys[i];
		char value[CLAW_MODEL_TEXT_BYTES + 1] = "", unused[256];

		if (!model->facts[i].value && *key->fallback)
			claw_model_value(key, key->fallback, value,
					 sizeof(value), unused, sizeof(unused));
		if (model->facts[i].value || *value)
			fprintf(out, "%s %s\n", key->name,
				model->facts[i].value ? model->facts[i].value :
				value);
	}
	if (model->failure)
		fputs(model->failure, out);
}

int claw_models_compile(const struct claw_strings *words, char **ret_text,
			char *error, size_t error_size)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	int ret = 0;

	*ret_text = NULL;
	if (!words->count)
		return 0;
	if (words->count > CLAW_MODELS_MAX) {
		snprintf(error, error_size, "--model: expected at most %d "
			 "models, found %zu", CLAW_MODELS_MAX, words->count);
		return -CLAW_E_SYNTAX;
	}
	out = claw_text_begin(&text, &size);
	for (size_t i = 0; ret == 0 && i < words->count; i++) {
		struct claw_model model;

		ret = claw_model_read(words->items[i], &model, error,
				      error_size);
		if (ret == 0)
			write_model(&model, i, out);
		claw_model_release(&model);
	}
	claw_text_end(out);
	if (ret == 0)
		*ret_text = text;
	else
		free(text);
	return ret;
}

char *claw_models_of(const struct claw_strings *words)
{
	char error[1024], *text;
	int ret = claw_models_compile(words, &text, error, sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_NOT_FOUND ? CLAW_EXIT_INFRA :
			 CLAW_EXIT_USAGE, "%s", error);
	return text;
}
