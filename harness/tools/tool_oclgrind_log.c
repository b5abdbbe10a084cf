/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Oclgrind's log. A report is a paragraph, and an empty line ends it:
 *
 *	Invalid write of size 4 at global memory address 0x1000000000020
 *		Kernel: k
 *		Entity: Global(2,0,0) Local(0,0,0) Group(2,0,0)
 *		  store i32 7, i32 addrspace(1)* %arrayidx, align 4, ...
 *		At line 4 (column 8) of input.cl:
 *		  o[g+n]=7;
 *
 * A race and a divergence have two such places. A report about a call goes to
 * stderr, whatever OCLGRIND_LOG says:
 *
 *	Oclgrind - OpenCL runtime error detected
 *		Function: clCreateBuffer
 *		Error:    CL_INVALID_BUFFER_SIZE
 */
#include "config.h"

#include "tool_oclgrind_log.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text.h"

#define API_ERROR "Oclgrind - OpenCL runtime error detected"
#define FATAL_ERROR "OCLGRIND FATAL ERROR"
#define GIVEN_SOURCE "input.cl"	/* Oclgrind's name for a program's text */

enum { TEXT_BYTES_MAX = 64 << 10, ACCESS_BITS_MAX = 1 << 16 };

/* How the first line of a report begins, for every report of 21.10. */
static const struct {
	const char *words;
	enum claw_finding_kind kind;
} headlines[] = {
	{ "Invalid read ", CLAW_FINDING_INVALID_READ },
	{ "Invalid write ", CLAW_FINDING_INVALID_WRITE },
	{ "Read-write data race ", CLAW_FINDING_RACE },
	{ "Write-write data race ", CLAW_FINDING_RACE },
	{ "Uninitialized value written ", CLAW_FINDING_UNINITIALIZED },
	{ "Uninitialized address used ", CLAW_FINDING_UNINITIALIZED },
	{ "Controlflow depends on uninit", CLAW_FINDING_UNINITIALIZED },
	{ "Instruction depends on an uninit", CLAW_FINDING_UNINITIALIZED },
	{ "Work-group divergence ", CLAW_FINDING_DIVERGENCE },
	{ "Invalid memory load - source pointer is not aligned",
	  CLAW_FINDING_MISALIGNED },
	{ "Invalid memory store - source pointer is not aligned",
	  CLAW_FINDING_MISALIGNED },
	{ "Unaligned address on ", CLAW_FINDING_MISALIGNED },
	{ "Index (", CLAW_FINDING_ARRAY_INDEX },
	{ "Work-item finished without waiting ", CLAW_FINDING_KERNEL_OTHER },
	{ "Invalid wait event", CLAW_FINDING_KERNEL_OTHER },
	{ FATAL_ERROR, CLAW_FINDING_KERNEL_OTHER },
	{ API_ERROR, CLAW_FINDING_API_ERROR },
};

/* One work-item's (or work-group's) part in a report. */
struct place {
	unsigned int line, column;
	char file[256];
	char work_item[64];
	bool has_instruction, is_store;
	uint64_t size_bytes;
	enum claw_address_space space;
};

struct report {
	char *text;
	size_t size;
	FILE *to_text;		/* NULL: between two reports */
	enum claw_finding_kind kind;
	bool is_known, is_fatal;
	bool has_body;		/* an indented line was there */
	char what[512];
	char kernel[256];
	struct place places[2];
	unsigned int place_count;
};

/* ---- an instruction of LLVM ------------------------------------------- */

/* The end of an operand: a comma outside of all brackets, or the end. */
static const char *operand_end(const char *text)
{
	int depth = 0;

	for (; *text && !(depth == 0 && *text == ','); text++)
		depth += (strchr("([{<", *text) != NULL) -
			 (strchr(")]}>", *text) != NULL);
	return text;
}

/* "i32", "float": bits of the type; 0: not known, a pointer among them. */
static uint64_t scalar_bits(const char *type)
{
	static const struct { const char *name; unsigned int bits; } floats[] = {
		{ "half", 16 }, { "float", 32 }, { "double", 64 },
	};
	const char *end = type + strcspn(type, " ,*>]");
	size_t length = (size_t)(end - type);
	unsigned long bits = 0;

	if (*end == '*' || strncmp(end, " addrspace", 10) == 0)
		return 0;
	if (*type == 'i')
		bits = strtoul(type + 1, NULL, 10);
	for (size_t i = 0; i < sizeof(floats) / sizeof(*floats); i++)
		if (length == strlen(floats[i].name) &&
		    strncmp(type, floats[i].name, length) == 0)
			bits = floats[i].bits;
	return bits <= ACCESS_BITS_MAX ? bits : 0;
}

