/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text with probes: what openclaw-instrument makes of it, or made of it
 * before. A text that includes files is made anew each time, for these may have
 * changed; its key is of what came out of it, too.
 */
#include "config.h"

#include "instrument_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT = 3, BAD_REQUEST = 64 };

static void refuse(struct claw_rewritten *made, enum claw_probe_state state,
		   const char *why)
{
	made->state = state;
	claw_probe_why(made->why, "%s", why);
}

/* "#include", "# include", "#import". */
static bool has_include(const char *text)
{
	for (; (text = strchr(text, '#')); text++) {
		const char *word = text + 1 + strspn(text + 1, " \t\\\r\n");

		if (!strncmp(word, "in", 2) || !strncmp(word, "im", 2) ||
		    !strncmp(word, "/*", 2))
			return true;
	}
	return false;
}

static bool depends_on_files(const struct claw_unit *unit)
{
	bool depends = has_include(unit->source) ||
		       strstr(unit->options, "-include");

	for (unsigned int i = 0; i < unit->header_count; i++)
		depends = depends || has_include(unit->headers[i].text);
	return depends;
}

/* A name in blobs that nobody else has. */
static void make_name(char name[CLAW_PROBE_KEY])
{
	static uint32_t number;

	snprintf(name, CLAW_PROBE_KEY, "out.%d.%" PRIu32, (int)getpid(),
		 __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED));
}

static void unlink_blob(const char *name, const char *suffix)
{
	char path[CLAW_INSTRUMENT_PATH];

	if (claw_blob_path(name, suffix, path))
		unlink(path);
}

/* What exit status it ended with, and what that means unless it is 0. */
static bool run(char *const *words, struct claw_text *out,
		struct claw_rewritten *made)
{
	int status = claw_helper_run(words, out);
	char *line = out->bytes;

	if (status == 0 && line)
		return true;
	if (line)
		line[strcspn(line, "\n")] = '\0';
	if (status == CANNOT && line)
		refuse(made, CLAW_PROBE_REFUSED, *line ? line : "no reason");
	else if (status == BAD_REQUEST)
		refuse(made, CLAW_PROBE_REFUSED,
		       "openclaw-instrument does not understand the request");
	else if (status < 0)
		refuse(made, CLAW_PROBE_NO_HELPER,
		       "openclaw-instrument cannot be run");
	else
		refuse(made, CLAW_PROBE_NO_HELPER, "openclaw-instrument failed");
	free(out->bytes);
	return false;
}

/* ---- names */

static bool run_names(const struct claw_text *request,
		      struct claw_text *ret_names, struct claw_rewritten *made)
{
	char name[CLAW_PROBE_KEY], path[CLAW_INSTRUMENT_PATH];
	char option[] = "--names";
	char *words[] = { claw_instrument_config.helper, option, path, NULL };
	bool done;

	make_name(name);
	if (!claw_blob_path(name, ".request", path) ||
	    !claw_blob_write(name, ".request", request->bytes,
			     request->length)) {
		refuse(made, CLAW_PROBE_NO_HELPER,
		       "no room for openclaw-instrument's request");
		return false;
	}
	done = run(words, ret_names, made);
	unlink_blob(name, ".request");
	return done;
}

/* The lines of the request that say what the driver has predefined. */
static char *find_macros(const struct claw_unit *unit, cl_context context,
			 cl_device_id device, bool is_fresh,
			 struct claw_rewritten *made)
{
	struct claw_text request, names;
	char key[CLAW_PROBE_KEY], *macros;
	bool known;

	if (!claw_request_make(unit, device, NULL, &request)) {
		refuse(made, CLAW_PROBE_NO_HELPER, "no memory");
		return NULL;
	}
	claw_cache_key(request.bytes, request.length, key);
	known = !is_fresh && claw_cache_read(key, ".names", &names);
	if (!known && run_names(&request, &names, made)) {
		known = true;
		if (!is_fresh)
			claw_cache_write(key, ".names", names.bytes,
					 names.length);
	}
	free(request.bytes);
	if (!known)
		return NULL;
	made->state = CLAW_PROBE_NOT_BUILT;
	macros = claw_macros_ask(names.bytes, unit->options, context, device,
				 made->why);
	free(names.bytes);
	return macros;
}

/* ---- the text */

