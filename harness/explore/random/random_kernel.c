/* SPDX-License-Identifier: Apache-2.0 */
/* Statements, functions and kernels of random programs. */
#include "config.h"

#include "random_kernel.h"

#include <inttypes.h>

#include "harness/base/memory.h"
#include "random_expression.h"

enum { GROUP = 16, DEPTH = 3, NESTED = 3, FUNCTIONS = 3 };

typedef struct claw_random_scope scope;

static void put_block(scope *in, unsigned int depth, unsigned int count,
		      bool in_loop);

static void indent(const scope *in, unsigned int depth)
{
	for (unsigned int i = 0; i < depth; i++)
		fputc('\t', in->out);
}

/* ---- statements --------------------------------------------------------------- */

static void declare(scope *in, unsigned int depth)
{
	const struct claw_random_type *type = claw_random_type(in);

	if (in->count >= CLAW_RANDOM_VARIABLES)
		return;
	indent(in, depth);
	fprintf(in->out, "%s v%u = ", type->name, in->count);
	claw_random_expression(in, type, DEPTH);
	fputs(";\n", in->out);
	in->is_fixed[in->count] = false;
	in->types[in->count++] = type;
}

static void assign(scope *in, unsigned int depth)
{
	unsigned int at = claw_random_below(in, in->count);

	if (in->is_fixed[at])
		return;
	indent(in, depth);
	fprintf(in->out, "v%u %s= ", at,
		claw_random_below(in, 2) ? "" : "^");
	claw_random_expression(in, in->types[at], DEPTH);
	fputs(";\n", in->out);
}

static void store(scope *in, unsigned int depth)
{
	if (!in->has_array) {
		declare(in, depth);
		return;
	}
	indent(in, depth);
	fputs("own[(uint)(", in->out);
	claw_random_expression(in, in->types[0], 1);
	fputs(") % 8] ^= (uint)(", in->out);
	claw_random_expression(in, in->types[0], DEPTH);
	fputs(");\n", in->out);
}

static void put_if(scope *in, unsigned int depth, bool in_loop)
{
	indent(in, depth);
	fputs("if (", in->out);
	claw_random_condition(in, 1);
	fputs(")\n", in->out);
	put_block(in, depth, 2, in_loop);
	if (claw_random_below(in, 2))
		return;
	indent(in, depth);
	fputs("else\n", in->out);
	put_block(in, depth, 2, in_loop);
}

/* It ends: nothing else changes what it counts. */
static void put_loop(scope *in, unsigned int depth)
{
	unsigned int at = in->count, to = 2 + claw_random_below(in, 4);

	if (at >= CLAW_RANDOM_VARIABLES)
		return;
	indent(in, depth);
	fprintf(in->out, "for (int v%u = 0; v%u < %u; v%u++)\n", at, at, to,
		at);
	in->types[at] = in->types[1];
	in->is_fixed[at] = true;
	in->count++;
	put_block(in, depth, 3, true);
	in->count = at;
}

static void put_switch(scope *in, unsigned int depth)
{
	unsigned int cases = 2 + claw_random_below(in, 3);

	indent(in, depth);
	fputs("switch ((uint)(", in->out);
	claw_random_expression(in, in->types[0], 1);
	fprintf(in->out, ") %% %u) {\n", cases + 1);
	for (unsigned int i = 0; i < cases; i++) {
		indent(in, depth);
		fprintf(in->out, "case %u:\n", i);
		put_block(in, depth + 1, 1, false);
		if (!claw_random_below(in, 3))
			continue;
		indent(in, depth + 1);
		fputs("break;\n", in->out);
	}
	indent(in, depth);
	fputs("default:\n", in->out);
	put_block(in, depth + 1, 1, false);
	indent(in, depth);
	fputs("}\n", in->out);
}

static void leave(scope *in, unsigned int depth)
{
	indent(in, depth);
	fputs("if (", in->out);
	claw_random_condition(in, 1);
	fprintf(in->out, ")\n");
	indent(in, depth + 1);
	fputs(claw_random_below(in, 2) ? "break;\n" : "continue;\n",
	      in->out);
}

static void put_statement(scope *in, unsigned int depth, bool in_loop)
{
	unsigned int kind = claw_random_below(in, depth <= NESTED ? 10 : 5);

	if (kind < 2)
		declare(in, depth);
	else if (kind < 4)
		assign(in, depth);
	else if (kind == 4)
		store(in, depth);
	else if (kind == 5 && in_loop)
		leave(in, depth);
	else if (kind < 8)
		put_if(in, depth, in_loop);
	else if (kind == 8 && depth < NESTED)
		put_loop(in, depth);
	else
		put_switch(in, depth);
}

