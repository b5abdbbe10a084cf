/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Twins: a program once more, with probes, for one device. The driver builds
 * it of the rewritten texts; all of a linked program's objects have probes, or
 * none has.
 */
#include "config.h"

#include "instrument_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/call/own_session.h"

enum { REASONS = 16 };

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* A driver's callback may call the program, and that us: not a second time. */
static __thread bool inside __attribute__((tls_model(CLAW_TLS_MODEL)));

/* Why what is not checked, as it was said. */
static pthread_mutex_t reasons_lock = PTHREAD_MUTEX_INITIALIZER;
static char reasons[REASONS][CLAW_PROBE_WHY];

/* What is being made. */
struct draft {
	struct claw_probed_program *program;
	const struct claw_build *build;
	struct claw_probe_header header;	/* modes, state, parts, why */
	struct claw_probe_part parts[CLAW_PROBE_PARTS];
	char *maps[CLAW_PROBE_PARTS], *sources[CLAW_PROBE_PARTS];
	uint32_t counters, accesses;
	bool prints, was_known;
};

static void refuse(struct draft *draft, enum claw_probe_state state,
		   const char *why)
{
	draft->header.state = state;
	claw_probe_why(draft->header.why, "%s", why);
}

/* ---- texts */

static uint32_t rounded(uint32_t number)
{
	return (number + 31) / 32 * 32;
}

static bool add_rewritten(struct draft *draft, unsigned int i,
			  struct claw_rewritten *made)
{
	struct claw_probe_part *part = &draft->parts[i];
	uint32_t counters, accesses;

	memcpy(part->key, made->key, sizeof(part->key));
	part->site = draft->build->units[i]->site;
	draft->header.parts = i + 1;
	if (made->state != CLAW_PROBE_INSTRUMENTED) {
		refuse(draft, made->state, made->why);
		return false;
	}
	draft->maps[i] = made->map.bytes;
	draft->sources[i] = made->source.bytes;
	draft->was_known = draft->was_known && made->was_known;
	if (!claw_map_counts(made->map.bytes, &counters, &accesses) ||
	    counters > UINT32_MAX / 64 || accesses > UINT32_MAX / 64) {
		refuse(draft, CLAW_PROBE_NO_HELPER,
		       "openclaw-instrument wrote no map");
		return false;
	}
	part->counters_base = draft->counters;
	part->accesses_base = draft->accesses;
	draft->prints = draft->prints || strstr(made->source.bytes, "printf");
	draft->counters += rounded(counters);
	draft->accesses += accesses;
	return true;
}

static bool rewrite_all(struct draft *draft)
{
	struct claw_rewritten made;

	for (unsigned int i = 0; i < draft->build->count; i++) {
		claw_rewrite(draft->build, i, draft->program->context, &made);
		if (!add_rewritten(draft, i, &made))
			return false;
	}
	return true;
}

/* ---- the driver's part */

/* The first line of what the driver says that tells of an error. */
static void read_log(struct draft *draft, cl_program program)
{
	char *log = NULL, *line;
	size_t bytes = 0;

	refuse(draft, CLAW_PROBE_NOT_BUILT, "the driver does not build it");
	if (!claw_next.clGetProgramBuildInfo(program, draft->build->device,
					     CL_PROGRAM_BUILD_LOG, 0, NULL,
					     &bytes) &&
	    bytes && bytes < 1 << 24)
		log = calloc(1, bytes + 1);
	if (log && !claw_next.clGetProgramBuildInfo(program,
			draft->build->device, CL_PROGRAM_BUILD_LOG, bytes, log,
			NULL)) {
		line = strstr(log, "error");
		while (line && line > log && line[-1] != '\n')
			line--;
		if (line || *log)
			refuse(draft, CLAW_PROBE_NOT_BUILT,
			       line ? line : log);
	}
	free(log);
}

static cl_program create(struct draft *draft, unsigned int i)
{
	const char *source = draft->sources[i];
	cl_int err;

	return claw_next.clCreateProgramWithSource(draft->program->context, 1,
						   &source, NULL, &err);
}

static char *options_for(const struct draft *draft, unsigned int i)
{
	char bases[96];

	snprintf(bases, sizeof(bases), "-w -cl-kernel-arg-info -DCLAW_C=%"
		 PRIu32 " -DCLAW_A=%" PRIu32, draft->parts[i].counters_base,
		 draft->parts[i].accesses_base);
	return claw_options_make(draft->build->units[i]->options, bases);
}

