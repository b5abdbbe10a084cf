/* SPDX-License-Identifier: Apache-2.0 */
/* Places, calls and sizes in words. */
#include "config.h"

#include "crash_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/words.h"

enum { NAME_FRAMES = 3 };

/* ---- places ----------------------------------------------------------- */

static const char *kept_text(const struct claw_crash_facts *f, uint32_t site,
			     const char *key)
{
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, site);
	return json_string_value(json_object_get(
		json_object_get(f->dump->sites, number), key));
}

static const struct claw_journal_site *
find_site(const struct claw_crash_facts *f, uint32_t number)
{
	return f->dump->journal ?
		claw_journal_find_site(f->dump->journal, number) : NULL;
}

/* Frames in it that have no file and line. */
static unsigned int count_bare(const char *text)
{
	unsigned int count = 0;

	for (const char *at = text; (at = strstr(at, "+0x")); at++)
		count++;
	for (const char *at = text; (at = strstr(at, "??")); at += 2)
		count++;
	return count;
}

typedef char *text_of(struct claw_symbolizer *symbolizer,
		      const struct claw_journal *journal,
		      const struct claw_journal_site *site);

/* What the dump says, unless the files here know more of it. */
static char *best_text(const struct claw_crash_facts *f, uint32_t number,
		       const char *key, text_of *describe)
{
	const char *kept = kept_text(f, number, key);
	const struct claw_journal_site *site = find_site(f, number);
	char *text;

	if ((kept && !count_bare(kept)) || !site)
		return kept ? claw_strdup(kept) : NULL;
	text = describe(f->symbolizer, f->dump->journal, site);
	if (!kept || (text && count_bare(text) < count_bare(kept)))
		return text;
	free(text);
	return claw_strdup(kept);
}

char *claw_crash_place(const struct claw_crash_facts *facts, uint32_t site)
{
	char *text = best_text(facts, site, "place", claw_site_place);

	if (text && strcmp(text, "an unknown call site") == 0) {
		free(text);
		text = NULL;
	}
	return text;
}

static char *name_of(struct claw_symbolizer *symbolizer,
		     const struct claw_journal *journal,
		     const struct claw_journal_site *site)
{
	return claw_site_name(symbolizer, journal, site, NAME_FRAMES);
}

char *claw_crash_site_name(const struct claw_crash_facts *facts, uint32_t site)
{
	return best_text(facts, site, "name", name_of);
}

char *claw_crash_stack(const struct claw_crash_facts *facts, uint32_t site)
{
	return best_text(facts, site, "stack", claw_site_stack);
}

/* ---- whose code ------------------------------------------------------- */

static bool is_driver(const char *path)
{
	static const char *const names[] = {
		"libpocl", "libLLVM", "libclang", "liboclgrind", "libamdocl",
		"libnvidia", "libcuda", "libigdrcl", "libintelocl",
		"libMesaOpenCL", "libRusticlOpenCL", "libmali", "libhsa",
		"libze_", "libopencl-clang",
	};
	const char *name = claw_base_name(path);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (claw_begins(name, names[i]))
			return true;
	return false;
}

/* A kernel that pocl has made: ".../store/256-1-1/store.so" in its cache. */
static bool is_kernel(const char *path)
{
	const char *name = claw_base_name(path);
	size_t length = strcspn(name, ".");
	const char *at = name;

	if (strcmp(name + length, ".so") != 0)
		return false;
	for (int slashes = 0; at > path && slashes < 3; at--)
		slashes += at[-1] == '/';
	/* at is on the slash before the folder that is named as the file is */
	return strstr(path, "/kcache/") || (*at == '/' && length &&
		strncmp(at + 1, name, length) == 0 && at[length + 1] == '/');
}

/* Whose one frame is; UNKNOWN: of a library that everybody uses. */
static enum claw_crash_top top_of_frame(const struct claw_journal *journal,
					const struct claw_journal_frame *frame)
{
	const struct claw_journal_module *module =
		claw_journal_find_module(journal, frame->module);
	struct claw_symbol symbol = { .function = NULL };
	char *path;
	bool is_ours;

	if (!module)
		return frame->module ? CLAW_TOP_UNKNOWN : CLAW_TOP_KERNEL;
	path = claw_strdup(
		claw_journal_get_string(journal, module->path_string));
	symbol.module = path;
	is_ours = claw_symbol_is_ours(&symbol);
	free(path);
	if (is_ours)
		return CLAW_TOP_UNKNOWN;
	if (is_kernel(claw_journal_get_string(journal, module->path_string)))
		return CLAW_TOP_KERNEL;
	return is_driver(claw_journal_get_string(journal,
						 module->path_string)) ?
		CLAW_TOP_DRIVER : CLAW_TOP_PROGRAM;
}

/* pocl's name of what it made of a kernel, where there is a name. */
static bool is_named_as_kernel(const struct claw_crash_facts *f,
			       uint32_t number)
{
	char *name = claw_crash_site_name(f, number);
	bool is = name && claw_begins(name, "_pocl_kernel_");

	free(name);
	return is;
}

