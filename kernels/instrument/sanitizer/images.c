/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pixels of images: what write_image and those of read_image that go by no
 * sampler, or by one with CLK_ADDRESS_NONE, have to be inside of.
 *
 *	({ const int2 x = (COORDINATE); const float4 v = (COLOR);
 *	   INSIDE ? write_imagef(IMAGE, x, v) : bad(); })
 *
 * How large the image is a hidden argument says: not each driver has all of
 * get_image_width and the like. See sanitizer_private.h.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sanitizer_private.h"
#include "faults/shared/probe_format.h"

/* Whose name is the beginning of another's comes behind it. */
static const struct kind {
	const char *name;
	unsigned int width;		/* components of a coordinate, */
	int asked;			/* of which so many are looked at */
	bool has_layers;		/* the last of these is one */
	bool is_depth;			/* its colours are numbers */
} kinds[] = {
	{ "image1d_buffer", 1, 1, false, false },
	{ "image1d_array", 2, 2, true, false },
	{ "image1d", 1, 1, false, false },
	{ "image2d_array_depth", 4, 3, true, true },
	{ "image2d_array", 4, 3, true, false },
	{ "image2d_depth", 2, 2, false, true },
	{ "image2d", 2, 2, false, false },
	{ "image3d", 4, 3, false, false },
};

/* One call. */
struct access {
	struct claw_body *body;
	struct claw_node *call, *image, *sampler, *coordinate, *color;
	const struct kind *kind;
	const char *name;		/* write_imagef */
	bool is_write, is_float;	/* the coordinate is */
	unsigned int number;
};

/* NULL: samples of an image of several, or none that is known. */
static const struct kind *kind_of(CXType type)
{
	CXString string = clang_getTypeSpelling(clang_getCanonicalType(type));
	const char *name = strstr(clang_getCString(string), "image");
	const struct kind *found = NULL;

	for (size_t i = 0; name && !found &&
	     i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].name);

		if (strncmp(name, kinds[i].name, length) == 0 &&
		    strncmp(name + length, "_t", 2) == 0)
			found = &kinds[i];
	}
	clang_disposeString(string);
	return found;
}

/* ---- samplers */

static bool constant_below(CXCursor cursor, long long *ret);

static enum CXChildVisitResult see_child(CXCursor child, CXCursor parent,
					 CXClientData data)
{
	(void)parent;
	return constant_below(child, data) ? CXChildVisit_Break :
		CXChildVisit_Continue;
}

/* The integer that a sampler is made of, with conversions around it. */
static bool constant_below(CXCursor cursor, long long *ret)
{
	struct claw_node node = { .cursor = cursor };

	return (clang_isExpression(clang_getCursorKind(cursor)) &&
		claw_type_is_integer(clang_getCursorType(cursor)) &&
		claw_nodes_constant(&node, ret)) ||
		clang_visitChildren(cursor, see_child, ret);
}

bool claw_sampler_words(struct claw_body *body, struct claw_node *sampler,
			char words[CLAW_SAMPLER_WORDS])
{
	struct claw_variable *variable;
	CXCursor from;
	long long value;

	sampler = claw_nodes_strip(sampler);
	variable = claw_variables_find(body, sampler);
	if (variable && variable->is_parameter) {
		snprintf(words, CLAW_SAMPLER_WORDS, "__claw_n%u", variable->parameter);
		return true;
	}
	from = sampler->kind == CXCursor_DeclRefExpr ?
		clang_Cursor_getVarDeclInitializer(
			claw_nodes_declaration(sampler)) : sampler->cursor;
	if (clang_Cursor_isNull(from) || !constant_below(from, &value))
		return false;
	snprintf(words, CLAW_SAMPLER_WORDS, "%uUL", (value & 0xe ? 0u : CLAW_SAMPLER_NONE) |
		 (value & 1 ? CLAW_SAMPLER_NORMALIZED : 0u));
	return true;
}

/* ---- the text */

static const char *color_words(const struct access *access)
{
	const char *suffix = access->name + strlen("read_image") +
		access->is_write;

	if (access->kind->is_depth)
		return "float";
	return *suffix == 'f' ? "float4" : *suffix == 'h' ? "half4" :
		*suffix == 'i' ? "int4" : "uint4";
}

static const char *const widths[] = { "", "", "2", "", "4" };
static const char *const components[] = { "x", "y", "z" };

/* __claw_x7.y */
static void put_component(const struct access *access, int i, FILE *out)
{
	fprintf(out, "__claw_x%u", access->number);
	if (access->kind->width > 1)
		fprintf(out, ".%s", components[i]);
}