/* One of its texts, built or compiled; NULL: it cannot be. */
static cl_program build_one(struct draft *draft, unsigned int i, bool is_whole)
{
	cl_program program = create(draft, i);
	char *options = options_for(draft, i);
	cl_device_id device = draft->build->device;
	cl_int err = CL_OUT_OF_HOST_MEMORY;

	if (program && options)
		err = is_whole ?
			claw_next.clBuildProgram(program, 1, &device, options,
						 NULL, NULL) :
			claw_next.clCompileProgram(program, 1, &device, options,
						   0, NULL, NULL, NULL, NULL);
	free(options);
	if (!err)
		return program;
	if (program) {
		read_log(draft, program);
		claw_next.clReleaseProgram(program);
	} else {
		refuse(draft, CLAW_PROBE_NOT_BUILT,
		       "the driver does not take its source");
	}
	return NULL;
}

static cl_program link_all(struct draft *draft)
{
	cl_program parts[CLAW_PROBE_PARTS], linked = NULL;
	unsigned int count = draft->build->count, made = 0;
	cl_int err;

	while (made < count && (parts[made] = build_one(draft, made, false)))
		made++;
	if (made == count)
		linked = claw_next.clLinkProgram(draft->program->context, 1,
			&draft->build->device, draft->build->link_options,
			count, parts, NULL, NULL, &err);
	if (made == count && (!linked || err)) {
		refuse(draft, CLAW_PROBE_NOT_BUILT,
		       "the driver does not link it");
		if (linked)
			read_log(draft, linked);
		if (linked)
			claw_next.clReleaseProgram(linked);
		linked = NULL;
	}
	while (made)
		claw_next.clReleaseProgram(parts[--made]);
	return linked;
}

/* ---- or what it made of them before */

static void put_part(FILE *out, const struct draft *draft, unsigned int i)
{
	char key[CLAW_PROBE_KEY], *options = options_for(draft, i);

	claw_cache_key(draft->sources[i], strlen(draft->sources[i]), key);
	fprintf(out, "%s %s\n", key, options ? options : "");
	free(options);
}

/* False: no memory, or Oclgrind, whose binaries have no lines. */
static bool binary_key(const struct draft *draft, char key[CLAW_PROBE_KEY])
{
	const char *link = draft->build->link_options;
	struct claw_text text;
	FILE *out = open_memstream(&text.bytes, &text.length);
	bool done;

	if (!out)
		return false;
	claw_device_put(out, draft->build->device);
	fprintf(out, "link %s\n", link ? link : "-");
	for (unsigned int i = 0; i < draft->build->count; i++)
		put_part(out, draft, i);
	if (fclose(out))
		return false;
	done = !strstr(text.bytes, "Oclgrind");
	claw_cache_key(text.bytes, text.length, key);
	free(text.bytes);
	return done;
}

/* A driver may compile once more for a binary: not in the run that makes the
 * texts. */
static cl_program build_all(struct draft *draft)
{
	const char *link = draft->build->link_options;
	char key[CLAW_PROBE_KEY], *options = options_for(draft, 0);
	bool may_be_known = draft->was_known && options &&
		binary_key(draft, key);
	cl_program program = NULL;

	if (may_be_known)
		program = claw_binary_load(key, draft->program->context,
					   draft->build->device,
					   link ? "" : options);
	free(options);
	if (program)
		return program;
	program = link ? link_all(draft) : build_one(draft, 0, true);
	if (program && may_be_known)
		claw_binary_keep(key, program, draft->build->device);
	return program;
}

/* ---- the twin */

void claw_twin_say(const char *what, const char *why)
{
	unsigned int i = 0;

	if (!(claw_instrument_config.modes & CLAW_PROBE_CHECKS) ||
	    !claw_own_session_is_own())
		return;
	pthread_mutex_lock(&reasons_lock);
	while (i < REASONS && *reasons[i] && strcmp(reasons[i], why))
		i++;
	if (i < REASONS && !*reasons[i]) {
		claw_probe_why(reasons[i], "%s", why);
		dprintf(STDERR_FILENO, "==%d==GPU-ASAN: %s: %s\n",
			(int)getpid(), what, why);
	}
	pthread_mutex_unlock(&reasons_lock);
}

static void say_unchecked(const struct claw_probe_header *header)
{
	if (header->state != CLAW_PROBE_INSTRUMENTED &&
	    header->state != CLAW_PROBE_NOT_ASKED)
		claw_twin_say("kernels of a program are not checked",
			      header->why);
}

static void make_words(struct draft *draft, struct claw_twin *twin)
{
	twin->words = claw_words_make(draft->program->context, twin->device,
				      &draft->header, draft->parts,
				      draft->counters, draft->accesses,
				      draft->maps);
	if (twin->words) {
		memset(draft->maps, 0, sizeof(draft->maps));
	} else if (twin->program) {
		claw_next.clReleaseProgram(twin->program);
		twin->program = NULL;
	}
}

