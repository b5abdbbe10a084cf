/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a device model.
 *
 *	FILE    = KEY ":" ( VALUE | FACT ) ...
 *		| "failure" ":" MAPPING			model_failure.c
 *		| "failure" ":" "{" "as" ":" NAME [ "," "source" ":" SOURCE ] "}"
 *	FACT    = "{" "value" ":" VALUE [ "," "source" ":" SOURCE ] "}"
 *	SOURCE  = ( "measured" | "seed" | "report" | "guess" | "specification" )
 *		  [ " " what and where, in any words ]
 */
#include "config.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "model_failure.h"
#include "harness/files/yaml_doc.h"

/* A fact that is being read. */
struct reading {
	struct claw_model *model;
	size_t key;
	const yaml_node_t *value;
};

static int set_fact(const struct claw_yaml *yaml, const yaml_node_t *node,
		    struct claw_model *model, size_t key)
{
	struct claw_model_fact *fact = &model->facts[key];
	char value[CLAW_MODEL_TEXT_BYTES + 1], expected[256];
	const char *text;

	if (node->type != YAML_SCALAR_NODE)
		return claw_yaml_fail(yaml, node, "expected a value of %s, "
				      "found %s", claw_model_keys[key].name,
				      claw_yaml_found(node));
	text = (const char *)node->data.scalar.value;
	if (strlen(text) != node->data.scalar.length || !*text ||
	    claw_model_value(&claw_model_keys[key], text, value, sizeof(value),
			     expected, sizeof(expected)) < 0) {
		if (!*text || strlen(text) != node->data.scalar.length)
			snprintf(expected, sizeof(expected), "a value");
		return claw_yaml_fail(yaml, node, "expected %s for %s, found "
				      "%s", expected,
				      claw_model_keys[key].name,
				      claw_yaml_found(node));
	}
	fact->written = claw_strdup(text);
	fact->value = claw_strdup(value);
	fact->place = claw_format("%s:%zu:%zu", yaml->path,
				  node->start_mark.line + 1,
				  node->start_mark.column + 1);
	return 0;
}

static int take_value(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct reading *reading = user;

	reading->value = node;
	return set_fact(yaml, node, reading->model, reading->key);
}

static int copy_source(const struct claw_yaml *yaml, const yaml_node_t *node,
		       char **source)
{
	static const char *const words[] = {
		"measured", "seed", "report", "guess", "specification",
	};
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a source", &text);

	for (size_t i = 0; ret == 0 && i < sizeof(words) / sizeof(*words); i++) {
		size_t length = strlen(words[i]);

		if (strncmp(text, words[i], length) == 0 &&
		    (!text[length] || text[length] == ' '))
			return claw_yaml_copy(yaml, node, "a source", source);
	}
	return ret < 0 ? ret : claw_yaml_fail(yaml, node, "expected a source "
		"that begins with measured, seed, report, guess or "
		"specification, found %s", claw_yaml_found(node));
}

static int take_source(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct reading *reading = user;

	return copy_source(yaml, node,
			   &reading->model->facts[reading->key].source);
}

static int take_fact(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct claw_model *model, size_t key)
{
	static const struct claw_yaml_key keys[] = {
		{ "value", take_value }, { "source", take_source }, { 0 },
	};
	struct reading reading = { .model = model, .key = key };
	int ret;

	if (node->type != YAML_MAPPING_NODE)
		return set_fact(yaml, node, model, key);
	ret = claw_yaml_walk(yaml, node, "a fact of a device model", keys,
			     &reading);
	if (ret == 0 && !reading.value)
		ret = claw_yaml_fail(yaml, node, "expected the key value, "
				     "found none");
	return ret;
}