static enum claw_crash_top
top_of_site(const struct claw_crash_facts *facts, uint32_t number)
{
	const struct claw_journal_site *site = find_site(facts, number);

	if (site && site->kind == CLAW_SITE_PYTHON)
		return CLAW_TOP_PROGRAM;
	for (uint32_t i = 0; site && i < site->frame_count &&
	     i < CLAW_JOURNAL_MAX_FRAMES; i++) {
		enum claw_crash_top top = top_of_frame(facts->dump->journal,
						       &site->frames[i]);

		if (top != CLAW_TOP_UNKNOWN)
			return top;
	}
	return CLAW_TOP_UNKNOWN;
}

enum claw_crash_top claw_crash_top(const struct claw_crash_facts *facts,
				   uint32_t site)
{
	enum claw_crash_top top = top_of_site(facts, site);

	return top == CLAW_TOP_PROGRAM && is_named_as_kernel(facts, site) ?
		CLAW_TOP_KERNEL : top;
}

/* The first frame is where the signal's handler returns to. */
const char *claw_crash_registers(const struct claw_crash_facts *facts)
{
	const char *text = facts->crash && facts->crash->duration_ticks ?
		claw_journal_get_string(facts->dump->journal,
					facts->crash->duration_ticks) : "";

	/* A dump may be made up. */
	return text[strspn(text, "0123456789ABCDEFPRSIXx= ")] ? "" : text;
}

uint64_t claw_crash_counter(const struct claw_crash_facts *facts)
{
	const char *registers = claw_crash_registers(facts);
	const struct claw_journal_site *site = facts->crash ?
		find_site(facts, facts->crash->site) : NULL;
	const struct claw_journal_module *module;

	if (strncmp(registers, "PC=", 3) == 0)
		return strtoull(registers + 3, NULL, 16);
	if (!site || site->kind != CLAW_SITE_NATIVE || site->frame_count < 2)
		return 0;
	module = claw_journal_find_module(facts->dump->journal,
					  site->frames[1].module);
	return site->frames[1].offset + (module ? module->base : 0);
}

/* ---- calls ------------------------------------------------------------ */

claw_object_id claw_crash_event(const struct claw_trace_call *call)
{
	return call->arg_count && call->args[0].objects && call->args[0].count ?
		call->args[0].objects[0] : 0;
}

const char *claw_crash_api_name(const struct claw_trace_call *call)
{
	return claw_crash_is_call(call) ? claw_api_table[call->api].name :
		"the status of an event";
}

const char *claw_crash_result_name(int32_t result)
{
	static char number[16];
	const char *name = claw_code_name(result);

	if (name)
		return name;
	snprintf(number, sizeof(number), "%" PRId32, result);
	return number;
}

const char *claw_crash_tag(const struct claw_trace_call *call)
{
	return claw_crash_is_injected(call) ? " (INJECTED)" : "";
}

static void put_place(FILE *out, const struct claw_crash_facts *f,
		      const struct claw_trace_call *call)
{
	char *place = call->site ? claw_crash_place(f, call->site) : NULL;

	if (place)
		fprintf(out, " at %s", place);
	free(place);
}

void claw_crash_put_call(FILE *out, const struct claw_crash_facts *facts,
			 uint32_t number)
{
	const struct claw_trace_call *call = claw_crash_call(facts, number);

	if (!call)
		return;
	fprintf(out, "#%" PRIu32 " %s", call->number,
		claw_crash_api_name(call));
	if (!claw_crash_is_call(call))
		fprintf(out, " arrived: %s", call->result < 0 ?
			claw_crash_result_name(call->result) : "ended well");
	else if (!call->returned)
		fputs(", which has not returned", out);
	else if (call->result < 0)
		fprintf(out, " returned %s",
			claw_crash_result_name(call->result));
	fputs(claw_crash_tag(call), out);
	put_place(out, facts, call);
}

const char *claw_crash_kernel_of(const struct claw_crash_facts *facts,
				 uint32_t launch)
{
	const struct claw_trace_call *call = claw_crash_call(facts, launch);

	return call && claw_crash_is_call(call) ?
		claw_trace_kernel_name(facts->trace,
				       claw_trace_launched(call)) : "";
}

void claw_crash_put_launch(FILE *out, const struct claw_crash_facts *facts,
			   uint32_t number)
{
	const struct claw_trace_call *call = claw_crash_call(facts, number);
	const char *kernel = claw_crash_kernel_of(facts, number);

	if (!call)
		return;
	fprintf(out, "#%" PRIu32 " %s%s%s%s", call->number,
		claw_crash_api_name(call), *kernel ? " of " : "", kernel,
		claw_crash_tag(call));
	put_place(out, facts, call);
}

void claw_crash_put_sizes(FILE *out, const struct claw_trace_call *launch,
			  const char *parameter)
{
	const struct claw_trace_arg *dimensions =
		claw_crash_arg(launch, "work_dim");
	const struct claw_trace_arg *sizes = claw_crash_arg(launch, parameter);

	if (!sizes || !sizes->bytes || !dimensions) {
		fputs(sizes && sizes->kind == CLAW_ARG_NULL ?
		      "chosen by the driver" : "not known", out);
		return;
	}
	for (unsigned int i = 0; i < dimensions->word && i < 3; i++)
		fprintf(out, "%s%" PRIu64, i ? "x" : "",
			claw_crash_size(sizes, i));
}

void claw_crash_put_bytes(FILE *out, uint64_t bytes)
{
	claw_print_bytes(out, bytes);
	if (bytes >= 1024) {
		fputs(" (", out);
		claw_print_count(out, bytes);
		fputs(" bytes)", out);
	}
}