/* The same, and "<4 x float>", "[2 x i8]". */
static uint64_t type_bits(const char *type)
{
	unsigned long count;
	char *end;

	if (*type != '<' && *type != '[')
		return scalar_bits(type);
	count = strtoul(type + 1, &end, 10);
	if (strncmp(end, " x ", 3) != 0 || count > ACCESS_BITS_MAX ||
	    strncmp(end + strcspn(end, ">]"), "]*", 2) == 0)
		return 0;
	return count * scalar_bits(end + 3);
}

/* "i32 addrspace(1)* %p", "ptr addrspace(1) %p": where it points to. */
static enum claw_address_space pointer_space(const char *operand)
{
	static const enum claw_address_space spaces[] = {
		CLAW_SPACE_PRIVATE, CLAW_SPACE_GLOBAL, CLAW_SPACE_CONSTANT,
		CLAW_SPACE_LOCAL,
	};
	const char *end = operand_end(operand), *star, *space = NULL;
	const char *word = "addrspace(";
	size_t number = 0;

	if (strncmp(operand, "ptr ", 4) == 0) {
		space = operand + 4;
	} else {
		for (star = operand; star < end &&
		     !(*star == '*' && star[1] == ' '); star++)
			;
		if (star == end)
			return CLAW_SPACE_UNKNOWN;
		/* "addrspace(1)**" is a pointer in private memory. */
		if (star == operand || star[-1] != ')')
			return CLAW_SPACE_PRIVATE;
		while (star > operand && star[-1] != ' ')
			star--;
		space = star;
	}
	if (strncmp(space, word, strlen(word)) == 0)
		number = strtoul(space + strlen(word), NULL, 10);
	return number < sizeof(spaces) / sizeof(*spaces) ? spaces[number] :
	       CLAW_SPACE_UNKNOWN;
}

/* "call spir_func i32 @_Z10atomic_incPU3AS1Vi(i32 addrspace(1)* %p)". */
static void take_atomic(struct place *place, const char *text)
{
	const char *name = strstr(text, "@_Z"), *type;

	if (!name)
		return;
	name += strlen("@_Z");
	name += strspn(name, "0123456789");
	type = strchr(name, '(');
	if (strncmp(name, "atom", 4) != 0 || !type)
		return;
	type++;
	place->space = pointer_space(type);
	if (*type == 'i')
		place->size_bytes = strtoul(type + 1, NULL, 10) / 8;
}

/* "%2 = load volatile TYPE, TYPE* %p", "store TYPE %v, TYPE* %p". */
static void take_instruction(struct place *place, const char *text)
{
	const char *type;

	place->has_instruction = true;
	if (strstr(text, "call "))
		take_atomic(place, text);
	place->is_store = strncmp(text, "store ", 6) == 0;
	type = place->is_store ? text + 6 : strstr(text, " = load ");
	if (!type)
		return;
	if (!place->is_store)
		type += strlen(" = load ");
	if (strncmp(type, "atomic ", 7) == 0)
		type += 7;
	if (strncmp(type, "volatile ", 9) == 0)
		type += 9;
	place->size_bytes = (type_bits(type) + 7) / 8;
	type = operand_end(type);
	if (strncmp(type, ", ", 2) == 0)
		place->space = pointer_space(type + 2);
}

/* ---- one line --------------------------------------------------------- */

/* The value of "Name: value" if the line is that. */
static const char *value_of(const char *line, const char *name)
{
	if (!claw_begins(line, name))
		return NULL;
	line += strlen(name);
	return line + strspn(line, " ");
}

/* The first line, without what differs from work-item to work-item. */
static void take_headline(struct report *report, const char *line)
{
	const char *address = strstr(line, " address 0x");
	size_t length = address ? (size_t)(address - line) : strlen(line);

	report->kind = CLAW_FINDING_KERNEL_OTHER;
	for (size_t i = 0; i < sizeof(headlines) / sizeof(*headlines); i++)
		if (claw_begins(line, headlines[i].words)) {
			report->kind = headlines[i].kind;
			report->is_known = true;
			break;
		}
	report->is_fatal = claw_begins(line, FATAL_ERROR);
	if (report->is_fatal)	/* and where in Oclgrind's source */
		length = strlen(FATAL_ERROR);
	snprintf(report->what, sizeof(report->what), "%.*s", (int)length,
		 line);
}