/* A layer that a sampler reads is the nearest there is. */
static int asked(const struct access *access)
{
	return access->kind->asked - (access->sampler &&
				      access->kind->has_layers);
}

static void put_inside(const struct access *access, const char *size,
		       const char *sampler, FILE *out)
{
	if (sampler)
		fprintf(out, "!((%s) & %uu) || ", sampler, CLAW_SAMPLER_NONE);
	fputc('(', out);
	for (int i = 0; i < asked(access); i++) {
		fputs(i ? " && " : "", out);
		fputs(access->is_float ? "__CLAW_PIXEL_AT(" : "(uint)", out);
		put_component(access, i, out);
		if (access->is_float)
			fprintf(out, ", %s.%s, (%s) & %uu)", size,
				components[i], sampler,
				CLAW_SAMPLER_NORMALIZED);
		else
			fprintf(out, " < %s.%s", size, components[i]);
	}
	fputc(')', out);
}

void claw_image_words(const struct claw_body *body, struct claw_node *image,
		      struct claw_image_words *ret_words)
{
	struct claw_variable *variable = image ?
		claw_variables_find(body, claw_nodes_strip(image)) : NULL;
	unsigned int number = variable ? variable->parameter : 0;

	*ret_words = (struct claw_image_words){ "__CLAW_ANY_IMAGE", "0u" };
	if (!variable || !variable->is_parameter)
		return;
	snprintf(ret_words->size, sizeof(ret_words->size), "__claw_n%u",
		 number);
	snprintf(ret_words->object, sizeof(ret_words->object),
		 body->function->is_kernel ? "%uu" : "__claw_o%u",
		 number + body->function->is_kernel);
}

static void put_bad(const struct access *access,
		    const struct claw_image_words *image, unsigned int number,
		    FILE *out)
{
	fprintf(out, "__claw_bad_pixel(__claw->p, CLAW_A + %uu, %s, (uint4)(",
		number, image->object);
	for (int i = 0; i < 3; i++) {
		if (i < access->kind->asked) {
			fputs(access->is_float ? "as_uint(" : "(uint)(", out);
			put_component(access, i, out);
			fputs("), ", out);
		} else {
			fputs("0u, ", out);
		}
	}
	fprintf(out, "0u), %s, __CLAW_IDS)", image->size);
}

/* Lines stay what they were. */
static void put_newlines(const struct access *access, size_t from, size_t to,
			 FILE *out)
{
	const char *text = access->body->sanitizer->rewrite->unit->text;

	for (; from < to; from++)
		if (text[from] == '\n')
			fputc('\n', out);
}

/* The comma behind an argument; 0: there is none to be seen. A vector's cast ends
 * in front of its last bracket, as libclang has it. */
static size_t comma_behind(const struct access *access,
			   const struct claw_node *node)
{
	const struct claw_unit *unit = access->body->sanitizer->rewrite->unit;
	size_t at = node->start;
	int depth = 0;

	for (; at < node->end; at++)
		depth += (unit->text[at] == '(') - (unit->text[at] == ')');
	at = claw_unit_skip_blank(unit, at);
	for (; depth > 0 && unit->text[at] == ')'; depth--)
		at = claw_unit_skip_blank(unit, at + 1);
	return depth == 0 && unit->text[at] == ',' ? at : 0;
}

/* The comma in front of the coordinate; 0: there is none. The sampler cannot be
 * asked: libclang says where one of the whole text was defined. */
static size_t comma_before(const struct access *access)
{
	const char *text = access->body->sanitizer->rewrite->unit->text;
	size_t at = access->coordinate->start;

	while (at > access->call->start && isspace((unsigned char)text[at - 1]))
		at--;
	return at > access->call->start && text[at - 1] == ',' ? at - 1 : 0;
}

