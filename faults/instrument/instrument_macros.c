/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the driver's preprocessor has predefined: a kernel that is built with
 * the program's options tells it of each name. Nothing else knows: a driver's
 * compiler may be any.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_BYTES = 256 << 10 };

/* What stands before each name in what the kernel gives. */
enum { IS_NOT = '\1', IS = '\2' };

static const char head[] =
	"#define CLAW_TEXT_OF(%s) #%s\n"
	"#define CLAW_TEXT(%s) CLAW_TEXT_OF(%s)\n"
	"__constant char claw_names[] =\n";

static const char tail[] =
	";\n"
	"__kernel void claw_tell(__global char *out, uint room)\n"
	"{\n"
	"	for (uint i = 0; i < room && i < sizeof(claw_names); i++)\n"
	"		out[i] = claw_names[i];\n"
	"}\n";

/* Most compilers know macros of any number of parameters; one that has commas
 * in it needs that. */
static char *make_source(const char *names, bool any_number)
{
	const char *from = any_number ? "..." : "x";
	const char *to = any_number ? "__VA_ARGS__" : "x";
	struct claw_text source;
	FILE *out = open_memstream(&source.bytes, &source.length);

	if (!out)
		return NULL;
	fprintf(out, head, from, to, from, to);
	while (*names) {
		int length = (int)strcspn(names, "\n");

		if (length)
			fprintf(out, "#ifdef %.*s\n\"\\2\" CLAW_TEXT(%.*s)\n"
				"#else\n\"\\1\"\n#endif\n", length, names,
				length, names);
		names += length + (names[length] == '\n');
	}
	fputs("\"\\1\"", out);	/* where there is no name, a string */
	fputs(tail, out);
	return fclose(out) == 0 ? source.bytes : NULL;
}

static bool run(cl_command_queue queue, cl_kernel kernel, cl_mem mem,
		char *answer)
{
	static const size_t one = 1;
	cl_uint room = ANSWER_BYTES;

	return !claw_next.clSetKernelArg(kernel, 0, sizeof(mem), &mem) &&
	       !claw_next.clSetKernelArg(kernel, 1, sizeof(room), &room) &&
	       !claw_next.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one,
						 &one, 0, NULL, NULL) &&
	       !claw_next.clEnqueueReadBuffer(queue, mem, CL_TRUE, 0,
					      ANSWER_BYTES, answer, 0, NULL,
					      NULL);
}

static bool run_kernel(cl_context context, cl_device_id device,
		       cl_kernel kernel, char *answer)
{
	cl_command_queue queue = claw_own_queue_make(context, device);
	bool done = false;
	cl_mem mem = NULL;
	cl_int err;

	if (queue)
		mem = claw_next.clCreateBuffer(context, CL_MEM_READ_WRITE |
					       CL_MEM_COPY_HOST_PTR,
					       ANSWER_BYTES, answer, &err);
	if (mem)
		done = run(queue, kernel, mem, answer);
	if (mem)
		claw_next.clReleaseMemObject(mem);
	if (queue)
		claw_next.clReleaseCommandQueue(queue);
	return done;
}

static bool ask(const char *source, const char *options, cl_context context,
		cl_device_id device, char *answer)
{
	cl_kernel kernel = NULL;
	bool done = false;
	cl_int err;
	cl_program program = claw_next.clCreateProgramWithSource(context, 1,
		&source, NULL, &err);

	if (program && !claw_next.clBuildProgram(program, 1, &device, options,
						 NULL, NULL))
		kernel = claw_next.clCreateKernel(program, "claw_tell", &err);
	if (kernel)
		done = run_kernel(context, device, kernel, answer);
	if (kernel)
		claw_next.clReleaseKernel(kernel);
	if (program)
		claw_next.clReleaseProgram(program);
	return done;
}

/* The lines of the request, of the answers one behind the other. */
static char *read_answer(const char *names, const char *answer)
{
	struct claw_text text;
	FILE *out = open_memstream(&text.bytes, &text.length);

	if (!out)
		return NULL;
	while (*names) {
		int length = (int)strcspn(names, "\n");
		char which = *answer;

		if (length) {
			size_t bytes = which ? strcspn(++answer, "\1\2") : 0;

			fprintf(out, "macro %.*s", length, names);
			if (which == IS)
				fprintf(out, " %.*s", (int)bytes, answer);
			fputc('\n', out);
			answer += bytes;
		}
		names += length + (names[length] == '\n');
	}
	return fclose(out) == 0 ? text.bytes : NULL;
}

/* Only what is a name. */
static bool are_names(const char *names)
{
	return !names[strspn(names, "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_\n")];
}

static char *ask_driver(const char *names, const char *options,
			cl_context context, cl_device_id device)
{
	char *answer = calloc(1, ANSWER_BYTES + 1), *made = NULL;

	for (int any_number = 1; answer && any_number >= 0 && !made;
	     any_number--) {
		char *source = make_source(names, any_number);

		if (source && ask(source, options, context, device, answer) &&
		    !answer[ANSWER_BYTES - 1])
			made = read_answer(names, answer);
		free(source);
	}
	free(answer);
	return made;
}

/* The question, as a text that is the same for the same answer. */
static char *make_question(const char *names, const char *options,
			   cl_device_id device)
{
	struct claw_text text;
	FILE *out = open_memstream(&text.bytes, &text.length);

	if (!out)
		return NULL;
	claw_device_put(out, device);
	fprintf(out, "%s\n%s\n", options, names);
	return fclose(out) == 0 ? text.bytes : NULL;
}

char *claw_macros_ask(const char *names, const char *options,
		      cl_context context, cl_device_id device,
		      char why[CLAW_PROBE_WHY])
{
	char key[CLAW_PROBE_KEY], *question, *quiet, *made = NULL;
	struct claw_text known;

	if (!are_names(names)) {
		claw_probe_why(why, "openclaw-instrument asks for no names");
		return NULL;
	}
	if (!*names)
		return calloc(1, 1);
	question = make_question(names, options, device);
	if (question)
		claw_cache_key(question, strlen(question), key);
	if (question && claw_cache_read(key, ".macros", &known)) {
		free(question);
		return known.bytes;
	}
	quiet = claw_options_quiet(options);
	if (question && quiet)
		made = ask_driver(names, quiet, context, device);
	if (made)
		claw_cache_write(key, ".macros", made, strlen(made));
	else
		claw_probe_why(why, "the driver does not build a kernel that "
			       "tells its macros");
	free(quiet);
	free(question);
	return made;
}