/* What it declares ends with it. */
static void put_block(scope *in, unsigned int depth, unsigned int count,
		      bool in_loop)
{
	unsigned int known = in->count;

	indent(in, depth);
	fputs("{\n", in->out);
	for (unsigned int i = 0; i < count; i++)
		put_statement(in, depth + 1, in_loop);
	indent(in, depth);
	fputs("}\n", in->out);
	in->count = known;
}

/* ---- what a group does together ------------------------------------------------- */

/* Each work-item writes its own element and reads another one's. */
static void exchange(scope *in)
{
	unsigned int by = 1 + claw_random_below(in, GROUP - 1);

	fputs("\tshared[lid] = (uint)(", in->out);
	claw_random_expression(in, in->types[0], DEPTH);
	fprintf(in->out, ");\n\tbarrier(CLK_LOCAL_MEM_FENCE);\n"
		"\tv0 ^= shared[(lid + %u) %% %d];\n"
		"\tbarrier(CLK_LOCAL_MEM_FENCE);\n", by, GROUP);
}

/* In any order the same. */
static void gather(scope *in)
{
	static const char *const functions[] = {
		"atomic_add", "atomic_xor", "atomic_max", "atomic_or",
	};

	fputs("\tif (lid == 0)\n\t\ttotal = 0;\n"
	      "\tbarrier(CLK_LOCAL_MEM_FENCE);\n", in->out);
	fprintf(in->out, "\t%s(&total, (uint)(",
		functions[claw_random_below(in, 4)]);
	claw_random_expression(in, in->types[0], DEPTH);
	fputs("));\n\tbarrier(CLK_LOCAL_MEM_FENCE);\n\tv0 += total;\n"
	      "\tbarrier(CLK_LOCAL_MEM_FENCE);\n", in->out);
}

/* ---- programs --------------------------------------------------------------------- */

static void begin(scope *in, const struct claw_random_type *first,
		  const struct claw_random_type *second)
{
	in->types[0] = first;
	in->types[1] = second;
	in->is_fixed[0] = in->is_fixed[1] = false;
	in->count = 2;
}

static void put_function(scope *in, unsigned int number)
{
	fprintf(in->out, "long f%u(long v0)\n{\n\tint v1 = as_int((uint)v0);\n",
		number);
	begin(in, claw_random_type_named("long"),
	      claw_random_type_named("int"));
	in->functions = number;
	in->has_array = false;
	for (unsigned int i = 0; i < 3; i++)
		put_statement(in, 1, false);
	fputs("\treturn ", in->out);
	claw_random_expression(in, in->types[0], DEPTH);
	fputs(";\n}\n\n", in->out);
}

/* All that it computed has its part in the result. */
static void put_result(scope *in)
{
	fputs("\tfor (int i = 0; i < 8; i++)\n"
	      "\t\tv0 = v0 * 31 + own[i];\n", in->out);
	for (unsigned int i = 1; i < in->count; i++)
		for (unsigned int j = 0; j < in->types[i]->width; j++) {
			fprintf(in->out, "\tv0 = v0 * 31 + (ulong)v%u", i);
			if (in->types[i]->width > 1)
				fprintf(in->out, ".s%u", j);
			fputs(";\n", in->out);
		}
	fputs("\tout[get_global_id(0)] = v0;\n}\n\n", in->out);
}

static void put_kernel(scope *in, uint64_t seed, unsigned int number)
{
	fprintf(in->out, "kernel __attribute__((reqd_work_group_size(%d, 1, "
		"1)))\nvoid random_%" PRIu64 "_%u(global const uint *in, "
		"global ulong *out)\n{\n\tlocal uint shared[%d], total;\n"
		"\tuint lid = get_local_id(0), own[8] = { 0 };\n"
		"\tulong v0 = in[get_global_id(0)];\n"
		"\tint v1 = as_int((uint)get_global_id(0));\n\n", GROUP, seed, number,
		GROUP);
	begin(in, claw_random_type_named("ulong"),
	      claw_random_type_named("int"));
	in->has_array = true;
	for (unsigned int i = 0; i < 8; i++) {
		if (i % 3 == 2 && claw_random_below(in, 2))
			exchange(in);
		else if (i % 3 == 2)
			gather(in);
		else
			put_statement(in, 1, false);
	}
	put_result(in);
}

char *claw_random_kernels(uint64_t seed, unsigned int count)
{
	struct claw_random_scope made = { .random = seed };
	char *text;
	size_t size;

	made.out = claw_text_begin(&text, &size);
	fprintf(made.out, "/* openclaw explore --random %u --seed %" PRIu64
		" */\n\n", count, seed);
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		put_function(&made, i);
	made.functions = FUNCTIONS;
	for (unsigned int i = 0; i < count; i++)
		put_kernel(&made, seed, i + 1);
	claw_text_end(made.out);
	return text;
}