/* In front of the coordinate, between it and the colour, behind all. */
static void put(const struct access *access, const char *sampler)
{
	struct claw_edits *edits = &access->body->sanitizer->rewrite->edits;
	const char *text = access->body->sanitizer->rewrite->unit->text;
	size_t first = comma_behind(access, access->image);
	size_t comma = comma_before(access) + 1;
	size_t middle = access->is_write ?
		comma_behind(access, access->coordinate) : 0;
	char *object = claw_nodes_name(access->image->cursor);
	unsigned int number = claw_check_number(access->body, access->call,
		access->is_write ? CLAW_WRITE : CLAW_READ, access->kind->name,
		access->is_float, object);
	struct claw_image_words image;
	struct claw_words before, after;

	claw_image_words(access->body, access->image, &image);
	claw_words_init(&before);
	claw_words_init(&after);
	fprintf(before.stream, "({ const %s%s __claw_x%u = (",
		access->is_float ? "float" : "int",
		widths[access->kind->width], access->number);
	put_newlines(access, access->call->start, comma, before.stream);
	claw_edits_replace(edits, access->call->start, comma, "%s",
			   claw_words_text(&before));
	if (middle)
		claw_edits_replace(edits, middle, middle + 1,
				   "); const %s __claw_v%u = (",
				   color_words(access), access->number);
	fputs("); __CLAW_LIKELY(", after.stream);
	put_inside(access, image.size, sampler, after.stream);
	fprintf(after.stream, ") ? %s(%s, ", access->name, object);
	fwrite(text + first + 1, 1, comma - first - 1, after.stream);
	fprintf(after.stream, "__claw_x%u", access->number);
	if (access->is_write)
		fprintf(after.stream, ", __claw_v%u) : ", access->number);
	else
		fputs(") : (", after.stream);
	put_bad(access, &image, number, after.stream);
	if (!access->is_write)
		fprintf(after.stream, ", (%s)(0))", color_words(access));
	fputs("; })", after.stream);
	claw_edits_replace(edits, access->call->end - 1, access->call->end,
			   "%s", claw_words_text(&after));
	claw_words_release(&before);
	claw_words_release(&after);
	free(object);
}

/* ---- calls */

/* Is it written as one, with all commas where they should be, and the sampler on
 * one line? */
static bool is_plain(const struct access *access)
{
	const char *text = access->body->sanitizer->rewrite->unit->text;
	const struct claw_node *call = access->call;
	size_t first = comma_behind(access, access->image);
	size_t comma = comma_before(access);

	return first && comma >= first && text[call->end - 1] == ')' &&
	       (access->sampler != NULL) == (comma > first) &&
	       !memchr(text + call->start, '#', comma - call->start) &&
	       !memchr(text + first, '\n', comma - first) &&
	       (!access->is_write ||
		comma_behind(access, access->coordinate));
}

static bool read_coordinate(struct access *access)
{
	CXType type = clang_getCanonicalType(access->coordinate->type);

	if (claw_type_is_vector(type))
		type = claw_type_pointee(type);
	access->is_float = type.kind == CXType_Float;
	return access->is_float || claw_type_is_integer(type);
}

static bool read_call(struct access *access)
{
	int count = clang_Cursor_getNumArguments(access->call->cursor);
	struct claw_node *arguments[3];

	for (int i = 0; i < 3; i++)
		arguments[i] = i < count ? claw_argument(access->call,
							 (size_t)i) : NULL;
	if (!arguments[0] || !arguments[1] || count > 3 ||
	    (access->is_write && !arguments[2]))
		return false;
	access->image = claw_nodes_strip(arguments[0]);
	access->kind = kind_of(arguments[0]->type);
	if (!access->is_write && arguments[2])
		access->sampler = arguments[1];
	access->coordinate = arguments[access->sampler ? 2 : 1];
	access->color = access->is_write ? arguments[2] : NULL;
	return access->kind && access->image->kind == CXCursor_DeclRefExpr &&
	       read_coordinate(access) &&
	       (!access->sampler ||
		clang_getCanonicalType(access->sampler->type).kind ==
		CXType_OCLSampler);
}

void claw_check_image(struct claw_body *body, struct claw_node *call,
		      const char *name)
{
	struct access access = {
		.body = body, .call = call, .name = name,
		.is_write = *name == 'w',
		.number = body->sanitizer->numbers++,
	};
	char sampler[CLAW_SAMPLER_WORDS];

	if (!read_call(&access) ||
	    (access.sampler && !claw_sampler_words(body, access.sampler,
						   sampler))) {
		claw_check_unchecked(body, call);
		return;
	}
	/* What is outside is what the sampler says it is. */
	if (access.sampler && sampler[0] >= '0' && sampler[0] <= '9' &&
	    !((unsigned int)strtoul(sampler, NULL, 10) & CLAW_SAMPLER_NONE))
		return;
	if (!is_plain(&access) || !claw_wrapped_add(body, call)) {
		claw_check_unchecked(body, call);
		return;
	}
	claw_hoist_note(body, call->start, NULL);
	put(&access, access.sampler ? sampler : NULL);
}
