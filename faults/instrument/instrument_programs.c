/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each program of the program's was built of: texts, options, embedded
 * headers, of each device. A text is taken when it is compiled, for a header's
 * program may be gone by then that a kernel is launched.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/journal/site_cache.h"

enum { SOURCE_MAX = 64 << 20 };

/* Its lock is that of all builds, too. */
static struct claw_probed_table table;

/* When this thread's last build began. */
static __thread uint64_t since_ns __attribute__((tls_model(CLAW_TLS_MODEL)));

/* ---- units */

void claw_unit_put(struct claw_unit *unit)
{
	if (__atomic_sub_fetch(&unit->users, 1, __ATOMIC_ACQ_REL))
		return;
	for (unsigned int i = 0; i < unit->header_count; i++) {
		free(unit->headers[i].name);
		free(unit->headers[i].text);
	}
	free(unit->headers);
	free(unit->source);
	free(unit->options);
	free(unit->directory);
	free(unit);
}

static struct claw_unit *hold_unit(struct claw_unit *unit)
{
	__atomic_add_fetch(&unit->users, 1, __ATOMIC_RELAXED);
	return unit;
}

/* The driver's answer is all strings, joined; NULL: there is none. */
static char *source_of(cl_program program)
{
	size_t bytes = 0;
	char *text;

	if (claw_next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL,
				       &bytes) ||
	    bytes < 2 || bytes > SOURCE_MAX)
		return NULL;
	text = calloc(1, bytes + 1);
	if (text && claw_next.clGetProgramInfo(program, CL_PROGRAM_SOURCE,
					       bytes, text, NULL)) {
		free(text);
		return NULL;
	}
	return text;
}

static bool take_header(struct claw_unit *unit, cl_program program,
			const char *name)
{
	struct claw_unit_header *header = &unit->headers[unit->header_count];

	header->text = source_of(program);
	header->name = name ? strdup(name) : NULL;
	if (header->text && header->name) {
		unit->header_count++;
		return true;
	}
	free(header->text);
	free(header->name);
	return false;
}

static bool take_headers(struct claw_unit *unit, const struct claw_call *call)
{
	cl_uint number = CLAW_ARG(call, clCompileProgram, num_input_headers);
	const cl_program *programs =
		CLAW_ARG(call, clCompileProgram, input_headers);
	const char *const *names =
		CLAW_ARG(call, clCompileProgram, header_include_names);

	if (!number || !programs || !names)
		return true;
	unit->headers = calloc(number, sizeof(*unit->headers));
	for (cl_uint i = 0; unit->headers && i < number; i++)
		if (!take_header(unit, programs[i], names[i]))
			return false;
	return unit->headers != NULL;
}

/* Of clBuildProgram or clCompileProgram; referenced, or NULL. */
static struct claw_unit *make_unit(const struct claw_call *call,
				   cl_program program)
{
	const char *options = CLAW_ARG(call, clBuildProgram, options);
	struct claw_unit *unit = calloc(1, sizeof(*unit));

	if (!unit)
		return NULL;
	unit->users = 1;
	unit->is_separate = call->api == CLAW_API_clCompileProgram;
	unit->since_ns = since_ns;
	unit->source = source_of(program);
	unit->directory = getcwd(NULL, 0);
	unit->options = strdup(options ? options : "");
	if (unit->source && unit->options &&
	    (!unit->is_separate || take_headers(unit, call)))
		return unit;
	claw_unit_put(unit);
	return NULL;
}

void claw_probed_build_begins(void)
{
	since_ns = claw_reads_now();
}

/* ---- builds */

static void clear_build(struct claw_build *build)
{
	for (unsigned int i = 0; i < build->count; i++)
		claw_unit_put(build->units[i]);
	free(build->link_options);
	build->count = 0;
	build->link_options = NULL;
}

static struct claw_build *build_of(struct claw_probed_program *program,
				   cl_device_id device)
{
	for (unsigned int i = 0; i < program->build_count; i++)
		if (program->builds[i].device == device)
			return &program->builds[i];
	return NULL;
}

/* The device's, empty; NULL: no room. Under the lock. */
static struct claw_build *renew_build(struct claw_probed_program *program,
				      cl_device_id device)
{
	struct claw_build *build = build_of(program, device);

	if (!build && program->build_count < CLAW_PROBE_DEVICES) {
		build = &program->builds[program->build_count++];
		*build = (struct claw_build){ .device = device };
	}
	if (build)
		clear_build(build);
	return build;
}

/* from: of the same device; not under its lock, if nobody else has it. */
static void copy_build(struct claw_build *build, const struct claw_build *from)
{
	build->link_options = from->link_options ?
		strdup(from->link_options) : NULL;
	if (from->link_options && !build->link_options)
		return;
	while (build->count < from->count) {
		build->units[build->count] = hold_unit(
			from->units[build->count]);
		build->count++;
	}
}