#define KEY(key_, ...)							\
	static int take_##key_(const struct claw_yaml *yaml,		\
			       const yaml_node_t *node, void *user)	\
	{								\
		return take_fact(yaml, node, user,			\
				 CLAW_MODEL_KEY_##key_);		\
	}
#include "faults/shared/model_keys.def"
#undef KEY

/* ---- what follows a fault --------------------------------------------- */

static int take_failure_as(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	struct claw_model *model = user;

	return claw_yaml_copy(yaml, node, "the name of a device model",
			      &model->failure_as);
}

static int take_failure_source(const struct claw_yaml *yaml,
			       const yaml_node_t *node, void *user)
{
	struct claw_model *model = user;

	return copy_source(yaml, node, &model->failure_source);
}

static const struct claw_yaml_key failure_keys[] = {
	{ "as", take_failure_as }, { "source", take_failure_source },
	{ "states", claw_yaml_skip }, { "triggers", claw_yaml_skip },
	{ "calls", claw_yaml_skip }, { 0 },
};
/* Beside the name of another model nothing is said but its source. */
static const struct claw_yaml_key failure_as_keys[] = {
	{ "as", claw_yaml_skip }, { "source", claw_yaml_skip }, { 0 },
};

static int compile_failure(const struct claw_yaml *yaml,
			   const yaml_node_t *node, struct claw_model *model)
{
	size_t size = 0;
	FILE *out = claw_text_begin(&model->failure, &size);
	int ret = claw_model_failure_compile(yaml, node, out);

	claw_text_end(out);
	return ret;
}

/* Of a model that another one names: it has to say itself what follows. */
static int take_lent_failure(const struct claw_yaml *yaml,
			     const yaml_node_t *node, void *user)
{
	struct claw_model *model = user;
	struct claw_model lender = { .name = NULL };
	int ret = claw_yaml_walk(yaml, node, "what follows a fault",
				 failure_keys, &lender);

	if (ret == 0 && lender.failure_as)
		ret = claw_yaml_fail(yaml, node, "expected states, triggers and "
				     "calls, found the name of a model again");
	claw_model_release(&lender);
	return ret < 0 ? ret : compile_failure(yaml, node, model);
}

static const struct claw_yaml_key lent_keys[] = {
#define KEY(key_, ...) { #key_, claw_yaml_skip },
#include "faults/shared/model_keys.def"
#undef KEY
	{ "failure", take_lent_failure },
	{ 0 },
};

/* The lines of the model that failure_as names. */
static int read_lent(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct claw_model *model)
{
	struct claw_yaml other = { .path = NULL };
	char *path = NULL, error[256];
	int ret = claw_model_find_file(model->failure_as, &path, error,
				       sizeof(error));

	if (ret < 0)
		return claw_yaml_fail(yaml, node, "expected the name of a "
				      "device model that comes with openclaw "
				      "for as, found \"%.48s\"",
				      model->failure_as);
	ret = claw_yaml_read(path, &other, yaml->error, yaml->error_size);
	if (ret == 0)
		ret = claw_yaml_walk(&other, other.root, "a device model",
				     lent_keys, model);
	claw_yaml_release(&other);
	free(path);
	if (ret == 0 && !model->failure)
		ret = claw_yaml_fail(yaml, node, "expected a device model with "
				     "the key failure for as, found \"%.48s\"",
				     model->failure_as);
	return ret;
}

static int take_failure(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_model *model = user;
	int ret = claw_yaml_walk(yaml, node, "what follows a fault",
				 failure_keys, model);

	if (ret == 0 && !model->failure_as)
		return compile_failure(yaml, node, model);
	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "a failure with the key as",
				     failure_as_keys, model);
	return ret < 0 ? ret : read_lent(yaml, node, model);
}

static const struct claw_yaml_key model_keys[] = {
#define KEY(key_, ...) { #key_, take_##key_ },
#include "faults/shared/model_keys.def"
#undef KEY
	{ "failure", take_failure },
	{ 0 },
};

int claw_model_read_file(const char *path, struct claw_model *ret_model,
			 char *error, size_t error_size)
{
	struct claw_yaml yaml;
	int ret = claw_yaml_read(path, &yaml, error, error_size);

	*ret_model = (struct claw_model){ .path = claw_strdup(path) };
	if (ret == 0)
		ret = claw_yaml_walk(&yaml, yaml.root, "a device model",
				     model_keys, ret_model);
	claw_yaml_release(&yaml);
	if (ret < 0)
		claw_model_release(ret_model);
	return ret;
}

void claw_model_release(struct claw_model *model)
{
	for (size_t i = 0; i < CLAW_MODEL_KEY_COUNT; i++) {
		free(model->facts[i].written);
		free(model->facts[i].value);
		free(model->facts[i].source);
		free(model->facts[i].place);
	}
	free(model->name);
	free(model->path);
	free(model->summary);
	free(model->failure);
	free(model->failure_source);
	free(model->failure_as);
	*model = (struct claw_model){ .name = NULL };
}
