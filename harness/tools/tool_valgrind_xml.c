/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Valgrind's XML output (its docs/internals/xml-output-protocol4.txt): an
 * <error> each, with a kind, what it is, a stack, and often a second stack of
 * the block that it is about.
 */
#include "config.h"

#include "tool_valgrind.h"

#include <libxml/xmlreader.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/readers/symbolize.h"
#include "harness/base/text.h"

enum {
	FRAMES_MAX = 30,	/* read of a stack */
	STACKS_MAX = 3,		/* of an error */
	SIGNATURE_FRAMES = 4,
};

struct frame {
	char *function, *file, *line, *object;	/* malloced by libxml, or NULL */
};

struct stack {
	struct frame frames[FRAMES_MAX];
	size_t count;
};

struct error {
	char *kind, *what;
	struct stack stacks[STACKS_MAX];
	size_t stack_count;
	char *text;		/* as a person reads it */
	bool is_leak;
	bool must_be_own;	/* drivers have theirs, and it is no defect */
};

/* Valgrind's kinds; the first whose beginning and words are there. */
static const struct {
	const char *kind, *words;
	enum claw_finding_kind finding;
} kinds[] = {
	{ "InvalidRead", "", CLAW_FINDING_HOST_READ },
	{ "InvalidWrite", "", CLAW_FINDING_HOST_WRITE },
	{ "Uninit", "", CLAW_FINDING_HOST_UNINIT },
	{ "SyscallParam", "uninitialised", CLAW_FINDING_HOST_UNINIT },
	{ "SyscallParam", "", CLAW_FINDING_HOST_READ },
	{ "InvalidFree", "", CLAW_FINDING_HOST_FREE },
	{ "MismatchedFree", "", CLAW_FINDING_HOST_FREE },
	{ "Leak_", "", CLAW_FINDING_HOST_LEAK },
	{ "Race", "", CLAW_FINDING_HOST_RACE },
	{ "", "", CLAW_FINDING_HOST_OTHER },
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* ---- an <error> ------------------------------------------------------- */

static bool is_called(xmlNodePtr node, const char *name)
{
	/* A text between two elements is called "text". */
	return node->type == XML_ELEMENT_NODE &&
	       xmlStrcmp(node->name, BAD_CAST name) == 0;
}

static xmlNodePtr find_child(xmlNodePtr node, const char *name)
{
	for (xmlNodePtr child = node->children; child; child = child->next)
		if (is_called(child, name))
			return child;
	return NULL;
}

/* The text of the first child called name, for xmlFree(); NULL when none. */
static char *child_text(xmlNodePtr node, const char *name)
{
	xmlNodePtr child = find_child(node, name);

	return child ? (char *)xmlNodeGetContent(child) : NULL;
}

static void read_stack(xmlNodePtr node, struct stack *stack)
{
	for (xmlNodePtr child = node->children;
	     child && stack->count < FRAMES_MAX; child = child->next) {
		struct frame *frame = &stack->frames[stack->count];

		if (!is_called(child, "frame"))
			continue;
		*frame = (struct frame){
			.function = child_text(child, "fn"),
			.file = child_text(child, "file"),
			.line = child_text(child, "line"),
			.object = child_text(child, "obj"),
		};
		if (frame->function)
			claw_symbol_cut(frame->function);
		stack->count++;
	}
}

static void write_stack(FILE *out, const struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->frames[i];

		fprintf(out, "  by %s (%s%s%s)\n",
			frame->function ? frame->function : "???",
			frame->file ? frame->file :
			frame->object ? frame->object : "???",
			frame->file && frame->line ? ":" : "",
			frame->file ? or_empty(frame->line) : "");
	}
}

