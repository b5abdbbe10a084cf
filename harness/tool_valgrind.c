/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Valgrind's memcheck over the host's side of a program, on oclgrind's ICD:
 * two known errors there (suites/valgrind.supp) against pocl's hundreds.
 */
#include "config.h"

#include "tools.h"

#include <errno.h>
#include <libxml/xmlreader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "runner.h"
#include "suite.h"

static int prepare(struct claw_under *under,
		   const struct claw_under_config *config)
{
	int ret = claw_oclgrind_prepare(under, config);

	if (ret < 0 || under->why[0])
		return ret;
	under->program = claw_program_find("valgrind", &(int){ 0 });
	if (!under->program)
		snprintf(under->why, sizeof(under->why),
			 "valgrind is not here (Debian package valgrind)");
	under->suppressions = claw_data_path("suites/valgrind.supp");
	if (under->program && !under->suppressions)
		snprintf(under->why, sizeof(under->why),
			 "suites/valgrind.supp is not where openclaw is");
	return 0;
}

static int add_option(struct claw_under_run *run, const char *name,
		      const char *value)
{
	char *word;
	int ret;

	if (asprintf(&word, "%s=%s", name, value) < 0)
		return -CLAW_E_NO_MEMORY;
	ret = claw_under_add_word(run, word);
	free(word);
	return ret;
}

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	static const char *const words[] = {
		"--tool=memcheck", "--quiet", "--num-callers=30",
		"--leak-check=no", "--child-silent-after-fork=yes",
		"--vgdb=no", "--xml=yes",
	};
	int ret;

	(void)config;
	if (asprintf(&run->log, "%s/valgrind.xml", case_directory) < 0) {
		run->log = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	if (asprintf(&run->kernel_log, "%s/oclgrind.log", case_directory) < 0) {
		run->kernel_log = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	ret = claw_under_add_word(run, under->program);
	for (size_t i = 0; ret == 0 && i < sizeof(words) / sizeof(*words); i++)
		ret = claw_under_add_word(run, words[i]);
	if (ret == 0)
		ret = add_option(run, "--xml-file", run->log);
	if (ret == 0)
		ret = add_option(run, "--suppressions", under->suppressions);
	if (ret == 0)
		ret = claw_oclgrind_set_memory(run);
	return ret < 0 ? ret : claw_under_add_env(run, "OCLGRIND_LOG",
						  run->kernel_log);
}

/* ---- its XML --------------------------------------------------------- */

/* The text of the first child called name, malloced; NULL when none. */
static char *child_text(xmlNodePtr node, const char *name)
{
	for (xmlNodePtr child = node->children; child; child = child->next)
		if (xmlStrcmp(child->name, BAD_CAST name) == 0)
			return (char *)xmlNodeGetContent(child);
	return NULL;
}

static xmlNodePtr find_child(xmlNodePtr node, const char *name)
{
	for (xmlNodePtr child = node->children; child; child = child->next)
		if (xmlStrcmp(child->name, BAD_CAST name) == 0)
			return child;
	return NULL;
}

/* "at 0x..: function (file:line)", one a line. */
static void write_stack(FILE *out, xmlNodePtr stack)
{
	for (xmlNodePtr frame = stack->children; frame; frame = frame->next) {
		char *function, *file, *line, *object;

		if (xmlStrcmp(frame->name, BAD_CAST "frame") != 0)
			continue;
		function = child_text(frame, "fn");
		file = child_text(frame, "file");
		line = child_text(frame, "line");
		object = child_text(frame, "obj");
		fprintf(out, "  by %s (%s%s%s)\n", function ? function : "???",
			file ? file : object ? object : "???",
			file && line ? ":" : "", file && line ? line : "");
		xmlFree(function);
		xmlFree(file);
		xmlFree(line);
		xmlFree(object);
	}
}

static char *error_text(xmlNodePtr error, const char *what)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s\n", what);
	for (xmlNodePtr child = error->children; child; child = child->next) {
		char *content;

		if (xmlStrcmp(child->name, BAD_CAST "stack") == 0) {
			write_stack(out, child);
		} else if (xmlStrcmp(child->name, BAD_CAST "auxwhat") == 0) {
			content = (char *)xmlNodeGetContent(child);
			fprintf(out, " %s\n", content ? content : "");
			xmlFree(content);
		}
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static int add_error(xmlNodePtr error, struct claw_findings *findings)
{
	xmlNodePtr stack = find_child(error, "stack"), frame, xwhat;
	char *kind = child_text(error, "kind"), *what, *text;
	char *function = NULL, *file = NULL, *line = NULL;
	int ret = -CLAW_E_NO_MEMORY;

	what = child_text(error, "what");
	xwhat = find_child(error, "xwhat");
	if (!what && xwhat)
		what = child_text(xwhat, "text");
	frame = stack ? find_child(stack, "frame") : NULL;
	if (frame) {
		function = child_text(frame, "fn");
		file = child_text(frame, "file");
		line = child_text(frame, "line");
	}
	text = error_text(error, what ? what : or_empty(kind));
	if (text)
		ret = claw_findings_add(findings, &(struct claw_finding){
			.kind = what ? what : (char *)(uintptr_t)or_empty(kind),
			.kernel = (char *)(uintptr_t)or_empty(function),
			.file = (char *)(uintptr_t)or_empty(file),
			.line = (unsigned int)strtoul(or_empty(line), NULL, 10),
			.text = text });
	free(text);
	xmlFree(kind);
	xmlFree(what);
	xmlFree(function);
	xmlFree(file);
	xmlFree(line);
	return ret;
}

/* A process that was killed leaves its document open: what is there counts,
 * the errors up to then are read. */
static int read_xml(const char *path, struct claw_findings *findings)
{
	xmlTextReaderPtr reader;
	int ret = 0, more;

	if (access(path, R_OK) < 0)
		return -CLAW_E_DAMAGED;
	reader = xmlReaderForFile(path, NULL, XML_PARSE_NONET |
				  XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
				  XML_PARSE_HUGE);
	if (!reader)
		return -CLAW_E_DAMAGED;
	while (ret == 0 && (more = xmlTextReaderRead(reader)) == 1) {
		xmlNodePtr node;

		if (xmlTextReaderNodeType(reader) != XML_READER_TYPE_ELEMENT ||
		    xmlStrcmp(xmlTextReaderConstName(reader),
			      BAD_CAST "error") != 0)
			continue;
		node = xmlTextReaderExpand(reader);
		if (!node)
			break;
		ret = add_error(node, findings);
	}
	xmlFreeTextReader(reader);
	return ret;
}

static int read_logs(const struct claw_under_run *run,
		     struct claw_findings *findings)
{
	int ret = read_xml(run->log, findings);

	return ret < 0 ? ret : claw_oclgrind_read(run->kernel_log, false,
						  findings);
}

const struct claw_under_row claw_under_valgrind = {
	.name = "valgrind",
	.summary = "memcheck over the host's side, on oclgrind's simulator",
	.timeout_factor = 10,
	.prepare = prepare, .start = start, .read = read_logs,
};