static struct claw_twin *make(struct claw_probed_program *program,
			      const struct claw_build *build,
			      enum claw_twin_kind kind)
{
	struct claw_twin *twin = calloc(1, sizeof(*twin));
	struct draft *draft = calloc(1, sizeof(*draft));

	if (twin && draft) {
		twin->users = 1;
		twin->device = build->device;
		twin->kind = kind;
		draft->program = program;
		draft->build = build;
		draft->header.state = CLAW_PROBE_INSTRUMENTED;
		draft->was_known = true;
		if (kind == CLAW_TWIN_LEFT_OUT)
			refuse(draft, CLAW_PROBE_NOT_ASKED,
			       "no kernel of it is wanted");
		else if (kind == CLAW_TWIN_CALLED_BACK)
			refuse(draft, CLAW_PROBE_NOT_BUILT,
			       "a kernel was created in a build's callback");
		else if (!build->count)
			refuse(draft, CLAW_PROBE_NOT_SOURCE,
			       "not built from source");
		else if (rewrite_all(draft))
			twin->program = build_all(draft);
		twin->prints = draft->prints;
		say_unchecked(&draft->header);
		make_words(draft, twin);
		for (unsigned int i = 0; i < CLAW_PROBE_PARTS; i++) {
			free(draft->maps[i]);
			free(draft->sources[i]);
		}
	} else {
		free(twin);
		twin = NULL;
	}
	free(draft);
	return twin;
}

/* Has the driver built it for that device? */
static bool is_built(cl_program program, cl_device_id device)
{
	cl_build_status status = CL_BUILD_NONE;

	return !claw_next.clGetProgramBuildInfo(program, device,
						CL_PROGRAM_BUILD_STATUS,
						sizeof(status), &status,
						NULL) &&
	       status == CL_BUILD_SUCCESS;
}

void claw_twins_note(bool begins)
{
	struct claw_journal_thread *block = claw_journal_thread_get();

	if (block)
		__atomic_store_n(&block->probes_since_ns,
				 begins ? claw_now_ns() : 0, __ATOMIC_RELAXED);
}

static struct claw_twin *find(struct claw_probed_program *program,
			      cl_device_id device, enum claw_twin_kind kind)
{
	struct claw_twin *twin = program->twins;

	while (twin && (twin->device != device || twin->kind != kind))
		twin = twin->next;
	return twin;
}

/* One for the program's list and one for the caller. */
static struct claw_twin *get(struct claw_probed_program *program,
			     const struct claw_build *build, bool is_wanted)
{
	enum claw_twin_kind kind = is_wanted ? CLAW_TWIN_WANTED :
		CLAW_TWIN_LEFT_OUT;
	struct claw_twin *twin = find(program, build->device, kind);

	/* Nothing may be built inside of a driver's callback. */
	if (!twin && is_wanted && claw_is_called_back()) {
		kind = CLAW_TWIN_CALLED_BACK;
		twin = find(program, build->device, kind);
	}
	if (!twin &&
	    (!build->count || is_built(program->entry.handle, build->device))) {
		claw_twins_note(true);
		twin = make(program, build, kind);
		claw_twins_note(false);
		if (twin) {
			twin->next = program->twins;
			program->twins = twin;
		}
	}
	if (twin)
		__atomic_add_fetch(&twin->users, 1, __ATOMIC_RELAXED);
	return twin;
}

bool claw_twins_enter(void)
{
	if (inside)
		return false;
	inside = true;
	pthread_mutex_lock(&making);
	return true;
}

void claw_twins_leave(void)
{
	pthread_mutex_unlock(&making);
	inside = false;
}

unsigned int claw_twins_get(struct claw_probed_program *program, bool is_wanted,
			    struct claw_twin *ret_twins[CLAW_PROBE_DEVICES])
{
	unsigned int count = 0;

	if (!claw_twins_enter())
		return 0;
	for (unsigned int i = 0; i < program->build_count; i++) {
		ret_twins[count] = get(program, &program->builds[i],
				       is_wanted);
		count += ret_twins[count] != NULL;
	}
	claw_twins_leave();
	return count;
}

void claw_twin_put(struct claw_twin *twin)
{
	if (__atomic_sub_fetch(&twin->users, 1, __ATOMIC_ACQ_REL))
		return;
	if (twin->program)
		claw_next.clReleaseProgram(twin->program);
	if (twin->words)
		claw_words_drop(twin->words);
	free(twin);
}

void claw_twins_begin(void)
{
	pthread_mutex_init(&making, NULL);
	pthread_mutex_init(&reasons_lock, NULL);
	memset(reasons, 0, sizeof(reasons));
	inside = false;
}