static void write_child(FILE *out, xmlNodePtr child, struct error *error)
{
	char *content;

	if (is_called(child, "stack") && error->stack_count < STACKS_MAX) {
		struct stack *stack = &error->stacks[error->stack_count++];

		read_stack(child, stack);
		write_stack(out, stack);
	} else if (is_called(child, "auxwhat")) {
		content = (char *)xmlNodeGetContent(child);
		fprintf(out, " %s\n", or_empty(content));
		xmlFree(content);
	} else if (is_called(child, "xauxwhat")) {
		content = child_text(child, "text");
		fprintf(out, " %s\n", or_empty(content));
		xmlFree(content);
	}
}

static void release_error(struct error *error)
{
	for (size_t i = 0; i < error->stack_count; i++)
		for (size_t j = 0; j < error->stacks[i].count; j++) {
			xmlFree(error->stacks[i].frames[j].function);
			xmlFree(error->stacks[i].frames[j].file);
			xmlFree(error->stacks[i].frames[j].line);
			xmlFree(error->stacks[i].frames[j].object);
		}
	xmlFree(error->kind);
	xmlFree(error->what);
	free(error->text);
}

static void read_error(xmlNodePtr node, struct error *error)
{
	xmlNodePtr xwhat = find_child(node, "xwhat");
	size_t size = 0;
	FILE *out;

	memset(error, 0, sizeof(*error));
	error->kind = child_text(node, "kind");
	error->what = child_text(node, "what");
	if (!error->what && xwhat)
		error->what = child_text(xwhat, "text");
	error->is_leak = claw_begins(or_empty(error->kind), "Leak_");
	error->must_be_own = error->is_leak ||
			     claw_begins(or_empty(error->kind), "Race");
	out = claw_text_begin(&error->text, &size);
	fprintf(out, "%s\n", error->what ? error->what :
		or_empty(error->kind));
	for (xmlNodePtr child = node->children; child; child = child->next)
		write_child(out, child, error);
	claw_text_end(out);
}

/* ---- whose error it is ------------------------------------------------ */

/* Libraries that do what their caller says. */
static bool is_plumbing(const struct frame *frame)
{
	static const char *const names[] = {
		"vgpreload_", "libc.so", "libc-", "ld-linux", "libm.so",
		"libpthread", "libstdc++", "libgcc_s",
	};
	const char *name = claw_base_name(or_empty(frame->object));

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (claw_begins(name, names[i]))
			return true;
	return false;
}

/* Who called malloc(), or wrote: NULL when there is nobody. */
static const struct frame *responsible(const struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++)
		if (!is_plumbing(&stack->frames[i]))
			return &stack->frames[i];
	return NULL;
}

/* The program, or a library of its own: one that is neither the system's nor
 * a driver's. */
static bool is_of(const struct frame *frame, const char *program)
{
	static const char *const places[] = {
		"/usr/", "/lib", "/opt/",
	};
	static const char *const drivers[] = {
		"libOpenCL", "libpocl", "libLLVM", "libclang", "liboclgrind",
		"libamdocl", "libnvidia", "libigdrcl", "libopenclaw-layer",
	};
	const char *object = frame ? or_empty(frame->object) : "";
	const char *name = claw_base_name(object);

	if (*program && strcmp(name, program) == 0)
		return true;
	if (!*object || is_plumbing(frame) ||
	    claw_begins(or_empty(frame->function), "_pocl_"))
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (claw_begins(object, places[i]))
			return false;
	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++)
		if (claw_begins(name, drivers[i]))
			return false;
	return true;
}

static bool is_own(const struct error *error, const char *program)
{
	for (size_t i = 0; i < error->stack_count; i++)
		if (is_of(responsible(&error->stacks[i]), program))
			return true;
	return false;
}

/* The program's own frame that is nearest; else who did it. */
static const struct frame *find_place(const struct error *error,
				      const char *program)
{
	const struct frame *frame;

	for (size_t i = 0; i < error->stack_count; i++)
		for (size_t j = 0; j < error->stacks[i].count; j++)
			if (is_of(&error->stacks[i].frames[j], program))
				return &error->stacks[i].frames[j];
	if (error->stack_count == 0 || error->stacks[0].count == 0)
		return NULL;
	frame = responsible(&error->stacks[0]);
	return frame ? frame : &error->stacks[0].frames[0];
}