/* Twins of what the program was. */
static struct claw_twin *take_twins(struct claw_probed_program *program)
{
	struct claw_twin *twins = program->twins;

	program->twins = NULL;
	return twins;
}

static void put_twins(struct claw_twin *twin)
{
	while (twin) {
		struct claw_twin *next = twin->next;

		claw_twin_put(twin);
		twin = next;
	}
}

/* ---- programs */

static struct claw_probed_program *program_of(struct claw_probed_entry *entry)
{
	return (struct claw_probed_program *)entry;
}

static void free_program(struct claw_probed_entry *entry)
{
	struct claw_probed_program *program = program_of(entry);

	for (unsigned int i = 0; i < program->build_count; i++)
		clear_build(&program->builds[i]);
	for (unsigned int i = 0; i < program->known_count; i++)
		clear_build(&program->known[i]);
	free(program->known);
	put_twins(program->twins);
	free(program);
}

void claw_probed_put(struct claw_probed_program *program)
{
	claw_probed_leave(&table, &program->entry);
}

struct claw_probed_program *claw_probed_get(cl_program handle)
{
	return program_of(claw_probed_hold(&table, handle));
}

void claw_probed_forget(cl_program handle)
{
	claw_probed_remove(&table, handle);
}

static struct claw_probed_program *enter(cl_program handle, bool is_source)
{
	struct claw_probed_program *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->is_source = is_source;
	claw_next.clGetProgramInfo(handle, CL_PROGRAM_CONTEXT,
				   sizeof(made->context), &made->context,
				   NULL);
	if (claw_probed_add(&table, &made->entry, handle))
		return made;
	free(made);
	return NULL;
}

void claw_probed_retained(cl_program handle)
{
	claw_probed_retain(&table, handle);
}

void claw_probed_released(cl_program handle)
{
	claw_probed_release(&table, handle);
}

/* ---- what the driver did */
/* The devices that the call names, or else all that the program has. */
static unsigned int devices_of(const struct claw_call *call, cl_program program,
			       cl_device_id devices[CLAW_PROBE_DEVICES])
{
	cl_uint given = CLAW_ARG(call, clBuildProgram, num_devices);
	const cl_device_id *list = CLAW_ARG(call, clBuildProgram, device_list);
	cl_device_id all[256];
	size_t bytes = 0;

	if (!given || !list) {
		if (claw_next.clGetProgramInfo(program, CL_PROGRAM_DEVICES,
					       sizeof(all), all, &bytes))
			return 0;
		list = all;
		given = (cl_uint)(bytes / sizeof(*all));
	}
	if (given > CLAW_PROBE_DEVICES)
		given = CLAW_PROBE_DEVICES;
	memcpy(devices, list, given * sizeof(*devices));
	return given;
}

static void set_builds(struct claw_probed_program *program,
		       const struct claw_call *call, struct claw_unit *unit)
{
	cl_device_id devices[CLAW_PROBE_DEVICES];
	unsigned int number = devices_of(call, program->entry.handle, devices);
	struct claw_twin *old;

	pthread_mutex_lock(&table.lock);
	old = take_twins(program);
	for (unsigned int i = 0; i < number; i++) {
		struct claw_build *build = renew_build(program, devices[i]);

		if (build && unit)
			build->units[build->count++] = hold_unit(unit);
		for (unsigned int j = 0; build && j < program->known_count;
		     j++)
			if (program->known[j].device == devices[i])
				copy_build(build, &program->known[j]);
	}
	pthread_mutex_unlock(&table.lock);
	put_twins(old);
}

/* Was it built under our eyes, in a run before? */
static void find_known(struct claw_probed_program *program,
		       const struct claw_call *call)
{
	cl_uint number = CLAW_ARG(call, clCreateProgramWithBinary, num_devices);
	const cl_device_id *devices =
		CLAW_ARG(call, clCreateProgramWithBinary, device_list);
	const size_t *lengths =
		CLAW_ARG(call, clCreateProgramWithBinary, lengths);
	const unsigned char *const *binaries =
		CLAW_ARG(call, clCreateProgramWithBinary, binaries);
	struct claw_build *known;

	if (number > CLAW_PROBE_DEVICES)
		number = CLAW_PROBE_DEVICES;
	program->known = calloc(number, sizeof(*program->known));
	for (cl_uint i = 0; program->known && i < number; i++) {
		known = &program->known[program->known_count++];
		known->device = devices[i];
		if (!claw_known_find(binaries[i], lengths[i], known)) {
			clear_build(known);
			claw_known_missed();
		}
		for (unsigned int j = 0; j < known->count; j++) {
			known->units[j]->site = program->site;
			known->units[j]->since_ns = claw_reads_now();
		}
	}
}

