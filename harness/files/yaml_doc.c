/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load YAML whole with libyaml, and walk it by tables of keys.
 */
#include "config.h"

#include "yaml_doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/base/quantity.h"
#include "outside_file.h"

enum { DEPTH_MAX = 16 };

/* ---- telling ---------------------------------------------------------- */

static void tell(const struct claw_yaml *yaml, size_t line, size_t column,
		 const char *format, va_list args)
{
	int length = snprintf(yaml->error, yaml->error_size, "%s:%zu:%zu: ",
			      yaml->path, line + 1, column + 1);

	if (length >= 0 && (size_t)length < yaml->error_size)
		vsnprintf(yaml->error + length,
			  yaml->error_size - (size_t)length, format, args);
	/* What was found may hold anything: an error stays one line. */
	for (char *at = yaml->error; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
}

__attribute__((format(printf, 4, 5)))
static int fail_at(const struct claw_yaml *yaml, size_t line, size_t column,
		   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(yaml, line, column, format, args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

int claw_yaml_fail(const struct claw_yaml *yaml, const yaml_node_t *node,
		   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(yaml, node->start_mark.line, node->start_mark.column, format,
	     args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

/* A scalar on one line without escapes: the text's bytes are the file's. */
static size_t column_of(const yaml_node_t *node, size_t column)
{
	size_t start = node->start_mark.column;

	if (node->start_mark.line != node->end_mark.line)
		return start;
	switch (node->data.scalar.style) {
	case YAML_PLAIN_SCALAR_STYLE:
		return start + column;
	case YAML_SINGLE_QUOTED_SCALAR_STYLE:
	case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
		/* Escapes make the text shorter than what is in the file. */
		return node->end_mark.column - start ==
		       node->data.scalar.length + 2 ? start + column + 1 :
		       start;
	default:
		return start;
	}
}

int claw_yaml_fail_in(const struct claw_yaml *yaml, const yaml_node_t *node,
		      size_t column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(yaml, node->start_mark.line, column_of(node, column), format,
	     args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

const char *claw_yaml_found(const yaml_node_t *node)
{
	static char text[64];

	if (node->type == YAML_SEQUENCE_NODE)
		return "a list";
	if (node->type == YAML_MAPPING_NODE)
		return "a mapping";
	if (node->data.scalar.length == 0)
		return "nothing";
	snprintf(text, sizeof(text), "\"%.48s%s\"",
		 (const char *)node->data.scalar.value,
		 node->data.scalar.length > 48 ? "..." : "");
	return text;
}

/* ---- reading ---------------------------------------------------------- */

/* libyaml tells bad bytes by their offset. */
static int fail_bytes(const struct claw_yaml *yaml, const yaml_parser_t *parser)
{
	size_t line = 0, column = 0;

	for (size_t i = 0; i < parser->problem_offset && i < yaml->size; i++) {
		column = yaml->bytes[i] == '\n' ? 0 : column + 1;
		line += yaml->bytes[i] == '\n';
	}
	return fail_at(yaml, line, column, "expected text in UTF-8, found "
		       "something else (%s)", parser->problem ?
		       parser->problem : "other bytes");
}

static int fail_parser(const struct claw_yaml *yaml,
		       const yaml_parser_t *parser)
{
	if (parser->error == YAML_MEMORY_ERROR)
		claw_made(NULL);
	if (parser->error == YAML_READER_ERROR)
		return fail_bytes(yaml, parser);
	return fail_at(yaml, parser->problem_mark.line,
		       parser->problem_mark.column, "expected YAML, found "
		       "something else (%s%s%s)", parser->problem ?
		       parser->problem : "not YAML",
		       parser->context ? " " : "",
		       parser->context ? parser->context : "");
}

/* Nothing of ours is nested deep, and libyaml's time grows with the square of
 * the depth. What else is wrong, load() tells. */
static int check_depth(const struct claw_yaml *yaml, yaml_parser_t *parser)
{
	int depth = 0, ret = 0;
	bool is_over = false;

	while (ret == 0 && !is_over) {
		yaml_event_t event;

		if (!yaml_parser_parse(parser, &event))
			return 0;
		if (event.type == YAML_SEQUENCE_START_EVENT ||
		    event.type == YAML_MAPPING_START_EVENT)
			depth++;
		if (event.type == YAML_SEQUENCE_END_EVENT ||
		    event.type == YAML_MAPPING_END_EVENT)
			depth--;
		if (depth > DEPTH_MAX)
			ret = fail_at(yaml, event.start_mark.line,
				      event.start_mark.column, "expected at "
				      "most %d lists and mappings in each "
				      "other, found more", DEPTH_MAX);
		is_over = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	return ret;
}

static void begin(const struct claw_yaml *yaml, yaml_parser_t *parser)
{
	if (!yaml_parser_initialize(parser))
		claw_made(NULL);
	yaml_parser_set_input_string(parser,
				     (const unsigned char *)yaml->bytes,
				     yaml->size);
}

static int load(struct claw_yaml *yaml)
{
	yaml_parser_t parser;
	yaml_document_t second;
	int ret;

	begin(yaml, &parser);
	ret = check_depth(yaml, &parser);
	yaml_parser_delete(&parser);
	if (ret < 0)
		return ret;
	begin(yaml, &parser);
	if (!yaml_parser_load(&parser, &yaml->document)) {
		ret = fail_parser(yaml, &parser);
		goto out;
	}
	yaml->is_loaded = true;
	yaml->root = yaml_document_get_root_node(&yaml->document);
	if (!yaml->root) {
		ret = fail_at(yaml, 0, 0,
			      "expected keys and values, found an empty file");
		goto out;
	}
	if (!yaml_parser_load(&parser, &second)) {
		ret = fail_parser(yaml, &parser);
		goto out;
	}
	if (yaml_document_get_root_node(&second))
		ret = fail_at(yaml, second.start_mark.line,
			      second.start_mark.column, "expected the end, "
			      "found a second document");
	yaml_document_delete(&second);
out:
	yaml_parser_delete(&parser);
	return ret;
}

int claw_yaml_parse(const char *path, const char *bytes, size_t size,
		    struct claw_yaml *ret_yaml, char *error, size_t error_size)
{
	*ret_yaml = (struct claw_yaml){
		.path = path, .size = size, .bytes = claw_malloc(size),
		.error = error, .error_size = error_size,
	};
	memcpy(ret_yaml->bytes, bytes, size);
	return load(ret_yaml);
}

int claw_yaml_read(const char *path, struct claw_yaml *ret_yaml, char *error,
		   size_t error_size)
{
	int ret;

	*ret_yaml = (struct claw_yaml){
		.path = path, .error = error, .error_size = error_size,
	};
	ret = claw_outside_read(path, CLAW_OUTSIDE_GIVEN, CLAW_YAML_BYTES_MAX,
				&ret_yaml->bytes, &ret_yaml->size);
	if (ret == -CLAW_E_IO)
		snprintf(error, error_size, "%s: %s", path,
			 claw_outside_why(path));
	else if (ret == -CLAW_E_LIMIT)
		snprintf(error, error_size, "%s:1:1: expected at most %d MiB, "
			 "found a larger file", path,
			 CLAW_YAML_BYTES_MAX >> 20);
	else if (ret == 0)
		ret = load(ret_yaml);
	return ret;
}

void claw_yaml_release(struct claw_yaml *yaml)
{
	if (yaml->is_loaded)
		yaml_document_delete(&yaml->document);
	free(yaml->bytes);
	*yaml = (struct claw_yaml){ .path = NULL };
}

/* ---- walking ---------------------------------------------------------- */

static yaml_node_t *get_node(const struct claw_yaml *yaml, int number)
{
	/* libyaml's function takes no const document, and changes nothing. */
	return yaml_document_get_node(
		(yaml_document_t *)(uintptr_t)&yaml->document, number);
}

static const char *key_text(const struct claw_yaml *yaml,
			    const yaml_node_pair_t *pair)
{
	return (const char *)get_node(yaml, pair->key)->data.scalar.value;
}

static int fail_key(const struct claw_yaml *yaml, const yaml_node_t *key,
		    const char *what, const struct claw_yaml_key *keys)
{
	const char *name = (const char *)key->data.scalar.value;
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, name);
	for (; keys->name; keys++)
		claw_nearest_offer(&nearest, keys->name);
	return claw_yaml_fail(yaml, key, "expected a key of %s, found "
			      "\"%.48s\"%s%s%s", what, name,
			      nearest.best ? " (did you mean " : "",
			      nearest.best ? nearest.best : "",
			      nearest.best ? "?)" : "");
}

static int take_pair(const struct claw_yaml *yaml,
		     const yaml_node_t *mapping, const yaml_node_pair_t *pair,
		     const char *what, const struct claw_yaml_key *keys,
		     void *user)
{
	const yaml_node_t *key = get_node(yaml, pair->key);
	const char *name;

	if (key->type != YAML_SCALAR_NODE)
		return claw_yaml_fail(yaml, key, "expected a key of %s, found "
				      "%s", what, claw_yaml_found(key));
	name = (const char *)key->data.scalar.value;
	for (const yaml_node_pair_t *before = mapping->data.mapping.pairs.start;
	     before < pair; before++)
		if (strcmp(name, key_text(yaml, before)) == 0)
			return claw_yaml_fail(yaml, key, "expected each key "
					      "once, found \"%.48s\" again",
					      name);
	for (const struct claw_yaml_key *known = keys; known->name; known++)
		if (strcmp(name, known->name) == 0)
			return known->take(yaml, get_node(yaml, pair->value),
					   user);
	return fail_key(yaml, key, what, keys);
}

int claw_yaml_walk(const struct claw_yaml *yaml, const yaml_node_t *mapping,
		   const char *what, const struct claw_yaml_key *keys,
		   void *user)
{
	int ret = 0;

	if (mapping->type != YAML_MAPPING_NODE)
		return claw_yaml_fail(yaml, mapping, "expected keys and values "
				      "of %s, found %s", what,
				      claw_yaml_found(mapping));
	for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
	     ret == 0 && pair < mapping->data.mapping.pairs.top; pair++)
		ret = take_pair(yaml, mapping, pair, what, keys, user);
	return ret;
}

int claw_yaml_skip(const struct claw_yaml *yaml, const yaml_node_t *node,
		   void *user)
{
	(void)yaml;
	(void)node;
	(void)user;
	return 0;
}

int claw_yaml_each(const struct claw_yaml *yaml, const yaml_node_t *list,
		   const char *what, bool or_one, claw_yaml_take *take,
		   void *user)
{
	const yaml_node_item_t *item;
	int ret = 0;

	if (or_one && list->type == YAML_SCALAR_NODE)
		return take(yaml, list, user);
	if (list->type != YAML_SEQUENCE_NODE)
		return claw_yaml_fail(yaml, list, "expected a list of %s, "
				      "found %s", what, claw_yaml_found(list));
	if (list->data.sequence.items.start == list->data.sequence.items.top)
		return claw_yaml_fail(yaml, list, "expected a list of %s, "
				      "found an empty one", what);
	for (item = list->data.sequence.items.start;
	     ret == 0 && item < list->data.sequence.items.top; item++)
		ret = take(yaml, get_node(yaml, *item), user);
	return ret;
}

/* ---- values ----------------------------------------------------------- */

int claw_yaml_text(const struct claw_yaml *yaml, const yaml_node_t *node,
		   const char *what, const char **ret_text)
{
	const char *text;

	if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0)
		return claw_yaml_fail(yaml, node, "expected %s, found %s",
				      what, claw_yaml_found(node));
	text = (const char *)node->data.scalar.value;
	if (strlen(text) != node->data.scalar.length)
		return claw_yaml_fail(yaml, node, "expected %s, found a NUL "
				      "in it", what);
	*ret_text = text;
	return 0;
}

int claw_yaml_copy(const struct claw_yaml *yaml, const yaml_node_t *node,
		   const char *what, char **text)
{
	const char *found;
	int ret = claw_yaml_text(yaml, node, what, &found);

	if (ret < 0)
		return ret;
	free(*text);
	*text = claw_strdup(found);
	return 0;
}

int claw_yaml_duration(const struct claw_yaml *yaml, const yaml_node_t *node,
		       uint64_t *ret_ms)
{
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a duration (\"30s\")", &text);

	if (ret == 0 && (claw_duration_parse(text, ret_ms) < 0 ||
			 *ret_ms == 0))
		ret = claw_yaml_fail(yaml, node, "expected a duration "
				     "(\"30s\"), found %s",
				     claw_yaml_found(node));
	return ret;
}