/* "InvalidRead|strncmp|is_dst|...": malloced. */
static char *signature_of(const struct error *error)
{
	const struct stack *stack = &error->stacks[0];
	char *text = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	fputs(or_empty(error->kind), out);
	for (size_t i = 0; i < stack->count && i < SIGNATURE_FRAMES; i++)
		fprintf(out, "|%s", stack->frames[i].function ?
			stack->frames[i].function :
			claw_base_name(or_empty(stack->frames[i].object)));
	claw_text_end(out);
	return text;
}

/* ---- a file ----------------------------------------------------------- */

struct reading {
	char program[PATH_MAX];	/* its file's name */
	bool is_baseline;
	bool is_damaged;		/* a file has no end */
	char **signatures;		/* of the baseline */
	size_t signature_count;
	struct claw_findings *findings;
};

static bool is_known(const struct reading *reading, const char *signature)
{
	for (size_t i = 0; i < reading->signature_count; i++)
		if (strcmp(reading->signatures[i], signature) == 0)
			return true;
	return false;
}

static void remember(struct reading *reading, char *signature)
{
	char **grown = claw_grow(reading->signatures,
				 reading->signature_count + 1, sizeof(*grown));

	grown[reading->signature_count++] = signature;
	reading->signatures = grown;
}

/* pocl's name of what it made of kernel NAME: _pocl_kernel_NAME_workgroup. */
static bool kernel_of(const struct error *error, char *name, size_t size)
{
	static const char before[] = "_pocl_kernel_", behind[] = "_workgroup";
	const char *function = error->stacks[0].count ?
		or_empty(error->stacks[0].frames[0].function) : "";
	size_t length = strlen(function);

	if (!claw_begins(function, before) ||
	    length < sizeof(before) + sizeof(behind) - 2 ||
	    strcmp(function + length - (sizeof(behind) - 1), behind) != 0)
		return false;
	snprintf(name, size, "%.*s",
		 (int)(length - sizeof(before) - sizeof(behind) + 2),
		 function + sizeof(before) - 1);
	return true;
}

static enum claw_finding_kind kind_of(const struct error *error,
				      bool is_kernel)
{
	size_t i = 0;

	while (!claw_begins(or_empty(error->kind), kinds[i].kind) ||
	       !strstr(or_empty(error->what), kinds[i].words))
		i++;
	if (!is_kernel)
		return kinds[i].finding;
	switch (kinds[i].finding) {
	case CLAW_FINDING_HOST_READ:
		return CLAW_FINDING_INVALID_READ;
	case CLAW_FINDING_HOST_WRITE:
		return CLAW_FINDING_INVALID_WRITE;
	case CLAW_FINDING_HOST_UNINIT:
		return CLAW_FINDING_UNINITIALIZED;
	default:
		return CLAW_FINDING_KERNEL_OTHER;
	}
}

/* "16 bytes in 1 blocks are definitely lost in loss record 79 of 3,927",
 * "Possible data race during read of size 4 at 0x10C100 by thread #3": without
 * what differs from run to run. */
static void copy_what(const struct error *error, char *what, size_t size)
{
	const char *text = error->what ? error->what : or_empty(error->kind);
	const char *rest = strstr(text, error->is_leak ? " in loss record" :
				  " at 0x");
	size_t length = strcspn(text, "\n");

	if (rest && (size_t)(rest - text) < length)
		length = (size_t)(rest - text);
	snprintf(what, size, "%.*s", (int)length, text);
}

