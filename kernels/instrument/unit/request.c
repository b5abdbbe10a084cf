/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a request: see request.h. */
#include "config.h"

#include "request.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"
#include "harness/files/outside_file.h"

struct reader {
	const char *path, *at, *end;
	unsigned int line;
	char *error;
	size_t error_size;
};

static int fail(const struct reader *reader, const char *expected)
{
	snprintf(reader->error, reader->error_size, "%s:%u: expected %s",
		 reader->path, reader->line, expected);
	return -1;
}

static char *copy_bytes(const char *from, size_t bytes)
{
	char *made = claw_malloc(bytes + 1);

	if (bytes)
		memcpy(made, from, bytes);
	made[bytes] = '\0';
	return made;
}

/* A line as a string of its own; NULL at the end. */
static char *next_line(struct reader *reader)
{
	if (reader->at == reader->end)
		return NULL;
	const char *newline = memchr(reader->at, '\n',
				     (size_t)(reader->end - reader->at));
	const char *end = newline ? newline : reader->end;
	char *line = copy_bytes(reader->at, (size_t)(end - reader->at));

	reader->at = newline ? newline + 1 : reader->end;
	reader->line++;
	return line;
}

static int read_block(struct reader *reader, const char *number,
		      struct claw_request_text *text)
{
	char *end;
	unsigned long long bytes = strtoull(number, &end, 10);

	if (end == number || *end ||
	    bytes > (unsigned long long)(reader->end - reader->at))
		return fail(reader, "a number of bytes that follow");
	free(text->text);
	text->bytes = (size_t)bytes;
	text->text = copy_bytes(reader->at, text->bytes);
	for (const char *at = reader->at; at < reader->at + text->bytes; at++)
		reader->line += *at == '\n';
	reader->at += text->bytes;
	if (reader->at < reader->end && *reader->at == '\n') {
		reader->at++;
		reader->line++;
	}
	return 0;
}

static struct claw_request_text *add_text(struct claw_request_text **list,
					  size_t *count, const char *name,
					  size_t name_bytes)
{
	struct claw_request_text *grown = claw_grow(*list, *count + 1,
						    sizeof(*grown));
	*list = grown;
	struct claw_request_text *text = &grown[(*count)++];

	memset(text, 0, sizeof(*text));
	text->name = copy_bytes(name, name_bytes);
	return text;
}

static const struct {
	const char *name;
	uint32_t mode;
} modes[] = {
	{ "hit", CLAW_PROBE_HIT },
	{ "count", CLAW_PROBE_COUNT },
	{ "asan", CLAW_PROBE_ASAN },
	{ "arithmetic", CLAW_PROBE_ARITHMETIC },
	{ "races", CLAW_PROBE_RACES },
	{ "barriers", CLAW_PROBE_BARRIERS },
	{ "init", CLAW_PROBE_UNWRITTEN },
	{ "same-value", CLAW_PROBE_SAME_VALUE },
};

static int read_mode(struct reader *reader, const char *word,
		     struct claw_request *request)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(word, modes[i].name) == 0) {
			request->modes |= modes[i].mode;
			return 0;
		}
	}
	return fail(reader, "mode hit, count, asan, arithmetic, races, barriers, init "
		    "or same-value");
}

static int read_macro(const char *value, struct claw_request *request)
{
	size_t name = strcspn(value, " ");
	struct claw_request_text *macro = add_text(&request->macros,
						   &request->macro_count, value,
						   name);
	if (value[name]) {
		macro->text = copy_bytes(value + name + 1,
					 strlen(value + name + 1));
		macro->bytes = strlen(macro->text);
	}
	return 0;
}

static int read_header(struct reader *reader, const char *value,
		       struct claw_request *request)
{
	const char *blank = strrchr(value, ' ');

	if (!blank || blank == value)
		return fail(reader, "header NAME BYTES");
	struct claw_request_text *header = add_text(&request->headers,
						    &request->header_count,
						    value,
						    (size_t)(blank - value));
	return read_block(reader, blank + 1, header);
}

static void set(char **field, const char *value)
{
	free(*field);
	*field = copy_bytes(value, strlen(value));
}