/* A fatal error's second line is at the margin, too: what it is. */
static void take_fatal_reason(struct report *report, const char *line)
{
	size_t used = strlen(report->what);

	snprintf(report->what + used, sizeof(report->what) - used, ": %s",
		 line);
	report->is_fatal = false;
}

static struct place *current_place(struct report *report)
{
	if (report->place_count == 0)
		report->place_count = 1;
	return &report->places[report->place_count - 1];
}

/* A line that begins the next place; a third one is the second's again. */
static void begin_place(struct report *report, const char *entity)
{
	struct place *place;
	char id[64];
	size_t length;

	if (report->place_count < 2)
		report->place_count++;
	place = current_place(report);
	memset(place, 0, sizeof(*place));
	if (!claw_begins(entity, "Global("))
		return;
	entity += strlen("Global(");
	length = strspn(entity, "0123456789,");
	if (entity[length] != ')' || length >= sizeof(id))
		return;
	memcpy(place->work_item, entity, length);
}

static void take_location(struct place *place, const char *line)
{
	const char *file = strstr(line, ") of ");
	unsigned int number, column;
	size_t length;

	if (place->line ||
	    sscanf(line, "At line %9u (column %9u)", &number, &column) != 2)
		return;
	place->line = number;
	place->column = column;
	if (!file)
		return;
	file += strlen(") of ");
	length = strcspn(file, "\n");
	if (length > 0 && file[length - 1] == ':')
		length--;
	if (length == strlen(GIVEN_SOURCE) && claw_begins(file, GIVEN_SOURCE))
		return;
	snprintf(place->file, sizeof(place->file), "%.*s", (int)length, file);
}

static void take_api_line(struct report *report, const char *line)
{
	const char *value;
	size_t used;

	if ((value = value_of(line, "Function:"))) {
		snprintf(report->kernel, sizeof(report->kernel), "%s", value);
	} else if ((value = value_of(line, "Error:"))) {
		snprintf(report->what, sizeof(report->what), "%s", value);
	} else if (report->has_body) {	/* what about it */
		used = strlen(report->what);
		snprintf(report->what + used, sizeof(report->what) - used,
			 ": %s", line);
	}
}

/* A line of the body, without its tab. Two spaces in front: quoted. */
static void take_body_line(struct report *report, const char *line)
{
	const char *value;
	struct place *place;

	if ((value = value_of(line, "Kernel:")))
		snprintf(report->kernel, sizeof(report->kernel), "%s", value);
	else if ((value = value_of(line, "Entity:")) ||
		 (value = value_of(line, "First entity:")) ||
		 (value = value_of(line, "Second entity:")) ||
		 (value = value_of(line, "Work-item:")))
		begin_place(report, value);
	else if (claw_begins(line, "Previous work-items executed:"))
		begin_place(report, "");
	else if (claw_begins(line, "At line "))
		take_location(current_place(report), line);
	else if (claw_begins(line, "  ")) {
		place = current_place(report);
		if (!place->has_instruction)
			take_instruction(place, line + 2);
	}
}

static void take_line(struct report *report, const char *line)
{
	if (report->size < TEXT_BYTES_MAX)
		fprintf(report->to_text, "%s\n", line);
	fflush(report->to_text);	/* sets size */
	if (!report->what[0]) {
		take_headline(report, line);
	} else if (line[0] != '\t') {
		if (report->is_fatal && !isspace((unsigned char)line[0]))
			take_fatal_reason(report, line);
	} else if (report->kind == CLAW_FINDING_API_ERROR) {
		take_api_line(report, line + 1);
		report->has_body = true;
	} else {
		take_body_line(report, line + 1);
		report->has_body = true;
	}
}

/* ---- a report --------------------------------------------------------- */

/* Of a race the later place in the source, of two accesses there the write:
 * Oclgrind's order is that of its threads. */
static const struct place *choose_place(const struct report *report)
{
	const struct place *first = &report->places[0];
	const struct place *second = &report->places[1];

	if (report->kind != CLAW_FINDING_RACE || report->place_count < 2)
		return first;
	if (second->line != first->line)
		return second->line > first->line ? second : first;
	if (second->column != first->column)
		return second->column > first->column ? second : first;
	return second->is_store && !first->is_store ? second : first;
}

