/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What openclaw-instrument is asked (kernels/instrument/unit/request.h), and the
 * options that its answer is built with.
 */
#include "config.h"

#include "instrument_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/journal/site.h"

enum { ANSWER_MAX = 1 << 20 };

void claw_probe_why(char why[CLAW_PROBE_WHY], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, CLAW_PROBE_WHY, format, args);
	va_end(args);
	why[strcspn(why, "\n")] = '\0';
}

char *claw_device_text(cl_device_id device, cl_device_info what)
{
	size_t bytes = 0;
	char *text;

	if (claw_next.clGetDeviceInfo(device, what, 0, NULL, &bytes) ||
	    bytes > ANSWER_MAX)
		bytes = 0;
	text = calloc(1, bytes + 1);
	if (text && bytes && claw_next.clGetDeviceInfo(device, what, bytes,
						       text, NULL))
		*text = '\0';
	return text;
}

/* Its file, by the table of functions that a device begins with. */
static void put_driver(FILE *out, cl_device_id device)
{
	const void *table = *(const void *const *)device;
	const char *path = claw_site_path_of(table);
	struct statx st;

	if (!*path)
		path = claw_site_path_of(*(const void *const *)table);
	if (*path && statx(AT_FDCWD, path, 0, STATX_SIZE | STATX_MTIME,
			   &st) == 0)
		fprintf(out, "%s %" PRIu64 " %" PRId64 ".%" PRIu32 "\n", path,
			(uint64_t)st.stx_size, (int64_t)st.stx_mtime.tv_sec,
			st.stx_mtime.tv_nsec);
}

void claw_device_put(FILE *out, cl_device_id device)
{
	static const cl_device_info asked[] = {
		CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
		CL_DRIVER_VERSION, CL_DEVICE_OPENCL_C_VERSION,
		CL_DEVICE_EXTENSIONS,
	};

	for (unsigned int i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		char *answer = claw_device_text(device, asked[i]);

		fprintf(out, "%s\n", answer ? answer : "");
		free(answer);
	}
	put_driver(out, device);
}

static void put_block(FILE *out, const char *key, const char *text)
{
	fprintf(out, "%s %zu\n%s\n", key, strlen(text), text);
}

/* A value is one line. */
static bool put_answer(FILE *out, const char *key, cl_device_id device,
		       cl_device_info what)
{
	char *text = claw_device_text(device, what);

	if (!text)
		return false;
	for (char *at = text; *at; at++)
		if (*at == '\n' || *at == '\r')
			*at = ' ';
	fprintf(out, "%s %s\n", key, text);
	free(text);
	return true;
}

static void put_modes(FILE *out, uint32_t modes)
{
	static const char *const names[] = {
		"hit", "count", "asan", "arithmetic", "races", "barriers", "init",
		"same-value",
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (modes & 1u << i)
			fprintf(out, "mode %s\n", names[i]);
}

static bool put_device(FILE *out, cl_device_id device)
{
	cl_uint bits = 64;

	claw_next.clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof(bits),
				  &bits, NULL);
	fprintf(out, "address-bits %u\n", bits);
	return put_answer(out, "version", device, CL_DEVICE_OPENCL_C_VERSION) &&
	       put_answer(out, "extensions", device, CL_DEVICE_EXTENSIONS);
}

bool claw_request_make(const struct claw_build *build,
		       const struct claw_unit *unit, const char *macros,
		       struct claw_text *ret_request)
{
	FILE *out = open_memstream(&ret_request->bytes, &ret_request->length);
	char key[PATH_MAX];
	bool done;

	if (!out)
		return false;
	fputs("openclaw-instrument 1\n", out);
	put_modes(out, claw_instrument_config.modes);
	done = put_device(out, build->device);
	fputs("name <source>\n", out);
	if (unit->directory && !strchr(unit->directory, '\n'))
		fprintf(out, "directory %s\n", unit->directory);
	if (unit->is_separate)
		fputs(build->count == 1 ? "alone 1\n" : "separate 1\n", out);
	fputs(macros ? macros : "", out);
	for (unsigned int i = 0; i < unit->header_count; i++) {
		snprintf(key, sizeof(key), "header %s", unit->headers[i].name);
		put_block(out, key, unit->headers[i].text);
	}
	put_block(out, "options", unit->options);
	put_block(out, "source", unit->source);
	if (fclose(out) == 0 && done)
		return true;
	free(ret_request->bytes);
	return false;
}

/* ---- options */

/* The end of the word that begins there; blanks within quotes are its own. */
static const char *word_end(const char *at)
{
	char quote = '\0';

	for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? '\0' : *at;
	}
	return at;
}

static bool is_word(const char *from, const char *end, const char *word)
{
	return (size_t)(end - from) == strlen(word) &&
	       !strncmp(from, word, strlen(word));
}

/* Done by the time the twin is built: macros and places of headers. *ret_two:
 * its value is the word behind it. */
static bool is_preprocessed(const char *from, const char *end, bool *ret_two)
{
	static const char *const starts[] = { "-D", "-I", "-U" };

	*ret_two = is_word(from, end, "-include");
	if (*ret_two)
		return true;
	for (unsigned int i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (end - from >= 2 && !strncmp(from, starts[i], 2)) {
			*ret_two = end - from == 2;
			return true;
		}
	return false;
}

/* Nothing is refused for a warning, nor does anybody see one. */
static char *make(const char *options, bool is_preprocessed_too,
		  const char *more)
{
	char *made = malloc(strlen(options) + strlen(more) + 2), *to = made;
	bool is_value = false;

	while (made && *(options += strspn(options, " \t\r\n"))) {
		const char *end = word_end(options);

		if (is_value) {
			is_value = false;
		} else if (!is_word(options, end, "-Werror") &&
			   !(is_preprocessed_too &&
			     is_preprocessed(options, end, &is_value))) {
			memcpy(to, options, (size_t)(end - options));
			to += end - options;
			*to++ = ' ';
		}
		options = end;
	}
	if (made)
		memcpy(to, more, strlen(more) + 1);
	return made;
}

char *claw_options_make(const char *options, const char *more)
{
	return make(options, true, more);
}

char *claw_options_quiet(const char *options)
{
	return make(options, false, "-w");
}