static int read_bits(struct reader *reader, const char *value,
		     struct claw_request *request)
{
	if (strcmp(value, "32") != 0 && strcmp(value, "64") != 0)
		return fail(reader, "address-bits 32 or 64");
	request->address_bits = value[0] == '3' ? 32 : 64;
	return 0;
}

static int read_line(struct reader *reader, char *line,
		     struct claw_request *request)
{
	char *blank = strchr(line, ' ');
	const char *value = blank ? blank + 1 : "";

	if (blank)
		*blank = '\0';
	if (strcmp(line, "mode") == 0)
		return read_mode(reader, value, request);
	if (strcmp(line, "macro") == 0)
		return read_macro(value, request);
	if (strcmp(line, "header") == 0)
		return read_header(reader, value, request);
	if (strcmp(line, "options") == 0)
		return read_block(reader, value, &request->options);
	if (strcmp(line, "source") == 0)
		return read_block(reader, value, &request->source);
	if (strcmp(line, "address-bits") == 0)
		return read_bits(reader, value, request);
	if (strcmp(line, "separate") == 0) {
		request->is_separate = true;
		return 0;
	}
	if (strcmp(line, "alone") == 0) {
		request->is_alone = true;
		return 0;
	}
	if (strcmp(line, "version") == 0)
		set(&request->version, value);
	else if (strcmp(line, "extensions") == 0)
		set(&request->extensions, value);
	else if (strcmp(line, "name") == 0)
		set(&request->name, value);
	else if (strcmp(line, "directory") == 0)
		set(&request->directory, value);
	else
		return fail(reader, "mode, version, extensions, address-bits, name, separate, alone, directory, macro, header, options or source");
	return 0;
}

static void default_texts(struct claw_request *request)
{
	if (!request->name)
		set(&request->name, "<source>");
	if (!request->directory)
		set(&request->directory, ".");
	if (!request->version)
		set(&request->version, "OpenCL C 1.2");
	if (!request->extensions)
		set(&request->extensions, "");
	if (!request->options.text)
		request->options.text = copy_bytes(NULL, 0);
	if (request->header_count && !request->is_alone)
		request->is_separate = true;
	if (!request->address_bits)
		request->address_bits = 64;
}

int claw_request_parse(const char *bytes, size_t size, const char *path,
		       struct claw_request *request, char *error,
		       size_t error_size)
{
	struct reader reader = {
		.path = path, .at = bytes, .end = bytes + size,
		.error = error, .error_size = error_size,
	};
	memset(request, 0, sizeof(*request));
	char *line = next_line(&reader);
	int ret = line && strcmp(line, "openclaw-instrument 1") == 0 ? 0 :
		fail(&reader, "openclaw-instrument 1");

	while (ret == 0) {
		free(line);
		line = next_line(&reader);
		if (!line)
			break;
		if (line[0])
			ret = read_line(&reader, line, request);
	}
	free(line);
	if (ret == 0 && !request->source.text)
		ret = fail(&reader, "source BYTES");
	if (ret < 0)
		claw_request_release(request);
	else
		default_texts(request);
	return ret;
}

int claw_request_read(const char *path, struct claw_request *request,
		      char *error, size_t error_size)
{
	char *bytes = NULL;
	size_t size = 0;
	int ret = claw_outside_read(path, CLAW_OUTSIDE_GIVEN,
				    CLAW_OUTSIDE_TEXT_MAX, &bytes, &size);

	if (ret < 0) {
		snprintf(error, error_size, "%s:1: expected a file that can be read",
			 path);
		return -1;
	}
	ret = claw_request_parse(bytes, size, path, request, error, error_size);
	free(bytes);
	return ret;
}

static void release_texts(struct claw_request_text *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].text);
	}
	free(list);
}

void claw_request_release(struct claw_request *request)
{
	release_texts(request->headers, request->header_count);
	release_texts(request->macros, request->macro_count);
	free(request->options.text);
	free(request->source.text);
	free(request->version);
	free(request->extensions);
	free(request->name);
	free(request->directory);
	memset(request, 0, sizeof(*request));
}