/* " of size 4 at global memory", where the headline says so; else as the
 * instruction has it. What is uninitialised came from elsewhere: no space. */
static void set_access(const struct report *report, const struct place *place,
		       struct claw_finding *finding)
{
	const char *size = strstr(report->what, " of size ");
	const char *at = strstr(report->what, " at ");
	char word[16];

	finding->size_bytes = place->size_bytes;
	if (report->kind == CLAW_FINDING_UNINITIALIZED)
		return;
	if (size)
		finding->size_bytes = strtoull(size + strlen(" of size "),
					       NULL, 10);
	finding->space = place->space;
	/* Constant memory is a part of the global one there: the instruction
	 * knows better. */
	if (!at || sscanf(at, " at %15[a-z] memory", word) != 1 ||
	    claw_space_find(word) < 0 || place->space == CLAW_SPACE_CONSTANT)
		return;
	finding->space = (enum claw_address_space)claw_space_find(word);
}

/* Addresses of Oclgrind's begin with the number of their object, from 1. */
static bool is_null_access(const struct report *report,
			   const struct place *place)
{
	enum { OBJECT_BIT = 48 };
	const char *at = strstr(report->text, "memory address 0x");

	return (report->kind == CLAW_FINDING_INVALID_READ ||
		report->kind == CLAW_FINDING_INVALID_WRITE) && at &&
	       (place->space == CLAW_SPACE_GLOBAL ||
		place->space == CLAW_SPACE_UNKNOWN) &&
	       strtoull(at + strlen("memory address "), NULL, 16) >>
	       OBJECT_BIT == 0;
}

static void end_report(struct report *report, struct claw_findings *findings)
{
	const struct place *place = choose_place(report);
	struct claw_finding finding = {
		.kind = report->kind, .what = report->what,
		.kernel = report->kernel, .line = place->line,
		.column = place->column,
		.file = (char *)(uintptr_t)place->file,
		.work_item = (char *)(uintptr_t)place->work_item,
	};

	if (!report->to_text)
		return;
	claw_text_end(report->to_text);
	set_access(report, place, &finding);
	finding.text = report->text;
	finding.is_null = is_null_access(report, place);
	/* A paragraph of an unknown kind counts when it looks like a report:
	 * notes ("suppressing further errors") have no body. */
	if (report->is_known || report->has_body)
		claw_findings_add(findings, &finding);
	free(report->text);
	memset(report, 0, sizeof(*report));
}

/* Does a line at the margin begin a report? On a stderr only what can be
 * nobody else's. */
static bool begins_report(const char *line, enum claw_oclgrind_text which)
{
	if (isspace((unsigned char)line[0]))
		return false;
	return which == CLAW_OCLGRIND_LOG || claw_begins(line, API_ERROR) ||
	       claw_begins(line, FATAL_ERROR);
}

static void take(struct report *report, const char *line,
		 enum claw_oclgrind_text which, struct claw_findings *findings)
{
	bool is_margin = line[0] && !isspace((unsigned char)line[0]);
	bool is_reason = is_margin && report->to_text && report->is_fatal;

	if (!line[0] || (is_margin && !is_reason))
		end_report(report, findings);
	if (!line[0])
		return;
	if (!report->to_text) {
		if (!begins_report(line, which))
			return;
		report->to_text = claw_text_begin(&report->text, &report->size);
	}
	take_line(report, line);
}

void claw_oclgrind_read_stream(FILE *in, enum claw_oclgrind_text which,
			       struct claw_findings *findings)
{
	struct report report = { 0 };
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	while ((length = claw_getline(&line, &size, in)) > 0) {
		if (line[length - 1] == '\n')
			line[--length] = '\0';
		if (length > 0 && line[length - 1] == '\r')
			line[length - 1] = '\0';
		take(&report, line, which, findings);
	}
	end_report(&report, findings);
	free(line);
}

int claw_oclgrind_read(const char *path, enum claw_oclgrind_text which,
		       struct claw_findings *findings)
{
	FILE *in = claw_outside_fopen(path);
	int ret = 0;

	if (!in)
		return errno == ENOENT ? -CLAW_E_NOT_FOUND : -CLAW_E_IO;
	claw_oclgrind_read_stream(in, which, findings);
	if (ferror(in))
		ret = -CLAW_E_IO;
	fclose(in);
	return ret;
}