static bool find_known(struct claw_rewritten *made)
{
	struct claw_text why;

	if (claw_cache_read(made->key, ".why", &why)) {
		refuse(made, CLAW_PROBE_REFUSED, why.bytes);
		free(why.bytes);
		return true;
	}
	if (!claw_cache_read(made->key, ".cl", &made->source))
		return false;
	if (claw_cache_read(made->key, ".map", &made->map)) {
		made->state = CLAW_PROBE_INSTRUMENTED;
		return true;
	}
	free(made->source.bytes);
	return false;
}

static bool read_blob(const char *name, const char *suffix,
		      struct claw_text *ret_text)
{
	char path[CLAW_INSTRUMENT_PATH];

	return claw_blob_path(name, suffix, path) &&
	       claw_file_read(path, ret_text);
}

/* What it has written. */
static void read_made(const char *name, struct claw_rewritten *made)
{
	refuse(made, CLAW_PROBE_NO_HELPER,
	       "openclaw-instrument wrote nothing");
	if (!read_blob(name, ".cl", &made->source))
		return;
	if (read_blob(name, ".map", &made->map))
		made->state = CLAW_PROBE_INSTRUMENTED;
	else
		free(made->source.bytes);
}

static void run_rewrite(const struct claw_text *request,
			struct claw_rewritten *made)
{
	char name[CLAW_PROBE_KEY];
	char from[CLAW_INSTRUMENT_PATH], to[CLAW_INSTRUMENT_PATH];
	char *words[] = { claw_instrument_config.helper, from, to, NULL };
	struct claw_text out;

	make_name(name);
	refuse(made, CLAW_PROBE_NO_HELPER,
	       "no room for openclaw-instrument's request");
	if (claw_blob_path(name, ".request", from) &&
	    claw_blob_path(name, "", to) &&
	    claw_blob_write(name, ".request", request->bytes,
			    request->length) &&
	    run(words, &out, made)) {
		free(out.bytes);
		read_made(name, made);
	}
	unlink_blob(name, ".request");
	unlink_blob(name, ".cl");
	unlink_blob(name, ".map");
}

/* The key, when it is of what came out, too. */
static void name_by_both(const struct claw_text *request,
			 struct claw_rewritten *made)
{
	size_t length = request->length + made->source.length;
	char *both = malloc(length + 1);

	if (!both)
		return;
	memcpy(both, request->bytes, request->length);
	memcpy(both + request->length, made->source.bytes,
	       made->source.length);
	claw_cache_key(both, length, made->key);
	free(both);
}

static void keep(const struct claw_rewritten *made)
{
	if (made->state == CLAW_PROBE_REFUSED)
		claw_cache_write(made->key, ".why", made->why,
				 strlen(made->why));
	if (made->state != CLAW_PROBE_INSTRUMENTED)
		return;
	claw_cache_write(made->key, ".cl", made->source.bytes,
			 made->source.length);
	claw_cache_write(made->key, ".map", made->map.bytes, made->map.length);
}

static void tell_session(const struct claw_text *request,
			 struct claw_rewritten *made)
{
	claw_blob_write(made->key, ".request", request->bytes,
			request->length);
	if (made->state != CLAW_PROBE_INSTRUMENTED)
		return;
	if (claw_blob_write(made->key, ".cl", made->source.bytes,
			    made->source.length) &&
	    claw_blob_write(made->key, ".map", made->map.bytes,
			    made->map.length))
		return;
	free(made->source.bytes);
	free(made->map.bytes);
	refuse(made, CLAW_PROBE_NO_HELPER, "no room in the session");
}

void claw_rewrite(const struct claw_unit *unit, cl_context context,
		  cl_device_id device, struct claw_rewritten *ret_rewritten)
{
	struct claw_rewritten *made = ret_rewritten;
	bool is_fresh = depends_on_files(unit);
	struct claw_text request;
	char *macros;

	memset(made, 0, sizeof(*made));
	if (access(claw_instrument_config.helper, X_OK)) {
		refuse(made, CLAW_PROBE_NO_HELPER,
		       "openclaw-instrument is not there");
		return;
	}
	macros = find_macros(unit, context, device, is_fresh, made);
	if (!macros)
		return;
	if (!claw_request_make(unit, device, macros, &request)) {
		refuse(made, CLAW_PROBE_NO_HELPER, "no memory");
		free(macros);
		return;
	}
	free(macros);
	claw_cache_key(request.bytes, request.length, made->key);
	if (is_fresh || !find_known(made)) {
		run_rewrite(&request, made);
		if (is_fresh && made->state == CLAW_PROBE_INSTRUMENTED)
			name_by_both(&request, made);
		else if (!is_fresh)
			keep(made);
	}
	tell_session(&request, made);
	free(request.bytes);
}