void claw_probed_created(const struct claw_call *call)
{
	struct claw_probed_program *program = enter(call->ret,
		call->api == CLAW_API_clCreateProgramWithSource);

	if (!program)
		return;
	program->site = call->site ? call->site : claw_site_cached();
	if (call->api == CLAW_API_clCreateProgramWithBinary &&
	    claw_known_is_on())
		find_known(program, call);
	/* Nobody builds those. */
	if (call->api == CLAW_API_clCreateProgramWithBuiltInKernels)
		set_builds(program, call, NULL);
}

void claw_probed_built(const struct claw_call *call)
{
	cl_program handle = CLAW_ARG(call, clBuildProgram, program);
	struct claw_probed_program *program = claw_probed_get(handle);
	struct claw_unit *unit;

	if (!program)
		return;
	unit = program->is_source ? make_unit(call, handle) : NULL;
	if (unit)
		unit->site = program->site;
	if (claw_twins_enter()) {
		set_builds(program, call, unit);
		claw_twins_leave();
	} else {
		claw_probed_forget(handle);
	}
	if (unit)
		claw_unit_put(unit);
	claw_probed_put(program);
}

/* Under the lock: all of a part's texts, for one device; or none at all. */
static bool add_part(struct claw_build *build, cl_program handle)
{
	struct claw_probed_program *part =
		program_of(*claw_probed_find(&table, handle));
	struct claw_build *from = part ? build_of(part, build->device) : NULL;

	if (!from || !from->count ||
	    build->count + from->count > CLAW_PROBE_PARTS)
		return false;
	for (unsigned int i = 0; i < from->count; i++)
		build->units[build->count++] = hold_unit(from->units[i]);
	return true;
}

static void link_build(struct claw_build *build, const struct claw_call *call)
{
	const char *options = CLAW_ARG(call, clLinkProgram, options);
	cl_uint number = CLAW_ARG(call, clLinkProgram, num_input_programs);
	const cl_program *parts = CLAW_ARG(call, clLinkProgram, input_programs);

	build->link_options = strdup(options ? options : "");
	for (cl_uint i = 0; i < number; i++)
		if (!build->link_options || !add_part(build, parts[i])) {
			clear_build(build);
			return;
		}
}

void claw_probed_linked(const struct claw_call *call)
{
	struct claw_probed_program *program = enter(call->ret, true);
	cl_device_id devices[CLAW_PROBE_DEVICES];
	unsigned int number;

	if (!program)
		return;
	number = devices_of(call, call->ret, devices);
	pthread_mutex_lock(&table.lock);
	for (unsigned int i = 0; i < number; i++) {
		struct claw_build *build = renew_build(program, devices[i]);

		if (build)
			link_build(build, call);
	}
	pthread_mutex_unlock(&table.lock);
}

/* ---- binaries that the program gets */

/* All that it is built of; the caller clears it. */
static void hold_build(struct claw_probed_program *program, cl_device_id device,
		       struct claw_build *ret_build)
{
	const struct claw_build *build;

	pthread_mutex_lock(&table.lock);
	build = build_of(program, device);
	if (build)
		copy_build(ret_build, build);
	pthread_mutex_unlock(&table.lock);
}

/* An object of clCompileProgram, or a library, is no program yet. */
static bool is_program(const struct claw_build *build)
{
	return build->count &&
	       (build->link_options ?
		!strstr(build->link_options, "-create-library") :
		!build->units[0]->is_separate);
}

static bool settle(const struct claw_build *build, cl_context context)
{
	bool done = claw_twins_enter();

	if (!done)
		return false;
	for (unsigned int i = 0; done && i < build->count; i++)
		done = claw_rewrite_settle(build, i, context);
	claw_twins_leave();
	return done;
}

static void keep_binary(struct claw_probed_program *program,
			cl_device_id device, const void *binary, size_t bytes)
{
	struct claw_build build = { .device = device };

	hold_build(program, device, &build);
	if (is_program(&build) && settle(&build, program->context))
		claw_known_keep(&build, binary, bytes);
	else
		claw_known_missed();
	clear_build(&build);
}

void claw_probed_asked(const struct claw_call *call)
{
	unsigned char *const *binaries =
		CLAW_ARG(call, clGetProgramInfo, param_value);
	cl_program handle = claw_arg_pointer(call, CLAW_P_PROGRAM);
	struct claw_probed_program *program;
	struct claw_binary_sizes sizes;

	if (!binaries || CLAW_ARG(call, clGetProgramInfo, param_name) !=
	    CL_PROGRAM_BINARIES)
		return;
	program = claw_probed_get(handle);
	if (!program || !claw_binary_sizes_get(handle, &sizes)) {
		claw_known_missed();
		sizes.count = 0;
	}
	for (unsigned int i = 0; i < sizes.count; i++)
		if (binaries[i] && sizes.sizes[i])
			keep_binary(program, sizes.devices[i], binaries[i],
				    sizes.sizes[i]);
	if (program)
		claw_probed_put(program);
}

void claw_probed_programs_begin(void)
{
	claw_probed_table_begin(&table, free_program);
}