static void add_error(const struct reading *reading, const struct error *error)
{
	const struct frame *place = find_place(error, reading->program);
	const char *size = strstr(or_empty(error->what), " of size ");
	char what[512], kernel[256];
	struct claw_finding finding = {
		.what = what, .text = error->text,
		.size_bytes = size ? strtoull(size + 9, NULL, 10) : 0,
	};
	bool is_kernel = kernel_of(error, kernel, sizeof(kernel));

	finding.kind = kind_of(error, is_kernel);
	copy_what(error, what, sizeof(what));
	if (is_kernel) {
		finding.kernel = kernel;
	} else if (place) {
		finding.kernel = place->function;
		finding.file = place->file;
		finding.line = (unsigned int)strtoul(or_empty(place->line),
						     NULL, 10);
	}
	claw_findings_add(reading->findings, &finding);
}

static void take_error(struct reading *reading, xmlNodePtr node)
{
	struct error error;
	char *signature;
	bool own;

	read_error(node, &error);
	signature = signature_of(&error);
	own = is_own(&error, reading->program);
	if (reading->is_baseline) {
		remember(reading, signature);
		signature = NULL;
	} else if (own || (!error.must_be_own && !is_known(reading, signature))) {
		add_error(reading, &error);
	}
	free(signature);
	release_error(&error);
}

/* <args><argv><exe>PROGRAM</exe>: the name of its file, behind links. */
static void take_program(struct reading *reading, xmlNodePtr node)
{
	xmlNodePtr words = find_child(node, "argv");
	char *exe = words ? child_text(words, "exe") : NULL;
	char resolved[PATH_MAX];

	if (exe)
		snprintf(reading->program, sizeof(reading->program), "%s",
			 claw_base_name(realpath(exe, resolved) ? resolved :
					exe));
	xmlFree(exe);
}

/* One that was killed leaves its document open: the errors up to then are
 * read. ret_whole: it says what was run, and has its end. */
static void read_document(struct reading *reading, xmlTextReaderPtr reader,
			  bool *ret_whole)
{
	bool started = false;
	int more;

	*ret_whole = false;
	while ((more = xmlTextReaderRead(reader)) == 1) {
		const xmlChar *name = xmlTextReaderConstName(reader);
		bool is_args = xmlStrcmp(name, BAD_CAST "args") == 0;
		xmlNodePtr node;

		if (xmlTextReaderNodeType(reader) != XML_READER_TYPE_ELEMENT ||
		    (!is_args && xmlStrcmp(name, BAD_CAST "error") != 0))
			continue;
		node = xmlTextReaderExpand(reader);
		if (!node)
			return;
		started = true;
		if (is_args)
			take_program(reading, node);
		else
			take_error(reading, node);
	}
	*ret_whole = started && more == 0;
}

static int read_file(const char *path, void *user)
{
	struct reading *reading = user;
	xmlTextReaderPtr reader;
	int fd = claw_outside_open(path, 0, CLAW_OUTSIDE_STREAM_MAX);
	bool whole;

	if (fd < 0)
		return -CLAW_E_DAMAGED;
	reader = claw_made(xmlReaderForFd(fd, path, NULL, XML_PARSE_NONET |
					  XML_PARSE_NOERROR |
					  XML_PARSE_NOWARNING |
					  XML_PARSE_HUGE));
	reading->program[0] = '\0';
	read_document(reading, reader, &whole);
	xmlFreeTextReader(reader);
	close(fd);
	if (!whole)
		reading->is_damaged = true;
	return 0;
}

int claw_valgrind_read_xml(const char *log, const char *baseline,
			   struct claw_findings *findings)
{
	struct reading reading = { .findings = findings };
	int ret = 0;

	if (baseline) {
		reading.is_baseline = true;
		ret = claw_valgrind_each_log(baseline, read_file, &reading);
		reading.is_baseline = false;
	}
	if (ret == 0)
		ret = claw_valgrind_each_log(log, read_file, &reading);
	if (ret == 0 && reading.is_damaged)
		ret = -CLAW_E_DAMAGED;
	for (size_t i = 0; i < reading.signature_count; i++)
		free(reading.signatures[i]);
	free(reading.signatures);
	return ret;
}
