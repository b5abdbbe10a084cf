/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text with probes: what openclaw-instrument makes of it, or made of it
 * before. The key of one that includes files is of what is in these, too: the
 * cache has a list of them (KEY.reads). Where that is not known, the text is
 * made anew, and its key is of what comes out of it.
 */
#include "config.h"

#include "instrument_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT = 3, BAD_REQUEST = 64 };

/* A text on its way. */
struct making {
	const struct claw_build *build;
	struct claw_unit *unit;
	cl_context context;
	char name_key[CLAW_PROBE_KEY];	/* of its first request alone */
	char print[CLAW_PROBE_KEY];	/* of what it includes; "": nothing, or
					 * it is not known */
	bool includes;
	bool has_read;			/* and the print is of that, not of what
					 * was made of it */
	struct claw_text name_request, names;
};

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

/* Of the request and of what is included, where it includes anything. */
static void key_of(const struct claw_text *request, const char *print,
		   char key[CLAW_PROBE_KEY])
{
	char both[2 * CLAW_PROBE_KEY];
	int length;

	claw_cache_key(request->bytes, request->length, key);
	if (!*print)
		return;
	length = snprintf(both, sizeof(both), "%s%s", key, print);
	claw_cache_key(both, (size_t)length, key);
}

/* May what was made before be asked for, and kept? */
static bool is_known(const struct making *making)
{
	return !making->includes || *making->print;
}

static void read_print(struct making *making)
{
	struct claw_text list;

	if (!making->includes ||
	    !claw_cache_read(making->name_key, ".reads", &list))
		return;
	if (!claw_reads_print(&list, making->unit->since_ns, making->print))
		*making->print = '\0';
	free(list.bytes);
}

static void keep_names(const struct making *making)
{
	char key[CLAW_PROBE_KEY];

	key_of(&making->name_request, making->print, key);
	claw_cache_write(key, ".names", making->names.bytes,
			 making->names.length);
}

static bool find_names(struct making *making, struct claw_rewritten *made)
{
	char key[CLAW_PROBE_KEY];

	if (!claw_request_make(making->build, making->unit, NULL,
			       &making->name_request)) {
		refuse(made, CLAW_PROBE_NO_HELPER, "no memory");
		return false;
	}
	claw_cache_key(making->name_request.bytes,
		       making->name_request.length, making->name_key);
	read_print(making);
	key_of(&making->name_request, making->print, key);
	if (is_known(making) &&
	    claw_cache_read(key, ".names", &making->names)) {
		making->has_read = *making->print;
		return true;
	}
	*making->print = '\0';
	if (!run_names(&making->name_request, &making->names, made))
		return false;
	if (!making->includes)
		keep_names(making);
	return true;
}

/* The lines of the request that say what the driver has predefined. */
static char *find_macros(struct making *making, struct claw_rewritten *made)
{
	if (!find_names(making, made))
		return NULL;
	made->state = CLAW_PROBE_NOT_BUILT;
	return claw_macros_ask(making->names.bytes, making->unit->options,
			       making->context, making->build->device,
			       made->why);
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
		made->was_known = claw_cache_is_old(made->key, ".map");
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
	if (claw_blob_write(made->key, ".map", made->map.bytes,
			    made->map.length))
		return;
	free(made->source.bytes);
	free(made->map.bytes);
	refuse(made, CLAW_PROBE_NO_HELPER, "no room in the session");
}

/* It is made of files that have been the same since before it was built: known
 * from now on. Else it has a name of its own. */
static void keep_included(struct making *making,
			  const struct claw_text *request,
			  struct claw_rewritten *made)
{
	struct claw_text list = { .bytes = NULL };

	if (made->state != CLAW_PROBE_INSTRUMENTED)
		return;
	if (claw_reads_list(made->map.bytes, &list) &&
	    claw_reads_print(&list, making->unit->since_ns, making->print)) {
		key_of(request, making->print, made->key);
		making->has_read = true;
		claw_cache_write(making->name_key, ".reads", list.bytes,
				 list.length);
		keep_names(making);
		keep(made);
	} else {
		claw_cache_key(made->source.bytes, made->source.length,
			       making->print);
		key_of(request, making->print, made->key);
	}
	free(list.bytes);
}

static void rewrite(struct making *making, const struct claw_text *request,
		    struct claw_rewritten *made)
{
	key_of(request, making->print, made->key);
	if (is_known(making) && find_known(made))
		return;
	run_rewrite(request, made);
	if (making->includes)
		keep_included(making, request, made);
	else
		keep(made);
}

/* A unit of a binary has to be what that was built of; of another, it is known
 * from now on what it includes. */
static void compare_reads(struct making *making, struct claw_rewritten *made)
{
	struct claw_unit *unit = making->unit;

	if (!making->includes || made->state != CLAW_PROBE_INSTRUMENTED)
		return;
	if (!unit->is_of_binary) {
		if (making->has_read)
			memcpy(unit->print, making->print,
			       sizeof(unit->print));
	} else if (!making->has_read || strcmp(unit->print, making->print)) {
		free(made->source.bytes);
		free(made->map.bytes);
		refuse(made, CLAW_PROBE_NOT_SOURCE, "built from a binary, and "
		       "what its source includes has changed since then");
		claw_known_missed();
	}
}

void claw_rewrite(const struct claw_build *build, unsigned int number,
		  cl_context context, struct claw_rewritten *ret_rewritten)
{
	struct claw_rewritten *made = ret_rewritten;
	struct claw_unit *unit = build->units[number];
	struct making making = {
		.build = build, .unit = unit, .context = context,
		.includes = depends_on_files(unit),
	};
	struct claw_text request;
	char *macros;

	memset(made, 0, sizeof(*made));
	if (access(claw_instrument_config.helper, X_OK)) {
		refuse(made, CLAW_PROBE_NO_HELPER,
		       "openclaw-instrument is not there");
		return;
	}
	macros = find_macros(&making, made);
	if (macros && claw_request_make(build, unit, macros, &request)) {
		rewrite(&making, &request, made);
		compare_reads(&making, made);
		tell_session(&request, made);
		free(request.bytes);
	} else if (macros) {
		refuse(made, CLAW_PROBE_NO_HELPER, "no memory");
	}
	free(macros);
	free(making.name_request.bytes);
	free(making.names.bytes);
}

bool claw_rewrite_settle(const struct claw_build *build, unsigned int number,
			 cl_context context)
{
	struct claw_unit *unit = build->units[number];
	struct claw_rewritten made;

	if (*unit->print || !depends_on_files(unit))
		return true;
	if (claw_is_called_back())
		return false;
	claw_rewrite(build, number, context, &made);
	if (made.state != CLAW_PROBE_INSTRUMENTED)
		return true;	/* nor will it be, unless it changes */
	free(made.source.bytes);
	free(made.map.bytes);
	return *unit->print;
}
